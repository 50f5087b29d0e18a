//! The operators of the expression language: one meaning each, for compiled and for evaluated expressions.
//!
//! They are CEL's. A logical operator does not care about a side that fails if the other one settles the matter, nor do
//! `all` and `exists` about an element; whole numbers do not wrap around and do not saturate: what has no result fails.

use std::cell::OnceCell;
use std::cmp::Ordering;

use crate::failure::{Attempt, Failure};
use crate::json::{Json, Many};
use crate::node::{Entry, Node, Numbered};
use crate::text::Text;

/// The value in the cell, worked out when it is first asked for. A failure is not remembered.
pub fn once<T>(cell: &OnceCell<T>, work_out: impl FnOnce() -> Attempt<T>) -> Attempt<&T> {
    if let Some(value) = cell.get() {
        return Ok(value);
    }
    let value = work_out()?;
    Ok(cell.get_or_init(|| value))
}

/// Both conditions; false as soon as one is, even where the other fails.
pub fn both(one: impl FnOnce() -> Attempt<bool>, other: impl FnOnce() -> Attempt<bool>) -> Attempt<bool> {
    match one() {
        Ok(true) => other(),
        Ok(false) => Ok(false),
        Err(failure) => match other() {
            Ok(false) => Ok(false),
            _ => Err(failure),
        },
    }
}

/// One condition or both; true as soon as one is, even where the other fails.
pub fn either(one: impl FnOnce() -> Attempt<bool>, other: impl FnOnce() -> Attempt<bool>) -> Attempt<bool> {
    match one() {
        Ok(false) => other(),
        Ok(true) => Ok(true),
        Err(failure) => match other() {
            Ok(true) => Ok(true),
            _ => Err(failure),
        },
    }
}

fn overflow() -> Failure {
    Failure::Expression("a whole number is out of range".to_owned())
}

fn division_by_zero() -> Failure {
    Failure::Expression("a division by zero".to_owned())
}

/// The sum of whole numbers.
pub fn add(left: i64, right: i64) -> Attempt<i64> {
    left.checked_add(right).ok_or_else(overflow)
}

/// The difference of whole numbers.
pub fn subtract(left: i64, right: i64) -> Attempt<i64> {
    left.checked_sub(right).ok_or_else(overflow)
}

/// The product of whole numbers.
pub fn multiply(left: i64, right: i64) -> Attempt<i64> {
    left.checked_mul(right).ok_or_else(overflow)
}

/// The quotient of whole numbers, without its fraction.
pub fn divide(left: i64, right: i64) -> Attempt<i64> {
    if right == 0 { Err(division_by_zero()) } else { left.checked_div(right).ok_or_else(overflow) }
}

/// The remainder of a division of whole numbers.
pub fn remainder(left: i64, right: i64) -> Attempt<i64> {
    if right == 0 { Err(division_by_zero()) } else { left.checked_rem(right).ok_or_else(overflow) }
}

/// A whole number with the other sign.
pub fn negate(value: i64) -> Attempt<i64> {
    value.checked_neg().ok_or_else(overflow)
}

/// A path from its pieces: empty, which is no file, as soon as one of them is.
pub fn path(pieces: &[&str]) -> String {
    if pieces.iter().any(|piece| piece.is_empty()) { String::new() } else { pieces.concat() }
}

/// The element at that place.
pub fn element<T>(list: &[T], at: i64) -> Attempt<&T> {
    usize::try_from(at)
        .ok()
        .and_then(|at| list.get(at))
        .ok_or_else(|| Failure::Expression(format!("a list of {} has no element {at}", list.len())))
}

/// Texts that a function of the library made, as values.
pub fn texts(list: Vec<String>) -> Vec<Text<'static>> {
    list.into_iter().map(Text::Owned).collect()
}

/// Two lists, one after the other.
pub fn append<T>(mut left: Vec<T>, right: Vec<T>) -> Vec<T> {
    left.extend(right);
    left
}

/// Whether the text is one of the list.
pub fn is_one_of(text: &str, list: &[impl AsRef<str>]) -> bool {
    list.iter().any(|item| item.as_ref() == text)
}

/// Whether two lists hold the same texts in the same order.
pub fn same_texts(one: &[impl AsRef<str>], other: &[impl AsRef<str>]) -> bool {
    one.iter().map(AsRef::as_ref).eq(other.iter().map(AsRef::as_ref))
}

