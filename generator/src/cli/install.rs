//! `hookgen install`: a catalog put to work in a project, by its settings, without the client's plugins.
//!
//! A catalog is registered in one of the two settings files, and its program is there as long as it is registered: it
//! comes before the registration and goes after it.

use std::io::ErrorKind;

use anyhow::{Context as _, bail};
use camino::{Utf8Path, Utf8PathBuf};
use hookgen_runtime::client::CLAUDE;
use hookgen_runtime::client::claude::places::SETTINGS_FILES;
use serde_json::Value;
use similar::TextDiff;

use super::args::InstallArgs;
use super::console::{data, talk};
use super::ship::{Making, places, ship, tell};
use super::{Finish, beside, current_folder, install_agent, load, projects};
use crate::disk;
use crate::install::{Created, Ours, Settings, Unfit};
use crate::model::Catalog;
use crate::place::Place;
use crate::workspace::Loaded;

const FRAGMENT: &str = "settings.fragment.json";

/// Longest settings file that is read.
pub(super) const LIMIT: u64 = 16 * 1024 * 1024;

pub(super) fn run(args: &InstallArgs) -> anyhow::Result<Finish> {
    let projects = projects(&args.which.catalogs)?;
    let loaded = load(&projects);
    if loaded.iter().any(Loaded::has_errors) {
        return Ok(Finish::Findings);
    }
    if let Some(plugin) = &args.plugin {
        return beside::run(args, &current_folder()?.join(plugin), &loaded);
    }
    let into = current_folder()?.join(args.into.as_deref().unwrap_or(Utf8Path::new("")));
    if !into.is_dir() {
        bail!("`{into}` is not a folder");
    }
    let into = into.canonicalize_utf8().with_context(|| format!("cannot look at `{into}`"))?;
    let mut finish = Finish::Fine;
    for loaded in &loaded {
        if args.agent.name != CLAUDE.name {
            match install_agent::run(&into, args, args.agent, loaded)? {
                Finish::Fine => {}
                other => finish = other,
            }
            continue;
        }
        let site = Site { into: &into, args, loaded };
        if !args.remove {
            site.install()?;
        } else if !site.remove()? {
            finish = Finish::Findings;
        }
    }
    Ok(finish)
}

/// The project that catalogs are installed in.
struct Site<'s> {
    into: &'s Utf8Path,
    args: &'s InstallArgs,
    loaded: &'s Loaded<'s>,
}

impl Site<'_> {
    fn install(&self) -> anyhow::Result<()> {
        // Everything is worked out before anything is written: a file that cannot be changed stops it all.
        places(self.loaded, &self.hooks())?;
        let catalogs = &self.loaded.catalogs;
        let registered: Vec<_> = catalogs.iter().map(|catalog| self.ours(catalog)).collect::<Result<_, _>>()?;
        for (catalog, ours) in catalogs.iter().zip(&registered) {
            let files = self.registered(catalog, ours)?;
            if self.args.dry_run {
                files.iter().try_for_each(File::show)?;
            }
        }
        if self.args.dry_run {
            return Ok(());
        }
        let making = Making::to_install(self.args.debug, self.args.portable, &self.loaded.project.root);
        let missing = Created::missing(self.into, &[CLAUDE.registration.programs, CLAUDE.registration.file]);
        ship(self.loaded, &self.hooks(), making)?;
        Created::beside(&self.hooks()).note_folders(missing)?;
        for (catalog, ours) in catalogs.iter().zip(&registered) {
            let [here, other] = self.registered(catalog, ours)?;
            Created::beside(&self.hooks()).note(&here.path)?;
            here.write()?;
            if self.without(&other)? {
                talk(format!("took {} out of {}: it works for everybody now", catalog.name, other.path));
            }
            data(format!("installed {} in {}", catalog.name, here.path))?;
        }
        Ok(())
    }

    /// The settings with the catalog in the one file that it is installed in, then the other one without it.
    fn registered(&self, catalog: &Catalog, ours: &Ours) -> anyhow::Result<[File; 2]> {
        let [mut here, mut other] = self.files()?;
        if self.args.local && other.settings.has(ours) {
            bail!(
                "{} is in `{}` already, and works for everybody; to have it for yourself alone, first take it out \
                 there with `hookgen install {} --into {} --remove`",
                catalog.name,
                other.path,
                catalog.name,
                self.into
            );
        }
        let fragment = self.fragment(catalog)?;
        here.change(|settings| settings.renew(ours, &fragment))?;
        other.change(|settings| settings.remove(ours))?;
        Ok([here, other])
    }

    /// Takes the catalogs out; whether all of them were there and nothing is in the way.
    fn remove(&self) -> anyhow::Result<bool> {
        let mut all = true;
        for catalog in &self.loaded.catalogs {
            all &= self.remove_one(catalog)?;
        }
        Ok(all)
    }

    fn remove_one(&self, catalog: &Catalog) -> anyhow::Result<bool> {
        let ours = self.ours(catalog)?;
        let [mut here, mut other] = self.files()?;
        here.change(|settings| settings.remove(&ours))?;
        if !self.args.local {
            other.change(|settings| settings.remove(&ours))?;
        }
        let files = [here, other];
        let place = Place::find(&self.hooks(), &catalog.name, &self.loaded.project.root);
        let needed = files[1].settings.has(&ours);
        let filled = !needed && place.as_ref().is_ok_and(|place| place.is_filled().unwrap_or_default());
        if !filled && !files.iter().any(File::differs) {
            let elsewhere = if needed { format!("; it is in `{}`", files[1].path) } else { String::new() };
            talk(format!("{} is not installed in `{}`{elsewhere}", catalog.name, self.place_of_search(&files)));
            return Ok(false);
        }
        if self.args.dry_run {
            files.iter().try_for_each(File::show)?;
            return Ok(true);
        }
        for file in &files {
            if self.without(file)? {
                data(format!("removed {} from {}", catalog.name, file.path))?;
            }
        }
        if needed {
            talk(format!("its files stay: `{}` needs them", files[1].path));
            return Ok(true);
        }
        let removed = remove_files(catalog, place, &ours, &files)?;
        Created::beside(&self.hooks()).remove_folders(self.into)?;
        Ok(removed)
    }

    /// Writes settings without the catalog; a file that hookgen has made goes with the last thing in it.
    fn without(&self, file: &File) -> anyhow::Result<bool> {
        let created = Created::beside(&self.hooks());
        if file.differs() && file.settings.is_empty() && created.has(&file.path) {
            created.remove(&file.path)?;
            return Ok(true);
        }
        file.write()
    }

    /// Where a catalog was looked for in vain.
    fn place_of_search<'f>(&'f self, files: &'f [File; 2]) -> &'f Utf8Path {
        if self.args.local { &files[0].path } else { self.into }
    }

    fn hooks(&self) -> Utf8PathBuf {
        self.into.join(CLAUDE.registration.programs)
    }

    /// The settings: those that are asked for, then the others.
    fn files(&self) -> anyhow::Result<[File; 2]> {
        let [shared, local] = SETTINGS_FILES.map(|file| File::read(self.into.join(file)));
        let [shared, local] = [shared?, local?];
        Ok(if self.args.local { [local, shared] } else { [shared, local] })
    }

    fn fragment(&self, catalog: &Catalog) -> anyhow::Result<Value> {
        let outputs = self.loaded.outputs(catalog)?;
        serde_json::from_str(outputs.get(FRAGMENT).unwrap_or("{}")).context("the settings fragment is not JSON")
    }

    /// What is the catalog's: what its folder says that an earlier installation registered, and what this one would.
    fn ours(&self, catalog: &Catalog) -> anyhow::Result<Ours> {
        let installed = disk::read(&self.hooks().join(&catalog.name).join(FRAGMENT), LIMIT).ok();
        let installed = installed.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        Ok(Ours::new(&catalog.name, installed.into_iter().chain([self.fragment(catalog)?])))
    }
}

