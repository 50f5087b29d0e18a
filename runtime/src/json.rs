//! A JSON value that borrows from the text it was read from, and that a constant can hold.

#[cfg(test)]
mod elsewhere;
mod in_place;

use std::borrow::Cow;
use std::fmt::{self, Write as _};
use std::ops::Deref;

use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};

/// A JSON value. Objects keep the order of the text; a repeated key counts once, the last time.
#[derive(Debug, Clone, PartialEq)]
pub enum Json<'a> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A whole number in the range of `i64`
    Int(i64),
    /// Any other number
    Double(f64),
    /// A string, borrowed from a constant or the buffer that it was read from
    Text(Cow<'a, str>),
    /// An array
    List(Many<'a, Json<'a>>),
    /// An object
    Object(Many<'a, (Cow<'a, str>, Json<'a>)>),
}

/// A sequence, borrowed in constants and owned where it was read.
///
/// Not a `Cow`: that one is invariant in its element, and a constant could not stand where a shorter-lived value is
/// asked for.
#[derive(Debug, Clone)]
pub enum Many<'a, T> {
    /// Borrowed from a constant
    Borrowed(&'a [T]),
    /// Read from text
    Owned(Vec<T>),
}

impl<T> Deref for Many<'_, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match self {
            Self::Borrowed(items) => items,
            Self::Owned(items) => items,
        }
    }
}

impl<T: PartialEq> PartialEq for Many<'_, T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T> Many<'_, T> {
    /// Nothing.
    pub const EMPTY: Self = Self::Borrowed(&[]);
}

impl<T: Serialize> Serialize for Many<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Many<'_, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(Self::Owned)
    }
}

impl<T: Clone> Many<'_, T> {
    /// The items, copied only out of a constant.
    pub fn into_vec(self) -> Vec<T> {
        match self {
            Self::Borrowed(items) => items.to_vec(),
            Self::Owned(items) => items,
        }
    }
}

impl<'a> Json<'a> {
    /// A constant string.
    pub const fn text(text: &'a str) -> Self {
        Self::Text(Cow::Borrowed(text))
    }

    /// Reads one JSON value; anything but white space after it is an error.
    pub fn parse(text: &str) -> Result<Json<'static>, String> {
        match in_place::parse(&mut text.as_bytes().to_vec()) {
            Ok(value) => Ok(value.into_owned()),
            Err(problem) => {
                let before = text.as_bytes().get(..problem.at).unwrap_or_default();
                let lines: Vec<&[u8]> = before.split(|byte| *byte == b'\n').collect();
                let column = lines.last().map_or(0, |line| line.len()) + 1;
                Err(format!("{} at line {} column {column}", problem.what, lines.len()))
            }
        }
    }

    /// The same from a buffer that is overwritten on the way, which strings are borrowed from.
    pub fn parse_in_place(text: &'a mut [u8]) -> Result<Self, String> {
        in_place::parse(text).map_err(|problem| format!("{} at byte {}", problem.what, problem.at))
    }

    /// The field of an object; `None` for anything else.
    pub fn get(&self, key: &str) -> Option<&Json<'a>> {
        match self {
            Self::Object(fields) => fields.iter().rev().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
    }

    /// What the value is, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Int(_) | Self::Double(_) => "a number",
            Self::Text(_) => "a string",
            Self::List(_) => "a list",
            Self::Object(_) => "an object",
        }
    }

    /// The same value without the text it was read from.
    pub fn into_owned(self) -> Json<'static> {
        match self {
            Self::Null => Json::Null,
            Self::Bool(value) => Json::Bool(value),
            Self::Int(value) => Json::Int(value),
            Self::Double(value) => Json::Double(value),
            Self::Text(text) => Json::Text(Cow::Owned(text.into_owned())),
            Self::List(items) => Json::List(Many::Owned(items.into_vec().into_iter().map(Json::into_owned).collect())),
            Self::Object(fields) => Json::Object(Many::Owned(
                fields
                    .into_vec()
                    .into_iter()
                    .map(|(key, value)| (Cow::Owned(key.into_owned()), value.into_owned()))
                    .collect(),
            )),
        }
    }
}

