//! Lists in a list.

use crate::signature::function;

/// The elements of all lists, one after the other.
pub fn flatten<S: AsRef<str>>(lists: &[Vec<S>]) -> Vec<String> {
    lists.iter().flatten().map(|text| text.as_ref().to_owned()).collect()
}

function! {
    FUNCTION: flatten,
    name: "flatten",
    receiver: List<List<Text>>,
    params: {},
    result: List<Text>,
    doc: "The elements of all lists of a list, one after the other.",
    example: "['a b', 'c'].map(text, text.split(' ')).flatten() == ['a', 'b', 'c']",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_lists_leave_nothing() {
        assert_eq!(flatten(&[vec!["a"], vec![], vec!["b", "c"]]), ["a", "b", "c"]);
        assert!(flatten::<&str>(&[]).is_empty());
    }
}
