//! A file that hookgen lays out.

use camino::Utf8PathBuf;

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
