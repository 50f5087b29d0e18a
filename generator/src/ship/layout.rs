//! What a plugin consists of: the list from which its folder is filled.

use std::fs;

use anyhow::Context as _;
use camino::Utf8Path;

use super::launcher::launcher;
use super::{Machine, Program, notices};
use crate::emit::{OutputSet, record};
use crate::place::Item;

/// The generated folder that holds the binary's source, which is not shipped.
const CRATE: &str = "runtime";

/// Every file of a catalog's plugin for this machine. The place adds a record of them, with the SHA-256 of each.
pub fn layout(catalog: &str, files: &OutputSet, binary: &str, executable: &Utf8Path) -> anyhow::Result<Vec<Item>> {
    let program = fs::read(executable).with_context(|| format!("cannot read `{executable}`"))?;
    let mut items = shared(catalog, files);
    items.push(Item::program(format!("bin/{binary}"), program));
    Ok(items)
}

/// Every file of a catalog's plugin for these machines. For one of them, its program has the place that is registered;
/// for several, a launcher has.
pub fn layout_for(catalog: &str, files: &OutputSet, binary: &str, programs: &[Program]) -> Vec<Item> {
    let mut items = shared(catalog, files);
    items.extend(licences(binary, programs).map(|text| Item::new(notices::FILE, text)));
    if let [program] = programs {
        let file = program.machine.file_name(binary);
        items.push(Item::program(format!("bin/{file}"), program.bytes.clone()));
        return items;
    }
    let machines: Vec<Machine> = programs.iter().map(|program| program.machine).collect();
    items.push(Item::program(format!("bin/{binary}"), launcher(catalog, binary, &machines)));
    items.extend(programs.iter().map(|program| Item::program(program.machine.place(binary), program.bytes.clone())));
    items
}

/// What is the same on all machines.
fn shared(catalog: &str, files: &OutputSet) -> Vec<Item> {
    let shipped = files.iter().filter(|(path, _)| !path.starts_with(CRATE) && *path != record::FILE);
    let mut items: Vec<Item> = shipped.map(|(path, text)| Item::new(path, text)).collect();
    items.push(Item::new(".claude-plugin/icon.png", super::icon::icon(catalog)));
    items
}

/// The notices of all programs, each text once.
fn licences(binary: &str, programs: &[Program]) -> Option<String> {
    let mut texts: Vec<(&str, Vec<String>)> = Vec::new();
    for program in programs {
        let Some(text) = &program.notices else { continue };
        let place = program.machine.place(binary).into_string();
        match texts.iter_mut().find(|(known, _)| known == text) {
            Some((_, places)) => places.push(place),
            None => texts.push((text, vec![place])),
        }
    }
    match texts.as_slice() {
        [] => None,
        [(text, _)] => Some((*text).to_owned()),
        several => {
            let parts: Vec<String> =
                several.iter().map(|(text, places)| format!("For {}:\n\n{text}", places.join(", "))).collect();
            Some(parts.join("\n"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::Output;

    fn files() -> OutputSet {
        let mut files = OutputSet::default();
        for path in [".claude-plugin/plugin.json", "docs/HOOKS.md", "runtime/Cargo.toml", record::FILE] {
            files.insert(Output::new(path, path)).expect("free");
        }
        files
    }

    fn programs(items: &[Item]) -> Vec<(&str, &[u8])> {
        items.iter().filter(|item| item.executable).map(|item| (item.path.as_str(), &item.content[..])).collect()
    }

    fn program(machine: Machine, notices: &str) -> Program {
        Program { machine, bytes: machine.name().into(), notices: Some(notices.to_owned()) }
    }

    #[test]
    fn a_plugin_has_its_files_and_its_binary_but_not_the_crate() {
        let folder = tempfile::tempdir().expect("a folder");
        let compiled = Utf8Path::from_path(folder.path()).expect("UTF-8").join("compiled");
        fs::write(&compiled, "binary").expect("written");
        let items = layout("demo", &files(), "demo-hooks", &compiled).expect("a layout");
        let paths: Vec<_> = items.iter().map(|item| item.path.as_str()).collect();
        assert_eq!(paths, [".claude-plugin/plugin.json", "docs/HOOKS.md", ".claude-plugin/icon.png", "bin/demo-hooks"]);
        assert_eq!(programs(&items), [("bin/demo-hooks", &b"binary"[..])]);
    }

    #[test]
    fn for_one_machine_its_program_is_what_is_registered() {
        let items = |machine| layout_for("demo", &files(), "demo-hooks", &[program(machine, "")]);
        assert_eq!(programs(&items(Machine::DarwinArm64)), [("bin/demo-hooks", &b"darwin-arm64"[..])]);
        assert_eq!(programs(&items(Machine::WindowsX64)), [("bin/demo-hooks.exe", &b"windows-x64"[..])]);
    }

    #[test]
    fn for_several_a_launcher_is_and_every_licence_is_there_once() {
        let all = [
            program(Machine::LinuxX64, "with musl"),
            program(Machine::LinuxArm64, "with musl"),
            program(Machine::WindowsX64, "with none"),
        ];
        let items = layout_for("demo", &files(), "demo-hooks", &all);
        let programs = programs(&items);
        let paths: Vec<&str> = programs.iter().map(|(path, _)| *path).collect();
        let expected =
            ["bin/demo-hooks", "bin/linux-x64/demo-hooks", "bin/linux-arm64/demo-hooks", "bin/demo-hooks.exe"];
        assert_eq!(paths, expected);
        let launcher = String::from_utf8_lossy(programs[0].1);
        assert!(
            launcher.starts_with("#!/bin/sh\n") && launcher.contains("only for linux-x64, linux-arm64, windows-x64")
        );
        assert!(!launcher.contains('@') || launcher.matches('@').count() == launcher.matches("$@").count());
        let notices = items.iter().find(|item| item.path == notices::FILE).expect("there");
        let text = "For bin/linux-x64/demo-hooks, bin/linux-arm64/demo-hooks:\n\nwith musl\nFor bin/demo-hooks.exe:\n\nwith none";
        assert_eq!(String::from_utf8_lossy(&notices.content), text);
    }
}
