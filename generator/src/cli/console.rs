//! Where text goes: data to standard output, talk to standard error.

use std::fmt;
use std::io::{ErrorKind, Write as _};

use anyhow::Context as _;

/// Whoever read our output has gone; there is nobody left to tell.
#[derive(Debug)]
pub(super) struct Gone;

impl fmt::Display for Gone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("standard output is closed")
    }
}

impl std::error::Error for Gone {}

/// A line of data.
pub(super) fn data(text: impl fmt::Display) -> anyhow::Result<()> {
    match writeln!(anstream::stdout().lock(), "{text}") {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Err(Gone.into()),
        written => written.context("cannot write to standard output"),
    }
}

/// A line for the person. A person who cannot be told is no reason to stop.
pub(super) fn talk(text: impl fmt::Display) {
    let _ = writeln!(anstream::stderr().lock(), "{text}");
}

/// A number with its noun.
pub(super) fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_no_plural() {
        assert_eq!(
            (count(1, "file"), count(0, "file"), count(2, "file")),
            ("1 file".into(), "0 files".into(), "2 files".into())
        );
    }
}
