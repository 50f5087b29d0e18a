//! Things that have a name, and parts of things.

use std::rc::Rc;

use super::expression::{Scope, read};
use super::{Evaluator, Shared, TextPart, Value};
use crate::failure::{Attempt, Failure};
use crate::node::{Entry, Node, Origin};
use crate::operators::{self, once};
use crate::program::Program as _;
use crate::representation::{Access, DocumentPart, Expr, Op, SpentPart, Type};

impl<'c> Evaluator<'c> {
    /// Something that the catalog or the event has under a name.
    pub(super) fn named(&self, expr: &'static Expr, scope: &Scope<'_, 'c>) -> Attempt<Value<'c>> {
        match &expr.op {
            Op::Env(name) => Ok(Value::text(self.call.env(name))),
            Op::Flag(place) => Ok(Value::Bool(self.config().flag(*place))),
            Op::Choice(place) => Ok(Value::Text(Shared::Borrowed(self.config().choice(*place)))),
            Op::Threshold(place) if expr.ty == Type::Int => Ok(Value::Int(self.config().int(*place))),
            Op::Threshold(place) => Ok(Value::Double(self.config().double(*place))),
            Op::Table(place) => self.table(*place),
            Op::Message(place) => self.message(*place),
            Op::Fact(place) => self.fact(*place),
            Op::Let(place) => self.own_definition(*place, scope),
            Op::Document(place, part) => self.document_part(*place, *part, scope),
            Op::Spent(place, part) => self.spent(*place, part, scope),
            Op::Pattern(place) => self.archive.pattern(*place).map(Value::Pattern),
            _ => Err(misplaced(expr)),
        }
    }

    /// A constant table, read as its type.
    fn table(&self, place: usize) -> Attempt<Value<'c>> {
        let table = self.archive.table(place)?;
        let Some(cell) = self.tables.get(place) else { return Err(self.archive.lacks("table", place)) };
        once(cell, || read(Node::new(&table.value, Origin::Data), &table.ty)).cloned()
    }

    pub(super) fn own_definition(&self, place: usize, scope: &Scope<'_, 'c>) -> Attempt<Value<'c>> {
        let run = scope.run.ok_or_else(|| self.archive.lacks("definition", place))?;
        let (own, cell, supposed) = run.definition(self.archive, place)?;
        once(self.cell_of(cell, supposed), || self.part(TextPart::Let(&own.name), &own.text, Some(run))).cloned()
    }

    fn document_part(&self, place: usize, part: DocumentPart, scope: &Scope<'_, 'c>) -> Attempt<Value<'c>> {
        let document = self.document(place, scope.run)?;
        Ok(match part {
            DocumentPart::Exists => Value::Bool(document.exists()),
            DocumentPart::Valid => Value::Bool(document.valid()),
            DocumentPart::Problem => Value::Text(Shared::Borrowed(document.problem())),
            DocumentPart::Path => Value::Text(Shared::Borrowed(document.path())),
            DocumentPart::Size => Value::Int(document.size()),
            DocumentPart::Text => Value::Text(Shared::Borrowed(document.text()?)),
            DocumentPart::Body => Value::Text(Shared::Borrowed(document.body()?)),
            DocumentPart::Root => Value::Node(document.root()?),
        })
    }

    fn spent(&self, place: usize, part: &SpentPart, scope: &Scope<'_, 'c>) -> Attempt<Value<'c>> {
        let run = scope.run.ok_or_else(|| self.archive.lacks("spend", place))?;
        Ok(run.with_spent(place, |spent| match part {
            SpentPart::Repeated => Value::Bool(spent.repeated),
            SpentPart::Refused => Value::Bool(spent.refused()),
            SpentPart::Used(counter) => Value::Int(spent.used(counter)),
            SpentPart::Limit(counter) => Value::Int(spent.limit(counter)),
            SpentPart::CounterRefused(counter) => Value::Bool(spent.counter_refused(counter)),
        }))
    }

    /// A part of something.
    pub(super) fn access(&self, expr: &'static Expr, scope: &Scope<'_, 'c>) -> Attempt<Value<'c>> {
        Ok(match &expr.op {
            Op::Part(of, name) => match self.value(of, scope)? {
                Value::Thing(thing) => thing.part(name).ok_or_else(|| misplaced(expr))?,
                other => return Err(other.unfit("an object")),
            },
            Op::Access(of, step) => Value::Node(self.step(of, step, scope)?),
            Op::Has(of, name) => Value::Bool(self.node(of, scope)?.at(name).present()),
            Op::IsNull(of) => Value::Bool(!self.node(of, scope)?.present()),
            Op::Read(of) => read(self.node(of, scope)?, &expr.ty)?,
            Op::EntryKey(of) => match self.value(of, scope)? {
                Value::Entry(entry) => Value::Text(entry.0.clone()),
                Value::Numbered(element) => Value::Int(element.0),
                other => return Err(other.unfit("an entry")),
            },
            Op::EntryValue(of) => match self.value(of, scope)? {
                Value::Entry(entry) => entry.1.clone(),
                Value::Numbered(element) => element.1.clone(),
                other => return Err(other.unfit("an entry")),
            },
            Op::Numbered(of) => {
                let list = self.list(of, scope)?;
                Value::list(
                    (0..).zip(&*list).map(|(place, value)| Value::Numbered(Rc::new((place, value.clone())))).collect(),
                )
            }
            Op::Entries(of) => {
                let ty = entry_type(expr)?;
                Value::list(self.node(of, scope)?.entries(|value| read(value, ty))?.into_iter().map(entry).collect())
            }
            Op::Members(of) => {
                let members = self.node(of, scope)?.members().into_iter();
                let placed = |Entry { key, value }| Entry { key, value: Value::Node(value) };
                Value::list(members.map(placed).map(entry).collect())
            }
            Op::Keys(of) => Value::list(operators::keys(self.node(of, scope)?)?.into_iter().map(Value::text).collect()),
            Op::MapSize(of) => Value::Int(operators::map_size(self.node(of, scope)?)?),
            Op::Element(list, at) => {
                let (list, at) = (self.list(list, scope)?, self.int(at, scope)?);
                operators::element(&list, at)?.clone()
            }
            _ => return Err(misplaced(expr)),
        })
    }

    fn step(&self, of: &'static Expr, step: &'static Access, scope: &Scope<'_, 'c>) -> Attempt<Node<'c>> {
        let of = self.node(of, scope)?;
        match step {
            Access::Field(name) => Ok(of.at(name)),
            Access::Key(key) => Ok(of.key(&self.text(key, scope)?)),
            Access::Element(at) => {
                let list = of.list(Ok)?;
                operators::element(&list, self.int(at, scope)?).copied()
            }
        }
    }
}

fn entry<'v>(entry: Entry<'v, Value<'v>>) -> Value<'v> {
    Value::Entry(Rc::new((entry.key.into(), entry.value)))
}

/// The type of the values in a list of entries.
fn entry_type(expr: &Expr) -> Attempt<&Type> {
    match &expr.ty {
        Type::List(entry) => match &**entry {
            Type::Entry(value) => Ok(value),
            _ => Err(misplaced(expr)),
        },
        _ => Err(misplaced(expr)),
    }
}

/// The compiler makes no such expression: the file comes from somewhere else.
pub(super) fn misplaced(expr: &Expr) -> Failure {
    Failure::Catalog(format!("the catalog's file has an expression of type {} that means nothing", expr.ty))
}
