//! Gemini CLI: events and tools of its own, and decisions at the top of the reply.

use std::borrow::Cow;

use super::fields::{encode_tool, move_to, name_event, read_tool, shell_output};
use super::spoken::{self, line, put as say, some_reason, text};
use super::{
    Client, Fields, Form, Known, Outcome, Own, Program, Reading, Registration, Silence, Switch, Tool, Trust, Unit,
    find, put, text_of,
};
use crate::event::{Context, Event, Notice, QUIET, Refusal};
use crate::failure::Attempt;
use crate::json::{Json, Many};
use crate::reply::{Reply, Said};

/// The table.
pub static CLIENT: Client = Client {
    name: "gemini",
    title: "Gemini CLI",
    known: Known::Run("0.61.0"),
    events: EVENTS,
    tools: TOOLS,
    project: Some("GEMINI_PROJECT_DIR"),
    read,
    write,
    encode,
    registration: Registration {
        programs: ".gemini/hookgen",
        file: ".gemini/settings.json",
        form: Form::Nested,
        program: Program::InProject("GEMINI_PROJECT_DIR"),
        unit: Unit::Milliseconds,
        matchers: true,
        trust: Trust::Folder {
            list: Own { variable: "", folder: ".gemini", file: "trustedFolders.json" },
            or_otherwise: true,
        },
        switches: &[Switch { file: ".gemini/settings.json", key: "hooksConfig.enabled", off: false }],
        further: &[],
        also: &[],
        in_main_checkout: false,
    },
    silence: Silence { missing: Outcome::Refused, late: Outcome::Passes },
    remarks: &[
        "Hooks of a project run in a trusted folder only: say so in the client (`/permissions trust`), or set \
         `GEMINI_CLI_TRUST_WORKSPACE=true` where it runs without a person.",
        "It cannot ask for certain: a question ends a run without a person, and nobody hears why.",
        "`hooksConfig.enabled` set to false in `settings.json`, of the person or of the project, leaves every hook out.",
        "`PreCompress` comes before every request and not only when history is compressed, so it is not `PreCompact`.",
    ],
};

const TOOLS: &[Tool] = &[
    Tool::new("run_shell_command", "Bash")
        .fields(&[("is_background", "run_in_background")])
        .folder(&["dir_path", "directory"]),
    Tool::new("write_file", "Write"),
    Tool::new("replace", "Edit"),
    Tool::new("edit", "Edit"),
    Tool::new("read_file", "Read").fields(&[("absolute_path", "file_path")]),
    Tool::new("glob", "Glob").fields(&[("dir_path", "path")]),
    Tool::new("grep_search", "Grep").fields(&[("dir_path", "path"), ("include_pattern", "glob")]),
    Tool::new("search_file_content", "Grep"),
    Tool::new("web_fetch", "WebFetch"),
    Tool::new("google_web_search", "WebSearch"),
    Tool::new("ask_user", "AskUserQuestion"),
    Tool::new("write_todos", "TodoWrite"),
    Tool::new("invoke_agent", "Agent").fields(&[("agent_name", "subagent_type")]),
    Tool::new("activate_skill", "Skill").fields(&[("name", "skill")]),
    Tool::new("exit_plan_mode", "ExitPlanMode"),
];

const SPOKEN: Event = Event { notice: Notice::SystemMessage, http_hooks: false, ..QUIET };
const TOOL: Event = Event { subject: Some("tool_name"), ..SPOKEN };

static EVENTS: &[Event] = &[
    Event { name: "PreToolUse", native: "BeforeTool", refusal: Refusal::Permission, rewrites: true, ..TOOL },
    Event {
        name: "PostToolUse",
        native: "AfterTool",
        refusal: Refusal::Feedback,
        context: Context::Additional,
        ..TOOL
    },
    Event {
        name: "PostToolUseFailure",
        native: "AfterTool",
        refusal: Refusal::Feedback,
        context: Context::Additional,
        ..TOOL
    },
    Event {
        name: "UserPromptSubmit",
        native: "BeforeAgent",
        refusal: Refusal::Block,
        context: Context::Additional,
        ..SPOKEN
    },
    Event { name: "SessionStart", subject: Some("source"), context: Context::Additional, ..SPOKEN },
    Event { name: "SessionEnd", subject: Some("reason"), notice: Notice::Never, ..SPOKEN },
    Event { name: "Stop", native: "AfterAgent", refusal: Refusal::Block, ..SPOKEN },
    Event { name: "Notification", subject: Some("notification_type"), notice: Notice::Never, ..SPOKEN },
];

