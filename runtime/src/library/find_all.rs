//! All parts of a text that a pattern describes.

use crate::pattern::Pattern;
use crate::signature::function;

/// Every match of the pattern, from left to right: its first group if it has one, else all of it.
pub fn find_all(text: &str, pattern: &Pattern) -> Vec<String> {
    pattern.find_all(text)
}

function! {
    FUNCTION: find_all,
    name: "findAll",
    receiver: Text,
    params: { pattern: Pattern },
    result: List<Text>,
    doc: "Every match of the pattern, from left to right: its first group if it has one, else all of it.",
    example: "'a=1 b=2'.findAll(r'(\\w)=') == ['a', 'b']",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_match_is_given_in_order() {
        assert_eq!(find_all("a=1 b=2", &Pattern::new(r"(\w)=")), ["a", "b"]);
        assert!(find_all("a b", &Pattern::new("=")).is_empty());
    }
}
