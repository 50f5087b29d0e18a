//! What a YAML scalar means: the core schema of YAML 1.2, under which `no` and `017` are not what they were in 1.1.

use std::borrow::Cow;

use granit_parser::{ScalarStyle, Tag};

use crate::json::Json;

/// A scalar as written, with what decides its type.
pub(super) struct Scalar<'a> {
    text: Cow<'a, str>,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Without quotes or tag: the text decides.
    Plain,
    Text,
    Int,
    Double,
    Bool,
    Null,
}

impl<'a> Scalar<'a> {
    pub(super) fn new(text: Cow<'a, str>, style: ScalarStyle, tag: Option<&Tag>) -> Self {
        let kind = match tag.map(Tag::core_suffix) {
            None if style == ScalarStyle::Plain => Kind::Plain,
            Some(Some("int")) => Kind::Int,
            Some(Some("float")) => Kind::Double,
            Some(Some("bool")) => Kind::Bool,
            Some(Some("null")) => Kind::Null,
            _ => Kind::Text,
        };
        Self { text, kind }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn is_merge_key(&self) -> bool {
        self.kind == Kind::Plain && self.text == "<<"
    }

    /// The value, or why the text is not of the type its tag asks for.
    pub(super) fn value(&self) -> Result<Json<'static>, String> {
        let text = self.text.as_ref();
        let (value, expected) = match self.kind {
            Kind::Plain => {
                return Ok(null(text).or_else(|| boolean(text)).or_else(|| number(text)).unwrap_or_else(|| own(text)));
            }
            Kind::Text => return Ok(own(text)),
            Kind::Int => (number(text).filter(|value| matches!(value, Json::Int(_))), "a whole number"),
            Kind::Double => (number(text).map(widen), "a number"),
            Kind::Bool => (boolean(text), "true or false"),
            Kind::Null => (null(text), "null"),
        };
        value.ok_or_else(|| format!("`{}` is tagged as {expected}", text.escape_debug()))
    }
}

fn own(text: &str) -> Json<'static> {
    Json::Text(Cow::Owned(text.to_owned()))
}

fn null(text: &str) -> Option<Json<'static>> {
    matches!(text, "" | "~" | "null" | "Null" | "NULL").then_some(Json::Null)
}

fn boolean(text: &str) -> Option<Json<'static>> {
    match text {
        "true" | "True" | "TRUE" => Some(Json::Bool(true)),
        "false" | "False" | "FALSE" => Some(Json::Bool(false)),
        _ => None,
    }
}

fn number(text: &str) -> Option<Json<'static>> {
    if let Some(digits) = text.strip_prefix("0x") {
        return in_radix(digits, 16);
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return in_radix(digits, 8);
    }
    let (negative, unsigned) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    match unsigned {
        ".inf" | ".Inf" | ".INF" => {
            return Some(Json::Double(if negative { f64::NEG_INFINITY } else { f64::INFINITY }));
        }
        ".nan" | ".NaN" | ".NAN" if unsigned.len() == text.len() => return Some(Json::Double(f64::NAN)),
        _ => {}
    }
    // Rust would also read `inf`, `nan` and `infinity`, which are words in YAML.
    if !unsigned.starts_with(|first: char| first.is_ascii_digit() || first == '.') {
        return None;
    }
    if unsigned.contains(|character: char| !matches!(character, '0'..='9' | '.' | 'e' | 'E' | '+' | '-')) {
        return None;
    }
    text.parse().map(Json::Int).or_else(|_| text.parse().map(Json::Double)).ok()
}

/// A number beyond `i64` is as near as a double comes, as it is in JSON.
fn in_radix(digits: &str, radix: u32) -> Option<Json<'static>> {
    let values: Option<Vec<u32>> = digits.chars().map(|digit| digit.to_digit(radix)).collect();
    let values = values.filter(|values| !values.is_empty())?;
    let exact = i64::from_str_radix(digits, radix).map(Json::Int);
    let rough = || values.iter().fold(0.0, |sum, digit| sum * f64::from(radix) + f64::from(*digit));
    Some(exact.unwrap_or_else(|_| Json::Double(rough())))
}

#[expect(clippy::cast_precision_loss, reason = "the tag asks for a double")]
fn widen(value: Json<'static>) -> Json<'static> {
    match value {
        Json::Int(value) => Json::Double(value as f64),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;

    #[test]
    fn plain_scalars_follow_the_core_schema() {
        for (text, expected) in [
            ("~", Json::Null),
            ("NULL", Json::Null),
            ("True", Json::Bool(true)),
            ("false", Json::Bool(false)),
            ("-12", Json::Int(-12)),
            ("+7", Json::Int(7)),
            ("017", Json::Int(17)),
            ("0x1F", Json::Int(31)),
            ("0o17", Json::Int(15)),
            ("1.5", Json::Double(1.5)),
            ("1.", Json::Double(1.0)),
            ("-.5", Json::Double(-0.5)),
            ("1e3", Json::Double(1000.0)),
            ("-.inf", Json::Double(f64::NEG_INFINITY)),
            ("99999999999999999999", Json::Double(1e20)),
            ("0xFFFFFFFFFFFFFFFF", Json::Double(18_446_744_073_709_551_615.0)),
        ] {
            assert_eq!(parse(text), Ok(expected), "{text}");
        }
        assert!(matches!(parse(".nan"), Ok(Json::Double(value)) if value.is_nan()));
    }

    #[test]
    fn everything_else_is_text() {
        for text in [
            "yes",
            "no",
            "on",
            "nan",
            "inf",
            "infinity",
            "1.2.3",
            "1_000",
            "0b1",
            "0x",
            "0o8",
            "2026-02-04",
            "12:30",
            "e5",
            ".",
            "+",
            "tRue",
            "0x-1",
            "-0x1",
            "1e",
            "+.nan",
        ] {
            assert_eq!(parse(text), Ok(own(text)), "{text}");
        }
    }

    #[test]
    fn quoted_and_block_scalars_are_text() {
        for (text, expected) in
            [("'1'", "1"), ("\"true\"", "true"), ("''", ""), ("|-\n  1", "1"), (">-\n  null", "null")]
        {
            assert_eq!(parse(text), Ok(own(expected)), "{text}");
        }
    }

    #[test]
    fn tags_decide_and_are_checked() {
        assert_eq!(parse("!!str 1"), Ok(own("1")));
        assert_eq!(parse("! 1"), Ok(own("1")));
        assert_eq!(parse("!local 1"), Ok(own("1")));
        assert_eq!(parse("!!int '7'"), Ok(Json::Int(7)));
        assert_eq!(parse("!!float 7"), Ok(Json::Double(7.0)));
        assert_eq!(parse("!!bool 'true'"), Ok(Json::Bool(true)));
        assert_eq!(parse("!!null ''"), Ok(Json::Null));
        for text in ["!!int 1.5", "!!int x", "!!bool 1", "!!float no", "!!null x"] {
            assert!(parse(text).expect_err(text).contains("is tagged as"), "{text}");
        }
    }
}
