//! What a script is made of, once read: plain data that owns its text, so that a function's body can outlive its line.
//!
//! Tools that take a script for what it says, rather than for what it may run, read it from here.

use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

/// Statements, one after the other.
pub type List = Vec<Statement>;

/// Pipelines joined by `&&` and `||`.
#[derive(Debug)]
pub struct Statement {
    pub pipelines: Vec<Pipeline>,
    /// Ends in `&`, and so runs in a process of its own.
    pub background: bool,
}

/// Commands joined by `|`.
#[derive(Debug, Default)]
pub struct Pipeline {
    pub stages: Vec<Stage>,
    /// Words of the language in front of it: `time`, `coproc`.
    pub prefix: Vec<&'static str>,
    /// It follows `||`, and so runs only where what is before it fails.
    pub otherwise: bool,
    /// `!` stands in front of it: what fails succeeds.
    pub negated: bool,
}

impl Pipeline {
    /// Whether its success is that of its last command.
    pub(super) fn is_plain(&self) -> bool {
        !self.negated && !self.prefix.contains(&"coproc")
    }
}

/// A command with its redirections.
#[derive(Debug)]
pub struct Stage {
    pub body: Body,
    pub redirects: Vec<Redirect>,
}

impl Stage {
    pub(super) fn is_simple(&self) -> bool {
        matches!(self.body, Body::Simple { .. })
    }

    pub(super) fn is_test(&self) -> bool {
        matches!(self.body, Body::Test(_))
    }
}

#[derive(Debug)]
pub enum Body {
    Simple {
        assigns: Vec<Assign>,
        words: Vec<Word>,
    },
    Subshell(List),
    Group(List),
    /// Conditions with what they guard; an `else` has an empty condition.
    If(Vec<(List, List)>),
    Loop {
        condition: List,
        body: List,
        assigned: Assigned,
        /// The condition never ends it.
        endless: bool,
    },
    For {
        name: String,
        words: Vec<Word>,
        body: List,
        assigned: Assigned,
    },
    Case {
        word: Word,
        arms: Vec<(Vec<Word>, List)>,
    },
    Function {
        name: String,
        body: Rc<Stage>,
    },
    /// `[[ … ]]` and `(( … ))`: nothing runs but what is substituted in them. Operators are words of their own, and what
    /// follows `=~` is one word.
    Test(Vec<Word>),
}

/// The names of variables that a loop may change, as a part of the script's own list of them.
#[derive(Debug, Clone)]
pub struct Assigned {
    pub all: Rc<RefCell<Vec<String>>>,
    pub range: Range<usize>,
}

#[derive(Debug)]
pub struct Assign {
    pub name: String,
    /// `name[…]=`
    pub indexed: bool,
    pub append: bool,
    pub value: Value,
}

#[derive(Debug)]
pub enum Value {
    One(Word),
    Many(Vec<Word>),
}

#[derive(Debug)]
pub struct Redirect {
    pub kind: RedirectKind,
    /// Descriptor in front of it; -1 stands for a name in braces.
    pub descriptor: Option<i32>,
    pub target: Word,
    /// The body of a here-document, filled in when its lines are reached.
    pub here: Option<Rc<RefCell<Word>>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RedirectKind {
    Read,
    ReadWrite,
    Write,
    Append,
    Both,
    Duplicate,
    DuplicateInput,
    HereDocument,
    HereString,
}

impl RedirectKind {
    /// Whether it opens a file.
    pub(super) fn opens(self) -> bool {
        matches!(self, Self::Read | Self::ReadWrite | Self::Write | Self::Append)
    }
}

/// A word as written, before any expansion.
#[derive(Debug, Clone, Default)]
pub struct Word {
    pub parts: Vec<Part>,
}

#[derive(Debug, Clone)]
pub enum Part {
    /// Outside quotes: globs, braces and a leading tilde count.
    Plain(String),
    /// Inside quotes, or escaped: text and nothing else. An empty one still makes a word.
    Quoted(String),
    Variable(Rc<Variable>),
    Command {
        list: Rc<List>,
        quoted: bool,
        source: String,
    },
    Process {
        list: Rc<List>,
        source: String,
    },
    Arithmetic {
        inner: Word,
        source: String,
    },
    /// Something that an outer script could not resolve, with its marks.
    Hole(String),
}

/// `$name` or `${name…}`.
#[derive(Debug)]
pub struct Variable {
    pub name: String,
    pub index: Index,
    pub operation: Operation,
    pub quoted: bool,
    pub source: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Index {
    None,
    /// `[@]` or `[*]`
    All,
    At(usize),
    Unknown,
}

#[derive(Debug)]
pub enum Operation {
    Plain,
    /// `-`, `=`, `+`, `?`; with a colon an empty value counts as none.
    Fallback {
        kind: u8,
        colon: bool,
        word: Word,
    },
    /// `%` and `#`, single or double, which take a pattern off the end or the beginning.
    Trim {
        end: bool,
        longest: bool,
        word: Word,
    },
    /// Anything else; what is substituted in it still runs.
    Other(Word),
}

impl Word {
    /// The text of a word that is nothing but text, quoted or not.
    pub fn literal(&self) -> Option<Cow<'_, str>> {
        if let [Part::Plain(only) | Part::Quoted(only)] = self.parts.as_slice() {
            return Some(Cow::Borrowed(only));
        }
        let mut text = String::new();
        for part in &self.parts {
            match part {
                Part::Plain(piece) | Part::Quoted(piece) => text.push_str(piece),
                _ => return None,
            }
        }
        Some(Cow::Owned(text))
    }
}
