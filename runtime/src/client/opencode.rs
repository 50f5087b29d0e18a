//! `OpenCode`, by the module that hookgen writes for it: what the module sends and understands is this table.

use super::fields::{encode_tool, name_event, name_service, read_tool, shell_output, spell_service};
use super::spoken::{self, by_exit_code, line, put as say, text};
use super::{
    Client, Fields, Form, Known, Outcome, Program, Reading, Registration, Silence, Tool, Trust, Unit, find, put,
    text_of,
};
use crate::event::{Context, Event, QUIET, Refusal};
use crate::failure::Attempt;
use crate::json::Json;
use crate::reply::{Reply, Said};

/// The table.
pub static CLIENT: Client = Client {
    name: "opencode",
    title: "OpenCode",
    known: Known::Run("1.18.33"),
    events: EVENTS,
    tools: &[
        Tool::new("bash", "Bash").folder(&["workdir"]),
        Tool::new("write", "Write").fields(&[("filePath", "file_path")]),
        Tool::new("edit", "Edit").fields(EDIT),
        Tool::new("read", "Read").fields(&[("filePath", "file_path")]),
        Tool::new("apply_patch", "Edit").patch("patchText"),
        Tool::new("patch", "Edit").patch("patchText"),
        Tool::new("glob", "Glob"),
        Tool::new("grep", "Grep").fields(&[("include", "glob")]),
        Tool::new("webfetch", "WebFetch"),
        Tool::new("task", "Agent"),
        Tool::new("todowrite", "TodoWrite"),
        Tool::new("skill", "Skill").fields(&[("name", "skill")]),
    ],
    project: None,
    read,
    write,
    encode,
    registration: Registration {
        programs: ".opencode/hookgen",
        file: ".opencode/plugin",
        form: Form::Module,
        program: Program::Absolute,
        unit: Unit::Milliseconds,
        matchers: true,
        trust: Trust::Given,
        switches: &[],
        further: &["~/.config/opencode/plugin"],
        also: &[],
        in_main_checkout: false,
    },
    silence: Silence { missing: Outcome::Refused, late: Outcome::Refused },
    remarks: &[
        "It has no hooks by command: a module that hookgen writes starts the program, and refuses by itself what a closed \
         hook does not answer.",
        "It cannot ask, and a prompt or the end of a turn cannot be refused.",
    ],
};

const EDIT: &[(&str, &str)] = &[
    ("filePath", "file_path"),
    ("oldString", "old_string"),
    ("newString", "new_string"),
    ("replaceAll", "replace_all"),
];

/// What stands between a server and its tool.
const SERVICE: &str = "_";

const SEEN: Event = Event { http_hooks: false, ..QUIET };
const TOOL: Event = Event { subject: Some("tool_name"), ..SEEN };

static EVENTS: &[Event] = &[
    Event { name: "PreToolUse", native: "tool.execute.before", refusal: Refusal::Permission, rewrites: true, ..TOOL },
    Event {
        name: "PostToolUse",
        native: "tool.execute.after",
        refusal: Refusal::Feedback,
        context: Context::Additional,
        ..TOOL
    },
    Event { name: "UserPromptSubmit", native: "chat.message", context: Context::Additional, ..SEEN },
    Event { name: "SessionStart", native: "session.created", context: Context::Additional, ..SEEN },
    Event { name: "Stop", native: "session.idle", ..SEEN },
];

fn read<'a>(mut fields: Fields<'a>, event: &Event) -> Attempt<Reading<'a>> {
    name_event(&mut fields, &CLIENT, event);
    name_service(&CLIENT, &mut fields, SERVICE);
    let mut reading = read_tool(&CLIENT, fields)?;
    reading.calls.iter_mut().for_each(shell_output);
    Ok(reading)
}

/// The module throws what stands on standard error, and puts the rest where the client has a place for it.
fn write(said: &Said<'_>) -> Reply {
    if let Some(reason) = &said.refusal {
        return by_exit_code(reason);
    }
    let mut top: Fields<'_> = Vec::new();
    if let (true, Some(context)) = (said.event.context == Context::Additional, said.context()) {
        say(&mut top, "context", text(context));
    }
    if said.rewrites() {
        say(&mut top, "args", spoken::updated_input(said));
    }
    Reply { stdout: line(top), ..Reply::default() }
}

fn encode<'a>(mut fields: Fields<'a>, event: &Event) -> Option<Fields<'a>> {
    encode_tool(&CLIENT, &mut fields)?;
    spell_service(&mut fields, SERVICE);
    put(&mut fields, "hook_event_name", Json::text(CLIENT.event(event.name)?.native()));
    if text_of(&fields, "tool_name") == Some("bash")
        && let Some(stdout) = find(&fields, "tool_response").and_then(|response| response.get("stdout")).cloned()
    {
        put(&mut fields, "tool_response", stdout);
    }
    Some(fields)
}
