//! Expressions, changed in one place.

use hookgen_runtime::representation::{Expr, Op, Span, Text};

/// The text with another expression at the end of a way of children.
pub(super) fn replaced(text: &Text, way: &[usize], new: &Expr) -> Text {
    let mut changed = text.clone();
    match put(&mut changed.value, way, new) {
        Some(()) => changed,
        None => text.clone(),
    }
}

/// Puts an expression at the end of a way of children.
pub(super) fn put(into: &mut Expr, way: &[usize], new: &Expr) -> Option<()> {
    let mut here = into;
    for step in way {
        here = here.children_mut().into_iter().nth(*step)?;
    }
    *here = new.clone();
    Some(())
}

/// The expression at the end of a way of children.
pub(super) fn placed(whole: &'static Expr, way: &[usize]) -> Option<&'static Expr> {
    way.iter().try_fold(whole, |expr, step| expr.children().into_iter().nth(*step))
}

/// Every expression of a text with the way to it.
pub(super) fn ways(expr: &'static Expr) -> Vec<(Vec<usize>, &'static Expr)> {
    let mut found = vec![(Vec::new(), expr)];
    for (number, child) in expr.children().into_iter().enumerate() {
        found.extend(ways(child).into_iter().map(|(mut way, expr)| {
            way.insert(0, number);
            (way, expr)
        }));
    }
    found
}

/// What an expression looks like wherever it stands: without its places, and with all variables the same.
pub(super) fn shape(expr: &Expr) -> String {
    fn strip(expr: &mut Expr) {
        match &mut expr.op {
            Op::Variable { slot, .. } | Op::Macro { slot, .. } => *slot = 0,
            _ => {}
        }
        expr.children_mut().into_iter().for_each(strip);
    }
    let mut shape = bare(expr);
    strip(&mut shape);
    format!("{shape:?}")
}

/// The expression without its places, to be compared.
pub(crate) fn bare(expr: &Expr) -> Expr {
    fn strip(expr: &mut Expr) {
        expr.span = Span::default();
        expr.children_mut().into_iter().for_each(strip);
    }
    let mut bare = expr.clone();
    strip(&mut bare);
    bare
}
