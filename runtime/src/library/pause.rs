//! Waiting a little.

use std::thread;
use std::time::Duration;

use crate::call::Call;
use crate::signature::function;

/// The longest pause; no hook should wait longer for something that may never come.
const LONGEST: i64 = 10_000;

/// Waits so many milliseconds; always true.
pub fn pause(_: &Call<'_>, milliseconds: i64) -> bool {
    thread::sleep(Duration::from_millis(milliseconds.clamp(0, LONGEST).unsigned_abs()));
    true
}

function! {
    FUNCTION: pause,
    name: "pause",
    params: { milliseconds: Int },
    result: Bool,
    powers: [Waits],
    doc: "Waits so many milliseconds, ten seconds at most, and is true: a condition that it stands in is looked at later.",
    example: "pause(1)",
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::event::Event;
    use crate::json::Json;

    #[test]
    fn time_passes_but_never_backwards() {
        let call = Call::new("test", Event::named("Stop").expect("known"), &Json::Null);
        let began = Instant::now();
        assert!(pause(&call, 20) && pause(&call, -5));
        assert!(began.elapsed() >= Duration::from_millis(20));
    }
}
