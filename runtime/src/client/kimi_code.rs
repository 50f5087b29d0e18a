//! Kimi Code: Claude Code's events and tools; a refusal is exit code 2, and little else is heard.

use std::borrow::Cow;

use super::fields::{encode_tool, move_to, read_tool, shell_output};
use super::spoken::by_exit_code;
use super::{
    Client, Fields, Form, Known, Outcome, Own, Program, Reading, Registration, Silence, Tool, Trust, Unit, find, put,
    text_of,
};
use crate::event::{Context, Event, QUIET, Refusal};
use crate::failure::Attempt;
use crate::json::{Json, Many};
use crate::reply::{Reply, Said};

/// The table.
pub static CLIENT: Client = Client {
    name: "kimi-code",
    title: "Kimi Code",
    known: Known::Run("2.1.0"),
    events: EVENTS,
    tools: &[
        Tool::new("Bash", "Bash").folder(&["cwd"]),
        Tool::new("Write", "Write").fields(&[("path", "file_path")]),
        Tool::new("Edit", "Edit").fields(&[("path", "file_path")]),
        Tool::new("Read", "Read").fields(&[("path", "file_path")]),
        Tool::new("Agent", "Agent"),
        Tool::new("AskUserQuestion", "AskUserQuestion"),
        Tool::new("ExitPlanMode", "ExitPlanMode"),
        Tool::new("FetchURL", "WebFetch"),
        Tool::new("Glob", "Glob"),
        Tool::new("Grep", "Grep"),
        Tool::new("Skill", "Skill"),
        Tool::new("TaskList", "TaskList"),
        Tool::new("TaskOutput", "TaskOutput"),
        Tool::new("TaskStop", "TaskStop"),
        Tool::new("TodoList", "TodoWrite"),
    ],
    project: None,
    read,
    write,
    encode,
    registration: Registration {
        programs: ".kimi-code/hookgen",
        file: ".kimi-code/config.toml",
        form: Form::Tables(Own { variable: "KIMI_CODE_HOME", folder: ".kimi-code", file: "config.toml" }),
        program: Program::Absolute,
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
        "Hooks are registered in the person's `config.toml` and nowhere else; those of a project hear where it is, and \
         leave every other folder alone.",
        "It cannot ask: the command would run.",
        "What happens after a tool or at the start of a session is not waited for, and nothing said there arrives.",
    ],
};

const SEEN: Event = Event { http_hooks: false, ..QUIET };
const TOOL: Event = Event { subject: Some("tool_name"), ..SEEN };

static EVENTS: &[Event] = &[
    Event { name: "PreToolUse", refusal: Refusal::Permission, ..TOOL },
    Event { name: "PostToolUse", ..TOOL },
    Event { name: "PostToolUseFailure", ..TOOL },
    Event { name: "UserPromptSubmit", refusal: Refusal::ExitCode, context: Context::PlainText, ..SEEN },
    Event { name: "SessionStart", subject: Some("source"), ..SEEN },
    Event { name: "SessionEnd", subject: Some("reason"), ..SEEN },
    Event { name: "Stop", refusal: Refusal::ExitCode, ..SEEN },
    Event { name: "StopFailure", subject: Some("error"), ..SEEN },
    Event { name: "SubagentStart", subject: Some("agent_type"), ..SEEN },
    Event { name: "SubagentStop", subject: Some("agent_type"), ..SEEN },
    Event { name: "PreCompact", subject: Some("trigger"), ..SEEN },
    Event { name: "PostCompact", subject: Some("trigger"), ..SEEN },
    Event { name: "Notification", subject: Some("notification_type"), ..SEEN },
];

fn read<'a>(mut fields: Fields<'a>, _: &Event) -> Attempt<Reading<'a>> {
    if let Some(Json::List(parts)) = find(&fields, "prompt") {
        let texts = parts.iter().filter_map(|part| match part.get("text") {
            Some(Json::Text(text)) => Some(text.as_ref()),
            _ => None,
        });
        let prompt = texts.collect::<Vec<_>>().join("\n");
        put(&mut fields, "prompt", Json::Text(Cow::Owned(prompt)));
    }
    move_to(&mut fields, "tool_call_id", "tool_use_id");
    move_to(&mut fields, "tool_output", "tool_response");
    if let Some(message) = find(&fields, "error").and_then(|error| error.get("message")).cloned() {
        put(&mut fields, "error", message);
    }
    let mut reading = read_tool(&CLIENT, fields)?;
    reading.calls.iter_mut().for_each(shell_output);
    Ok(reading)
}

fn write(said: &Said<'_>) -> Reply {
    match &said.refusal {
        Some(reason) => by_exit_code(reason),
        None if said.event.context == Context::PlainText => {
            Reply { stdout: said.context().unwrap_or_default(), ..Reply::default() }
        }
        None => Reply::default(),
    }
}

fn encode<'a>(mut fields: Fields<'a>, _: &Event) -> Option<Fields<'a>> {
    encode_tool(&CLIENT, &mut fields)?;
    move_to(&mut fields, "tool_use_id", "tool_call_id");
    let shell = text_of(&fields, "tool_name") == Some("Bash");
    let stdout = find(&fields, "tool_response").and_then(|response| response.get("stdout")).cloned();
    if let (true, Some(stdout)) = (shell, stdout) {
        put(&mut fields, "tool_response", stdout);
    }
    move_to(&mut fields, "tool_response", "tool_output");
    if let Some(error @ Json::Text(_)) = find(&fields, "error").cloned() {
        put(&mut fields, "error", Json::Object(Many::Owned(vec![("message".into(), error)])));
    }
    if let Some(prompt @ Json::Text(_)) = find(&fields, "prompt").cloned() {
        let part = vec![("type".into(), Json::text("text")), ("text".into(), prompt)];
        put(&mut fields, "prompt", Json::List(Many::Owned(vec![Json::Object(Many::Owned(part))])));
    }
    Some(fields)
}
