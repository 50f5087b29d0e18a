//! CEL, as far as catalogs use it: text in, syntax tree with byte offsets out.
//!
//! The grammar is CEL's own. Left out are message construction, bytes and unsigned numbers, which nothing in a catalog could
//! use. This module knows no names and no types.

mod layout;
mod parse;
mod template;
mod token;

pub use layout::layout;
pub use parse::parse;
pub use template::{Piece, split};

use std::ops::Range;

/// A syntax tree node and where it stands in the expression's text.
#[derive(Debug, Clone, PartialEq)]
pub struct Ast {
    pub node: Node,
    pub span: Range<usize>,
}

/// What a node is.
#[derive(Debug, Clone, PartialEq)]
pub enum Node {
    Null,
    Bool(bool),
    Int(i64),
    Double(f64),
    Text(String),
    List(Vec<Ast>),
    /// `{'key': value}`
    Map(Vec<(Ast, Ast)>),
    Name(String),
    /// `of.name`
    Field {
        of: Box<Ast>,
        name: Spanned,
    },
    /// `of[at]`
    Index {
        of: Box<Ast>,
        at: Box<Ast>,
    },
    /// `name(args)` or `receiver.name(args)`
    Call {
        receiver: Option<Box<Ast>>,
        name: Spanned,
        args: Vec<Ast>,
    },
    Unary {
        op: Unary,
        of: Box<Ast>,
    },
    Binary {
        op: Binary,
        left: Box<Ast>,
        right: Box<Ast>,
    },
    /// `when ? then : otherwise`
    Choice {
        when: Box<Ast>,
        then: Box<Ast>,
        otherwise: Box<Ast>,
    },
}

/// A name and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Spanned {
    pub text: String,
    pub span: Range<usize>,
}

pub use crate::model::{BinaryOp as Binary, UnaryOp as Unary};

/// What is wrong with an expression's text, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    pub message: String,
    pub span: Range<usize>,
    pub help: Option<String>,
}

impl SyntaxError {
    fn new(message: impl Into<String>, span: Range<usize>) -> Self {
        Self { message: message.into(), span, help: None }
    }

    fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}
