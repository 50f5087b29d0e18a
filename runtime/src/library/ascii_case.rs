//! Text in one case; letters beyond ASCII stay as they are, whatever the language.

use super::PURE;
use crate::signature::{Function, Type};

/// Text with the letters A to Z in lower case.
pub fn lower_ascii(text: &str) -> String {
    text.to_ascii_lowercase()
}

/// Text with the letters a to z in upper case.
pub fn upper_ascii(text: &str) -> String {
    text.to_ascii_uppercase()
}

pub(super) const LOWER: Function = Function {
    name: "lowerAscii",
    symbol: "lower_ascii",
    receiver: Some(Type::Text),
    params: &[],
    result: Type::Text,
    doc: "The text with the letters A to Z in lower case.",
    example: "'SELECT x'.lowerAscii() == 'select x'",
    ..PURE
};

pub(super) const UPPER: Function = Function {
    name: "upperAscii",
    symbol: "upper_ascii",
    receiver: Some(Type::Text),
    params: &[],
    result: Type::Text,
    doc: "The text with the letters a to z in upper case.",
    example: "'setup'.upperAscii() == 'SETUP'",
    ..PURE
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_ascii_letters_change() {
        assert_eq!(lower_ascii("ÄB 1"), "Äb 1");
        assert_eq!(upper_ascii("äb 1"), "äB 1");
    }
}
