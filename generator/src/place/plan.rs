//! What becomes of everything in a place: replaced, kept, or put aside under another name.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write as _;

use anyhow::{Context as _, bail};
use camino::{Utf8Path, Utf8PathBuf};

use super::carry;
use super::item::Item;
use super::note::Note;
use super::record::Record;
use super::survey::{Kind, Survey};
use crate::emit::record::FILE;

/// Behind the name of a new version that lies beside an edited file.
const NEW: &str = "new";

/// Behind the name of an edited version that had to make room.
const EDITED: &str = "edited";

#[derive(Debug)]
pub(super) struct Plan<'i> {
    /// What is taken over, by the path that it has now, with the path that it will have.
    carried: BTreeMap<Utf8PathBuf, Utf8PathBuf>,
    /// Folders that others have made.
    folders: BTreeSet<Utf8PathBuf>,
    /// What is written.
    written: BTreeMap<Utf8PathBuf, &'i Item>,
    record: Record,
    pub(super) notes: Vec<Note>,
}

/// What decides about a place.
struct Context<'c> {
    items: BTreeMap<&'c Utf8Path, &'c Item>,
    record: Option<&'c Record>,
    found: &'c Survey,
    /// Whether the whole place is kept elsewhere, so that what is not a setting need not be.
    set_aside: bool,
}

impl Context<'_> {
    /// Whether there is a file that is still what hookgen wrote.
    fn is_as_written(&self, path: &Utf8Path) -> anyhow::Result<bool> {
        let Some(record) = self.record.filter(|record| record.claims(path)) else { return Ok(false) };
        Ok(self.found.entries.get(path) == Some(&Kind::File) && record.has(path, &self.found.read(path)?))
    }
}

impl<'i> Plan<'i> {
    /// Works out what becomes of what was found; `set_aside` says that the whole of it is kept elsewhere as well.
    pub(super) fn new(
        catalog: &str,
        items: &'i [Item],
        record: Option<&Record>,
        found: &Survey,
        set_aside: bool,
    ) -> anyhow::Result<Self> {
        let by_path = items.iter().map(|item| (item.path.as_path(), item)).collect();
        let context = Context { items: by_path, record, found, set_aside };
        let mut plan = Self {
            carried: BTreeMap::new(),
            folders: BTreeSet::new(),
            written: BTreeMap::new(),
            record: Record::new(catalog),
            notes: Vec::new(),
        };
        for (path, kind) in found.leaves().filter(|(path, _)| *path != FILE) {
            plan.decide(path, kind, &context)?;
        }
        for item in items {
            plan.place(item, &context)?;
        }
        let foreign = |folder: &&Utf8Path| !record.is_some_and(|record| record.reaches_into(folder));
        plan.folders.extend(found.folders().filter(foreign).map(Utf8Path::to_owned));
        plan.refuse_collisions()?;
        Ok(plan)
    }

    /// Whether nothing of anybody else is in the place.
    pub(super) fn keeps_nothing(&self) -> bool {
        self.carried.is_empty() && self.folders.is_empty()
    }

    /// What becomes of one file or link.
    fn decide(&mut self, path: &Utf8Path, kind: Kind, context: &Context<'_>) -> anyhow::Result<()> {
        let item = context.items.get(path);
        let claimed = context.record.is_some_and(|record| record.claims(path));
        if context.is_as_written(path)? {
            return Ok(());
        }
        if let Some(item) = item
            && kind == Kind::File
            && context.found.read(path)? == item.content
        {
            return Ok(());
        }
        let target = match item {
            Some(item) if !item.is_for_operators() && context.set_aside => return Ok(()),
            Some(item) if !item.is_for_operators() => {
                let edited = self.free(path, EDITED, context)?;
                self.notes.push(Note::Replaced { path: path.to_owned(), edited: edited.clone() });
                edited
            }
            Some(_) => path.to_owned(),
            None => {
                if claimed {
                    self.notes.push(Note::Left { path: path.to_owned() });
                }
                path.to_owned()
            }
        };
        self.carried.insert(path.to_owned(), target);
        Ok(())
    }

