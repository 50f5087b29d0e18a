//! The typed expression tree.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use hookgen_runtime::representation::{DocumentPart, Macro, SpentPart};
use hookgen_runtime::signature::{Function, Object};

/// An expression with its type.
#[derive(Debug, Clone)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: Type,
    /// Its place in the text that it was written in.
    pub span: Range<usize>,
}

/// What an expression does.
#[derive(Debug, Clone)]
pub enum ExprKind {
    Bool(bool),
    Int(i64),
    Double(f64),
    Text(String),
    Null,
    List(Vec<Expr>),
    /// A map made on the spot: its keys, which are texts, and their values.
    Map(Vec<(Expr, Expr)>),
    /// The event's payload as a record.
    Payload,
    /// A part of an object of the library.
    Part {
        of: Box<Expr>,
        name: &'static str,
    },
    /// A field of a record, or of a value of unknown shape.
    Field {
        of: Box<Expr>,
        name: String,
    },
    /// An element of a list, or the value under a key of a map.
    Index {
        of: Box<Expr>,
        at: Box<Expr>,
    },
    /// The key or the value of an entry; the place or the element, of an element with its place.
    Entry {
        of: Box<Expr>,
        value: bool,
    },
    Env(String),
    Flag(String),
    /// The word that operators chose.
    Chosen(String),
    Threshold(String),
    Data(String),
    /// A text of a table where it must be known when the catalog is built, and where it comes from.
    Constant {
        text: String,
        of: Box<Expr>,
    },
    Message(String),
    Fact(String),
    /// A `let` of the hook.
    Binding(String),
    /// The variable of a macro.
    Variable(String),
    Document {
        name: String,
        part: DocumentPart,
    },
    /// The result of a `spend`.
    Spent {
        name: String,
        part: SpentPart,
    },
    Unary {
        op: UnaryOp,
        of: Box<Expr>,
    },
    Binary {
        op: BinaryOp,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    Choice {
        when: Box<Expr>,
        then: Box<Expr>,
        otherwise: Box<Expr>,
    },
    /// A library function; the receiver, if it has one, is the first argument.
    Call {
        function: &'static Function,
        args: Vec<Expr>,
    },
    /// A context value of the library, such as `git.branch`.
    Property {
        function: &'static Function,
    },
    /// A value of unknown shape, read as the type of this expression; another type there is a failure.
    Read {
        of: Box<Expr>,
    },
    /// Explicit conversion to the type of this expression.
    Convert {
        of: Box<Expr>,
    },
    /// The number of entries of a map.
    Size {
        of: Box<Expr>,
    },
    /// Whether a field is there and not null.
    Has {
        of: Box<Expr>,
        name: String,
    },
    /// The entries or keys of a map.
    Entries {
        of: Box<Expr>,
    },
    Keys {
        of: Box<Expr>,
    },
    /// The elements of a list with their places.
    Numbered {
        of: Box<Expr>,
    },
    Macro {
        kind: Macro,
        list: Box<Expr>,
        variable: String,
        body: Box<Expr>,
    },
}

/// The expressions that one is made of, whether they are looked at or changed: both go by this one list, so that what is
/// renamed or moved is all there is.
macro_rules! children {
    ($kind:expr) => {
        match $kind {
            ExprKind::List(items) | ExprKind::Call { args: items, .. } => items.into_iter().collect(),
            ExprKind::Map(entries) => entries.into_iter().flat_map(|(key, value)| [key, value]).collect(),
            ExprKind::Field { of, .. }
            | ExprKind::Part { of, .. }
            | ExprKind::Entry { of, .. }
            | ExprKind::Unary { of, .. }
            | ExprKind::Constant { of, .. }
            | ExprKind::Read { of }
            | ExprKind::Convert { of }
            | ExprKind::Size { of }
            | ExprKind::Has { of, .. }
            | ExprKind::Entries { of }
            | ExprKind::Keys { of }
            | ExprKind::Numbered { of } => vec![of],
            ExprKind::Index { of, at } => vec![of, at],
            ExprKind::Binary { left, right, .. } => vec![left, right],
            ExprKind::Choice { when, then, otherwise } => vec![when, then, otherwise],
            ExprKind::Macro { list, body, .. } => vec![list, body],
            ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::Double(_)
            | ExprKind::Text(_)
            | ExprKind::Null
            | ExprKind::Payload
            | ExprKind::Env(_)
            | ExprKind::Flag(_)
            | ExprKind::Chosen(_)
            | ExprKind::Threshold(_)
            | ExprKind::Data(_)
            | ExprKind::Message(_)
            | ExprKind::Fact(_)
            | ExprKind::Binding(_)
            | ExprKind::Variable(_)
            | ExprKind::Document { .. }
            | ExprKind::Spent { .. }
            | ExprKind::Property { .. } => Vec::new(),
        }
    };
}

impl Expr {
    /// An expression whose place is said later, by whoever knows it.
    pub fn new(kind: ExprKind, ty: Type) -> Self {
        Self { kind, ty, span: 0..0 }
    }

