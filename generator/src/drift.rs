//! What is on disk against what should be there.
//!
//! Read-only by type: the comparison sees two values and returns a third. Whether a file was edited or is only old is
//! told by the record of what hookgen wrote last.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use similar::{Algorithm, TextDiff};

use crate::emit::{OutputTree, ROOT, record};

/// Lines of a diff that are shown before the rest is only counted.
const SHOWN_LINES: usize = 60;

/// Time after which a diff may be longer than it needs to be.
const DIFF_TIME: Duration = Duration::from_millis(500);

/// What was found on disk, by path from the project's root.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Snapshot {
    pub files: BTreeMap<Utf8PathBuf, Found>,
}

/// Something that was found at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    File(Vec<u8>),
    /// A symbolic link, wherever it leads.
    Link,
    /// A socket, a device or the like.
    Special,
}

impl Snapshot {
    /// Names of the folders directly below [`ROOT`] that hold anything, in order.
    pub fn folders(&self) -> Vec<&str> {
        let mut folders: Vec<&str> = self.files.keys().filter_map(|path| folder_of(path)).collect();
        folders.dedup();
        folders
    }
}

fn folder_of(path: &Utf8Path) -> Option<&str> {
    Some(path.strip_prefix(ROOT).ok()?.components().next()?.as_str())
}

/// One path on which disk and catalog disagree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drift {
    /// From the project's root.
    pub path: Utf8PathBuf,
    /// What the file is, or would be, made from.
    pub source: String,
    pub kind: Kind,
}

/// How they disagree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// The file is not there.
    Missing,
    /// The text is another one than hookgen would write now; here is the unified diff from disk to catalog.
    Differs { since: Since, diff: String },
    /// The text is the same, but lines end in CRLF.
    LineEnds,
    /// What is there is not UTF-8 text.
    Binary { bytes: usize },
    /// A link or a special file is in the file's place.
    NotAFile,
    /// Nothing in the catalog asks for the file.
    Orphan,
}

/// Why a text differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Since {
    /// It is what hookgen wrote; the catalog, or hookgen, has changed since.
    Stale,
    /// It is not what hookgen wrote.
    Edited,
    /// There is no record of what hookgen wrote.
    Unknown,
}

impl Kind {
    /// The kind in a word.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Differs { since: Since::Stale, .. } => "stale",
            Self::Differs { since: Since::Edited, .. } => "edited",
            Self::Differs { since: Since::Unknown, .. } | Self::LineEnds | Self::Binary { .. } | Self::NotAFile => {
                "differs"
            }
            Self::Orphan => "orphan",
        }
    }
}

/// Every disagreement, in the order of the paths.
pub fn compare(expected: &OutputTree, found: &Snapshot) -> Vec<Drift> {
    let mut drifts = Vec::new();
    for (path, source, text) in expected.files() {
        if let Some(kind) = compare_file(&path, source, text, found) {
            drifts.push(Drift { path, source: source.to_owned(), kind });
        }
    }
    for path in found.files.keys().filter(|path| !expected.claims(path)) {
        if let Some(source) = expected.source_of(path) {
            drifts.push(Drift { path: path.clone(), source: source.to_owned(), kind: Kind::Orphan });
        }
    }
    drifts.sort_by(|one, other| one.path.cmp(&other.path));
    drifts
}

fn compare_file(path: &Utf8Path, source: &str, expected: &str, found: &Snapshot) -> Option<Kind> {
    let bytes = match found.files.get(path) {
        None => return Some(Kind::Missing),
        Some(Found::Link | Found::Special) => return Some(Kind::NotAFile),
        Some(Found::File(bytes)) if bytes == expected.as_bytes() => return None,
        Some(Found::File(bytes)) => bytes,
    };
    let Ok(text) = std::str::from_utf8(bytes) else { return Some(Kind::Binary { bytes: bytes.len() }) };
    if text.contains('\0') {
        return Some(Kind::Binary { bytes: bytes.len() });
    }
    let unix = text.replace("\r\n", "\n");
    if unix == expected {
        return Some(Kind::LineEnds);
    }
    let headers = (format!("{path} (on disk)"), format!("{path} (from {source})"));
    Some(Kind::Differs { since: since(path, &unix, found), diff: unified(&unix, expected, &headers) })
}

/// Whether a text that differs is still the one that hookgen wrote.
fn since(path: &Utf8Path, text: &str, found: &Snapshot) -> Since {
    let Some(folder) = folder_of(path).map(|folder| Utf8Path::new(ROOT).join(folder)) else { return Since::Unknown };
    if path == folder.join(record::FILE) {
        return Since::Unknown;
    }
    let Some(Found::File(bytes)) = found.files.get(&folder.join(record::FILE)) else { return Since::Unknown };
    let recorded = String::from_utf8_lossy(bytes);
    let inside = path.strip_prefix(&folder).unwrap_or(path);
    match record::digests(&recorded).get(inside.as_str()) {
        Some(recorded) if record::is_of(recorded, text.as_bytes()) => Since::Stale,
        Some(_) => Since::Edited,
        None => Since::Unknown,
    }
}

