//! What a catalog has put into the plugin of somebody else, so that exactly that can be taken out again.

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::disk;
use crate::emit::record;

/// Longest record that is read.
const LIMIT: u64 = 4 * 1024 * 1024;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Record {
    /// What this file is, for whoever finds it.
    pub(super) about: String,
    pub(super) version: String,
    /// Files that hookgen made, with the digest of each as written.
    pub(super) files: BTreeMap<String, String>,
    /// Folders that were not there before, the outermost first.
    pub(super) folders: Vec<String>,
    /// The registration as it was made.
    pub(super) hooks: Value,
    /// What was added to the config file of the plugin, each piece as it stands there.
    pub(super) config: Vec<String>,
}

impl Record {
    /// Where the record of a catalog lies in a plugin.
    pub(super) fn path(catalog: &str) -> Utf8PathBuf {
        Utf8PathBuf::from(format!("hooks/{catalog}.hookgen.json"))
    }

    /// The record of an earlier installation, if there is one that can be read.
    pub(super) fn read(plugin: &Utf8Path, catalog: &str) -> Option<Self> {
        let bytes = disk::read(&plugin.join(Self::path(catalog)), LIMIT).ok()?;
        serde_json::from_slice(&bytes).ok()
    }

    pub(super) fn note(&mut self, path: &Utf8Path, bytes: &[u8]) {
        self.files.insert(path.to_string(), record::digest(bytes));
    }

    /// Whether hookgen made that file.
    pub(super) fn claims(&self, path: &Utf8Path) -> bool {
        self.files.contains_key(path.as_str())
    }

    /// Whether these bytes are what hookgen wrote there.
    pub(super) fn has(&self, path: &Utf8Path, bytes: &[u8]) -> bool {
        self.files.get(path.as_str()).is_some_and(|digest| record::is_of(digest, bytes))
    }
}
