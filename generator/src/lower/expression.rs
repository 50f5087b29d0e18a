//! Expressions: every operator gets the one meaning that it has for its operands' types.

use hookgen_runtime::representation::{Access, Arithmetic, Comparison, Expr, Macro, Op, Span, Text, Type};
use hookgen_runtime::signature::{Function, Type as Signature};

use super::{Lowering, Scope, place, value_type};
use crate::bug::Bug;
use crate::model::{self, BinaryOp, ExprKind, Segment, UnaryOp};

/// Variables in sight, innermost last, with their places among all of the text.
struct Variables<'v> {
    visible: Vec<(&'v str, usize)>,
    count: usize,
}

impl Lowering<'_> {
    /// An expression of its own.
    pub(super) fn expression(&self, expr: &model::Expr, scope: &Scope<'_>) -> Result<Expr, Bug> {
        self.lowered(expr, scope, &mut Variables { visible: Vec::new(), count: 0 })
    }

    /// A text with expressions in it.
    pub(super) fn template(&self, template: &model::Template, scope: &Scope<'_>) -> Result<Text, Bug> {
        let mut pieces = self.pieces(template, scope)?;
        let value = match pieces.len() {
            0 => constant(String::new()),
            1 => pieces.remove(0),
            _ => node(Op::Concat(pieces), Type::Text, template.source.len()),
        };
        Ok(Text { source: template.source.clone(), value })
    }

    /// A path: empty, which is no file, as soon as one of its parts is empty or its condition does not hold.
    pub(super) fn path(
        &self,
        template: &model::Template,
        when: Option<&model::Condition>,
        scope: &Scope<'_>,
    ) -> Result<Text, Bug> {
        let mut pieces = self.pieces(template, scope)?;
        let path = match pieces.len() {
            0 => constant(String::new()),
            1 => pieces.remove(0),
            _ => node(Op::Path(pieces), Type::Text, template.source.len()),
        };
        let value = match when {
            None => path,
            Some(when) => {
                let parts = [self.expression(&when.expr, scope)?, path, constant(String::new())];
                node(Op::Choose(Box::new(parts)), Type::Text, template.source.len())
            }
        };
        Ok(Text { source: template.source.clone(), value })
    }

    /// The pieces of a template, each of them text.
    fn pieces(&self, template: &model::Template, scope: &Scope<'_>) -> Result<Vec<Expr>, Bug> {
        template
            .segments
            .iter()
            .map(|segment| match segment {
                Segment::Text(text) => Ok(constant(text.clone())),
                Segment::Expr(expr) => Ok(shown(self.expression(expr, scope)?)),
            })
            .collect()
    }

    fn lowered<'e>(
        &self,
        expr: &'e model::Expr,
        scope: &Scope<'_>,
        variables: &mut Variables<'e>,
    ) -> Result<Expr, Bug> {
        let span = span(&expr.span);
        let ty = value_type(&expr.ty);
        let op = match &expr.kind {
            ExprKind::Bool(value) => Op::Bool(*value),
            ExprKind::Int(value) => Op::Int(*value),
            ExprKind::Double(value) => Op::Double(*value),
            ExprKind::Text(text) | ExprKind::Constant { text, .. } => Op::Text(text.clone()),
            ExprKind::Null => Op::Null,
            ExprKind::List(items) => Op::List(self.all(items, scope, variables)?),
            ExprKind::Map(entries) => {
                let mut fields = Vec::new();
                for (key, value) in entries {
                    fields.push((self.lowered(key, scope, variables)?, self.lowered(value, scope, variables)?));
                }
                Op::Map(fields)
            }
            ExprKind::Unary { op: UnaryOp::Not, of } => Op::Not(self.boxed(of, scope, variables)?),
            ExprKind::Unary { op: UnaryOp::Negate, of } => Op::Negate(self.boxed(of, scope, variables)?),
            ExprKind::Binary { op, left, right } => {
                let sides = [self.lowered(left, scope, variables)?, self.lowered(right, scope, variables)?];
                binary(*op, sides)
            }
            ExprKind::Choice { when, then, otherwise } => Op::Choose(Box::new([
                self.lowered(when, scope, variables)?,
                self.lowered(then, scope, variables)?,
                self.lowered(otherwise, scope, variables)?,
            ])),
            ExprKind::Call { function, args } => {
                Op::Call(self.function(function.symbol), self.arguments(function, args, scope, variables)?)
            }
            ExprKind::Property { function } => Op::Call(self.function(function.symbol), Vec::new()),
            ExprKind::Read { of } => Op::Read(self.boxed(of, scope, variables)?),
            ExprKind::Convert { of } => return Ok(converted(self.lowered(of, scope, variables)?, ty, span)),
            ExprKind::Macro { kind, list, variable, body } => {
                self.list_macro(*kind, list, variable, body, scope, variables)?
            }
            ExprKind::Part { .. }
            | ExprKind::Field { .. }
            | ExprKind::Index { .. }
            | ExprKind::Entry { .. }
            | ExprKind::Size { .. }
            | ExprKind::Has { .. }
            | ExprKind::Entries { .. }
            | ExprKind::Numbered { .. }
            | ExprKind::Keys { .. } => return self.part(expr, scope, variables),
            _ => self.named(&expr.kind, scope, variables)?,
        };
        Ok(Expr { op, ty, span })
    }

    fn boxed<'e>(
        &self,
        expr: &'e model::Expr,
        scope: &Scope<'_>,
        variables: &mut Variables<'e>,
    ) -> Result<Box<Expr>, Bug> {
        self.lowered(expr, scope, variables).map(Box::new)
    }

    fn all<'e>(
        &self,
        items: &'e [model::Expr],
        scope: &Scope<'_>,
        variables: &mut Variables<'e>,
    ) -> Result<Vec<Expr>, Bug> {
        items.iter().map(|item| self.lowered(item, scope, variables)).collect()
    }

    /// Something that the catalog or the event has under a name.
    fn named(&self, kind: &ExprKind, scope: &Scope<'_>, variables: &Variables<'_>) -> Result<Op, Bug> {
        let catalog = self.catalog;
        Ok(match kind {
            ExprKind::Payload => Op::Payload,
            ExprKind::Env(name) => Op::Env(name.clone()),
            ExprKind::Flag(name) => Op::Flag(place(&catalog.flags, name, |flag| &flag.name)?),
            ExprKind::Chosen(name) => Op::Choice(place(&catalog.choices, name, |choice| &choice.name)?),
            ExprKind::Threshold(name) => Op::Threshold(place(&catalog.thresholds, name, |threshold| &threshold.name)?),
            ExprKind::Data(name) => Op::Table(place(&catalog.data, name, |data| &data.name)?),
            ExprKind::Message(name) => Op::Message(place(&catalog.messages, name, |message| &message.name)?),
            ExprKind::Fact(name) => Op::Fact(place(&catalog.facts, name, |fact| &fact.name)?),
            ExprKind::Binding(name) => {
                let hook = scope.hook.ok_or_else(|| Bug::new(format!("`{name}` is in no hook")))?;
                Op::Let(place(&hook.bindings, name, |fact| &fact.name)?)
            }
            ExprKind::Variable(name) => {
                let known = variables.visible.iter().rev().find(|(variable, _)| variable == name);
                let (_, slot) = known.ok_or_else(|| Bug::new(format!("`{name}` is no variable here")))?;
                Op::Variable { slot: *slot, name: name.clone() }
            }
            ExprKind::Document { name, part } => Op::Document(self.document(name, scope)?, *part),
            ExprKind::Spent { name, part } => Op::Spent(place(scope.spends, name, |spend| spend)?, part.clone()),
            other => return Err(Bug::new(format!("{other:?} has no meaning"))),
        })
    }

    /// A part of something: a step into it, and what is there read as its type.
    fn part<'e>(&self, expr: &'e model::Expr, scope: &Scope<'_>, variables: &mut Variables<'e>) -> Result<Expr, Bug> {
        let ty = value_type(&expr.ty);
        let span = span(&expr.span);
        let plain = |op: Op| Expr { op, ty: ty.clone(), span };
        let read = |op: Op| {
            let place = Expr { op, ty: Type::Node, span };
            if ty == Type::Node { place } else { Expr { op: Op::Read(Box::new(place)), ty: ty.clone(), span } }
        };
        Ok(match &expr.kind {
            ExprKind::Part { of, name } => plain(Op::Part(self.boxed(of, scope, variables)?, (*name).to_owned())),
            ExprKind::Field { of, name } => {
                read(Op::Access(self.boxed(of, scope, variables)?, Access::Field(name.clone())))
            }
            ExprKind::Index { of, at } => {
                let (one, two) = (self.boxed(of, scope, variables)?, self.boxed(at, scope, variables)?);
                match (&one.ty, &two.ty) {
                    (Type::List(_), _) => plain(Op::Element(one, two)),
                    (_, Type::Int) => read(Op::Access(one, Access::Element(two))),
                    _ => read(Op::Access(one, Access::Key(two))),
                }
            }
            ExprKind::Entry { of, value: false } => plain(Op::EntryKey(self.boxed(of, scope, variables)?)),
            ExprKind::Entry { of, value: true } => plain(Op::EntryValue(self.boxed(of, scope, variables)?)),
            ExprKind::Size { of } => plain(Op::MapSize(self.boxed(of, scope, variables)?)),
            ExprKind::Has { of, name } => plain(Op::Has(self.boxed(of, scope, variables)?, name.clone())),
            ExprKind::Keys { of } => plain(Op::Keys(self.boxed(of, scope, variables)?)),
            ExprKind::Numbered { of } => plain(Op::Numbered(self.boxed(of, scope, variables)?)),
            ExprKind::Entries { of } if of.ty == model::Type::Any => {
                plain(Op::Members(self.boxed(of, scope, variables)?))
            }
            ExprKind::Entries { of } => plain(Op::Entries(self.boxed(of, scope, variables)?)),
            other => return Err(Bug::new(format!("{other:?} is no part of anything"))),
        })
    }

    fn arguments<'e>(
        &self,
        function: &Function,
        args: &'e [model::Expr],
        scope: &Scope<'_>,
        variables: &mut Variables<'e>,
    ) -> Result<Vec<Expr>, Bug> {
        let wanted = function.receiver.into_iter().chain(function.params.iter().map(|(_, ty)| *ty));
        args.iter()
            .zip(wanted)
            .map(|(arg, wanted)| match (wanted, &arg.kind) {
                (Signature::Pattern, ExprKind::Text(text) | ExprKind::Constant { text, .. }) => {
                    Ok(Expr { op: Op::Pattern(self.pattern(text)), ty: Type::Pattern, span: span(&arg.span) })
                }
                _ => self.lowered(arg, scope, variables),
            })
            .collect()
    }

    fn list_macro<'e>(
        &self,
        kind: Macro,
        list: &'e model::Expr,
        variable: &'e str,
        body: &'e model::Expr,
        scope: &Scope<'_>,
        variables: &mut Variables<'e>,
    ) -> Result<Op, Bug> {
        let list = self.boxed(list, scope, variables)?;
        let slot = variables.count;
        variables.count += 1;
        variables.visible.push((variable, slot));
        let body = self.boxed(body, scope, variables);
        variables.visible.pop();
        Ok(Op::Macro { kind, list, slot, variable: variable.to_owned(), body: body? })
    }
}

