//! `hookgen-engine`: runs the catalog in the file beside it, as a binary that was compiled from the catalog would.

use std::process::ExitCode;

fn main() -> ExitCode {
    hookgen_runtime::serve_file()
}
