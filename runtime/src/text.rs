//! Text as expressions see it, and how values outlive what they were worked out from.
//!
//! Text has many forms in Rust, and so have lists of it. Between two expressions there is one for each type
//! ([`Value::Value`]); what is kept between two questions owns its text ([`Keep::Kept`]).

use std::borrow::Cow;

use crate::library::{Command, Problem, Ran};
use crate::node::{Entry, Node};

/// Text, borrowed from the event, a document or the catalog wherever it can be.
pub type Text<'v> = Cow<'v, str>;

/// Something of which there is a copy in the one form that values of its type have.
pub trait Value {
    /// That form.
    type Value;

    /// A copy in that form.
    fn to_value(&self) -> Self::Value;
}

/// A value of which a form can be kept that borrows no text.
pub trait Keep {
    /// That form.
    type Kept;

    /// Keeps it.
    fn keep(self) -> Self::Kept;
}

impl Value for str {
    type Value = Text<'static>;

    fn to_value(&self) -> Text<'static> {
        Text::Owned(self.to_owned())
    }
}

impl Value for String {
    type Value = Text<'static>;

    fn to_value(&self) -> Text<'static> {
        self.as_str().to_value()
    }
}

impl Value for &str {
    type Value = Text<'static>;

    fn to_value(&self) -> Text<'static> {
        (**self).to_value()
    }
}

impl Value for Text<'_> {
    type Value = Text<'static>;

    fn to_value(&self) -> Text<'static> {
        (**self).to_value()
    }
}

impl<T: Value> Value for [T] {
    type Value = Vec<T::Value>;

    fn to_value(&self) -> Self::Value {
        self.iter().map(Value::to_value).collect()
    }
}

impl<T: Value> Value for Vec<T> {
    type Value = Vec<T::Value>;

    fn to_value(&self) -> Self::Value {
        self.as_slice().to_value()
    }
}

impl<T: Value> Value for Entry<'_, T> {
    type Value = Entry<'static, T::Value>;

    fn to_value(&self) -> Self::Value {
        Entry { key: self.key.to_value(), value: self.value.to_value() }
    }
}

impl Keep for Text<'_> {
    type Kept = String;

    fn keep(self) -> String {
        self.into_owned()
    }
}

impl<T: Keep> Keep for Vec<T> {
    type Kept = Vec<T::Kept>;

    fn keep(self) -> Vec<T::Kept> {
        self.into_iter().map(Keep::keep).collect()
    }
}

impl<T: Keep> Keep for Entry<'_, T> {
    type Kept = Entry<'static, T::Kept>;

    fn keep(self) -> Self::Kept {
        Entry { key: Text::Owned(self.key.into_owned()), value: self.value.keep() }
    }
}

/// Values that have one form only.
macro_rules! plain {
    ($($kind:ty),* $(,)?) => {
        $(impl Value for $kind {
            type Value = Self;

            fn to_value(&self) -> Self {
                self.clone()
            }
        }

        impl Keep for $kind {
            type Kept = Self;

            fn keep(self) -> Self {
                self
            }
        })*
    };
}

plain!(bool, i64, f64, Node<'_>, Command, Problem, Ran);
