//! The elements of a list in one text.

use crate::signature::function;

/// The elements one after another, with the separator between them.
pub fn join(list: &[impl AsRef<str>], separator: &str) -> String {
    list.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(separator)
}

function! {
    FUNCTION: join,
    name: "join",
    receiver: List<Text>,
    params: { separator: Text },
    result: Text,
    doc: "The elements one after another, with the separator between them.",
    example: "['a', 'b'].join(', ') == 'a, b'",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_separator_stands_between_elements_only() {
        assert_eq!(join(&["a", "", "b"], "-"), "a--b");
        assert_eq!(join(&["a"], "-"), "a");
        assert_eq!(join(&[] as &[String], "-"), "");
    }
}
