//! Whether text ends in a certain way.

use crate::signature::function;

/// Whether the text ends with the suffix.
pub fn ends_with(text: &str, suffix: &str) -> bool {
    text.ends_with(suffix)
}

function! {
    FUNCTION: ends_with,
    name: "endsWith",
    receiver: Text,
    params: { suffix: Text },
    result: Bool,
    doc: "Whether the text ends with the suffix.",
    example: "'specs/auth/spec.md'.endsWith('/spec.md')",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_end_counts() {
        assert!(ends_with("specs/auth/spec.md", "/spec.md"));
        assert!(ends_with("x", ""));
        assert!(!ends_with("specs/auth/spec.md.bak", "/spec.md"));
        assert!(!ends_with("my-spec.md", "/spec.md"));
    }
}
