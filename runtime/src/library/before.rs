//! The beginning of a text, up to a separator.

use super::PURE;
use crate::signature::{Function, Type};

/// The text before the first separator; all of it if there is none.
pub fn before(text: &str, separator: &str) -> String {
    text.split_once(separator).map_or(text, |(before, _)| before).to_owned()
}

pub(super) const FUNCTION: Function = Function {
    name: "before",
    symbol: "before",
    receiver: Some(Type::Text),
    params: &[("separator", Type::Text)],
    result: Type::Text,
    doc: "The text before the first separator; all of it if there is none.",
    example: "'key=a=b'.before('=') == 'key'",
    ..PURE
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_separator_counts() {
        assert_eq!(before("key=a=b", "="), "key");
        assert_eq!(before("=a", "="), "");
        assert_eq!(before("no separator", "="), "no separator");
    }
}