fn node(op: Op, ty: Type, length: usize) -> Expr {
    Expr { op, ty, span: span(&(0..length)) }
}

fn constant(text: String) -> Expr {
    Expr { op: Op::Text(text), ty: Type::Text, span: Span::default() }
}

fn span(range: &std::ops::Range<usize>) -> Span {
    let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Span { start: place(range.start), end: place(range.end) }
}

/// A value as text.
fn shown(expr: Expr) -> Expr {
    let span = expr.span;
    if expr.ty == Type::Text { expr } else { Expr { op: Op::Show(Box::new(expr)), ty: Type::Text, span } }
}

fn converted(of: Expr, ty: Type, span: Span) -> Expr {
    if of.ty == ty {
        return of;
    }
    let of_type = of.ty.clone();
    let of = Box::new(of);
    let op = match (of_type, &ty) {
        (_, Type::Text) => Op::Show(of),
        (Type::Node, _) => Op::Read(of),
        (Type::Text, Type::Int) => Op::TextToInt(of),
        (Type::Text, Type::Bool) => Op::TextToBool(of),
        (Type::Text, _) => Op::TextToDouble(of),
        (Type::Double, _) => Op::DoubleToInt(of),
        _ => Op::IntToDouble(of),
    };
    Expr { op, ty, span }
}

