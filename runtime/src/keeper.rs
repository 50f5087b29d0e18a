//! Programs that never outlive whoever started them.
//!
//! A process that is killed cannot clean up behind itself, and what it started would live on. So every program runs in
//! the process group of a keeper: a shell that does nothing but read from a pipe. When this process ends, however it
//! ends, the pipe closes, and the keeper ends its own group. Nobody kills by a number that may belong to another by now.
//!
//! Windows has such groups itself: a job ends with the last handle to it, which this process holds.

use std::fs::File;
use std::io::{self, Write as _};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// A program may finish first, for as many seconds as the first argument says; then its group is asked to end, so that
/// everyone can remove their own locks. The keeper itself ignores that. When nobody is left to tell it that the program
/// has ended, it looks for itself: the number is only asked about, and one that another has by now costs time alone.
const SCRIPT: &str = "trap '' TERM
read -r program
read -r word
if [ \"$word\" != ended ]; then
    (sleep \"$1\"; kill -TERM 0; sleep 1; kill -KILL 0) &
    if ! read -r word; then
        if [ \"$1\" = 0 ] || [ -z \"$program\" ]; then wait; fi
        while kill -0 \"$program\"; do sleep 0.05; done
    fi
fi
kill -KILL 0";

/// How long a program may take that was asked to end; a little more than the keeper gives it.
const GRACE: Duration = Duration::from_millis(1500);
const FIRST_PAUSE: Duration = Duration::from_micros(250);
const PAUSE: Duration = Duration::from_millis(5);

/// A program and the keeper of its group.
pub(crate) struct Kept {
    program: Child,
    /// `None` where there is no shell; then only the program itself can be ended.
    keeper: Option<Child>,
    patience: Patience,
    group: Option<group::Group>,
}

/// For how many seconds a program that nobody wants any more may still finish by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Patience(u8);

impl Patience {
    /// For programs that can be asked to end at any moment.
    pub(crate) const NONE: Self = Self(0);
    /// For short programs that leave a mess when they end in the middle.
    pub(crate) const SOME: Self = Self(2);
}

impl Kept {
    /// Starts a program under a keeper. Whatever is locked through the file stays so until both have ended.
    pub(crate) fn start(mut command: Command, patience: Patience, held: Option<File>) -> io::Result<Self> {
        let mut keeper = keeper(patience, held);
        join(&mut command, keeper.as_ref());
        match command.spawn() {
            Ok(program) => {
                let group = group::of(&program);
                let mut kept = Self { program, keeper, patience, group };
                tell(kept.keeper.as_mut(), &kept.program.id().to_string());
                Ok(kept)
            }
            Err(error) => {
                tell(keeper.as_mut(), "none");
                dismiss(keeper);
                Err(error)
            }
        }
    }

    pub(crate) fn program(&mut self) -> &mut Child {
        &mut self.program
    }

    /// Waits while it is wanted. How it ended; `None` when it had to be ended. What it leaves behind ends with it.
    pub(crate) fn wait(mut self, wanted: impl Fn() -> bool) -> io::Result<Option<ExitStatus>> {
        let mut pause = FIRST_PAUSE;
        let status = loop {
            if let Some(status) = self.program.try_wait()? {
                break Some(status);
            }
            if !wanted() {
                self.end()?;
                break None;
            }
            thread::sleep(pause);
            pause = PAUSE.min(pause * 2);
        };
        self.group = None;
        dismiss(self.keeper.take());
        Ok(status)
    }

    fn end(&mut self) -> io::Result<()> {
        if tell(self.keeper.as_mut(), "end") {
            let deadline = Instant::now() + Duration::from_secs(self.patience.0.into()) + GRACE;
            while Instant::now() < deadline {
                if self.program.try_wait()?.is_some() {
                    return Ok(());
                }
                thread::sleep(PAUSE);
            }
        }
        self.program.kill()?;
        self.program.wait()?;
        Ok(())
    }
}

fn keeper(patience: Patience, held: Option<File>) -> Option<Child> {
    if !cfg!(unix) {
        return None;
    }
    let mut command = Command::new("/bin/sh");
    command.args(["-c", SCRIPT, "keeper", &patience.0.to_string()]);
    command.env_clear().env("PATH", "/usr/bin:/bin").current_dir("/");
    command.stdin(Stdio::piped()).stdout(held.map_or_else(Stdio::null, Stdio::from)).stderr(Stdio::null());
    join(&mut command, None);
    command.spawn().ok()
}

/// Puts a program into the keeper's group; without one, into a group of its own.
#[cfg(unix)]
fn join(command: &mut Command, keeper: Option<&Child>) {
    let group = keeper.and_then(|keeper| i32::try_from(keeper.id()).ok()).unwrap_or(0);
    std::os::unix::process::CommandExt::process_group(command, group);
}

#[cfg(not(unix))]
fn join(_: &mut Command, _: Option<&Child>) {}

/// What a program starts belongs to its group, from the moment that the program does.
#[cfg(windows)]
mod group {
    use std::os::windows::io::AsRawHandle as _;
    use std::process::Child;

    use win32job::{ExtendedLimitInfo, Job};

    /// Everything in it ends when this does.
    pub(super) type Group = Job;

    pub(super) fn of(program: &Child) -> Option<Group> {
        let mut limits = ExtendedLimitInfo::new();
        limits.limit_kill_on_job_close();
        let job = Job::create_with_limit_info(&limits).ok()?;
        job.assign_process(program.as_raw_handle() as isize).ok()?;
        Some(job)
    }
}

/// Elsewhere the keeper ends the group.
#[cfg(not(windows))]
mod group {
    use std::convert::Infallible;
    use std::process::Child;

    pub(super) type Group = Infallible;

    pub(super) fn of(_: &Child) -> Option<Group> {
        None
    }
}

/// Whether the keeper heard it.
fn tell(keeper: Option<&mut Child>, word: &str) -> bool {
    let pipe = keeper.and_then(|keeper| keeper.stdin.as_mut());
    pipe.is_some_and(|pipe| pipe.write_all(format!("{word}\n").as_bytes()).is_ok())
}

/// The program has ended: so does the rest of the group, and then the keeper.
fn dismiss(keeper: Option<Child>) {
    let Some(mut keeper) = keeper else { return };
    if !tell(Some(&mut keeper), "ended") {
        // It is gone already, or deaf; nobody else is there to wait for it.
        let _ = keeper.kill();
    }
    let _ = keeper.wait();
}

#[cfg(all(test, unix))]
mod tests {
    use std::path::Path;

    use super::*;

    fn shell(folder: &Path, script: &str) -> Command {
        let mut command = Command::new("/bin/sh");
        command
            .args(["-c", script])
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command
    }

    fn appears(path: &Path) -> bool {
        let deadline = Instant::now() + Duration::from_secs(10);
        while !path.exists() && Instant::now() < deadline {
            thread::sleep(PAUSE);
        }
        path.exists()
    }

    #[test]
    fn a_program_that_is_ended_may_put_its_house_in_order() {
        let folder = tempfile::tempdir().expect("a folder");
        let script = "trap 'rm lock; exit' TERM; touch lock; while :; do sleep 0.05; done";
        let kept = Kept::start(shell(folder.path(), script), Patience::NONE, None).expect("started");
        assert!(appears(&folder.path().join("lock")));
        assert_eq!(kept.wait(|| false).expect("ended"), None);
        assert!(!folder.path().join("lock").exists());
    }

    #[test]
    fn a_program_that_must_not_be_cut_short_is_let_finish() {
        let script = "touch begun; while [ ! -e asked ]; do sleep 0.01; done; touch finished";
        for lost in [false, true] {
            let folder = tempfile::tempdir().expect("a folder");
            let mut kept = Kept::start(shell(folder.path(), script), Patience::SOME, None).expect("started");
            assert!(appears(&folder.path().join("begun")));
            if lost {
                drop(kept.keeper.as_mut().and_then(|keeper| keeper.stdin.take()));
            } else {
                assert!(tell(kept.keeper.as_mut(), "end"));
            }
            File::create(folder.path().join("asked")).expect("created");
            assert!(kept.program.wait().expect("ended").success(), "lost: {lost}");
            assert!(folder.path().join("finished").exists());
            dismiss(kept.keeper.take());
        }
    }

    #[test]
    fn no_program_is_let_go_on_for_ever() {
        let folder = tempfile::tempdir().expect("a folder");
        let script = "touch begun; while :; do sleep 0.05; done";
        let kept = Kept::start(shell(folder.path(), script), Patience::SOME, None).expect("started");
        assert!(appears(&folder.path().join("begun")));
        let began = Instant::now();
        assert_eq!(kept.wait(|| false).expect("ended"), None);
        assert!(began.elapsed() >= Duration::from_secs(2) && began.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn a_program_that_will_not_end_is_killed() {
        let folder = tempfile::tempdir().expect("a folder");
        let script = "trap '' TERM; touch begun; while :; do sleep 0.05; done";
        let kept = Kept::start(shell(folder.path(), script), Patience::NONE, None).expect("started");
        assert!(appears(&folder.path().join("begun")));
        let began = Instant::now();
        assert_eq!(kept.wait(|| false).expect("ended"), None);
        assert!(began.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn what_a_program_leaves_behind_ends_with_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let script = "(touch begun; sleep 1; touch late) & while [ ! -e begun ]; do sleep 0.01; done";
        let kept = Kept::start(shell(folder.path(), script), Patience::NONE, None).expect("started");
        assert!(kept.wait(|| true).expect("ended").is_some_and(|status| status.success()));
        thread::sleep(Duration::from_millis(1300));
        assert!(folder.path().join("begun").exists() && !folder.path().join("late").exists());
    }

    #[test]
    fn a_lost_pipe_ends_the_program_and_frees_what_is_held() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("held");
        let held = File::create(&path).expect("created");
        held.lock().expect("free");
        let mut kept = Kept::start(shell(folder.path(), "sleep 60"), Patience::NONE, Some(held)).expect("started");
        let other = File::open(&path).expect("opened");
        assert!(other.try_lock().is_err());
        drop(kept.keeper.as_mut().and_then(|keeper| keeper.stdin.take()));
        other.lock().expect("free again");
        assert!(!kept.program.wait().expect("ended").success());
        kept.keeper.expect("a keeper").wait().expect("ended");
    }

    #[test]
    fn a_lost_pipe_ends_a_program_that_will_not_end() {
        let folder = tempfile::tempdir().expect("a folder");
        let script = "trap '' TERM; touch begun; while :; do sleep 0.05; done";
        let mut kept = Kept::start(shell(folder.path(), script), Patience::NONE, None).expect("started");
        assert!(appears(&folder.path().join("begun")));
        drop(kept.keeper.as_mut().and_then(|keeper| keeper.stdin.take()));
        let deadline = Instant::now() + Duration::from_secs(20);
        let mut ended = false;
        while !ended && Instant::now() < deadline {
            thread::sleep(PAUSE);
            ended = kept.program.try_wait().expect("ours").is_some();
        }
        let _ = kept.program.kill();
        assert!(ended);
        kept.keeper.expect("a keeper").wait().expect("ended");
    }

    #[test]
    fn a_program_that_cannot_be_started_leaves_no_keeper() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("held");
        let held = File::create(&path).expect("created");
        held.lock().expect("free");
        assert!(Kept::start(Command::new("/no/such/program"), Patience::NONE, Some(held)).is_err());
        // Not at once: a process that another test is just starting may hold a copy of the file for a moment.
        let (other, deadline) = (File::open(&path).expect("opened"), Instant::now() + Duration::from_secs(10));
        while other.try_lock().is_err() {
            assert!(Instant::now() < deadline, "a keeper holds it");
            thread::sleep(PAUSE);
        }
    }
}
