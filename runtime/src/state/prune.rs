//! Removing what sessions that ended long ago left behind.
//!
//! Never fails and never takes long: what is not removed today is removed another day.

use std::fs::{self, File, OpenOptions};
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::files;

/// A session that nobody touched for this long does not come back.
pub const STALE: Duration = Duration::from_hours(14 * 24);
/// A file that was changed since then needs no mark.
const FRESH: Duration = Duration::from_hours(24);
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
        .for_each(|folder| remove(&folder, now));
}

/// Marks a file that was only read as being in use. Once a day is enough, and costs the usual call nothing but a look.
pub(super) fn keep(file: &Path, now: SystemTime) {
    let is_old = fs::metadata(file)
        .and_then(|metadata| metadata.modified())
        .is_ok_and(|modified| now.duration_since(modified).is_ok_and(|age| age > FRESH));
    if is_old && let Ok(file) = files::open(file, OpenOptions::new().read(true)) {
        // A mark that cannot be made is as good as none: another call makes it, or the session is old one day.
        let _ = file.set_modified(now);
    }
}

/// Removes the session while nobody else can use it. Whoever took one of its locks since it was looked at has also
/// touched it, so a second look tells.
fn remove(folder: &Path, now: SystemTime) {
    let Some(held) = locks(folder) else { return };
    if is_stale(folder, now) {
        let _ = fs::remove_dir_all(folder);
    }
    drop(held);
}

/// Every lock of the session; `None` when somebody holds one.
fn locks(folder: &Path) -> Option<Vec<File>> {
    let entries = fs::read_dir(folder).ok()?.filter_map(Result::ok).map(|entry| entry.path());
    let locks = entries.filter(|path| path.extension().is_some_and(|extension| extension == "lock"));
    locks
        .map(|path| {
            let file = files::open(&path, OpenOptions::new().read(true).write(true)).ok()?;
            file.try_lock().ok().map(|()| file)
        })
        .collect()
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
    fn what_is_only_read_is_in_use_as_well() {
        let sessions = tempfile::tempdir().expect("a folder");
        session(sessions.path(), "a");
        let file = sessions.path().join("a/counters.json");
        let day = |days: u64| SystemTime::now() + Duration::from_hours(days * 24);
        keep(&file, day(10));
        prune(sessions.path(), day(15));
        assert!(file.exists());
        prune(sessions.path(), day(25));
        assert!(!file.exists());
    }

    #[test]
    fn a_lock_that_somebody_holds_keeps_the_session() {
        let sessions = tempfile::tempdir().expect("a folder");
        session(sessions.path(), "a");
        let lock = sessions.path().join("a/counters.lock");
        let held = File::create(&lock).expect("created");
        held.lock().expect("free");
        let late = SystemTime::now() + 2 * STALE;
        prune(sessions.path(), late);
        assert!(lock.exists());
        drop(held);
        prune(sessions.path(), late);
        assert!(!lock.exists());
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