/// A unified diff, cut when it gets long.
fn unified(old: &str, new: &str, headers: &(String, String)) -> String {
    let diff = TextDiff::configure().algorithm(Algorithm::Patience).timeout(DIFF_TIME).diff_lines(old, new);
    let whole = diff.unified_diff().header(&headers.0, &headers.1).to_string();
    let lines = whole.lines().count();
    if lines <= SHOWN_LINES {
        return whole;
    }
    let mut shown: String = whole.split_inclusive('\n').take(SHOWN_LINES).collect();
    shown.push_str("… ");
    shown.push_str(&(lines - SHOWN_LINES).to_string());
    shown.push_str(" more lines\n");
    shown
}

impl fmt::Display for Drift {
    /// A line with the kind and the path, then whatever explains it, indented.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<8} {}", self.kind.word(), self.path)?;
        match &self.kind {
            Kind::Missing => Ok(()),
            Kind::Differs { diff, .. } => diff.lines().try_for_each(|line| write!(f, "\n  {line}")),
            Kind::LineEnds => write!(f, "   only in its line ends: CRLF on disk, LF from {}", self.source),
            Kind::Binary { bytes } => write!(f, "   {bytes} bytes on disk that are not text"),
            Kind::NotAFile => write!(f, "   not a regular file on disk"),
            Kind::Orphan => write!(f, "   nothing in {} asks for it", self.source),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::fixture::tree;

    fn snapshot(files: &[(&str, &[u8])]) -> Snapshot {
        let files = files.iter().map(|(path, bytes)| (Utf8PathBuf::from(path), Found::File(bytes.to_vec())));
        Snapshot { files: files.collect() }
    }

    #[test]
    fn equal_trees_do_not_drift_and_other_folders_are_left_alone() {
        let found = snapshot(&[("generated/demo/a", b"x\n"), ("generated/other/b", b"y\n")]);
        assert_eq!(compare(&tree(&[("a", "x")]), &found), []);
        assert_eq!(found.folders(), ["demo", "other"]);
    }

    #[test]
    fn missing_differing_and_orphaned_files_are_told_apart_and_sorted() {
        let expected = tree(&[("a", "1\n2\n3\n"), ("c", "x")]);
        let found = snapshot(&[("generated/demo/a", b"1\nTWO\n3\n"), ("generated/demo/b", b"old")]);
        let drifts = compare(&expected, &found);
        let shown: Vec<_> = drifts.iter().map(ToString::to_string).collect();
        assert_eq!(
            shown[0],
            "differs  generated/demo/a\n  --- generated/demo/a (on disk)\n  +++ generated/demo/a (from \
             specs/demo.yaml)\n  @@ -1,3 +1,3 @@\n   1\n  -TWO\n  +2\n   3"
        );
        assert_eq!(shown[1], "orphan   generated/demo/b   nothing in specs/demo.yaml asks for it");
        assert_eq!(shown[2], "missing  generated/demo/c");
    }

    #[test]
    fn crlf_is_drift_and_said_so() {
        let drifts = compare(&tree(&[("a", "1\n2\n")]), &snapshot(&[("generated/demo/a", b"1\r\n2\r\n")]));
        assert_eq!(drifts[0].kind, Kind::LineEnds);
        assert!(drifts[0].to_string().contains("CRLF"));
    }

    #[test]
    fn what_is_not_text_is_not_shown() {
        for bytes in [&b"\xff\xfe"[..], b"a\0b"] {
            let drifts = compare(&tree(&[("a", "1")]), &snapshot(&[("generated/demo/a", bytes)]));
            assert_eq!(drifts[0].kind, Kind::Binary { bytes: bytes.len() });
        }
    }

    #[test]
    fn a_link_in_a_file_s_place_is_drift() {
        let found = Snapshot { files: [("generated/demo/a".into(), Found::Link)].into() };
        assert_eq!(compare(&tree(&[("a", "1")]), &found)[0].kind, Kind::NotAFile);
    }

    #[test]
    fn long_diffs_are_cut_with_a_count() {
        let text = |word: &str| (0..500).map(|n| format!("{word} {n}")).collect::<Vec<_>>().join("\n") + "\n";
        let (old, new) = (text("old"), text("new"));
        let drifts = compare(&tree(&[("a", &new)]), &snapshot(&[("generated/demo/a", old.as_bytes())]));
        let Kind::Differs { diff, .. } = &drifts[0].kind else { panic!("differs") };
        assert_eq!(diff.lines().count(), SHOWN_LINES + 1);
        assert!(diff.ends_with("… 943 more lines\n"), "{}", diff.lines().last().expect("a line"));
    }

    #[test]
    fn a_missing_last_line_break_is_drift() {
        let drifts = compare(&tree(&[("a", "1")]), &snapshot(&[("generated/demo/a", b"1")]));
        assert!(matches!(&drifts[0].kind, Kind::Differs { diff, .. } if diff.contains("No newline")));
    }
}
