//! When two expressions are the same: by a key in which names that stand for something are replaced by it.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use hookgen_runtime::representation::{Access, Expr, Op, Text};
use hookgen_runtime::signature::Power;

use super::atom::Setting;
use super::read::{Bound, Reader, Scope};

/// The key of an expression.
pub(super) fn key<'r>(expr: &'r Expr, scope: &Scope<'r>) -> String {
    let mut key = String::new();
    write_key(expr, scope, &mut key);
    key
}

fn write_key<'r>(expr: &'r Expr, scope: &Scope<'r>, key: &mut String) {
    if let Op::Variable { slot, name } = &expr.op {
        match scope.bound(*slot) {
            Some(Bound::Row(row)) => drop(write!(key, "{row}")),
            Some(Bound::Item(item, within)) => write_key(item, within, key),
            Some(Bound::Variable(depth)) => drop(write!(key, "${depth}")),
            None => drop(write!(key, "?{slot}{name}")),
        }
        return;
    }
    key.push_str(&told(expr, scope.hook));
    if let Op::Macro { list, slot, body, .. } = &expr.op {
        key.push('(');
        write_key(list, scope, key);
        key.push(',');
        write_key(body, &scope.deeper(*slot), key);
        key.push(')');
        return;
    }
    let children = expr.children();
    if children.is_empty() {
        return;
    }
    key.push('(');
    for child in children {
        write_key(child, scope, key);
        key.push(',');
    }
    key.push(')');
}

impl<'r> Reader<'r> {
    /// Whether it has the same value whenever one call asks for it.
    pub(super) fn is_stable(&self, expr: &'r Expr) -> bool {
        let mut stable = true;
        expr.walk(&mut |part| {
            stable &= match &part.op {
                Op::Spent(..) => false,
                Op::Call(place, _) => self.whole.function(*place).is_some_and(|function| {
                    let fixed = [Power::Event, Power::Files, Power::Repository, Power::Environment];
                    function.powers.iter().all(|power| fixed.contains(power))
                }),
                _ => true,
            };
        });
        stable
    }

    /// The text that a name stands for.
    pub(super) fn text_of(&self, name: &Expr, hook: Option<usize>) -> Option<&'r Text> {
        match &name.op {
            Op::Fact(place) => self.whole.facts.get(*place).map(|fact| &fact.text),
            Op::Message(place) => self.whole.messages.get(*place).map(|message| &message.text),
            Op::Document(place, _) => self.whole.documents.get(*place).map(|document| &document.path),
            Op::Let(place) => hook.and_then(|hook| self.whole.hooks.get(hook)?.lets.get(*place)).map(|own| &own.text),
            _ => None,
        }
    }

    /// The settings that a value depends on, by whatever way.
    pub fn mentions(&self, expr: &'r Expr, hook: Option<usize>) -> BTreeSet<Setting> {
        let (mut found, mut seen, mut next) = (BTreeSet::new(), BTreeSet::new(), vec![expr]);
        while let Some(expr) = next.pop() {
            expr.walk(&mut |part| {
                found.extend(match &part.op {
                    Op::Flag(place) => Some(Setting::Flag(*place)),
                    Op::Choice(place) => Some(Setting::Choice(*place)),
                    Op::Threshold(place) => Some(Setting::Threshold(*place)),
                    _ => None,
                });
                let text = self.text_of(part, hook);
                if let Some(text) = text.filter(|text| seen.insert(std::ptr::from_ref(*text) as usize)) {
                    next.push(&text.value);
                }
            });
        }
        found
    }
}

/// What an operation is, without what it is made of.
fn told(expr: &Expr, hook: Option<usize>) -> String {
    match &expr.op {
        Op::Bool(value) => value.to_string(),
        Op::Int(value) => value.to_string(),
        Op::Double(value) => format!("{value:?}"),
        Op::Text(text) => format!("{text:?}"),
        Op::Env(name) => format!("env {name}"),
        Op::Flag(place) => format!("flag {place}"),
        Op::Choice(place) => format!("choice {place}"),
        Op::Threshold(place) => format!("threshold {place}"),
        Op::Table(place) => format!("table {place}"),
        Op::Message(place) => format!("message {place}"),
        Op::Fact(place) => format!("fact {place}"),
        Op::Let(place) => format!("let {hook:?} {place}"),
        Op::Document(place, part) => format!("document {place} {part:?}"),
        Op::Spent(place, part) => format!("spent {hook:?} {place} {part:?}"),
        Op::Pattern(place) => format!("pattern {place}"),
        Op::Part(_, name) => format!("part {name}"),
        Op::Access(_, Access::Field(name)) => format!(".{name}"),
        Op::Access(_, Access::Key(_)) => "key".to_owned(),
        Op::Access(_, Access::Element(_)) => "place".to_owned(),
        Op::Read(_) => format!("read {}", expr.ty),
        Op::Has(_, name) => format!("has {name}"),
        Op::Arithmetic(kind, _) => format!("{kind:?}"),
        Op::Compare(kind, _) | Op::CompareMixed(kind, _) => format!("{kind:?}"),
        Op::Call(place, _) => format!("call {place}"),
        Op::Macro { kind, .. } => format!("{kind:?}"),
        other => format!("{:?}", std::mem::discriminant(other)),
    }
}