fn binary(op: BinaryOp, sides: [Expr; 2]) -> Op {
    let mixed = sides[0].ty != sides[1].ty;
    match op {
        BinaryOp::Or => {
            let [left, right] = sides;
            Op::Or(Box::new(left), Box::new(right))
        }
        BinaryOp::And => {
            let [left, right] = sides;
            Op::And(Box::new(left), Box::new(right))
        }
        BinaryOp::Equal => equality(sides),
        BinaryOp::NotEqual => {
            let span = Span { start: sides[0].span.start, end: sides[1].span.end };
            Op::Not(Box::new(Expr { op: equality(sides), ty: Type::Bool, span }))
        }
        BinaryOp::In => membership(sides),
        BinaryOp::Less => compared(Comparison::Less, sides, mixed),
        BinaryOp::LessEqual => compared(Comparison::LessEqual, sides, mixed),
        BinaryOp::Greater => compared(Comparison::Greater, sides, mixed),
        BinaryOp::GreaterEqual => compared(Comparison::GreaterEqual, sides, mixed),
        BinaryOp::Add if sides[0].ty == Type::Text => Op::Concat(sides.into_iter().flat_map(summands).collect()),
        BinaryOp::Add if matches!(sides[0].ty, Type::List(_)) => Op::Append(Box::new(sides)),
        BinaryOp::Add => Op::Arithmetic(Arithmetic::Add, Box::new(sides)),
        BinaryOp::Subtract => Op::Arithmetic(Arithmetic::Subtract, Box::new(sides)),
        BinaryOp::Multiply => Op::Arithmetic(Arithmetic::Multiply, Box::new(sides)),
        BinaryOp::Divide => Op::Arithmetic(Arithmetic::Divide, Box::new(sides)),
        BinaryOp::Remainder => Op::Arithmetic(Arithmetic::Remainder, Box::new(sides)),
    }
}

