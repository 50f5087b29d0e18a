//! Expressions to Rust: each node by the one rule that it has.

mod access;
mod literal;
mod operator;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use hookgen_runtime::representation::{Expr, Macro, Op, Text, Type};
use hookgen_runtime::signature::Type as Signature;

use super::code::{Code, Form, parsed, receiver, result};
use super::layout::Crate;
use super::names::Names;
use crate::bug::Bug;

pub(super) use literal::{fraction, string, whole};

/// Writes the expressions of one function.
pub(super) struct Writer<'w> {
    pub(super) whole: &'w Crate<'w>,
    /// The hook whose definitions are in sight.
    pub(super) hook: Option<usize>,
    /// What the facts, and the hook's own definitions, are called here.
    pub(super) facts: TokenStream,
    pub(super) lets: TokenStream,
    /// Results of spends, by their places.
    pub(super) spends: Vec<Ident>,
    names: RefCell<Names>,
    variables: RefCell<BTreeMap<usize, Variable>>,
    patterns: &'w RefCell<BTreeSet<usize>>,
}

#[derive(Clone)]
struct Variable {
    ident: Ident,
    lasting: bool,
}

impl<'w> Writer<'w> {
    /// A writer for a function in which these names are taken.
    pub(super) fn new(
        whole: &'w Crate<'w>,
        hook: Option<usize>,
        facts: TokenStream,
        lets: TokenStream,
        taken: &[&str],
        patterns: &'w RefCell<BTreeSet<usize>>,
    ) -> Self {
        Self {
            whole,
            hook,
            facts,
            lets,
            spends: Vec::new(),
            names: RefCell::new(Names::beside(taken)),
            variables: RefCell::default(),
            patterns,
        }
    }

    /// Names the results of spends, which the function declares.
    pub(super) fn with_spends(mut self, spends: &[String]) -> Self {
        self.spends = spends.iter().map(|spend| self.names.borrow_mut().variable(spend)).collect();
        self
    }

    /// Begins another expression: its variables are its own.
    fn afresh(&self) {
        self.variables.borrow_mut().clear();
    }

    /// A condition.
    pub(super) fn condition(&self, text: &Text) -> Result<syn::Expr, Bug> {
        self.text_said(text)
    }

    /// A value in the one form of its type.
    pub(super) fn text_value(&self, text: &Text) -> Result<syn::Expr, Bug> {
        self.afresh();
        self.value(&text.value)
    }

    /// Text in whatever form it has, for whoever takes any.
    pub(super) fn text_said(&self, text: &Text) -> Result<syn::Expr, Bug> {
        self.afresh();
        Ok(self.code(&text.value)?.expr)
    }

    /// A reference, or the value where it is copied.
    pub(super) fn text_reference(&self, text: &Text) -> Result<syn::Expr, Bug> {
        self.afresh();
        self.reference(&text.value)
    }

    /// What a definition keeps, as the result of a function that may fail.
    pub(super) fn text_kept(&self, text: &Text) -> Result<TokenStream, Bug> {
        self.afresh();
        Ok(result(&self.code(&text.value)?.into_kept(&text.value.ty)?))
    }

    pub(super) fn value(&self, expr: &Expr) -> Result<syn::Expr, Bug> {
        self.code(expr)?.into_value(&expr.ty)
    }

    pub(super) fn reference(&self, expr: &Expr) -> Result<syn::Expr, Bug> {
        self.code(expr)?.into_reference(&expr.ty)
    }

    /// A reference, or the value where it is copied; a whole number without its type, where its place settles that.
    pub(super) fn settled(&self, expr: &Expr) -> Result<syn::Expr, Bug> {
        match &expr.op {
            Op::Int(value) => parsed(whole(*value)),
            _ => self.reference(expr),
        }
    }

    fn values(&self, items: &[Expr]) -> Result<Vec<syn::Expr>, Bug> {
        items.iter().map(|item| self.value(item)).collect()
    }

    pub(super) fn code(&self, expr: &Expr) -> Result<Code, Bug> {
        match &expr.op {
            Op::Bool(_) | Op::Int(_) | Op::Double(_) | Op::Text(_) | Op::Null | Op::List(_) | Op::Map(_) => {
                self.literal(expr)
            }
            Op::Payload
            | Op::Env(_)
            | Op::Flag(_)
            | Op::Choice(_)
            | Op::Threshold(_)
            | Op::Table(_)
            | Op::Message(_)
            | Op::Fact(_)
            | Op::Let(_)
            | Op::Document(..)
            | Op::Spent(..) => self.named(expr),
            Op::Variable { slot, .. } => self.variable(*slot, &expr.ty),
            Op::Pattern(place) => self.pattern(*place),
            Op::Part(..)
            | Op::Access(..)
            | Op::Has(..)
            | Op::IsNull(_)
            | Op::Read(_)
            | Op::EntryKey(_)
            | Op::EntryValue(_)
            | Op::Entries(_)
            | Op::Members(_)
            | Op::Numbered(_)
            | Op::Keys(_)
            | Op::MapSize(_)
            | Op::Element(..) => self.access(expr),
            Op::Choose(parts) => self.choose(parts, &expr.ty),
            Op::Call(function, args) => self.call(*function, args, &expr.ty),
            Op::Macro { kind, list, slot, variable, body } => self.list_macro(*kind, list, *slot, variable, body),
            _ => self.operator(expr),
        }
    }

