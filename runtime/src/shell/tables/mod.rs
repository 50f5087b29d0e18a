//! What programs are, a row each: a newcomer extends what is understood by adding one.

pub(super) mod functions;
pub(super) mod options;
pub(super) mod usage;
pub(super) mod wrappers;
