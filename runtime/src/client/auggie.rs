//! Auggie: Claude Code's shape with events, tools and fields of its own.

use std::borrow::Cow;

use super::fields::{cwd_from, encode_tool, move_to, name_event, read_tool, shell_output};
use super::spoken::{by_exit_code, nested};
use super::{
    Client, Fields, Form, Known, Outcome, Program, Reading, Registration, Silence, Tool, Unit, find, find_mut, put,
    take, text_of,
};
use crate::event::{Context, Event, QUIET, Refusal};
use crate::failure::Attempt;
use crate::json::{Json, Many};
use crate::reply::{Reply, Said};

/// The table.
pub static CLIENT: Client = Client {
    name: "auggie",
    title: "Auggie",
    known: Known::Run("0.36.0"),
    events: EVENTS,
    tools: &[
        Tool { native: "launch-process", tool: "Bash", fields: &[], patch: None },
        Tool {
            native: "save-file",
            tool: "Write",
            fields: &[("path", "file_path"), ("file_content", "content")],
            patch: None,
        },
        Tool {
            native: "str-replace-editor",
            tool: "Edit",
            fields: &[("path", "file_path"), ("old_str_1", "old_string"), ("new_str_1", "new_string")],
            patch: None,
        },
        Tool { native: "view", tool: "Read", fields: &[("path", "file_path")], patch: None },
        Tool { native: "apply_patch", tool: "Edit", fields: &[], patch: Some("input") },
        Tool { native: "web-fetch", tool: "WebFetch", fields: &[], patch: None },
        Tool { native: "web-search", tool: "WebSearch", fields: &[], patch: None },
    ],
    project: Some("AUGMENT_PROJECT_DIR"),
    read,
    write,
    encode,
    registration: Registration {
        folder: ".augment",
        file: ".augment/settings.json",
        form: Form::Nested,
        program: Program::Arguments,
        unit: Unit::Milliseconds,
        matchers: true,
    },
    silence: Silence { missing: Outcome::Passes, late: Outcome::Passes },
    remarks: &[
        "Hooks run only if the vendor's service allows them for the account (`enable_hooks`); without that nothing runs \
         and nothing is said.",
        "It cannot ask: the command would run.",
        "Nothing that is said at the start of a session, about a prompt or at the end of a turn arrives.",
    ],
};

const SEEN: Event = Event { http_hooks: false, ..QUIET };
const TOOL: Event = Event { subject: Some("tool_name"), ..SEEN };

static EVENTS: &[Event] = &[
    Event { name: "PreToolUse", refusal: Refusal::Permission, rewrites: true, ..TOOL },
    Event { name: "PostToolUse", refusal: Refusal::Feedback, context: Context::Additional, ..TOOL },
    Event {
        name: "PostToolUseFailure",
        native: "PostToolUse",
        refusal: Refusal::Feedback,
        context: Context::Additional,
        ..TOOL
    },
    Event { name: "UserPromptSubmit", native: "PromptSubmit", ..SEEN },
    Event { name: "SessionStart", ..SEEN },
    Event { name: "SessionEnd", ..SEEN },
    Event { name: "Stop", ..SEEN },
    Event { name: "Notification", ..SEEN },
];

fn read<'a>(mut fields: Fields<'a>, event: &Event) -> Attempt<Reading<'a>> {
    move_to(&mut fields, "conversation_id", "session_id");
    move_to(&mut fields, "user_prompt", "prompt");
    cwd_from(&mut fields, "workspace_roots");
    let output = take(&mut fields, "tool_output");
    let error = take(&mut fields, "tool_error").filter(|error| !matches!(error, Json::Null));
    name_event(&mut fields, &CLIENT, event);
    if event.native() == "PostToolUse" {
        put(
            &mut fields,
            "hook_event_name",
            Json::text(if error.is_some() { "PostToolUseFailure" } else { "PostToolUse" }),
        );
        match error {
            Some(error) => put(&mut fields, "error", error),
            None => put(&mut fields, "tool_response", output.unwrap_or(Json::Null)),
        }
    }
    name_service(&mut fields);
    edit_of_parts(&mut fields);
    let mut reading = read_tool(&CLIENT, fields)?;
    reading.calls.iter_mut().for_each(shell_output);
    Ok(reading)
}

/// A tool of a server goes by its bare name; which server it is of is not said.
fn name_service(fields: &mut Fields<'_>) {
    if let (Some(Json::Bool(true)), Some(name)) = (find(fields, "is_mcp_tool"), text_of(fields, "tool_name")) {
        let named = format!("mcp____{name}");
        put(fields, "tool_name", Json::Text(Cow::Owned(named)));
    }
}

/// The editor replaces several places in one call, each numbered. To a catalog it is one edit with all of their text.
fn edit_of_parts(fields: &mut Fields<'_>) {
    if text_of(fields, "tool_name") != Some("str-replace-editor") {
        return;
    }
    let Some(Json::Object(input)) = find_mut(fields, "tool_input") else { return };
    let input = super::fields::owned(input);
    let all = |prefix: &str| -> String {
        let texts = input.iter().filter(|(name, _)| name.starts_with(prefix) && !name.contains("line_number"));
        let texts =
            texts.filter_map(|(_, value)| if let Json::Text(text) = value { Some(text.as_ref()) } else { None });
        texts.collect::<Vec<_>>().join("\n")
    };
    let (old, new) = (all("old_str"), all("new_str"));
    input.retain(|(name, _)| !name.starts_with("old_str") && !name.starts_with("new_str"));
    put(input, "old_str_1", Json::Text(Cow::Owned(old)));
    put(input, "new_str_1", Json::Text(Cow::Owned(new)));
}

/// After a tool, only exit code 2 is appended to the result as what is wrong with it.
fn write(said: &Said<'_>) -> Reply {
    match &said.refusal {
        Some(reason) if said.event.refusal == Refusal::Feedback => by_exit_code(reason),
        _ => nested(said),
    }
}

fn encode<'a>(mut fields: Fields<'a>, event: &Event) -> Option<Fields<'a>> {
    encode_tool(&CLIENT, &mut fields)?;
    put(&mut fields, "hook_event_name", Json::text(CLIENT.event(event.name)?.native()));
    move_to(&mut fields, "session_id", "conversation_id");
    move_to(&mut fields, "prompt", "user_prompt");
    if let Some(cwd) = take(&mut fields, "cwd") {
        put(&mut fields, "workspace_roots", Json::List(Many::Owned(vec![cwd])));
    }
    let response = take(&mut fields, "tool_response");
    let stdout = response.as_ref().and_then(|response| response.get("stdout")).cloned();
    if let Some(output) = stdout.or(response) {
        put(&mut fields, "tool_output", output);
    }
    move_to(&mut fields, "error", "tool_error");
    Some(fields)
}
