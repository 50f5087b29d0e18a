//! Operators. The order in which sides are asked for is that of the code that the compiler prints.

use std::cmp::Ordering;
use std::rc::Rc;

use super::access::misplaced;
use super::expression::Scope;
use super::{Evaluator, Shared, Value};
use crate::failure::Attempt;
use crate::operators::{self, Number};
use crate::representation::{Arithmetic, Comparison, Expr, Op, Type};

impl<'c> Evaluator<'c> {
    pub(super) fn operator(&self, expr: &'static Expr, scope: &Scope<'_, 'c>) -> Attempt<Value<'c>> {
        Ok(match &expr.op {
            Op::Not(of) => Value::Bool(!self.boolean(of, scope)?),
            Op::Negate(of) => match self.value(of, scope)? {
                Value::Int(value) => Value::Int(operators::negate(value)?),
                Value::Double(value) => Value::Double(-value),
                other => return Err(other.unfit("a number")),
            },
            Op::And(one, other) => {
                Value::Bool(operators::both(|| self.boolean(one, scope), || self.boolean(other, scope))?)
            }
            Op::Or(one, other) => {
                Value::Bool(operators::either(|| self.boolean(one, scope), || self.boolean(other, scope))?)
            }
            Op::Arithmetic(op, sides) => self.arithmetic(*op, sides, &expr.ty, scope)?,
            Op::Concat(pieces) => self.joined(pieces, scope, |pieces| pieces.concat())?,
            Op::Path(pieces) => self.joined(pieces, scope, operators::path)?,
            Op::Show(of) => Value::text(shown(&self.value(of, scope)?)?),
            Op::Append(sides) => {
                let [left, right] = &**sides;
                let (left, right) = (self.list(left, scope)?, self.list(right, scope)?);
                Value::list(operators::append(Rc::unwrap_or_clone(left), Rc::unwrap_or_clone(right)))
            }
            Op::Compare(..) | Op::CompareMixed(..) => Value::Bool(self.comparison(expr, scope)?),
            Op::Equal(sides) => {
                let [left, right] = self.sides(sides, scope)?;
                Value::Bool(left == right)
            }
            Op::EqualMixed(sides) => {
                let [left, right] = self.sides(sides, scope)?;
                Value::Bool(operators::same_number(number(&left)?, number(&right)?))
            }
            Op::EqualOpen(sides) => {
                let [place, other] = &**sides;
                let (place, other) = (self.node(place, scope)?, self.value(other, scope)?);
                Value::Bool(operators::equals(place, &other.json()))
            }
            Op::Among(_) | Op::AmongOpen(_) | Op::HasKey(_) => Value::Bool(self.membership(expr, scope)?),
            Op::IntToDouble(of) => Value::Double(operators::int_to_double(self.int(of, scope)?)),
            Op::DoubleToInt(of) => Value::Int(operators::double_to_int(self.double(of, scope)?)?),
            Op::TextToInt(of) => Value::Int(operators::text_to_int(&self.text(of, scope)?)?),
            Op::TextToDouble(of) => Value::Double(operators::text_to_double(&self.text(of, scope)?)?),
            Op::TextToBool(of) => Value::Bool(operators::text_to_bool(&self.text(of, scope)?)?),
            _ => return Err(misplaced(expr)),
        })
    }

    fn sides(&self, sides: &'static [Expr; 2], scope: &Scope<'_, 'c>) -> Attempt<[Value<'c>; 2]> {
        let [left, right] = sides;
        Ok([self.value(left, scope)?, self.value(right, scope)?])
    }

    fn arithmetic(
        &self,
        op: Arithmetic,
        sides: &'static [Expr; 2],
        ty: &Type,
        scope: &Scope<'_, 'c>,
    ) -> Attempt<Value<'c>> {
        let [left, right] = sides;
        if *ty == Type::Int {
            let (left, right) = (self.int(left, scope)?, self.int(right, scope)?);
            return match op {
                Arithmetic::Add => operators::add(left, right),
                Arithmetic::Subtract => operators::subtract(left, right),
                Arithmetic::Multiply => operators::multiply(left, right),
                Arithmetic::Divide => operators::divide(left, right),
                Arithmetic::Remainder => operators::remainder(left, right),
            }
            .map(Value::Int);
        }
        let (left, right) = (self.double(left, scope)?, self.double(right, scope)?);
        Ok(Value::Double(match op {
            Arithmetic::Add => left + right,
            Arithmetic::Subtract => left - right,
            Arithmetic::Multiply => left * right,
            Arithmetic::Divide => left / right,
            Arithmetic::Remainder => left % right,
        }))
    }

