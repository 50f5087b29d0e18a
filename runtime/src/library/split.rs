//! The parts between separators.

use crate::signature::function;

/// The parts of the text between the separators; with an empty separator, its characters.
pub fn split(text: &str, separator: &str) -> Vec<String> {
    if separator.is_empty() {
        return text.chars().map(String::from).collect();
    }
    text.split(separator).map(str::to_owned).collect()
}

function! {
    FUNCTION: split,
    name: "split",
    receiver: Text,
    params: { separator: Text },
    result: List<Text>,
    doc: "The parts of the text between the separators; with an empty separator, its characters.",
    example: "'a,b,,c'.split(',') == ['a', 'b', '', 'c']",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_parts_are_kept() {
        assert_eq!(split("a,b,,c", ","), ["a", "b", "", "c"]);
        assert_eq!(split("", ","), [""]);
    }

    #[test]
    fn an_empty_separator_gives_the_characters() {
        assert_eq!(split("añb", ""), ["a", "ñ", "b"]);
        assert!(split("", "").is_empty());
    }
}
