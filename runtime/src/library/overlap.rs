//! How much one list of words has of another.

use std::collections::HashSet;

use crate::signature::function;

/// The share of the words of `b` that are also in `a`, from 0 to 1.
#[expect(clippy::cast_precision_loss, reason = "no list is long enough")]
pub fn overlap(a: &[impl AsRef<str>], b: &[impl AsRef<str>]) -> f64 {
    let known: HashSet<&str> = a.iter().map(AsRef::as_ref).collect();
    let shared = b.iter().filter(|word| known.contains(word.as_ref())).count();
    if b.is_empty() { 0.0 } else { shared as f64 / b.len() as f64 }
}

function! {
    FUNCTION: overlap,
    name: "overlap",
    params: { a: List<Text>, b: List<Text> },
    result: Double,
    doc: "The share of the words of `b` that are also in `a`, from 0.0 to 1.0; 0.0 when `b` is empty.",
    example: "overlap(['a', 'b', 'c'], ['b', 'x']) == 0.5",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_list_is_the_measure() {
        let (few, many) = (["a"], ["a", "b", "c", "d"]);
        assert!((overlap(&many, &few) - 1.0).abs() < f64::EPSILON);
        assert!((overlap(&few, &many) - 0.25).abs() < f64::EPSILON);
        assert!(overlap(&few, &[] as &[&str]).abs() < f64::EPSILON);
    }
}
