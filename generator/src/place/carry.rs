//! One file or link taken over into another folder as it is.

use std::fs;
use std::io;

use camino::Utf8Path;

/// Gives what is at `from` a second name; a copy only where the file system knows no second names.
///
/// Until the folders change places, whoever writes the file writes it in both.
pub(super) fn carry(from: &Utf8Path, to: &Utf8Path) -> io::Result<()> {
    fs::hard_link(from, to).or_else(|_| copy(from, to))
}

fn copy(from: &Utf8Path, to: &Utf8Path) -> io::Result<()> {
    if from.is_symlink() {
        return copy_link(from, to);
    }
    fs::copy(from, to)?;
    if same_owner(&fs::metadata(from)?, &fs::metadata(to)?) {
        return Ok(());
    }
    Err(io::Error::other("it belongs to somebody else, and a copy would not"))
}

#[cfg(unix)]
fn same_owner(one: &fs::Metadata, other: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    one.uid() == other.uid()
}

#[cfg(not(unix))]
fn same_owner(_: &fs::Metadata, _: &fs::Metadata) -> bool {
    true
}

#[cfg(unix)]
fn copy_link(from: &Utf8Path, to: &Utf8Path) -> io::Result<()> {
    std::os::unix::fs::symlink(fs::read_link(from)?, to)
}

#[cfg(not(unix))]
fn copy_link(_: &Utf8Path, _: &Utf8Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
