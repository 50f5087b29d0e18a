//! The answer on its way out of the process.
//!
//! A refusal that the client cannot read is no refusal to it, so one that standard output does not take is spoken by
//! exit code.

use std::io::{self, Write as _};

use crate::reply::Reply;
use crate::surroundings;

/// Says it, and gives the exit code that goes with it.
pub(crate) fn speak(reply: &Reply) -> u8 {
    if let Some(exit) = surroundings::hear(reply) {
        return exit;
    }
    let said = reply.stdout.is_empty() || write_out(&reply.stdout).is_ok();
    match &reply.unheard {
        Some(reason) if !said || (!reply.stdout.is_empty() && leads_nowhere()) => {
            say_aside(reason);
            2
        }
        _ => {
            say_aside(&reply.stderr);
            reply.exit
        }
    }
}

fn write_out(text: &str) -> io::Result<()> {
    let mut output = io::stdout().lock();
    output.write_all(text.as_bytes())?;
    output.flush()
}

/// What is lost here is a reason at most: the exit code says what becomes of the action.
fn say_aside(text: &str) {
    if !text.is_empty() {
        let _ = io::stderr().write_all(text.as_bytes());
    }
}

/// Whether standard output is the null device, which the standard library also puts in place of one that is closed.
#[cfg(unix)]
fn leads_nowhere() -> bool {
    use std::fs::{File, metadata};
    use std::os::fd::AsFd as _;
    use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};

    let output = io::stdout().as_fd().try_clone_to_owned().and_then(|output| File::from(output).metadata());
    match (output, metadata("/dev/null")) {
        (Ok(output), Ok(null)) => output.file_type().is_char_device() && output.rdev() == null.rdev(),
        _ => false,
    }
}

#[cfg(not(unix))]
fn leads_nowhere() -> bool {
    false
}
