//! Whether text begins in a certain way.

use crate::signature::function;

/// Whether the text starts with the prefix.
pub fn starts_with(text: &str, prefix: &str) -> bool {
    text.starts_with(prefix)
}

function! {
    FUNCTION: starts_with,
    name: "startsWith",
    receiver: Text,
    params: { prefix: Text },
    result: Bool,
    doc: "Whether the text starts with the prefix.",
    example: "'feature/login'.startsWith('feature/')",
}

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
