//! How long ago a file was changed.

use std::fs;
use std::path::Path;
use std::time::SystemTime;

use crate::call::Call;
use crate::signature::function;

/// The seconds since the file was changed; -1 if nothing is there.
pub fn file_age(call: &Call<'_>, path: &str) -> i64 {
    file_age_from(call.cwd(), path, SystemTime::now())
}

fn file_age_from(base: &Path, path: &str, now: SystemTime) -> i64 {
    let changed = if path.is_empty() { None } else { fs::metadata(base.join(path)).ok() };
    let Some(changed) = changed.and_then(|found| found.modified().ok()) else { return -1 };
    // A clock that was set back makes a file of the future: it has just been changed.
    now.duration_since(changed).map_or(0, |age| i64::try_from(age.as_secs()).unwrap_or(i64::MAX))
}

function! {
    FUNCTION: file_age,
    name: "fileAge",
    params: { path: Text },
    result: Int,
    powers: [Files, Clock],
    doc: "How many seconds ago the file was changed; -1 if it is missing. Relative paths start at the working directory.",
    example: "fileAge('no/such/file') == -1",
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn age_is_counted_from_the_last_change() {
        let guard = tempfile::tempdir().expect("a folder");
        fs::write(guard.path().join("file"), "x").expect("written");
        let later = SystemTime::now() + Duration::from_secs(100);
        assert!((99..=101).contains(&file_age_from(guard.path(), "file", later)));
        assert_eq!(file_age_from(guard.path(), "file", SystemTime::UNIX_EPOCH), 0);
        assert_eq!(file_age_from(guard.path(), "none", later), -1);
        assert_eq!(file_age_from(guard.path(), "", later), -1);
    }
}
