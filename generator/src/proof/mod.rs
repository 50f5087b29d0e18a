//! What the cases of a catalog prove: which of its conditions they have seen both ways, and which changes of its meaning
//! they would notice.

mod atlas;
mod coverage;
mod lcov;
pub mod mutate;
mod recorder;
mod seen;

pub use atlas::{Atlas, Kind, Owner, Spot};
pub use coverage::{Coverage, Figures};
pub use lcov::lcov;
pub(crate) use mutate::bare;
pub use recorder::Recorder;
pub use seen::Seen;
