//! Patches in the format that several clients let the model write: `*** Begin Patch`, files, `*** End Patch`.
//!
//! Whoever guards files must know which ones a patch touches, and what it puts there. What is not a patch in this format
//! is a failure, since nobody can tell what the client makes of it.

use std::borrow::Cow;

use super::{Fields, text_of};
use crate::json::Json;

/// What happens to one file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// It is made, or replaced, with that text.
    Write { path: String, text: String },
    /// Some of its lines become others.
    Edit { path: String, old: String, new: String },
    /// It goes.
    Remove { path: String },
}

const BEGIN: &str = "*** Begin Patch";
const END: &str = "*** End Patch";
const ADD: &str = "*** Add File: ";
const UPDATE: &str = "*** Update File: ";
const DELETE: &str = "*** Delete File: ";
const MOVE: &str = "*** Move to: ";

impl Change {
    /// The file.
    pub(crate) fn path(&self) -> &str {
        match self {
            Self::Write { path, .. } | Self::Edit { path, .. } | Self::Remove { path } => path,
        }
    }

    /// The call in the words of catalogs, in which a file that goes is one that becomes empty.
    pub(super) fn call(self) -> (&'static str, Fields<'static>) {
        let text = |text: String| Json::Text(Cow::Owned(text));
        match self {
            Self::Write { path, text: content } => {
                ("Write", vec![("file_path".into(), text(path)), ("content".into(), text(content))])
            }
            Self::Edit { path, old, new } => (
                "Edit",
                vec![
                    ("file_path".into(), text(path)),
                    ("old_string".into(), text(old)),
                    ("new_string".into(), text(new)),
                ],
            ),
            Self::Remove { path } => Self::Write { path, text: String::new() }.call(),
        }
    }
}

/// The changes that a patch makes. A file that moves is also written elsewhere.
pub(crate) fn read(patch: &str) -> Result<Vec<Change>, String> {
    let mut lines = patch.lines().skip_while(|line| line.trim() != BEGIN).skip(1).peekable();
    if lines.peek().is_none() {
        return Err("the patch does not begin with `*** Begin Patch`".to_owned());
    }
    let mut changes = Vec::new();
    while let Some(line) = lines.next() {
        let line = line.trim_end();
        if line.trim() == END {
            return if changes.is_empty() { Err("the patch changes nothing".to_owned()) } else { Ok(changes) };
        }
        let mut body = Vec::new();
        while let Some(line) = lines.next_if(|line| !is_header(line)) {
            body.push(line);
        }
        let line = line.trim_start();
        if let Some(path) = line.strip_prefix(ADD) {
            changes.push(Change::Write { path: path.trim().to_owned(), text: added(&body) });
        } else if let Some(path) = line.strip_prefix(DELETE) {
            changes.push(Change::Remove { path: path.trim().to_owned() });
        } else if let Some(path) = line.strip_prefix(UPDATE) {
            let moved = body.iter().find_map(|line| line.trim_start().strip_prefix(MOVE));
            let (old, new) = replaced(&body);
            if let Some(moved) = moved {
                changes.push(Change::Edit { path: moved.trim().to_owned(), old: old.clone(), new: new.clone() });
            }
            changes.push(Change::Edit { path: path.trim().to_owned(), old, new });
        } else if !line.is_empty() {
            return Err(format!(
                "the patch has a line that nobody knows: `{}`",
                line.chars().take(60).collect::<String>()
            ));
        }
    }
    Err("the patch has no `*** End Patch`".to_owned())
}

/// Whether a line begins something. A move belongs to the update before it.
fn is_header(line: &str) -> bool {
    let line = line.trim();
    line == END || [ADD.trim_end(), UPDATE.trim_end(), DELETE.trim_end()].iter().any(|header| line.starts_with(header))
}

fn added(body: &[&str]) -> String {
    body.iter().filter_map(|line| line.strip_prefix('+')).flat_map(|line| [line, "\n"]).collect()
}

