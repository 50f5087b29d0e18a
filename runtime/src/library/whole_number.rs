//! A number out of a value that somebody else wrote.

use crate::json::Json;
use crate::node::Node;
use crate::signature::function;

/// The whole number that a value is or begins with; 0 if it is none. Unlike a field that is typed as a number, it never
/// fails: one odd entry of a file does not keep the others from being judged.
pub fn whole_number(value: Node<'_>) -> i64 {
    match value.json() {
        Json::Int(value) => *value,
        Json::Double(value) => saturated(*value),
        Json::Text(text) => whole_number_of_text(text),
        _ => 0,
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the cast saturates, and this never fails")]
fn saturated(value: f64) -> i64 {
    value as i64
}

/// The whole number that a text begins with; 0 if it begins with none.
pub fn whole_number_of_text(text: &str) -> i64 {
    let text = text.trim_start();
    let sign = usize::from(text.starts_with('-'));
    let digits = text.bytes().skip(sign).take_while(u8::is_ascii_digit).count();
    let written = text.get(..sign + digits).unwrap_or_default();
    match written.parse() {
        Ok(number) => number,
        Err(_) if digits == 0 => 0,
        Err(_) if sign == 1 => i64::MIN,
        Err(_) => i64::MAX,
    }
}

function! {
    FUNCTION: whole_number,
    name: "wholeNumber",
    params: { value: Any },
    result: Int,
    doc: "The whole number that the value is, or that its text begins with, without a fraction. Anything else is 0, so \
           that it suits files that nobody checks.",
    example: "wholeNumber({'a': 1}) == 0",
}

function! {
    TEXT: whole_number_of_text,
    name: "wholeNumber",
    params: { text: Text },
    result: Int,
    doc: "The whole number that the text begins with; 0 if it begins with none.",
    example: "wholeNumber('12 of 20') == 12 && wholeNumber('many') == 0",
}

#[cfg(test)]
mod tests {
    use crate::node::Origin;

    use super::*;

    fn number(json: &str) -> i64 {
        whole_number(Node::new(&Json::parse(json).expect(json), Origin::Payload))
    }

    #[test]
    fn a_number_loses_its_fraction() {
        assert_eq!((number("7"), number("0.5"), number("-1.5"), number("1e30")), (7, 0, -1, i64::MAX));
    }

    #[test]
    fn a_text_counts_as_far_as_it_is_a_number() {
        assert_eq!((number(r#"" 12 of 20""#), number(r#""-3""#), number(r#""2.9""#)), (12, -3, 2));
        assert_eq!((number(r#""many""#), number(r#""-""#), number(r#""""#)), (0, 0, 0));
        assert_eq!(number(r#""99999999999999999999""#), i64::MAX);
        assert_eq!(number(r#""-99999999999999999999""#), i64::MIN);
    }

    #[test]
    fn what_is_no_number_is_zero() {
        for json in ["null", "true", "[1]", r#"{"a":1}"#] {
            assert_eq!(number(json), 0, "{json}");
        }
    }
}
