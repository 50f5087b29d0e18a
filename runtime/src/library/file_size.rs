//! How large a file is.

use std::fs;
use std::path::Path;

use crate::call::Call;
use crate::signature::function;

/// The length of a regular file in bytes; 0 for anything else.
pub fn file_size(call: &Call<'_>, path: &str) -> i64 {
    file_size_from(call.cwd(), path)
}

fn file_size_from(base: &Path, path: &str) -> i64 {
    let found = fs::metadata(base.join(path)).ok().filter(fs::Metadata::is_file);
    found.map_or(0, |found| i64::try_from(found.len()).unwrap_or(i64::MAX))
}

function! {
    FUNCTION: file_size,
    name: "fileSize",
    params: { path: Text },
    result: Int,
    powers: [Files],
    doc: "The length of the file in bytes; 0 if it is missing or not a regular file. Relative paths start at the \
           working directory.",
    example: "fileSize('no/such/file') == 0",
}

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
