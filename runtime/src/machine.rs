//! Where the program of a plugin lies: in `bin`, or, where a plugin is for several kinds of machines, in the folder that
//! `bin` has for this one.

use std::path::Path;

/// The folders in `bin`, each with the program for one kind of machine. Windows has none: there the client itself takes
/// `bin/NAME.exe` where the registration says `bin/NAME`.
pub const FOLDERS: [&str; 4] = ["linux-x64", "linux-arm64", "darwin-arm64", "darwin-x64"];

/// The folder `bin` that a program lies in.
pub fn bin(program: &Path) -> Option<&Path> {
    let folder = program.parent()?;
    let is_one = folder.file_name().is_some_and(|name| FOLDERS.iter().any(|known| name == *known));
    if is_one { folder.parent() } else { Some(folder) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_for_one_kind_of_machine_is_passed_over() {
        for (program, expected) in [
            ("/p/bin/demo-hooks", "/p/bin"),
            ("/p/bin/linux-arm64/demo-hooks", "/p/bin"),
            ("/p/bin/darwin-x64/demo-hooks", "/p/bin"),
            ("/p/bin/other/demo-hooks", "/p/bin/other"),
        ] {
            assert_eq!(bin(Path::new(program)), Some(Path::new(expected)), "{program}");
        }
        assert_eq!(bin(Path::new("/")), None);
    }
}
