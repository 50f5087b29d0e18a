//! Another program, run within bounds: no shell, a time limit, and an end of its output.
//!
//! A hook that waits longer than the client does is killed, and what it started must not live on. So the program and
//! all that it starts end when its time is up, when it ends itself, and when the hook does; and no output can be too
//! long or too late.

use std::fs::File;
use std::io::{self, PipeReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::call::Call;
use crate::failure::{Attempt, Failure};
use crate::git::{self, Prepared};
use crate::keeper::{Kept, Patience};
use crate::signature::{function, object};

/// How much of the end of the output is kept: what a program says last is what went wrong.
const MOST_OUTPUT: usize = 512 << 10;
/// The longest time limit; no client waits longer for a hook.
const LONGEST: i64 = 600;
/// How long output may still come after the end; more means that a process of another group holds it.
const GRACE: Duration = Duration::from_millis(300);
const PAUSE: Duration = Duration::from_millis(5);
/// How long a program may take that only tells somebody.
const NOTICE_SECONDS: i64 = 5;

/// How a program ended and what it said.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ran {
    code: i64,
    output: String,
    timed_out: bool,
    missing: bool,
    superseded: bool,
}

impl Ran {
    /// Whether it ended by itself, with exit code 0.
    pub fn ok(&self) -> bool {
        self.code == 0
    }

    /// Its exit code; -1 when it did not end by itself.
    pub fn code(&self) -> i64 {
        self.code
    }

    /// The end of what it said, on standard output and standard error.
    pub fn output(&self) -> &str {
        &self.output
    }

    /// Whether it was ended because its time was up.
    pub fn timed_out(&self) -> bool {
        self.timed_out
    }

    /// Whether it could not be started.
    pub fn missing(&self) -> bool {
        self.missing
    }

    /// Whether another run took its place.
    pub fn superseded(&self) -> bool {
        self.superseded
    }

    fn ended(code: Option<i32>, output: String, timed_out: bool) -> Self {
        Self { code: code.map_or(-1, i64::from), output, timed_out, ..Self::default() }
    }

    pub(super) fn unstarted(error: &io::Error) -> Self {
        Self { code: -1, output: error.to_string(), missing: true, ..Self::default() }
    }

    pub(super) fn superseded_by_another() -> Self {
        Self { code: -1, superseded: true, ..Self::default() }
    }
}

/// For how long a program may run, and what it has for itself meanwhile.
pub(super) struct Terms<'t> {
    pub(super) limit: Duration,
    pub(super) wanted: &'t dyn Fn() -> bool,
    /// What it is left when it is not wanted any more.
    pub(super) patience: Patience,
    /// What is locked through this file stays so until the program and all that it started have ended.
    pub(super) held: Option<File>,
}

impl Terms<'_> {
    fn within(seconds: i64) -> Self {
        Self { limit: limit(seconds), wanted: &|| true, patience: Patience::NONE, held: None }
    }
}

/// Runs a program in the project's folder, without input, for so many seconds at most.
pub fn run(call: &Call<'_>, argv: &[impl AsRef<str>], seconds: i64) -> Attempt<Ran> {
    run_with(call, argv, "", seconds)
}

/// Runs a program as `run` does, with a text on its standard input: what must not show among its arguments.
pub fn run_with(call: &Call<'_>, argv: &[impl AsRef<str>], input: &str, seconds: i64) -> Attempt<Ran> {
    allowed(call, argv)?;
    Ok(query_with(call, argv, input, seconds))
}

/// Asks a program that only looks: it runs even for a hook that may do nothing.
pub fn query(call: &Call<'_>, argv: &[impl AsRef<str>], seconds: i64) -> Ran {
    query_with(call, argv, "", seconds)
}

/// Asks a program as `query` does, with a text on its standard input.
pub fn query_with(call: &Call<'_>, argv: &[impl AsRef<str>], input: &str, seconds: i64) -> Ran {
    run_on(call.project_dir(), argv, input, Terms::within(seconds))
}

/// Tells somebody by a program, as `run` would start it. Nobody waits for long, and what becomes of it is not asked.
pub(crate) fn notify(call: &Call<'_>, argv: &[String]) {
    run_on(call.project_dir(), argv, "", Terms::within(NOTICE_SECONDS));
}

/// Whether a program may be started now. A hook that only watches starts none that could do anything.
pub(super) fn allowed(call: &Call<'_>, argv: &[impl AsRef<str>]) -> Attempt<()> {
    if !call.is_withheld() {
        return Ok(());
    }
    let program = argv.first().map(AsRef::as_ref).unwrap_or_default();
    Err(Failure::Withheld(format!("that depends on `{program}`, which a hook that only watches does not start")))
}

