//! Programs that were built on other machines, and what has to be so before they are shipped: each is for the machine that
//! its place says, and of the catalog that is shipped.

use std::fs;

use anyhow::{Context as _, bail};
use camino::{Utf8Path, Utf8PathBuf};

use super::{Machine, notices};

/// A program for one kind of machine.
#[derive(Debug)]
pub struct Program {
    pub machine: Machine,
    pub bytes: Vec<u8>,
    /// What the licences of all that is in it ask for, where that is known.
    pub notices: Option<String>,
}

/// What must stand in the file of a program, and what it then is.
#[derive(Debug, Clone, Copy)]
pub struct Mark<'m> {
    pub text: &'m str,
    pub meaning: &'m str,
}

/// The program of that name for the machine, if the folder has one: in `linux-x64/NAME`, `windows-x64/NAME.exe`, or as the
/// `bin` of a plugin has it.
pub fn elsewhere(folder: &Utf8Path, name: &str, machine: Machine, mark: Mark<'_>) -> anyhow::Result<Option<Program>> {
    let file = machine.file_name(name);
    let own = folder.join(machine.name()).join(&file);
    let places = [Some(own), (machine == Machine::WindowsX64).then(|| folder.join(&file))];
    let Some(path) = places.into_iter().flatten().find(|path| path.is_file()) else { return Ok(None) };
    let bytes = fs::read(&path).with_context(|| format!("cannot read `{path}`"))?;
    match Machine::of_program(&bytes) {
        Some(found) if found == machine => {}
        Some(other) => bail!("`{path}` is a program for {other}, and {machine} is needed there"),
        None => bail!("`{path}` is no program for {machine}"),
    }
    if !holds(&bytes, mark.text.as_bytes()) {
        bail!("`{path}` is not {}: build it anew, from the same files", mark.meaning);
    }
    Ok(Some(Program { machine, bytes, notices: notices_of(&path) }))
}

/// Those that came with it: beside it, or in the plugin whose `bin` it lies in.
fn notices_of(program: &Utf8Path) -> Option<String> {
    let folders = program.ancestors().skip(1).take(3).map(Utf8PathBuf::from);
    folders.into_iter().find_map(|folder| fs::read_to_string(folder.join(notices::FILE)).ok())
}

fn holds(bytes: &[u8], text: &[u8]) -> bool {
    bytes.windows(text.len().max(1)).any(|window| window == text)
}

#[cfg(test)]
mod tests {
    use super::super::machine::tests::beginning;
    use super::*;

    const MARK: Mark<'static> = Mark { text: "31fc5c6e", meaning: "of this catalog" };

    fn put(root: &Utf8Path, path: &str, machine: Machine, text: &str) {
        let path = root.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("created");
        fs::write(path, [beginning(machine), text.into()].concat()).expect("written");
    }

    #[test]
    fn a_program_of_this_catalog_for_that_machine_is_taken() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = Utf8Path::from_path(folder.path()).expect("UTF-8");
        put(root, "linux-arm64/demo-hooks", Machine::LinuxArm64, "…31fc5c6e…");
        put(root, "demo-hooks.exe", Machine::WindowsX64, "31fc5c6e");
        fs::write(root.join("linux-arm64").join(notices::FILE), "licences").expect("written");
        let found = |machine| elsewhere(root, "demo-hooks", machine, MARK).expect("fine");
        assert_eq!(found(Machine::LinuxArm64).and_then(|program| program.notices).as_deref(), Some("licences"));
        assert!(found(Machine::WindowsX64).is_some_and(|program| program.notices.is_none()));
        assert!(found(Machine::DarwinX64).is_none());
    }

    #[test]
    fn one_of_another_catalog_or_for_another_machine_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = Utf8Path::from_path(folder.path()).expect("UTF-8");
        put(root, "linux-arm64/demo-hooks", Machine::LinuxArm64, "31fc5c6");
        put(root, "linux-x64/demo-hooks", Machine::LinuxArm64, "31fc5c6e");
        fs::create_dir(root.join("darwin-x64")).expect("created");
        fs::write(root.join("darwin-x64/demo-hooks"), "#!/bin/sh\n# 31fc5c6e\n").expect("written");
        let refused = |machine| elsewhere(root, "demo-hooks", machine, MARK).expect_err("refused").to_string();
        assert!(refused(Machine::LinuxArm64).ends_with("is not of this catalog: build it anew, from the same files"));
        assert!(refused(Machine::LinuxX64).ends_with("is a program for linux-arm64, and linux-x64 is needed there"));
        assert!(refused(Machine::DarwinX64).ends_with("is no program for darwin-x64"));
    }
}
