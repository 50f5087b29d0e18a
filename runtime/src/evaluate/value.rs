//! Values of evaluated expressions.

use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use std::rc::Rc;

use crate::failure::Failure;
use crate::json::{Json, Many};
use crate::node::Node;
use crate::operators;
use crate::pattern::Pattern;
use crate::signature::Type;
use crate::text::Text;

/// A value. A copy costs next to nothing, since the same fact is asked for again and again.
#[derive(Debug, Clone)]
pub enum Value<'v> {
    /// `true` or `false`
    Bool(bool),
    /// A whole number
    Int(i64),
    /// Another number
    Double(f64),
    /// A string
    Text(Shared<'v>),
    /// A place in a payload, a document or a table
    Node(Node<'v>),
    /// A list
    List(Rc<Vec<Value<'v>>>),
    /// A key and a value of a map
    Entry(Rc<(Shared<'v>, Value<'v>)>),
    /// An element of a list and its place
    Numbered(Rc<(i64, Value<'v>)>),
    /// A value that the library made
    Thing(Rc<dyn Thing>),
    /// A regular expression, which only functions take
    Pattern(&'v Pattern),
}

/// Text that is borrowed from where it was found, or shared by all who know it.
#[derive(Debug, Clone)]
pub enum Shared<'v> {
    /// From the event, a document or the catalog
    Borrowed(&'v str),
    /// Worked out
    Made(Rc<String>),
}

/// A value of the library with named parts; `object!` makes a type one.
pub trait Thing: Any + fmt::Debug {
    /// What such values are called.
    fn name(&self) -> &'static str;

    /// The part of that name.
    fn part(&self, name: &str) -> Option<Value<'static>>;

    /// The names, types and meanings of its parts.
    fn parts(&self) -> &'static [(&'static str, Type, &'static str)];
}

impl Deref for Shared<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            Self::Borrowed(text) => text,
            Self::Made(text) => text,
        }
    }
}

impl AsRef<str> for Shared<'_> {
    fn as_ref(&self) -> &str {
        self
    }
}

impl From<String> for Shared<'_> {
    fn from(text: String) -> Self {
        Self::Made(Rc::new(text))
    }
}

impl<'v> From<Text<'v>> for Shared<'v> {
    fn from(text: Text<'v>) -> Self {
        match text {
            Cow::Borrowed(text) => Self::Borrowed(text),
            Cow::Owned(text) => text.into(),
        }
    }
}

impl<'v> From<Shared<'v>> for Text<'v> {
    fn from(text: Shared<'v>) -> Self {
        match text {
            Shared::Borrowed(text) => Cow::Borrowed(text),
            Shared::Made(text) => Cow::Owned(Rc::unwrap_or_clone(text)),
        }
    }
}

impl<'v> Value<'v> {
    /// Text that was found or worked out.
    pub fn text(text: impl Into<Shared<'v>>) -> Self {
        Self::Text(text.into())
    }

    /// A list of values.
    pub fn list(values: Vec<Value<'v>>) -> Self {
        Self::List(Rc::new(values))
    }

    /// The value as JSON: what it is compared as with a place of unknown shape, and how it is shown. Things of the library
    /// are shown by their parts.
    pub fn json(&self) -> Json<'v> {
        let object = |fields| Json::Object(Many::Owned(fields));
        match self {
            Self::Bool(value) => Json::Bool(*value),
            Self::Int(value) => Json::Int(*value),
            Self::Double(value) => Json::Double(*value),
            Self::Text(text) => Json::Text(text.clone().into()),
            Self::Node(node) => node.json().clone(),
            Self::List(items) => Json::List(Many::Owned(items.iter().map(Self::json).collect())),
            Self::Entry(entry) => object(vec![
                (Cow::Borrowed("key"), Json::Text(entry.0.clone().into())),
                (Cow::Borrowed("value"), entry.1.json()),
            ]),
            Self::Numbered(element) => {
                object(vec![(Cow::Borrowed("place"), Json::Int(element.0)), (Cow::Borrowed("value"), element.1.json())])
            }
            Self::Thing(thing) => {
                let parts = thing.parts().iter();
                object(parts.filter_map(|(name, ..)| Some(((*name).into(), thing.part(name)?.json()))).collect())
            }
            Self::Pattern(pattern) => Json::Text(pattern.source().to_owned().into()),
        }
    }

    /// What kind of value it is, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Bool(_) => "a bool",
            Self::Int(_) => "an int",
            Self::Double(_) => "a double",
            Self::Text(_) => "a string",
            Self::Node(_) => "a place",
            Self::List(_) => "a list",
            Self::Entry(_) => "an entry",
            Self::Numbered(_) => "an element",
            Self::Thing(thing) => thing.name(),
            Self::Pattern(_) => "a pattern",
        }
    }

    /// The compiler lets no expression get here: its file was made by something else.
    pub(crate) fn unfit(&self, wanted: &str) -> Failure {
        Failure::Catalog(format!("the catalog's file asks for {wanted} and gives {}", self.kind()))
    }
}

/// Equality of values of one type; places by what they hold.
impl PartialEq for Value<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Bool(one), Self::Bool(other)) => one == other,
            (Self::Int(one), Self::Int(other)) => one == other,
            (Self::Double(one), Self::Double(other)) => one == other,
            (Self::Text(one), Self::Text(other)) => **one == **other,
            (Self::Node(one), Self::Node(other)) => operators::equals(*one, other.json()),
            (Self::List(one), Self::List(other)) => one == other,
            (Self::Entry(one), Self::Entry(other)) => *one.0 == *other.0 && one.1 == other.1,
            (Self::Numbered(one), Self::Numbered(other)) => one == other,
            _ => false,
        }
    }
}
