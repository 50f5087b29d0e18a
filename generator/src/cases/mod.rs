//! The cases of a catalog, run against the shipped binary as the client would run it.
//!
//! Every case has a world of its own, so cases run in any order and beside each other with the same result.

mod audit;
mod compare;
pub mod corpus;
mod coverage;
mod encoding;
mod exports;
pub mod faults;
mod fill;
mod native;
mod process;
pub mod replay;
mod reply;
mod report;
mod run;
mod steps;
mod witnessed;
mod world;

pub use coverage::{Unseen, unseen};
pub use encoding::difference;
pub use native::minds;
pub use report::{Outcome, StepFailure};
pub use run::Suite;
