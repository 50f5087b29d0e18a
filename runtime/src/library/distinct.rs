//! A list without repetitions.

use std::collections::HashSet;

use crate::signature::function;

/// The elements without those that came before.
pub fn distinct(list: &[impl AsRef<str>]) -> Vec<String> {
    let mut seen = HashSet::new();
    list.iter().map(AsRef::as_ref).filter(|text| seen.insert(*text)).map(str::to_owned).collect()
}

function! {
    FUNCTION: distinct,
    name: "distinct",
    receiver: List<Text>,
    params: {},
    result: List<Text>,
    doc: "The elements in their order, each once.",
    example: "['b', 'a', 'b'].distinct() == ['b', 'a']",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_equal_elements_stays() {
        assert_eq!(distinct(&["b", "a", "b", "B"]), ["b", "a", "B"]);
    }
}
