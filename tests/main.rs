//! hookgen from the outside: one binary, the cases in folders beside it.
//!
//! `HOOKGEN_BLESS=1 cargo test --test it` accepts what hookgen says now as what it should say.

mod agents;
mod architecture;
mod asking;
mod catalogs;
mod cli;
mod company;
mod drift;
mod editor;
mod evaluate;
mod faults;
mod findings;
mod formats;
mod functions;
mod golden;
mod guardian;
mod import;
mod keeping;
mod large;
mod names;
mod newcomer;
mod outside;
mod pages;
mod pitfalls;
mod planted;
mod replay;
mod sharing;
mod site;
mod support;
mod toolchain;
mod tools;
mod trail;
mod ui;
mod why;
