//! The cases of a catalog, run as the client would run them: against the shipped binary, or against the catalog as it
//! stands.
//!
//! Every case has a world of its own, so cases run in any order and beside each other with the same result.

mod audit;
mod compare;
pub mod corpus;
mod encoding;
mod exports;
pub mod faults;
mod fill;
mod native;
mod player;
mod process;
pub mod replay;
mod reply;
mod report;
mod run;
mod steps;
mod witnessed;
mod world;

pub use encoding::difference;
pub use native::minds;
pub use player::Player;
pub use report::{Outcome, Reaction, StepFailure};
pub use run::Suite;
