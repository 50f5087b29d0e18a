//! Qwen Code: Claude Code's events and JSON with Gemini's tools.

use super::fields::{encode_tool, read_tool};
use super::spoken::nested;
use super::{
    Client, Fields, Form, Known, Outcome, Program, Reading, Registration, Silence, Unit, gemini, is_absent, text_of,
};
use crate::event::{Context, Event, Notice, QUIET, Refusal};
use crate::failure::Attempt;

/// The table.
pub static CLIENT: Client = Client {
    name: "qwen",
    title: "Qwen Code",
    known: Known::Run("0.24.4"),
    events: EVENTS,
    tools: gemini::TOOLS,
    project: Some("QWEN_PROJECT_DIR"),
    read,
    write: nested,
    encode,
    registration: Registration {
        folder: ".qwen",
        file: ".qwen/settings.json",
        form: Form::Nested,
        program: Program::InProject("QWEN_PROJECT_DIR"),
        unit: Unit::Seconds,
        matchers: true,
    },
    silence: Silence { missing: Outcome::Passes, late: Outcome::Passes },
    remarks: &[
        "A question is a refusal where no person can be asked.",
        "What a tool did cannot be called wrong afterwards: `feedback` is ignored.",
    ],
};

const SPOKEN: Event = Event { notice: Notice::SystemMessage, http_hooks: false, ..QUIET };
const TOOL: Event = Event { subject: Some("tool_name"), ..SPOKEN };

static EVENTS: &[Event] = &[
    Event { name: "PreToolUse", refusal: Refusal::Permission, asks: true, approves: true, ..TOOL },
    Event { name: "PostToolUse", context: Context::Additional, ..TOOL },
    Event { name: "PostToolUseFailure", ..TOOL },
    Event { name: "PostToolBatch", notice: Notice::Never, ..SPOKEN },
    Event { name: "PermissionRequest", refusal: Refusal::Behavior, approves: true, rewrites: true, ..TOOL },
    Event { name: "PermissionDenied", ..TOOL },
    Event { name: "UserPromptSubmit", refusal: Refusal::Block, context: Context::Additional, ..SPOKEN },
    Event { name: "SessionStart", subject: Some("source"), context: Context::Additional, ..SPOKEN },
    Event { name: "SessionEnd", subject: Some("reason"), notice: Notice::Never, ..SPOKEN },
    Event { name: "Stop", refusal: Refusal::Block, ..SPOKEN },
    Event { name: "StopFailure", subject: Some("error"), notice: Notice::Never, ..SPOKEN },
    Event { name: "SubagentStart", subject: Some("agent_type"), context: Context::Additional, ..SPOKEN },
    Event { name: "SubagentStop", subject: Some("agent_type"), refusal: Refusal::Block, ..SPOKEN },
    Event { name: "PreCompact", subject: Some("trigger"), ..SPOKEN },
    Event { name: "PostCompact", subject: Some("trigger"), ..SPOKEN },
    Event { name: "Notification", subject: Some("notification_type"), notice: Notice::Never, ..SPOKEN },
    Event { name: "InstructionsLoaded", subject: Some("load_reason"), notice: Notice::Never, ..SPOKEN },
];

fn read<'a>(fields: Fields<'a>, event: &Event) -> Attempt<Reading<'a>> {
    // After each batch of tools the client sends the event again, without a prompt and without a person.
    if event.name == "UserPromptSubmit"
        && text_of(&fields, "prompt") == Some("")
        && is_absent(&fields, "submitted_prompt")
    {
        return Ok(Reading::nothing());
    }
    read_tool(&CLIENT, fields)
}

fn encode<'a>(mut fields: Fields<'a>, _: &Event) -> Option<Fields<'a>> {
    encode_tool(&CLIENT, &mut fields)?;
    Some(fields)
}
