//! What is asked of statements: whether they can hold, beside all that is known of what they are about.

use std::collections::BTreeSet;

use hookgen_runtime::representation::{Expr, Op};

use super::atom::{Atom, rules, settled};
use super::formula::Formula;
use super::read::Reader;
use super::solve::{Answer, solve};

/// A statement about more than this is not solved: a catalog is read each time that somebody saves it.
const MOST: usize = 96;

impl<'r> Reader<'r> {
    /// What must hold whatever happens, as far as these statements go.
    pub fn facts(&self, about: &[&Formula]) -> Vec<Formula> {
        let mut atoms = BTreeSet::new();
        for formula in about {
            formula.atoms(&mut atoms);
        }
        let mut facts = self.words_of(&mut atoms);
        let atoms: Vec<(usize, Atom<'r>)> =
            atoms.into_iter().filter_map(|number| Some((number, self.atom_of(number)?))).collect();
        for (place, (number, one)) in atoms.iter().enumerate() {
            for (other, two) in atoms.get(place + 1..).unwrap_or_default() {
                facts.extend(rules((*number, one), (*other, two)));
                facts.extend(self.elements((*number, one), (*other, two)));
                facts.extend(self.elements((*other, two), (*number, one)));
                facts.extend(self.length((*number, one), (*other, two)));
                facts.extend(self.length((*other, two), (*number, one)));
                facts.extend(self.required((*number, one), (*other, two)));
                facts.extend(self.required((*other, two), (*number, one)));
            }
        }
        facts
    }

    /// A value that can only be one of a few words is one of them.
    fn words_of(&self, atoms: &mut BTreeSet<usize>) -> Vec<Formula> {
        let limited: BTreeSet<(usize, Vec<String>)> = {
            let known = self.known.borrow();
            let terms = atoms.iter().filter_map(|atom| known.atoms.get(*atom)?.term());
            terms.filter_map(|term| Some((term, known.terms.get(term)?.words.clone()?))).collect()
        };
        let one_of = |(term, words): (usize, Vec<String>)| {
            let is = |text: String| self.atom(format!("{term} is {text:?}"), Atom::Is { term, text });
            Formula::any(words.into_iter().map(is))
        };
        let facts: Vec<Formula> = limited.into_iter().map(one_of).collect();
        for fact in &facts {
            fact.atoms(atoms);
        }
        facts
    }

    /// A text that is or has another one is at least that long.
    fn length(&self, text: (usize, &Atom<'r>), size: (usize, &Atom<'r>)) -> Option<Formula> {
        let Atom::AtLeast { term, number } = size.1 else { return None };
        let measured = self.known.borrow().terms.get(*term)?.measures;
        let length = |text: &str| i64::try_from(text.chars().count()).unwrap_or(i64::MAX);
        let (this, that) = (Formula::Atom(text.0), Formula::Atom(size.0));
        match text.1 {
            Atom::Is { term, text } if measured == Some(*term) => Some(settled(&this, &that, length(text) >= *number)),
            Atom::Has { term, text, .. } if measured == Some(*term) && length(text) >= *number => {
                Some(settled(&this, &that, true))
            }
            _ => None,
        }
    }

    /// A flag is on only if those are that it requires.
    fn required(&self, flag: (usize, &Atom<'r>), other: (usize, &Atom<'r>)) -> Option<Formula> {
        let place = |atom: &Atom<'r>| match atom {
            Atom::Opaque { of: Expr { op: Op::Flag(place), .. } } => Some(*place),
            _ => None,
        };
        let (own, needed) = (place(flag.1)?, place(other.1)?);
        let needs = self.whole.catalog.flags.get(own)?.requires.contains(&needed);
        needs.then(|| settled(&Formula::Atom(flag.0), &Formula::Atom(other.0), true))
    }

    /// An element of which more holds is one of which less does.
    fn elements(&self, one: (usize, &Atom<'r>), other: (usize, &Atom<'r>)) -> Option<Formula> {
        let (Atom::Exists { list, body, .. }, Atom::Exists { list: same, body: less, .. }) = (one.1, other.1) else {
            return None;
        };
        if list != same {
            return None;
        }
        let pair = (one.0, other.0);
        let known = self.known.borrow().elements.get(&pair).copied();
        let follows = known.unwrap_or_else(|| self.never(&Formula::all([body.clone(), less.clone().negated()])));
        self.known.borrow_mut().elements.insert(pair, follows);
        follows.then(|| Formula::any([Formula::Atom(one.0).negated(), Formula::Atom(other.0)]))
    }

    /// Whether it can hold. Of what is about too much, nobody knows.
    pub fn ask(&self, statement: &Formula) -> Answer {
        if is_too_much(statement) {
            return Answer::Unknown;
        }
        solve(statement, &self.facts(&[statement]))
    }

    /// Whether it is certain that it can not.
    pub fn never(&self, statement: &Formula) -> bool {
        match statement {
            Formula::Known(value) => !value,
            _ => self.ask(statement) == Answer::Never,
        }
    }
}

/// Whether a statement is about more than anybody wants to wait for.
pub(super) fn is_too_much(statement: &Formula) -> bool {
    let mut atoms = BTreeSet::new();
    statement.atoms(&mut atoms);
    atoms.len() > MOST
}
