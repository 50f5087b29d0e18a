//! Rust code for a value, and which of the forms of its type it has.
//!
//! Every type has one form as a value and one as a reference; see `hookgen_runtime::Value`. A piece of code says which it
//! gives, and is turned into the one that its place needs.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{BinOp, Expr};

use hookgen_runtime::representation::Type;

use crate::bug::Bug;

/// Rust code for a value.
pub(super) struct Code {
    pub(super) expr: Expr,
    pub(super) form: Form,
}

/// What kind of Rust value the code gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// A number, a truth value or a place: copied as it stands.
    Plain,
    /// A reference; one that does not last borrows from a value that is gone at the end of the expression.
    Reference { lasting: bool },
    /// A value of its own, in the form that values of its type have.
    Value,
    /// A value of its own as the library makes it: a `String`, or a `Vec` of them.
    Made,
    /// Elements of another list, in whatever form they had there.
    Sifted,
}

/// Parses tokens of our own making.
pub(super) fn parsed(tokens: TokenStream) -> Result<Expr, Bug> {
    // A clone shares its tokens; their text is asked for only where they are no Rust.
    let shown = tokens.clone();
    syn::parse2(tokens).map_err(|error| Bug::new(format!("generated code is not Rust: {error}: {shown}")))
}

impl Code {
    pub(super) fn plain(tokens: TokenStream) -> Result<Self, Bug> {
        Self::new(tokens, Form::Plain)
    }

    pub(super) fn reference(tokens: TokenStream, lasting: bool) -> Result<Self, Bug> {
        Self::new(tokens, Form::Reference { lasting })
    }

    pub(super) fn new(tokens: TokenStream, form: Form) -> Result<Self, Bug> {
        Ok(Self { expr: parsed(tokens)?, form })
    }

    /// A value that the library makes: only text has a form of its own there.
    pub(super) fn made(tokens: TokenStream, ty: &Type) -> Result<Self, Bug> {
        let form = match ty {
            ty if ty.is_plain() => Form::Plain,
            Type::Text => Form::Made,
            Type::List(of) if **of == Type::Text => Form::Made,
            _ => Form::Value,
        };
        Self::new(tokens, form)
    }

    /// Whether a reference into this code outlives the expression.
    pub(super) fn lasts(&self) -> bool {
        self.form == Form::Reference { lasting: true }
    }

    /// In the one form that values of the type have.
    pub(super) fn into_value(self, ty: &Type) -> Result<Expr, Bug> {
        let (expr, receiver) = (&self.expr, receiver(&self.expr));
        match (self.form, ty) {
            (Form::Plain | Form::Value, _) => Ok(self.expr),
            (Form::Made, Type::Text) => parsed(quote!(Text::Owned(#expr))),
            (Form::Made, _) => parsed(quote!(operators::texts(#expr))),
            (Form::Reference { lasting: true }, Type::Text) => parsed(quote!(Text::Borrowed(#expr))),
            (Form::Reference { .. }, Type::Text) => parsed(quote!(Text::Owned(#receiver.to_owned()))),
            (Form::Reference { .. } | Form::Sifted, _) => parsed(quote!(#receiver.to_value())),
        }
    }

    /// As a reference, or as it stands where it is copied.
    pub(super) fn into_reference(self, ty: &Type) -> Result<Expr, Bug> {
        let operand = receiver(&self.expr);
        match (self.form, ty) {
            (Form::Plain | Form::Reference { .. }, _) => Ok(self.expr),
            (_, Type::Text | Type::List(_)) => parsed(quote!(&*#operand)),
            _ => parsed(quote!(&#operand)),
        }
    }

    /// In the form that is kept between two questions: it borrows no text.
    pub(super) fn into_kept(self, ty: &Type) -> Result<Expr, Bug> {
        match (self.form, ty) {
            (Form::Plain | Form::Made, _) => Ok(self.expr),
            (_, Type::Object(_)) => self.into_value(ty),
            (Form::Reference { .. }, Type::Text) => {
                let receiver = receiver(&self.expr);
                parsed(quote!(#receiver.to_owned()))
            }
            _ => {
                let value = self.into_value(ty)?;
                let receiver = self::receiver(&value);
                parsed(quote!(#receiver.keep()))
            }
        }
    }
}

/// In brackets unless a method or a field can follow.
pub(super) fn receiver(expr: &Expr) -> TokenStream {
    let plain = matches!(
        expr,
        Expr::Path(_)
            | Expr::Call(_)
            | Expr::MethodCall(_)
            | Expr::Field(_)
            | Expr::Index(_)
            | Expr::Paren(_)
            | Expr::Lit(_)
            | Expr::Macro(_)
            | Expr::Try(_)
            | Expr::Array(_)
    );
    if plain { quote!(#expr) } else { quote!((#expr)) }
}

/// In brackets where it would fall apart as a side of a comparison or a calculation.
pub(super) fn side(expr: &Expr) -> TokenStream {
    match expr {
        Expr::Binary(_) | Expr::If(_) | Expr::Closure(_) => quote!((#expr)),
        _ => quote!(#expr),
    }
}

/// In brackets where it would fall apart in a chain of `&&` or `||`.
pub(super) fn link(expr: &Expr, conjunction: bool) -> TokenStream {
    match expr {
        Expr::Binary(binary) if conjunction && matches!(binary.op, BinOp::Or(_)) => quote!((#expr)),
        Expr::If(_) | Expr::Closure(_) => quote!((#expr)),
        _ => quote!(#expr),
    }
}

/// A failure is passed on as it is; anything else is what was asked for.
pub(super) fn result(expr: &Expr) -> TokenStream {
    match expr {
        Expr::Try(attempt) => {
            let attempt = &attempt.expr;
            quote!(#attempt)
        }
        _ => quote!(Ok(#expr)),
    }
}
