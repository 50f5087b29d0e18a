//! The `hookgen` command.

use std::process::ExitCode;

use clap::Parser as _;
use hookgen::cli::{self, Cli};

fn main() -> ExitCode {
    if hookgen::ship::is_engine() {
        return hookgen_runtime::serve_file();
    }
    cli::run(Cli::parse()).into()
}
