//! How long something is: a text in characters, a list in elements. Both can be asked in either call form.

use crate::signature::function;

/// The number of characters of a text.
pub fn size(text: &str) -> i64 {
    i64::try_from(text.chars().count()).unwrap_or(i64::MAX)
}

/// The number of elements of a list.
pub fn list_size<T>(list: &[T]) -> i64 {
    i64::try_from(list.len()).unwrap_or(i64::MAX)
}

function! {
    TEXT: size,
    name: "size",
    receiver: Text,
    params: {},
    result: Int,
    doc: "The number of characters of the text.",
    example: "'añb'.size() == 3",
}

function! {
    OF_TEXT: size,
    name: "size",
    params: { text: Text },
    result: Int,
    doc: "The number of characters of the text.",
    example: "size('añb') == 3",
}

function! {
    LIST: list_size,
    name: "size",
    receiver: List<Element>,
    params: {},
    result: Int,
    doc: "The number of elements of the list.",
    example: "['a', 'b'].size() == 2",
}

function! {
    OF_LIST: list_size,
    name: "size",
    params: { list: List<Element> },
    result: Int,
    doc: "The number of elements of the list.",
    example: "size(['a', 'b']) == 2",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_measured_in_characters() {
        assert_eq!(size("añb"), 3);
        assert_eq!(size(""), 0);
    }

    #[test]
    fn a_list_is_measured_in_elements() {
        assert_eq!(list_size(&["añb"]), 1);
        assert_eq!(list_size::<i64>(&[]), 0);
    }
}
