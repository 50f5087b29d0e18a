//! Whether text has a certain part.

use super::PURE;
use crate::signature::{Function, Type};

/// Whether the part occurs anywhere in the text.
pub fn contains(text: &str, part: &str) -> bool {
    text.contains(part)
}

pub(super) const FUNCTION: Function = Function {
    name: "contains",
    symbol: "contains",
    receiver: Some(Type::Text),
    params: &[("part", Type::Text)],
    result: Type::Bool,
    doc: "Whether the part occurs anywhere in the text.",
    example: "'git push --force'.contains('--force')",
    ..PURE
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_part_may_stand_anywhere() {
        assert!(contains("git push --force", "push"));
        assert!(contains("x", ""));
        assert!(!contains("git pull", "push"));
    }
}
