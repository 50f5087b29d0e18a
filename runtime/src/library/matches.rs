//! Whether text has a part that a pattern describes.

use crate::pattern::Pattern;
use crate::signature::function;

/// Whether the pattern matches somewhere in the text; `^` and `$` tie it to the ends.
pub fn matches(text: &str, pattern: &Pattern) -> bool {
    pattern.matches(text)
}

function! {
    FUNCTION: matches,
    name: "matches",
    receiver: Text,
    params: { pattern: Pattern },
    result: Bool,
    doc: "Whether the pattern matches somewhere in the text; `^` and `$` tie it to the ends.",
    example: "'v1.20'.matches(r'^v\\d+')",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_anywhere_counts_unless_it_is_tied() {
        assert!(matches("see v1.20", &Pattern::new(r"v\d+")));
        assert!(!matches("see v1.20", &Pattern::new(r"^v\d+")));
    }
}
