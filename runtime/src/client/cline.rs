//! Cline CLI: one executable per event; a refusal ends the run.

use std::borrow::Cow;

use super::fields::{absolute, cwd_from, move_to, name_service, read_tool, take_object};
use super::spoken::{self, line, put as say, some_reason, text};
use super::{
    Client, Fields, Form, Known, Outcome, Program, Reading, Registration, Silence, Tool, Trust, Unit, find, is_absent,
    put, take, text_of,
};
use crate::event::{Context, Event, QUIET, Refusal};
use crate::failure::Attempt;
use crate::json::{Json, Many};
use crate::reply::{Reply, Said};

/// The table.
pub static CLIENT: Client = Client {
    name: "cline",
    title: "Cline CLI",
    known: Known::Run("3.0.65"),
    events: EVENTS,
    tools: &[
        Tool::new("run_commands", "Bash"),
        Tool::new("editor", "Edit").fields(EDIT),
        Tool::new("editor", "Write").fields(WRITE),
        Tool::new("read_files", "Read"),
        Tool::new("apply_patch", "Edit").patch("input"),
        Tool::new("spawn_agent", "Agent").fields(&[("task", "prompt")]),
    ],
    project: None,
    read,
    write,
    encode,
    registration: Registration {
        programs: ".cline/hookgen",
        file: ".clinerules/hooks",
        form: Form::Executables { files: FILES, refused: "{\"cancel\":true", reason: REASON },
        program: Program::Absolute,
        unit: Unit::Milliseconds,
        matchers: false,
        trust: Trust::Given,
        switches: &[],
        further: &[".cline/hooks", "~/.cline/hooks"],
        also: &[],
        in_main_checkout: false,
    },
    silence: Silence { missing: Outcome::Refused, late: Outcome::Passes },
    remarks: &[
        "A refusal ends the whole run, and its reason reaches neither the model nor the output of a run without a person.",
        "It cannot ask.",
        "What is said when a task starts or ends is ignored.",
    ],
};

const EDIT: &[(&str, &str)] = &[("path", "file_path"), ("old_text", "old_string"), ("new_text", "new_string")];
const WRITE: &[(&str, &str)] = &[("path", "file_path"), ("new_text", "content")];

/// What stands between a server and its tool.
const SERVICE: &str = "__";

const SEEN: Event = Event { http_hooks: false, ..QUIET };
const TOOL: Event = Event { subject: Some("tool_name"), context: Context::Additional, ..SEEN };

static EVENTS: &[Event] = &[
    Event { name: "PreToolUse", native: "tool_call", refusal: Refusal::Permission, rewrites: true, ..TOOL },
    Event { name: "PostToolUse", native: "tool_result", ..TOOL },
    Event { name: "SessionStart", native: "agent_start", ..SEEN },
    Event { name: "Stop", native: "agent_end", ..SEEN },
];

const REASON: &str = "errorMessage";

/// The executables, whose names are not what the events call themselves.
const FILES: &[(&str, &str)] = &[
    ("PreToolUse", "PreToolUse"),
    ("PostToolUse", "PostToolUse"),
    ("SessionStart", "TaskStart"),
    ("Stop", "TaskComplete"),
];

fn read<'a>(mut fields: Fields<'a>, event: &Event) -> Attempt<Reading<'a>> {
    move_to(&mut fields, "taskId", "session_id");
    move_to(&mut fields, "hookName", "hook_event_name");
    super::fields::name_event(&mut fields, &CLIENT, event);
    cwd_from(&mut fields, "workspaceRoots");
    if let Some(message) = find(&fields, "turn").and_then(|turn| turn.get("outputText")).cloned() {
        put(&mut fields, "last_assistant_message", message);
    }
    let Some(mut call) = ["tool_call", "tool_result"].iter().find_map(|name| take_object(&mut fields, name)) else {
        return Ok(Reading::of(fields));
    };
    for (native, name) in [("id", "tool_use_id"), ("name", "tool_name"), ("output", "tool_response")] {
        if let Some(value) = take(&mut call, native) {
            put(&mut fields, name, value);
        }
    }
    let input = take_object(&mut call, "input").unwrap_or_default();
    match text_of(&fields, "tool_name") {
        Some("run_commands") => Ok(commands(&fields, &input)),
        Some("read_files") => Ok(files(&fields, &input)),
        Some("editor") if is_absent(&input, "old_text") && is_absent(&input, "insert_line") => {
            Ok(editor(fields, input, "Write", WRITE))
        }
        Some("editor") => {
            // What is put before a line takes the place of nothing.
            let mut input = input;
            if is_absent(&input, "old_text") {
                put(&mut input, "old_text", Json::text(""));
            }
            Ok(editor(fields, input, "Edit", EDIT))
        }
        _ => {
            put(&mut fields, "tool_input", Json::Object(Many::Owned(input)));
            name_service(&CLIENT, &mut fields, SERVICE);
            read_tool(&CLIENT, fields)
        }
    }
}

