//! The answer of a process that would otherwise be killed before it has one.
//!
//! A client that gives up on a hook lets the action through, and nobody hears of it. So a hook that does not come to
//! an end answers as its `fail_safe` says, shortly before that. What it says may depend on settings and state, which
//! may be what hangs: then the answer is what constants tell. And a process that has answered, but does not come to
//! an end with its log, is ended.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crate::job::{Job, Unfinished};

/// The client's clock started before the process did, and the answer takes a moment too.
const LEAST_MARGIN: Duration = Duration::from_millis(50);
const MOST_MARGIN: Duration = Duration::from_secs(1);

/// Named here, so that no variable of the environment can make it one that cannot be had.
const STACK: usize = 2 << 20;

/// Who looks at the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Watch {
    /// A thread of its own.
    Watchdog,
    /// Nobody, since no thread could be had: the hooks themselves, between one and the next.
    Nobody,
}

/// Watches over the job from a thread of its own.
pub(crate) fn start(job: &Arc<Job>) -> Watch {
    let job = Arc::clone(job);
    let watching = thread::Builder::new().stack_size(STACK).spawn(move || watch(&job));
    if watching.is_ok() { Watch::Watchdog } else { Watch::Nobody }
}

fn watch(job: &Arc<Job>) {
    let timeout = job.timeout();
    let patience = patience(timeout);
    // Three moments of the margin: to ask settings and state, to speak without them, and to be heard.
    let moment = timeout.saturating_sub(patience) / 3;
    thread::sleep(patience.saturating_sub(job.age()));
    if job.expire().is_none_or(|unfinished| answer_aside(job, unfinished)) {
        thread::sleep(moment);
    }
    if let Some(exit) = job.conclude(&job.late()) {
        end(exit);
    }
    if job.spoken().is_err() {
        thread::sleep(moment);
    }
    let (Ok(exit) | Err(exit)) = job.spoken();
    end(exit)
}

/// Has the answer worked out by another thread, and says whether there is one.
fn answer_aside(job: &Arc<Job>, unfinished: Unfinished) -> bool {
    let job = Arc::clone(job);
    let answering = thread::Builder::new().stack_size(STACK).spawn(move || {
        if let Some(exit) = job.answer_late(&unfinished, &job.late()) {
            end(exit);
        }
    });
    answering.is_ok()
}

/// How long a job may take that the client gives this long.
pub(crate) fn patience(timeout: Duration) -> Duration {
    let margin = (timeout / 5).clamp(LEAST_MARGIN, MOST_MARGIN).min(timeout / 2);
    timeout.saturating_sub(margin)
}

#[expect(clippy::exit, reason = "the main thread does not come back, which is why another one speaks")]
fn end(exit: u8) -> ! {
    std::process::exit(exit.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_comes_before_the_client_gives_up() {
        for (timeout, expected) in [(10, 5), (100, 50), (1000, 800), (3000, 2400), (60_000, 59_000)] {
            assert_eq!(patience(Duration::from_millis(timeout)), Duration::from_millis(expected), "{timeout}");
        }
    }
}
