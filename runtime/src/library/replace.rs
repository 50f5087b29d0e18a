//! Text with a part of it exchanged.

use crate::signature::function;

/// The text with every occurrence of the old part replaced.
pub fn replace(text: &str, old: &str, new: &str) -> String {
    text.replace(old, new)
}

function! {
    FUNCTION: replace,
    name: "replace",
    receiver: Text,
    params: { old: Text, new: Text },
    result: Text,
    doc: "The text with every occurrence of the old part replaced.",
    example: "'a-b-c'.replace('-', '_') == 'a_b_c'",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_occurrence_is_replaced_as_it_is_written() {
        assert_eq!(replace("a.b.c", ".", "$1"), "a$1b$1c");
        assert_eq!(replace("abc", "x", "y"), "abc");
    }
}