/// Whether two lists hold the same values in the same order.
pub fn same_list<T: PartialEq>(one: &[T], other: &[T]) -> bool {
    one == other
}

/// Whether a value of unknown shape is this one. Numbers are equal by value, anything else by kind and value.
pub fn equals(value: Node<'_>, other: &Json<'_>) -> bool {
    same(value.json(), other)
}

/// Whether one of the values of unknown shape is this one.
pub fn is_among(list: &[Node<'_>], value: &Json<'_>) -> bool {
    list.iter().any(|item| same(item.json(), value))
}

fn same(one: &Json<'_>, other: &Json<'_>) -> bool {
    match (one, other) {
        (Json::Int(whole), Json::Double(number)) | (Json::Double(number), Json::Int(whole)) => {
            same_number(*whole, *number)
        }
        (Json::List(ones), Json::List(others)) => {
            ones.len() == others.len() && ones.iter().zip(others.iter()).all(|(one, other)| same(one, other))
        }
        (Json::Object(ones), Json::Object(others)) => {
            ones.len() == others.len()
                && ones.iter().all(|(key, one)| other.get(key).is_some_and(|other| same(one, other)))
        }
        (one, other) => one == other,
    }
}

/// A number of either kind.
#[derive(Debug, Clone, Copy)]
pub enum Number {
    /// A whole one.
    Int(i64),
    /// Any other.
    Double(f64),
}

impl From<i64> for Number {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<f64> for Number {
    fn from(value: f64) -> Self {
        Self::Double(value)
    }
}

/// How two numbers compare by value, whatever their kinds. Exactly: not every whole number is a double.
pub fn order(one: impl Into<Number>, other: impl Into<Number>) -> Option<Ordering> {
    match (one.into(), other.into()) {
        (Number::Int(one), Number::Int(other)) => Some(one.cmp(&other)),
        (Number::Double(one), Number::Double(other)) => one.partial_cmp(&other),
        (Number::Int(whole), Number::Double(number)) => mixed(whole, number),
        (Number::Double(number), Number::Int(whole)) => mixed(whole, number).map(Ordering::reverse),
    }
}

/// Whether two numbers are equal by value.
pub fn same_number(one: impl Into<Number>, other: impl Into<Number>) -> bool {
    order(one, other) == Some(Ordering::Equal)
}

/// 2^63: every double below it, and not below its negative, has a whole part that fits.
const LIMIT: f64 = 9_223_372_036_854_775_808.0;

fn mixed(whole: i64, number: f64) -> Option<Ordering> {
    if number.is_nan() {
        return None;
    }
    if number >= LIMIT {
        return Some(Ordering::Less);
    }
    if number < -LIMIT {
        return Some(Ordering::Greater);
    }
    #[expect(clippy::cast_possible_truncation, reason = "the range was just checked")]
    let floor = number.floor() as i64;
    Some(whole.cmp(&floor).then(if number > number.floor() { Ordering::Less } else { Ordering::Equal }))
}

/// Text as a whole number: digits, perhaps with a sign.
pub fn text_to_int(text: &str) -> Attempt<i64> {
    text.trim().parse().map_err(|_| Failure::Expression(format!("`{text}` is not a whole number")))
}

/// Text as a number.
pub fn text_to_double(text: &str) -> Attempt<f64> {
    text.trim().parse().map_err(|_| Failure::Expression(format!("`{text}` is not a number")))
}

/// Text as a truth value, in one of the spellings that CEL knows.
pub fn text_to_bool(text: &str) -> Attempt<bool> {
    match text {
        "1" | "t" | "true" | "True" | "TRUE" => Ok(true),
        "0" | "f" | "false" | "False" | "FALSE" => Ok(false),
        _ => Err(Failure::Expression(format!("`{text}` is neither true nor false"))),
    }
}

/// A number without its fraction.
#[expect(clippy::cast_possible_truncation, reason = "the range is checked")]
pub fn double_to_int(value: f64) -> Attempt<i64> {
    if value > -LIMIT && value < LIMIT { Ok(value as i64) } else { Err(overflow()) }
}

/// A whole number as a number with a fraction.
#[expect(clippy::cast_precision_loss, reason = "that is what a double is")]
pub fn int_to_double(value: i64) -> f64 {
    value as f64
}

/// The keys of a map.
pub fn keys(map: Node<'_>) -> Attempt<Vec<Text<'_>>> {
    Ok(map.entries(|_| Ok(()))?.into_iter().map(|Entry { key, .. }| key).collect())
}

/// How many entries a map has.
pub fn map_size(map: Node<'_>) -> Attempt<i64> {
    Ok(i64::try_from(map.entries(|_| Ok(()))?.len()).unwrap_or(i64::MAX))
}

/// The elements of a list, each with its place.
pub fn numbered<T>(list: Vec<T>) -> Vec<Numbered<T>> {
    (0..).zip(list).map(|(key, value)| Numbered { key, value }).collect()
}

/// A map made on the spot.
pub fn object(entries: Vec<(Text<'_>, Json<'_>)>) -> Attempt<Json<'static>> {
    let mut fields: Vec<(Text<'static>, Json<'static>)> = Vec::with_capacity(entries.len());
    for (key, value) in entries {
        if fields.iter().any(|(known, _)| *known == key) {
            return Err(Failure::Expression(format!("a map has the key `{key}` twice")));
        }
        fields.push((Text::Owned(key.into_owned()), value.into_owned()));
    }
    Ok(Json::Object(Many::Owned(fields)))
}

/// A map with the keys of the entries, and what each of their values becomes.
pub fn transform_map<'l, 'j, T>(
    list: &'l [Entry<'_, T>],
    mut change: impl FnMut(&'l Entry<'_, T>) -> Attempt<Json<'j>>,
) -> Attempt<Json<'static>> {
    let mut fields = Vec::with_capacity(list.len());
    for entry in list {
        fields.push((Text::Owned(entry.key.to_string()), change(entry)?.into_owned()));
    }
    Ok(Json::Object(Many::Owned(fields)))
}

