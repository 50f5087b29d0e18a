//! The end of a list.

use super::PURE;
use crate::signature::{Function, Type};

/// The last elements, in their order; all of them if there are no more.
pub fn take_last(list: &[impl AsRef<str>], count: i64) -> Vec<String> {
    let surplus = list.len().saturating_sub(usize::try_from(count).unwrap_or(0));
    list.iter().skip(surplus).map(|element| element.as_ref().to_owned()).collect()
}

pub(super) const FUNCTION: Function = Function {
    name: "takeLast",
    symbol: "take_last",
    receiver: Some(Type::List(&Type::Text)),
    params: &[("count", Type::Int)],
    result: Type::List(&Type::Text),
    doc: "The last elements, so many at most, in their order.",
    example: "['a', 'b', 'c'].takeLast(2) == ['b', 'c']",
    ..PURE
};

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
