//! What can be said of a catalog without running it.
//!
//! Conditions become statements about atoms: a text is this word, a number is at least that, a flag is on. Whatever is not
//! understood is an atom that may hold or not, so more is thought possible than is; what can never hold here can never hold
//! at all. An expression that fails has no value: a statement that holds always, holds wherever it has one.

mod ask;
mod atom;
mod command;
mod events;
mod example;
mod formula;
mod given;
mod hook;
mod order;
mod pattern;
mod read;
mod same;
mod solve;
mod stage;
mod tables;
mod text;

pub use atom::{Atom, Setting, Where};
pub use events::events;
pub use example::{Example, base};
pub use formula::Formula;
pub use hook::{Needs, Rules, decides};
pub use read::{Reader, Scope};
pub use solve::Answer;
pub use stage::{Scene, Theatre};
pub use tables::{Row, Use, uses};