    /// The same expression at that place.
    #[must_use]
    pub fn at(self, span: Range<usize>) -> Self {
        Self { span, ..self }
    }

    /// Moves all of it to other places of a text.
    pub fn shift(&mut self, change: &dyn Fn(usize) -> usize) {
        if self.span.start < self.span.end {
            self.span = change(self.span.start)..change(self.span.end);
        }
        self.children_mut().into_iter().for_each(|child| child.shift(change));
    }

    /// The expressions that this one is made of, to be changed.
    pub fn children_mut(&mut self) -> Vec<&mut Expr> {
        children!(&mut self.kind)
    }

    /// The expressions that this one is made of.
    pub fn children(&self) -> Vec<&Expr> {
        children!(&self.kind)
    }

    /// The names that macros in it give to elements.
    pub fn bound_names(&self) -> Vec<&str> {
        let own = match &self.kind {
            ExprKind::Macro { variable, .. } => Some(variable.as_str()),
            _ => None,
        };
        own.into_iter().chain(self.children().into_iter().flat_map(Self::bound_names)).collect()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnaryOp {
    Not,
    Negate,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BinaryOp {
    Or,
    And,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    /// Membership: in a list, or as a key of a map.
    In,
}

/// The type of an expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Type {
    Bool,
    Int,
    Double,
    Text,
    Null,
    /// A value of unknown shape.
    Any,
    List(Box<Type>),
    /// A map from strings.
    Map(Box<Type>),
    /// A key and a value.
    Entry(Box<Type>),
    /// An element of a list with its place, which only macros with two variables see.
    Numbered(Box<Type>),
    /// Named fields.
    Record(Arc<Record>),
    /// A value that the library makes.
    Object(&'static Object),
}

/// A record type: a payload, a tool's input, a document's content.
#[derive(Debug, PartialEq)]
pub struct Record {
    /// What it is called in messages, for example `the input of Bash`.
    pub name: String,
    pub fields: Vec<(String, Type)>,
}

impl Record {
    pub fn field(&self, name: &str) -> Option<&Type> {
        self.fields.iter().find(|(field, _)| field == name).map(|(_, ty)| ty)
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool => f.write_str("bool"),
            Self::Int => f.write_str("int"),
            Self::Double => f.write_str("double"),
            Self::Text => f.write_str("string"),
            Self::Null => f.write_str("null"),
            Self::Any => f.write_str("any"),
            Self::List(of) => write!(f, "list<{of}>"),
            Self::Map(of) => write!(f, "map<{of}>"),
            Self::Entry(of) => write!(f, "entry<{of}>"),
            Self::Numbered(of) => write!(f, "element<{of}>"),
            Self::Record(record) => f.write_str(&record.name),
            Self::Object(object) => f.write_str(object.name),
        }
    }
}

/// Text with expressions in it.
#[derive(Debug, Clone)]
pub struct Template {
    /// As written, with `${…}`.
    pub source: String,
    pub segments: Vec<Segment>,
}

impl Template {
    /// The expressions in it.
    pub fn expressions(&self) -> impl Iterator<Item = &Expr> {
        self.segments.iter().filter_map(|segment| match segment {
            Segment::Expr(expr) => Some(expr),
            Segment::Text(_) => None,
        })
    }
}

/// A piece of a template.
#[derive(Debug, Clone)]
pub enum Segment {
    Text(String),
    /// An expression of type text, number, bool or any, shown as text.
    Expr(Expr),
}
