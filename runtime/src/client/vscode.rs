//! The agents of VS Code, from its documentation.

use super::fields::{encode_tool, move_to, read_tool};
use super::spoken::nested;
use super::{Also, Client, Fields, Form, Known, Outcome, Program, Reading, Registration, Silence, Tool, Trust, Unit};
use crate::event::{Context, Event, Notice, QUIET, Refusal};
use crate::failure::Attempt;

/// The table.
pub static CLIENT: Client = Client {
    name: "vscode",
    title: "VS Code",
    known: Known::Documented,
    events: EVENTS,
    tools: &[
        Tool::new("runTerminalCommand", "Bash"),
        Tool::new("run_in_terminal", "Bash"),
        Tool::new("create_file", "Write").fields(&[("filePath", "file_path")]),
        Tool::new("replace_string_in_file", "Edit").fields(EDIT),
        Tool::new("read_file", "Read").fields(&[("filePath", "file_path")]),
        Tool::new("apply_patch", "Edit").patch("input"),
    ],
    project: None,
    read,
    write: nested,
    encode,
    registration: Registration {
        programs: ".vscode/hookgen",
        file: ".github/hooks",
        form: Form::Flat { own_file: Some("-vscode"), command: "command", timeout: "timeout" },
        program: Program::Absolute,
        unit: Unit::Seconds,
        matchers: false,
        trust: Trust::Given,
        switches: &[],
        further: &[],
        also: &[Also { of: "copilot", noticed: false }, Also { of: "claude", noticed: false }],
        in_main_checkout: false,
    },
    silence: Silence { missing: Outcome::Passes, late: Outcome::Passes },
    remarks: &["This table was made from the documentation; the client was not run."],
};

const EDIT: &[(&str, &str)] = &[("filePath", "file_path"), ("oldString", "old_string"), ("newString", "new_string")];

const SPOKEN: Event = Event { notice: Notice::SystemMessage, http_hooks: false, ..QUIET };
const TOOL: Event = Event { subject: Some("tool_name"), context: Context::Additional, ..SPOKEN };

static EVENTS: &[Event] = &[
    Event { name: "PreToolUse", refusal: Refusal::Permission, asks: true, approves: true, rewrites: true, ..TOOL },
    Event { name: "PostToolUse", refusal: Refusal::Feedback, ..TOOL },
    Event { name: "UserPromptSubmit", ..SPOKEN },
    Event { name: "SessionStart", subject: Some("source"), context: Context::Additional, ..SPOKEN },
    Event { name: "SubagentStart", subject: Some("agent_type"), context: Context::Additional, ..SPOKEN },
    Event { name: "PreCompact", subject: Some("trigger"), ..SPOKEN },
];

fn read<'a>(mut fields: Fields<'a>, _: &Event) -> Attempt<Reading<'a>> {
    move_to(&mut fields, "sessionId", "session_id");
    move_to(&mut fields, "hookEventName", "hook_event_name");
    read_tool(&CLIENT, fields)
}

fn encode<'a>(mut fields: Fields<'a>, _: &Event) -> Option<Fields<'a>> {
    encode_tool(&CLIENT, &mut fields)?;
    move_to(&mut fields, "session_id", "sessionId");
    move_to(&mut fields, "hook_event_name", "hookEventName");
    Some(fields)
}
