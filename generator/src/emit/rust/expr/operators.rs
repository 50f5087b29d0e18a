//! Operators, and values made on the spot to compare with or to hand over.

use super::super::format::{literal, whole};
use super::{Binding, Code, Writer};
use crate::emit::Bug;
use crate::model::{BinaryOp, Expr, ExprKind, Type};

impl Writer {
    pub(super) fn binary(&self, op: BinaryOp, left: &Expr, right: &Expr) -> Result<Code, Bug> {
        let (sign, binding) = match op {
            BinaryOp::Or => ("||", Binding::Or),
            BinaryOp::And => ("&&", Binding::And),
            BinaryOp::Equal | BinaryOp::NotEqual if open(left) || open(right) => {
                return self.open_equality(op, left, right);
            }
            BinaryOp::Equal if is_empty_text(right) => return Ok(Code::value(self.is_empty(left)?)),
            BinaryOp::NotEqual if is_empty_text(right) => {
                return Ok(Code::operation(format!("!{}", self.is_empty(left)?), Binding::Unary));
            }
            BinaryOp::Equal => ("==", Binding::Comparison),
            BinaryOp::NotEqual => ("!=", Binding::Comparison),
            BinaryOp::Less => ("<", Binding::Comparison),
            BinaryOp::LessEqual => ("<=", Binding::Comparison),
            BinaryOp::Greater => (">", Binding::Comparison),
            BinaryOp::GreaterEqual => (">=", Binding::Comparison),
            BinaryOp::In => return self.membership(left, right),
            BinaryOp::Add if left.ty == Type::Text => return self.concatenation(left, right),
            BinaryOp::Add if matches!(left.ty, Type::List(_)) => {
                // Both sides own their elements, so that they are of one type.
                return Ok(Code::value(format!("operators::concat({}, {})", self.owned(left)?, self.owned(right)?)));
            }
            _ if left.ty == Type::Int => return self.whole(op, left, right),
            BinaryOp::Add => ("+", Binding::Sum),
            BinaryOp::Subtract => ("-", Binding::Sum),
            BinaryOp::Multiply => ("*", Binding::Product),
            BinaryOp::Divide => ("/", Binding::Product),
            BinaryOp::Remainder => ("%", Binding::Product),
        };
        // The right side of a comparison or a difference must bind more tightly than the left.
        let tighter = match binding {
            Binding::Comparison | Binding::Sum => Binding::Product,
            Binding::Product => Binding::Unary,
            other => other,
        };
        let side = |expr: &Expr, place: Binding| -> Result<String, Bug> {
            if matches!(expr.ty, Type::Text | Type::List(_)) && binding == Binding::Comparison {
                return self.borrowed(expr);
            }
            Ok(self.code(expr)?.within(place))
        };
        let left = side(left, if binding == Binding::Comparison { tighter } else { binding })?;
        Ok(Code::operation(format!("{left} {sign} {}", side(right, tighter)?), binding))
    }

    /// Whole numbers saturate, and division can fail.
    fn whole(&self, op: BinaryOp, left: &Expr, right: &Expr) -> Result<Code, Bug> {
        let (one, two) = (self.code(left)?, self.code(right)?.text);
        let receiver = match &left.kind {
            ExprKind::Int(value) => format!("{}_i64", whole(*value)),
            _ => one.within(Binding::Atom),
        };
        Ok(Code::value(match op {
            BinaryOp::Add => format!("{receiver}.saturating_add({two})"),
            BinaryOp::Subtract => format!("{receiver}.saturating_sub({two})"),
            BinaryOp::Multiply => format!("{receiver}.saturating_mul({two})"),
            BinaryOp::Divide => format!("operators::divide({}, {two})?", one.text),
            _ => format!("operators::remainder({}, {two})?", one.text),
        }))
    }

    /// A chain of text sums is one array of pieces.
    fn concatenation(&self, left: &Expr, right: &Expr) -> Result<Code, Bug> {
        let mut pieces = Vec::new();
        collect_sum(left, &mut pieces);
        collect_sum(right, &mut pieces);
        let pieces: Result<Vec<String>, Bug> = pieces.into_iter().map(|piece| self.piece(piece)).collect();
        Ok(Code::value(format!("[{}].concat()", pieces?.join(", "))))
    }

