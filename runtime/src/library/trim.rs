//! Text without white space around it.

use crate::signature::function;

/// The text without white space at its ends.
pub fn trim(text: &str) -> String {
    text.trim().to_owned()
}

function! {
    FUNCTION: trim,
    name: "trim",
    receiver: Text,
    params: {},
    result: Text,
    doc: "The text without white space at its ends.",
    example: "'  a b '.trim() == 'a b'",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_ends_are_trimmed() {
        assert_eq!(trim("\u{a0} a b\r\n"), "a b");
        assert_eq!(trim(""), "");
    }
}
