//! The rest of a text, behind a prefix.

use crate::signature::function;

/// The text after the prefix; empty if it does not start with it.
pub fn after(text: &str, prefix: &str) -> String {
    text.strip_prefix(prefix).unwrap_or_default().to_owned()
}

function! {
    FUNCTION: after,
    name: "after",
    receiver: Text,
    params: { prefix: Text },
    result: Text,
    doc: "The text after the prefix; empty if it does not start with it.",
    example: "'feature/login'.after('feature/') == 'login'",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_the_prefix_there_is_nothing_after_it() {
        assert_eq!(after("feature/login", "feature/"), "login");
        assert_eq!(after("fix/feature/login", "feature/"), "");
        assert_eq!(after("x", ""), "x");
    }
}
