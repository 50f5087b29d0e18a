//! What hookgen wrote last time: a digest of every generated file.
//!
//! It tells an edited file from a stale one. Both differ from what the catalog asks for; the stale one is still what
//! hookgen wrote.

use std::collections::BTreeMap;

use hookgen_runtime::library::digest;

use super::{Output, OutputSet, banner};

/// The record's own name, in the catalog's output folder.
pub(crate) const FILE: &str = "hookgen.lock";

/// The record of a set of files.
pub(super) fn record(source: &str, files: &OutputSet) -> Output {
    let lines: String = files.iter().map(|(path, text)| format!("{} {path}\n", digest(text))).collect();
    Output::new(FILE, format!("# {}\n{lines}", banner(source)))
}

/// The digests in a record, by path.
pub(crate) fn digests(record: &str) -> BTreeMap<&str, &str> {
    let lines = record.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once(' ')).map(|(digest, path)| (path, digest)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_gives_back_every_digest() {
        let mut files = OutputSet::default();
        files.insert(Output::new("a b.md", "text")).expect("free");
        let record = record("specs/x.yaml", &files);
        assert_eq!(digests(&record.text).get("a b.md"), Some(&digest("text\n").as_str()));
        assert_eq!(digests("nonsense"), BTreeMap::new());
    }
}