pub(super) fn limit(seconds: i64) -> Duration {
    Duration::from_secs(seconds.clamp(1, LONGEST).unsigned_abs())
}

/// Runs a program for as long as it is wanted, and no longer than the limit.
pub(super) fn run_on(folder: &Path, argv: &[impl AsRef<str>], input: &str, terms: Terms<'_>) -> Ran {
    attempt(folder, argv, input, terms).unwrap_or_else(|error| Ran::unstarted(&error))
}

fn attempt(folder: &Path, argv: &[impl AsRef<str>], input: &str, terms: Terms<'_>) -> io::Result<Ran> {
    let deadline = Instant::now() + terms.limit;
    let wanted = || Instant::now() < deadline && (terms.wanted)();
    let argv: Vec<&str> = argv.iter().map(AsRef::as_ref).collect();
    match git::prepare(folder, &argv, wanted)? {
        Prepared::Ready(command) => {
            let (kept, output) = start(command, input, terms.patience, terms.held)?;
            finish(kept, output, wanted)
        }
        Prepared::Over(code, output) => Ok(Ran::ended(code, output, code.is_none())),
    }
}

fn start(mut command: Command, input: &str, patience: Patience, held: Option<File>) -> io::Result<(Kept, PipeReader)> {
    let (reader, writer) = io::pipe()?;
    let stdin = if input.is_empty() { Stdio::null() } else { Stdio::piped() };
    command.stdin(stdin).stdout(writer.try_clone()?).stderr(writer);
    let mut kept = Kept::start(command, patience, held)?;
    if let Some(mut stdin) = kept.program().stdin.take() {
        let input = input.to_owned();
        // A program that does not read, or ends early, has what it wanted.
        thread::spawn(move || stdin.write_all(input.as_bytes()));
    }
    Ok((kept, reader))
}

fn finish(kept: Kept, output: PipeReader, wanted: impl Fn() -> bool) -> io::Result<Ran> {
    let tail = Arc::new(Mutex::new(Vec::new()));
    let reader = follow(output, Arc::clone(&tail));
    let status = kept.wait(wanted)?;
    let deadline = Instant::now() + GRACE;
    while !reader.is_finished() && Instant::now() < deadline {
        thread::sleep(PAUSE);
    }
    let bytes = tail.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let code = status.and_then(|status| status.code());
    Ok(Ran::ended(code, String::from_utf8_lossy(&bytes).into_owned(), status.is_none()))
}

/// Reads to the end in a thread of its own, for as long as anyone holds the other end.
fn follow(mut output: PipeReader, tail: Arc<Mutex<Vec<u8>>>) -> JoinHandle<()> {
    thread::spawn(move || {
        let mut chunk = vec![0; 16 << 10];
        while let Ok(length @ 1..) = output.read(&mut chunk) {
            let mut kept = tail.lock().unwrap_or_else(PoisonError::into_inner);
            kept.extend(chunk.iter().take(length));
            let surplus = kept.len().saturating_sub(MOST_OUTPUT);
            kept.drain(..surplus);
        }
    })
}

object! {
    pub(super) RAN: Ran,
    doc: "How a program ended and what it said.",
    parts: {
        "ok": ok -> Bool, "Whether it ended by itself, with exit code 0.";
        "code": code -> Int, "Its exit code; -1 when it did not end by itself.";
        "output": output -> Text, "The end of what it said, on standard output and standard error.";
        "timedOut": timed_out -> Bool, "Whether it was ended because its time was up.";
        "missing": missing -> Bool, "Whether it could not be started.";
        "superseded": superseded -> Bool, "Whether another run took its place; only `runLatest` says so.";
    }
}

function! {
    QUERY: query,
    name: "query",
    params: { argv: List<Text>, seconds: Int },
    result: Object<Ran>,
    powers: [Query],
    doc: "Asks a program that only looks: a version, a state, a check that changes nothing. It runs as one does for `run`, \
           and also in hooks whose mode is `warn` or `audit`. Whoever writes it vouches that the program changes nothing \
           and sends nothing.",
    example: "query(['no-such-program'], 5).missing",
}

function! {
    QUERY_WITH: query_with,
    name: "queryWith",
    params: { argv: List<Text>, input: Text, seconds: Int },
    result: Object<Ran>,
    powers: [Query],
    doc: "Asks a program as `query` does, with a text on its standard input.",
    example: "queryWith(['no-such-program'], 'text', 5).missing",
}

