//! How large a file is.

use std::fs;
use std::path::Path;

use super::CONTEXTUAL;
use crate::call::Call;
use crate::signature::{Function, Type};

/// The length of a regular file in bytes; 0 for anything else.
pub fn file_size(call: &Call<'_>, path: &str) -> i64 {
    file_size_from(call.cwd(), path)
}

fn file_size_from(base: &Path, path: &str) -> i64 {
    let found = fs::metadata(base.join(path)).ok().filter(fs::Metadata::is_file);
    found.map_or(0, |found| i64::try_from(found.len()).unwrap_or(i64::MAX))
}

pub(super) const FUNCTION: Function = Function {
    name: "fileSize",
    symbol: "file_size",
    receiver: None,
    params: &[("path", Type::Text)],
    result: Type::Int,
    doc: "The length of the file in bytes; 0 if it is missing or not a regular file. Relative paths start at the \
           working directory.",
    example: "fileSize('no/such/file') == 0",
    ..CONTEXTUAL
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_have_a_size() {
        let guard = tempfile::tempdir().expect("a folder");
        fs::write(guard.path().join("file"), "ñ").expect("written");
        assert_eq!(file_size_from(guard.path(), "file"), 2);
        assert_eq!(file_size_from(guard.path(), "none"), 0);
        assert_eq!(file_size_from(guard.path(), "."), 0);
        assert_eq!(file_size_from(guard.path(), ""), 0);
    }
}
