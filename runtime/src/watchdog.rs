//! The answer of a process that would otherwise be killed before it has one.
//!
//! A client that gives up on a hook lets the action through, and nobody hears of it. So a hook that does not come to
//! an end answers as its `fail_safe` says, shortly before that.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crate::failure::Failure;
use crate::job::Job;

/// The client's clock started before the process did, and the answer takes a moment too.
const LEAST_MARGIN: Duration = Duration::from_millis(50);
const MOST_MARGIN: Duration = Duration::from_secs(1);

/// Watches over the job from a thread of its own. Where no thread can be had, the client's own deadline remains.
pub(crate) fn start(job: &Arc<Job>) {
    let patience = patience(job.timeout());
    let job = Arc::clone(job);
    let _ = thread::Builder::new().spawn(move || {
        thread::sleep(patience);
        let late = format!("it did not come to an end within {} ms", patience.as_millis());
        if let Some(exit) = job.give_up(&Failure::Unfinished(late)) {
            end(exit);
        }
    });
}

/// How long a job may take that the client gives this long.
fn patience(timeout: Duration) -> Duration {
    let margin = (timeout / 5).clamp(LEAST_MARGIN, MOST_MARGIN).min(timeout / 2);
    timeout.saturating_sub(margin)
}

#[expect(clippy::exit, reason = "the main thread does not come back, which is why this one speaks")]
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
