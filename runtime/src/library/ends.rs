//! The outermost elements of a list.

use super::PURE;
use crate::signature::{Function, Type};

/// The first element; empty text if there is none.
pub fn first(list: &[impl AsRef<str>]) -> String {
    list.first().map(|text| text.as_ref().to_owned()).unwrap_or_default()
}

/// The last element; empty text if there is none.
pub fn last(list: &[impl AsRef<str>]) -> String {
    list.last().map(|text| text.as_ref().to_owned()).unwrap_or_default()
}

pub(super) const FIRST: Function = Function {
    name: "first",
    symbol: "first",
    receiver: Some(Type::List(&Type::Text)),
    params: &[],
    result: Type::Text,
    doc: "The first element; empty text if there is none.",
    example: "['a', 'b'].first() == 'a'",
    ..PURE
};

pub(super) const LAST: Function = Function {
    name: "last",
    symbol: "last",
    receiver: Some(Type::List(&Type::Text)),
    params: &[],
    result: Type::Text,
    doc: "The last element; empty text if there is none.",
    example: "['a', 'b'].last() == 'b'",
    ..PURE
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_list_ends_in_empty_text() {
        assert_eq!((first(&["a", "b"]).as_str(), last(&["a", "b"]).as_str()), ("a", "b"));
        assert_eq!((first(&[] as &[&str]), last(&[] as &[&str])), (String::new(), String::new()));
    }
}
