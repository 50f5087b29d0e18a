//! The hookgen compiler.

pub mod bug;
pub mod cases;
pub mod catalog;
pub mod cel;
pub mod cli;
pub mod compile;
pub mod diagnostic;
pub mod disk;
pub mod document;
pub mod drift;
pub mod emit;
pub mod guard;
pub mod install;
mod json_text;
pub mod lint;
pub mod lower;
pub mod model;
pub mod place;
pub mod protocol;
pub mod resolve;
pub mod schema;
pub mod ship;
pub mod source;
pub mod stats;
mod template;
pub mod why;
pub mod workspace;
