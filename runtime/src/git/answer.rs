//! A short answer from a program: what it says counts only as a whole.

use std::io::{self, Read};
use std::process::{Command, Stdio};
use std::thread::{self, JoinHandle};

use crate::keeper::{Kept, Patience};

/// More than this is no short answer; whoever says more is ended by the closed pipe.
const MOST: u64 = 1 << 20;

pub(super) struct Answer {
    /// `None` when it did not end by itself in time.
    pub(super) code: Option<i32>,
    pub(super) output: Vec<u8>,
    pub(super) errors: Vec<u8>,
}

impl Answer {
    /// Starts a program without input, and waits for it while it is wanted.
    pub(super) fn of(mut command: Command, wanted: impl Fn() -> bool) -> io::Result<Self> {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut kept = Kept::start(command, Patience::NONE, None)?;
        let output = kept.program().stdout.take().map(collect).transpose()?;
        let errors = kept.program().stderr.take().map(collect).transpose()?;
        let code = kept.wait(wanted)?.and_then(|status| status.code());
        Ok(Self { code, output: collected(output), errors: collected(errors) })
    }

    /// What it says on standard output, if all went well.
    pub(super) fn success(&self) -> Option<&[u8]> {
        (self.code == Some(0) && self.output.len() as u64 <= MOST).then_some(&self.output)
    }
}

fn collect(stream: impl Read + Send + 'static) -> io::Result<JoinHandle<Vec<u8>>> {
    thread::Builder::new().spawn(|| {
        let mut bytes = Vec::new();
        // What cannot be read is missing, and whoever parses the rest will notice.
        let _ = stream.take(MOST + 1).read_to_end(&mut bytes);
        bytes
    })
}

fn collected(stream: Option<JoinHandle<Vec<u8>>>) -> Vec<u8> {
    stream.and_then(|stream| stream.join().ok()).unwrap_or_default()
}

#[cfg(all(test, unix))]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    fn answer(script: &str, wanted: impl Fn() -> bool) -> Answer {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        Answer::of(command, wanted).expect("started")
    }

    #[test]
    fn an_answer_is_kept_apart_from_complaints() {
        let fine = answer("echo yes; echo but >&2", || true);
        assert_eq!((fine.success(), &*fine.errors), (Some(&b"yes\n"[..]), &b"but\n"[..]));
        let failed = answer("echo yes; exit 3", || true);
        assert_eq!((failed.success(), failed.code), (None, Some(3)));
    }

    #[test]
    fn too_long_an_answer_is_none() {
        assert_eq!(answer("yes", || true).success(), None);
        assert_eq!(answer("yes | head -c 1048577", || true).success(), None);
        assert!(answer("yes | head -c 1048576", || true).success().is_some());
    }

    #[test]
    fn an_answer_that_takes_too_long_is_not_waited_for() {
        let begun = Instant::now();
        let slow = answer("sleep 60", || begun.elapsed() < Duration::from_millis(20));
        assert_eq!((slow.code, slow.success()), (None, None));
        assert!(begun.elapsed() < Duration::from_secs(10));
    }
}
