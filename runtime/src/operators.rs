//! The operators of the expression language that Rust does not have as they are.
//!
//! Arithmetic saturates and never overflows; a division by zero is a failure, not a panic.

use std::borrow::Cow;
use std::cell::OnceCell;

use crate::failure::{Attempt, Failure};
use crate::json::Json;
use crate::node::{Entry, Node};

/// The value in the cell, worked out when it is first asked for. A failure is not remembered.
pub fn once<T>(cell: &OnceCell<T>, work_out: impl FnOnce() -> Attempt<T>) -> Attempt<&T> {
    if let Some(value) = cell.get() {
        return Ok(value);
    }
    let value = work_out()?;
    Ok(cell.get_or_init(|| value))
}

/// Integer division.
pub fn divide(left: i64, right: i64) -> Attempt<i64> {
    left.checked_div(right).ok_or_else(|| Failure::Expression("a division by zero".to_owned()))
}

/// The remainder of an integer division.
pub fn remainder(left: i64, right: i64) -> Attempt<i64> {
    left.checked_rem(right).ok_or_else(|| Failure::Expression("a division by zero".to_owned()))
}

/// The element at that place.
pub fn element<T: Clone>(list: &[T], at: i64) -> Attempt<T> {
    usize::try_from(at)
        .ok()
        .and_then(|at| list.get(at))
        .cloned()
        .ok_or_else(|| Failure::Expression(format!("a list of {} has no element {at}", list.len())))
}

/// Two lists, one after the other.
pub fn concat<T>(left: Vec<T>, right: Vec<T>) -> Vec<T> {
    left.into_iter().chain(right).collect()
}

/// A list of text that owns its elements.
pub fn strings(list: &[impl AsRef<str>]) -> Vec<String> {
    list.iter().map(|item| item.as_ref().to_owned()).collect()
}

/// Whether the text is one of the list.
pub fn is_one_of(text: &str, list: &[impl AsRef<str>]) -> bool {
    list.iter().any(|item| item.as_ref() == text)
}

/// Whether a value of unknown shape is this one. Numbers are equal by value, anything else by kind and value.
pub fn equals(value: Node<'_>, other: &Json<'_>) -> bool {
    match (value.json(), other) {
        (Json::Int(_) | Json::Double(_), Json::Int(_) | Json::Double(_)) => number(value.json()) == number(other),
        (left, right) => left == right,
    }
}

#[expect(clippy::cast_precision_loss, reason = "that is what a double is")]
fn number(value: &Json<'_>) -> Option<f64> {
    match value {
        Json::Int(value) => Some(*value as f64),
        Json::Double(value) => Some(*value),
        _ => None,
    }
}

/// Text as a whole number.
pub fn text_to_int(text: &str) -> Attempt<i64> {
    text.trim().parse().map_err(|_| Failure::Expression(format!("`{text}` is not a whole number")))
}

/// Text as a number.
pub fn text_to_double(text: &str) -> Attempt<f64> {
    text.trim().parse().map_err(|_| Failure::Expression(format!("`{text}` is not a number")))
}

/// A number without its fraction.
#[expect(clippy::cast_possible_truncation, reason = "the cast saturates, as the language's conversion does")]
pub fn double_to_int(value: f64) -> i64 {
    value as i64
}

/// A whole number as a number with a fraction.
#[expect(clippy::cast_precision_loss, reason = "that is what a double is")]
pub fn int_to_double(value: i64) -> f64 {
    value as f64
}

/// The keys of a map.
pub fn keys(map: Node<'_>) -> Attempt<Vec<String>> {
    Ok(map.entries(|_| Ok(()))?.into_iter().map(|Entry { key, .. }| key).collect())
}

/// How many entries a map has.
pub fn map_size(map: Node<'_>) -> Attempt<i64> {
    Ok(i64::try_from(map.entries(|_| Ok(()))?.len()).unwrap_or(i64::MAX))
}

/// How many elements satisfy the condition.
pub fn count_where<T>(list: &[T], mut condition: impl FnMut(&T) -> Attempt<bool>) -> Attempt<usize> {
    let mut count = 0;
    for item in list {
        count += usize::from(condition(item)?);
    }
    Ok(count)
}

/// Whether some element satisfies the condition.
pub fn exists<T>(list: &[T], mut condition: impl FnMut(&T) -> Attempt<bool>) -> Attempt<bool> {
    for item in list {
        if condition(item)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether every element satisfies the condition.
pub fn all<T>(list: &[T], mut condition: impl FnMut(&T) -> Attempt<bool>) -> Attempt<bool> {
    for item in list {
        if !condition(item)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The elements that satisfy the condition.
pub fn filter<T: Clone>(list: &[T], mut condition: impl FnMut(&T) -> Attempt<bool>) -> Attempt<Vec<T>> {
    let mut kept = Vec::new();
    for item in list {
        if condition(item)? {
            kept.push(item.clone());
        }
    }
    Ok(kept)
}

/// What each element becomes.
pub fn map<T, U>(list: &[T], change: impl FnMut(&T) -> Attempt<U>) -> Attempt<Vec<U>> {
    list.iter().map(change).collect()
}

/// A constant for a comparison with a value of unknown shape.
pub fn text_value(text: &str) -> Json<'_> {
    Json::Text(Cow::Borrowed(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::node::Origin;

    #[test]
    fn arithmetic_fails_where_it_would_panic() {
        assert_eq!(divide(7, 2), Ok(3));
        assert!(divide(1, 0).is_err());
        assert!(divide(i64::MIN, -1).is_err());
        assert!(remainder(1, 0).is_err());
        assert!(element(&["a"], 1).is_err());
        assert!(element(&["a"], -1).is_err());
        assert_eq!(element(&["a"], 0), Ok("a"));
    }

    #[test]
    fn values_of_unknown_shape_are_equal_by_kind_and_value() {
        let value = Json::parse(r#"{"n":1,"t":"1","z":null}"#).expect("valid");
        let root = Node::new(&value, Origin::Payload);
        assert!(equals(root.at("n"), &Json::Double(1.0)));
        assert!(!equals(root.at("t"), &Json::Int(1)));
        assert!(equals(root.at("t"), &text_value("1")));
        assert!(equals(root.at("missing"), &Json::Null));
    }

    #[test]
    fn macros_stop_at_the_first_failure() {
        let broken = |_: &i32| Err(Failure::Expression("x".to_owned()));
        assert!(exists(&[1], broken).is_err());
        assert_eq!(exists(&[1, 2], |n| Ok(*n == 2)), Ok(true));
        assert_eq!(all(&[1, 2], |n| Ok(*n > 1)), Ok(false));
        assert_eq!(filter(&[1, 2, 3], |n| Ok(*n > 1)), Ok(vec![2, 3]));
        assert_eq!(count_where(&[1, 2, 3], |n| Ok(*n > 1)), Ok(2));
    }
}
