//! A line for the person who waits: shown when something takes longer than a second, gone when it is done.

use std::io::{IsTerminal as _, Write as _};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How long nothing is said, and how often the line is refreshed.
const PATIENCE: Duration = Duration::from_secs(1);

/// Something under way; it ends when dropped.
#[derive(Debug)]
pub(super) struct Progress {
    done: Option<Sender<()>>,
    teller: Option<JoinHandle<()>>,
}

impl Progress {
    /// Says what is going on, if it goes on for long.
    pub(super) fn start(what: impl Into<String>) -> Self {
        let what = what.into();
        let (done, ended) = mpsc::channel::<()>();
        let teller = thread::spawn(move || {
            let started = Instant::now();
            let terminal = std::io::stderr().is_terminal();
            let mut shown = false;
            while ended.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                // A log gets the line once; a terminal sees the seconds pass.
                if terminal {
                    tell(&format!("\r{what} ({} s)", started.elapsed().as_secs()));
                } else if !shown {
                    tell(&format!("{what}\n"));
                }
                shown = true;
            }
            if shown && terminal {
                tell("\r\u{1b}[2K");
            }
        });
        Self { done: Some(done), teller: Some(teller) }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        drop(self.done.take());
        if let Some(teller) = self.teller.take() {
            // A teller that panicked has nothing more to say.
            let _ = teller.join();
        }
    }
}

fn tell(text: &str) {
    let mut stderr = std::io::stderr().lock();
    let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_short_ends_at_once() {
        let started = Instant::now();
        drop(Progress::start("quick"));
        assert!(started.elapsed() < PATIENCE);
    }
}