fn read<'a>(mut fields: Fields<'a>, event: &Event) -> Attempt<Reading<'a>> {
    name_event(&mut fields, &CLIENT, event);
    name_service(&mut fields);
    move_to(&mut fields, "prompt_response", "last_assistant_message");
    let mut reading = read_tool(&CLIENT, fields)?;
    for call in &mut reading.calls {
        read_response(call, event);
        shell_output(call);
    }
    Ok(reading)
}

/// A tool of a server is called `mcp_SERVER_TOOL`, and only what stands beside it tells where the one ends.
fn name_service(fields: &mut Fields<'_>) {
    let Some(rest) = text_of(fields, "tool_name").and_then(|name| name.strip_prefix("mcp_")) else { return };
    if rest.starts_with('_') {
        return;
    }
    let server = find(fields, "mcp_context").and_then(|context| context.get("server_name"));
    let named = match server {
        Some(Json::Text(server)) => {
            let tool = rest.strip_prefix(server.as_ref()).and_then(|tool| tool.strip_prefix('_')).unwrap_or(rest);
            format!("mcp__{server}__{tool}")
        }
        _ => format!("mcp____{rest}"),
    };
    put(fields, "tool_name", Json::Text(Cow::Owned(named)));
}

/// One event tells of calls that went well and of calls that did not.
fn read_response(fields: &mut Fields<'_>, event: &Event) {
    if event.native() != "AfterTool" {
        return;
    }
    let response = find(fields, "tool_response").cloned().unwrap_or(Json::Null);
    let error = response.get("error").filter(|error| !matches!(error, Json::Null)).cloned();
    let name = if error.is_some() { "PostToolUseFailure" } else { "PostToolUse" };
    put(fields, "hook_event_name", Json::text(name));
    match error {
        Some(error) => put(fields, "error", error),
        None => shown(fields),
    }
}

/// Of the result of a shell line, what was printed.
pub(super) fn shown(fields: &mut Fields<'_>) {
    if text_of(fields, "tool_name") == Some("Bash")
        && let Some(shown @ Json::Text(_)) =
            find(fields, "tool_response").and_then(|response| response.get("returnDisplay"))
    {
        let shown = shown.clone();
        put(fields, "tool_response", shown);
    }
}

fn write(said: &Said<'_>) -> Reply {
    let mut top: Fields<'_> = Vec::new();
    let unheard = said.refusal.clone().map(some_reason);
    if let Some(reason) = unheard.clone() {
        say(&mut top, "decision", Json::text("deny"));
        say(&mut top, "reason", text(reason));
    }
    if let (true, Some(notices)) = (said.event.notice == Notice::SystemMessage, said.notices()) {
        say(&mut top, "systemMessage", text(notices));
    }
    let mut specific: Fields<'_> = Vec::new();
    if let (true, Some(context)) = (said.event.context == Context::Additional, said.context()) {
        say(&mut specific, "additionalContext", text(context));
    }
    if said.refusal.is_none() && said.rewrites() {
        say(&mut specific, "tool_input", spoken::updated_input(said));
    }
    if !specific.is_empty() {
        specific.insert(0, (Cow::Borrowed("hookEventName"), Json::text(said.event.native())));
        say(&mut top, "hookSpecificOutput", Json::Object(Many::Owned(specific)));
    }
    Reply { stdout: line(top), unheard, ..Reply::default() }
}

fn encode<'a>(mut fields: Fields<'a>, event: &Event) -> Option<Fields<'a>> {
    encode_tool(&CLIENT, &mut fields)?;
    put(&mut fields, "hook_event_name", Json::text(CLIENT.event(event.name)?.native()));
    move_to(&mut fields, "last_assistant_message", "prompt_response");
    if event.name == "PostToolUseFailure" {
        let error = super::take(&mut fields, "error").unwrap_or_else(|| Json::text("failed"));
        put(&mut fields, "tool_response", Json::Object(Many::Owned(vec![("error".into(), error)])));
    } else if text_of(&fields, "tool_name") == Some("run_shell_command")
        && let Some(stdout) = find(&fields, "tool_response").and_then(|response| response.get("stdout")).cloned()
    {
        put(&mut fields, "tool_response", Json::Object(Many::Owned(vec![("returnDisplay".into(), stdout)])));
    }
    Some(fields)
}
