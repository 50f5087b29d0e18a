//! A program of which only the latest run counts.
//!
//! Each caller writes its process number into a lock file, and only the one whose number is there goes on. So a later
//! caller ends an earlier one, and whoever removes the file ends whatever runs, without anybody killing by number.

use std::cell::Cell;
use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use super::CONTEXTUAL;
use super::run::{RAN, Ran, limit, run_while};
use crate::call::Call;
use crate::signature::{Function, Type};

/// The longest that later callers are waited for.
const LONGEST_WAIT: i64 = 60_000;
/// How often the lock is looked at.
const LOOK: Duration = Duration::from_millis(50);

/// Runs a program as `run` does, unless another caller claims the lock within so many milliseconds or while it runs.
pub fn run_latest(call: &Call<'_>, lock: &str, milliseconds: i64, argv: &[impl AsRef<str>], seconds: i64) -> Ran {
    let wait = Duration::from_millis(milliseconds.clamp(0, LONGEST_WAIT).unsigned_abs());
    let folder = call.project_dir();
    run_claimed(folder, &folder.join(lock), &std::process::id().to_string(), wait, argv, limit(seconds))
}

fn run_claimed(
    folder: &Path,
    lock: &Path,
    claim: &str,
    wait: Duration,
    argv: &[impl AsRef<str>],
    limit: Duration,
) -> Ran {
    let written = lock.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(lock, format!("{claim}\n")));
    if let Err(error) = written {
        return Ran::unstarted(&error);
    }
    let ours = || fs::read_to_string(lock).is_ok_and(|holder| holder.trim() == claim);
    let until = Instant::now() + wait;
    while Instant::now() < until && ours() {
        thread::sleep(LOOK.min(wait));
    }
    if !ours() {
        return Ran::superseded_by_another();
    }
    let looked = Cell::new(Instant::now());
    let ran = run_while(folder, argv, "", limit, &|| {
        if looked.get().elapsed() < LOOK {
            return true;
        }
        looked.set(Instant::now());
        ours()
    });
    if !ours() {
        return Ran::superseded_by_another();
    }
    // If it cannot be removed, the next caller writes over it.
    let _ = fs::remove_file(lock);
    ran
}

pub(super) const FUNCTION: Function = Function {
    name: "runLatest",
    symbol: "run_latest",
    receiver: None,
    params: &[
        ("lock", Type::Text),
        ("milliseconds", Type::Int),
        ("argv", Type::List(&Type::Text)),
        ("seconds", Type::Int),
    ],
    result: Type::Object(&RAN),
    doc: "Runs a program as `run` does, but only for the latest caller: each one writes its process number into the lock \
           file, a path from the project's folder, and waits so many milliseconds. Whoever is superseded by then, or \
           while the program runs, or finds the lock removed, ends it. The lock is gone afterwards.",
    example: "runLatest('no-such-program.lock', 0, ['no-such-program'], 5).missing",
    ..CONTEXTUAL
};

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(20);

    #[test]
    fn a_run_that_nobody_disturbs_leaves_no_lock() {
        let folder = tempfile::tempdir().expect("a folder");
        let lock = folder.path().join("state/lock");
        let ran = run_claimed(folder.path(), &lock, "1", Duration::from_millis(1), &["echo", "done"], LONG);
        assert!(ran.ok() && ran.output() == "done\n" && !ran.superseded());
        assert!(!lock.exists());
    }

    #[test]
    fn a_later_claim_wins_and_keeps_its_lock() {
        let folder = tempfile::tempdir().expect("a folder");
        let lock = folder.path().join("lock");
        let first = thread::scope(|scope| {
            let first = scope.spawn(|| run_claimed(folder.path(), &lock, "1", LONG, &["touch", "ran"], LONG));
            while !lock.exists() {
                thread::sleep(Duration::from_millis(5));
            }
            fs::write(&lock, "2").expect("claimed");
            first.join().expect("ended")
        });
        assert!(first.superseded() && !first.ok());
        assert!(lock.exists() && !folder.path().join("ran").exists());
    }

    #[test]
    fn removing_the_lock_ends_the_program() {
        let folder = tempfile::tempdir().expect("a folder");
        let lock = folder.path().join("lock");
        let began = Instant::now();
        let ended = thread::scope(|scope| {
            let running =
                scope.spawn(|| run_claimed(folder.path(), &lock, "1", Duration::ZERO, &["sleep", "60"], LONG));
            thread::sleep(Duration::from_millis(300));
            fs::remove_file(&lock).expect("removed");
            running.join().expect("ended")
        });
        assert!(ended.superseded() && began.elapsed() < Duration::from_secs(10));
        assert!(!lock.exists());
    }
}
