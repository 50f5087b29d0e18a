//! A program of which only the latest run counts.
//!
//! Each caller writes its process number into a lock file, and only the one whose number is there goes on. So a later
//! caller ends an earlier one, and whoever removes the file ends whatever runs, without anybody killing by number.
//!
//! The system's own lock on that file is held for as long as a program runs, by the caller and by the keeper of the
//! program's processes. So two runs never overlap, and it can be waited for until nothing of a run is left, even when
//! its caller was killed. A file that is left over from a killed caller is in nobody's way.

use std::cell::Cell;
use std::fs::{self, File, TryLockError};
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::run::{Ran, Terms, allowed, limit, run_on};
use crate::call::Call;
use crate::failure::{Attempt, Failure};
use crate::keeper::Patience;
use crate::path;
use crate::signature::function;

/// The longest that later callers are waited for.
const LONGEST_WAIT: i64 = 60_000;
/// How often the lock is looked at.
const LOOK: Duration = Duration::from_millis(50);
/// How long whoever ends a run waits for its end: a program has two seconds to finish and one for its house.
const LONGEST_END: Duration = Duration::from_secs(4);

/// How long whoever claims a lock waits for others, and what its program is given.
#[derive(Clone, Copy)]
struct Times {
    wait: Duration,
    limit: Duration,
    patience: Patience,
}

/// Runs programs as `run` does, one after the other in a folder, unless another caller claims the lock within so many
/// milliseconds or while they run.
pub fn run_latest<S: AsRef<str>>(
    call: &Call<'_>,
    folder: &str,
    lock: &str,
    milliseconds: i64,
    programs: &[Vec<S>],
    seconds: i64,
) -> Attempt<Vec<Ran>> {
    for argv in programs {
        allowed(call, argv)?;
    }
    let wait = Duration::from_millis(milliseconds.clamp(0, LONGEST_WAIT).unsigned_abs());
    let folder = path::resolve(call.project_dir(), folder);
    let times = Times { wait, limit: limit(seconds), patience: Patience::NONE };
    Ok(run_claimed(&folder, &call.project_dir().join(lock), &claim(), programs, times))
}

/// Runs a program as `run_latest` does, in the project and without waiting for others, and is loath to cut it short.
pub fn run_whole<S: AsRef<str>>(call: &Call<'_>, lock: &str, argv: &[S], seconds: i64) -> Attempt<Ran> {
    allowed(call, argv)?;
    let folder = call.project_dir();
    let times = Times { wait: Duration::ZERO, limit: limit(seconds), patience: Patience::SOME };
    let argv: Vec<&str> = argv.iter().map(AsRef::as_ref).collect();
    let ran = run_claimed(folder, &folder.join(lock), &claim(), &[argv], times).pop();
    Ok(ran.unwrap_or_else(Ran::superseded_by_another))
}

fn claim() -> String {
    static CLAIMS: AtomicU32 = AtomicU32::new(0);
    let process = std::process::id();
    match CLAIMS.fetch_add(1, Ordering::Relaxed) {
        0 => process.to_string(),
        more => format!("{process}.{more}"),
    }
}

/// Ends the run that has this lock; whether nothing of it is left.
pub fn end_latest(call: &Call<'_>, lock: &str) -> Attempt<bool> {
    if call.is_withheld() {
        let what = format!(
            "that depends on the end of what has the lock `{lock}`, which a hook that only watches does not end"
        );
        return Err(Failure::Withheld(what));
    }
    Ok(end(&call.project_dir().join(lock)))
}

