//! Small changes of an expression: comparisons and their borders, numbers, operators, negation, operands, words of lists.

use std::ops::Range;

use hookgen_runtime::representation::{Comparison, Expr, Op, Span, Type};

/// A change of an expression.
#[derive(Debug, Clone)]
pub(super) struct Edit {
    pub(super) expr: Expr,
    /// The bytes of the text that are written otherwise.
    pub(super) range: Range<usize>,
    /// What is written there instead.
    pub(super) written: String,
    pub(super) what: String,
}

/// The changes of one node; `condition` says that it is one, and no operand of another.
pub(super) fn edits(expr: &Expr, source: &str, condition: bool) -> Vec<Edit> {
    let here = Here { expr, source };
    let mut edits = match &expr.op {
        Op::Compare(op, sides) => here.comparison(*op, sides, Op::Compare),
        Op::CompareMixed(op, sides) => here.comparison(*op, sides, Op::CompareMixed),
        Op::Equal(sides) => here.numbers(sides, &|sides| Op::Equal(Box::new(sides))),
        Op::And(one, other) => here.logic(one, other, ["&&", "||"], Op::Or(one.clone(), other.clone())),
        Op::Or(one, other) => here.logic(one, other, ["||", "&&"], Op::And(one.clone(), other.clone())),
        Op::Not(of) => vec![here.instead((**of).clone(), here.of(of), "no negation")],
        Op::Choose(parts) => {
            let [when, then, otherwise] = &**parts;
            let swapped = Op::Choose(Box::new([when.clone(), otherwise.clone(), then.clone()]));
            let written = format!("{} ? {} : {}", here.of(when), here.of(otherwise), here.of(then));
            vec![here.instead(here.with(swapped), written, "the two results swapped")]
        }
        Op::List(items) if items.len() > 1 && items.iter().all(is_constant) => here.words(items),
        _ => Vec::new(),
    };
    if condition && expr.ty == Type::Bool && !matches!(expr.op, Op::Not(_) | Op::Bool(_) | Op::And(..) | Op::Or(..)) {
        let negated = here.with(Op::Not(Box::new(expr.clone())));
        edits.push(here.instead(negated, format!("!({})", here.of(expr)), "negated"));
    }
    edits
}

struct Here<'h> {
    expr: &'h Expr,
    source: &'h str,
}

impl Here<'_> {
    /// As it is written; of a definition with parameters, which is written elsewhere, only constants are told.
    fn of(&self, expr: &Expr) -> String {
        match (self.source.get(bytes(expr.span)).filter(|written| !written.is_empty()), &expr.op) {
            (Some(written), _) => written.to_owned(),
            (None, Op::Text(text)) => format!("'{text}'"),
            (None, Op::Int(number)) => number.to_string(),
            (None, _) => String::new(),
        }
    }

    fn with(&self, op: Op) -> Expr {
        Expr { op, ty: self.expr.ty.clone(), span: self.expr.span }
    }

    fn instead(&self, expr: Expr, written: String, what: &str) -> Edit {
        Edit { expr, range: bytes(self.expr.span), written, what: what.to_owned() }
    }

    /// The operator between two sides, if it stands there as written.
    fn operator(&self, one: &Expr, other: &Expr, written: &str) -> Range<usize> {
        let between = one.span.end as usize..other.span.start as usize;
        let found = self.source.get(between.clone()).and_then(|text| text.find(written));
        found.map_or(between.clone(), |at| between.start + at..between.start + at + written.len())
    }

    fn comparison(&self, op: Comparison, sides: &[Expr; 2], make: fn(Comparison, Box<[Expr; 2]>) -> Op) -> Vec<Edit> {
        let [one, other] = sides;
        let range = self.operator(one, other, symbol(op));
        let changed = [border(op), turned(op)].into_iter().map(|new| Edit {
            expr: self.with(make(new, Box::new(sides.clone()))),
            range: range.clone(),
            written: symbol(new).to_owned(),
            what: format!("`{}` instead of `{}`", symbol(new), symbol(op)),
        });
        changed.chain(self.numbers(sides, &|sides| make(op, Box::new(sides)))).collect()
    }

    /// Whole numbers that something is compared with, one more and one less.
    fn numbers(&self, sides: &[Expr; 2], make: &dyn Fn([Expr; 2]) -> Op) -> Vec<Edit> {
        let mut edits = Vec::new();
        for (place, side) in sides.iter().enumerate() {
            let Op::Int(number) = side.op else { continue };
            for new in [number.saturating_add(1), number.saturating_sub(1)] {
                let mut sides = sides.clone();
                if let Some(side) = sides.get_mut(place) {
                    side.op = Op::Int(new);
                }
                edits.push(Edit {
                    expr: self.with(make(sides)),
                    range: bytes(side.span),
                    written: new.to_string(),
                    what: format!("{new} instead of {number}"),
                });
            }
        }
        edits
    }

    fn logic(&self, one: &Expr, other: &Expr, [written, new]: [&str; 2], swapped: Op) -> Vec<Edit> {
        let mut edits = vec![Edit {
            expr: self.with(swapped),
            range: self.operator(one, other, written),
            written: new.to_owned(),
            what: format!("`{new}` instead of `{written}`"),
        }];
        edits.push(self.instead(one.clone(), self.of(one), "the second operand left out"));
        // Of a longer chain, the left side is all that comes before, which other changes leave out piece by piece.
        if std::mem::discriminant(&one.op) != std::mem::discriminant(&self.expr.op) {
            edits.push(self.instead(other.clone(), self.of(other), "the first operand left out"));
        }
        edits
    }

    fn words(&self, items: &[Expr]) -> Vec<Edit> {
        let without = |left_out: usize| {
            let rest = items.iter().enumerate().filter(|(place, _)| *place != left_out).map(|(_, item)| item);
            let rest: Vec<Expr> = rest.cloned().collect();
            let written = rest.iter().map(|item| self.of(item)).collect::<Vec<_>>().join(", ");
            let what = items.get(left_out).map(|item| format!("{} left out", self.of(item))).unwrap_or_default();
            self.instead(self.with(Op::List(rest)), format!("[{written}]"), &what)
        };
        (0..items.len()).map(without).collect()
    }
}

