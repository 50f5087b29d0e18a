//! Whether text begins in a certain way.

use super::PURE;
use crate::signature::{Function, Type};

/// Whether the text starts with the prefix.
pub fn starts_with(text: &str, prefix: &str) -> bool {
    text.starts_with(prefix)
}

pub(super) const FUNCTION: Function = Function {
    name: "startsWith",
    symbol: "starts_with",
    receiver: Some(Type::Text),
    params: &[("prefix", Type::Text)],
    result: Type::Bool,
    doc: "Whether the text starts with the prefix.",
    example: "'feature/login'.startsWith('feature/')",
    ..PURE
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_beginning_counts() {
        assert!(starts_with("feature/login", "feature/"));
        assert!(starts_with("x", ""));
        assert!(!starts_with("my feature/login", "feature/"));
        assert!(!starts_with("Feature/login", "feature/"));
    }
}
