//! How long something is: a text in characters, a list in elements. Both can be asked in either call form.

use super::PURE;
use crate::signature::{Function, Type};

/// The number of characters of a text.
pub fn size(text: &str) -> i64 {
    i64::try_from(text.chars().count()).unwrap_or(i64::MAX)
}

/// The number of elements of a list.
pub fn list_size<T>(list: &[T]) -> i64 {
    i64::try_from(list.len()).unwrap_or(i64::MAX)
}

pub(super) const TEXT: Function = Function {
    name: "size",
    symbol: "size",
    receiver: Some(Type::Text),
    params: &[],
    result: Type::Int,
    doc: "The number of characters of the text.",
    example: "'añb'.size() == 3",
    ..PURE
};

pub(super) const OF_TEXT: Function = Function {
    name: "size",
    symbol: "size",
    receiver: None,
    params: &[("text", Type::Text)],
    result: Type::Int,
    doc: "The number of characters of the text.",
    example: "size('añb') == 3",
    ..PURE
};

pub(super) const LIST: Function = Function {
    name: "size",
    symbol: "list_size",
    receiver: Some(Type::List(&Type::Element)),
    params: &[],
    result: Type::Int,
    doc: "The number of elements of the list.",
    example: "['a', 'b'].size() == 2",
    ..PURE
};

pub(super) const OF_LIST: Function = Function {
    name: "size",
    symbol: "list_size",
    receiver: None,
    params: &[("list", Type::List(&Type::Element))],
    result: Type::Int,
    doc: "The number of elements of the list.",
    example: "size(['a', 'b']) == 2",
    ..PURE
};

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