fn is_constant(expr: &Expr) -> bool {
    matches!(expr.op, Op::Text(_) | Op::Int(_) | Op::Double(_))
}

fn bytes(span: Span) -> Range<usize> {
    span.start as usize..span.end as usize
}

fn symbol(op: Comparison) -> &'static str {
    match op {
        Comparison::Less => "<",
        Comparison::LessEqual => "<=",
        Comparison::Greater => ">",
        Comparison::GreaterEqual => ">=",
    }
}

/// The same with its border on the other side.
fn border(op: Comparison) -> Comparison {
    match op {
        Comparison::Less => Comparison::LessEqual,
        Comparison::LessEqual => Comparison::Less,
        Comparison::Greater => Comparison::GreaterEqual,
        Comparison::GreaterEqual => Comparison::Greater,
    }
}

/// The contrary.
fn turned(op: Comparison) -> Comparison {
    match op {
        Comparison::Less => Comparison::GreaterEqual,
        Comparison::LessEqual => Comparison::Greater,
        Comparison::Greater => Comparison::LessEqual,
        Comparison::GreaterEqual => Comparison::Less,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(op: Op, ty: Type, start: u32, end: u32) -> Expr {
        Expr { op, ty, span: Span { start, end } }
    }

    #[test]
    fn a_comparison_with_a_number_changes_at_its_border_and_by_one() {
        let source = "n >= 3";
        let sides = [at(Op::Int(0), Type::Int, 0, 1), at(Op::Int(3), Type::Int, 5, 6)];
        let expr = at(Op::Compare(Comparison::GreaterEqual, Box::new(sides)), Type::Bool, 0, 6);
        let found: Vec<String> = edits(&expr, source, false)
            .iter()
            .map(|edit| format!("{}{}{}", &source[..edit.range.start], edit.written, &source[edit.range.end..]))
            .collect();
        assert_eq!(found, ["n > 3", "n < 3", "1 >= 3", "-1 >= 3", "n >= 4", "n >= 2"]);
    }

    #[test]
    fn each_operand_of_a_chain_is_left_out_once() {
        let source = "a && b && c";
        let operand = |start| at(Op::Fact(start as usize), Type::Bool, start, start + 1);
        let inner = at(Op::And(Box::new(operand(0)), Box::new(operand(5))), Type::Bool, 0, 6);
        let outer = at(Op::And(Box::new(inner.clone()), Box::new(operand(10))), Type::Bool, 0, 11);
        let found: Vec<String> =
            [&outer, &inner].iter().flat_map(|expr| edits(expr, source, true)).map(|edit| edit.written).collect();
        assert_eq!(found, ["||", "a && b", "||", "a", "b"]);
    }

    #[test]
    fn a_word_of_a_list_is_left_out() {
        let source = "['a', 'b']";
        let word = |text: &str, start| at(Op::Text(text.to_owned()), Type::Text, start, start + 3);
        let list = at(Op::List(vec![word("a", 1), word("b", 6)]), Type::Text.list(), 0, 10);
        let found: Vec<String> = edits(&list, source, false).into_iter().map(|edit| edit.written).collect();
        assert_eq!(found, ["['b']", "['a']"]);
    }
}
