//! Expressions: a tree in which every operator has one meaning.

use serde::{Deserialize, Serialize};

use super::Type;

/// An expression, its type, and where it stands in the text that it was written in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Expr {
    /// What it does.
    pub op: Op,
    /// What it gives.
    pub ty: Type,
    /// Its place in the source of the definition, check or text that it belongs to.
    pub span: Span,
}

/// A range of bytes in a source text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte after the last one.
    pub end: u32,
}

/// What an expression does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Op {
    /// A constant.
    Bool(bool),
    /// A constant.
    Int(i64),
    /// A constant.
    Double(f64),
    /// A constant.
    Text(String),
    /// The absent value.
    Null,
    /// A list of values of one type.
    List(Vec<Expr>),
    /// A map made on the spot; a key that is there twice is a failure.
    Map(Vec<(Expr, Expr)>),
    /// The event.
    Payload,
    /// An environment variable; empty when it is not set.
    Env(String),
    /// Whether the flag at that place of the catalog is on.
    Flag(usize),
    /// The word of the choice at that place.
    Choice(usize),
    /// The number of the threshold at that place.
    Threshold(usize),
    /// The constant table at that place.
    Table(usize),
    /// The shared text at that place.
    Message(usize),
    /// The fact at that place.
    Fact(usize),
    /// The hook's own definition at that place.
    Let(usize),
    /// The variable of the macro that is this many macros out, counted from the outermost one of the text.
    Variable {
        /// Its place among the variables of the text.
        slot: usize,
        /// As written.
        name: String,
    },
    /// Something about the document at that place.
    Document(usize, DocumentPart),
    /// What came of the spend at that place of the hook.
    Spent(usize, SpentPart),
    /// The regular expression at that place.
    Pattern(usize),
    /// A part of an object of the library.
    Part(Box<Expr>, String),
    /// A step into a place; null where there is nothing.
    Access(Box<Expr>, Access),
    /// Whether a field is there and not null.
    Has(Box<Expr>, String),
    /// Whether a place is null or absent.
    IsNull(Box<Expr>),
    /// What is at a place, read as the type of this expression; another type there is a failure.
    Read(Box<Expr>),
    /// The key of an entry, or the place of a numbered element.
    EntryKey(Box<Expr>),
    /// The value of an entry, or the numbered element itself.
    EntryValue(Box<Expr>),
    /// The entries of a map, each value read as the type says; anything but a map is a failure.
    Entries(Box<Expr>),
    /// The members of whatever is at a place, which never fails.
    Members(Box<Expr>),
    /// The elements of a list, each with its place.
    Numbered(Box<Expr>),
    /// The keys of a map.
    Keys(Box<Expr>),
    /// The number of entries of a map.
    MapSize(Box<Expr>),
    /// The element of a list at a place; beyond its end is a failure.
    Element(Box<Expr>, Box<Expr>),
    /// Logical negation.
    Not(Box<Expr>),
    /// The other sign; a failure where there is none.
    Negate(Box<Expr>),
    /// Conjunction: false if one side is, whatever becomes of the other.
    And(Box<Expr>, Box<Expr>),
    /// Disjunction: true if one side is, whatever becomes of the other.
    Or(Box<Expr>, Box<Expr>),
    /// One of two values.
    Choose(Box<[Expr; 3]>),
    /// Numbers of one type; whole ones fail where they leave their range.
    Arithmetic(Arithmetic, Box<[Expr; 2]>),
    /// Pieces of text, one after the other.
    Concat(Vec<Expr>),
    /// Pieces of a path: empty, which is no file, as soon as one of them is.
    Path(Vec<Expr>),
    /// A value as a person would write it.
    Show(Box<Expr>),
    /// Two lists, one after the other.
    Append(Box<[Expr; 2]>),
    /// Order of two values of one type.
    Compare(Comparison, Box<[Expr; 2]>),
    /// Order of a whole number and another, by value.
    CompareMixed(Comparison, Box<[Expr; 2]>),
    /// Equality of two values of one type.
    Equal(Box<[Expr; 2]>),
    /// Equality of a whole number and another, by value.
    EqualMixed(Box<[Expr; 2]>),
    /// Equality of a place, whatever it holds, and a value of any type.
    EqualOpen(Box<[Expr; 2]>),
    /// Whether a list has an element of its own type.
    Among(Box<[Expr; 2]>),
    /// Whether a list of places has one that holds the value.
    AmongOpen(Box<[Expr; 2]>),
    /// Whether the record or map at a place has the key.
    HasKey(Box<[Expr; 2]>),
    /// A whole number as another.
    IntToDouble(Box<Expr>),
    /// A number without its fraction; a failure where that is out of range.
    DoubleToInt(Box<Expr>),
    /// Text as a whole number.
    TextToInt(Box<Expr>),
    /// Text as a number.
    TextToDouble(Box<Expr>),
    /// Text as a truth value.
    TextToBool(Box<Expr>),
    /// The library function at that place, with its receiver first.
    Call(usize, Vec<Expr>),
    /// A macro over a list.
    Macro {
        /// Which one.
        kind: Macro,
        /// The list.
        list: Box<Expr>,
        /// The place of its variable among those of the text.
        slot: usize,
        /// The variable as written.
        variable: String,
        /// What is asked of each element.
        body: Box<Expr>,
    },
}

