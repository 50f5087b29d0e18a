//! The engine behind generated hook binaries.
//!
//! A generated crate is constant tables and small functions over this library; `serve` is its whole `main`. The
//! library knows no catalog, reads nothing that a call does not ask for, and ends every call with 0 or 2.

mod act;
mod books;
mod call;
pub mod client;
pub mod config;
mod document;
mod engine;
#[cfg(feature = "evaluate")]
pub mod evaluate;
mod event;
mod export;
mod failure;
pub mod git;
mod home;
mod input;
pub mod invisible;
mod job;
mod json;
mod keeper;
pub mod library;
pub mod log;
pub mod machine;
mod made;
pub mod managed;
#[cfg(target_env = "musl")]
mod memory;
mod node;
pub mod operators;
pub mod path;
pub mod pattern;
mod payload;
pub mod powershell;
pub mod program;
mod record;
mod registration;
mod reply;
pub mod representation;
pub mod shell;
mod signals;
pub mod signature;
mod speech;
pub mod state;
mod surroundings;
mod text;
pub mod time;
pub mod tool;
mod turn;
mod verdict;
mod watchdog;
pub mod yaml;

pub use act::Sums;
pub use call::Call;
pub use client::claude::ALWAYS_SENT;
pub use client::{CLAUDE, CLIENTS, Client, Fields};
pub use document::{Document, DocumentSpec, Format};
pub use engine::{serve, serve_clients};
#[cfg(feature = "evaluate")]
pub use evaluate::serve_file;
pub use event::{Context, EVENTS, Event, Notice, Refusal};
pub use failure::{Attempt, Failure};
pub use git::Git;
pub use json::{Json, Many};
pub use node::{Entry, Node, Numbered, Origin};
pub use pattern::Pattern;
pub use payload::parse as parse_event;
pub use reply::{Answering, Reply, Running, Said, reply};
pub use state::{Limit, Spent};
#[cfg(feature = "evaluate")]
pub use surroundings::{Heard, Surroundings};
pub use text::{Keep, Text, Value};
pub use time::Timestamp;
pub use turn::ENVELOPE;
pub use verdict::{Decision, Verdict};
