//! Claude Code, whose words catalogs are written in.

pub mod places;
#[cfg(feature = "schema")]
pub mod words;

use std::borrow::Cow;

use super::{
    Client, Fields, Form, Known, Outcome, Program, Reading, Registration, Silence, Trust, Unit, disabled, find,
    find_mut, rename, spoken,
};
use crate::event::{Context, Event, Notice, QUIET, Refusal};
use crate::failure::Attempt;
use crate::json::{Json, Many};
use crate::program::Denial;
use crate::reply::{LONGEST, Reply, Running, Said, clean};
use crate::tool;

/// The table.
pub static CLIENT: Client = Client {
    name: "claude",
    title: "Claude Code",
    known: Known::Run("2.1.325"),
    events: EVENTS,
    tools: &[],
    project: Some(places::PROJECT),
    read,
    write,
    encode: |fields, _| Some(fields),
    registration: Registration {
        programs: ".claude/hooks",
        file: ".claude/settings.json",
        form: Form::Nested,
        program: Program::Arguments,
        unit: Unit::Seconds,
        matchers: true,
        trust: Trust::Given,
        switches: &[disabled(places::SETTINGS_FILES[0]), disabled(places::SETTINGS_FILES[1])],
        further: &[],
        also: &[],
        in_main_checkout: false,
    },
    // `onFailure: block` stands in the registration of a closed hook.
    silence: Silence { missing: Outcome::Refused, late: Outcome::Refused },
    remarks: &[],
};

/// An event inside the conversation: models can judge it and the person is told by `systemMessage`.
const SPOKEN: Event = Event { notice: Notice::SystemMessage, prompt_hooks: true, agent_hooks: true, ..QUIET };

/// An event about one tool call.
const TOOL: Event = Event { subject: Some("tool_name"), context: Context::Additional, conditions: true, ..SPOKEN };

