//! The types of the expression language as types of Rust, for declarations that the Rust compiler checks.

use std::marker::PhantomData;

use super::{Object as Signature, Type};

/// A type of the language.
pub trait Kind {
    /// As a signature holds it.
    const TYPE: Type;
    /// The same where a type of types refers to it.
    const REFERENCE: &'static Type = &Self::TYPE;
}

/// A type of the library whose values have named parts in expressions.
pub trait Parted {
    /// Its signature.
    const OBJECT: &'static Signature;
}

/// A list.
#[derive(Debug)]
pub struct List<T>(PhantomData<T>);

/// A value that the library makes.
#[derive(Debug)]
pub struct Object<T>(PhantomData<T>);

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {
        $($(#[$doc])*
        #[derive(Debug)]
        pub enum $name {}

        impl Kind for $name {
            const TYPE: Type = Type::$name;
        })*
    };
}

kinds! {
    /// `true` or `false`.
    Bool,
    /// A whole number.
    Int,
    /// A floating-point number.
    Double,
    /// A string.
    Text,
    /// A regular expression.
    Pattern,
    /// A value of unknown shape.
    Any,
    /// Whatever type the receiver's elements have.
    Element,
}

impl<T: Kind> Kind for List<T> {
    const TYPE: Type = Type::List(T::REFERENCE);
}

impl<T: Parted> Kind for Object<T> {
    const TYPE: Type = Type::Object(T::OBJECT);
}
