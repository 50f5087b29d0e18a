//! Whether text has a certain part.

use crate::signature::function;

/// Whether the part occurs anywhere in the text.
pub fn contains(text: &str, part: &str) -> bool {
    text.contains(part)
}

function! {
    FUNCTION: contains,
    name: "contains",
    receiver: Text,
    params: { part: Text },
    result: Bool,
    doc: "Whether the part occurs anywhere in the text.",
    example: "'git push --force'.contains('--force')",
}

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
