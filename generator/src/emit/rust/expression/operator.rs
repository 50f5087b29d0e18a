//! Operators.

use proc_macro2::TokenStream;
use quote::quote;

use hookgen_runtime::representation::{Arithmetic, Comparison, Expr, Op, Type};

use super::literal::typed;
use super::{Form, Writer};
use crate::bug::Bug;
use crate::emit::rust::code::{Code, link, receiver, result, side};

impl Writer<'_> {
    pub(super) fn operator(&self, expr: &Expr) -> Result<Code, Bug> {
        match &expr.op {
            Op::Not(of) => self.negation(of),
            Op::Negate(of) => self.negated(of),
            Op::And(..) => self.chain(&links(expr, true), true),
            Op::Or(..) => self.chain(&links(expr, false), false),
            Op::Arithmetic(op, sides) => self.arithmetic(*op, sides, &expr.ty),
            Op::Concat(pieces) => {
                let pieces = self.pieces(pieces)?;
                Code::new(quote!([#(#pieces),*].concat()), Form::Made)
            }
            Op::Path(pieces) => {
                let pieces = self.pieces(pieces)?;
                Code::new(quote!(operators::path(&[#(#pieces),*])), Form::Made)
            }
            Op::Show(of) => self.shown(of),
            Op::Append(sides) => {
                let [left, right] = &**sides;
                let (left, right) = (self.value(left)?, self.value(right)?);
                Code::new(quote!(operators::append(#left, #right)), Form::Value)
            }
            Op::Compare(op, sides) => self.comparison(&sign(*op), sides),
            Op::CompareMixed(op, sides) => {
                let [left, right] = self.scalars(sides)?;
                let wanted = match op {
                    Comparison::Less => quote!(is_some_and(Ordering::is_lt)),
                    Comparison::LessEqual => quote!(is_some_and(Ordering::is_le)),
                    Comparison::Greater => quote!(is_some_and(Ordering::is_gt)),
                    Comparison::GreaterEqual => quote!(is_some_and(Ordering::is_ge)),
                };
                Code::plain(quote!(operators::order(#left, #right).#wanted))
            }
            Op::Equal(sides) => self.equality(sides, &quote!(==)),
            Op::EqualMixed(sides) => {
                let [left, right] = self.scalars(sides)?;
                Code::plain(quote!(operators::same_number(#left, #right)))
            }
            Op::EqualOpen(sides) => {
                let [place, other] = &**sides;
                let (place, other) = (self.code(place)?.expr, self.json(other)?);
                Code::plain(quote!(operators::equals(#place, &#other)))
            }
            Op::Among(sides) => self.membership(sides),
            Op::AmongOpen(sides) => {
                let [item, list] = &**sides;
                let (item, list) = (self.json(item)?, self.reference(list)?);
                Code::plain(quote!(operators::is_among(#list, &#item)))
            }
            Op::HasKey(sides) => {
                let [key, map] = &**sides;
                let (key, map) = (self.reference(key)?, receiver(&self.code(map)?.expr));
                Code::plain(quote!(#map.has(#key)))
            }
            Op::IntToDouble(of) => self.conversion(&quote!(int_to_double), of, false),
            Op::DoubleToInt(of) => self.conversion(&quote!(double_to_int), of, true),
            Op::TextToInt(of) => self.conversion(&quote!(text_to_int), of, true),
            Op::TextToDouble(of) => self.conversion(&quote!(text_to_double), of, true),
            Op::TextToBool(of) => self.conversion(&quote!(text_to_bool), of, true),
            other => Err(Bug::new(format!("{other:?} is no operator"))),
        }
    }

    fn negation(&self, of: &Expr) -> Result<Code, Bug> {
        if let Op::Equal(sides) = &of.op {
            return self.equality(sides, &quote!(!=));
        }
        if let Op::IsNull(place) = &of.op {
            let place = receiver(&self.code(place)?.expr);
            return Code::plain(quote!(#place.present()));
        }
        let of = self.code(of)?.expr;
        let of = if matches!(of, syn::Expr::Unary(_)) { quote!(#of) } else { receiver(&of) };
        Code::plain(quote!(!#of))
    }

    fn negated(&self, of: &Expr) -> Result<Code, Bug> {
        if of.ty == Type::Int {
            let code = self.settled(of)?;
            Code::plain(quote!(operators::negate(#code)?))
        } else {
            let of = receiver(&self.code(of)?.expr);
            Code::plain(quote!(-#of))
        }
    }

    /// Links of a chain of `&&` or `||`. A link that fails gives way to a later one that settles the matter, so what
    /// comes after the first that can fail is handed over unasked.
    fn chain(&self, links: &[&Expr], conjunction: bool) -> Result<Code, Bug> {
        let Some((first, rest)) = links.split_first() else { return Err(Bug::new("an empty chain")) };
        let one = self.code(first)?.expr;
        if rest.is_empty() {
            return Code::plain(quote!(#one));
        }
        let other = self.chain(rest, conjunction)?.expr;
        if can_fail(&one) {
            let name = if conjunction { quote!(both) } else { quote!(either) };
            let (one, other) = (result(&one), result(&other));
            return Code::plain(quote!(operators::#name(|| #one, || #other)?));
        }
        let (one, other) = (link(&one, conjunction), link(&other, conjunction));
        Code::plain(if conjunction { quote!(#one && #other) } else { quote!(#one || #other) })
    }

    fn arithmetic(&self, op: Arithmetic, sides: &[Expr; 2], ty: &Type) -> Result<Code, Bug> {
        if *ty == Type::Int {
            let (left, right) = (self.settled(&sides[0])?, self.settled(&sides[1])?);
            let name = match op {
                Arithmetic::Add => quote!(add),
                Arithmetic::Subtract => quote!(subtract),
                Arithmetic::Multiply => quote!(multiply),
                Arithmetic::Divide => quote!(divide),
                Arithmetic::Remainder => quote!(remainder),
            };
            return Code::plain(quote!(operators::#name(#left, #right)?));
        }
        let [left, right] = self.scalars(sides)?;
        let (left, right) = (side(&left), side(&right));
        Code::plain(match op {
            Arithmetic::Add => quote!(#left + #right),
            Arithmetic::Subtract => quote!(#left - #right),
            Arithmetic::Multiply => quote!(#left * #right),
            Arithmetic::Divide => quote!(#left / #right),
            Arithmetic::Remainder => quote!(#left % #right),
        })
    }

    fn scalars(&self, sides: &[Expr; 2]) -> Result<[syn::Expr; 2], Bug> {
        Ok([self.code(&sides[0])?.expr, self.code(&sides[1])?.expr])
    }

    /// Pieces of text, each a `&str`.
    fn pieces(&self, pieces: &[Expr]) -> Result<Vec<TokenStream>, Bug> {
        pieces
            .iter()
            .map(|piece| {
                let piece = self.reference(piece)?;
                Ok(quote!(#piece))
            })
            .collect()
    }

    fn shown(&self, of: &Expr) -> Result<Code, Bug> {
        let shown = match (&of.op, &of.ty) {
            (Op::Int(value), _) => {
                let value = typed(*value);
                quote!((#value).to_string())
            }
            (_, Type::Node) => {
                let of = receiver(&self.code(of)?.expr);
                quote!(#of.display())
            }
            _ => {
                let of = receiver(&self.code(of)?.expr);
                quote!(#of.to_string())
            }
        };
        Code::new(shown, Form::Made)
    }

    fn comparison(&self, sign: &TokenStream, sides: &[Expr; 2]) -> Result<Code, Bug> {
        let [left, right] = sides;
        // One side says the type for both.
        let both = matches!((&left.op, &right.op), (Op::Int(_), Op::Int(_)));
        let (one, other) = (self.settled(left)?, if both { self.reference(right)? } else { self.settled(right)? });
        let (left, right) = (side(&one), side(&other));
        Code::plain(quote!(#left #sign #right))
    }

    fn equality(&self, sides: &[Expr; 2], sign: &TokenStream) -> Result<Code, Bug> {
        let [left, right] = sides;
        let negative = sign.to_string() == "!=";
        let not = negative.then(|| quote!(!));
        match (&left.ty, &right.op) {
            (Type::Text, Op::Text(text)) if text.is_empty() => {
                let left = self.receiver_of_text(left)?;
                Code::plain(quote!(#not #left.is_empty()))
            }
            (Type::List(of), _) if **of == Type::Text => {
                let (left, right) = (self.reference(left)?, self.reference(right)?);
                Code::plain(quote!(#not operators::same_texts(#left, #right)))
            }
            (Type::List(_), _) => {
                let (left, right) = (self.reference(left)?, self.reference(right)?);
                Code::plain(quote!(#not operators::same_list(#left, #right)))
            }
            _ => self.comparison(sign, sides),
        }
    }

    /// Text as the receiver of a method, which dereferences by itself.
    fn receiver_of_text(&self, expr: &Expr) -> Result<TokenStream, Bug> {
        let code = self.code(expr)?.expr;
        Ok(match &code {
            // `&**x` as a receiver is `x`.
            syn::Expr::Reference(reference) => {
                let mut inner = &*reference.expr;
                while let syn::Expr::Unary(syn::ExprUnary { op: syn::UnOp::Deref(_), expr, .. }) = inner {
                    inner = expr;
                }
                receiver(inner)
            }
            other => receiver(other),
        })
    }

    fn membership(&self, sides: &[Expr; 2]) -> Result<Code, Bug> {
        let [item, list] = sides;
        if item.ty == Type::Text {
            let (item, list) = (self.reference(item)?, self.reference(list)?);
            return Code::plain(quote!(operators::is_one_of(#item, #list)));
        }
        let (item, list) = (self.value(item)?, receiver(&self.reference(list)?));
        Code::plain(quote!(#list.contains(&#item)))
    }

    fn conversion(&self, name: &TokenStream, of: &Expr, fallible: bool) -> Result<Code, Bug> {
        let of = self.settled(of)?;
        let mark = fallible.then(|| quote!(?));
        Code::plain(quote!(operators::#name(#of)#mark))
    }
}

fn sign(op: Comparison) -> TokenStream {
    match op {
        Comparison::Less => quote!(<),
        Comparison::LessEqual => quote!(<=),
        Comparison::Greater => quote!(>),
        Comparison::GreaterEqual => quote!(>=),
    }
}

/// The links of a chain of one operator.
fn links(expr: &Expr, conjunction: bool) -> Vec<&Expr> {
    match &expr.op {
        Op::And(left, right) if conjunction => [links(left, true), links(right, true)].concat(),
        Op::Or(left, right) if !conjunction => [links(left, false), links(right, false)].concat(),
        _ => vec![expr],
    }
}

/// Whether the code passes a failure on, other than from inside a closure.
fn can_fail(expr: &syn::Expr) -> bool {
    struct Search {
        found: bool,
    }
    impl<'a> syn::visit::Visit<'a> for Search {
        fn visit_expr_try(&mut self, _: &'a syn::ExprTry) {
            self.found = true;
        }

        fn visit_expr_closure(&mut self, _: &'a syn::ExprClosure) {}
    }
    let mut search = Search { found: false };
    syn::visit::Visit::visit_expr(&mut search, expr);
    search.found
}
