//! Statements made of atoms: what is asked of a solver.

use std::collections::BTreeSet;

/// A statement about atoms, which are known by their numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Formula {
    Known(bool),
    Atom(usize),
    Not(Box<Formula>),
    All(Vec<Formula>),
    Any(Vec<Formula>),
}

impl Formula {
    /// What does not hold.
    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            Self::Known(value) => Self::Known(!value),
            Self::Not(of) => *of,
            other => Self::Not(Box::new(other)),
        }
    }

    /// All of them hold.
    pub fn all(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut left = Vec::new();
        for part in parts {
            match part {
                Self::Known(true) => {}
                Self::Known(false) => return Self::Known(false),
                Self::All(parts) => left.extend(parts),
                part => left.push(part),
            }
        }
        Self::alone(left, Self::All, true)
    }

    /// One of them holds.
    pub fn any(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut left = Vec::new();
        for part in parts {
            match part {
                Self::Known(false) => {}
                Self::Known(true) => return Self::Known(true),
                Self::Any(parts) => left.extend(parts),
                part => left.push(part),
            }
        }
        Self::alone(left, Self::Any, false)
    }

    fn alone(mut parts: Vec<Self>, several: fn(Vec<Self>) -> Self, none: bool) -> Self {
        match parts.len() {
            0 => Self::Known(none),
            1 => parts.remove(0),
            _ => several(parts),
        }
    }

    /// One holds and the other does not.
    pub fn differ(one: &Self, other: &Self) -> Self {
        Self::any([
            Self::all([one.clone(), other.clone().negated()]),
            Self::all([one.clone().negated(), other.clone()]),
        ])
    }

    /// The same about other atoms.
    #[must_use]
    pub fn renamed(&self, name: &dyn Fn(usize) -> usize) -> Self {
        let each = |parts: &[Self]| parts.iter().map(|part| part.renamed(name)).collect();
        match self {
            Self::Known(value) => Self::Known(*value),
            Self::Atom(atom) => Self::Atom(name(*atom)),
            Self::Not(of) => Self::Not(Box::new(of.renamed(name))),
            Self::All(parts) => Self::All(each(parts)),
            Self::Any(parts) => Self::Any(each(parts)),
        }
    }

    /// What is left of it where some atoms are settled.
    #[must_use]
    pub fn settled(&self, value: &dyn Fn(usize) -> Option<bool>) -> Self {
        let each = |parts: &[Self]| parts.iter().map(|part| part.settled(value)).collect::<Vec<_>>();
        match self {
            Self::Known(value) => Self::Known(*value),
            Self::Atom(atom) => value(*atom).map_or(Self::Atom(*atom), Self::Known),
            Self::Not(of) => of.settled(value).negated(),
            Self::All(parts) => Self::all(each(parts)),
            Self::Any(parts) => Self::any(each(parts)),
        }
    }

    /// The atoms that it is about.
    pub fn atoms(&self, found: &mut BTreeSet<usize>) {
        match self {
            Self::Known(_) => {}
            Self::Atom(atom) => drop(found.insert(*atom)),
            Self::Not(of) => of.atoms(found),
            Self::All(parts) | Self::Any(parts) => parts.iter().for_each(|part| part.atoms(found)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_folded() {
        let atom = Formula::Atom(1);
        assert_eq!(Formula::all([Formula::Known(true), atom.clone()]), atom);
        assert_eq!(Formula::any([Formula::Known(true), atom.clone()]), Formula::Known(true));
        assert_eq!(atom.clone().negated().negated(), atom);
        assert_eq!(Formula::all([]), Formula::Known(true));
    }
}
