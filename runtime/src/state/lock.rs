//! An exclusive lock between processes, waited for within bounds.
//!
//! The system holds the lock for the open file, so it ends with the process that took it, however that ends.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use super::files;
use crate::{Attempt, Failure};

/// Longer than any queue of updates takes, even on a busy machine. A hook with less time is answered for by the watchdog.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// For a process whose time is nearly up.
pub(super) const HASTE: Duration = Duration::from_millis(10);

const FIRST_PAUSE: Duration = Duration::from_micros(200);
const LONGEST_PAUSE: Duration = Duration::from_millis(5);

/// Takes the lock; it is free again when the file is dropped.
pub(super) fn acquire(path: &Path, patience: Duration) -> Attempt<File> {
    let file = files::open(path, OpenOptions::new().read(true).write(true).create(true).truncate(false))
        .map_err(|error| Failure::state(format_args!("the lock `{}` cannot be opened", path.display()), &error))?;
    let start = Instant::now();
    let mut pause = FIRST_PAUSE;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::Error(error)) if error.kind() != io::ErrorKind::Interrupted => {
                return Err(Failure::state(format_args!("the lock `{}` cannot be taken", path.display()), &error));
            }
            Err(_) if start.elapsed() >= patience => {
                return Err(Failure::State(format!(
                    "the lock `{}` was not free within {} ms",
                    path.display(),
                    patience.as_millis()
                )));
            }
            Err(_) => std::thread::sleep(pause),
        }
        pause = LONGEST_PAUSE.min(pause * 2);
    }
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    const HOLDER: &str = "HOOKGEN_TEST_LOCK_HOLDER";

    #[test]
    fn waiting_for_a_held_lock_ends_and_a_dropped_one_is_free() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.lock");
        let held = acquire(&path, PATIENCE).expect("free");
        let refused = acquire(&path, Duration::from_millis(20)).expect_err("held");
        assert!(!refused.counts(), "or whoever holds it could open the breaker");
        drop(held);
        // Not at once: a process that another test is just starting may hold a copy of the file for a moment.
        assert!(acquire(&path, PATIENCE).is_ok());
    }

    #[test]
    fn a_killed_holder_lets_go() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.lock");
        let mut child = Command::new(std::env::current_exe().expect("this test"))
            .args(["--exact", "state::lock::tests::a_child_process_holds_the_lock_when_asked_to"])
            .env(HOLDER, &path)
            .stdout(Stdio::null())
            .spawn()
            .expect("started");
        let start = Instant::now();
        while !folder.path().join("held").exists() && start.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(5));
        }
        let while_it_lives = acquire(&path, Duration::from_millis(20)).is_ok();
        child.kill().expect("running");
        child.wait().expect("ended");
        assert!(!while_it_lives);
        assert!(acquire(&path, PATIENCE).is_ok());
    }

    #[test]
    fn a_child_process_holds_the_lock_when_asked_to() {
        let Some(path) = std::env::var_os(HOLDER) else { return };
        let path = Path::new(&path);
        let held = acquire(path, PATIENCE).expect("free");
        std::fs::write(path.with_file_name("held"), "").expect("written");
        std::thread::sleep(Duration::from_mins(1));
        drop(held);
    }
}