function! {
    FUNCTION: run,
    name: "run",
    params: { argv: List<Text>, seconds: Int },
    result: Object<Ran>,
    fallible: true,
    powers: [Program],
    doc: "Runs a program with these arguments, without a shell and without input, in the project's folder. When the \
           seconds are over, it and all that it started are ended: choose them well below the hook's timeout. What it \
           leaves behind ends with it, and everything ends with the hook, even if that is killed. Written as a fact, it \
           runs only when the fact is reached, and once. In a hook whose mode is `warn` or `audit` it does not run, and a \
           hook that depends on it cannot tell; `query` is for programs that only look. \
           git runs no program that a repository names (hooks, monitors, \
           filters, drivers, helpers, aliases), enters no submodule and asks nobody; what the person's own configuration \
           names stays, and a `-c` among the arguments has the last say. Other programs may well run code of the folder \
           that they are given: give them none but the project's.",
    example: "run(['no-such-program'], 5).missing",
}

function! {
    WITH: run_with,
    name: "runWith",
    params: { argv: List<Text>, input: Text, seconds: Int },
    result: Object<Ran>,
    fallible: true,
    powers: [Program],
    doc: "Runs a program as `run` does, with a text on its standard input. What other people of the machine must not see, \
           such as a key, belongs there and not among the arguments.",
    example: "runWith(['no-such-program'], 'text', 5).missing",
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn ran(argv: &[&str], limit: Duration) -> Ran {
        run_on(Path::new("/"), argv, "", Terms { limit, ..Terms::within(0) })
    }

    const LONG: Duration = Duration::from_secs(20);

    #[test]
    fn an_end_is_told_from_a_failure_and_from_no_start_at_all() {
        let fine = ran(&["sh", "-c", "echo out; echo err >&2"], LONG);
        assert!(fine.ok() && !fine.timed_out() && !fine.missing());
        assert_eq!((fine.code(), fine.output()), (0, "out\nerr\n"));
        let failed = ran(&["sh", "-c", "exit 3"], LONG);
        assert_eq!((failed.ok(), failed.code(), failed.missing()), (false, 3, false));
        let killed = ran(&["sh", "-c", "kill -9 $$"], LONG);
        assert_eq!((killed.ok(), killed.code(), killed.timed_out()), (false, -1, false));
        let missing = ran(&["no-such-program"], LONG);
        assert_eq!((missing.ok(), missing.missing()), (false, true));
        assert!(ran(&[], LONG).missing());
    }

    #[test]
    fn arguments_are_no_shell_and_input_is_empty() {
        assert_eq!(ran(&["echo", "$(id)", "a  b"], LONG).output(), "$(id) a  b\n");
        assert!(ran(&["cat"], LONG).ok());
        assert_eq!(ran(&["pwd"], LONG).output(), "/\n");
    }

    #[test]
    fn input_reaches_the_program_and_none_is_missed() {
        let fed =
            |argv: &[&str], input: &str| run_on(Path::new("/"), argv, input, Terms { limit: LONG, ..Terms::within(0) });
        assert_eq!(fed(&["cat"], "a secret").output(), "a secret");
        assert!(fed(&["true"], &"x".repeat(1 << 20)).ok());
    }

    #[test]
    fn what_takes_too_long_is_ended_with_all_that_it_started() {
        let folder = tempfile::tempdir().expect("a folder");
        let late = folder.path().join("late");
        let script = format!("echo begun; (sleep 1; touch {}) & sleep 60", late.display());
        let began = Instant::now();
        let ended = ran(&["sh", "-c", &script], Duration::from_millis(200));
        assert!(began.elapsed() < Duration::from_secs(10));
        assert_eq!((ended.timed_out(), ended.ok(), ended.output()), (true, false, "begun\n"));
        thread::sleep(Duration::from_millis(1300));
        assert!(!late.exists(), "a child went on");
    }

    #[test]
    fn a_child_that_is_left_behind_does_not_hold_the_hook() {
        let began = Instant::now();
        let left = ran(&["sh", "-c", "sleep 5 & echo done"], LONG);
        assert!(left.ok() && left.output() == "done\n");
        assert!(began.elapsed() < Duration::from_secs(4));
    }

    #[test]
    fn only_the_end_of_a_long_output_is_kept() {
        let long = ran(&["sh", "-c", "yes | head -c 1000000; echo the end"], LONG);
        assert!(long.ok() && long.output().ends_with("the end\n"));
        assert_eq!(long.output().len(), MOST_OUTPUT);
    }
}