/// Whether exactly one element satisfies the condition; every element is asked.
pub fn exists_one<'l, T>(list: &'l [T], mut condition: impl FnMut(&'l T) -> Attempt<bool>) -> Attempt<bool> {
    let mut count = 0_usize;
    for item in list {
        count += usize::from(condition(item)?);
    }
    Ok(count == 1)
}

/// Whether some element satisfies the condition, even where another one cannot be asked.
pub fn exists<'l, T>(list: &'l [T], mut condition: impl FnMut(&'l T) -> Attempt<bool>) -> Attempt<bool> {
    let mut failed = None;
    for item in list {
        match condition(item) {
            Ok(true) => return Ok(true),
            Ok(false) => {}
            Err(failure) => failed = failed.or(Some(failure)),
        }
    }
    failed.map_or(Ok(false), Err)
}

/// Whether every element satisfies the condition; one that does not settles it, even where another cannot be asked.
pub fn all<'l, T>(list: &'l [T], mut condition: impl FnMut(&'l T) -> Attempt<bool>) -> Attempt<bool> {
    let mut failed = None;
    for item in list {
        match condition(item) {
            Ok(false) => return Ok(false),
            Ok(true) => {}
            Err(failure) => failed = failed.or(Some(failure)),
        }
    }
    failed.map_or(Ok(true), Err)
}

/// The elements that satisfy the condition.
pub fn filter<'l, T: Clone>(list: &'l [T], mut condition: impl FnMut(&'l T) -> Attempt<bool>) -> Attempt<Vec<T>> {
    let mut kept = Vec::new();
    for item in list {
        if condition(item)? {
            kept.push(item.clone());
        }
    }
    Ok(kept)
}

