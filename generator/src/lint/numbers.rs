//! What whole numbers an expression may be, as far as the catalog alone tells.

use serde_json::Value;

use super::Subject;
use super::sites::{Bound, Site, bare_value, given};
use crate::model::{BinaryOp, Expr, ExprKind, UnaryOp};

/// How many definitions are followed: those that lead to themselves are told elsewhere.
const DEPTH: usize = 16;

impl Subject<'_> {
    /// The least and the greatest whole number that an expression may be; none if it depends on more than settings.
    pub(super) fn numbers(&self, site: &Site<'_>, expr: &Expr, bound: &[Bound<'_>]) -> Option<(i64, i64)> {
        self.numbers_within(site, expr, bound, DEPTH)
    }

    fn numbers_within(&self, site: &Site<'_>, expr: &Expr, bound: &[Bound<'_>], depth: usize) -> Option<(i64, i64)> {
        let depth = depth.checked_sub(1)?;
        let of = |expr: &Expr| self.numbers_within(site, expr, bound, depth);
        match &bare_value(given(expr, bound)).kind {
            ExprKind::Int(number) => Some((*number, *number)),
            ExprKind::Unary { op: UnaryOp::Negate, of: inner } => {
                let (least, most) = of(inner)?;
                Some((most.checked_neg()?, least.checked_neg()?))
            }
            ExprKind::Threshold(name) => {
                let threshold = self.catalog.thresholds.iter().find(|threshold| threshold.name == *name)?;
                let [least, most] = threshold.range.as_ref().map_or([&threshold.default; 2], |[a, b]| [a, b]);
                Some((least.as_i64()?, most.as_i64()?))
            }
            ExprKind::Data(_) | ExprKind::Field { .. } | ExprKind::Index { .. } => {
                let number = self.table(expr).and_then(Value::as_i64)?;
                Some((number, number))
            }
            ExprKind::Fact(name) => of(&self.catalog.facts.iter().find(|fact| fact.name == *name)?.expr),
            ExprKind::Binding(name) => of(&site.hook?.bindings.iter().find(|fact| fact.name == *name)?.expr),
            ExprKind::Binary { op, left, right } => {
                let ((a, b), (c, d)) = (of(left)?, of(right)?);
                match op {
                    BinaryOp::Add => Some((a.checked_add(c)?, b.checked_add(d)?)),
                    BinaryOp::Subtract => Some((a.checked_sub(d)?, b.checked_sub(c)?)),
                    BinaryOp::Multiply => {
                        let ends = [(a, c), (a, d), (b, c), (b, d)];
                        let products: Option<Vec<i64>> = ends.iter().map(|(x, y)| x.checked_mul(*y)).collect();
                        products.and_then(|all| Some((*all.iter().min()?, *all.iter().max()?)))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }
}
