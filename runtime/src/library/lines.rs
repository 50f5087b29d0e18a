//! The lines of a text.

use crate::signature::function;

/// The lines of the text without their line ends, be they of one character or two.
pub fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

function! {
    FUNCTION: lines,
    name: "lines",
    receiver: Text,
    params: {},
    result: List<Text>,
    doc: "The lines of the text without their line ends, be they of one character or two.",
    example: r"'a\r\nb\n'.lines() == ['a', 'b']",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kinds_of_line_ends_are_known() {
        assert_eq!(lines("a\r\n\nb\n"), ["a", "", "b"]);
        assert!(lines("").is_empty());
    }
}