/// A chain of text sums is one list of pieces.
fn summands(expr: Expr) -> Vec<Expr> {
    match expr.op {
        Op::Concat(pieces) => pieces,
        _ => vec![expr],
    }
}

fn compared(comparison: Comparison, sides: [Expr; 2], mixed: bool) -> Op {
    let sides = Box::new(sides);
    if mixed { Op::CompareMixed(comparison, sides) } else { Op::Compare(comparison, sides) }
}

/// Equality: of one type, of two kinds of number, or of a place and whatever it is compared with.
fn equality(sides: [Expr; 2]) -> Op {
    let null = |expr: &Expr| expr.op == Op::Null;
    let [left, right] = sides;
    match (&left.ty, &right.ty) {
        _ if null(&left) && null(&right) => Op::Bool(true),
        (Type::Node, _) if null(&right) => Op::IsNull(Box::new(left)),
        (_, Type::Node) if null(&left) => Op::IsNull(Box::new(right)),
        (Type::Node | Type::Record, _) => Op::EqualOpen(Box::new([left, right])),
        (_, Type::Node | Type::Record) => Op::EqualOpen(Box::new([right, left])),
        (one, two) if one != two => Op::EqualMixed(Box::new([left, right])),
        _ => Op::Equal(Box::new([left, right])),
    }
}

/// The meanings of `in`: an element of a list of its type, a value among places, a key.
fn membership(sides: [Expr; 2]) -> Op {
    match &sides[1].ty {
        Type::List(of) if **of == Type::Node => Op::AmongOpen(Box::new(sides)),
        Type::List(_) => Op::Among(Box::new(sides)),
        _ => Op::HasKey(Box::new(sides)),
    }
}