    fn joined(
        &self,
        pieces: &'static [Expr],
        scope: &Scope<'_, 'c>,
        join: impl FnOnce(&[&str]) -> String,
    ) -> Attempt<Value<'c>> {
        let pieces: Vec<Shared<'c>> = pieces.iter().map(|piece| self.text(piece, scope)).collect::<Attempt<_>>()?;
        let pieces: Vec<&str> = pieces.iter().map(AsRef::as_ref).collect();
        Ok(Value::text(join(&pieces)))
    }

    fn comparison(&self, expr: &'static Expr, scope: &Scope<'_, 'c>) -> Attempt<bool> {
        let (Op::Compare(op, sides) | Op::CompareMixed(op, sides)) = &expr.op else { return Err(misplaced(expr)) };
        let [left, right] = self.sides(sides, scope)?;
        let order = match (&left, &right) {
            (Value::Text(left), Value::Text(right)) => Some((**left).cmp(&**right)),
            (Value::Bool(left), Value::Bool(right)) => Some(left.cmp(right)),
            _ => operators::order(number(&left)?, number(&right)?),
        };
        Ok(order.is_some_and(match op {
            Comparison::Less => Ordering::is_lt,
            Comparison::LessEqual => Ordering::is_le,
            Comparison::Greater => Ordering::is_gt,
            Comparison::GreaterEqual => Ordering::is_ge,
        }))
    }

    /// Of text, the element is asked for first; of anything else, what it may be in.
    fn membership(&self, expr: &'static Expr, scope: &Scope<'_, 'c>) -> Attempt<bool> {
        match &expr.op {
            Op::Among(sides) if sides[0].ty == Type::Text => {
                let (item, list) = (self.value(&sides[0], scope)?, self.list(&sides[1], scope)?);
                Ok(self.is_among(expr, &item, &list))
            }
            Op::Among(sides) => {
                let (list, item) = (self.list(&sides[1], scope)?, self.value(&sides[0], scope)?);
                Ok(self.is_among(expr, &item, &list))
            }
            Op::AmongOpen(sides) => {
                let (list, item) = (self.list(&sides[1], scope)?, self.value(&sides[0], scope)?);
                let item = item.json();
                Ok(list.iter().any(|value| matches!(value, Value::Node(node) if operators::equals(*node, &item))))
            }
            Op::HasKey(sides) => {
                let (map, key) = (self.node(&sides[1], scope)?, self.text(&sides[0], scope)?);
                Ok(map.has(&key))
            }
            _ => Err(misplaced(expr)),
        }
    }
}

impl<'c> Evaluator<'c> {
    fn is_among(&self, expr: &'static Expr, item: &Value<'c>, list: &[Value<'c>]) -> bool {
        let found = list.iter().find(|element| *element == item);
        if let (Some(observer), Some(found)) = (self.observer(), found) {
            observer.element(expr, found, true);
        }
        found.is_some()
    }
}

fn number(value: &Value<'_>) -> Attempt<Number> {
    match value {
        Value::Int(value) => Ok(Number::Int(*value)),
        Value::Double(value) => Ok(Number::Double(*value)),
        other => Err(other.unfit("a number")),
    }
}

/// A value as a person would write it.
fn shown(value: &Value<'_>) -> Attempt<String> {
    match value {
        Value::Bool(value) => Ok(value.to_string()),
        Value::Int(value) => Ok(value.to_string()),
        Value::Double(value) => Ok(value.to_string()),
        Value::Text(text) => Ok(text.to_string()),
        Value::Node(node) => Ok(node.display()),
        other => Err(other.unfit("something that can be shown")),
    }
}