    /// Where one new file goes: to its own path, or beside an edited version of it.
    fn place(&mut self, item: &'i Item, context: &Context<'_>) -> anyhow::Result<()> {
        self.record.note(&item.path, &item.content);
        if self.carried.get(&item.path) != Some(&item.path) {
            self.written.insert(item.path.clone(), item);
            return Ok(());
        }
        // Told once, and there until somebody has removed it or taken it over.
        let known = context.record.is_some_and(|record| record.has(&item.path, &item.content));
        let new = if !known || context.is_as_written(&beside(&item.path, NEW))? {
            let new = self.free(&item.path, NEW, context)?;
            self.record.note(&new, &item.content);
            self.written.insert(new.clone(), item);
            Some(new)
        } else {
            None
        };
        self.notes.push(Note::Kept { path: item.path.clone(), new });
        Ok(())
    }

    /// A name beside a path that nobody has.
    fn free(&self, path: &Utf8Path, word: &str, context: &Context<'_>) -> anyhow::Result<Utf8PathBuf> {
        let first = beside(path, word);
        let mut free = first.clone();
        let mut number = 1;
        while context.items.contains_key(free.as_path())
            || self.carried.values().any(|carried| *carried == free)
            || (context.found.entries.contains_key(&free) && !context.is_as_written(&free)?)
        {
            number += 1;
            free = beside(&first, &number.to_string());
        }
        Ok(free)
    }

    /// Refuses a file of others where a folder must be, and the other way round.
    fn refuse_collisions(&self) -> anyhow::Result<()> {
        let files: BTreeSet<&Utf8Path> =
            self.carried.values().chain(self.written.keys()).map(Utf8PathBuf::as_path).collect();
        for path in files.iter().copied().chain(self.folders.iter().map(Utf8PathBuf::as_path)) {
            let above = path.ancestors().skip(1).find(|above| files.contains(above));
            let clash = above.or_else(|| (self.folders.contains(path) && files.contains(path)).then_some(path));
            if let Some(clash) = clash {
                bail!("`{clash}` cannot be a file and a folder; move away what is there");
            }
        }
        Ok(())
    }

    /// Makes the new folder from the old one.
    pub(super) fn fill(&self, old: &Utf8Path, new: &Utf8Path) -> anyhow::Result<()> {
        make_folder(new)?;
        for folder in &self.folders {
            make_folder(&new.join(folder))?;
        }
        for (from, to) in &self.carried {
            let to = new.join(to);
            make_parent(&to)?;
            let from = old.join(from);
            carry::carry(&from, &to).with_context(|| format!("cannot take over `{from}`"))?;
        }
        for (path, item) in &self.written {
            let path = new.join(path);
            make_parent(&path)?;
            write(&path, &item.content, item.executable).with_context(|| format!("cannot write `{path}`"))?;
        }
        let path = new.join(FILE);
        write(&path, self.record.text().as_bytes(), false).with_context(|| format!("cannot write `{path}`"))?;
        keep_modes(old, new)
    }
}

fn beside(path: &Utf8Path, word: &str) -> Utf8PathBuf {
    format!("{path}.{word}").into()
}

fn make_folder(path: &Utf8Path) -> anyhow::Result<()> {
    fs::create_dir_all(path).with_context(|| format!("cannot create `{path}`"))
}

fn make_parent(path: &Utf8Path) -> anyhow::Result<()> {
    path.parent().map_or(Ok(()), make_folder)
}

/// Writes a new file, all the way to the disk: a power cut must not leave an empty one under a name that is in use.
fn write(path: &Utf8Path, content: &[u8], executable: bool) -> std::io::Result<()> {
    let mut file = fs::File::create_new(path)?;
    file.write_all(content)?;
    if executable {
        make_executable(&file)?;
    }
    file.sync_all()
}

#[cfg(unix)]
fn make_executable(file: &fs::File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    file.set_permissions(fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn make_executable(_: &fs::File) -> std::io::Result<()> {
    Ok(())
}

/// Gives folders the permissions that the old ones of that name have. Last, because nothing can be made in some.
fn keep_modes(old: &Utf8Path, new: &Utf8Path) -> anyhow::Result<()> {
    let made = Survey::of(new)?;
    for folder in made.folders().chain([Utf8Path::new("")]) {
        let Ok(before) = fs::symlink_metadata(old.join(folder)) else { continue };
        if before.is_dir() {
            let path = new.join(folder);
            fs::set_permissions(&path, before.permissions()).with_context(|| format!("cannot set up `{path}`"))?;
        }
    }
    Ok(())
}
