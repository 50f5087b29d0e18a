//! A list without repetitions.

use std::collections::HashSet;

use super::PURE;
use crate::signature::{Function, Type};

/// The elements without those that came before.
pub fn distinct(list: &[impl AsRef<str>]) -> Vec<String> {
    let mut seen = HashSet::new();
    list.iter().map(AsRef::as_ref).filter(|text| seen.insert(*text)).map(str::to_owned).collect()
}

pub(super) const FUNCTION: Function = Function {
    name: "distinct",
    symbol: "distinct",
    receiver: Some(Type::List(&Type::Text)),
    params: &[],
    result: Type::List(&Type::Text),
    doc: "The elements in their order, each once.",
    example: "['b', 'a', 'b'].distinct() == ['b', 'a']",
    ..PURE
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_equal_elements_stays() {
        assert_eq!(distinct(&["b", "a", "b", "B"]), ["b", "a", "B"]);
    }
}
