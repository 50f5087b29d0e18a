//! Auggie: Claude Code's shape with events, tools and fields of its own.

use std::borrow::Cow;

use super::fields::{cwd_from, encode_tool, move_to, name_event, read_tool, shell_output};
use super::spoken::{by_exit_code, nested};
use super::{
    Client, Fields, Form, Known, Outcome, Program, Reading, Registration, Silence, Tool, Trust, Unit, find, find_mut,
    put, take, text_of,
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
        Tool::new("launch-process", "Bash").folder(&["cwd"]),
        // What is typed into a program that runs may be typed into a shell.
        Tool::new("write-process", "Bash").fields(&[("input_text", "command")]),
        Tool::new("remove-files", "Write").gone("file_paths"),
        Tool::new("save-file", "Write").fields(&[("path", "file_path"), ("file_content", "content")]),
        Tool::new("str-replace-editor", "Edit").fields(&[
            ("path", "file_path"),
            ("old_str_1", "old_string"),
            ("new_str_1", "new_string"),
        ]),
        Tool::new("view", "Read").fields(&[("path", "file_path")]),
        Tool::new("apply_patch", "Edit").patch("input"),
        Tool::new("web-fetch", "WebFetch"),
        Tool::new("web-search", "WebSearch"),
    ],
    project: Some("AUGMENT_PROJECT_DIR"),
    read,
    write,
    encode,
    registration: Registration {
        programs: ".augment/hookgen",
        file: ".augment/settings.json",
        form: Form::Nested,
        program: Program::Arguments,
        unit: Unit::Milliseconds,
        matchers: true,
        trust: Trust::Unseen("hooks run only if the service sets `enable_hooks` for the account"),
        switches: &[],
        further: &[],
        also: &[],
        in_main_checkout: false,
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
    let (old, new) = (texts(input, "old_str").join("\n"), texts(input, "new_str").join("\n"));
    input.retain(|(name, _)| {
        !name.starts_with("old_str") && !name.starts_with("new_str") && !LISTS.contains(&name.as_ref())
    });
    put(input, "old_str_1", Json::Text(Cow::Owned(old)));
    put(input, "new_str_1", Json::Text(Cow::Owned(new)));
}

/// The fields in which the editor takes the places, a list in each; other models are offered numbered fields.
const LISTS: [&str; 2] = ["str_replace_entries", "insert_line_entries"];

/// All texts of fields that begin like that, also in the lists of places.
fn texts<'f>(fields: &'f [(Cow<'_, str>, Json<'_>)], prefix: &str) -> Vec<&'f str> {
    let mut found = Vec::new();
    for (name, value) in fields {
        match value {
            Json::Text(text) if name.starts_with(prefix) && !name.contains("line_number") => found.push(text.as_ref()),
            Json::List(places) if LISTS.contains(&name.as_ref()) => {
                for place in places.iter() {
                    if let Json::Object(fields) = place {
                        found.extend(texts(fields, prefix));
                    }
                }
            }
            _ => {}
        }
    }
    found
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
