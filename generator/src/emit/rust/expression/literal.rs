//! Constants, and lists and records made on the spot.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use hookgen_runtime::representation::{Expr, Op, Type};

use super::Writer;
use crate::bug::Bug;
use crate::emit::rust::code::{Code, Form, receiver};

impl Writer<'_> {
    pub(super) fn literal(&self, expr: &Expr) -> Result<Code, Bug> {
        match &expr.op {
            Op::Bool(value) => Code::plain(quote!(#value)),
            // Alone it would be of whatever type Rust likes best.
            Op::Int(value) => Code::plain(typed(*value)),
            Op::Double(value) => Code::plain(fraction(*value)),
            Op::Text(text) => Code::reference(string(text), true),
            Op::Null => Code::plain(quote!(Node::null())),
            Op::List(items) if items.iter().all(is_constant) && !items.is_empty() => {
                let items: Vec<TokenStream> = items.iter().filter_map(constant).collect();
                Code::reference(quote!(&[#(#items),*]), true)
            }
            Op::List(items) if items.is_empty() => {
                let of = empty(&expr.ty);
                Code::new(quote!(Vec::<#of>::new()), Form::Value)
            }
            Op::List(items) => {
                let items = self.values(items)?;
                Code::new(quote!(Vec::from([#(#items),*])), Form::Value)
            }
            Op::Map(entries) => {
                let (facts, object) = (&self.facts, self.object(entries)?);
                Code::plain(quote!(Node::new(#facts.call().shelve(#object), Origin::Data)))
            }
            other => Err(Bug::new(format!("{other:?} is no constant"))),
        }
    }

    /// A map; where its keys are written out, nothing can be wrong with them.
    fn object(&self, entries: &[(Expr, Expr)]) -> Result<TokenStream, Bug> {
        let pairs: Vec<TokenStream> = entries
            .iter()
            .map(|(key, value)| {
                let (key, value) = (self.value(key)?, self.json(value)?);
                Ok(quote!((#key, #value)))
            })
            .collect::<Result<_, Bug>>()?;
        let pairs = quote!(Vec::from([#(#pairs),*]));
        Ok(if entries.iter().all(|(key, _)| is_constant(key)) {
            quote!(Json::Object(Many::Owned(#pairs)).into_owned())
        } else {
            quote!(operators::object(#pairs)?)
        })
    }

    /// A value as JSON.
    pub(super) fn json(&self, expr: &Expr) -> Result<TokenStream, Bug> {
        if let Op::Map(entries) = &expr.op {
            return self.object(entries);
        }
        if let Op::Text(text) = &expr.op {
            let text = string(text);
            return Ok(quote!(Json::text(#text)));
        }
        let code = match &expr.ty {
            Type::Text | Type::List(_) => self.value(expr)?,
            _ => self.code(expr)?.expr,
        };
        let of = receiver(&code);
        Ok(match &expr.ty {
            Type::Text => quote!(Json::Text(#code)),
            Type::Int => quote!(Json::Int(#code)),
            Type::Double => quote!(Json::Double(#code)),
            Type::Bool => quote!(Json::Bool(#code)),
            Type::List(_) => quote!(Json::from(#code)),
            _ => quote!(#of.json().clone()),
        })
    }
}

/// The type of the elements that a list without any does not have.
fn empty(ty: &Type) -> TokenStream {
    match ty {
        Type::List(of) => match &**of {
            Type::Text => quote!(Text<'_>),
            Type::List(_) => {
                let of = empty(of);
                quote!(Vec<#of>)
            }
            Type::Node | Type::Record => quote!(Node<'_>),
            Type::Entry(_) => quote!(Entry<'_, _>),
            Type::Object(_) => quote!(_),
            other => super::super::types::kept(other),
        },
        _ => quote!(_),
    }
}

fn is_constant(expr: &Expr) -> bool {
    constant(expr).is_some()
}

fn constant(expr: &Expr) -> Option<TokenStream> {
    match &expr.op {
        Op::Bool(value) => Some(quote!(#value)),
        Op::Int(value) => Some(typed(*value)),
        Op::Double(value) => Some(fraction(*value)),
        Op::Text(text) => Some(string(text)),
        _ => None,
    }
}

/// A string literal.
pub(in crate::emit::rust) fn string(text: &str) -> TokenStream {
    let literal = Literal::string(text);
    quote!(#literal)
}

/// A whole number. Long ones have their digits in groups of three, as in code that people write.
pub(in crate::emit::rust) fn whole(value: i64) -> TokenStream {
    number(value, "")
}

/// A whole number that says its type, where nothing else does.
pub(super) fn typed(value: i64) -> TokenStream {
    number(value, "_i64")
}

fn number(value: i64, suffix: &str) -> TokenStream {
    if value == i64::MIN {
        return quote!(i64::MIN);
    }
    // The compiler has something to say about a number written out that nothing can exceed.
    if value == i64::MAX {
        return quote!(i64::MAX);
    }
    let digits = value.unsigned_abs().to_string();
    let digits = format!("{}{suffix}", grouped(&digits, digits.len() % 3));
    let digits: TokenStream = digits.parse().unwrap_or_default();
    if value < 0 { quote!(-#digits) } else { digits }
}

/// A number with a fraction, grouped likewise, or one with an exponent.
pub(in crate::emit::rust) fn fraction(value: f64) -> TokenStream {
    if value.is_nan() {
        return quote!(f64::NAN);
    }
    if value.is_infinite() {
        return if value > 0.0 { quote!(f64::INFINITY) } else { quote!(f64::NEG_INFINITY) };
    }
    let text = format!("{:?}", value.abs());
    let text = match text.split_once('.') {
        Some((whole, parts)) if !parts.contains('e') => {
            format!("{}.{}", grouped(whole, whole.len() % 3), grouped(parts, 0))
        }
        _ => text,
    };
    let digits: TokenStream = text.parse().unwrap_or_default();
    if value.is_sign_negative() { quote!(-#digits) } else { digits }
}

/// The digits in groups of three, of which one ends at the given place; as they are if they can be read at a glance.
fn grouped(digits: &str, edge: usize) -> String {
    if digits.len() < LONG_NUMBER {
        return digits.to_owned();
    }
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && at % 3 == edge {
            text.push('_');
        }
        text.push(digit);
    }
    text
}

/// From so many digits on, linters ask for separators.
const LONG_NUMBER: usize = 6;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_numbers_have_separators_and_short_ones_do_not() {
        let whole = |value| whole(value).to_string().replace(' ', "");
        let fraction = |value| fraction(value).to_string().replace(' ', "");
        assert_eq!(whole(99_999), "99999");
        assert_eq!(whole(100_000), "100_000");
        assert_eq!(whole(-1_234_567), "-1_234_567");
        assert_eq!(whole(i64::MIN), "i64::MIN");
        assert_eq!(fraction(0.6), "0.6");
        assert_eq!(fraction(-99_999.5), "-99999.5");
        assert_eq!(fraction(1_000_000_000.0), "1_000_000_000.0");
        assert_eq!(fraction(0.123_456_7), "0.123_456_7");
        assert_eq!(fraction(1e21), "1e21");
        assert_eq!(fraction(1.234_567_8e-7), "1.2345678e-7");
        assert_eq!(fraction(f64::NEG_INFINITY), "f64::NEG_INFINITY");
    }
}
