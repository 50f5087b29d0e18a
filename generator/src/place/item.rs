//! A file that hookgen lays out.

use anyhow::Context as _;
use camino::{Utf8Path, Utf8PathBuf};

/// The folder of a plugin in which operators change what they find.
const OPERATORS: &str = "config";

/// A file to be, in a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// From the place.
    pub path: Utf8PathBuf,
    pub content: Vec<u8>,
    /// Whether it can be started.
    pub executable: bool,
}

impl Item {
    pub fn new(path: impl Into<Utf8PathBuf>, content: impl Into<Vec<u8>>) -> Self {
        Self { path: path.into(), content: content.into(), executable: false }
    }

    pub fn program(path: impl Into<Utf8PathBuf>, content: impl Into<Vec<u8>>) -> Self {
        Self { executable: true, ..Self::new(path, content) }
    }

    /// Whether operators are meant to change it, so that their version is the one that counts.
    pub(super) fn is_for_operators(&self) -> bool {
        self.path.starts_with(OPERATORS)
    }
}

/// Whether a file can be started, as the file system says.
#[cfg(unix)]
pub(super) fn can_be_started(file: &Utf8Path) -> anyhow::Result<bool> {
    use std::os::unix::fs::PermissionsExt as _;
    let about = file.metadata().with_context(|| format!("cannot look at `{file}`"))?;
    Ok(about.permissions().mode() & 0o111 != 0)
}

/// Where the file system does not say, the name of the folder does.
#[cfg(not(unix))]
pub(super) fn can_be_started(file: &Utf8Path) -> anyhow::Result<bool> {
    file.metadata().with_context(|| format!("cannot look at `{file}`"))?;
    Ok(file.components().any(|part| part.as_str() == "bin") && file.extension().is_none_or(|end| end == "exe"))
}
