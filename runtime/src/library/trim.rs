//! Text without white space around it.

use super::PURE;
use crate::signature::{Function, Type};

/// The text without white space at its ends.
pub fn trim(text: &str) -> String {
    text.trim().to_owned()
}

pub(super) const FUNCTION: Function = Function {
    name: "trim",
    symbol: "trim",
    receiver: Some(Type::Text),
    params: &[],
    result: Type::Text,
    doc: "The text without white space at its ends.",
    example: "'  a b '.trim() == 'a b'",
    ..PURE
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_ends_are_trimmed() {
        assert_eq!(trim("\u{a0} a b\r\n"), "a b");
        assert_eq!(trim(""), "");
    }
}
