//! Types of the language as types of Rust.

use crate::model::Type;

/// Whether a value of this type can outlive the document it was read from, and so be kept.
pub(super) fn kept(ty: &Type) -> bool {
    match ty {
        Type::Bool | Type::Int | Type::Double | Type::Text | Type::Object(_) => true,
        Type::List(of) => kept(of),
        Type::Null | Type::Any | Type::Map(_) | Type::Entry(_) | Type::Record(_) => false,
    }
}

/// The Rust type of an owned value.
pub(super) fn rust_type(ty: &Type) -> String {
    match ty {
        Type::Bool => "bool".to_owned(),
        Type::Int => "i64".to_owned(),
        Type::Double => "f64".to_owned(),
        Type::Text => "String".to_owned(),
        Type::List(of) => format!("Vec<{}>", rust_type(of)),
        Type::Entry(of) => format!("Entry<{}>", rust_type(of)),
        Type::Null | Type::Any | Type::Map(_) | Type::Record(_) => "Node<'_>".to_owned(),
        Type::Object(object) => format!("library::{}", object.name),
    }
}

/// Whether a constant of this type needs no node around it.
pub(super) fn plain(ty: &Type) -> bool {
    matches!(ty, Type::Bool | Type::Int | Type::Double | Type::Text)
}

/// A function from a node to an owned value of the type.
pub(super) fn reader(ty: &Type) -> String {
    match ty {
        Type::Text => "|node| Ok(node.text()?.into_owned())".to_owned(),
        Type::Int => "Node::int".to_owned(),
        Type::Double => "Node::double".to_owned(),
        Type::Bool => "Node::boolean".to_owned(),
        Type::List(of) => format!("|node| node.list({})", reader(of)),
        Type::Map(_) | Type::Record(_) => "Node::record".to_owned(),
        Type::Null | Type::Any | Type::Entry(_) | Type::Object(_) => "Ok".to_owned(),
    }
}
