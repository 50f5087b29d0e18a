//! An old folder removed, as far as nothing is lost by it.

use std::collections::BTreeSet;
use std::fs;

use anyhow::Context as _;
use camino::Utf8Path;

use super::record::Record;
use super::survey::{Kind, Survey};
use crate::emit::record::{FILE, digest};

/// Removes from `old` what hookgen wrote, and what `place` has as well. Whether the folder is gone.
///
/// It needs to know nothing of how the two came about, so that it can also tidy up after a hookgen that was ended.
pub(super) fn retire(old: &Utf8Path, place: &Utf8Path) -> anyhow::Result<bool> {
    let found = Survey::of(old)?;
    let record = Record::read(old)?;
    let mut others = Vec::new();
    for (path, kind) in found.leaves() {
        match &record {
            Some(_) if kind == Kind::File && path == FILE => {}
            Some(record) if kind == Kind::File && record.has(path, &found.read(path)?) => remove(&old.join(path))?,
            _ => others.push((path, kind)),
        }
    }
    let present = if others.is_empty() || !place.is_dir() { BTreeSet::new() } else { contents(place)? };
    let mut all = true;
    for (path, kind) in others {
        if present.contains(&content(&found, old, path, kind)?) {
            remove(&old.join(path))?;
        } else {
            all = false;
        }
    }
    // The record goes last: until then, another attempt knows what is ours.
    if all && record.is_some() {
        remove(&old.join(FILE))?;
    }
    for folder in found.folders().rev().chain([Utf8Path::new("")]) {
        // A folder that is not empty stays, and so does everything above it.
        let _ = fs::remove_dir(old.join(folder));
    }
    Ok(!old.exists())
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Content {
    File(String),
    Link(Vec<u8>),
}

fn remove(path: &Utf8Path) -> anyhow::Result<()> {
    fs::remove_file(path).with_context(|| format!("cannot remove `{path}`"))
}

fn contents(folder: &Utf8Path) -> anyhow::Result<BTreeSet<Content>> {
    let found = Survey::of(folder)?;
    found.leaves().map(|(path, kind)| content(&found, folder, path, kind)).collect()
}

fn content(found: &Survey, folder: &Utf8Path, path: &Utf8Path, kind: Kind) -> anyhow::Result<Content> {
    if kind == Kind::Link {
        let full = folder.join(path);
        let target = fs::read_link(&full).with_context(|| format!("cannot read the link `{full}`"))?;
        return Ok(Content::Link(target.into_os_string().into_encoded_bytes()));
    }
    Ok(Content::File(digest(&found.read(path)?)))
}
