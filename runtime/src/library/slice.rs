//! A part of a list.

use crate::signature::function;

/// The elements from one place up to another, which is no longer among them.
pub fn slice(list: &[impl AsRef<str>], start: i64, end: i64) -> Vec<String> {
    let place = |at: i64| usize::try_from(at).unwrap_or(0).min(list.len());
    let (start, end) = (place(start), place(end));
    list.get(start..end).unwrap_or_default().iter().map(|text| text.as_ref().to_owned()).collect()
}

function! {
    FUNCTION: slice,
    name: "slice",
    receiver: List<Text>,
    params: { start: Int, end: Int },
    result: List<Text>,
    doc: "The elements from the place `start`, counted from 0, up to but not at `end`; what is not there is left out.",
    example: "['a', 'b', 'c'].slice(1, 9) == ['b', 'c']",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_beyond_the_list_are_its_ends() {
        let list = ["a", "b", "c"];
        assert_eq!(slice(&list, 0, 2), ["a", "b"]);
        assert_eq!(slice(&list, -5, 1), ["a"]);
        assert!(slice(&list, 2, 1).is_empty() && slice(&list, 7, 9).is_empty());
    }
}
