//! What is written down once the answer is out.
//!
//! None of it changes what is said about this event, so none of it may keep the answer back: not a disk that is full or
//! frozen, nor a lock that somebody holds. State that decides, counters and documents among it, is not kept here but
//! written while the hook runs.

use std::time::Duration;

use crate::program::{Hook, Mode, Str};

/// One thing to write down.
#[derive(Debug, Clone)]
pub(crate) enum Entry {
    /// A line of the log and of the audit trail.
    Line(Line),
    /// The hook itself broke: the circuit breaker counts it.
    Broke(&'static Hook),
    /// The hook works again: the circuit breaker forgets what it counted.
    Recovered(&'static Hook),
    /// What the person is told on another event, since the client shows nothing on this one.
    Untold(String),
    /// A program that tells somebody, with its arguments.
    Notify(Vec<String>),
}

/// What a hook decided, or what happened to it.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    pub(crate) hook: &'static Hook,
    pub(crate) check: Option<Str>,
    pub(crate) decision: &'static str,
    pub(crate) reason: String,
    pub(crate) mode: Mode,
    pub(crate) took: Duration,
}