/// What each element becomes.
pub fn map<'l, T, U>(list: &'l [T], change: impl FnMut(&'l T) -> Attempt<U>) -> Attempt<Vec<U>> {
    list.iter().map(change).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::node::Origin;

    fn broken() -> Failure {
        Failure::Expression("x".to_owned())
    }

    #[test]
    fn arithmetic_fails_where_it_has_no_result() {
        assert_eq!(divide(7, 2), Ok(3));
        assert_eq!(remainder(-7, 2), Ok(-1));
        for failed in [
            add(i64::MAX, 1),
            subtract(i64::MIN, 1),
            multiply(i64::MAX, 2),
            divide(1, 0),
            divide(i64::MIN, -1),
            remainder(1, 0),
            negate(i64::MIN),
            double_to_int(1e99),
            double_to_int(f64::NAN),
        ] {
            assert!(failed.is_err());
        }
        assert!(element(&["a"], 1).is_err() && element(&["a"], -1).is_err());
        assert_eq!(element(&["a"], 0), Ok(&"a"));
    }

    #[test]
    fn a_side_that_settles_it_makes_up_for_one_that_fails() {
        let fails = || Err(broken());
        assert_eq!(both(fails, || Ok(false)), Ok(false));
        assert_eq!(both(|| Ok(false), fails), Ok(false));
        assert!(both(fails, || Ok(true)).is_err() && both(|| Ok(true), fails).is_err());
        assert_eq!(either(fails, || Ok(true)), Ok(true));
        assert_eq!(either(|| Ok(true), fails), Ok(true));
        assert!(either(fails, || Ok(false)).is_err() && either(|| Ok(false), fails).is_err());
    }

    #[test]
    fn an_element_that_settles_it_makes_up_for_those_that_fail() {
        let odd = |number: &i64| if *number == 0 { Err(broken()) } else { Ok(number % 2 == 1) };
        assert_eq!(exists(&[0, 1], odd), Ok(true));
        assert!(exists(&[0, 2], odd).is_err());
        assert_eq!(all(&[0, 2], odd), Ok(false));
        assert!(all(&[0, 1], odd).is_err());
        assert!(exists_one(&[1, 0], odd).is_err() && filter(&[0], odd).is_err());
        assert_eq!(exists_one(&[1, 2], odd), Ok(true));
        assert_eq!(filter(&[1, 2, 3], odd), Ok(vec![1, 3]));
        assert_eq!(map(&[1, 2], |n| Ok(n + 1)), Ok(vec![2, 3]));
    }

    #[test]
    fn maps_have_each_key_once_and_keep_their_keys() {
        let made = |keys: [&'static str; 2]| object(keys.map(|key| (key.into(), Json::Int(1))).into());
        assert_eq!(made(["a", "b"]).expect("a map").to_string(), r#"{"a":1,"b":1}"#);
        assert_eq!(made(["a", "a"]).expect_err("twice").to_string(), "a map has the key `a` twice");
        let list = [Entry { key: "a".into(), value: 1 }, Entry { key: "b".into(), value: 0 }];
        let changed = transform_map(&list, |entry| Ok(Json::Int(entry.value + 1)));
        assert_eq!(changed.expect("a map").to_string(), r#"{"a":2,"b":1}"#);
        assert!(transform_map(&list, |entry| Ok(Json::Int(divide(1, entry.value)?))).is_err());
        assert_eq!(numbered(vec!["x", "y"]).iter().map(|one| (one.key, one.value)).next_back(), Some((1, "y")));
    }

    #[test]
    fn values_of_unknown_shape_are_equal_by_kind_and_value() {
        let value = Json::parse(r#"{"n":1,"t":"1","z":null,"l":[1,2.0]}"#).expect("valid");
        let root = Node::new(&value, Origin::Payload);
        let list = Json::parse("[1.0, 2]").expect("valid");
        assert!(equals(root.at("n"), &Json::Double(1.0)) && equals(root.at("l"), &list));
        assert!(!equals(root.at("t"), &Json::Int(1)));
        assert!(equals(root.at("t"), &Json::text("1")));
        assert!(equals(root.at("missing"), &Json::Null));
    }

    #[test]
    fn whole_numbers_and_others_compare_exactly() {
        let large = 9_007_199_254_740_993;
        assert_eq!(order(large, 9_007_199_254_740_992.0), Some(Ordering::Greater));
        assert_eq!(order(1, 1.0), Some(Ordering::Equal));
        assert_eq!(order(1, 1.5), Some(Ordering::Less));
        assert_eq!(order(-1, -1.5), Some(Ordering::Greater));
        assert_eq!(order(i64::MAX, 1e99), Some(Ordering::Less));
        assert_eq!(order(i64::MIN, -1e99), Some(Ordering::Greater));
        assert_eq!(order(i64::MIN, -9_223_372_036_854_775_808.0), Some(Ordering::Equal));
        assert_eq!(order(1, f64::NAN), None);
    }
}
