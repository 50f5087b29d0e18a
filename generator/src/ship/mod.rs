//! From generated files to an installable plugin: the crate compiled, everything laid out in one folder.

mod advice;
mod cache;
mod cargo;
mod elsewhere;
mod icon;
mod launcher;
mod layout;
mod linking;
mod machine;
mod notices;
mod packages;
mod portable;
mod remap;
mod staging;
mod toolchain;

pub use cargo::{Built, Crate, build};
pub use elsewhere::{Mark, Program, elsewhere};
pub use layout::{layout, layout_for};
pub use linking::Linking;
pub use machine::Machine;
pub use portable::{ENGINE, engine, is_engine, own_engine, portable_layout, portable_layout_for};
pub use toolchain::Toolchain;
