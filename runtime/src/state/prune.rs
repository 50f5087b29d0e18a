//! Removing what sessions that ended long ago left behind.
//!
//! Never fails and never takes long: what is not removed today is removed another day.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// A session that nobody touched for this long does not come back.
pub const STALE: Duration = Duration::from_hours(14 * 24);
const MOST_REMOVALS: usize = 64;
const MOST_LOOKS: usize = 4096;

/// Removes stale session folders from `sessions`.
pub(super) fn prune(sessions: &Path, now: SystemTime) {
    let Ok(entries) = fs::read_dir(sessions) else { return };
    entries
        .take(MOST_LOOKS)
        .filter_map(Result::ok)
        .map(|entry| entry.path())
        .filter(|folder| is_stale(folder, now))
        .take(MOST_REMOVALS)
        .for_each(|folder| {
            let _ = fs::remove_dir_all(folder);
        });
}

/// Whether neither the folder nor anything in it changed lately. What cannot be looked at is not stale.
fn is_stale(folder: &Path, now: SystemTime) -> bool {
    let old = |path: &Path, must_be_folder: bool| {
        fs::symlink_metadata(path).is_ok_and(|metadata| {
            (metadata.is_dir() || !must_be_folder)
                && metadata.modified().is_ok_and(|modified| now.duration_since(modified).is_ok_and(|age| age > STALE))
        })
    };
    old(folder, true)
        && fs::read_dir(folder)
            .is_ok_and(|mut entries| entries.all(|entry| entry.is_ok_and(|entry| old(&entry.path(), false))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(sessions: &Path, name: &str) {
        let folder = sessions.join(name);
        fs::create_dir(&folder).expect("created");
        fs::write(folder.join("counters.json"), "{}").expect("written");
    }

    #[test]
    fn only_what_nobody_touched_for_two_weeks_goes() {
        let sessions = tempfile::tempdir().expect("a folder");
        session(sessions.path(), "a");
        let days = |days: u64| SystemTime::now() + Duration::from_hours(days * 24);
        prune(sessions.path(), days(13));
        assert!(sessions.path().join("a").exists());
        prune(sessions.path(), days(15));
        assert!(!sessions.path().join("a").exists());
    }

    #[test]
    fn one_file_in_use_keeps_the_session() {
        let sessions = tempfile::tempdir().expect("a folder");
        session(sessions.path(), "a");
        let future = SystemTime::now() + STALE;
        let file = fs::File::options().write(true).open(sessions.path().join("a/counters.json")).expect("opened");
        file.set_modified(future).expect("touched");
        prune(sessions.path(), future + Duration::from_mins(1));
        assert!(sessions.path().join("a").exists());
    }

    #[test]
    fn a_clock_that_went_back_removes_nothing() {
        let sessions = tempfile::tempdir().expect("a folder");
        session(sessions.path(), "a");
        prune(sessions.path(), SystemTime::UNIX_EPOCH);
        assert!(sessions.path().join("a").exists());
    }

    #[test]
    fn a_run_removes_a_bounded_number() {
        let sessions = tempfile::tempdir().expect("a folder");
        for number in 0..MOST_REMOVALS + 6 {
            session(sessions.path(), &number.to_string());
        }
        prune(sessions.path(), SystemTime::now() + 2 * STALE);
        assert_eq!(fs::read_dir(sessions.path()).expect("readable").count(), 6);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_among_the_sessions_is_left_alone() {
        let top = tempfile::tempdir().expect("a folder");
        let (sessions, target) = (top.path().join("sessions"), top.path().join("target"));
        fs::create_dir(&sessions).expect("created");
        session(top.path(), "target");
        std::os::unix::fs::symlink(&target, sessions.join("link")).expect("a link");
        prune(&sessions, SystemTime::now() + 2 * STALE);
        assert!(target.join("counters.json").exists() && sessions.join("link").is_symlink());
    }
}
