//! What statements are about, and what is known of any two of them.

use std::collections::BTreeSet;

use hookgen_runtime::representation::Expr;

use super::formula::Formula;
use super::pattern::Shape;

/// A setting of operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Setting {
    Flag(usize),
    Choice(usize),
    Threshold(usize),
}

/// A value that several atoms speak of: the same whenever one call asks for it.
#[derive(Debug)]
pub(super) struct Term<'r> {
    pub key: String,
    /// What gives it, and what its variables are there.
    pub expr: &'r Expr,
    pub mentions: BTreeSet<Setting>,
    /// The command that it is a part of, by its key, and the name of the part.
    pub part: Option<(String, String)>,
    /// The text whose length it is.
    pub measures: Option<usize>,
    /// The only texts that it can be, where these are few.
    pub words: Option<Vec<String>>,
    pub least: Option<i64>,
    pub most: Option<i64>,
}

/// Where a text has another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Where {
    Start,
    End,
    Anywhere,
}

/// Something that holds or does not.
#[derive(Debug, Clone, PartialEq)]
pub enum Atom<'r> {
    /// A value is this text.
    Is { term: usize, text: String },
    /// A text has this one.
    Has { term: usize, at: Where, text: String },
    /// A whole number is at least this.
    AtLeast { term: usize, number: i64 },
    /// A list has this word.
    Holds { term: usize, text: String },
    /// A text is one in which a pattern finds something.
    Matches { term: usize, pattern: String, shape: Shape },
    /// A list, known by its key, has an element of which this holds.
    Exists { list: String, body: Formula, of: &'r Expr },
    /// Anything else.
    Opaque { of: &'r Expr },
}

impl Atom<'_> {
    /// What it is about, if that is a value.
    pub fn term(&self) -> Option<usize> {
        match self {
            Self::Is { term, .. }
            | Self::Has { term, .. }
            | Self::AtLeast { term, .. }
            | Self::Holds { term, .. }
            | Self::Matches { term, .. } => Some(*term),
            Self::Exists { .. } | Self::Opaque { .. } => None,
        }
    }
}

/// What must hold of two atoms whatever happens, by their numbers.
pub(super) fn rules(one: (usize, &Atom<'_>), other: (usize, &Atom<'_>)) -> Vec<Formula> {
    let (this, that) = (Formula::Atom(one.0), Formula::Atom(other.0));
    if one.1.term().is_none() || one.1.term() != other.1.term() {
        return Vec::new();
    }
    let implied = |from: &Formula, to: &Formula| Formula::any([from.clone().negated(), to.clone()]);
    let excluded = || Formula::any([this.clone().negated(), that.clone().negated()]);
    match (one.1, other.1) {
        (Atom::Is { text: one, .. }, Atom::Is { text: other, .. }) if one != other => vec![excluded()],
        (Atom::Is { text, .. }, Atom::Has { at, text: part, .. }) => vec![settled(&this, &that, has(text, *at, part))],
        (Atom::Has { at, text: part, .. }, Atom::Is { text, .. }) => vec![settled(&that, &this, has(text, *at, part))],
        (Atom::Has { at: here, text: one, .. }, Atom::Has { at: there, text: other, .. }) => {
            let mut rules = Vec::new();
            if follows(*here, one, *there, other) {
                rules.push(implied(&this, &that));
            }
            if follows(*there, other, *here, one) {
                rules.push(implied(&that, &this));
            }
            if here == there && *here != Where::Anywhere && !has(one, *here, other) && !has(other, *here, one) {
                rules.push(excluded());
            }
            rules
        }
        (Atom::AtLeast { number: one, .. }, Atom::AtLeast { number: other, .. }) => {
            vec![if one >= other { implied(&this, &that) } else { implied(&that, &this) }]
        }
        (Atom::Is { text, .. }, Atom::Matches { pattern, .. }) => vec![settled(&this, &that, finds(pattern, text))],
        (Atom::Matches { pattern, .. }, Atom::Is { text, .. }) => vec![settled(&that, &this, finds(pattern, text))],
        (Atom::Matches { shape, .. }, Atom::Has { at, text, .. }) if shape.has(*at, text) => {
            vec![implied(&this, &that)]
        }
        (Atom::Has { at, text, .. }, Atom::Matches { shape, .. }) if shape.has(*at, text) => {
            vec![implied(&that, &this)]
        }
        (Atom::Matches { shape: one, .. }, Atom::Matches { shape: other, .. }) => {
            let both = [(one.implies(other), implied(&this, &that)), (other.implies(one), implied(&that, &this))];
            both.into_iter().filter_map(|(holds, rule)| holds.then_some(rule)).collect()
        }
        _ => Vec::new(),
    }
}

pub(super) fn settled(when: &Formula, then: &Formula, value: bool) -> Formula {
    let then = if value { then.clone() } else { then.clone().negated() };
    Formula::any([when.clone().negated(), then])
}

/// Whether a text has another one there.
pub(super) fn has(text: &str, at: Where, part: &str) -> bool {
    match at {
        Where::Start => text.starts_with(part),
        Where::End => text.ends_with(part),
        Where::Anywhere => text.contains(part),
    }
}

/// Whether a pattern finds something in a text.
pub(super) fn finds(pattern: &str, text: &str) -> bool {
    hookgen_runtime::Pattern::from(pattern.to_owned()).matches(text)
}

/// Whether a text that has one there must have the other one there.
fn follows(here: Where, one: &str, there: Where, other: &str) -> bool {
    match (here, there) {
        (_, Where::Anywhere) => one.contains(other),
        (here, there) if here == there => has(one, here, other),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_longer_beginning_has_the_shorter_one() {
        assert!(
            follows(Where::Start, "git push", Where::Start, "git ")
                && follows(Where::End, "a.md", Where::Anywhere, ".")
        );
        assert!(
            !follows(Where::Start, "git", Where::Start, "git push")
                && !follows(Where::Anywhere, "x", Where::Start, "x")
        );
    }
}
