//! The end of a list.

use crate::signature::function;

/// The last elements, in their order; all of them if there are no more.
pub fn take_last(list: &[impl AsRef<str>], count: i64) -> Vec<String> {
    let surplus = list.len().saturating_sub(usize::try_from(count).unwrap_or(0));
    list.iter().skip(surplus).map(|element| element.as_ref().to_owned()).collect()
}

function! {
    FUNCTION: take_last,
    name: "takeLast",
    receiver: List<Text>,
    params: { count: Int },
    result: List<Text>,
    doc: "The last elements, so many at most, in their order.",
    example: "['a', 'b', 'c'].takeLast(2) == ['b', 'c']",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_than_there_are_and_none_for_less_than_one() {
        assert_eq!(take_last(&["a", "b"], 5), ["a", "b"]);
        assert_eq!(take_last(&["a", "b"], 1), ["b"]);
        assert!(take_last(&["a", "b"], 0).is_empty());
        assert!(take_last(&["a", "b"], -1).is_empty());
    }
}
