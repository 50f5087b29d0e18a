//! What an expression would have come to if something else stood there: asked on the way, where it stands, without
//! another call.
//!
//! Nothing is remembered of it where what is so is remembered, and whatever could do anything to the world, or takes
//! long, is not asked: then nobody can tell.

use std::cell::OnceCell;

use super::expression::Scope;
use super::{Evaluator, Observer, Value};
use crate::failure::{Attempt, Failure};
use crate::node::{Node, Origin};
use crate::representation::Expr;
use crate::signature::{Function, Power};

impl<'c> Evaluator<'c> {
    /// Whoever watches, unless what is worked out is not so.
    pub(super) fn observer(&self) -> Option<&'c dyn Observer> {
        self.observer.filter(|_| !self.supposing.get())
    }

    /// Where a value is kept that is asked for now.
    pub(super) fn cell_of<'k>(
        &self,
        kept: &'k OnceCell<Value<'c>>,
        supposed: Option<&'k OnceCell<Value<'c>>>,
    ) -> &'k OnceCell<Value<'c>> {
        supposed.filter(|_| self.supposing.get() && kept.get().is_none()).unwrap_or(kept)
    }

    /// Whether a function may be called now.
    pub(super) fn may_call(&self, function: &Function) -> Attempt<()> {
        let acts = |power: &Power| {
            matches!(power, Power::Query | Power::Program | Power::EndsPrograms | Power::Removes | Power::Waits)
        };
        if self.supposing.get() && function.powers.iter().any(acts) { Err(unknown()) } else { Ok(()) }
    }

    /// Tells of everything in the place of an expression that comes to another value.
    pub(super) fn suppose_others(
        &self,
        observer: &dyn Observer,
        expr: &Expr,
        value: &Attempt<Value<'c>>,
        scope: &Scope<'_, 'c>,
    ) {
        for (number, other) in observer.instead(expr) {
            let other = self.supposing(|| self.value(other, scope));
            if !matches!((value, &other), (Ok(one), Ok(other)) if one == other) {
                observer.differs(*number);
            }
        }
    }

    /// The same of everything in the place of a row of which a condition is asked.
    pub(super) fn suppose_rows(
        &self,
        observer: &dyn Observer,
        row: &Value<'c>,
        holds: bool,
        condition: impl Fn(Value<'c>) -> Attempt<bool>,
    ) {
        for &(number, other) in observer.instead_of_row(row) {
            let other = Value::Node(Node::new(other, Origin::Data));
            if !matches!(self.supposing(|| condition(other)), Ok(other) if other == holds) {
                observer.differs(number);
            }
        }
    }

    fn supposing<T>(&self, work: impl FnOnce() -> T) -> T {
        self.supposing.set(true);
        let come = work();
        self.supposing.set(false);
        come
    }
}

/// Where nobody can tell, without doing it, what would come of something.
pub(super) fn unknown() -> Failure {
    Failure::Withheld("that would have to be done to be known".to_owned())
}