/// Removes the catalog's files, unless a hook of somebody else's runs its program.
fn remove_files(
    catalog: &Catalog,
    place: anyhow::Result<Place>,
    ours: &Ours,
    files: &[File; 2],
) -> anyhow::Result<bool> {
    let mentions = files.iter().find_map(|file| Some((&file.path, file.settings.mention(ours)?)));
    if let Some((path, line)) = mentions {
        talk(format!(
            "its files stay: a hook that hookgen did not write names its program at {path}:{line}; change that hook, \
             then run `hookgen install {} --remove` again",
            catalog.name
        ));
        return Ok(false);
    }
    let place = match place {
        Ok(place) => place,
        Err(error) => {
            talk(format!("its files stay: {error:#}"));
            return Ok(false);
        }
    };
    let filled = place.is_filled()?;
    tell(&place, &place.clear()?);
    if filled && !place.shown().exists() {
        data(format!("removed {}", place.shown()))?;
    }
    Ok(true)
}

/// A settings file, as it is and as it will be.
struct File {
    path: Utf8PathBuf,
    before: String,
    settings: Settings,
}

impl File {
    fn read(path: Utf8PathBuf) -> anyhow::Result<Self> {
        let before = match disk::read(&path, LIMIT) {
            Err(error) if error.kind() == ErrorKind::NotFound && path.is_symlink() => {
                bail!("`{path}` is a link to a file that is not there; mend or remove the link")
            }
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            read => read.with_context(|| format!("cannot read `{path}`"))?,
        };
        let before = String::from_utf8(before).with_context(|| format!("`{path}` is left alone: it is not UTF-8"))?;
        let settings = Settings::parse(&before).map_err(|unfit| refusal(&path, &unfit))?;
        Ok(Self { path, before, settings })
    }

    fn change(&mut self, how: impl FnOnce(&mut Settings) -> Result<(), Unfit>) -> anyhow::Result<()> {
        how(&mut self.settings).map_err(|unfit| refusal(&self.path, &unfit))
    }

    fn differs(&self) -> bool {
        self.settings.is_changed()
    }

    /// Replaces the file in one step, if it changes at all: the client may be reading it. A link to it stays a link.
    fn write(&self) -> anyhow::Result<bool> {
        if self.differs() {
            let place = self.path.canonicalize_utf8().unwrap_or_else(|_| self.path.clone());
            disk::write(&place, self.settings.text())?;
        }
        Ok(self.differs())
    }

    /// What would change.
    fn show(&self) -> anyhow::Result<()> {
        if !self.differs() {
            return Ok(());
        }
        let name = self.path.as_str();
        let diff = TextDiff::from_lines(self.before.as_str(), self.settings.text());
        data(diff.unified_diff().header(name, name).to_string().trim_end())
    }
}

fn refusal(path: &Utf8Path, unfit: &Unfit) -> anyhow::Error {
    anyhow::anyhow!("{path}:{}:{}: {}; the file is left alone", unfit.line, unfit.column, unfit.what)
}