/// How each of the programs ended, all within one limit. Superseded are all of them or none.
fn run_claimed<S: AsRef<str>>(folder: &Path, lock: &Path, claim: &str, programs: &[Vec<S>], times: Times) -> Vec<Ran> {
    let all = |ran: Ran| programs.iter().map(|_| ran.clone()).collect();
    let Times { wait, limit, patience } = times;
    let file = match write_claim(lock, claim) {
        Ok(file) => file,
        Err(error) => return all(Ran::unstarted(&error)),
    };
    let ours = || is_claimed_by(lock, claim);
    let until = Instant::now() + wait;
    while Instant::now() < until && ours() {
        thread::sleep(LOOK.min(wait));
    }
    let free = wait_for(&file, limit, &ours);
    if !free || !ours() {
        return all(Ran::superseded_by_another());
    }
    let deadline = Instant::now() + limit;
    let looked = Cell::new(Instant::now());
    let wanted = || {
        if looked.get().elapsed() < LOOK {
            return true;
        }
        looked.set(Instant::now());
        ours()
    };
    let run = |argv: &Vec<S>| {
        let limit = deadline.saturating_duration_since(Instant::now());
        run_on(folder, argv, "", Terms { limit, wanted: &wanted, patience, held: file.try_clone().ok() })
    };
    let ran = programs.iter().map(run).collect();
    if withdraw(lock, claim) { ran } else { all(Ran::superseded_by_another()) }
}

/// The claim is in the first line; a shorter one may have been written over a longer one.
fn is_claimed_by(lock: &Path, claim: &str) -> bool {
    fs::read_to_string(lock).is_ok_and(|text| text.lines().next() == Some(claim))
}

fn write_claim(lock: &Path, claim: &str) -> io::Result<File> {
    lock.parent().map_or(Ok(()), fs::create_dir_all)?;
    crate::signals::outlive_file_size_limit();
    let _alone = alone(lock);
    // A link would have another file emptied.
    if lock.is_symlink() {
        fs::remove_file(lock)?;
    }
    let mut file = File::create(lock)?;
    file.write_all(format!("{claim}\n").as_bytes())?;
    Ok(file)
}

/// Removes the lock if the claim still stands, and says whether it did.
fn withdraw(lock: &Path, claim: &str) -> bool {
    let _alone = alone(lock);
    let stands = is_claimed_by(lock, claim);
    if stands {
        // If it cannot be removed, the next caller writes over it.
        let _ = fs::remove_file(lock);
    }
    stands
}

/// Keeps others from changing who has the lock, for as long as the value lives: whoever removes a claim must not remove
/// one that was written in between. Where folders cannot be locked, that moment is a risk.
fn alone(lock: &Path) -> Option<File> {
    let folder = File::open(lock.parent()?).ok()?;
    wait_for(&folder, LOOK * 10, &|| true).then_some(folder)
}

/// Whether the system's lock was obtained while it was wanted, and in time. Where there is none, nobody can hold it.
fn wait_for(file: &File, limit: Duration, wanted: &dyn Fn() -> bool) -> bool {
    let deadline = Instant::now() + limit;
    loop {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) if Instant::now() >= deadline || !wanted() => return false,
            Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(2)),
            Ok(()) | Err(TryLockError::Error(_)) => return true,
        }
    }
}

fn end(lock: &Path) -> bool {
    let Ok(file) = File::open(lock) else { return true };
    {
        let _alone = alone(lock);
        // A file that stays is told by what follows: whoever runs goes on.
        let _ = fs::remove_file(lock);
    }
    wait_for(&file, LONGEST_END, &|| true)
}

function! {
    FUNCTION: run_latest,
    name: "runLatest",
    params: { folder: Text, lock: Text, milliseconds: Int, programs: List<List<Text>>, seconds: Int },
    result: List<Object<Ran>>,
    fallible: true,
    powers: [Program, EndsPrograms, Waits],
    doc: "Runs programs as `run` does, one after the other in the folder and within so many seconds in all, but only for \
           the latest caller: each one writes its process number into the lock file, a path from the project's folder, and \
           waits so many milliseconds. Whoever is superseded by then, or while the programs run, or finds the lock \
           removed, ends them, and is told of all that they were superseded; the next caller's start when the ones \
           before them are gone. The lock is gone afterwards.",
    example: "runLatest('.', 'no-such-program.lock', 0, [['no-such-program']], 5)[0].missing",
}

