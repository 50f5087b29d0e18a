//! From generated files to an installable plugin: the crate compiled, everything laid out in one folder.

mod cargo;
mod icon;
mod layout;
mod linking;

pub use cargo::{Crate, build};
pub use layout::layout;
pub use linking::Linking;
