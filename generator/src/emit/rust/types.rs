//! Types of values as types of Rust.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use hookgen_runtime::representation::Type;

/// The type of what is kept between two questions. Places are borrowed from the call.
pub(super) fn kept(ty: &Type) -> TokenStream {
    match ty {
        Type::Bool => quote!(bool),
        Type::Int => quote!(i64),
        Type::Double => quote!(f64),
        Type::Text | Type::Pattern => quote!(String),
        Type::Node | Type::Record => quote!(Node<'c>),
        Type::List(of) => {
            let of = kept(of);
            quote!(Vec<#of>)
        }
        Type::Entry(of) => {
            let of = kept(of);
            quote!(Entry<'static, #of>)
        }
        Type::Numbered(of) => {
            let of = kept(of);
            quote!(Numbered<#of>)
        }
        Type::Object(name) => object(name),
    }
}

/// The type in which a definition is handed out.
pub(super) fn lent(ty: &Type) -> TokenStream {
    match ty {
        Type::Text => quote!(&str),
        Type::List(of) => {
            let of = kept(of);
            quote!(&[#of])
        }
        ty if ty.is_plain() => kept(ty),
        ty => {
            let kept = kept(ty);
            quote!(&#kept)
        }
    }
}

/// A function from a place to a value of the type.
pub(super) fn reader(ty: &Type) -> TokenStream {
    match ty {
        Type::Text => quote!(Node::text),
        Type::Int => quote!(Node::int),
        Type::Double => quote!(Node::double),
        Type::Bool => quote!(Node::boolean),
        Type::Record => quote!(Node::record),
        Type::List(of) => {
            let of = reader(of);
            quote!(|node| node.list(#of))
        }
        _ => quote!(Ok),
    }
}

fn object(name: &str) -> TokenStream {
    let name = Ident::new(name, Span::call_site());
    quote!(library::#name)
}
