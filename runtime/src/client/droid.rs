//! Factory Droid: Claude Code's events and JSON, with tools of its own.

use super::fields::{encode_tool, name_service, read_tool, shell_output, spell_service};
use super::spoken::{by_exit_code, nested};
use super::{
    Client, Fields, Form, Known, Outcome, Program, Reading, Registration, Silence, Tool, Trust, Unit, find, put,
    text_of,
};
use crate::event::{Context, Event, QUIET, Refusal};
use crate::failure::Attempt;
use crate::reply::{Reply, Said};

/// The table.
pub static CLIENT: Client = Client {
    name: "droid",
    title: "Factory Droid",
    known: Known::Run("0.215.0"),
    events: EVENTS,
    tools: &[
        Tool::new("Execute", "Bash").fields(&[("summary", "description")]),
        Tool::new("Create", "Write"),
        Tool::new("Edit", "Edit").fields(&[("old_str", "old_string"), ("new_str", "new_string")]),
        Tool::new("Read", "Read"),
        Tool::new("ApplyPatch", "Edit").patch("input"),
        Tool::new("Task", "Agent"),
        Tool::new("Skill", "Skill"),
        Tool::new("Glob", "Glob").fields(&[("folder", "path")]),
        Tool::new("Grep", "Grep").fields(&[("glob_pattern", "glob")]),
        Tool::new("TaskOutput", "TaskOutput"),
        Tool::new("TaskStop", "TaskStop"),
    ],
    project: Some("FACTORY_PROJECT_DIR"),
    read,
    write,
    encode,
    registration: Registration {
        programs: ".factory/hookgen",
        file: ".factory/hooks.json",
        form: Form::Bare,
        program: Program::InProject("FACTORY_PROJECT_DIR"),
        unit: Unit::Seconds,
        matchers: true,
        trust: Trust::Given,
        switches: &[],
        further: &[],
        also: &[],
        in_main_checkout: false,
    },
    silence: Silence { missing: Outcome::Passes, late: Outcome::Passes },
    remarks: &[
        "It cannot ask: the command would run.",
        "An approval of one hook runs what another one refuses, so nothing is ever approved.",
        "`UserPromptSubmit` does not come in `droid exec`, and `PostToolUse` not after a call that failed.",
    ],
};

/// What stands between a server and its tool.
const SERVICE: &str = "___";

const SEEN: Event = Event { http_hooks: false, ..QUIET };
const TOOL: Event = Event { subject: Some("tool_name"), ..SEEN };

static EVENTS: &[Event] = &[
    Event { name: "PreToolUse", refusal: Refusal::Permission, rewrites: true, ..TOOL },
    Event { name: "PostToolUse", refusal: Refusal::Feedback, context: Context::Additional, ..TOOL },
    Event { name: "UserPromptSubmit", refusal: Refusal::Block, context: Context::Additional, ..SEEN },
    Event { name: "SessionStart", subject: Some("source"), context: Context::Additional, ..SEEN },
    Event { name: "SessionEnd", subject: Some("reason"), ..SEEN },
    Event { name: "Stop", refusal: Refusal::Block, ..SEEN },
    Event { name: "SubagentStop", subject: Some("agent_type"), refusal: Refusal::Block, ..SEEN },
    Event { name: "PreCompact", subject: Some("trigger"), ..SEEN },
    Event { name: "Notification", subject: Some("notification_type"), ..SEEN },
];

fn read<'a>(mut fields: Fields<'a>, _: &Event) -> Attempt<Reading<'a>> {
    name_service(&CLIENT, &mut fields, SERVICE);
    let mut reading = read_tool(&CLIENT, fields)?;
    reading.calls.iter_mut().for_each(shell_output);
    Ok(reading)
}

/// Before a tool, the first hook of the file that decides in JSON has its way, and an approval of somebody else's would undo a
/// refusal; exit code 2 counts beside it. After a tool, nothing else reaches the model.
fn write(said: &Said<'_>) -> Reply {
    match &said.refusal {
        Some(reason) if matches!(said.event.refusal, Refusal::Permission | Refusal::Feedback) => by_exit_code(reason),
        _ => nested(said),
    }
}

fn encode<'a>(mut fields: Fields<'a>, _: &Event) -> Option<Fields<'a>> {
    encode_tool(&CLIENT, &mut fields)?;
    spell_service(&mut fields, SERVICE);
    if text_of(&fields, "tool_name") == Some("Execute")
        && let Some(stdout) = find(&fields, "tool_response").and_then(|response| response.get("stdout")).cloned()
    {
        put(&mut fields, "tool_response", stdout);
    }
    Some(fields)
}
