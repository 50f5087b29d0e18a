//! Text as a part of one log line: secrets out, control characters out, length bounded.

use std::fmt::Write as _;

use super::redact;
use crate::invisible;

/// The text of a reason or a name.
pub(super) fn short(text: &str) -> String {
    clean(text, 8 << 10)
}

/// The text of a whole payload.
pub(super) fn long(text: &str) -> String {
    clean(text, 256 << 10)
}

/// Redacts before it cuts: half a secret would no longer be recognised.
fn clean(text: &str, longest: usize) -> String {
    let redacted = redact(text);
    let text = redacted.trim();
    let end = (0..=longest.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    let mut line: String = text.get(..end).unwrap_or_default().chars().filter_map(visible).collect();
    if end < text.len() {
        let _ = write!(line, "… ({} bytes left out)", text.len() - end);
    }
    line
}

/// White space becomes a blank; what would move a cursor, break a line or reorder text goes.
fn visible(character: char) -> Option<char> {
    match character {
        '\n' | '\t' | '\u{85}' | '\u{2028}' | '\u{2029}' => Some(' '),
        other if invisible::steers(other) => None,
        other => Some(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn breaks_become_blanks_and_controls_go() {
        assert_eq!(short(" a\nb\tc\r\n\u{1b}[31md\u{7f}\u{9b}e\u{202e}f "), "a b c [31mdef");
        assert_eq!(short("Grüße 🦀 [x]"), "Grüße 🦀 [x]");
    }

    #[test]
    fn long_text_is_cut_between_characters_and_says_so() {
        let cut = clean("ääääää", 5);
        assert_eq!(cut, "ää… (8 bytes left out)");
        assert_eq!(clean("ää", 4), "ää");
    }

    #[test]
    fn a_secret_at_the_cut_is_gone_as_a_whole() {
        let text = format!("{} PASSWORD=hunter2", "x".repeat(30));
        assert!(!clean(&text, 42).contains("hun"));
        let text = format!("{} ghp_0123456789abcdefghij0123456789abcdef", "x".repeat(30));
        assert!(!clean(&text, 42).contains("ghp"), "half of it would not be recognised");
    }
}
