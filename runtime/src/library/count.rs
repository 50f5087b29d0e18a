//! How often a pattern occurs.

use super::PURE;
use crate::pattern::Pattern;
use crate::signature::{Function, Type};

/// How many times the pattern matches, without overlaps.
pub fn count(text: &str, pattern: &Pattern) -> i64 {
    pattern.count(text)
}

pub(super) const FUNCTION: Function = Function {
    name: "count",
    symbol: "count",
    receiver: Some(Type::Text),
    params: &[("pattern", Type::Pattern)],
    result: Type::Int,
    doc: "How many times the pattern matches, without overlaps.",
    example: "'- [ ] a, - [x] b, - [ ] c'.count(r'- \\[ \\]') == 2",
    ..PURE
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_are_counted_without_overlaps() {
        assert_eq!(count("aaaa", &Pattern::new("aa")), 2);
        assert_eq!(count("", &Pattern::new("a")), 0);
    }
}
