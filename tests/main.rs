//! hookgen from the outside: one binary, the cases in folders beside it.
//!
//! `HOOKGEN_BLESS=1 cargo test --test it` accepts what hookgen says now as what it should say.

mod asking;
mod catalogs;
mod cli;
mod drift;
mod evaluate;
mod faults;
mod functions;
mod golden;
mod guardian;
mod keeping;
mod outside;
mod pages;
mod pitfalls;
mod planted;
mod replay;
mod site;
mod support;
mod toolchain;
mod ui;
mod why;
