//! Text in one case; letters beyond ASCII stay as they are, whatever the language.

use crate::signature::function;

/// Text with the letters A to Z in lower case.
pub fn lower_ascii(text: &str) -> String {
    text.to_ascii_lowercase()
}

/// Text with the letters a to z in upper case.
pub fn upper_ascii(text: &str) -> String {
    text.to_ascii_uppercase()
}

function! {
    LOWER: lower_ascii,
    name: "lowerAscii",
    receiver: Text,
    params: {},
    result: Text,
    doc: "The text with the letters A to Z in lower case.",
    example: "'SELECT x'.lowerAscii() == 'select x'",
}

function! {
    UPPER: upper_ascii,
    name: "upperAscii",
    receiver: Text,
    params: {},
    result: Text,
    doc: "The text with the letters a to z in upper case.",
    example: "'setup'.upperAscii() == 'SETUP'",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_ascii_letters_change() {
        assert_eq!(lower_ascii("ÄB 1"), "Äb 1");
        assert_eq!(upper_ascii("äb 1"), "äB 1");
    }
}
