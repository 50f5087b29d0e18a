//! Expressions: each node by the one rule that it has.

use std::cell::RefCell;

use super::hook::Run;
use super::{Evaluator, Shared, Value};
use crate::failure::Attempt;
use crate::json::Json;
use crate::node::{Node, Origin};
use crate::operators;
use crate::representation::{Expr, Macro, Op, Type};

/// What an expression can refer to beside the catalog's own names.
pub(super) struct Scope<'s, 'c> {
    /// The hook at work, for its definitions and what it has spent.
    pub(super) run: Option<&'s Run<'c>>,
    /// Variables of the text, by their places.
    variables: RefCell<Vec<Option<Value<'c>>>>,
}

impl<'s, 'c> Scope<'s, 'c> {
    pub(super) fn new(run: Option<&'s Run<'c>>) -> Self {
        Self { run, variables: RefCell::default() }
    }

    fn set(&self, slot: usize, value: Value<'c>) {
        let mut variables = self.variables.borrow_mut();
        if variables.len() <= slot {
            variables.resize(slot + 1, None);
        }
        if let Some(variable) = variables.get_mut(slot) {
            *variable = Some(value);
        }
    }

    fn variable(&self, slot: usize) -> Value<'c> {
        self.variables.borrow().get(slot).cloned().flatten().unwrap_or(Value::Node(Node::null()))
    }
}

