//! Expressions, changed in one place.

use hookgen_runtime::representation::{Expr, Span, Text};

/// The text with another expression at the end of a way of children.
pub(super) fn replaced(text: &Text, way: &[usize], new: &Expr) -> Text {
    let mut changed = text.clone();
    let mut here = &mut changed.value;
    for step in way {
        let Some(next) = here.children_mut().into_iter().nth(*step) else { return text.clone() };
        here = next;
    }
    *here = new.clone();
    changed
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
