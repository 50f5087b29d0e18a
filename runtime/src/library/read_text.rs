//! The text of a file that is no document of the catalog.

use std::path::Path;

use crate::call::Call;
use crate::document;
use crate::failure::Attempt;
use crate::signature::function;

/// The whole text of a regular file; empty if it is missing. Limited like a document.
pub fn read_text(call: &Call<'_>, path: &str) -> Attempt<String> {
    read_text_from(call.cwd(), path)
}

fn read_text_from(base: &Path, path: &str) -> Attempt<String> {
    if path.is_empty() {
        return Ok(String::new());
    }
    document::read_file(&base.join(path), "the file").map(Option::unwrap_or_default)
}

function! {
    FUNCTION: read_text,
    name: "readText",
    params: { path: Text },
    result: Text,
    fallible: true,
    powers: [Files],
    doc: "The text of the file; empty if it is missing. What is not a regular file of UTF-8 text, or larger than 16 \
           MiB, is a failure. Relative paths start at the working directory.",
    example: "readText('no/such/file') == ''",
}

#[cfg(test)]
mod tests {
    use crate::failure::Failure;

    use super::*;

    #[test]
    fn a_missing_file_is_empty_and_a_folder_is_a_failure() {
        let guard = tempfile::tempdir().expect("a folder");
        std::fs::write(guard.path().join("file"), "words\n").expect("written");
        assert_eq!(read_text_from(guard.path(), "file"), Ok("words\n".into()));
        assert_eq!(read_text_from(guard.path(), "none"), Ok(String::new()));
        assert_eq!(read_text_from(guard.path(), ""), Ok(String::new()));
        assert!(matches!(read_text_from(guard.path(), "."), Err(Failure::Document(_))));
    }
}
