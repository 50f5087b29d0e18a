//! How values go into library functions and come out of them: by the type that a declaration names.

use std::any::Any;
use std::rc::Rc;

use super::value::{Thing, Value};
use crate::failure::{Attempt, Failure};
use crate::node::Node;
use crate::pattern;
use crate::signature::kind::{Any as Anything, Bool, Double, Element, Int, Kind, List, Object, Pattern, Text};

/// A type that a function takes.
pub trait Argument: Kind {
    /// What is held on to while the function runs.
    type Held<'a>;
    /// What the function is given.
    type Lent<'a>;

    /// The value as the type has it.
    fn take<'a>(value: &'a Value<'_>) -> Option<Self::Held<'a>>;

    /// As the Rust function takes it.
    fn lend<'a>(held: &'a Self::Held<'_>) -> Self::Lent<'a>;

    /// The next argument.
    fn hold<'a>(value: Option<&'a Value<'_>>) -> Attempt<Self::Held<'a>> {
        let value = value.ok_or_else(|| Failure::Catalog("the catalog's file leaves out an argument".to_owned()))?;
        Self::take(value).ok_or_else(|| value.unfit("another argument"))
    }
}

/// A type that a function gives.
pub trait Outcome: Kind {
    /// As the Rust function gives it.
    type Made;

    /// As a value.
    fn value(made: Self::Made) -> Value<'static>;
}

/// A type that a part of an object has.
pub trait Part: Kind {
    /// As the method gives it.
    type Shown<'a>;

    /// As a value.
    fn value(shown: Self::Shown<'_>) -> Value<'static>;
}

/// Types that are copied as they stand.
macro_rules! plain {
    ($($kind:ident, $variant:ident, $type:ty);* $(;)?) => {
        $(impl Argument for $kind {
            type Held<'a> = $type;
            type Lent<'a> = $type;

            fn take(value: &Value<'_>) -> Option<$type> {
                if let Value::$variant(value) = value { Some(*value) } else { None }
            }

            fn lend(held: &$type) -> $type {
                *held
            }
        }

        impl Outcome for $kind {
            type Made = $type;

            fn value(made: $type) -> Value<'static> {
                Value::$variant(made)
            }
        }

        impl Part for $kind {
            type Shown<'a> = $type;

            fn value(shown: $type) -> Value<'static> {
                Value::$variant(shown)
            }
        })*
    };
}

plain!(Bool, Bool, bool; Int, Int, i64; Double, Double, f64);

impl Argument for Text {
    type Held<'a> = &'a str;
    type Lent<'a> = &'a str;

    fn take<'a>(value: &'a Value<'_>) -> Option<&'a str> {
        if let Value::Text(text) = value { Some(text) } else { None }
    }

    fn lend<'a>(held: &'a &str) -> &'a str {
        held
    }
}

impl Outcome for Text {
    type Made = String;

    fn value(made: String) -> Value<'static> {
        Value::text(made)
    }
}

impl Part for Text {
    type Shown<'a> = &'a str;

    fn value(shown: &str) -> Value<'static> {
        Value::text(shown.to_owned())
    }
}

impl Argument for Pattern {
    type Held<'a> = &'a pattern::Pattern;
    type Lent<'a> = &'a pattern::Pattern;

    fn take<'a>(value: &'a Value<'_>) -> Option<&'a pattern::Pattern> {
        if let Value::Pattern(pattern) = value { Some(pattern) } else { None }
    }

    fn lend<'a>(held: &'a &pattern::Pattern) -> &'a pattern::Pattern {
        held
    }
}

impl Argument for Anything {
    type Held<'a> = Node<'a>;
    type Lent<'a> = Node<'a>;

    fn take<'a>(value: &'a Value<'_>) -> Option<Node<'a>> {
        if let Value::Node(node) = value { Some(*node) } else { None }
    }

    fn lend<'a>(held: &'a Node<'_>) -> Node<'a> {
        *held
    }
}

impl Argument for List<Text> {
    type Held<'a> = Vec<&'a str>;
    type Lent<'a> = &'a [&'a str];

    fn take<'a>(value: &'a Value<'_>) -> Option<Vec<&'a str>> {
        if let Value::List(items) = value { items.iter().map(Text::take).collect() } else { None }
    }

    fn lend<'a>(held: &'a Vec<&str>) -> &'a [&'a str] {
        held
    }
}

impl Argument for List<List<Text>> {
    type Held<'a> = Vec<Vec<&'a str>>;
    type Lent<'a> = &'a [Vec<&'a str>];

    fn take<'a>(value: &'a Value<'_>) -> Option<Vec<Vec<&'a str>>> {
        if let Value::List(lists) = value { lists.iter().map(<List<Text>>::take).collect() } else { None }
    }

    fn lend<'a>(held: &'a Vec<Vec<&str>>) -> &'a [Vec<&'a str>] {
        held
    }
}

impl Outcome for List<Text> {
    type Made = Vec<String>;

    fn value(made: Vec<String>) -> Value<'static> {
        Value::list(made.into_iter().map(Value::text).collect())
    }
}

impl Part for List<Text> {
    type Shown<'a> = &'a [String];

    fn value(shown: &[String]) -> Value<'static> {
        Value::list(shown.iter().map(|text| Value::text(text.clone())).collect())
    }
}

impl Argument for List<Element> {
    type Held<'a> = &'a [Value<'a>];
    type Lent<'a> = &'a [Value<'a>];

    fn take<'a>(value: &'a Value<'_>) -> Option<&'a [Value<'a>]> {
        if let Value::List(items) = value { Some(items) } else { None }
    }

    fn lend<'a>(held: &'a &[Value<'_>]) -> &'a [Value<'a>] {
        held
    }
}

impl<T: Thing> Argument for Object<T>
where
    Object<T>: Kind,
{
    type Held<'a> = &'a T;
    type Lent<'a> = &'a T;

    fn take<'a>(value: &'a Value<'_>) -> Option<&'a T> {
        let Value::Thing(thing) = value else { return None };
        (&**thing as &dyn Any).downcast_ref()
    }

    fn lend<'a>(held: &'a &T) -> &'a T {
        held
    }
}

impl<T: Thing> Outcome for Object<T>
where
    Object<T>: Kind,
{
    type Made = T;

    fn value(made: T) -> Value<'static> {
        Value::Thing(Rc::new(made))
    }
}

impl<T: Thing> Outcome for List<Object<T>>
where
    Object<T>: Kind,
{
    type Made = Vec<T>;

    fn value(made: Vec<T>) -> Value<'static> {
        Value::list(made.into_iter().map(<Object<T> as Outcome>::value).collect())
    }
}
