//! The `hookgen` command.

use std::process::ExitCode;

use clap::Parser as _;
use hookgen::cli::{self, Cli};

fn main() -> ExitCode {
    cli::run(Cli::parse()).into()
}