/// A step into a place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Access {
    /// A field by its name.
    Field(String),
    /// A key that was worked out.
    Key(Box<Expr>),
    /// An element by its number; beyond the end is a failure.
    Element(Box<Expr>),
}

/// What is asked of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum DocumentPart {
    /// Whether something is at its path.
    Exists,
    /// Whether it is there and can be read as its format.
    Valid,
    /// Why it cannot be read.
    Problem,
    /// Its path.
    Path,
    /// Its length in bytes.
    Size,
    /// Its whole text.
    Text,
    /// What follows the front matter.
    Body,
    /// Its content.
    Root,
}

/// What is asked of a spend.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum SpentPart {
    /// Whether the same call was counted before.
    Repeated,
    /// Whether a counter had reached its limit.
    Refused,
    /// How much of a counter is used.
    Used(String),
    /// The limit of a counter.
    Limit(String),
    /// Whether this counter had reached its limit.
    CounterRefused(String),
}

/// Calculation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Arithmetic {
    /// Sum.
    Add,
    /// Difference.
    Subtract,
    /// Product.
    Multiply,
    /// Quotient.
    Divide,
    /// Remainder.
    Remainder,
}

/// Order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Comparison {
    /// Less.
    Less,
    /// Less or equal.
    LessEqual,
    /// Greater.
    Greater,
    /// Greater or equal.
    GreaterEqual,
}

/// The macros over lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Macro {
    /// Whether every element satisfies the condition.
    All,
    /// Whether some element does.
    Exists,
    /// Whether exactly one does.
    ExistsOne,
    /// The elements that do.
    Filter,
    /// The first that does, in a list that is empty if none does.
    First,
    /// What each element becomes.
    Map,
    /// A map with the keys of the entries, and what each of their values becomes.
    TransformMap,
}

/// The expressions that one is made of, whether they are looked at or changed: one list, in the order in which they are
/// worked out.
macro_rules! children {
    ($op:expr, $iter:ident) => {
        match $op {
            Op::List(items) | Op::Concat(items) | Op::Path(items) | Op::Call(_, items) => items.$iter().collect(),
            Op::Map(entries) => entries.$iter().flat_map(|(key, value)| [key, value]).collect(),
            Op::Access(of, Access::Key(with) | Access::Element(with)) => vec![of, with],
            Op::Part(of, _)
            | Op::Access(of, _)
            | Op::Has(of, _)
            | Op::IsNull(of)
            | Op::Read(of)
            | Op::EntryKey(of)
            | Op::EntryValue(of)
            | Op::Entries(of)
            | Op::Members(of)
            | Op::Numbered(of)
            | Op::Keys(of)
            | Op::MapSize(of)
            | Op::Not(of)
            | Op::Negate(of)
            | Op::Show(of)
            | Op::IntToDouble(of)
            | Op::DoubleToInt(of)
            | Op::TextToInt(of)
            | Op::TextToDouble(of)
            | Op::TextToBool(of) => vec![of],
            Op::Element(one, two) | Op::And(one, two) | Op::Or(one, two) => vec![one, two],
            Op::Choose(parts) => parts.$iter().collect(),
            Op::Arithmetic(_, sides)
            | Op::Append(sides)
            | Op::Compare(_, sides)
            | Op::CompareMixed(_, sides)
            | Op::Equal(sides)
            | Op::EqualMixed(sides)
            | Op::EqualOpen(sides)
            | Op::Among(sides)
            | Op::AmongOpen(sides)
            | Op::HasKey(sides) => sides.$iter().collect(),
            Op::Macro { list, body, .. } => vec![list, body],
            Op::Bool(_)
            | Op::Int(_)
            | Op::Double(_)
            | Op::Text(_)
            | Op::Null
            | Op::Payload
            | Op::Env(_)
            | Op::Flag(_)
            | Op::Choice(_)
            | Op::Threshold(_)
            | Op::Table(_)
            | Op::Message(_)
            | Op::Fact(_)
            | Op::Let(_)
            | Op::Variable { .. }
            | Op::Document(..)
            | Op::Spent(..)
            | Op::Pattern(_) => Vec::new(),
        }
    };
}

impl Expr {
    /// The expressions that this one is made of, in the order in which they are worked out.
    pub fn children(&self) -> Vec<&Expr> {
        children!(&self.op, iter)
    }

    /// The same, to be changed.
    pub fn children_mut(&mut self) -> Vec<&mut Expr> {
        children!(&mut self.op, iter_mut)
    }

    /// This expression and all that it is made of.
    pub fn walk<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        visit(self);
        for child in self.children() {
            child.walk(visit);
        }
    }
}
