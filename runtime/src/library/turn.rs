//! What the hooks before this one in the same process have decided.

use crate::call::Call;
use crate::signature::function;

/// Whether one of them refused the action.
pub fn turn_refused(call: &Call<'_>) -> bool {
    call.is_refused()
}

function! {
    REFUSED: turn_refused,
    name: "turn.refused",
    params: {},
    result: Bool,
    powers: [Event],
    doc: "Whether a hook that ran before this one refused the action. Only hooks of the same process know of each other: \
           those on the same event and matcher, with merged dispatch.",
    example: "!turn.refused",
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Event;
    use crate::json::Json;

    #[test]
    fn a_refusal_is_known_from_then_on() {
        let call = Call::new("test", Event::named("PreToolUse").expect("known"), &Json::Null);
        assert!(!turn_refused(&call));
        call.refuse();
        assert!(turn_refused(&call));
    }
}
