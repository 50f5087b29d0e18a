//! What hooks remember between calls: one private folder per user and catalog, one folder in it per session.
//!
//! Every change happens under a lock and lands by rename, so parallel calls count exactly and a kill at any instant
//! leaves the old state or the new.

pub mod breaker;
mod counters;
pub(crate) mod files;
pub mod history;
mod lock;
pub mod memory;
mod name;
pub mod notes;
pub mod once;
mod prune;
mod session;
mod store;
pub mod untold;

pub use counters::{Limit, Spent, foreseen, reset, spend};
pub use prune::STALE;
pub use session::Session;
pub use store::Store;
