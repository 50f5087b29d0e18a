//! How often a pattern occurs.

use crate::pattern::Pattern;
use crate::signature::function;

/// How many times the pattern matches, without overlaps.
pub fn count(text: &str, pattern: &Pattern) -> i64 {
    pattern.count(text)
}

function! {
    FUNCTION: count,
    name: "count",
    receiver: Text,
    params: { pattern: Pattern },
    result: Int,
    doc: "How many times the pattern matches, without overlaps.",
    example: "'- [ ] a, - [x] b, - [ ] c'.count(r'- \\[ \\]') == 2",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_are_counted_without_overlaps() {
        assert_eq!(count("aaaa", &Pattern::new("aa")), 2);
        assert_eq!(count("", &Pattern::new("a")), 0);
    }
}
