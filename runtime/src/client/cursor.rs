//! Cursor, from its documentation.

use super::fields::{cwd_from, encode_tool, move_to, name_event, read_tool};
use super::spoken::{self, line, put as say, some_reason, text};
use super::{
    Client, Fields, Form, Known, Outcome, Program, Reading, Registration, Silence, Tool, Trust, Unit, put, take,
    text_of,
};
use crate::event::{Context, Event, QUIET, Refusal};
use crate::failure::Attempt;
use crate::json::{Json, Many};
use crate::reply::{Reply, Said};

/// The table.
pub static CLIENT: Client = Client {
    name: "cursor",
    title: "Cursor",
    known: Known::Documented,
    events: EVENTS,
    tools: &[
        Tool::new("Shell", "Bash"),
        Tool::new("Write", "Write").fields(&[("path", "file_path"), ("contents", "content")]),
        Tool::new("Read", "Read").fields(&[("path", "file_path")]),
        Tool::new("Grep", "Grep"),
        Tool::new("Task", "Agent"),
    ],
    project: None,
    read,
    write,
    encode,
    registration: Registration {
        programs: ".cursor/hookgen",
        file: ".cursor/hooks.json",
        form: Form::Flat { own_file: None, command: "command", timeout: "timeout" },
        program: Program::Absolute,
        unit: Unit::Seconds,
        matchers: false,
        trust: Trust::Given,
        switches: &[],
        further: &[],
        also: &[],
        in_main_checkout: false,
    },
    silence: Silence { missing: Outcome::Passes, late: Outcome::Passes },
    remarks: &["This table was made from the documentation; the client was not run.", "It does not ask about tools."],
};

const SEEN: Event = Event { http_hooks: false, ..QUIET };
const TOOL: Event = Event { subject: Some("tool_name"), ..SEEN };

static EVENTS: &[Event] = &[
    Event { name: "PreToolUse", native: "preToolUse", refusal: Refusal::Permission, rewrites: true, ..TOOL },
    Event { name: "PostToolUse", native: "postToolUse", context: Context::Additional, ..TOOL },
    Event { name: "PostToolUseFailure", native: "postToolUseFailure", ..TOOL },
    Event { name: "UserPromptSubmit", native: "beforeSubmitPrompt", refusal: Refusal::Block, ..SEEN },
    Event { name: "SessionStart", native: "sessionStart", context: Context::Additional, ..SEEN },
    Event { name: "SessionEnd", native: "sessionEnd", ..SEEN },
    Event { name: "Stop", native: "stop", refusal: Refusal::Block, ..SEEN },
    Event { name: "SubagentStop", native: "subagentStop", refusal: Refusal::Block, ..SEEN },
    Event { name: "PreCompact", native: "preCompact", ..SEEN },
];

fn read<'a>(mut fields: Fields<'a>, event: &Event) -> Attempt<Reading<'a>> {
    move_to(&mut fields, "conversation_id", "session_id");
    cwd_from(&mut fields, "workspace_roots");
    name_event(&mut fields, &CLIENT, event);
    let named =
        text_of(&fields, "tool_name").and_then(|name| name.strip_prefix("MCP:")).map(|tool| format!("mcp____{tool}"));
    if let Some(named) = named {
        put(&mut fields, "tool_name", text(named));
    }
    read_tool(&CLIENT, fields)
}

fn write(said: &Said<'_>) -> Reply {
    let mut top: Fields<'_> = Vec::new();
    let unheard = said.refusal.clone().map(some_reason);
    match (unheard.clone(), said.event.refusal, said.event.name) {
        (Some(reason), Refusal::Permission, _) => {
            say(&mut top, "permission", Json::text("deny"));
            say(&mut top, "agent_message", text(reason.clone()));
            say(&mut top, "user_message", text(reason));
        }
        (Some(reason), _, "UserPromptSubmit") => {
            say(&mut top, "continue", Json::Bool(false));
            say(&mut top, "user_message", text(reason));
        }
        (Some(reason), _, _) => say(&mut top, "followup_message", text(reason)),
        (None, ..) if said.rewrites() => {
            say(&mut top, "permission", Json::text("allow"));
            say(&mut top, "updated_input", spoken::updated_input(said));
        }
        (None, ..) => {}
    }
    if let (true, Some(context)) = (said.event.context == Context::Additional, said.context()) {
        say(&mut top, "additional_context", text(context));
    }
    Reply { stdout: line(top), unheard, ..Reply::default() }
}

fn encode<'a>(mut fields: Fields<'a>, event: &Event) -> Option<Fields<'a>> {
    encode_tool(&CLIENT, &mut fields)?;
    put(&mut fields, "hook_event_name", Json::text(CLIENT.event(event.name)?.native()));
    move_to(&mut fields, "session_id", "conversation_id");
    if let Some(cwd) = take(&mut fields, "cwd") {
        put(&mut fields, "workspace_roots", Json::List(Many::Owned(vec![cwd])));
    }
    Some(fields)
}
