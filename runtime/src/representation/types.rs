//! The types of values at run time.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The type of a value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Type {
    /// `true` or `false`.
    Bool,
    /// A whole number.
    Int,
    /// A number with a fraction.
    Double,
    /// Text.
    Text,
    /// A place in a payload, a document or a table, whatever it holds.
    Node,
    /// A place that holds a record or nothing.
    Record,
    /// A list.
    List(Box<Type>),
    /// A key and a value of a map.
    Entry(Box<Type>),
    /// An element of a list with its place.
    Numbered(Box<Type>),
    /// A value that the library makes, by its name.
    Object(String),
    /// A regular expression, which only functions take.
    Pattern,
}

impl Type {
    /// A list of these.
    #[must_use]
    pub fn list(self) -> Self {
        Self::List(Box::new(self))
    }

    /// Whether a value of it is copied as it stands.
    pub fn is_plain(&self) -> bool {
        matches!(self, Self::Bool | Self::Int | Self::Double | Self::Node | Self::Record)
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool => f.write_str("bool"),
            Self::Int => f.write_str("int"),
            Self::Double => f.write_str("double"),
            Self::Text => f.write_str("string"),
            Self::Node => f.write_str("any"),
            Self::Record => f.write_str("record"),
            Self::List(of) => write!(f, "list<{of}>"),
            Self::Entry(of) => write!(f, "entry<{of}>"),
            Self::Numbered(of) => write!(f, "element<{of}>"),
            Self::Object(name) => f.write_str(name),
            Self::Pattern => f.write_str("pattern"),
        }
    }
}
