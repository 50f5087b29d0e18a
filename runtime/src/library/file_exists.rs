//! Whether a file or a folder is there.

use std::fs::{self, Metadata};
use std::path::Path;

use crate::call::Call;
use crate::signature::function;

/// Whether a regular file is at the path; relative ones start at the working directory. Links are followed.
pub fn file_exists(call: &Call<'_>, path: &str) -> bool {
    found(call.cwd(), path).is_some_and(|found| found.is_file())
}

/// Whether a folder is at the path; relative ones start at the working directory. Links are followed.
pub fn folder_exists(call: &Call<'_>, path: &str) -> bool {
    found(call.cwd(), path).is_some_and(|found| found.is_dir())
}

fn found(base: &Path, path: &str) -> Option<Metadata> {
    // Joined to nothing, the base itself would be found.
    if path.is_empty() { None } else { fs::metadata(base.join(path)).ok() }
}

function! {
    FUNCTION: file_exists,
    name: "fileExists",
    params: { path: Text },
    result: Bool,
    powers: [Files],
    doc: "Whether a regular file is at the path; relative paths start at the working directory.",
    example: "!fileExists('.') && !fileExists('no/such/file')",
}

function! {
    FOLDER: folder_exists,
    name: "folderExists",
    params: { path: Text },
    result: Bool,
    powers: [Files],
    doc: "Whether a folder is at the path; relative paths start at the working directory.",
    example: "folderExists('.') && !folderExists('no/such/folder')",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_folders_and_devices_are_told_apart() {
        let guard = tempfile::tempdir().expect("a folder");
        fs::write(guard.path().join("file"), "").expect("written");
        let kind = |path| found(guard.path(), path).map(|found| (found.is_file(), found.is_dir()));
        assert_eq!(kind("file"), Some((true, false)));
        assert_eq!(kind("."), Some((false, true)));
        assert_eq!(kind("/dev/null"), Some((false, false)));
        assert_eq!(kind("none"), None);
        assert_eq!(kind(""), None);
    }
}