function! {
    WHOLE: run_whole,
    name: "runWhole",
    params: { lock: Text, argv: List<Text>, seconds: Int },
    result: Object<Ran>,
    fallible: true,
    powers: [Program, EndsPrograms, Waits],
    doc: "Runs a program as `runLatest` does, at once, for programs that leave a mess when they end in the middle, such as \
           git on a working tree: when it is superseded, when the lock is removed and when the hook is killed, it has \
           two seconds to finish by itself before it is asked to end.",
    example: "runWhole('no-such-program.lock', ['no-such-program'], 5).missing",
}

function! {
    END: end_latest,
    name: "endLatest",
    params: { lock: Text },
    result: Bool,
    fallible: true,
    powers: [EndsPrograms, Waits],
    doc: "Ends what `runLatest` or `runWhole` runs with this lock, waits until nothing of it is left, four seconds at most, and says \
           whether that is so. The lock is gone afterwards.",
    example: "endLatest('no-such-program.lock')",
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(20);

    /// One program alone.
    fn run_one(folder: &Path, lock: &Path, claim: &str, argv: &[&str], times: Times) -> Ran {
        run_claimed(folder, lock, claim, &[argv.to_vec()], times).pop().expect("one")
    }

    fn waiting(wait: Duration) -> Times {
        Times { wait, limit: LONG, patience: Patience::NONE }
    }

    fn until(holds: impl Fn() -> bool) {
        let deadline = Instant::now() + LONG;
        while !holds() {
            assert!(Instant::now() < deadline, "it never came");
            thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn a_run_that_nobody_disturbs_leaves_no_lock() {
        let folder = tempfile::tempdir().expect("a folder");
        let lock = folder.path().join("state/lock");
        let ran = run_one(folder.path(), &lock, "1", &["echo", "done"], waiting(Duration::from_millis(1)));
        assert!(ran.ok() && ran.output() == "done\n" && !ran.superseded());
        assert!(!lock.exists());
    }

    #[test]
    fn programs_run_one_after_the_other_under_one_claim() {
        let folder = tempfile::tempdir().expect("a folder");
        let lock = folder.path().join("lock");
        let programs = [vec!["sh", "-c", "cat lock; exit 3"], vec!["no-such-program"], vec!["sleep", "60"]];
        let times = Times { limit: Duration::from_millis(500), ..waiting(Duration::ZERO) };
        let ran = run_claimed(folder.path(), &lock, "7", &programs, times);
        let [first, second, third] = ran.as_slice() else { panic!("{ran:?}") };
        assert_eq!((first.code(), first.output()), (3, "7\n"));
        assert!(second.missing() && third.timed_out() && !lock.exists());
    }

    #[test]
    fn a_lock_that_was_left_over_is_in_nobodys_way() {
        let folder = tempfile::tempdir().expect("a folder");
        let lock = folder.path().join("lock");
        fs::write(&lock, "4194000\nsomething longer\n").expect("written");
        let ran = run_one(folder.path(), &lock, "1", &["echo", "done"], waiting(Duration::ZERO));
        assert!(ran.ok() && !lock.exists());
    }

    #[test]
    fn a_lock_that_is_a_link_is_replaced_and_not_followed() {
        let folder = tempfile::tempdir().expect("a folder");
        let (lock, other) = (folder.path().join("lock"), folder.path().join("other"));
        fs::write(&other, "precious").expect("written");
        std::os::unix::fs::symlink(&other, &lock).expect("linked");
        assert!(run_one(folder.path(), &lock, "1", &["true"], waiting(Duration::ZERO)).ok());
        assert_eq!(fs::read_to_string(&other).expect("there"), "precious");
    }

    #[test]
    fn a_later_claim_wins_and_keeps_its_lock() {
        let folder = tempfile::tempdir().expect("a folder");
        let lock = folder.path().join("lock");
        let first = thread::scope(|scope| {
            let first = scope.spawn(|| run_one(folder.path(), &lock, "1", &["touch", "ran"], waiting(LONG)));
            until(|| is_claimed_by(&lock, "1"));
            fs::write(&lock, "2").expect("claimed");
            first.join().expect("ended")
        });
        assert!(first.superseded() && !first.ok());
        assert!(lock.exists() && !folder.path().join("ran").exists());
    }

    #[test]
    fn a_claim_on_what_runs_ends_it_and_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let (lock, busy) = (folder.path().join("lock"), folder.path().join("busy"));
        let script = "touch busy; while :; do sleep 0.05; done";
        let first = thread::scope(|scope| {
            let first =
                scope.spawn(|| run_one(folder.path(), &lock, "1", &["sh", "-c", script], waiting(Duration::ZERO)));
            until(|| busy.exists());
            fs::write(&lock, "2\n").expect("claimed");
            first.join().expect("ended")
        });
        assert!(first.superseded() && is_claimed_by(&lock, "2"), "{first:?}");
    }

    #[test]
    fn a_claim_on_what_must_not_be_cut_short_waits_for_its_end() {
        let folder = tempfile::tempdir().expect("a folder");
        let (lock, busy) = (folder.path().join("lock"), folder.path().join("busy"));
        let script = "touch busy; until grep -q 2 lock; do sleep 0.01; done; sleep 0.2; touch finished";
        let times = Times { patience: Patience::SOME, ..waiting(Duration::ZERO) };
        let first = thread::scope(|scope| {
            let first = scope.spawn(|| run_one(folder.path(), &lock, "1", &["sh", "-c", script], times));
            until(|| busy.exists());
            fs::write(&lock, "2\n").expect("claimed");
            first.join().expect("ended")
        });
        assert!(first.superseded() && is_claimed_by(&lock, "2"), "{first:?}");
        assert!(folder.path().join("finished").exists());
    }

    #[test]
    fn a_later_program_starts_when_the_earlier_one_is_gone() {
        let folder = tempfile::tempdir().expect("a folder");
        let lock = folder.path().join("lock");
        let script = "test ! -e busy || touch overlap; touch busy; trap 'rm busy; exit' TERM EXIT; sleep 0.3";
        let ran: Vec<Ran> = thread::scope(|scope| {
            let runs: Vec<_> = (1..=5)
                .map(|caller: i32| {
                    let (folder, lock) = (folder.path(), &lock);
                    let run = move || {
                        run_one(folder, lock, &caller.to_string(), &["sh", "-c", script], waiting(Duration::ZERO))
                    };
                    thread::sleep(Duration::from_millis(60));
                    scope.spawn(run)
                })
                .collect();
            runs.into_iter().map(|run| run.join().expect("ended")).collect()
        });
        assert!(!folder.path().join("overlap").exists());
        assert_eq!(ran.iter().filter(|ran| ran.ok()).count(), 1, "{ran:?}");
        assert!(ran.last().is_some_and(Ran::ok) && !lock.exists());
    }

    #[test]
    fn ending_a_run_waits_for_its_end() {
        let folder = tempfile::tempdir().expect("a folder");
        let lock = folder.path().join("lock");
        let busy = folder.path().join("busy");
        let script = "touch busy; trap 'rm busy; exit' TERM; while :; do sleep 0.05; done";
        let ended = thread::scope(|scope| {
            let running =
                scope.spawn(|| run_one(folder.path(), &lock, "1", &["sh", "-c", script], waiting(Duration::ZERO)));
            until(|| busy.exists());
            assert!(end(&lock) && !busy.exists());
            running.join().expect("ended")
        });
        assert!(ended.superseded() && !lock.exists());
        assert!(end(&lock), "where nothing runs, nothing is left");
    }
}
