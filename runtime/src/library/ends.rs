//! The outermost elements of a list.

use crate::signature::function;

/// The first element; empty text if there is none.
pub fn first(list: &[impl AsRef<str>]) -> String {
    list.first().map(|text| text.as_ref().to_owned()).unwrap_or_default()
}

/// The last element; empty text if there is none.
pub fn last(list: &[impl AsRef<str>]) -> String {
    list.last().map(|text| text.as_ref().to_owned()).unwrap_or_default()
}

function! {
    FIRST: first,
    name: "first",
    receiver: List<Text>,
    params: {},
    result: Text,
    doc: "The first element; empty text if there is none.",
    example: "['a', 'b'].first() == 'a'",
}

function! {
    LAST: last,
    name: "last",
    receiver: List<Text>,
    params: {},
    result: Text,
    doc: "The last element; empty text if there is none.",
    example: "['a', 'b'].last() == 'b'",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_list_ends_in_empty_text() {
        assert_eq!((first(&["a", "b"]).as_str(), last(&["a", "b"]).as_str()), ("a", "b"));
        assert_eq!((first(&[] as &[&str]), last(&[] as &[&str])), (String::new(), String::new()));
    }
}
