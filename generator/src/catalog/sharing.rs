//! What a catalog has from other files.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::Ordered;

/// Another file: its path from this one, or with the digest that it was reviewed with.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Shared {
    /// The path, for example `./shared/shell.yaml`.
    Path(String),
    /// The path of a copy that comes from elsewhere, held against its digest.
    Pinned {
        /// The path.
        path: String,
        /// `sha256:` and 64 digits: the file's SHA-256, as `sha256sum` prints it for lines that end in a line feed.
        #[schemars(regex(pattern = "^sha256:[0-9a-f]{64}$"))]
        digest: Option<String>,
    },
}

/// Entries of the extended catalog that are otherwise here, by section and name; hooks by id.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// Flags.
    #[serde(default)]
    pub flags: Ordered<Value>,
    /// Choices.
    #[serde(default)]
    pub choices: Ordered<Value>,
    /// Thresholds, for example `{ max_fetches: { default: 5 } }`.
    #[serde(default)]
    pub thresholds: Ordered<Value>,
    /// Tables.
    #[serde(default)]
    pub data: Ordered<Value>,
    /// Facts.
    #[serde(default)]
    pub facts: Ordered<Value>,
    /// Documents.
    #[serde(default)]
    pub documents: Ordered<Value>,
    /// Counters.
    #[serde(default)]
    pub counters: Ordered<Value>,
    /// What is recorded.
    #[serde(default)]
    pub history: Ordered<Value>,
    /// Messages.
    #[serde(default)]
    pub messages: Ordered<Value>,
    /// Worlds of cases.
    #[serde(default)]
    pub worlds: Ordered<Value>,
    /// Hooks, for example `{ H04: { mode: warn } }`.
    #[serde(default)]
    pub hooks: Ordered<Value>,
}
