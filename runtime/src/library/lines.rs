//! The lines of a text.

use super::PURE;
use crate::signature::{Function, Type};

/// The lines of the text without their line ends, be they of one character or two.
pub fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

pub(super) const FUNCTION: Function = Function {
    name: "lines",
    symbol: "lines",
    receiver: Some(Type::Text),
    params: &[],
    result: Type::List(&Type::Text),
    doc: "The lines of the text without their line ends, be they of one character or two.",
    example: r"'a\r\nb\n'.lines() == ['a', 'b']",
    ..PURE
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kinds_of_line_ends_are_known() {
        assert_eq!(lines("a\r\n\nb\n"), ["a", "", "b"]);
        assert!(lines("").is_empty());
    }
}
