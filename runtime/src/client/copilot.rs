//! Copilot CLI, by the events that it names as Claude Code does: decisions and context stand at the top of the reply.

use std::borrow::Cow;

use super::fields::{encode_tool, move_to, name_service, read_tool, spell_service, take_object};
use super::spoken::{self, line, put as say, some_reason, text};
use super::{
    Also, Client, Fields, Form, Known, Outcome, Own, Program, Reading, Registration, Silence, Tool, Trust, Unit,
    disabled, find, is_absent, put, take, text_of,
};
use crate::event::{Context, Event, QUIET, Refusal};
use crate::failure::Attempt;
use crate::json::{Json, Many};
use crate::reply::{LONGEST, Reply, Said, clean};

/// The table.
pub static CLIENT: Client = Client {
    name: "copilot",
    title: "Copilot CLI",
    known: Known::Run("1.0.102"),
    events: EVENTS,
    tools: TOOLS,
    project: Some("COPILOT_PROJECT_DIR"),
    read,
    write,
    encode,
    registration: Registration {
        programs: ".github/hookgen",
        file: ".github/hooks",
        form: Form::Flat { own_file: Some(""), command: "bash", timeout: "timeoutSec" },
        program: Program::InProject("COPILOT_PROJECT_DIR"),
        unit: Unit::Seconds,
        matchers: false,
        trust: Trust::Folder {
            list: Own { variable: "COPILOT_HOME", folder: ".copilot", file: "config.json" },
            or_otherwise: false,
        },
        switches: &[disabled(".github/copilot/settings.json"), disabled(".github/copilot/settings.local.json")],
        further: &["~/.copilot/hooks"],
        also: &[Also { of: "claude", noticed: true }, Also { of: "vscode", noticed: false }],
        in_main_checkout: false,
    },
    silence: Silence { missing: Outcome::Refused, late: Outcome::Passes },
    remarks: &[
        "Hooks of a project run in a trusted folder only, and are left out without a word elsewhere: the client keeps \
         the list `trustedFolders` in `config.json` of `~/.copilot`.",
        "It also runs what is registered in `.claude/settings.json`, without the arguments. The entries for Claude Code \
         say nothing to it then: install the catalog for Copilot too.",
        "`disableAllHooks` in `.github/copilot/settings.json`, its local twin or `.claude/settings.json` leaves every hook out.",
        "A question is a refusal where no person can be asked.",
    ],
};

/// What stands between a server and its tool.
const SERVICE: &str = "-";

const PATCH: Tool = Tool::new("apply_patch", "Edit").patch(PATCH_FIELD);
const PATCH_FIELD: &str = "input";

const TOOLS: &[Tool] = &[
    Tool::new("Bash", "Bash"),
    Tool::new("bash", "Bash"),
    Tool::new("Write", "Write").fields(&[("path", "file_path"), ("file_text", "content")]),
    Tool::new("create", "Write").fields(&[("path", "file_path"), ("file_text", "content")]),
    Tool::new("Edit", "Edit").fields(EDIT),
    Tool::new("edit", "Edit").fields(EDIT),
    Tool::new("Read", "Read").fields(&[("path", "file_path")]),
    Tool::new("view", "Read").fields(&[("path", "file_path")]),
    PATCH,
    Tool::new("task", "Agent").fields(TASK),
    Tool::new("Task", "Agent").fields(TASK),
    Tool::new("Agent", "Agent").fields(TASK),
    Tool::new("glob", "Glob"),
    Tool::new("Glob", "Glob"),
    Tool::new("grep", "Grep"),
    Tool::new("Grep", "Grep"),
    Tool::new("skill", "Skill"),
    Tool::new("Skill", "Skill"),
];

const TASK: &[(&str, &str)] = &[("agent_type", "subagent_type")];

const EDIT: &[(&str, &str)] = &[("path", "file_path"), ("old_str", "old_string"), ("new_str", "new_string")];

const SEEN: Event = Event { http_hooks: false, ..QUIET };
const TOOL: Event = Event { subject: Some("tool_name"), ..SEEN };

static EVENTS: &[Event] = &[
    Event {
        name: "PreToolUse",
        refusal: Refusal::Permission,
        context: Context::Additional,
        asks: true,
        approves: true,
        rewrites: true,
        ..TOOL
    },
    Event { name: "PostToolUse", refusal: Refusal::Feedback, context: Context::Additional, ..TOOL },
    Event { name: "PostToolUseFailure", ..TOOL },
    Event { name: "PermissionRequest", refusal: Refusal::Behavior, approves: true, ..TOOL },
    Event { name: "UserPromptSubmit", refusal: Refusal::Block, context: Context::Additional, ..SEEN },
    Event { name: "SessionStart", subject: Some("source"), context: Context::Additional, ..SEEN },
    Event { name: "SessionEnd", subject: Some("reason"), ..SEEN },
    Event { name: "Stop", refusal: Refusal::Block, ..SEEN },
    Event { name: "SubagentStart", subject: Some("agent_type"), context: Context::Additional, ..SEEN },
    Event { name: "SubagentStop", subject: Some("agent_type"), refusal: Refusal::Block, ..SEEN },
    Event { name: "PreCompact", subject: Some("trigger"), ..SEEN },
    Event { name: "Notification", subject: Some("notification_type"), ..SEEN },
];

