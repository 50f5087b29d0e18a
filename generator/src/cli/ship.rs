//! `hookgen ship`: plugins that can be installed as they are.

use anyhow::Context as _;
use camino::{Utf8Path, Utf8PathBuf};

use super::args::ShipArgs;
use super::build;
use super::console::{data, talk};
use super::machines::Fleet;
use super::progress::Progress;
use super::{Finish, current_folder, load, projects};
use crate::emit::OutputSet;
use crate::market::{LIST, Market};
use crate::place::{Item, Note, Place};
use crate::ship::{self, Crate, Linking, Toolchain};
use crate::workspace::{DIST, Library, Loaded};

pub(super) fn run(args: &ShipArgs) -> anyhow::Result<Finish> {
    let projects = projects(&args.which.catalogs)?;
    let loaded = load(&projects);
    if loaded.iter().any(Loaded::has_errors) {
        return Ok(Finish::Findings);
    }
    let fleet = Fleet::asked(args, &current_folder()?);
    let out = args.out.as_ref().map(|out| current_folder().map(|current| current.join(out))).transpose()?;
    for loaded in &loaded {
        let out = out.clone().unwrap_or_else(|| default_out(loaded));
        let made = |name| Market { name, folder: &out, archives: args.archives.as_deref() };
        let market = args.marketplace.as_deref().map(made);
        market.as_ref().map(Market::check).transpose()?;
        let plugins = match &fleet {
            Some(fleet) => lay_out(loaded, &out, |outputs| fleet.contents(loaded, outputs))?,
            None => ship(loaded, &out, Making::of(args.debug, args.portable))?,
        };
        for plugin in &plugins {
            data(format!("shipped {plugin}"))?;
        }
        if let Some(market) = &market {
            list(market, loaded, &plugins)?;
        }
    }
    Ok(Finish::Fine)
}

/// Lists what was shipped, and says what an update would lose.
fn list(market: &Market<'_>, loaded: &Loaded<'_>, plugins: &[Utf8PathBuf]) -> anyhow::Result<()> {
    for listed in market.list(plugins)? {
        data(format!("archived {} {}", listed.sha256, listed.archive))?;
    }
    data(format!("listed {}", market.folder.join(LIST)))?;
    for catalog in &loaded.catalogs {
        if catalog.author.is_none() || catalog.license.is_none() {
            talk(format!("hint: {}: say who made it and on what terms: `author` and `license`", catalog.name));
        }
        if let Some(file) = catalog.config_file.as_ref().filter(|file| file.source.contains("plugin_root")) {
            talk(format!(
                "hint: {}: an update replaces the plugin's folder, and with it `{}`; a config file in `${{home}}` stays",
                catalog.name, file.source
            ));
        }
    }
    Ok(())
}

/// Where the plugins of a project go unless somebody says otherwise.
pub(super) fn default_out(loaded: &Loaded<'_>) -> Utf8PathBuf {
    loaded.project.root.join(DIST)
}

/// What the program of a plugin is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Making {
    /// A binary that is compiled from the catalog.
    Compiled { debug: bool },
    /// An engine that reads the catalog from a file beside it.
    Portable,
}

impl Making {
    pub(super) fn of(debug: bool, portable: bool) -> Self {
        if portable { Self::Portable } else { Self::Compiled { debug } }
    }

    /// For somebody who wants the hooks to work, and did not say how: without a compiler, an engine does the same.
    pub(super) fn to_install(debug: bool, portable: bool, root: &Utf8Path) -> Self {
        match Toolchain::find(root) {
            Err(error) if !debug && !portable => {
                talk(format!(
                    "nothing can be compiled here, so an engine is installed, as with `--portable`: {error:#}"
                ));
                Self::Portable
            }
            _ => Self::of(debug, portable),
        }
    }
}

/// Writes what is generated, makes its program, and lays out one plugin per catalog; gives their folders in that order.
///
/// Places that are not ours to fill stop everything before anything is written.
pub(super) fn ship(loaded: &Loaded<'_>, out: &Utf8Path, making: Making) -> anyhow::Result<Vec<Utf8PathBuf>> {
    lay_out(loaded, out, |outputs| contents(loaded, outputs, making))
}

/// The same, with contents that are made by somebody else.
fn lay_out(
    loaded: &Loaded<'_>,
    out: &Utf8Path,
    contents: impl FnOnce(&[OutputSet]) -> anyhow::Result<Vec<Vec<Item>>>,
) -> anyhow::Result<Vec<Utf8PathBuf>> {
    let places = places(loaded, out)?;
    build::write(loaded)?;
    let outputs = loaded.catalogs.iter().map(|catalog| loaded.outputs(catalog)).collect::<Result<Vec<_>, _>>()?;
    let contents = contents(&outputs)?;
    let plugins = places.into_iter().zip(contents).map(|(place, items)| {
        tell(&place, &place.lay_out(&items)?);
        Ok(place.shown().to_owned())
    });
    plugins.collect()
}

/// The files of each plugin.
pub(super) fn contents(loaded: &Loaded<'_>, outputs: &[OutputSet], making: Making) -> anyhow::Result<Vec<Vec<Item>>> {
    match making {
        Making::Compiled { debug } => compiled(loaded, outputs, debug),
        Making::Portable => portable(loaded, outputs),
    }
}

/// The files of plugins with an engine.
pub(super) fn portable(loaded: &Loaded<'_>, outputs: &[OutputSet]) -> anyhow::Result<Vec<Vec<Item>>> {
    let engine = ship::engine()?;
    let catalogs = loaded.catalogs.iter().zip(outputs);
    catalogs.map(|(catalog, files)| ship::portable_layout(catalog, files, &engine)).collect()
}

/// The files of plugins with binaries of their own.
fn compiled(loaded: &Loaded<'_>, outputs: &[OutputSet], debug: bool) -> anyhow::Result<Vec<Vec<Item>>> {
    let crates = loaded.catalogs.iter().zip(outputs).map(|(catalog, files)| Crate::of(catalog, files));
    let crates = crates.collect::<anyhow::Result<Vec<_>>>()?;
    let root = &loaded.project.root;
    let toolchain = Toolchain::find(root).context("nothing can be compiled here; `--portable` needs no compiler")?;
    let linking = Linking::choose(&toolchain)?;
    talk(format!("linking: {linking}"));
    if let Some(advice) = linking.advice() {
        talk(format!("hint: {advice}"));
    }
    let workspace = (loaded.project.library == Library::Project).then_some(root.as_path());
    let binaries: Vec<_> = crates.iter().map(|one| one.binary.as_str()).collect();
    let progress = Progress::start(format!("compiling {}", binaries.join(", ")));
    let built = ship::build(&toolchain, workspace, &crates, &linking, debug)?;
    drop(progress);
    let plugins = loaded.catalogs.iter().zip(outputs).map(|(catalog, files)| {
        let executable = built.binaries.get(&catalog.binary);
        let executable = executable.with_context(|| format!("no binary `{}`", catalog.binary))?;
        let files = built.complete(&catalog.binary, files)?;
        ship::layout(&catalog.name, &files, &catalog.binary, executable)
    });
    plugins.collect()
}

/// The folders of all plugins below `out`, none of them anybody else's.
pub(super) fn places(loaded: &Loaded<'_>, out: &Utf8Path) -> anyhow::Result<Vec<Place>> {
    loaded.catalogs.iter().map(|catalog| Place::find(out, &catalog.name, &loaded.project.root)).collect()
}

/// Says what was kept, and where.
pub(super) fn tell(place: &Place, notes: &[Note]) {
    for note in notes {
        talk(format!("{}: {note}", place.shown()));
    }
}
