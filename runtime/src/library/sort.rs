//! A list in order.

use crate::signature::function;

/// The elements in the order of their characters.
pub fn sort(list: &[impl AsRef<str>]) -> Vec<String> {
    let mut sorted: Vec<String> = list.iter().map(|text| text.as_ref().to_owned()).collect();
    sorted.sort();
    sorted
}

function! {
    FUNCTION: sort,
    name: "sort",
    receiver: List<Text>,
    params: {},
    result: List<Text>,
    doc: "The elements in the order of their characters; capitals come first.",
    example: "['b', 'a', 'B'].sort() == ['B', 'a', 'b']",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repetitions_stay() {
        assert_eq!(sort(&["b", "a", "b", "10", "9"]), ["10", "9", "a", "b", "b"]);
    }
}
