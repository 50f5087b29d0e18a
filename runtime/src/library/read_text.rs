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

/// What can be read of the file; never a failure.
pub fn read_text_loosely(call: &Call<'_>, path: &str) -> String {
    if path.is_empty() { String::new() } else { document::read_loosely(&call.cwd().join(path)) }
}

/// Whether `read_text` has a text to give.
pub fn is_text(call: &Call<'_>, path: &str) -> bool {
    is_text_from(call.cwd(), path)
}

fn is_text_from(base: &Path, path: &str) -> bool {
    !path.is_empty() && document::read_file(&base.join(path), "the file").is_ok_and(|text| text.is_some())
}

function! {
    LOOSELY: read_text_loosely,
    name: "readTextLoosely",
    params: { path: Text },
    result: Text,
    powers: [Files],
    doc: "What can be read of the file as text: bytes that are no UTF-8 become U+FFFD. Empty if the file is missing, not a \
           regular one, larger than 16 MiB, or out of reach; never a failure. For looks that may miss something; a guard \
           asks `readText`.",
    example: "readTextLoosely('no/such/file') == ''",
}

function! {
    IS_TEXT: is_text,
    name: "isText",
    params: { path: Text },
    result: Bool,
    powers: [Files],
    doc: "Whether the file is there and can be read as text: a regular file of UTF-8, no larger than 16 MiB. Relative paths \
           start at the working directory.",
    example: "!isText('no/such/file')",
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
        std::fs::write(guard.path().join("image"), b"a\xffb").expect("written");
        assert!(matches!(read_text_from(guard.path(), "image"), Err(Failure::Document(_))));
        assert_eq!(document::read_loosely(&guard.path().join("image")), "a\u{fffd}b");
        assert_eq!(document::read_loosely(guard.path()), "");
        let texts = ["file", "none", "", ".", "image"].map(|path| is_text_from(guard.path(), path));
        assert_eq!(texts, [true, false, false, false, false]);
    }
}