fn editor<'a>(
    mut fields: Fields<'a>,
    mut input: Fields<'a>,
    tool: &'static str,
    names: &'static [(&str, &str)],
) -> Reading<'a> {
    for (native, name) in names {
        move_to(&mut input, native, name);
    }
    put(&mut fields, "tool_name", Json::text(tool));
    put(&mut fields, "tool_input", Json::Object(Many::Owned(input)));
    absolute(&mut fields);
    let tool = CLIENT.tools.iter().find(|known| known.tool == tool && known.is_plain());
    Reading { tool, ..Reading::of(fields) }
}

/// Each line of a list is run by itself, so each is a call.
fn commands<'a>(fields: &Fields<'a>, input: &Fields<'a>) -> Reading<'a> {
    let commands = match find(input, "commands") {
        Some(Json::List(commands)) => commands.to_vec(),
        // What has another shape is for the hooks to judge, which promise themselves a text.
        other => vec![other.cloned().unwrap_or(Json::Null)],
    };
    let mut reading = Reading { whole: false, ..calls(fields, "Bash", "command", commands) };
    // What each line printed stands in a list beside them.
    if let Some(Json::List(outputs)) = find(fields, "tool_response")
        && outputs.len() == reading.calls.len()
    {
        for (call, output) in reading.calls.iter_mut().zip(outputs.iter()) {
            let printed = output.get("result").unwrap_or(output).clone();
            put(call, "tool_response", Json::Object(Many::Owned(vec![(Cow::Borrowed("stdout"), printed)])));
        }
    }
    reading
}

fn files<'a>(fields: &Fields<'a>, input: &Fields<'a>) -> Reading<'a> {
    let listed = ["files", "paths"].iter().find_map(|name| find(input, name));
    let files = match listed {
        Some(Json::List(files)) => files.iter().map(|file| file.get("path").unwrap_or(file).clone()).collect(),
        other => vec![other.or_else(|| find(input, "path")).cloned().unwrap_or(Json::Null)],
    };
    Reading { whole: false, ..calls(fields, "Read", "file_path", files) }
}

fn calls<'a>(fields: &Fields<'a>, tool: &'static str, name: &'static str, values: Vec<Json<'a>>) -> Reading<'a> {
    let calls = values.into_iter().map(|value| {
        let mut call = fields.clone();
        put(&mut call, "tool_name", Json::text(tool));
        put(&mut call, "tool_input", Json::Object(Many::Owned(vec![(Cow::Borrowed(name), value)])));
        absolute(&mut call);
        call
    });
    Reading { calls: calls.collect(), tool: None, whole: true }
}

fn write(said: &Said<'_>) -> Reply {
    let mut top: Fields<'_> = Vec::new();
    let unheard = said.refusal.clone().map(some_reason);
    if let Some(reason) = unheard.clone() {
        say(&mut top, "cancel", Json::Bool(true));
        say(&mut top, REASON, text(reason));
    } else if said.rewrites() {
        say(&mut top, "overrideInput", spoken::updated_input(said));
    }
    if let (true, Some(context)) = (said.event.context == Context::Additional, said.context()) {
        say(&mut top, "contextModification", text(context));
    }
    Reply { stdout: line(top), unheard, ..Reply::default() }
}

fn encode<'a>(mut fields: Fields<'a>, event: &Event) -> Option<Fields<'a>> {
    put(&mut fields, "hookName", Json::text(CLIENT.event(event.name)?.native()));
    take(&mut fields, "hook_event_name");
    move_to(&mut fields, "session_id", "taskId");
    if let Some(cwd) = take(&mut fields, "cwd") {
        put(&mut fields, "workspaceRoots", Json::List(Many::Owned(vec![cwd])));
    }
    if let Some(message) = take(&mut fields, "last_assistant_message") {
        put(&mut fields, "turn", Json::Object(Many::Owned(vec![("outputText".into(), message)])));
    }
    let Some(tool) = text_of(&fields, "tool_name").map(str::to_owned) else { return Some(fields) };
    let mut input = take_object(&mut fields, "tool_input")?;
    let native: Cow<'a, str> = match tool.as_str() {
        "Bash" if input.len() == 1 => {
            let command = take(&mut input, "command")?;
            put(&mut input, "commands", Json::List(Many::Owned(vec![command])));
            "run_commands".into()
        }
        "Write" | "Edit" => {
            for (native, name) in if tool == "Write" { WRITE } else { EDIT } {
                move_to(&mut input, name, native);
            }
            "editor".into()
        }
        // The same without what stands before it in catalogs.
        service => Cow::Owned(service.strip_prefix("mcp__")?.to_owned()),
    };
    take(&mut fields, "tool_name");
    let mut call: Fields<'a> =
        vec![("name".into(), Json::Text(native)), ("input".into(), Json::Object(Many::Owned(input)))];
    for (name, native) in [("tool_use_id", "id"), ("tool_response", "output")] {
        if let Some(value) = take(&mut fields, name) {
            put(&mut call, native, value);
        }
    }
    let place = if event.name == "PostToolUse" { "tool_result" } else { "tool_call" };
    put(&mut fields, place, Json::Object(Many::Owned(call)));
    Some(fields)
}