/// Every event, in the client's own order.
pub static EVENTS: &[Event] = &[
    Event { name: "PreToolUse", refusal: Refusal::Permission, asks: true, approves: true, rewrites: true, ..TOOL },
    Event { name: "PostToolUse", refusal: Refusal::Feedback, ..TOOL },
    Event { name: "PostToolUseFailure", refusal: Refusal::Feedback, ..TOOL },
    Event { name: "PostToolBatch", refusal: Refusal::Block, context: Context::Additional, ..SPOKEN },
    Event { name: "Notification", subject: Some("notification_type"), ..QUIET },
    Event { name: "UserPromptSubmit", refusal: Refusal::Block, context: Context::Additional, ..SPOKEN },
    Event {
        name: "UserPromptExpansion",
        subject: Some("command_name"),
        refusal: Refusal::Block,
        context: Context::Additional,
        ..SPOKEN
    },
    Event {
        name: "SessionStart",
        subject: Some("source"),
        context: Context::Additional,
        exports: true,
        prompt_hooks: false,
        agent_hooks: false,
        http_hooks: false,
        ..SPOKEN
    },
    Event { name: "SessionEnd", subject: Some("reason"), ..QUIET },
    Event { name: "Stop", refusal: Refusal::Block, context: Context::Continues, blocks_on_failure: false, ..SPOKEN },
    Event { name: "StopFailure", subject: Some("error"), ..QUIET },
    Event {
        name: "SubagentStart",
        subject: Some("agent_type"),
        context: Context::Additional,
        prompt_hooks: false,
        agent_hooks: false,
        ..SPOKEN
    },
    Event {
        name: "SubagentStop",
        subject: Some("agent_type"),
        refusal: Refusal::Block,
        context: Context::Continues,
        blocks_on_failure: false,
        ..SPOKEN
    },
    Event {
        name: "PreCompact",
        subject: Some("trigger"),
        refusal: Refusal::ExitCode,
        context: Context::PlainText,
        ..QUIET
    },
    Event { name: "PostCompact", subject: Some("trigger"), notice: Notice::PlainText, ..QUIET },
    Event {
        name: "PreModelSwitch",
        subject: Some("to_model"),
        refusal: Refusal::Permission,
        asks: true,
        approves: true,
        prompt_hooks: false,
        agent_hooks: false,
        ..SPOKEN
    },
    Event {
        name: "PostModelSwitch",
        subject: Some("to_model"),
        context: Context::Additional,
        prompt_hooks: false,
        agent_hooks: false,
        ..SPOKEN
    },
    Event {
        name: "PermissionRequest",
        refusal: Refusal::Behavior,
        approves: true,
        context: Context::Never,
        rewrites: true,
        agent_hooks: false,
        ..TOOL
    },
    Event { name: "PermissionDenied", context: Context::Never, ..TOOL },
    Event {
        name: "Setup",
        subject: Some("trigger"),
        context: Context::Additional,
        exports: true,
        prompt_hooks: false,
        agent_hooks: false,
        http_hooks: false,
        ..SPOKEN
    },
    Event { name: "TeammateIdle", refusal: Refusal::Block, blocks_on_failure: false, ..SPOKEN },
    Event { name: "TaskCreated", refusal: Refusal::Block, ..SPOKEN },
    Event { name: "TaskCompleted", refusal: Refusal::Block, blocks_on_failure: false, ..SPOKEN },
    Event { name: "Elicitation", subject: Some("mcp_server_name"), refusal: Refusal::Block, ..QUIET },
    Event { name: "ElicitationResult", subject: Some("mcp_server_name"), refusal: Refusal::Block, ..QUIET },
    Event { name: "ConfigChange", subject: Some("source"), refusal: Refusal::Block, ..QUIET },
    Event { name: "WorktreeCreate", ..QUIET },
    Event { name: "WorktreeRemove", ..QUIET },
    Event { name: "InstructionsLoaded", subject: Some("load_reason"), ..QUIET },
    Event { name: "CwdChanged", notice: Notice::SystemMessage, exports: true, ..QUIET },
    Event { name: "FileChanged", subject: Some("file_path"), notice: Notice::SystemMessage, exports: true, ..QUIET },
    Event { name: "DirectoryAdded", subject: Some("source"), notice: Notice::SystemMessage, ..QUIET },
    Event { name: "MessageDisplay", ..QUIET },
];

/// Older names that the client's matchers still accept, with the current one, which is what payloads carry.
pub(crate) const ALIASES: &[(&str, &str)] = &[
    ("Task", "Agent"),
    ("KillShell", "TaskStop"),
    ("KillBash", "TaskStop"),
    ("ListPeers", "ListAgents"),
    ("Brief", "SendUserMessage"),
    ("ListMcpResources", "ListMcpResourcesTool"),
    ("ReadMcpResource", "ReadMcpResourceTool"),
    ("ReadMcpResourceDir", "ReadMcpResourceTool"),
];

/// A tool whose calls also reach the hooks of another, because they can do what that one does.
#[derive(Debug)]
pub(crate) struct Kin {
    pub(crate) tool: &'static str,
    /// The tool whose matchers catch it too.
    pub(crate) of: &'static str,
    /// The field that makes a call one of the kind.
    pub(crate) with: &'static str,
    /// The events on which the client does so.
    pub(crate) on: &'static [&'static str],
}

pub(crate) const KIN: &[Kin] =
    &[Kin { tool: "Monitor", of: "Bash", with: "command", on: &["PreToolUse", "PermissionRequest"] }];