fn read<'a>(mut fields: Fields<'a>, event: &Event) -> Attempt<Reading<'a>> {
    // Requests for permission come in the client's older spelling, whatever the event was registered as.
    for (old, new) in [
        ("sessionId", "session_id"),
        ("toolName", "tool_name"),
        ("toolArgs", "tool_input"),
        ("toolInput", "tool_input"),
        ("transcriptPath", "transcript_path"),
    ] {
        move_to(&mut fields, old, new);
    }
    if is_absent(&fields, "hook_event_name") {
        put(&mut fields, "hook_event_name", Json::text(CLIENT.event(event.name).map_or("", |known| known.name)));
    }
    if event.name == "SessionStart" && text_of(&fields, "source") == Some("new") {
        put(&mut fields, "source", Json::text("startup"));
    }
    name_service(&CLIENT, &mut fields, SERVICE);
    name_patch(&mut fields);
    let mut reading = read_tool(&CLIENT, fields)?;
    reading.calls.iter_mut().for_each(read_result);
    Ok(reading)
}

/// Models that write patches are offered a tool for them, which hooks hear of as an edit whose input is the patch itself.
fn name_patch(fields: &mut Fields<'_>) {
    let edits = text_of(fields, "tool_name").is_some_and(|name| ["Edit", "edit", PATCH.native].contains(&name));
    if let (true, Some(patch @ Json::Text(_))) = (edits, find(fields, "tool_input").cloned()) {
        put(fields, "tool_name", Json::text(PATCH.native));
        put(fields, "tool_input", Json::Object(Many::Owned(vec![(Cow::Borrowed(PATCH_FIELD), patch)])));
    }
}

/// Whether an event is of this client's making, for a program that was started without being told. It says when the event
/// was, which Claude Code does not, and nothing of the mode of permissions, which Claude Code does.
pub(crate) fn has_sent(event: &Json<'_>) -> bool {
    event.get("timestamp").is_some() && event.get("permission_mode").is_none()
}

fn read_result(fields: &mut Fields<'_>) {
    let is_shell = text_of(fields, "tool_name") == Some("Bash");
    let Some(result) = take_object(fields, "tool_result") else { return };
    let shown = find(&result, "text_result_for_llm").cloned();
    let response = match shown {
        Some(shown) if is_shell => Json::Object(Many::Owned(vec![("stdout".into(), shown)])),
        _ => Json::Object(Many::Owned(result)),
    };
    put(fields, "tool_response", response);
}

fn write(said: &Said<'_>) -> Reply {
    let mut top: Fields<'_> = Vec::new();
    let unheard = said.refusal.clone().map(some_reason);
    match (unheard.clone(), said.event.refusal) {
        (Some(reason), Refusal::Permission) => {
            say(&mut top, "permissionDecision", Json::text("deny"));
            say(&mut top, "permissionDecisionReason", text(reason));
        }
        (Some(reason), Refusal::Behavior) => {
            say(&mut top, "behavior", Json::text("deny"));
            say(&mut top, "message", text(reason));
        }
        (Some(reason), _) => {
            say(&mut top, "decision", Json::text("block"));
            say(&mut top, "reason", text(reason));
        }
        (None, _) => permit(said, &mut top),
    }
    if let (true, Some(context)) = (said.event.context == Context::Additional, said.context()) {
        say(&mut top, "additionalContext", text(context));
    }
    Reply { stdout: line(top), unheard, ..Reply::default() }
}

fn permit<'a>(said: &Said<'a>, top: &mut Fields<'a>) {
    let (ask, allow) = (&said.merged.ask, &said.merged.allow);
    let permission = match said.event.refusal {
        Refusal::Permission if !ask.is_empty() => Some(("ask", ask)),
        Refusal::Permission if !allow.is_empty() => Some(("allow", allow)),
        _ => None,
    };
    if let Some((word, reasons)) = permission {
        say(top, "permissionDecision", Json::text(word));
        say(top, "permissionDecisionReason", text(clean(&reasons.join("\n"), LONGEST)));
    }
    if said.event.refusal == Refusal::Behavior && !allow.is_empty() {
        say(top, "behavior", Json::text("allow"));
    }
    if said.rewrites() {
        say(top, "modifiedArgs", spoken::updated_input(said));
    }
}

fn encode<'a>(mut fields: Fields<'a>, event: &Event) -> Option<Fields<'a>> {
    encode_tool(&CLIENT, &mut fields)?;
    spell_service(&mut fields, SERVICE);
    if event.name == "SessionStart" && text_of(&fields, "source") == Some("startup") {
        put(&mut fields, "source", Json::text("new"));
    }
    if let Some(Json::Object(response)) = take(&mut fields, "tool_response") {
        let shown = find(&response, "stdout").cloned();
        let result = match shown {
            Some(shown) => vec![("result_type".into(), Json::text("success")), ("text_result_for_llm".into(), shown)],
            None => response.into_vec(),
        };
        put(&mut fields, "tool_result", Json::Object(Many::Owned(result)));
    }
    Some(fields)
}
