//! Text of a catalog for a reader: what ends a line for anybody ends it here, and what nobody would see is spelled out.
//!
//! Comments and documents are made of catalogs' texts. A character that ends a comment for a compiler, or hides from a
//! reader what a line says, would make code of them, or something else than what was reviewed.

use hookgen_runtime::invisible;

/// The lines of a text, without any break or steering character.
pub(super) fn lines(text: &str) -> Vec<String> {
    spelled(&text.replace("\r\n", "\n")).lines().map(str::to_owned).collect()
}

/// A text on one line.
pub(super) fn line(text: &str) -> String {
    lines(text).join(" ")
}

/// The text with a line feed for every break, and what steers a reader spelled out.
pub(super) fn spelled(text: &str) -> String {
    let mut spelled = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => spelled.push('\n'),
            '\t' => spelled.push('\t'),
            hidden if invisible::steers(hidden) => spelled.extend(hidden.escape_unicode()),
            seen => spelled.push(seen),
        }
    }
    spelled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_breaks_a_line_breaks_it_here() {
        for end in ["\n", "\r\n", "\r", "\u{b}", "\u{c}", "\u{85}", "\u{2028}", "\u{2029}"] {
            assert_eq!(lines(&format!("a{end}b{end}")), ["a", "b"], "{end:?}");
            assert_eq!(line(&format!("a{end}b")), "a b", "{end:?}");
        }
    }

    #[test]
    fn what_nobody_sees_is_spelled_out_and_the_rest_stays() {
        assert_eq!(line("a\u{202e}b\0c\u{1b}"), "a\\u{202e}b\\u{0}c\\u{1b}");
        assert_eq!(line("Grüße\t🦀 a\u{a0}b \u{200d}"), "Grüße\t🦀 a\u{a0}b \u{200d}");
    }
}
