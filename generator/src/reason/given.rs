//! What is known of statements about an event of which some fields are given.

use std::collections::BTreeSet;

use hookgen_runtime::representation::Op;
use serde_json::{Map, Value};

use super::atom::{Atom, has};
use super::example::way;
use super::formula::Formula;
use super::read::Reader;

impl Reader<'_> {
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
        let expr = self.expr_of(atom.term()?)?;
        let at = |way: Vec<String>| {
            let (first, rest) = way.split_first()?;
            rest.iter().try_fold(fields.get(first)?, |value, key| value.get(key))
        };
        match atom {
            Atom::Is { text, .. } => Some(at(way(expr)?)?.as_str()? == text),
            Atom::Has { at: place, text, .. } => Some(has(at(way(expr)?)?.as_str()?, *place, text)),
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
