//! The part of a text that a pattern describes.

use super::PURE;
use crate::pattern::Pattern;
use crate::signature::{Function, Type};

/// The first match of the pattern: its first group if it has one, else all of it. Empty text if nothing matches.
pub fn find(text: &str, pattern: &Pattern) -> String {
    pattern.find(text)
}

pub(super) const FUNCTION: Function = Function {
    name: "find",
    symbol: "find",
    receiver: Some(Type::Text),
    params: &[("pattern", Type::Pattern)],
    result: Type::Text,
    doc: "The first match of the pattern: its first group if it has one, else all of it. Empty text if nothing \
           matches.",
    example: "'phase: SETUP'.find(r'phase: (\\w+)') == 'SETUP'",
    ..PURE
};

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
