//! What the plugin needs, and what is new in it.

use serde::Serialize;

use super::super::readme::{client, platforms};
use super::markdown::{code, line};
use crate::model::Catalog;

#[derive(Serialize)]
pub(super) struct NeedsView {
    client: String,
    platforms: String,
    /// The files that the catalog is made of; empty for one.
    files: String,
    /// Hooks that it goes without.
    off: Vec<String>,
    /// Which version, and since which.
    version: String,
    changes: Vec<String>,
}

pub(super) fn view(catalog: &Catalog) -> NeedsView {
    let newest = catalog.changes.first();
    let since = catalog.changes.get(1).map(|(version, _)| format!(", since {}", code(version))).unwrap_or_default();
    let version = code(newest.map_or(&catalog.version, |(version, _)| version));
    NeedsView {
        client: client(catalog),
        platforms: platforms(catalog),
        files: files(catalog),
        off: catalog.off.iter().map(|(id, reason)| format!("{}: {}", code(id), line(reason))).collect(),
        version: format!("{version}{since}"),
        changes: newest.map(|(_, changes)| changes.iter().map(|change| line(change)).collect()).unwrap_or_default(),
    }
}

/// The files of a catalog that has several.
fn files(catalog: &Catalog) -> String {
    if catalog.files.is_empty() {
        return String::new();
    }
    let all = std::iter::once(&catalog.source).chain(&catalog.files);
    all.map(|file| code(file)).collect::<Vec<_>>().join(", ")
}
