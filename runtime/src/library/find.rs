//! The part of a text that a pattern describes.

use crate::pattern::Pattern;
use crate::signature::function;

/// The first match of the pattern: its first group if it has one, else all of it. Empty text if nothing matches.
pub fn find(text: &str, pattern: &Pattern) -> String {
    pattern.find(text)
}

function! {
    FUNCTION: find,
    name: "find",
    receiver: Text,
    params: { pattern: Pattern },
    result: Text,
    doc: "The first match of the pattern: its first group if it has one, else all of it. Empty text if nothing \
           matches.",
    example: "'phase: SETUP'.find(r'phase: (\\w+)') == 'SETUP'",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_group_is_given_if_there_is_one() {
        assert_eq!(find("phase: SETUP", &Pattern::new(r"phase: (\w+)")), "SETUP");
        assert_eq!(find("phase: SETUP", &Pattern::new(r"[A-Z]+")), "SETUP");
        assert_eq!(find("phase:", &Pattern::new(r"phase: (\w+)")), "");
    }
}
