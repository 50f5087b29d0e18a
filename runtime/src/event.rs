//! What the client does on each event: who can be refused, told or exported to, and how.
//!
//! The one table of the client's protocol. The reply is rendered from it, the compiler checks catalogs against it, and
//! the documentation prints its output contracts from it.

/// An event of the client, with everything that depends on it.
#[expect(clippy::struct_excessive_bools, reason = "a row of a table of yes and no")]
#[derive(Debug, PartialEq, Eq)]
pub struct Event {
    /// The client's name for it.
    pub name: &'static str,
    /// The payload field that matchers are compared with, if the event has matchers.
    pub subject: Option<&'static str>,
    /// How the action is refused.
    pub refusal: Refusal,
    /// How the model is told something.
    pub context: Context,
    /// How the person is told something.
    pub notice: Notice,
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
    /// The event of that name.
    pub fn named(name: &str) -> Option<&'static Event> {
        EVENTS.iter().find(|event| event.name == name)
    }

    /// Whether `permissionDecision` with allow and ask exists.
    pub fn permits(&self) -> bool {
        matches!(self.refusal, Refusal::Permission | Refusal::Behavior)
    }

    /// Whether the person can be asked.
    pub fn asks(&self) -> bool {
        self.refusal == Refusal::Permission
    }
}

/// An event on which nothing but the subject is special: observed, never answered.
const QUIET: Event = Event {
    name: "",
    subject: None,
    refusal: Refusal::Never,
    context: Context::Never,
    notice: Notice::Never,
    rewrites: false,
    exports: false,
    prompt_hooks: false,
    agent_hooks: false,
    http_hooks: true,
    conditions: false,
    blocks_on_failure: true,
};

/// An event inside the conversation: models can judge it and the person is told by `systemMessage`.
const SPOKEN: Event = Event { notice: Notice::SystemMessage, prompt_hooks: true, agent_hooks: true, ..QUIET };

/// An event about one tool call.
const TOOL: Event = Event { subject: Some("tool_name"), context: Context::Additional, conditions: true, ..SPOKEN };

/// Every event, in the client's own order.
pub static EVENTS: &[Event] = &[
    Event { name: "PreToolUse", refusal: Refusal::Permission, rewrites: true, ..TOOL },
    Event { name: "PostToolUse", refusal: Refusal::Feedback, ..TOOL },
    Event { name: "PostToolUseFailure", refusal: Refusal::Feedback, ..TOOL },
    Event { name: "PostToolBatch", refusal: Refusal::Block, context: Context::Additional, ..SPOKEN },
    Event { name: "Notification", subject: Some("notification_type"), ..QUIET },
    Event { name: "UserPromptSubmit", refusal: Refusal::Block, context: Context::Additional, ..SPOKEN },
    Event {
        name: "UserPromptExpansion",
        subject: Some("command_name"),
        refusal: Refusal::Block,
        context: Context::Additional,
        ..SPOKEN
    },
    Event {
        name: "SessionStart",
        subject: Some("source"),
        context: Context::Additional,
        exports: true,
        prompt_hooks: false,
        agent_hooks: false,
        http_hooks: false,
        ..SPOKEN
    },
    Event { name: "SessionEnd", subject: Some("reason"), ..QUIET },
    Event { name: "Stop", refusal: Refusal::Block, context: Context::Continues, blocks_on_failure: false, ..SPOKEN },
    Event { name: "StopFailure", subject: Some("error"), ..QUIET },
    Event {
        name: "SubagentStart",
        subject: Some("agent_type"),
        context: Context::Additional,
        prompt_hooks: false,
        agent_hooks: false,
        ..SPOKEN
    },
    Event {
        name: "SubagentStop",
        subject: Some("agent_type"),
        refusal: Refusal::Block,
        context: Context::Continues,
        blocks_on_failure: false,
        ..SPOKEN
    },
    Event {
        name: "PreCompact",
        subject: Some("trigger"),
        refusal: Refusal::ExitCode,
        context: Context::PlainText,
        ..QUIET
    },
    Event { name: "PostCompact", subject: Some("trigger"), notice: Notice::PlainText, ..QUIET },
    Event {
        name: "PreModelSwitch",
        subject: Some("to_model"),
        refusal: Refusal::Permission,
        prompt_hooks: false,
        agent_hooks: false,
        ..SPOKEN
    },
    Event {
        name: "PostModelSwitch",
        subject: Some("to_model"),
        context: Context::Additional,
        prompt_hooks: false,
        agent_hooks: false,
        ..SPOKEN
    },
    Event {
        name: "PermissionRequest",
        refusal: Refusal::Behavior,
        context: Context::Never,
        rewrites: true,
        agent_hooks: false,
        ..TOOL
    },
    Event { name: "PermissionDenied", context: Context::Never, ..TOOL },
    Event {
        name: "Setup",
        subject: Some("trigger"),
        context: Context::Additional,
        exports: true,
        prompt_hooks: false,
        agent_hooks: false,
        http_hooks: false,
        ..SPOKEN
    },
    Event { name: "TeammateIdle", refusal: Refusal::Block, blocks_on_failure: false, ..SPOKEN },
    Event { name: "TaskCreated", refusal: Refusal::Block, ..SPOKEN },
    Event { name: "TaskCompleted", refusal: Refusal::Block, blocks_on_failure: false, ..SPOKEN },
    Event { name: "Elicitation", subject: Some("mcp_server_name"), refusal: Refusal::Block, ..QUIET },
    Event { name: "ElicitationResult", subject: Some("mcp_server_name"), refusal: Refusal::Block, ..QUIET },
    Event { name: "ConfigChange", subject: Some("source"), refusal: Refusal::Block, ..QUIET },
    Event { name: "WorktreeCreate", ..QUIET },
    Event { name: "WorktreeRemove", ..QUIET },
    Event { name: "InstructionsLoaded", subject: Some("load_reason"), ..QUIET },
    Event { name: "CwdChanged", notice: Notice::SystemMessage, exports: true, ..QUIET },
    Event { name: "FileChanged", subject: Some("file_path"), notice: Notice::SystemMessage, exports: true, ..QUIET },
    Event { name: "DirectoryAdded", subject: Some("source"), notice: Notice::SystemMessage, ..QUIET },
    Event { name: "MessageDisplay", ..QUIET },
];

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