/// Each tool with the fields that say what it is to do. The tools' own schemas require them, so the client refuses a call
/// without them before any hook is asked; an event that lacks one comes from somebody else. Only what the call is about
/// is listed: a title that is missing keeps nobody from judging it.
pub static ALWAYS_SENT: &[(&str, &[&str])] = &[
    ("Bash", &["command"]),
    ("PowerShell", &["command"]),
    ("Write", &["file_path", "content"]),
    ("Edit", &["file_path", "old_string", "new_string"]),
    ("Read", &["file_path"]),
    ("NotebookEdit", &["notebook_path", "new_source"]),
    ("Grep", &["pattern"]),
    ("Glob", &["pattern"]),
    ("Agent", &["prompt"]),
    ("AskUserQuestion", &["questions"]),
    ("WebFetch", &["url"]),
    ("WebSearch", &["query"]),
    ("Skill", &["skill"]),
    ("TaskCreate", &["subject"]),
    ("TaskUpdate", &["taskId"]),
    ("TodoWrite", &["todos"]),
];

/// Older spellings brought to the current ones: clients and documents have called some fields differently over time.
#[expect(clippy::unnecessary_wraps, reason = "a client's reader may fail; this one has nothing to fail at")]
fn read<'a>(mut fields: Fields<'a>, event: &Event) -> Attempt<Reading<'a>> {
    modernise(&mut fields, event);
    Ok(Reading::of(fields))
}

fn modernise(fields: &mut Fields<'_>, event: &Event) {
    rename(fields, "sessionId", "session_id");
    rename(fields, "hookEventName", "hook_event_name");
    rename(fields, "tool_result", "tool_response");
    if let Some(Json::Text(name)) = find_mut(fields, "tool_name") {
        let current = tool::current(name);
        if current != name {
            *name = Cow::Owned(current.to_owned());
        }
    }
    match event.name {
        "Stop" | "SubagentStop" => {
            rename(fields, "response", "last_assistant_message");
            rename(fields, "reason", "last_assistant_message");
        }
        _ => {}
    }
    if matches!(event.name, "SubagentStart" | "SubagentStop") {
        rename(fields, "subagent_type", "agent_type");
        borrow_field(fields, &["tool_input", "agent_name"], "agent_type");
    }
    modernise_tool_input(fields);
}

/// A file tool's path may stand in the result only, and a single question beside the list of them.
fn modernise_tool_input(fields: &mut Fields<'_>) {
    let path = ["filePath", "file_path"]
        .iter()
        .find_map(|name| find(fields, "tool_response").and_then(|response| response.get(name)).cloned());
    let Some(Json::Object(input)) = find_mut(fields, "tool_input") else { return };
    let mut added = Vec::new();
    if let (Some(path), None) = (path, find(input, "file_path")) {
        added.push((Cow::Borrowed("file_path"), path));
    }
    if find(input, "questions").is_none()
        && let Some(question) = find(input, "question").cloned()
    {
        let single = Json::Object(Many::Owned(vec![(Cow::Borrowed("question"), question)]));
        added.push((Cow::Borrowed("questions"), Json::List(Many::Owned(vec![single]))));
    }
    if !added.is_empty() {
        let mut fields = std::mem::replace(input, Many::Borrowed(&[])).into_vec();
        fields.append(&mut added);
        *input = Many::Owned(fields);
    }
}

fn borrow_field(fields: &mut Fields<'_>, path: &[&str; 2], new: &'static str) {
    if find(fields, new).is_none()
        && let Some(value) = find(fields, path[0]).and_then(|outer| outer.get(path[1])).cloned()
    {
        fields.push((Cow::Borrowed(new), value));
    }
}

fn write(said: &Said<'_>) -> Reply {
    let Said { event, denial, running, .. } = *said;
    if let Some(reason) = &said.refusal
        && (running == Running::Waking || by_exit_code(event, denial, reason))
    {
        let stdout = if plain_stdout(event) { String::new() } else { spoken::object(said, None) };
        return Reply { stdout, stderr: unmistakable(reason.clone()), exit: 2, unheard: None };
    }
    let unheard = said.refusal.clone().map(unmistakable);
    let stdout = match (event.context, event.notice) {
        (Context::PlainText, _) => clean(&said.merged.context.join("\n"), LONGEST),
        (_, Notice::PlainText) => clean(&said.merged.notices.join("\n"), LONGEST),
        _ => spoken::object(said, said.refusal.clone()),
    };
    Reply { stdout, stderr: String::new(), exit: 0, unheard }
}

