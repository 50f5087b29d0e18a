//! A folder that hookgen fills, beside whatever others keep in it.
//!
//! hookgen writes and removes only what its own record in the folder claims, and only as long as it is still what
//! hookgen wrote. The new folder is made beside the old one, takes over what people have changed or added, and changes
//! places with it in one step: whoever looks, and whatever ends hookgen, finds the old one or the new one whole.

mod carry;
mod item;
mod note;
mod plan;
mod record;
mod refusal;
mod retire;
mod staging;
mod survey;
#[cfg(test)]
mod tests;

pub use item::Item;
pub use note::Note;

use std::fs;

use anyhow::{Context as _, bail};
use camino::{Utf8Path, Utf8PathBuf};

use plan::Plan;
use record::Record;
use staging::Staging;
use survey::Survey;

/// The place of one catalog's plugin.
#[derive(Debug)]
pub struct Place {
    catalog: String,
    /// As people have named it.
    shown: Utf8PathBuf,
    /// Where it really is, whatever links lead there.
    folder: Utf8PathBuf,
}

/// The files of a place that hookgen has filled, as it wrote them. Where somebody has changed one, there is nothing to give on.
pub fn as_written(folder: &Utf8Path) -> anyhow::Result<Vec<Item>> {
    let record = Record::read(folder)?.with_context(|| format!("`{folder}` is no plugin that hookgen has made"))?;
    let item = |path: &Utf8Path| {
        let file = folder.join(path);
        let content = fs::read(&file).with_context(|| format!("cannot read `{file}`"))?;
        if !record.has(path, &content) {
            bail!("`{file}` was edited, and others get only what hookgen made; ship to another folder with `--out`");
        }
        Ok(Item { path: path.to_owned(), executable: item::can_be_started(&file)?, content })
    };
    record.paths().map(item).collect()
}

/// Whose a place is.
#[derive(Debug)]
enum Owner {
    /// Nobody's: nothing is there, or an empty folder.
    Nobody,
    /// Ours, to the extent of the record.
    Hookgen(Record),
    /// Ours, from a version that kept no record.
    EarlierHookgen,
}

impl Place {
    /// The folder `<out>/<catalog>`, unless something there, or around it, is not hookgen's to replace.
    pub fn find(out: &Utf8Path, catalog: &str, workspace: &Utf8Path) -> anyhow::Result<Self> {
        let parent = refusal::real(out)?;
        let workspace = refusal::real(workspace)?;
        let place = Self { catalog: catalog.to_owned(), shown: out.join(catalog), folder: parent.join(catalog) };
        refusal::check_position(&place.shown, &place.folder, &workspace)?;
        let owner = place.owner()?;
        if !matches!(owner, Owner::Nobody) {
            Survey::of(&place.folder)?;
        }
        Ok(place)
    }

    /// The folder, as people have named it.
    pub fn shown(&self) -> &Utf8Path {
        &self.shown
    }

    /// Whether anything of ours is in it.
    pub fn is_filled(&self) -> anyhow::Result<bool> {
        Ok(match self.owner()? {
            Owner::Nobody => false,
            Owner::Hookgen(record) => !record.is_empty(),
            Owner::EarlierHookgen => true,
        })
    }

    /// Makes the folder hold these files, and what others have in it.
    pub fn lay_out(&self, items: &[Item]) -> anyhow::Result<Vec<Note>> {
        let parent = self.folder.parent().with_context(|| format!("`{}` has no folder around it", self.folder))?;
        fs::create_dir_all(parent).with_context(|| format!("cannot create `{parent}`"))?;
        let staging = Staging::open(&self.folder)?;
        let owner = self.owner()?;
        let (record, found) = match &owner {
            Owner::Nobody => (None, Survey::default()),
            Owner::Hookgen(record) => (Some(record), Survey::of(&self.folder)?),
            Owner::EarlierHookgen => (None, Survey::of(&self.folder)?),
        };
        let earlier = matches!(owner, Owner::EarlierHookgen);
        let plan = Plan::new(&self.catalog, items, record, &found, earlier)
            .with_context(|| format!("`{}` is left alone", self.shown))?;
        let mut notes = plan.notes.clone();
        if items.is_empty() && plan.keeps_nothing() {
            staging.take(&self.folder)?;
        } else {
            plan.fill(&self.folder, &staging.new_folder())?;
            staging.swap(&self.folder)?;
        }
        if earlier {
            notes.push(Note::Before(staging.set_aside(&self.folder)?));
        }
        notes.extend(staging.close(&self.folder)?.map(Note::Remains));
        Ok(notes)
    }

    /// Takes out of the folder what is ours and as hookgen wrote it; the folder itself too, if nothing else is in it.
    pub fn clear(&self) -> anyhow::Result<Vec<Note>> {
        match self.owner()? {
            Owner::Nobody => Ok(Vec::new()),
            Owner::Hookgen(_) => self.lay_out(&[]),
            Owner::EarlierHookgen => Ok(vec![Note::Unrecorded(self.shown.clone())]),
        }
    }

    fn owner(&self) -> anyhow::Result<Owner> {
        let shown = &self.shown;
        match fs::symlink_metadata(&self.folder) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Owner::Nobody),
            Err(error) => return Err(error).with_context(|| format!("cannot look at `{shown}`")),
            Ok(kind) if kind.is_symlink() => {
                bail!("`{shown}` is a link to somewhere else; name the folder that it leads to, or remove the link")
            }
            Ok(kind) if !kind.is_dir() => bail!("`{shown}` is not a folder; move it away, or choose another place"),
            Ok(_) => {}
        }
        if let Some(record) = Record::read(&self.folder)? {
            if record.catalog() != self.catalog {
                bail!("`{shown}` holds the plugin `{}`; choose another place", record.catalog());
            }
            return Ok(Owner::Hookgen(record));
        }
        let mut entries = fs::read_dir(&self.folder).with_context(|| format!("cannot list `{shown}`"))?;
        let Some(first) = entries.next() else { return Ok(Owner::Nobody) };
        if record::is_of_earlier_version(&self.folder, &self.catalog) {
            return Ok(Owner::EarlierHookgen);
        }
        let first = first.with_context(|| format!("cannot list `{shown}`"))?.file_name();
        bail!(
            "`{shown}` holds files that hookgen did not write (`{}` is one), and hookgen replaces only its own; move \
             them away, or choose another place",
            first.display()
        )
    }
}
