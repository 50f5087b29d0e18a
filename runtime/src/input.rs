//! The event on standard input, read in the hooks' time.
//!
//! A thread that watches the clock costs more than all else that a hook does which has nothing to say. So the wait for an
//! ordinary event has its own end, and the thread comes when there is something to watch.

use std::io::{ErrorKind, Read as _};
use std::time::Duration;

use crate::failure::{Attempt, Failure};
use crate::surroundings;

/// No event is larger; more is refused before it is parsed.
const LARGEST: u64 = 64 << 20;

/// Most events are smaller.
const ORDINARY: usize = 64 << 10;

/// How much is read at once. The standard library hands reads of this size on as they are.
const PIECE: usize = 8 << 10;

/// The event did not come in time.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Late;

/// Reads it. Whoever must wait longer than `time_left` says gives up; from where that cannot be told, and for events that
/// take their time, somebody watches.
pub(crate) fn read(time_left: impl Fn() -> Option<Duration>, watch: impl Fn()) -> Result<Attempt<Vec<u8>>, Late> {
    if let Some(input) = surroundings::input() {
        return Ok(Ok(input));
    }
    if !CAN_WAIT {
        watch();
    }
    let mut bytes = Vec::with_capacity(ORDINARY);
    let mut input = std::io::stdin().lock();
    while bytes.len() < ORDINARY {
        if !is_ready(&time_left) {
            return Err(Late);
        }
        let known = bytes.len();
        bytes.resize(known + PIECE, 0);
        let read = input.read(bytes.get_mut(known..).unwrap_or_default());
        bytes.truncate(known + read.as_ref().copied().unwrap_or_default());
        match read {
            Ok(0) => return Ok(Ok(bytes)),
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Ok(Err(unreadable(&error))),
        }
    }
    watch();
    // Room that is never written to costs nothing, and growing step by step would copy a large event again and again.
    // Where that much cannot be had, it grows all the same.
    let _ = bytes.try_reserve_exact(usize::try_from(LARGEST).unwrap_or_default());
    let rest = LARGEST.saturating_sub(bytes.len() as u64) + 1;
    if let Err(error) = input.take(rest).read_to_end(&mut bytes) {
        return Ok(Err(unreadable(&error)));
    }
    if bytes.len() as u64 > LARGEST {
        return Ok(Err(Failure::Payload("the event is larger than 64 MiB".to_owned())));
    }
    Ok(Ok(bytes))
}

fn unreadable(error: &std::io::Error) -> Failure {
    Failure::Payload(format!("the event cannot be read: {error}"))
}

/// Whether one can wait for input for a while only.
const CAN_WAIT: bool = cfg!(unix);

/// Waits until there is something to read, or the end of it; false when the time is over.
#[cfg(unix)]
fn is_ready(time_left: &impl Fn() -> Option<Duration>) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::io::Errno;

    let input = std::io::stdin();
    loop {
        let Some(left) = time_left() else { return false };
        let left = Timespec::try_from(left).ok();
        match poll(&mut [PollFd::new(&input, PollFlags::IN)], left.as_ref()) {
            Ok(0) | Err(Errno::INTR) => {}
            // What cannot be waited for says so when it is read.
            Ok(_) | Err(_) => return true,
        }
    }
}

#[cfg(not(unix))]
fn is_ready(_: &impl Fn() -> Option<Duration>) -> bool {
    true
}
