//! What the client does, in words: the one vocabulary of the documentation.

use hookgen_runtime::{Context, Event, Notice, Refusal};

use crate::model::{FailSafe, Hook, Kind, Mode, Outcome, Priority};

/// A time that people read, such as `1.5 s`.
pub(super) fn duration(milliseconds: u32) -> String {
    let (seconds, rest) = (milliseconds / 1000, milliseconds % 1000);
    match (seconds, rest) {
        (0, rest) => format!("{rest} ms"),
        (seconds, 0) => format!("{seconds} s"),
        (seconds, rest) => format!("{seconds}.{} s", format!("{rest:03}").trim_end_matches('0')),
    }
}

pub(super) fn mode(hook: &Hook) -> &'static str {
    match (hook.kind, hook.mode) {
        (Kind::Prompt | Kind::Agent, _) => "enforce: the client carries out what the model says",
        (Kind::Http | Kind::McpTool, _) => "enforce: the client carries out what the service says",
        (Kind::Run, _) => "enforce: the client carries out what the program says",
        (_, Mode::Enforce) => "enforce: its decisions count",
        (_, Mode::Warn) => "warn: the person is told what it would have done, and nothing else happens",
        (_, Mode::Audit) => "audit: only the log says what it would have done",
        (_, Mode::Off) => "off: it does nothing",
    }
}

pub(super) fn priority(priority: Option<Priority>) -> &'static str {
    match priority {
        Some(Priority::P0) => "P0",
        Some(Priority::P1) => "P1",
        Some(Priority::P2) => "P2",
        Some(Priority::P3) => "P3",
        None => "–",
    }
}

pub(super) fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Allow => "the action goes on",
        Outcome::Deny => "the action is denied",
        Outcome::Skip => "the hook does nothing",
        Outcome::Partial => "the hook does what it can",
    }
}

/// `one hook`, `3 hooks`
pub(super) fn count(number: usize, one: &str) -> String {
    match number {
        1 => format!("one {one}"),
        _ => format!("{number} {one}s"),
    }
}

/// What a refusal does in the client on this event.
pub(in crate::emit) fn refusal(event: &Event) -> &'static str {
    match (event.name, event.refusal) {
        (_, Refusal::Never) => "nothing can be refused on this event",
        ("PreToolUse", _) => "the tool call does not run, and the model reads the reason",
        ("PreModelSwitch", _) => "the model is not switched",
        ("PermissionRequest", _) => "permission is refused in the person's place, and the model reads the reason",
        ("UserPromptSubmit", _) => "the prompt is not sent, and the person reads the reason",
        ("UserPromptExpansion", _) => "the command is not expanded, and the person reads the reason",
        ("Stop" | "SubagentStop" | "TeammateIdle", _) => "the agent goes on, with the reason as its next instruction",
        ("PostToolBatch", _) => "the turn ends before the model is asked again",
        ("PreCompact", _) => "the conversation is not compacted",
        ("TaskCreated", _) => "the task is not created, and the model reads the reason",
        ("TaskCompleted", _) => "the task stays open, and the model reads the reason",
        ("ConfigChange", _) => "the change is not applied",
        (_, Refusal::Feedback) => "what happened stays; the model reads the reason beside the result",
        _ => "the action is refused",
    }
}

/// What a model's no does in the client on this event.
pub(in crate::emit) fn model_refusal(event: &Event) -> &'static str {
    match event.refusal {
        Refusal::Feedback => "the turn ends, unless the hook has the reason fed back",
        Refusal::Behavior => "nothing happens: the client ignores it on this event",
        Refusal::Never | Refusal::Permission | Refusal::Block | Refusal::ExitCode => refusal(event),
    }
}

/// What text for the model does in the client when a background hook says it.
pub(in crate::emit) const LATER: &str =
    "the model reads the text with its next request, since the hook runs in the background";

/// What text for the model does in the client on this event.
pub(in crate::emit) fn context(event: &Event) -> &'static str {
    match event.context {
        Context::Never => "the model is not told on this event",
        Context::Additional => "the model reads the text as additional context",
        Context::PlainText => "the text becomes instructions for the summary",
        Context::Continues => "the text would make the turn go on, as a refusal does",
    }
}

