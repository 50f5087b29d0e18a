//! What is known of statements about an event of which some fields are given.

use std::collections::BTreeSet;

use hookgen_runtime::representation::{Expr, Op};
use hookgen_runtime::signature::Power;
use serde_json::{Map, Value};

use super::atom::{Atom, finds, has};
use super::example::way;
use super::formula::Formula;
use super::read::Reader;

impl Reader<'_> {
    /// Whether these expressions of a hook look at nothing but the given fields: they have one value for all such events.
    pub fn rests_on(&self, fields: &Map<String, Value>, exprs: Vec<&Expr>, hook: Option<usize>) -> bool {
        let plain = is_plain(fields);
        let fixed = |power: &Power| *power == Power::Environment && plain;
        let (mut rests, mut seen, mut next) = (true, BTreeSet::new(), exprs);
        while let Some(expr) = next.pop() {
            expr.walk(&mut |part| {
                rests &= match &part.op {
                    Op::Flag(_) | Op::Choice(_) | Op::Threshold(_) | Op::Env(_) | Op::Document(..) | Op::Spent(..) => {
                        false
                    }
                    Op::Call(place, _) => {
                        self.whole.function(*place).is_some_and(|known| known.powers.iter().all(fixed))
                    }
                    Op::Has(..) | Op::Access(..) => way(part).is_none_or(|way| at(fields, &way).is_some()),
                    _ => true,
                };
                let text = self.text_of(part, hook);
                if let Some(text) = text.filter(|text| seen.insert(std::ptr::from_ref(*text) as usize)) {
                    next.push(&text.value);
                }
            });
        }
        rests
    }

    /// What the given fields settle of the atoms of these statements.
    pub fn given(&self, fields: &Map<String, Value>, about: &[&Formula]) -> Vec<Formula> {
        let mut atoms = BTreeSet::new();
        for formula in about {
            formula.atoms(&mut atoms);
        }
        let settled =
            atoms.into_iter().filter_map(|number| Some((number, self.truth(&self.atom_of(number)?, fields)?)));
        settled
            .map(|(number, holds)| if holds { Formula::Atom(number) } else { Formula::Atom(number).negated() })
            .collect()
    }

    fn truth(&self, atom: &Atom<'_>, fields: &Map<String, Value>) -> Option<bool> {
        let at = |way: Vec<String>| at(fields, &way);
        if let Atom::Opaque { of } = atom {
            return if matches!(of.op, Op::Read(_)) { at(way(of)?)?.as_bool() } else { None };
        }
        let expr = self.expr_of(atom.term()?)?;
        match atom {
            Atom::Is { text, .. } => Some(at(way(expr)?)?.as_str()? == text),
            Atom::Has { at: place, text, .. } => Some(has(at(way(expr)?)?.as_str()?, *place, text)),
            Atom::Matches { pattern, .. } => Some(finds(pattern, at(way(expr)?)?.as_str()?)),
            Atom::Holds { text, .. } => Some(at(way(expr)?)?.as_array()?.iter().any(|item| item == text)),
            Atom::AtLeast { number, .. } => match &expr.op {
                Op::Call(function, arguments) if self.is_called(*function, "size") => {
                    let text = at(way(arguments.first()?)?)?.as_str()?;
                    Some(i64::try_from(text.chars().count()).ok()? >= *number)
                }
                _ => Some(at(way(expr)?)?.as_i64()? >= *number),
            },
            _ => None,
        }
    }
}

fn at<'v>(fields: &'v Map<String, Value>, way: &[String]) -> Option<&'v Value> {
    let (first, rest) = way.split_first()?;
    rest.iter().try_fold(fields.get(first)?, |value, key| value.get(key))
}

/// Whether no text names a variable or a home folder: such a line runs the same in every environment.
fn is_plain(fields: &Map<String, Value>) -> bool {
    fn plain(value: &Value) -> bool {
        match value {
            Value::String(text) => !text.contains(['$', '~', '%', '`']),
            Value::Array(items) => items.iter().all(plain),
            Value::Object(fields) => fields.values().all(plain),
            _ => true,
        }
    }
    fields.values().all(plain)
}
