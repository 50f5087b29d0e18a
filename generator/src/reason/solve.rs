//! Whether a statement can hold: by trying, with what follows from each try drawn at once.
//!
//! The answer is certain or there is none: a search that takes too long ends without one.

use std::collections::BTreeMap;

use super::formula::Formula;

/// How much is looked at before a search is given up.
const PATIENCE: usize = 200_000;

/// What is known of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// It holds with these atoms.
    Holds(BTreeMap<usize, bool>),
    /// It never does.
    Never,
    /// Nobody knows.
    Unknown,
}

/// Whether the statement can hold beside all of the others.
pub(super) fn solve(statement: &Formula, others: &[Formula]) -> Answer {
    let mut search = Search::default();
    for formula in std::iter::once(statement).chain(others) {
        let literal = search.literal(formula);
        search.clauses.push(vec![literal]);
    }
    search.answer()
}

/// A variable, or its opposite if it is negative. Variables are counted from 1.
type Literal = i32;

#[derive(Default)]
struct Search {
    /// Of each clause, one literal holds.
    clauses: Vec<Vec<Literal>>,
    variables: BTreeMap<usize, Literal>,
    count: Literal,
    work: usize,
}

impl Search {
    fn fresh(&mut self) -> Literal {
        self.count += 1;
        self.count
    }

    /// A literal that holds if and only if the statement does.
    fn literal(&mut self, formula: &Formula) -> Literal {
        match formula {
            Formula::Known(value) => {
                let literal = self.fresh();
                self.clauses.push(vec![if *value { literal } else { -literal }]);
                literal
            }
            Formula::Atom(atom) => match self.variables.get(atom) {
                Some(literal) => *literal,
                None => {
                    let literal = self.fresh();
                    self.variables.insert(*atom, literal);
                    literal
                }
            },
            Formula::Not(of) => -self.literal(of),
            Formula::All(parts) => {
                let parts: Vec<Literal> = parts.iter().map(|part| -self.literal(part)).collect();
                -self.one_of(parts)
            }
            Formula::Any(parts) => {
                let parts: Vec<Literal> = parts.iter().map(|part| self.literal(part)).collect();
                self.one_of(parts)
            }
        }
    }

    fn one_of(&mut self, mut parts: Vec<Literal>) -> Literal {
        let whole = self.fresh();
        self.clauses.extend(parts.iter().map(|part| vec![-part, whole]));
        parts.push(-whole);
        self.clauses.push(parts);
        whole
    }

    fn answer(mut self) -> Answer {
        let mut values = vec![None; usize::try_from(self.count).unwrap_or_default() + 1];
        match self.holds(&mut values) {
            Some(true) => {
                let value = |literal: Literal| place(literal).and_then(|at| values.get(at).copied().flatten());
                Answer::Holds(self.variables.iter().filter_map(|(atom, at)| Some((*atom, value(*at)?))).collect())
            }
            Some(false) => Answer::Never,
            None => Answer::Unknown,
        }
    }

    /// Whether the clauses can all hold, `values` being what is settled; `None` when patience is over.
    fn holds(&mut self, values: &mut Vec<Option<bool>>) -> Option<bool> {
        while let Some(more) = self.follow(values)? {
            if !more {
                return Some(false);
            }
        }
        // What is asked about first, and not holding first: examples stay small.
        let Some(open) = (1..values.len()).find(|at| values.get(*at).is_some_and(Option::is_none)) else {
            return Some(true);
        };
        for value in [false, true] {
            let mut tried = values.clone();
            if let Some(at) = tried.get_mut(open) {
                *at = Some(value);
            }
            if self.holds(&mut tried)? {
                *values = tried;
                return Some(true);
            }
        }
        Some(false)
    }

    /// Settles what follows from what is settled, going through all clauses once: whether something did, or `false` for a
    /// contradiction, or nothing.
    fn follow(&mut self, values: &mut [Option<bool>]) -> Option<Option<bool>> {
        let mut settled = None;
        for clause in &self.clauses {
            self.work += clause.len();
            if self.work > PATIENCE {
                return None;
            }
            let mut open = None;
            let mut several = false;
            for literal in clause {
                match truth(values, *literal) {
                    Some(true) => {
                        several = true;
                        break;
                    }
                    Some(false) => {}
                    None if open.is_some() => several = true,
                    None => open = Some(*literal),
                }
            }
            match open {
                _ if several => {}
                None => return Some(Some(false)),
                Some(literal) => {
                    set(values, literal);
                    settled = Some(true);
                }
            }
        }
        Some(settled)
    }
}

fn place(literal: Literal) -> Option<usize> {
    usize::try_from(literal.unsigned_abs()).ok()
}

fn truth(values: &[Option<bool>], literal: Literal) -> Option<bool> {
    let value = values.get(place(literal)?).copied().flatten()?;
    Some(value == (literal > 0))
}

fn set(values: &mut [Option<bool>], literal: Literal) {
    if let Some(at) = place(literal).and_then(|at| values.get_mut(at)) {
        *at = Some(literal > 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn atom(number: usize) -> Formula {
        Formula::Atom(number)
    }

    #[test]
    fn a_contradiction_never_holds_and_the_rest_does() {
        let never = Formula::all([atom(1), atom(2).negated(), Formula::any([atom(1).negated(), atom(2)])]);
        assert_eq!(solve(&never, &[]), Answer::Never);
        let Answer::Holds(values) = solve(&Formula::any([atom(1), atom(2)]), &[atom(1).negated()]) else {
            panic!("it can hold");
        };
        assert_eq!((values.get(&1), values.get(&2)), (Some(&false), Some(&true)));
    }

    #[test]
    fn pigeons_outlast_patience_or_are_settled_and_never_fit() {
        // Seven into six: no answer is right that says they fit.
        let at = |pigeon: usize, hole: usize| atom(pigeon * 6 + hole);
        let mut rules: Vec<Formula> = (0..7).map(|pigeon| Formula::any((0..6).map(|hole| at(pigeon, hole)))).collect();
        for hole in 0..6 {
            for one in 0..7 {
                let others = (0..one).map(|other| Formula::any([at(one, hole).negated(), at(other, hole).negated()]));
                rules.extend(others);
            }
        }
        assert!(!matches!(solve(&Formula::Known(true), &rules), Answer::Holds(_)));
    }
}
