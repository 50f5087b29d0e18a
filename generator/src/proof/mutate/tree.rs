//! Expressions, changed in one place.

use hookgen_runtime::representation::{Access, Expr, Op, Span, Text};

/// The expressions that one is made of, in the order of `Expr::children`.
pub(super) fn children_mut(expr: &mut Expr) -> Vec<&mut Expr> {
    match &mut expr.op {
        Op::List(items) | Op::Concat(items) | Op::Path(items) | Op::Call(_, items) => items.iter_mut().collect(),
        Op::Map(entries) => entries.iter_mut().flat_map(|(key, value)| [key, value]).collect(),
        Op::Access(of, Access::Key(with) | Access::Element(with)) => vec![of, with],
        Op::Part(of, _)
        | Op::Access(of, _)
        | Op::Has(of, _)
        | Op::IsNull(of)
        | Op::Read(of)
        | Op::EntryKey(of)
        | Op::EntryValue(of)
        | Op::Entries(of)
        | Op::Members(of)
        | Op::Numbered(of)
        | Op::Keys(of)
        | Op::MapSize(of)
        | Op::Not(of)
        | Op::Negate(of)
        | Op::Show(of)
        | Op::IntToDouble(of)
        | Op::DoubleToInt(of)
        | Op::TextToInt(of)
        | Op::TextToDouble(of)
        | Op::TextToBool(of) => vec![of],
        Op::Element(one, two) | Op::And(one, two) | Op::Or(one, two) => vec![one, two],
        Op::Choose(parts) => parts.iter_mut().collect(),
        Op::Arithmetic(_, sides)
        | Op::Append(sides)
        | Op::Compare(_, sides)
        | Op::CompareMixed(_, sides)
        | Op::Equal(sides)
        | Op::EqualMixed(sides)
        | Op::EqualOpen(sides)
        | Op::Among(sides)
        | Op::AmongOpen(sides)
        | Op::HasKey(sides) => sides.iter_mut().collect(),
        Op::Macro { list, body, .. } => vec![list, body],
        _ => Vec::new(),
    }
}

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
        here = children_mut(here).into_iter().nth(*step)?;
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
        children_mut(expr).into_iter().for_each(strip);
    }
    let mut shape = bare(expr);
    strip(&mut shape);
    format!("{shape:?}")
}

/// The expression without its places, to be compared.
pub(crate) fn bare(expr: &Expr) -> Expr {
    fn strip(expr: &mut Expr) {
        expr.span = Span::default();
        children_mut(expr).into_iter().for_each(strip);
    }
    let mut bare = expr.clone();
    strip(&mut bare);
    bare
}
