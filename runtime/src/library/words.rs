//! The words of a text.

use crate::signature::function;

/// The parts of the text between white space.
pub fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

function! {
    FUNCTION: words,
    name: "words",
    receiver: Text,
    params: {},
    result: List<Text>,
    doc: "The parts of the text between white space.",
    example: "' git  push origin '.words() == ['git', 'push', 'origin']",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_amount_of_white_space_separates() {
        assert_eq!(words(" git \t push\n"), ["git", "push"]);
        assert!(words(" \n").is_empty());
    }
}