/// What text for the person does in the client on this event.
pub(in crate::emit) fn notice(event: &Event) -> &'static str {
    match event.notice {
        Notice::Never => "the person is not told on this event; the text is in the decision log",
        Notice::SystemMessage => "the person reads the text, the model does not",
        Notice::PlainText => "the person reads the text after the summary",
    }
}

/// Whether the client itself refuses the action when the binary is missing or crashes, or a service does not answer. The registration can only ask
/// for it; on an event that ignores exit code 2 it would change nothing.
pub(super) fn missing_binary_denies(hook: &Hook) -> bool {
    super::super::hooks::blocks_on_failure(hook)
        && matches!(hook.event.refusal, Refusal::Permission | Refusal::Block | Refusal::ExitCode)
}

/// What happens to the action when the hook itself breaks while it runs.
pub(super) fn when_broken(hook: &Hook) -> String {
    match (hook.kind, hook.fail_safe) {
        (Kind::Prompt | Kind::Agent, _) => "the client decides: a model that gives no answer stops nothing".to_owned(),
        (Kind::Http | Kind::McpTool, _) if missing_binary_denies(hook) => refusal(hook.event).to_owned(),
        (Kind::Http | Kind::McpTool, _) => {
            "the action goes on: a service that does not answer stops nothing".to_owned()
        }
        (Kind::Run, FailSafe::Closed) if !missing_binary_denies(hook) => {
            "the action goes on: the client cannot be made to deny on this event".to_owned()
        }
        (_, FailSafe::Open) => "the action goes on".to_owned(),
        _ if hook.async_rewake => "the action goes on, and the model is woken".to_owned(),
        _ if hook.background => "the action goes on: a hook in the background decides nothing".to_owned(),
        (_, FailSafe::Closed) => refusal(hook.event).to_owned(),
    }
}

/// What happens to the action when the binary is missing, crashes or is killed.
pub(super) fn when_missing(hook: &Hook) -> &'static str {
    match (hook.kind, hook.fail_safe) {
        (Kind::Prompt | Kind::Agent | Kind::Http | Kind::McpTool | Kind::Run, _) => "needs no binary",
        (_, FailSafe::Open) => "the action goes on",
        _ if missing_binary_denies(hook) => "denied by the client (`onFailure: block`)",
        _ if hook.background || hook.async_rewake => "the action goes on: the client does not wait for the hook",
        _ if hook.event.refusal == Refusal::Never => "the action goes on: nothing can be refused on this event",
        _ => "the action goes on: the client cannot be made to deny on this event",
    }
}

#[cfg(test)]
mod tests {
    use hookgen_runtime::EVENTS;

    use super::super::super::fixture;
    use super::*;

    #[test]
    fn times_are_short() {
        assert_eq!([250, 3000, 1500, 1050].map(duration), ["250 ms", "3 s", "1.5 s", "1.05 s"]);
    }

    #[test]
    fn an_event_that_refuses_never_says_that_it_cannot() {
        for event in EVENTS {
            let cannot = refusal(event) == "nothing can be refused on this event";
            assert_eq!(cannot, event.refusal == Refusal::Never, "{}", event.name);
        }
    }

    #[test]
    fn a_broken_hook_in_the_background_wakes_the_model_only_if_it_may() {
        let background =
            |wakes| Hook { background: true, async_rewake: wakes, ..fixture::hook("H1", "x", "PostToolUse") };
        let closed = |wakes| when_broken(&Hook { fail_safe: FailSafe::Closed, ..background(wakes) });
        assert!(closed(true).ends_with("the model is woken") && closed(false).ends_with("decides nothing"));
    }

    #[test]
    fn a_closed_hook_is_honest_about_a_missing_binary() {
        let closed = |event: &str| Hook { fail_safe: FailSafe::Closed, ..fixture::hook("H1", "x", event) };
        assert!(missing_binary_denies(&closed("PreToolUse")));
        assert!(missing_binary_denies(&closed("PreCompact")));
        for event in ["Stop", "PermissionRequest", "SessionStart", "PostToolUse"] {
            assert!(!missing_binary_denies(&closed(event)), "{event}");
        }
        let background = Hook { background: true, ..closed("PreToolUse") };
        assert!(!missing_binary_denies(&background));
    }
}
