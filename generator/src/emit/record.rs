//! What hookgen wrote last time: a digest of every file.
//!
//! It tells an edited file from a stale one. Both differ from what the catalog asks for; the stale one is still what
//! hookgen wrote. Lines are as `sha256sum` has them, so that `sha256sum --check hookgen.lock` finds what changed.

use std::collections::BTreeMap;

use camino::Utf8Path;
use hookgen_runtime::library::sha256;

use super::{Output, OutputSet, banner};

/// The record's own name, in the folder that it is about.
pub(crate) const FILE: &str = "hookgen.lock";

/// Digits of the digests in records of earlier versions, which are the first of today's.
const SHORT_DIGEST: usize = 32;

/// The SHA-256 of the bytes in hexadecimal digits.
pub(crate) fn digest(bytes: &[u8]) -> String {
    sha256(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Whether a digest of a record is that of these bytes.
pub(crate) fn is_of(recorded: &str, bytes: &[u8]) -> bool {
    recorded.len() >= SHORT_DIGEST && digest(bytes).starts_with(recorded)
}

/// The record of a set of files.
pub(super) fn record(source: &str, files: &OutputSet) -> Output {
    let lines: String = files.iter().map(|(path, text)| line(path, &digest(text.as_bytes()))).collect();
    Output::new(FILE, format!("# {}\n{lines}", banner(source)))
}

/// The line of one file.
pub(crate) fn line(path: &Utf8Path, digest: &str) -> String {
    format!("{digest}  {path}\n")
}

/// The digests in a record, by path.
pub(crate) fn digests(record: &str) -> BTreeMap<&str, &str> {
    let lines = record.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once(' ')).map(|(digest, path)| (path.trim_start(), digest)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_gives_back_every_digest() {
        let mut files = OutputSet::default();
        files.insert(Output::new("a b.md", "text")).expect("free");
        let record = record("specs/x.yaml", &files);
        assert_eq!(digests(&record.text).get("a b.md"), Some(&digest(b"text\n").as_str()));
        assert_eq!(digests("nonsense"), BTreeMap::new());
    }

    #[test]
    fn records_of_earlier_versions_still_tell_who_wrote_a_file() {
        let earlier = format!("# x\n{} a b.md\n", hookgen_runtime::library::digest("text\n"));
        assert!(is_of(digests(&earlier)["a b.md"], b"text\n"));
        assert!(!is_of(digests(&earlier)["a b.md"], b"other\n"));
        assert!(!is_of("", b"text\n") && !is_of(&digest(b"text\n")[..31], b"text\n"));
    }
}
