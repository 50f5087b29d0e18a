//! How often a text is in a list.

use crate::signature::function;

/// How many elements are exactly this text.
pub fn occurrences(list: &[impl AsRef<str>], element: &str) -> i64 {
    i64::try_from(list.iter().filter(|text| text.as_ref() == element).count()).unwrap_or(i64::MAX)
}

function! {
    FUNCTION: occurrences,
    name: "occurrences",
    receiver: List<Text>,
    params: { element: Text },
    result: Int,
    doc: "How many elements are exactly this text.",
    example: "['done', 'open', 'done'].occurrences('done') == 2",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_text_counts() {
        assert_eq!(occurrences(&["done", "undone", "Done", "done"], "done"), 2);
        assert_eq!(occurrences(&[] as &[&str], "done"), 0);
    }
}
