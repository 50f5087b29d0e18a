//! Settings of whoever administers the machine: a file per catalog, over what the person has set.
//!
//! A person's config file is as safe as the person's account, and an agent works in that account. This one lies where the
//! system lets administrators alone write, and counts only while that is so: whoever else could write to it, or to a folder
//! on the way to it, could loosen a guard with it.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::home;

/// Where administrators have it, by platform.
pub const ON_LINUX: &str = "/etc/hookgen";
pub const ON_MACOS: &str = "/Library/Application Support/hookgen";
pub const ON_WINDOWS: &str = "C:\\Program Files\\hookgen";

const FOLDER: &str = if cfg!(target_os = "macos") {
    ON_MACOS
} else if cfg!(windows) {
    ON_WINDOWS
} else {
    ON_LINUX
};

/// Where a case of a catalog has it: in the home of its world, so that no case depends on the machine.
const IN_CASES: &str = ".managed";

/// The file of a catalog.
#[derive(Debug)]
pub enum Managed {
    /// Nobody manages the catalog on this machine.
    Nobody,
    /// Where it is; nobody but administrators writes there.
    File(PathBuf),
    /// It is there and cannot be relied on.
    Doubtful(String),
}

impl Managed {
    pub fn of(catalog: &str) -> Self {
        let name = format!("{catalog}.yaml");
        match home::of_case() {
            Some(home) => found(&home.join(IN_CASES).join(name), &|_| None),
            None => found(&Path::new(FOLDER).join(name), &other_writer),
        }
    }
}

fn found(file: &Path, other_writer: &dyn Fn(&Path) -> Option<PathBuf>) -> Managed {
    let shown = file.display();
    match fs::canonicalize(file) {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Managed::Nobody,
        Err(error) => Managed::Doubtful(format!("{shown} cannot be read: {error}")),
        Ok(real) => match real.ancestors().find_map(other_writer) {
            None => Managed::File(real),
            Some(open) => {
                let what = "is not the administrator's alone to write";
                Managed::Doubtful(format!("{shown} does not count: {} {what}", open.display()))
            }
        },
    }
}

/// The place itself, if somebody other than an administrator may write there.
#[cfg(unix)]
fn other_writer(place: &Path) -> Option<PathBuf> {
    use std::os::unix::fs::MetadataExt as _;
    let safe = fs::metadata(place).is_ok_and(|about| about.uid() == 0 && about.mode() & 0o022 == 0);
    (!safe).then(|| place.to_owned())
}

/// The system guards that folder itself: ordinary accounts have no right to write below it.
#[cfg(not(unix))]
fn other_writer(_: &Path) -> Option<PathBuf> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_not_there_manages_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(matches!(found(&folder.path().join("a/b.yaml"), &other_writer), Managed::Nobody));
    }

    #[test]
    fn a_file_below_a_folder_that_everybody_writes_to_does_not_count() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("demo.yaml");
        fs::write(&file, "").expect("written");
        // The folder for temporary files is open to everybody.
        let Managed::Doubtful(why) = found(&file, &other_writer) else { panic!("it counts") };
        assert!(why.contains("is not the administrator's alone to write"), "{why}");
        assert!(matches!(found(&file, &|_| None), Managed::File(_)));
    }

    #[test]
    fn what_the_system_keeps_for_administrators_counts() {
        assert!(matches!(found(Path::new("/etc/passwd"), &other_writer), Managed::File(_)));
    }
}
