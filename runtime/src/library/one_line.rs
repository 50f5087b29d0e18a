//! Text that cannot break out of its line.

use crate::signature::function;

/// The text on one line: line breaks and control characters, with the white space around them, become one blank.
pub fn one_line(text: &str) -> String {
    let parts = text.split(is_break).map(str::trim).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join(" ")
}

fn is_break(character: char) -> bool {
    character.is_control() || matches!(character, '\u{2028}' | '\u{2029}')
}

function! {
    FUNCTION: one_line,
    name: "oneLine",
    receiver: Text,
    params: {},
    result: Text,
    doc: "The text on one line: line breaks and control characters, with the white space around them, become one \
           blank.",
    example: r"'a\n  b\tc\n'.oneLine() == 'a b c'",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn breaks_and_controls_become_single_blanks() {
        assert_eq!(one_line("a\r\n\n  b\u{1b}c\u{2028}d\n"), "a b c d");
        assert_eq!(one_line("a  b"), "a  b");
        assert_eq!(one_line("\n"), "");
    }
}
