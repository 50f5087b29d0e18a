//! How the expression language sees a library function.
//!
//! Signatures are plain data: the compiler type-checks calls against them, the reference page is printed from them,
//! and a generated binary never touches them. A function or an object is declared once, by `function!` or `object!`:
//! from there come its signature, the call by which evaluated expressions reach it, and its powers.

pub(crate) mod declaration;
pub mod kind;

pub(crate) use declaration::{function, object};

#[cfg(feature = "evaluate")]
use crate::evaluate::Dynamic;

/// A type of the expression language, as a constant can hold it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type {
    /// `true` or `false`
    Bool,
    /// A whole number
    Int,
    /// A floating-point number
    Double,
    /// A string
    Text,
    /// A string literal that holds a regular expression; checked when the catalog is compiled
    Pattern,
    /// A value of unknown shape
    Any,
    /// A list
    List(&'static Type),
    /// A map from strings
    Map(&'static Type),
    /// A key and a value, from a map's `entries()`
    Entry(&'static Type),
    /// Whatever type the receiver's elements have
    Element,
    /// A value that the library makes, with named parts
    Object(&'static Object),
}

/// A kind of value that the library makes: the parts are methods of the Rust type of that name in `library`.
#[derive(Debug, Eq)]
pub struct Object {
    /// Name in messages, and of the Rust type.
    pub name: &'static str,
    /// What it is, in a sentence.
    pub doc: &'static str,
    /// Names, types and meanings of its parts; `camelCase` in expressions is `snake_case` in Rust.
    pub parts: &'static [(&'static str, Type, &'static str)],
}

impl PartialEq for Object {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// What a function can do beside working out a value: what a reviewer has to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Power {
    /// Looks at the event, and at what other hooks of the process have made of it.
    Event,
    /// Looks at files and folders.
    Files,
    /// Looks at a repository.
    Repository,
    /// Starts a program that only looks.
    Query,
    /// Starts a program that may do anything; not for a hook that only watches.
    Program,
    /// Ends a program that another call started; not for a hook that only watches.
    EndsPrograms,
    /// Removes files; not for a hook that only watches.
    Removes,
    /// Reads the clock.
    Clock,
    /// Reads environment variables.
    Environment,
    /// Reads what earlier calls of the session left behind.
    Memory,
    /// Makes the hook wait.
    Waits,
}

/// A function of the library.
#[derive(Debug)]
pub struct Function {
    /// Name in expressions.
    pub name: &'static str,
    /// Name of the Rust function in `library`.
    pub symbol: &'static str,
    /// The type it is called on (`text.lines()`), or `None` for a plain call (`overlap(a, b)`).
    pub receiver: Option<Type>,
    /// Names and types of its arguments.
    pub params: &'static [(&'static str, Type)],
    /// What it gives.
    pub result: Type,
    /// Whether it looks at the world (files, git, the clock), and so takes the call as its first argument. Such a
    /// function has a power, and no other has.
    pub contextual: bool,
    /// Whether it can fail.
    pub fallible: bool,
    /// What it can do beside working out a value.
    pub powers: &'static [Power],
    /// What it does, in one or two sentences.
    pub doc: &'static str,
    /// An expression that holds, shown and executed.
    pub example: &'static str,
    /// How evaluated expressions call it.
    #[cfg(feature = "evaluate")]
    pub dynamic: Dynamic,
}
