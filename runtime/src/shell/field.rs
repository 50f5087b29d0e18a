//! Words after expansion, with what is not known about them marked in the text itself.
//!
//! The text of one script becomes part of another (`bash -c "rm $X"`), is split, kept in variables and joined again.
//! Marks from Unicode's private area travel with it through all that, where ranges beside the text would be lost.

/// Begins something unresolved, which stands there as it was written.
pub(super) const HOLE: &str = "\u{e000}";
pub(super) const HOLE_END: &str = "\u{e001}";
/// Follows a value that is only one of several possible ones.
const DOUBT: &str = "\u{e002}";
const MARKS: [char; 3] = ['\u{e000}', '\u{e001}', '\u{e002}'];

/// Names of commands that are kept for one value or one pipeline.
const MOST_NAMES: usize = 64;

/// A word after expansion.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Field {
    /// Text with marks.
    pub(super) text: String,
    /// Holds a pattern for file names that stands outside quotes.
    pub(super) glob: bool,
    /// Names of the commands whose output it is made of.
    pub(super) origins: Vec<String>,
}

impl AsRef<str> for Field {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

impl Field {
    pub(super) fn known(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    pub(super) fn known_ref(text: &&str) -> Self {
        Self::known(*text)
    }

    /// Something that only running the line would tell.
    pub(super) fn unresolved(source: &str) -> Self {
        Self::known(format!("{HOLE}{}{HOLE_END}", shown(source)))
    }

    pub(super) fn is_resolved(&self) -> bool {
        !has_mark(&self.text)
    }

    pub(super) fn is_known(&self) -> bool {
        !self.glob && self.is_resolved()
    }

    /// The text as people write it.
    pub(super) fn shown(&self) -> String {
        shown(&self.text)
    }

    /// The text as people write it, without a copy.
    pub(super) fn into_shown(self) -> String {
        if has_mark(&self.text) { shown(&self.text) } else { self.text }
    }

    pub(super) fn doubted(mut self) -> Self {
        if self.is_resolved() {
            self.text.push_str(DOUBT);
        }
        self
    }

    pub(super) fn join(&mut self, other: &Self) {
        self.text.push_str(&other.text);
        self.glob |= other.glob;
        self.add_origins(&other.origins);
    }

    pub(super) fn add_origins(&mut self, names: &[String]) {
        remember(&mut self.origins, names.iter().cloned());
    }
}

/// Adds names that are not there yet. Where there are too many, those in the middle go: text comes from the first
/// commands and arrives at the last ones.
pub(super) fn remember(names: &mut Vec<String>, more: impl IntoIterator<Item = String>) {
    for name in more {
        if !names.contains(&name) {
            names.push(name);
        }
        if names.len() > MOST_NAMES {
            names.remove(MOST_NAMES / 2);
        }
    }
}

fn has_mark(text: &str) -> bool {
    // All marks begin with this byte, which ordinary text hardly ever holds.
    text.as_bytes().contains(&0xEE) && text.contains(MARKS)
}

/// Text without marks.
pub(super) fn shown(text: &str) -> String {
    if has_mark(text) { text.replace(MARKS, "") } else { text.to_owned() }
}

/// Text that may be another, or none at all.
pub(super) fn doubted(mut text: String) -> String {
    if !text.is_empty() && !has_mark(&text) {
        text.insert_str(text.trim_end_matches('\n').len(), DOUBT);
    }
    text
}

/// Splits text at the characters of `IFS`, and tells whether it begins and ends with one; what is unresolved stays whole.
pub(super) fn split(text: &str, separators: &str) -> Split {
    let (mut pieces, mut current, mut inside) = (Vec::new(), None::<String>, false);
    let (mut begins, mut ends) = (false, false);
    for character in text.chars() {
        inside = match character {
            '\u{e000}' => true,
            '\u{e001}' => false,
            _ => inside,
        };
        ends = !inside && separators.contains(character);
        if !ends {
            current.get_or_insert_default().push(character);
        } else if character.is_ascii_whitespace() {
            begins |= pieces.is_empty() && current.is_none();
            pieces.extend(current.take());
        } else {
            pieces.push(current.take().unwrap_or_default());
        }
    }
    pieces.extend(current);
    Split { pieces, begins, ends }
}

/// The pieces of a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Split {
    pub(super) pieces: Vec<String>,
    /// A separator comes first, so that the first piece does not continue what stands before.
    pub(super) begins: bool,
    pub(super) ends: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_collapse_and_other_separators_do_not() {
        assert_eq!(split(" a  b ", " \t\n"), Split { pieces: vec!["a".into(), "b".into()], begins: true, ends: true });
        assert_eq!(split("a,,b", ",").pieces, ["a", "", "b"]);
        assert_eq!(split("a b", "").pieces, ["a b"]);
    }

    #[test]
    fn what_is_unresolved_stays_whole_and_is_shown_as_written() {
        let field = Field::unresolved("$(a b)");
        assert_eq!(split(&field.text, " ").pieces.len(), 1);
        assert_eq!(field.shown(), "$(a b)");
        assert!(!field.is_known() && Field::known("a").is_known());
    }

    #[test]
    fn a_doubted_value_keeps_its_text() {
        let field = Field::known("rm").doubted();
        assert_eq!((field.shown().as_str(), field.is_resolved()), ("rm", false));
    }
}
