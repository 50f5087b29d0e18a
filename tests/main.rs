//! The compiler from outside, as its users run it.

mod functions;
