//! A plugin that needs no compiler: an engine, and beside it the catalog as it runs.

use anyhow::{Context as _, anyhow};
use camino::{Utf8Path, Utf8PathBuf};
use hookgen_runtime::evaluate::engine_file;
use hookgen_runtime::representation::encode;

use super::{Machine, Program, layout, layout_for, notices};
use crate::emit::OutputSet;
use crate::lower::lower;
use crate::model::Catalog;
use crate::place::Item;

/// The engine that comes with hookgen.
pub const ENGINE: &str = "hookgen-engine";

/// The engine beside this program. Where somebody took hookgen alone, hookgen is one itself: larger, and slower to start.
pub fn engine() -> anyhow::Result<Utf8PathBuf> {
    let own = std::env::current_exe().context("hookgen does not know where it is")?;
    let own = Utf8PathBuf::from_path_buf(own).map_err(|path| anyhow!("`{}` is not UTF-8", path.display()))?;
    let engine = own.with_file_name(format!("{ENGINE}{}", std::env::consts::EXE_SUFFIX));
    Ok(if engine.is_file() { engine } else { own })
}

/// Whether this program lies beside a catalog's file, under the name of that catalog's binary.
pub fn is_engine() -> bool {
    std::env::current_exe()
        .is_ok_and(|own| own.file_stem().is_some_and(|name| name != "hookgen") && engine_file(&own).is_file())
}

/// Every file of a catalog's portable plugin for this machine.
pub fn portable_layout(catalog: &Catalog, files: &OutputSet, engine: &Utf8Path) -> anyhow::Result<Vec<Item>> {
    let mut items = layout(&catalog.name, files, &catalog.binary, engine)?;
    items.push(Item::new(notices::FILE, notices_of(engine)));
    items.push(representation(catalog)?);
    Ok(items)
}

/// Every file of a catalog's portable plugin for these machines, whose engines share one catalog.
pub fn portable_layout_for(
    catalog: &Catalog,
    files: &OutputSet,
    mut engines: Vec<Program>,
) -> anyhow::Result<Vec<Item>> {
    for engine in &mut engines {
        engine.notices = Some(engine.notices.take().unwrap_or_else(|| notices::ENGINE.to_owned()));
    }
    let mut items = layout_for(&catalog.name, files, &catalog.binary, &engines);
    items.push(representation(catalog)?);
    Ok(items)
}

/// What the licences of all that is in an engine ask for; hookgen itself is one too.
pub(super) fn notices_of(engine: &Utf8Path) -> &'static str {
    let is_alone = engine.file_stem().is_some_and(|name| name == ENGINE);
    if is_alone { notices::ENGINE } else { notices::HOOKGEN }
}

/// The catalog as it runs, where engines look for it.
fn representation(catalog: &Catalog) -> anyhow::Result<Item> {
    let bytes =
        encode(&lower(catalog)?).map_err(|error| anyhow!("{} cannot be written down: {error}", catalog.name))?;
    let file = engine_file(format!("bin/{}", catalog.binary).as_ref());
    let file = file.to_str().with_context(|| format!("`{}` is not UTF-8", file.display()))?;
    Ok(Item::new(file.replace('\\', "/"), bytes))
}

/// The engine of this machine, where it is that one.
pub fn own_engine(machine: Machine) -> anyhow::Result<Option<Program>> {
    let engine = engine()?;
    let bytes = std::fs::read(&engine).with_context(|| format!("cannot read `{engine}`"))?;
    let is_it = Machine::of_program(&bytes) == Some(machine);
    Ok(is_it.then(|| Program { machine, bytes, notices: Some(notices_of(&engine).to_owned()) }))
}
