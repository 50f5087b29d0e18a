//! Text as a part of one log line: secrets out, control characters out, length bounded.

use std::fmt::Write as _;

use super::redact;
use crate::invisible;

/// How far beyond the end of a line its text is looked at. No secret is longer, but for those that a redaction takes
/// for one up to the end of the text.
const BEYOND: usize = 16 << 10;

/// How much is looked at of a text of which the beginning is enough.
pub(super) const LOOKED_AT: usize = BRIEF + BEYOND / 2;

const BRIEF: usize = 512;

/// The beginning of a text that is one of several.
pub(super) fn brief(text: &str) -> String {
    clean(text, BRIEF)
}

/// The text of a reason or a name.
pub(super) fn short(text: &str) -> String {
    clean(text, 8 << 10)
}

/// The text of a whole payload.
pub(super) fn long(text: &str) -> String {
    clean(text, 256 << 10)
}

/// Redacts before it cuts: half a secret would no longer be recognised. What lies far behind the cut is not looked at,
/// since an event may be of many megabytes.
fn clean(text: &str, longest: usize) -> String {
    let text = text.trim();
    let window = start(text, longest.saturating_add(BEYOND));
    let redacted = redact(window);
    // Half a secret at the end of the window is within its last bytes, redacted or not.
    let whole = if window.len() < text.len() { redacted.len().saturating_sub(BEYOND) } else { redacted.len() };
    let kept = start(&redacted, longest.min(whole));
    let mut line = if is_plain(kept) { kept.to_owned() } else { kept.chars().filter_map(visible).collect() };
    let left_out = text.len() - window.len() + redacted.len() - kept.len();
    if left_out > 0 {
        let _ = write!(line, "… ({left_out} bytes left out)");
    }
    line
}

/// As much of the beginning as fits between two characters.
fn start(text: &str, longest: usize) -> &str {
    text.get(..text.floor_char_boundary(longest)).unwrap_or_default()
}

/// Whether the text is one that all characters of are shown as they are, which is nearly every text.
fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
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
    fn a_secret_at_the_end_of_what_is_looked_at_is_gone_too() {
        let token = "ghp_0123456789abcdefghij0123456789abcdef";
        for before in 0..2 * token.len() {
            let text = format!("{}{token}{}", "x ".repeat(BEYOND / 2 + before), " x".repeat(BEYOND));
            assert!(!clean(&text, 40).contains("ghp"), "{before}");
            // Redacted text is shorter, and draws in what lies behind it.
            let text = format!("{}{}{token}", format!("{token} ").repeat(BEYOND / 40), "y ".repeat(before));
            assert!(!clean(&text, 40).contains("ghp") && !clean(&text, BEYOND).contains("ghp"), "{before}");
        }
    }

    #[test]
    fn twenty_megabytes_of_options_are_no_more_work_than_a_line() {
        let text = "-p ".repeat(20_000_000 / 3);
        let began = std::time::Instant::now();
        let line = long(&text);
        assert!(line.starts_with("-p -p") && line.ends_with("bytes left out)"), "{}", line.len());
        assert!(began.elapsed() < std::time::Duration::from_secs(4), "{:?}", began.elapsed());
    }

    #[test]
    fn a_secret_at_the_cut_is_gone_as_a_whole() {
        let text = format!("{} PASSWORD=hunter2", "x".repeat(30));
        assert!(!clean(&text, 42).contains("hun"));
        let text = format!("{} ghp_0123456789abcdefghij0123456789abcdef", "x".repeat(30));
        assert!(!clean(&text, 42).contains("ghp"), "half of it would not be recognised");
    }

    #[test]
    fn a_secret_at_the_end_of_what_is_looked_at_is_not_shown_by_halves() {
        let secret = "ghp_0123456789abcdefghij0123456789abcdef";
        // Many secrets make a short text of a long one, so that the end of what is looked at comes near.
        let text = format!("{secret} ").repeat(5000);
        for longest in [512, 2000, 8192, 8200, 8210] {
            let cut = clean(&text, longest);
            assert!(!cut.contains("ghp") && cut.contains("bytes left out"), "{longest}: {cut}");
        }
    }
}
