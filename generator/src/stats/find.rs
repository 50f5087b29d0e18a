//! Where audit trails are.

use anyhow::{Context as _, bail};
use camino::{Utf8Path, Utf8PathBuf};
use hookgen_runtime::client::claude::places::PLUGIN_DATA;
use hookgen_runtime::log::AUDIT_FILE;
use hookgen_runtime::state::Store;

/// Deeper than any folder in which hooks keep state.
const DEEPEST: usize = 8;

/// The folder in which hooks keep their state when nobody says otherwise.
pub fn default_folder() -> anyhow::Result<Utf8PathBuf> {
    let store = Store::open("any");
    // A plugin's own folder is given as it is; the user's has one folder per catalog.
    let own = std::env::var_os(PLUGIN_DATA).is_some_and(|folder| store.folder().as_os_str() == folder);
    let folder = if own { Some(store.folder()) } else { store.folder().parent() };
    let folder = folder.context("there is no folder for state; name a file or a folder")?;
    Utf8PathBuf::try_from(folder.to_path_buf()).context("the state folder's name is not UTF-8")
}

/// The trails at that place: the file, or every trail below the folder, those that were set aside included.
pub fn trails(place: &Utf8Path) -> anyhow::Result<Vec<Utf8PathBuf>> {
    if place.is_file() {
        return Ok(vec![place.to_owned()]);
    }
    if !place.is_dir() {
        bail!("`{place}` is neither a file nor a folder");
    }
    let mut found = Vec::new();
    collect(place, DEEPEST, &mut found);
    found.sort();
    Ok(found)
}

/// Links are not followed, and what cannot be listed holds no trail.
fn collect(folder: &Utf8Path, depth: usize, found: &mut Vec<Utf8PathBuf>) {
    let Ok(entries) = folder.read_dir_utf8() else { return };
    for entry in entries.flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && depth > 0 => collect(entry.path(), depth - 1, found),
            Ok(kind) if kind.is_file() && is_trail(entry.file_name()) => found.push(entry.into_path()),
            _ => {}
        }
    }
}

fn is_trail(name: &str) -> bool {
    let number = |rest: &str| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit());
    name.strip_prefix(AUDIT_FILE).is_some_and(|rest| rest.is_empty() || rest.strip_prefix('.').is_some_and(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trails_that_were_set_aside_count_and_other_files_do_not() {
        for (name, expected) in [
            ("audit.jsonl", true),
            ("audit.jsonl.1", true),
            ("audit.jsonl.lock", false),
            ("audit.jsonl.", false),
            ("my-audit.jsonl", false),
        ] {
            assert_eq!(is_trail(name), expected, "{name}");
        }
    }

    #[test]
    fn a_folder_is_searched_and_a_file_is_taken_as_it_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = Utf8PathBuf::try_from(folder.path().to_path_buf()).expect("UTF-8");
        std::fs::create_dir_all(root.join("a/b")).expect("created");
        for name in ["a/audit.jsonl", "a/b/audit.jsonl.2", "a/b/other.jsonl"] {
            std::fs::write(root.join(name), "").expect("written");
        }
        assert_eq!(trails(&root).expect("listed"), [root.join("a/audit.jsonl"), root.join("a/b/audit.jsonl.2")]);
        let other = root.join("a/b/other.jsonl");
        assert_eq!(trails(&other).expect("there"), [other]);
        assert!(trails(&root.join("none")).is_err());
    }
}