impl<'c> Evaluator<'c> {
    /// The value of an expression.
    pub(super) fn value(&self, expr: &'static Expr, scope: &Scope<'_, 'c>) -> Attempt<Value<'c>> {
        let value = self.worked_out(expr, scope);
        if let Some(observer) = self.observer() {
            observer.value(expr, &value);
            self.suppose_others(observer, expr, &value, scope);
        }
        value
    }

    fn worked_out(&self, expr: &'static Expr, scope: &Scope<'_, 'c>) -> Attempt<Value<'c>> {
        match &expr.op {
            Op::Bool(value) => Ok(Value::Bool(*value)),
            Op::Int(value) => Ok(Value::Int(*value)),
            Op::Double(value) => Ok(Value::Double(*value)),
            Op::Text(text) => Ok(Value::Text(Shared::Borrowed(text))),
            Op::Null => Ok(Value::Node(Node::null())),
            Op::List(items) => self.values(items, scope).map(Value::list),
            Op::Map(entries) => {
                let value = self.call.shelve(self.object(entries, scope)?);
                Ok(Value::Node(Node::new(value, Origin::Data)))
            }
            Op::Payload => Ok(Value::Node(self.call.payload())),
            Op::Env(_)
            | Op::Flag(_)
            | Op::Choice(_)
            | Op::Threshold(_)
            | Op::Table(_)
            | Op::Message(_)
            | Op::Fact(_)
            | Op::Let(_)
            | Op::Document(..)
            | Op::Spent(..)
            | Op::Pattern(_) => self.named(expr, scope),
            Op::Variable { slot, .. } => Ok(scope.variable(*slot)),
            Op::Part(..)
            | Op::Access(..)
            | Op::Has(..)
            | Op::IsNull(_)
            | Op::Read(_)
            | Op::EntryKey(_)
            | Op::EntryValue(_)
            | Op::Entries(_)
            | Op::Members(_)
            | Op::Numbered(_)
            | Op::Keys(_)
            | Op::MapSize(_)
            | Op::Element(..) => self.access(expr, scope),
            Op::Choose(parts) => {
                let [when, then, otherwise] = &**parts;
                self.value(if self.boolean(when, scope)? { then } else { otherwise }, scope)
            }
            Op::Call(function, arguments) => {
                let function = self.archive.function(*function)?;
                self.may_call(function)?;
                (function.dynamic)(self.call, &self.values(arguments, scope)?)
            }
            Op::Macro { kind, list, slot, body, .. } => self.list_macro(*kind, list, *slot, body, scope),
            Op::Not(_)
            | Op::Negate(_)
            | Op::And(..)
            | Op::Or(..)
            | Op::Arithmetic(..)
            | Op::Concat(_)
            | Op::Path(_)
            | Op::Show(_)
            | Op::Append(_)
            | Op::Compare(..)
            | Op::CompareMixed(..)
            | Op::Equal(_)
            | Op::EqualMixed(_)
            | Op::EqualOpen(_)
            | Op::Among(_)
            | Op::AmongOpen(_)
            | Op::HasKey(_)
            | Op::IntToDouble(_)
            | Op::DoubleToInt(_)
            | Op::TextToInt(_)
            | Op::TextToDouble(_)
            | Op::TextToBool(_) => self.operator(expr, scope),
        }
    }

    pub(super) fn values(&self, exprs: &'static [Expr], scope: &Scope<'_, 'c>) -> Attempt<Vec<Value<'c>>> {
        exprs.iter().map(|expr| self.value(expr, scope)).collect()
    }

    fn object(&self, entries: &'static [(Expr, Expr)], scope: &Scope<'_, 'c>) -> Attempt<Json<'static>> {
        let entry =
            |(key, value): &'static (Expr, Expr)| Ok((self.text(key, scope)?.into(), self.value(value, scope)?.json()));
        operators::object(entries.iter().map(entry).collect::<Attempt<_>>()?)
    }

    fn list_macro(
        &self,
        kind: Macro,
        list: &'static Expr,
        slot: usize,
        body: &'static Expr,
        scope: &Scope<'_, 'c>,
    ) -> Attempt<Value<'c>> {
        let list = self.list(list, scope)?;
        let condition = |item: &Value<'c>| {
            scope.set(slot, item.clone());
            let holds = self.boolean(body, scope);
            if let (Some(observer), Ok(holds)) = (self.observer(), &holds) {
                observer.element(body, item, *holds);
                self.suppose_rows(observer, item, *holds, |row| {
                    scope.set(slot, row);
                    self.boolean(body, scope)
                });
            }
            holds
        };
        match kind {
            Macro::All => operators::all(&list, condition).map(Value::Bool),
            Macro::Exists => operators::exists(&list, condition).map(Value::Bool),
            Macro::ExistsOne => operators::exists_one(&list, condition).map(Value::Bool),
            Macro::Filter => operators::filter(&list, condition).map(Value::list),
            Macro::First => operators::first(&list, condition).map(Value::list),
            Macro::Map => operators::map(&list, |item| {
                scope.set(slot, item.clone());
                self.value(body, scope)
            })
            .map(Value::list),
            Macro::TransformMap => {
                let change = |item: &Value<'c>| {
                    let Value::Entry(entry) = item else { return Err(item.unfit("an entry")) };
                    scope.set(slot, item.clone());
                    Ok((entry.0.clone().into(), self.value(body, scope)?.json()))
                };
                let made = operators::object(operators::map(&list, change)?)?;
                Ok(Value::Node(Node::new(self.call.shelve(made), Origin::Data)))
            }
        }
    }

    pub(super) fn boolean(&self, expr: &'static Expr, scope: &Scope<'_, 'c>) -> Attempt<bool> {
        match self.value(expr, scope)? {
            Value::Bool(value) => Ok(value),
            other => Err(other.unfit("a bool")),
        }
    }

    pub(super) fn int(&self, expr: &'static Expr, scope: &Scope<'_, 'c>) -> Attempt<i64> {
        match self.value(expr, scope)? {
            Value::Int(value) => Ok(value),
            other => Err(other.unfit("an int")),
        }
    }

    pub(super) fn double(&self, expr: &'static Expr, scope: &Scope<'_, 'c>) -> Attempt<f64> {
        match self.value(expr, scope)? {
            Value::Double(value) => Ok(value),
            other => Err(other.unfit("a double")),
        }
    }

    pub(super) fn text(&self, expr: &'static Expr, scope: &Scope<'_, 'c>) -> Attempt<Shared<'c>> {
        match self.value(expr, scope)? {
            Value::Text(text) => Ok(text),
            other => Err(other.unfit("a string")),
        }
    }

    pub(super) fn node(&self, expr: &'static Expr, scope: &Scope<'_, 'c>) -> Attempt<Node<'c>> {
        match self.value(expr, scope)? {
            Value::Node(node) => Ok(node),
            other => Err(other.unfit("a place")),
        }
    }

    pub(super) fn list(&self, expr: &'static Expr, scope: &Scope<'_, 'c>) -> Attempt<std::rc::Rc<Vec<Value<'c>>>> {
        match self.value(expr, scope)? {
            Value::List(items) => Ok(items),
            other => Err(other.unfit("a list")),
        }
    }
}

/// What is at a place, read as a type; of a type that no place holds, the place itself.
pub(super) fn read<'v>(node: Node<'v>, ty: &Type) -> Attempt<Value<'v>> {
    match ty {
        Type::Text => node.text().map(Value::text),
        Type::Int => node.int().map(Value::Int),
        Type::Double => node.double().map(Value::Double),
        Type::Bool => node.boolean().map(Value::Bool),
        Type::List(of) => node.list(|item| read(item, of)).map(Value::list),
        Type::Record => node.record().map(Value::Node),
        _ => Ok(Value::Node(node)),
    }
}
