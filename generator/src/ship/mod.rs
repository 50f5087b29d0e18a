//! From generated files to an installable plugin: the crate compiled, everything laid out in one folder.

mod advice;
mod cache;
mod cargo;
mod icon;
mod layout;
mod linking;
mod notices;
mod packages;
mod portable;
mod remap;
mod staging;
mod toolchain;

pub use cargo::{Built, Crate, build};
pub use layout::layout;
pub use linking::Linking;
pub use portable::{engine, is_engine, portable_layout};
pub use toolchain::Toolchain;
