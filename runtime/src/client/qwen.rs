//! Qwen Code: Claude Code's events and JSON with Gemini's names of tools.

use super::fields::{encode_tool, read_tool, shell_output};
use super::spoken::nested;
use super::{
    Client, Fields, Form, Known, Outcome, Program, Reading, Registration, Silence, Tool, Trust, Unit, disabled, find,
    gemini, is_absent, put, text_of,
};
use crate::event::{Context, Event, Notice, QUIET, Refusal};
use crate::failure::Attempt;
use crate::json::{Json, Many};

/// The table.
pub static CLIENT: Client = Client {
    name: "qwen",
    title: "Qwen Code",
    known: Known::Run("0.24.4"),
    events: EVENTS,
    tools: TOOLS,
    project: Some("QWEN_PROJECT_DIR"),
    read,
    write: nested,
    encode,
    registration: Registration {
        programs: ".qwen/hookgen",
        file: ".qwen/settings.json",
        form: Form::Nested,
        program: Program::InProject("QWEN_PROJECT_DIR"),
        unit: Unit::Seconds,
        matchers: true,
        trust: Trust::Given,
        switches: &[disabled(".qwen/settings.json")],
        further: &[],
        also: &[],
        in_main_checkout: false,
    },
    silence: Silence { missing: Outcome::Passes, late: Outcome::Passes },
    remarks: &[
        "A question is a refusal where no person can be asked.",
        "What a tool did cannot be called wrong afterwards: `feedback` is ignored.",
        "`disableAllHooks` in `settings.json`, of the person or of the project, leaves every hook out.",
    ],
};

const TOOLS: &[Tool] = &[
    Tool::new("run_shell_command", "Bash").fields(&[("is_background", "run_in_background")]).folder(&["directory"]),
    // One of the tools that the model must search for first.
    Tool::new("monitor", "Monitor").folder(&["directory"]),
    Tool::new("write_file", "Write"),
    Tool::new("edit", "Edit"),
    Tool::new("notebook_edit", "NotebookEdit"),
    Tool::new("read_file", "Read").fields(&[("absolute_path", "file_path")]),
    Tool::new("glob", "Glob"),
    Tool::new("grep_search", "Grep"),
    Tool::new("web_fetch", "WebFetch"),
    Tool::new("agent", "Agent"),
    Tool::new("task", "Agent"),
    Tool::new("skill", "Skill"),
    Tool::new("todo_write", "TodoWrite"),
    Tool::new("ask_user_question", "AskUserQuestion"),
    Tool::new("exit_plan_mode", "ExitPlanMode"),
];

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
    let mut reading = read_tool(&CLIENT, fields)?;
    for call in &mut reading.calls {
        gemini::shown(call);
        shell_output(call);
        name_batch(call);
    }
    Ok(reading)
}

/// The calls of a batch have their names in catalogs too.
fn name_batch(fields: &mut Fields<'_>) {
    let Some(Json::List(calls)) = find(fields, "tool_calls") else { return };
    let named = calls.iter().map(|call| {
        let Json::Object(call) = call.clone() else { return call.clone() };
        let mut call = call.into_vec();
        let tool = text_of(&call, "tool_name").and_then(|name| TOOLS.iter().find(|tool| tool.native == name));
        if let Some(tool) = tool {
            put(&mut call, "tool_name", Json::text(tool.tool));
        }
        Json::Object(Many::Owned(call))
    });
    let named = named.collect();
    put(fields, "tool_calls", Json::List(Many::Owned(named)));
}

fn encode<'a>(mut fields: Fields<'a>, _: &Event) -> Option<Fields<'a>> {
    encode_tool(&CLIENT, &mut fields)?;
    if text_of(&fields, "tool_name") == Some("run_shell_command")
        && let Some(stdout) = find(&fields, "tool_response").and_then(|response| response.get("stdout")).cloned()
    {
        put(&mut fields, "tool_response", Json::Object(Many::Owned(vec![("returnDisplay".into(), stdout)])));
    }
    Some(fields)
}
