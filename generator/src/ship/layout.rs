//! What a plugin consists of: the list from which its folder is filled.

use std::fs;

use anyhow::Context as _;
use camino::Utf8Path;

use crate::emit::{OutputSet, record};
use crate::place::Item;

/// The generated folder that holds the binary's source, which is not shipped.
const CRATE: &str = "runtime";

/// Every file of a catalog's plugin. The place adds a record of them, with the SHA-256 of each.
pub fn layout(catalog: &str, files: &OutputSet, binary: &str, executable: &Utf8Path) -> anyhow::Result<Vec<Item>> {
    let program = fs::read(executable).with_context(|| format!("cannot read `{executable}`"))?;
    let shipped = files.iter().filter(|(path, _)| !path.starts_with(CRATE) && *path != record::FILE);
    let mut items: Vec<Item> = shipped.map(|(path, text)| Item::new(path, text)).collect();
    items.push(Item::new(".claude-plugin/icon.png", super::icon::icon(catalog)));
    items.push(Item::program(format!("bin/{binary}"), program));
    Ok(items)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::Output;

    #[test]
    fn a_plugin_has_its_files_and_its_binary_but_not_the_crate() {
        let folder = tempfile::tempdir().expect("a folder");
        let compiled = Utf8Path::from_path(folder.path()).expect("UTF-8").join("compiled");
        fs::write(&compiled, "binary").expect("written");
        let mut files = OutputSet::default();
        for path in [".claude-plugin/plugin.json", "docs/HOOKS.md", "runtime/Cargo.toml", record::FILE] {
            files.insert(Output::new(path, path)).expect("free");
        }
        let items = layout("demo", &files, "demo-hooks", &compiled).expect("a layout");
        let paths: Vec<_> = items.iter().map(|item| item.path.as_str()).collect();
        assert_eq!(paths, [".claude-plugin/plugin.json", "docs/HOOKS.md", ".claude-plugin/icon.png", "bin/demo-hooks"]);
        let programs: Vec<_> = items.iter().filter(|item| item.executable).map(|item| &item.content[..]).collect();
        assert_eq!(programs, [b"binary"]);
    }
}
