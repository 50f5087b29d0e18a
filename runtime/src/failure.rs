//! The ways in which a hook itself can break.
//!
//! A failure is never a verdict: the hook's `fail_safe` decides what becomes of the action. What a hook finds out
//! about the world (a missing file, an empty field) is an ordinary value and never ends up here.

use std::fmt;

/// Why a hook could not finish.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The event on standard input is not what the client sends.
    Payload(String),
    /// A document exists, but is not what the catalog says it is.
    Document(String),
    /// An expression has no value: a division by zero, a place beyond the end of a list.
    Expression(String),
    /// A program was not started, because the hook may only look.
    Withheld(String),
    /// The catalog's own file is not what it was when it was built.
    Catalog(String),
    /// The machinery broke: a file system error, a full disk, a panic.
    Infrastructure(String),
}

impl Failure {
    /// Whether the circuit breaker counts it. What others write, input, documents and the files of the plugin, must not
    /// be able to switch a guard off.
    pub fn counts(&self) -> bool {
        matches!(self, Self::Infrastructure(_))
    }

    /// An input or output error, with what was being done.
    pub fn io(what: impl fmt::Display, error: &std::io::Error) -> Self {
        Self::Infrastructure(format!("{what}: {error}"))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Payload(text)
        | Self::Document(text)
        | Self::Expression(text)
        | Self::Withheld(text)
        | Self::Catalog(text)
        | Self::Infrastructure(text)) = self;
        f.write_str(text)
    }
}

impl std::error::Error for Failure {}

/// The result of anything that may break.
pub type Attempt<T> = Result<T, Failure>;