    fn variable(&self, slot: usize, ty: &Type) -> Result<Code, Bug> {
        let variables = self.variables.borrow();
        let Variable { ident, lasting } =
            variables.get(&slot).ok_or_else(|| Bug::new(format!("variable {slot} has no name")))?;
        match ty {
            ty if ty.is_plain() => Code::plain(quote!(*#ident)),
            Type::Text | Type::List(_) => Code::reference(quote!(&**#ident), *lasting),
            _ => Code::reference(quote!(#ident), *lasting),
        }
    }

    fn pattern(&self, place: usize) -> Result<Code, Bug> {
        self.patterns.borrow_mut().insert(place);
        let name = pattern_name(place);
        Code::reference(quote!(&#name), true)
    }

    fn choose(&self, parts: &[Expr; 3], ty: &Type) -> Result<Code, Bug> {
        let [when, then, otherwise] = parts;
        let (when, then, otherwise) = (self.code(when)?.expr, self.value(then)?, self.value(otherwise)?);
        let form = if ty.is_plain() { Form::Plain } else { Form::Value };
        Code::new(quote!(if #when { #then } else { #otherwise }), form)
    }

    fn call(&self, function: usize, args: &[Expr], ty: &Type) -> Result<Code, Bug> {
        let Some(function) = self.whole.representation.function(function) else {
            return Err(Bug::new(format!("there is no function {function}")));
        };
        let facts = &self.facts;
        let call = function.contextual.then(|| quote!(#facts.call()));
        let wanted = function.receiver.into_iter().chain(function.params.iter().map(|(_, ty)| *ty));
        let args = args.iter().zip(wanted).map(|(arg, wanted)| {
            let arg = match (wanted, &arg.ty) {
                // A reference to a `String` will do for a `&str`.
                (Signature::Text, Type::Text) => self.borrowed(arg)?,
                _ => self.settled(arg)?,
            };
            Ok(quote!(#arg))
        });
        let args: Vec<TokenStream> = call.into_iter().map(Ok).chain(args).collect::<Result<_, Bug>>()?;
        let symbol = format_ident!("{}", function.symbol);
        let called = if function.fallible {
            quote!(library::#symbol(#(#args),*)?)
        } else {
            quote!(library::#symbol(#(#args),*))
        };
        Code::made(called, ty)
    }

    /// Text as an argument: a reference to whatever holds it.
    fn borrowed(&self, expr: &Expr) -> Result<syn::Expr, Bug> {
        let code = self.code(expr)?;
        match code.form {
            Form::Plain | Form::Reference { .. } => Ok(code.expr),
            Form::Value | Form::Made | Form::Sifted => {
                let operand = receiver(&code.expr);
                parsed(quote!(&#operand))
            }
        }
    }

    fn list_macro(&self, kind: Macro, list: &Expr, slot: usize, variable: &str, body: &Expr) -> Result<Code, Bug> {
        let code = self.code(list)?;
        let lasting = code.lasts();
        let list = code.into_reference(&list.ty)?;
        let ident = self.names.borrow_mut().variable(variable);
        self.variables.borrow_mut().insert(slot, Variable { ident: ident.clone(), lasting });
        let inner = match kind {
            Macro::Map => result(&self.value(body)?),
            Macro::TransformMap => {
                let json = self.json(body)?;
                quote!(Ok(#json))
            }
            Macro::All | Macro::Exists | Macro::ExistsOne | Macro::Filter | Macro::First => {
                result(&self.code(body)?.expr)
            }
        };
        let used = mentions(body, slot);
        let ident = if used { ident } else { format_ident!("_{}", ident) };
        let name = match kind {
            Macro::All => quote!(all),
            Macro::Exists => quote!(exists),
            Macro::ExistsOne => quote!(exists_one),
            Macro::Filter => quote!(filter),
            Macro::First => quote!(first),
            Macro::Map => quote!(map),
            Macro::TransformMap => {
                let facts = &self.facts;
                let made = quote!(operators::transform_map(#list, |#ident| #inner)?);
                return Code::plain(quote!(Node::new(#facts.call().shelve(#made), Origin::Data)));
            }
        };
        let form = match kind {
            Macro::All | Macro::Exists | Macro::ExistsOne | Macro::TransformMap => Form::Plain,
            Macro::Map => Form::Value,
            Macro::Filter | Macro::First => Form::Sifted,
        };
        Code::new(quote!(operators::#name(#list, |#ident| #inner)?), form)
    }
}

/// The constant of a pattern.
pub(super) fn pattern_name(place: usize) -> Ident {
    format_ident!("PATTERN_{}", place + 1)
}

fn mentions(expr: &Expr, slot: usize) -> bool {
    let mut found = false;
    expr.walk(&mut |inner| found |= matches!(&inner.op, Op::Variable { slot: other, .. } if *other == slot));
    found
}
