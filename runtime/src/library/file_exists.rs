//! Whether a file or folder is there.

use std::fs;
use std::path::Path;

use super::CONTEXTUAL;
use crate::call::Call;
use crate::signature::{Function, Type};

/// Whether a regular file or a folder is at the path; relative ones start at the working directory.
pub fn file_exists(call: &Call<'_>, path: &str) -> bool {
    file_exists_from(call.cwd(), path)
}

fn file_exists_from(base: &Path, path: &str) -> bool {
    !path.is_empty() && fs::metadata(base.join(path)).is_ok_and(|found| found.is_file() || found.is_dir())
}

pub(super) const FUNCTION: Function = Function {
    name: "fileExists",
    symbol: "file_exists",
    receiver: None,
    params: &[("path", Type::Text)],
    result: Type::Bool,
    doc: "Whether a regular file or a folder is at the path; relative paths start at the working directory.",
    example: "fileExists('.') && !fileExists('no/such/file')",
    ..CONTEXTUAL
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_folders_exist_and_devices_do_not_count() {
        let guard = tempfile::tempdir().expect("a folder");
        fs::write(guard.path().join("file"), "").expect("written");
        assert!(file_exists_from(guard.path(), "file"));
        assert!(file_exists_from(guard.path(), "."));
        assert!(!file_exists_from(guard.path(), "none"));
        assert!(!file_exists_from(guard.path(), ""));
        assert!(!file_exists_from(guard.path(), "/dev/null"));
    }
}
