//! How often a text is in a list.

use super::PURE;
use crate::signature::{Function, Type};

/// How many elements are exactly this text.
pub fn occurrences(list: &[impl AsRef<str>], element: &str) -> i64 {
    i64::try_from(list.iter().filter(|text| text.as_ref() == element).count()).unwrap_or(i64::MAX)
}

pub(super) const FUNCTION: Function = Function {
    name: "occurrences",
    symbol: "occurrences",
    receiver: Some(Type::List(&Type::Text)),
    params: &[("element", Type::Text)],
    result: Type::Int,
    doc: "How many elements are exactly this text.",
    example: "['done', 'open', 'done'].occurrences('done') == 2",
    ..PURE
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_text_counts() {
        assert_eq!(occurrences(&["done", "undone", "Done", "done"], "done"), 2);
        assert_eq!(occurrences(&[] as &[&str], "done"), 0);
    }
}