    fn membership(&self, left: &Expr, right: &Expr) -> Result<Code, Bug> {
        Ok(match &right.ty {
            Type::List(of) if **of == Type::Text => {
                Code::value(format!("operators::is_one_of({}, {})", self.argument(left)?, self.argument(right)?))
            }
            Type::List(of) if **of == Type::Any => Code::value(format!(
                "operators::exists({}, |item| Ok(operators::equals(*item, {})))?",
                self.borrowed(right)?,
                self.json(left)?
            )),
            Type::List(_) => {
                Code::value(format!("{}.contains(&{})", self.code(right)?.receiver(), self.code(left)?.text))
            }
            _ => Code::value(format!("{}.has({})", self.code(right)?.receiver(), self.argument(left)?)),
        })
    }

    /// Equality where at least one side is of unknown shape.
    fn open_equality(&self, op: BinaryOp, left: &Expr, right: &Expr) -> Result<Code, Bug> {
        let (node, other) = if open(left) { (left, right) } else { (right, left) };
        let node = self.code(node)?;
        let (text, negative) = if other.ty == Type::Null {
            (format!("{}.present()", node.receiver()), op == BinaryOp::Equal)
        } else {
            let other = self.json(other)?;
            (format!("operators::equals({}, {other})", node.text), op == BinaryOp::NotEqual)
        };
        Ok(if negative { Code::operation(format!("!{text}"), Binding::Unary) } else { Code::value(text) })
    }

    /// A `Json` object made on the spot.
    pub(super) fn object(&self, entries: &[(String, Expr)]) -> Result<String, Bug> {
        let entries: Result<Vec<String>, Bug> = entries
            .iter()
            .map(|(key, value)| Ok(format!("({}.into(), {})", literal(key), self.json_value(value)?)))
            .collect();
        Ok(format!("Json::Object(Many::Owned(vec![{}]))", entries?.join(", ")))
    }

    fn json_value(&self, expr: &Expr) -> Result<String, Bug> {
        Ok(match &expr.ty {
            Type::Text => format!("Json::Text(({}).into())", self.owned(expr)?),
            Type::Int => format!("Json::Int({})", self.code(expr)?.text),
            Type::Double => format!("Json::Double({})", self.code(expr)?.text),
            Type::Bool => format!("Json::Bool({})", self.code(expr)?.text),
            Type::Null => "Json::Null".to_owned(),
            Type::List(of) => {
                let item = Expr { kind: ExprKind::Variable("item".to_owned()), ty: (**of).clone() };
                let items =
                    format!("({}).iter().map(|item| {}).collect()", self.borrowed(expr)?, self.json_value(&item)?);
                format!("Json::List(Many::Owned({items}))")
            }
            _ => match &expr.kind {
                ExprKind::Map(entries) => self.object(entries)?,
                _ => format!("{}.json().clone()", self.code(expr)?.receiver()),
            },
        })
    }

    /// A `&Json` to compare with.
    fn json(&self, expr: &Expr) -> Result<String, Bug> {
        Ok(match expr.ty {
            Type::Text => format!("&operators::text_value({})", self.argument(expr)?),
            Type::Int => format!("&Json::Int({})", self.code(expr)?.text),
            Type::Double => format!("&Json::Double({})", self.code(expr)?.text),
            Type::Bool => format!("&Json::Bool({})", self.code(expr)?.text),
            Type::Null => "&Json::Null".to_owned(),
            _ => format!("{}.json()", self.code(expr)?.receiver()),
        })
    }
}

fn is_empty_text(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Text(text) if text.is_empty())
}

fn open(expr: &Expr) -> bool {
    expr.ty == Type::Any
}

fn collect_sum<'e>(expr: &'e Expr, pieces: &mut Vec<&'e Expr>) {
    match &expr.kind {
        ExprKind::Binary { op: BinaryOp::Add, left, right } if expr.ty == Type::Text => {
            collect_sum(left, pieces);
            collect_sum(right, pieces);
        }
        _ => pieces.push(expr),
    }
}