macro_rules! json_from {
    ($($kind:ty => $make:expr),* $(,)?) => {
        $(impl<'a> From<$kind> for Json<'a> {
            fn from(value: $kind) -> Self {
                $make(value)
            }
        })*
    };
}

json_from!(
    bool => Json::Bool,
    i64 => Json::Int,
    f64 => Json::Double,
    Cow<'a, str> => Json::Text,
    crate::node::Node<'a> => |node: crate::node::Node<'a>| node.json().clone(),
);

impl<'a, T: Into<Json<'a>>> From<Vec<T>> for Json<'a> {
    fn from(items: Vec<T>) -> Self {
        Json::List(Many::Owned(items.into_iter().map(Into::into).collect()))
    }
}

/// Compact JSON text.
impl fmt::Display for Json<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(value) => write!(f, "{value}"),
            Self::Int(value) => write!(f, "{value}"),
            Self::Double(value) if value.is_finite() => write!(f, "{value}"),
            // JSON has no infinity and no NaN.
            Self::Null | Self::Double(_) => f.write_str("null"),
            Self::Text(text) => quote(f, text),
            Self::List(items) => {
                f.write_char('[')?;
                for (position, item) in items.iter().enumerate() {
                    if position > 0 {
                        f.write_char(',')?;
                    }
                    write!(f, "{item}")?;
                }
                f.write_char(']')
            }
            Self::Object(fields) => {
                f.write_char('{')?;
                for (position, (key, value)) in fields.iter().enumerate() {
                    if position > 0 {
                        f.write_char(',')?;
                    }
                    quote(f, key)?;
                    write!(f, ":{value}")?;
                }
                f.write_char('}')
            }
        }
    }
}

fn quote(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    f.write_char('"')?;
    for character in text.chars() {
        match character {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            '\n' => f.write_str("\\n")?,
            '\r' => f.write_str("\\r")?,
            '\t' => f.write_str("\\t")?,
            control if (control as u32) < 0x20 => write!(f, "\\u{:04x}", control as u32)?,
            other => f.write_char(other)?,
        }
    }
    f.write_char('"')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_says_where() {
        let place = |text: &str| Json::parse(text).expect_err(text);
        assert_eq!(place("{\n  \"a\": 1,\n  b: 2\n}"), "a key is missing at line 3 column 3");
        assert_eq!(place(""), "a value is missing at line 1 column 1");
        assert_eq!(Json::parse_in_place(&mut b"[1,x]".to_vec()), Err("no value begins like this at byte 3".to_owned()));
    }

    #[test]
    fn half_a_pair_is_read_in_documents_and_state_too() {
        assert_eq!(Json::parse(r#"["\udc00\ud83d"]"#).expect("read").to_string(), "[\"\u{fffd}\u{fffd}\"]");
    }

    #[test]
    fn display_round_trips() {
        let source = r#"{"a":[1,-2,0.5,null,true],"b":{"c":"\"\\\n"},"big":1e300}"#;
        let value = Json::parse(source).expect("valid");
        assert_eq!(Json::parse(&value.to_string()).expect("valid"), value);
    }

    #[test]
    fn a_repeated_key_counts_the_last_time() {
        let value = Json::parse(r#"{"a":1,"a":2}"#).expect("valid");
        assert_eq!(value.get("a"), Some(&Json::Int(2)));
    }

    #[test]
    fn a_constant_can_hold_a_value() {
        static TABLE: Json<'static> = Json::Object(Many::Borrowed(&[(
            Cow::Borrowed("names"),
            Json::List(Many::Borrowed(&[Json::text("a"), Json::Int(1)])),
        )]));
        assert_eq!(TABLE.to_string(), r#"{"names":["a",1]}"#);
    }

    #[test]
    fn nesting_beyond_the_limit_is_an_error_and_no_overflow() {
        assert!(Json::parse(&"[".repeat(100_000)).is_err());
    }
}
