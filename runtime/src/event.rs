//! What a client does on an event: who can be refused, told or exported to.
//!
//! These are the types of the tables in `client/`. Each client has its own row for an event that it has; catalogs are
//! written in the words of Claude Code's table, which therefore knows every event.

use crate::client::claude;

pub use crate::client::claude::EVENTS;

/// An event of the client, with everything that depends on it.
#[expect(clippy::struct_excessive_bools, reason = "a row of a table of yes and no")]
#[derive(Debug, PartialEq, Eq)]
pub struct Event {
    /// Its name in catalogs, which is Claude Code's.
    pub name: &'static str,
    /// The client's own name for it; empty where that is the same.
    pub native: &'static str,
    /// The payload field that matchers are compared with, if the event has matchers.
    pub subject: Option<&'static str>,
    /// How the action is refused.
    pub refusal: Refusal,
    /// How the model is told something.
    pub context: Context,
    /// How the person is told something.
    pub notice: Notice,
    /// Whether the person can be asked, so that the action waits for the answer.
    pub asks: bool,
    /// Whether the action can be approved in the person's place without harm to what others refuse.
    pub approves: bool,
    /// Whether the tool's input can be replaced.
    pub rewrites: bool,
    /// Whether environment variables can be exported for the session.
    pub exports: bool,
    /// Whether prompt hooks run.
    pub prompt_hooks: bool,
    /// Whether agent hooks run.
    pub agent_hooks: bool,
    /// Whether HTTP hooks run; tools of MCP servers do everywhere.
    pub http_hooks: bool,
    /// Whether the `if` of a registration is looked at.
    pub conditions: bool,
    /// Whether `onFailure: block` turns a missing or crashing binary into a refusal.
    pub blocks_on_failure: bool,
}

/// How an action is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// It cannot be.
    Never,
    /// `permissionDecision: deny`, or exit code 2. Said with `deny`.
    Permission,
    /// `decision: block`, or exit code 2. Said with `block`.
    Block,
    /// Exit code 2 only: standard output has another meaning. Said with `block`.
    ExitCode,
    /// `decision: block` after the fact: the model reads it beside the result. Said with `feedback`.
    Feedback,
    /// `decision.behavior: deny`; exit code 2 does nothing. Said with `deny`.
    Behavior,
}

/// How the model is told something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Context {
    /// It is not.
    Never,
    /// `hookSpecificOutput.additionalContext`
    Additional,
    /// Plain text on standard output, which becomes instructions for the summary.
    PlainText,
    /// `additionalContext` would be read, but makes the turn go on as if blocked.
    Continues,
}

/// How the person is told something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notice {
    /// They are not.
    Never,
    /// `systemMessage`
    SystemMessage,
    /// Plain text on standard output.
    PlainText,
}

impl Refusal {
    /// Whether a refusal is said with `block`.
    pub fn blocks(self) -> bool {
        matches!(self, Self::Block | Self::ExitCode)
    }
}

impl Event {
    /// The event of that name, as catalogs know it.
    pub fn named(name: &str) -> Option<&'static Event> {
        claude::EVENTS.iter().find(|event| event.name == name)
    }

    /// The client's own name for it.
    pub fn native(&self) -> &'static str {
        if self.native.is_empty() { self.name } else { self.native }
    }

    /// Whether `permissionDecision` with allow and ask exists.
    pub fn permits(&self) -> bool {
        matches!(self.refusal, Refusal::Permission | Refusal::Behavior)
    }

    /// Whether the person can be asked.
    pub fn asks(&self) -> bool {
        self.asks
    }
}

/// An event on which nothing but the subject is special: observed, never answered.
pub(crate) const QUIET: Event = Event {
    name: "",
    native: "",
    subject: None,
    refusal: Refusal::Never,
    context: Context::Never,
    notice: Notice::Never,
    asks: false,
    approves: false,
    rewrites: false,
    exports: false,
    prompt_hooks: false,
    agent_hooks: false,
    http_hooks: true,
    conditions: false,
    blocks_on_failure: true,
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_found() {
        for (position, event) in EVENTS.iter().enumerate() {
            assert!(EVENTS[..position].iter().all(|earlier| earlier.name != event.name), "{}", event.name);
            assert_eq!(Event::named(event.name), Some(event));
        }
        assert_eq!(EVENTS.len(), 33);
    }

    #[test]
    fn only_events_with_a_tool_look_at_conditions() {
        for event in EVENTS {
            assert_eq!(event.conditions, event.subject == Some("tool_name"), "{}", event.name);
        }
    }
}
