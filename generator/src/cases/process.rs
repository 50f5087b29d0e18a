//! One process of a hook: started, fed, awaited for as long as the client would wait.

use std::io::{Read, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use camino::Utf8Path;

/// How long output may still come after the process has ended; more means that it left a child behind.
const GRACE: Duration = Duration::from_secs(2);

/// What a process said and how it ended.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) end: End,
    pub(super) stdout: Vec<u8>,
    pub(super) stderr: Vec<u8>,
}

/// How a process ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum End {
    /// With that exit code.
    Exited(i32),
    /// By a signal.
    #[default]
    Killed,
    /// By us, when its time was up.
    TimedOut,
    /// It ended, but something that it started holds its output open.
    OutputHeld,
}

impl std::fmt::Display for End {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Exited(code) => write!(f, "exit code {code}"),
            Self::Killed => f.write_str("ended by a signal"),
            Self::TimedOut => f.write_str("killed at its timeout"),
            Self::OutputHeld => f.write_str("ended, but left a child that holds its output open"),
        }
    }
}

/// What is started.
#[derive(Debug)]
pub(super) struct Start<'a> {
    pub(super) program: &'a Utf8Path,
    pub(super) args: &'a [&'a str],
    pub(super) folder: &'a Utf8Path,
    pub(super) env: &'a [(String, String)],
    pub(super) timeout: Duration,
    /// The user that runs it, where it is not this one.
    pub(super) user: Option<u32>,
}

/// What the process reads on standard input.
#[derive(Debug, Clone, Copy)]
pub(super) enum Feed<'a> {
    /// These bytes, and then the end.
    Whole(&'a [u8]),
    /// These bytes, and then nothing and no end for as long as the process lives.
    Unending(&'a [u8]),
}

/// Runs the program with that input. An error means that it could not be started.
pub(super) fn run(start: &Start<'_>, input: Feed<'_>) -> anyhow::Result<Answer> {
    let mut command = Command::new(start.program);
    command
        .args(start.args)
        .current_dir(start.folder)
        .env_clear()
        .envs(start.env.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    #[cfg(unix)]
    if let Some(user) = start.user {
        std::os::unix::process::CommandExt::uid(&mut command, user);
    }
    let mut child = command.spawn().with_context(|| format!("cannot start `{}`", start.program))?;
    let stdout = child.stdout.take().map(collect);
    let stderr = child.stderr.take().map(collect);
    let held = feed(&mut child, input);
    let end = wait(&mut child, start.timeout).context("cannot wait for the hook")?;
    drop(held);
    let grace = if end == End::TimedOut { Duration::ZERO } else { GRACE };
    let take = |stream: Option<Receiver<Vec<u8>>>| stream.and_then(|stream| stream.recv_timeout(grace).ok());
    let (stdout, stderr) = (take(stdout), take(stderr));
    let held = end != End::TimedOut && (stdout.is_none() || stderr.is_none());
    Ok(Answer {
        end: if held { End::OutputHeld } else { end },
        stdout: stdout.unwrap_or_default(),
        stderr: stderr.unwrap_or_default(),
    })
}

/// Writes the input from a thread of its own: a hook may answer without reading all of it, or before it has.
///
/// Input without an end stays open until the result is dropped.
fn feed(child: &mut Child, input: Feed<'_>) -> Option<Sender<()>> {
    let (bytes, unending) = match input {
        Feed::Whole(bytes) => (bytes.to_vec(), false),
        Feed::Unending(bytes) => (bytes.to_vec(), true),
    };
    let mut stdin = child.stdin.take()?;
    let (sender, ended) = mpsc::channel();
    thread::spawn(move || {
        // The error of a hook that does not read is no error of the hook.
        let _ = stdin.write_all(&bytes);
        if unending {
            let _ = ended.recv();
        }
    });
    unending.then_some(sender)
}

fn collect(mut stream: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        // What was read before an error is still what the hook said.
        let _ = stream.read_to_end(&mut bytes);
        let _ = sender.send(bytes);
    });
    receiver
}

fn wait(child: &mut Child, timeout: Duration) -> std::io::Result<End> {
    let deadline = Instant::now() + timeout;
    let mut pause = Duration::from_micros(200);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status.code().map_or(End::Killed, End::Exited));
        }
        if Instant::now() >= deadline {
            child.kill()?;
            child.wait()?;
            return Ok(End::TimedOut);
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(1));
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// Runs a script with the shell; the argument that names the hook is the script.
    fn shell(script: &str, input: &str, timeout: Duration) -> Answer {
        let folder = tempfile::tempdir().expect("a folder");
        let path = Utf8Path::from_path(folder.path()).expect("UTF-8");
        std::fs::write(path.join("script"), script).expect("written");
        let env = [("PATH".to_owned(), "/usr/bin:/bin".to_owned())];
        let start =
            Start { program: "/bin/sh".into(), args: &["script"], folder: path, env: &env, timeout, user: None };
        run(&start, Feed::Whole(input.as_bytes())).expect("started")
    }

    #[test]
    fn input_output_and_exit_code_are_passed_on() {
        let answer = shell("cat; echo oops >&2; exit 2", "hello", Duration::from_secs(20));
        assert_eq!(answer, Answer { end: End::Exited(2), stdout: b"hello".to_vec(), stderr: b"oops\n".to_vec() });
    }

    #[test]
    fn large_input_that_nobody_reads_does_not_block() {
        let answer = shell("exit 0", &"x".repeat(1_000_000), Duration::from_secs(20));
        assert_eq!(answer.end, End::Exited(0));
    }

    #[test]
    fn a_slow_process_is_killed_and_a_signal_is_told_apart() {
        assert_eq!(shell("exec sleep 20", "", Duration::from_millis(50)).end, End::TimedOut);
        assert_eq!(shell("kill -9 $$", "", Duration::from_secs(20)).end, End::Killed);
    }

    #[test]
    fn only_the_given_environment_is_seen() {
        let answer = shell("echo ${CARGO_MANIFEST_DIR-none} ${HOME-none}", "", Duration::from_secs(20));
        assert_eq!(String::from_utf8_lossy(&answer.stdout), "none none\n");
    }
}
