//! A line for the person who waits: shown when something takes longer than a second, gone when it is done.

use std::io::{IsTerminal as _, Write as _};
use std::sync::Mutex;
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

/// How far something has come: a bar with the time that is left, on a terminal; elsewhere a line now and then.
#[derive(Debug)]
pub(super) struct Bar {
    what: String,
    all: usize,
    began: Instant,
    told: Mutex<Instant>,
    terminal: bool,
}

impl Bar {
    pub(super) fn start(what: impl Into<String>, all: usize) -> Self {
        let began = Instant::now();
        Self { what: what.into(), all, began, told: Mutex::new(began), terminal: std::io::stderr().is_terminal() }
    }

    /// So many are done.
    pub(super) fn at(&self, done: usize) {
        let Ok(mut told) = self.told.try_lock() else { return };
        let pause = if self.terminal { PATIENCE / 5 } else { PATIENCE * 20 };
        if told.elapsed() < pause {
            return;
        }
        *told = Instant::now();
        let line = line(&self.what, done, self.all, self.began.elapsed());
        if self.terminal { tell(&format!("\r\u{1b}[2K{line}")) } else { tell(&format!("{line}\n")) }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if self.terminal {
            tell("\r\u{1b}[2K");
        }
    }
}

fn line(what: &str, done: usize, all: usize, took: Duration) -> String {
    const WIDTH: usize = 20;
    let full = (done * WIDTH).checked_div(all).unwrap_or(WIDTH).min(WIDTH);
    let left = u64::try_from(all.saturating_sub(done)).unwrap_or(u64::MAX);
    let each =
        u64::try_from(took.as_millis()).unwrap_or(u64::MAX).checked_div(u64::try_from(done).unwrap_or(1)).unwrap_or(0);
    let seconds = left.saturating_mul(each) / 1000;
    format!("{what} [{}{}] {done}/{all}, {seconds} s left", "=".repeat(full), " ".repeat(WIDTH - full))
}

fn tell(text: &str) {
    let mut stderr = std::io::stderr().lock();
    let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_tells_how_long_it_still_takes() {
        let half = line("trying", 50, 100, Duration::from_secs(10));
        assert_eq!(half, "trying [==========          ] 50/100, 10 s left");
        assert_eq!(line("trying", 0, 0, Duration::ZERO), "trying [====================] 0/0, 0 s left");
    }

    #[test]
    fn what_is_short_ends_at_once() {
        let started = Instant::now();
        drop(Progress::start("quick"));
        assert!(started.elapsed() < PATIENCE);
    }
}