/// Exit code 2 is spoken where the catalog wants it and the client hears it.
fn by_exit_code(event: &Event, denial: Denial, reason: &str) -> bool {
    match event.refusal {
        Refusal::ExitCode => true,
        Refusal::Never | Refusal::Behavior => false,
        Refusal::Permission | Refusal::Block | Refusal::Feedback => {
            denial == Denial::ExitCode && !is_mistakable(&reason.to_lowercase()) && !reason.trim().is_empty()
        }
    }
}

/// On these words the client takes the hook for a missing script and lets the action through.
const MISTAKABLE: &[(&str, &str)] = &[("no such file", "no file of that name"), ("can't open", "cannot open")];

fn is_mistakable(lower: &str) -> bool {
    MISTAKABLE.iter().any(|(words, _)| lower.contains(words))
}

/// The reason in words that the client takes for one, for where there is no other way to say it.
fn unmistakable(reason: String) -> String {
    if reason.trim().is_empty() {
        return "refused".to_owned();
    }
    // ASCII only, so that the places found are places in the reason itself.
    let mut reason = reason;
    for (words, instead) in MISTAKABLE {
        while let Some(place) = reason.to_ascii_lowercase().find(words) {
            reason.replace_range(place..place + words.len(), instead);
        }
    }
    reason
}

fn plain_stdout(event: &Event) -> bool {
    event.context == Context::PlainText || event.notice == Notice::PlainText
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(event: &str, text: &str) -> Json<'static> {
        let Json::Object(fields) = Json::parse(text).expect("valid") else { panic!("an object") };
        let mut reading = super::read(fields.into_vec(), Event::named(event).expect("known")).expect("valid");
        Json::Object(Many::Owned(reading.calls.remove(0)))
    }

    #[test]
    fn the_final_message_has_one_name() {
        for old in ["reason", "response"] {
            let payload = read("SubagentStop", &format!(r#"{{"{old}":"done"}}"#));
            assert_eq!(payload.get("last_assistant_message"), Some(&Json::text("done")), "{old}");
        }
        let payload = read("Stop", r#"{"last_assistant_message":"new","reason":"old"}"#);
        assert_eq!(payload.get("last_assistant_message"), Some(&Json::text("new")));
        assert_eq!(read("SessionEnd", r#"{"reason":"clear"}"#).get("last_assistant_message"), None);
    }

    #[test]
    fn the_agent_has_one_name() {
        for text in [r#"{"subagent_type":"qa"}"#, r#"{"tool_input":{"agent_name":"qa"}}"#] {
            assert_eq!(read("SubagentStop", text).get("agent_type"), Some(&Json::text("qa")));
        }
        assert_eq!(read("PreToolUse", r#"{"tool_name":"Task"}"#).get("tool_name"), Some(&Json::text("Agent")));
    }

    #[test]
    fn a_null_field_gives_way_to_the_older_spelling() {
        let payload = read("Stop", r#"{"last_assistant_message":null,"response":"x"}"#);
        assert_eq!(payload.get("last_assistant_message"), Some(&Json::text("x")));
    }

    #[test]
    fn a_path_in_the_result_and_a_single_question_are_found() {
        let payload = read("PostToolUse", r#"{"tool_input":{},"tool_result":{"file_path":"/a"}}"#);
        assert_eq!(payload.get("tool_input").and_then(|input| input.get("file_path")), Some(&Json::text("/a")));
        let payload = read("PreToolUse", r#"{"tool_input":{"question":"Why?"}}"#);
        let questions = payload.get("tool_input").and_then(|input| input.get("questions")).expect("there");
        assert_eq!(questions.to_string(), r#"[{"question":"Why?"}]"#);
    }
}
