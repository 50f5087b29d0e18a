//! Where in a list an element stands.

use crate::signature::function;

/// The place of the first such element, from 0; -1 if there is none.
pub fn index_of(list: &[impl AsRef<str>], element: &str) -> i64 {
    list.iter().position(|item| item.as_ref() == element).and_then(|at| i64::try_from(at).ok()).unwrap_or(-1)
}

function! {
    FUNCTION: index_of,
    name: "indexOf",
    receiver: List<Text>,
    params: { element: Text },
    result: Int,
    doc: "The place of the first such element in the list, counted from 0; -1 if there is none.",
    example: "['a', 'b', 'b'].indexOf('b') == 1 && ['a'].indexOf('x') == -1",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_equal_elements_counts() {
        assert_eq!(index_of(&["a", "b", "b"], "b"), 1);
        assert_eq!(index_of(&["a"], "A"), -1);
        assert_eq!(index_of(&[] as &[&str], ""), -1);
    }
}
