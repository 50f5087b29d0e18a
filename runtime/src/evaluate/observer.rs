//! Whoever wants to see how a hook comes to its verdict.

use super::Value;
use crate::failure::Attempt;
use crate::json::Json;
use crate::representation::{Check, Effect, Expr, Text};

/// What a text is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part<'t> {
    /// The path of the config file.
    ConfigFile,
    /// The path of the file that switches the hooks off.
    DevModeFile,
    /// A fact, by its name.
    Fact(&'t str),
    /// A hook's own definition, by its name.
    Let(&'t str),
    /// A message, by its name.
    Message(&'t str),
    /// The path of a document, by its name.
    Document(&'t str),
    /// Whether the hook applies at all.
    Gate,
    /// Whether a check takes effect, by its id.
    Condition(&'t str),
    /// What a check says or does, by its id.
    Effect(&'t str),
}

/// Is told of everything that is worked out, in the order in which it is.
pub trait Observer {
    /// The hook at that place of the catalog begins; what follows is about it.
    fn hook(&self, _place: usize) {}

    /// A text is about to be worked out. Another one may begin before it ends.
    fn begins(&self, _part: Part<'_>, _text: &Text) {}

    /// The text that began last has come to this.
    fn ends(&self, _part: Part<'_>, _text: &Text, _value: &Attempt<Value<'_>>) {}

    /// An expression of the text that began last has come to this; its parts have been told of before.
    fn value(&self, _expr: &Expr, _value: &Attempt<Value<'_>>) {}

    /// An element of a list was asked about: the condition of a macro, or whether something is in the list, and whether
    /// it holds of this element.
    fn element(&self, _of: &Expr, _element: &Value<'_>, _holds: bool) {}

    /// A check was looked at: whether it takes effect.
    fn check(&self, _check: &Check, _holds: &Attempt<bool>) {}

    /// What could stand in the place of an expression, each with a number. All of it is worked out as well, unobserved.
    fn instead(&self, _of: &Expr) -> &[(usize, &'static Expr)] {
        &[]
    }

    /// What could stand in the place of a row, each with a number, where a condition is asked of it.
    fn instead_of_row(&self, _row: &Value<'_>) -> &[(usize, &'static Json<'static>)] {
        &[]
    }

    /// What has that number would have come to something else here, or nobody can tell.
    fn differs(&self, _number: usize) {}

    /// An effect of a check was put into the verdict, or failed to be.
    fn effect(&self, _check: &Check, _effect: &Effect, _done: &Attempt<()>) {}
}