/// The lines before and after, context included.
fn replaced(body: &[&str]) -> (String, String) {
    let (mut old, mut new): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    for line in body {
        if line.starts_with("@@") || line.starts_with("***") {
            continue;
        }
        match (line.chars().next(), line.get(1..).unwrap_or_default()) {
            (Some('+'), rest) => new.push(rest),
            (Some('-'), rest) => old.push(rest),
            (Some(' '), rest) => {
                old.push(rest);
                new.push(rest);
            }
            _ => {
                old.push(line);
                new.push(line);
            }
        }
    }
    (old.join("\n"), new.join("\n"))
}

/// The patch that a call of a file tool comes to, for tests.
pub(super) fn write(tool: &str, input: &Fields<'_>) -> Option<String> {
    let path = text_of(input, "file_path")?;
    let marked = |mark: char, text: &str| text.split('\n').map(|line| format!("{mark}{line}\n")).collect::<String>();
    let body = match tool {
        "Write" => {
            let content = text_of(input, "content")?;
            format!("{ADD}{path}\n{}", marked('+', content.strip_suffix('\n')?))
        }
        _ => {
            let (old, new) = (text_of(input, "old_string")?, text_of(input, "new_string")?);
            format!("{UPDATE}{path}\n@@\n{}{}", marked('-', old), marked('+', new))
        }
    };
    Some(format!("{BEGIN}\n{body}{END}\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write_of(path: &str, text: &str) -> Change {
        Change::Write { path: path.to_owned(), text: text.to_owned() }
    }

    fn edit_of(path: &str, old: &str, new: &str) -> Change {
        Change::Edit { path: path.to_owned(), old: old.to_owned(), new: new.to_owned() }
    }

    #[test]
    fn every_file_of_a_patch_is_found_with_what_is_put_there() {
        let patch = "*** Begin Patch\n*** Add File: a b.txt\n+one\n+two\n*** Update File: src/c.rs\n@@ fn main\n x\n-y\n+z\n\
                     *** Delete File: d\n*** Update File: e\n*** Move to: f\n-1\n+2\n*** End of File\n*** End Patch\n";
        let expected = [
            write_of("a b.txt", "one\ntwo\n"),
            edit_of("src/c.rs", "x\ny", "x\nz"),
            Change::Remove { path: "d".to_owned() },
            edit_of("f", "1", "2"),
            edit_of("e", "1", "2"),
        ];
        assert_eq!(read(patch).expect("a patch"), expected);
    }

    #[test]
    fn words_around_a_patch_and_blanks_around_its_headers_hide_nothing() {
        let patch = "apply_patch <<'EOF'\n *** Begin Patch \n  *** Delete File: ~/.ssh/config  \n *** End Patch\nEOF";
        let gone = read(patch).expect("a patch");
        assert_eq!(gone, [Change::Remove { path: "~/.ssh/config".to_owned() }]);
        let [gone]: [Change; 1] = gone.try_into().expect("one");
        assert_eq!(gone.call(), write_of("~/.ssh/config", "").call());
    }

    #[test]
    fn what_is_no_patch_is_a_failure() {
        for text in
            ["", "x", "*** Begin Patch", "*** Begin Patch\n*** End Patch", "*** Begin Patch\n*** Add File: a\n+x\n"]
        {
            assert!(read(text).is_err(), "{text}");
        }
        assert!(read("*** Begin Patch\n*** Rename File: a\n*** End Patch\n").is_err());
    }

    #[test]
    fn what_is_written_for_a_test_is_read_back() {
        let input = |pairs: &[(&'static str, &'static str)]| -> Fields<'static> {
            pairs.iter().map(|(name, value)| ((*name).into(), Json::text(value))).collect()
        };
        let written = write("Write", &input(&[("file_path", "/a"), ("content", "x\n\ny\n")])).expect("a patch");
        assert_eq!(read(&written).expect("a patch"), [write_of("/a", "x\n\ny\n")]);
        let edit = input(&[("file_path", "/a"), ("old_string", "x\ny"), ("new_string", "")]);
        assert_eq!(read(&write("Edit", &edit).expect("a patch")).expect("a patch"), [edit_of("/a", "x\ny", "")]);
        assert_eq!(write("Write", &input(&[("file_path", "/a"), ("content", "no end")])), None);
    }
}
