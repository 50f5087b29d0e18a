//! A plugin that needs no compiler: an engine, and beside it the catalog as it runs.

use anyhow::{Context as _, anyhow};
use camino::{Utf8Path, Utf8PathBuf};
use hookgen_runtime::evaluate::engine_file;
use hookgen_runtime::representation::encode;

use super::{layout, notices};
use crate::emit::OutputSet;
use crate::lower::lower;
use crate::model::Catalog;
use crate::place::Item;

/// The engine that comes with hookgen.
const ENGINE: &str = "hookgen-engine";

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

/// Every file of a catalog's portable plugin.
pub fn portable_layout(catalog: &Catalog, files: &OutputSet, engine: &Utf8Path) -> anyhow::Result<Vec<Item>> {
    let is_alone = engine.file_stem().is_some_and(|name| name == ENGINE);
    let notices = if is_alone { notices::ENGINE } else { notices::HOOKGEN };
    let mut items = layout(&catalog.name, files, &catalog.binary, engine)?;
    items.push(Item::new(notices::FILE, notices));
    let bytes =
        encode(&lower(catalog)?).map_err(|error| anyhow!("{} cannot be written down: {error}", catalog.name))?;
    let program = format!("bin/{}{}", catalog.binary, std::env::consts::EXE_SUFFIX);
    let file = engine_file(program.as_ref());
    let file = file.to_str().with_context(|| format!("`{}` is not UTF-8", file.display()))?;
    items.push(Item::new(file, bytes));
    Ok(items)
}
