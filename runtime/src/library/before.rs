//! The beginning of a text, up to a separator.

use crate::signature::function;

/// The text before the first separator; all of it if there is none.
pub fn before(text: &str, separator: &str) -> String {
    text.split_once(separator).map_or(text, |(before, _)| before).to_owned()
}

function! {
    FUNCTION: before,
    name: "before",
    receiver: Text,
    params: { separator: Text },
    result: Text,
    doc: "The text before the first separator; all of it if there is none.",
    example: "'key=a=b'.before('=') == 'key'",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_separator_counts() {
        assert_eq!(before("key=a=b", "="), "key");
        assert_eq!(before("=a", "="), "");
        assert_eq!(before("no separator", "="), "no separator");
    }
}
