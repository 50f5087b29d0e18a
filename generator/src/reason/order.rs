//! Numbers, read as statements about how much at least they are.

use hookgen_runtime::Json;
use hookgen_runtime::representation::{Comparison, Expr, Op};

use super::atom::{Atom, Term};
use super::formula::Formula;
use super::read::{Reader, Scope};

impl<'r> Reader<'r> {
    pub(super) fn ordered(
        &self,
        expr: &'r Expr,
        order: Comparison,
        sides: &'r [Expr; 2],
        scope: &Scope<'r>,
    ) -> Formula {
        let [left, right] = sides;
        let at_least = |term: usize, number: Option<i64>, opposite: bool| match number {
            Some(number) if opposite => self.at_least(term, number).negated(),
            Some(number) => self.at_least(term, number),
            None => self.opaque(expr, scope),
        };
        match (self.constant(left, scope), self.constant(right, scope)) {
            (Some(Json::Int(one)), Some(Json::Int(other))) => Formula::Known(match order {
                Comparison::Less => one < other,
                Comparison::LessEqual => one <= other,
                Comparison::Greater => one > other,
                Comparison::GreaterEqual => one >= other,
            }),
            (None, Some(Json::Int(number))) => {
                if let Some(found) = self.found(left, order, number, scope) {
                    return found;
                }
                let term = self.term(left, scope);
                match order {
                    Comparison::GreaterEqual => at_least(term, Some(number), false),
                    Comparison::Greater => at_least(term, number.checked_add(1), false),
                    Comparison::Less => at_least(term, Some(number), true),
                    Comparison::LessEqual => at_least(term, number.checked_add(1), true),
                }
            }
            (Some(Json::Int(number)), None) => {
                let term = self.term(right, scope);
                match order {
                    Comparison::LessEqual => at_least(term, Some(number), false),
                    Comparison::Less => at_least(term, number.checked_add(1), false),
                    Comparison::Greater => at_least(term, Some(number), true),
                    Comparison::GreaterEqual => at_least(term, number.checked_add(1), true),
                }
            }
            _ => self.apart(order, left, right, expr, scope),
        }
    }

    /// Two numbers that nobody knows: by how much the one is more than the other.
    fn apart(&self, order: Comparison, left: &'r Expr, right: &'r Expr, expr: &'r Expr, scope: &Scope<'r>) -> Formula {
        let (one, other) = (self.term(left, scope), self.term(right, scope));
        let (low, high, turned) = if one <= other { (one, other, false) } else { (other, one, true) };
        let term = {
            let mut known = self.known.borrow_mut();
            let (Some(first), Some(second)) = (known.terms.get(low), known.terms.get(high)) else {
                return self.opaque(expr, scope);
            };
            let less = |one: Option<i64>, other: Option<i64>| one?.checked_sub(other?);
            let term = Term {
                key: format!("{low} - {high}"),
                expr,
                mentions: first.mentions.union(&second.mentions).copied().collect(),
                part: None,
                measures: None,
                words: None,
                least: if low == high { Some(0) } else { less(first.least, second.most) },
                most: if low == high { Some(0) } else { less(first.most, second.least) },
            };
            known.enter(term)
        };
        // The term is `low - high`; if the sides were turned, all orders are.
        let order = match order {
            order if !turned => order,
            Comparison::Less => Comparison::Greater,
            Comparison::LessEqual => Comparison::GreaterEqual,
            Comparison::Greater => Comparison::Less,
            Comparison::GreaterEqual => Comparison::LessEqual,
        };
        match order {
            Comparison::Greater => self.at_least(term, 1),
            Comparison::GreaterEqual => self.at_least(term, 0),
            Comparison::Less => self.at_least(term, 0).negated(),
            Comparison::LessEqual => self.at_least(term, 1).negated(),
        }
    }

    fn at_least(&self, term: usize, number: i64) -> Formula {
        let bounds = self.known.borrow().terms.get(term).map(|term| (term.least, term.most)).unwrap_or_default();
        match bounds {
            (Some(least), _) if least >= number => Formula::Known(true),
            (_, Some(most)) if most < number => Formula::Known(false),
            _ => self.atom(format!("{term} >= {number}"), Atom::AtLeast { term, number }),
        }
    }

    /// Whether an order of numbers with fractions holds whatever happens; `None` where it depends.
    pub(super) fn settled(&self, order: Comparison, sides: &[Expr; 2]) -> Option<bool> {
        let [one, other] = sides.each_ref().map(|side| self.reach(side));
        let (one, other) = (one?, other?);
        let (always, never) = match order {
            Comparison::Less => (one.1 < other.0, one.0 >= other.1),
            Comparison::LessEqual => (one.1 <= other.0, one.0 > other.1),
            Comparison::Greater => (one.0 > other.1, one.1 <= other.0),
            Comparison::GreaterEqual => (one.0 >= other.1, one.1 < other.0),
        };
        (always || never).then_some(always)
    }

    /// The least and the most that a constant or a threshold can be.
    fn reach(&self, expr: &Expr) -> Option<(f64, f64)> {
        match expr.op {
            Op::Double(number) => Some((number, number)),
            Op::Int(number) => i32::try_from(number).ok().map(|number| (number.into(), number.into())),
            Op::Threshold(place) => {
                let threshold = self.whole.catalog.thresholds.get(place)?;
                let fixed = threshold.config.is_empty().then_some((threshold.default, threshold.default));
                fixed.or(threshold.range)
            }
            _ => None,
        }
    }
}
