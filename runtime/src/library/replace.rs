//! Text with a part of it exchanged.

use super::PURE;
use crate::signature::{Function, Type};

/// The text with every occurrence of the old part replaced.
pub fn replace(text: &str, old: &str, new: &str) -> String {
    text.replace(old, new)
}

pub(super) const FUNCTION: Function = Function {
    name: "replace",
    symbol: "replace",
    receiver: Some(Type::Text),
    params: &[("old", Type::Text), ("new", Type::Text)],
    result: Type::Text,
    doc: "The text with every occurrence of the old part replaced.",
    example: "'a-b-c'.replace('-', '_') == 'a_b_c'",
    ..PURE
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_occurrence_is_replaced_as_it_is_written() {
        assert_eq!(replace("a.b.c", ".", "$1"), "a$1b$1c");
        assert_eq!(replace("abc", "x", "y"), "abc");
    }
}
