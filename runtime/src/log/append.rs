//! Appending to a log that grows no further than its limit.
//!
//! Each entry is one write in append mode, so the entries of parallel processes do not interleave.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::signals;
use crate::state::files;

/// At this size a log is set aside.
pub const FULL: u64 = 5 << 20;
/// How many logs that were set aside are kept, `.1` being the newest.
pub const KEPT: u32 = 3;

/// Appends the text, or does nothing when that is not possible.
pub(super) fn append(path: &Path, text: &str) {
    let _ = try_append(path, text, FULL);
}

fn try_append(path: &Path, text: &str, full: u64) -> io::Result<()> {
    signals::outlive_file_size_limit();
    let mut log = open(path)?;
    if log.metadata()?.len() >= full && rotate(path, full).is_ok() {
        log = open(path)?;
    }
    log.write_all(text.as_bytes())
}

fn open(path: &Path) -> io::Result<File> {
    files::open(path, OpenOptions::new().append(true).create(true))
}

/// Sets a full log aside. Whoever does not get the lock at once leaves the work to the process that has it and
/// appends meanwhile: a log that is open while it is renamed still takes the line.
fn rotate(path: &Path, full: u64) -> io::Result<()> {
    let lock =
        files::open(&numbered(path, "lock"), OpenOptions::new().read(true).write(true).create(true).truncate(false))?;
    lock.try_lock()?;
    // Another process may have done it between our look at the size and the lock.
    if fs::symlink_metadata(path)?.len() < full {
        return Ok(());
    }
    for number in (1..KEPT).rev() {
        let _ = fs::rename(numbered(path, number), numbered(path, number + 1));
    }
    fs::rename(path, numbered(path, 1))
}

fn numbered(path: &Path, suffix: impl std::fmt::Display) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{suffix}"));
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_log_is_set_aside_and_three_are_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.log");
        for number in 0..6 {
            try_append(&path, &format!("{number}\n"), 2).expect("written");
        }
        let text = |path: PathBuf| fs::read_to_string(path).expect("there");
        assert_eq!(text(path.clone()), "5\n");
        assert_eq!((1..=3).map(|number| text(numbered(&path, number))).collect::<String>(), "4\n3\n2\n");
        assert!(!numbered(&path, 4).exists());
    }

    #[test]
    fn a_log_of_five_megabytes_is_full() {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, size, aside) in [("full", 5 << 20, true), ("nearly", (5 << 20) - 1, false)] {
            let path = folder.path().join(name);
            File::create(&path).and_then(|log| log.set_len(size)).expect("filled");
            append(&path, "line\n");
            assert_eq!(numbered(&path, 1).exists(), aside, "{name}");
            assert_eq!(fs::metadata(&path).expect("there").len(), if aside { 5 } else { size + 5 }, "{name}");
        }
    }

    #[test]
    fn a_log_that_another_process_has_just_set_aside_is_not_set_aside_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.log");
        fs::write(numbered(&path, 1), "full\n").expect("written");
        fs::write(&path, "new\n").expect("written");
        rotate(&path, 5).expect("nothing to do");
        let text = |path: PathBuf| fs::read_to_string(path).expect("there");
        assert_eq!((text(path.clone()), text(numbered(&path, 1))), ("new\n".to_owned(), "full\n".to_owned()));
    }

    #[test]
    fn a_log_below_its_limit_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.log");
        for _ in 0..3 {
            try_append(&path, "line\n", 100).expect("written");
        }
        assert_eq!(fs::read_to_string(&path).expect("there"), "line\nline\nline\n");
        assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 1);
    }

    #[test]
    fn a_log_is_written_to_while_another_process_sets_it_aside() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.log");
        fs::write(&path, "full\n").expect("written");
        let lock = File::create(numbered(&path, "lock")).expect("created");
        lock.lock().expect("free");
        try_append(&path, "line\n", 5).expect("written");
        assert_eq!(fs::read_to_string(&path).expect("there"), "full\nline\n");
    }

    #[test]
    fn parallel_writers_lose_no_line_while_logs_are_set_aside() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.log");
        // 8 × 50 lines of 10 bytes fill two logs and a half: all of them are still there at the end.
        std::thread::scope(|scope| {
            for writer in 0..8 {
                let path = &path;
                scope.spawn(move || {
                    for line in 0..50 {
                        try_append(path, &format!("{writer:03} {line:05}\n"), 1500).expect("written");
                    }
                });
            }
        });
        let mut lines: Vec<String> = [path.clone(), numbered(&path, 1), numbered(&path, 2), numbered(&path, 3)]
            .iter()
            .filter_map(|path| fs::read_to_string(path).ok())
            .flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>())
            .collect();
        lines.sort();
        lines.dedup();
        assert_eq!(lines.len(), 400);
    }
}
