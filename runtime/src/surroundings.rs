//! What is around a call: the words that started it, its variables, the folder it stands in, the event on its input and
//! whoever hears its answer.
//!
//! A process has one of each. A tool that plays many calls in one process puts others in their place, for a thread and
//! for the length of a call. Nothing else in this library asks the process for any of them.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::reply::Reply;

#[cfg(feature = "evaluate")]
pub use placed::{Heard, Surroundings};

#[cfg(feature = "evaluate")]
mod placed;

/// Without the tools, there is the process alone.
#[cfg(not(feature = "evaluate"))]
mod placed {
    use std::ffi::OsString;
    use std::path::PathBuf;

    use crate::reply::Reply;

    pub(super) const fn is_there() -> bool {
        false
    }

    pub(super) const fn variable(_: &str) -> Option<Option<OsString>> {
        None
    }

    pub(super) const fn variables() -> Option<Vec<(String, String)>> {
        None
    }

    pub(super) const fn folder() -> Option<PathBuf> {
        None
    }

    pub(super) const fn words() -> Option<Vec<OsString>> {
        None
    }

    pub(super) const fn input() -> Option<Vec<u8>> {
        None
    }

    pub(super) const fn hear(_: &Reply) -> Option<u8> {
        None
    }

    pub(super) const fn settle(_: bool) -> Option<()> {
        None
    }

    pub(super) const fn is_closed() -> Option<bool> {
        None
    }
}

/// Whether a tool plays the call, and the process is not the client's.
pub(crate) fn are_placed() -> bool {
    placed::is_there()
}

/// An environment variable.
pub(crate) fn variable(name: &str) -> Option<OsString> {
    placed::variable(name).unwrap_or_else(|| std::env::var_os(name))
}

/// An environment variable that is text; empty when it is not set or not text.
pub(crate) fn text(name: &str) -> String {
    variable(name).and_then(|value| value.into_string().ok()).unwrap_or_default()
}

/// The folder that the program stands in.
pub(crate) fn folder() -> std::io::Result<PathBuf> {
    placed::folder().map_or_else(std::env::current_dir, Ok)
}

/// The program and its arguments, as it was started.
pub(crate) fn words() -> Vec<OsString> {
    placed::words().unwrap_or_else(|| std::env::args_os().collect())
}

/// What stands on standard input, if it is not the process's own.
pub(crate) fn input() -> Option<Vec<u8>> {
    placed::input()
}

/// Has the answer heard by whoever listens, if that is not the client; its exit code.
pub(crate) fn hear(reply: &Reply) -> Option<u8> {
    placed::hear(reply)
}

/// Settles whether the catalog has hooks that fail closed; `None` where the process itself has to remember.
pub(crate) fn settle(closed: bool) -> Option<()> {
    placed::settle(closed)
}

/// Whether the catalog has hooks that fail closed, as was settled.
pub(crate) fn is_closed() -> Option<bool> {
    placed::is_closed()
}

/// A program that is about to be started, with the variables of the call.
pub(crate) fn command(program: &str) -> Command {
    let Some(variables) = placed::variables() else { return Command::new(program) };
    let mut command = found(program, &variables).map_or_else(|| Command::new(program), |path| called(&path, program));
    command.env_clear().envs(variables);
    command
}

/// Where a program lies that is called by its name alone: one that is looked for only when it starts cannot be started
/// without a copy of this process, which is large where a tool plays calls.
fn found(program: &str, variables: &[(String, String)]) -> Option<PathBuf> {
    let (_, places) = variables.iter().find(|(name, _)| name == "PATH").filter(|_| !program.contains('/'))?;
    let mut places = std::env::split_paths(places);
    // What a relative place means is only known where the program starts.
    let mut known = std::iter::from_fn(|| places.next().filter(|place| place.is_absolute()));
    known.find_map(|place| Some(place.join(program)).filter(|path| is_program(path)))
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

/// Elsewhere programs are found by rules of the system.
#[cfg(not(unix))]
fn is_program(_: &Path) -> bool {
    false
}

#[cfg(unix)]
fn called(path: &Path, name: &str) -> Command {
    use std::os::unix::process::CommandExt as _;
    let mut command = Command::new(path);
    command.arg0(name);
    command
}

#[cfg(not(unix))]
fn called(path: &Path, _: &str) -> Command {
    Command::new(path)
}

#[cfg(all(test, feature = "evaluate"))]
mod tests {
    use super::*;

    #[test]
    fn a_call_sees_its_own_surroundings_and_the_thread_has_its_old_ones_afterwards() {
        let around = Surroundings {
            words: vec!["/p/bin/demo".to_owned(), "H01".to_owned()],
            variables: [("HOME".to_owned(), "/p/home".to_owned())].into(),
            folder: PathBuf::from("/p"),
            input: b"{}".to_vec(),
        };
        let heard = around.around(|| {
            assert_eq!((variable("HOME"), variable("PATH")), (Some("/p/home".into()), None));
            assert_eq!((folder().ok(), words().len()), (Some(PathBuf::from("/p")), 2));
            assert_eq!(input(), Some(b"{}".to_vec()));
            hear(&Reply { stdout: "said".to_owned(), exit: 2, ..Reply::default() }).unwrap_or_default()
        });
        assert_eq!((heard.stdout.as_str(), heard.exit), ("said", 2));
        assert!(!are_placed() && variable("PATH").is_some());
    }

    #[cfg(unix)]
    #[test]
    fn a_program_is_found_as_it_would_be_where_it_starts() {
        let of = |path: &str| [("PATH".to_owned(), path.to_owned())];
        assert_eq!(found("sh", &of("/no/such:/bin")), Some(PathBuf::from("/bin/sh")));
        for (program, path) in [("sh", "relative:/bin"), ("sh", "/no/such"), ("/bin/sh", "/bin"), ("passwd", "/etc")] {
            assert_eq!(found(program, &of(path)), None, "{program} in {path}");
        }
    }

    #[test]
    fn another_thread_has_none_of_it() {
        let around = Surroundings { folder: PathBuf::from("/elsewhere"), ..Surroundings::default() };
        around.around(|| {
            let seen = std::thread::spawn(are_placed).join();
            assert!(!seen.expect("joined"));
            0
        });
    }
}
