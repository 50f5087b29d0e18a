//! What nobody came back for.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::fits_any::fits_any;
use crate::call::Call;
use crate::failure::{Attempt, Failure};
use crate::path;
use crate::signature::function;

/// Removes the files of a folder whose names fit a pattern and that nobody has changed for so many seconds; how many.
pub fn remove_old(call: &Call<'_>, folder: &str, names: &[impl AsRef<str>], seconds: i64) -> Attempt<i64> {
    if call.is_withheld() {
        let what = format!("that depends on old files in `{folder}`, which a hook that only watches does not remove");
        return Err(Failure::Withheld(what));
    }
    if folder.is_empty() {
        return Ok(0);
    }
    let age = Duration::from_secs(seconds.max(0).unsigned_abs());
    Ok(remove(&path::resolve(call.project_dir(), folder), names, age, SystemTime::now()))
}

fn remove(folder: &Path, names: &[impl AsRef<str>], age: Duration, now: SystemTime) -> i64 {
    let is_old = |entry: &fs::DirEntry| {
        let changed = entry.metadata().ok().filter(fs::Metadata::is_file).and_then(|found| found.modified().ok());
        changed.and_then(|changed| now.duration_since(changed).ok()).is_some_and(|past| past >= age)
    };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let old = entries.filter(|entry| fits_any(&entry.file_name().to_string_lossy(), names) && is_old(entry));
    let removed = old.filter(|entry| fs::remove_file(entry.path()).is_ok()).count();
    i64::try_from(removed).unwrap_or(i64::MAX)
}

function! {
    FUNCTION: remove_old,
    name: "removeOld",
    params: { folder: Text, names: List<Text>, seconds: Int },
    result: Int,
    fallible: true,
    powers: [Files, Removes],
    doc: "Removes the regular files of the folder, not of those inside it, whose names fit one of the patterns and that \
           were last changed so many seconds ago or earlier; says how many. A relative folder starts at the project.",
    example: "removeOld('no/such/folder', ['*'], 60) == 0",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_old_files_of_the_name_go() {
        let guard = tempfile::tempdir().expect("a folder");
        for file in [".count-a", ".count-b", "other"] {
            fs::write(guard.path().join(file), "").expect("written");
        }
        fs::create_dir(guard.path().join(".count-folder")).expect("created");
        let day = Duration::from_hours(24);
        let now = SystemTime::now();
        assert_eq!(remove(guard.path(), &[".count-*"], day, now), 0);
        assert_eq!(remove(guard.path(), &[".count-*"], day, now + 2 * day), 2);
        assert!(guard.path().join("other").exists() && guard.path().join(".count-folder").exists());
        assert_eq!(remove(&guard.path().join("none"), &["*"], day, now), 0);
    }
}
