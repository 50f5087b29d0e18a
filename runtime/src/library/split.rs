//! The parts between separators.

use super::PURE;
use crate::signature::{Function, Type};

/// The parts of the text between the separators; with an empty separator, its characters.
pub fn split(text: &str, separator: &str) -> Vec<String> {
    if separator.is_empty() {
        return text.chars().map(String::from).collect();
    }
    text.split(separator).map(str::to_owned).collect()
}

pub(super) const FUNCTION: Function = Function {
    name: "split",
    symbol: "split",
    receiver: Some(Type::Text),
    params: &[("separator", Type::Text)],
    result: Type::List(&Type::Text),
    doc: "The parts of the text between the separators; with an empty separator, its characters.",
    example: "'a,b,,c'.split(',') == ['a', 'b', '', 'c']",
    ..PURE
};

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
