//! The shape of the client's payloads: which fields each event has, and which input each tool takes.
//!
//! Facts about the current client. What an event can *do* is in the runtime's event table; this is what it *says*.

mod subjects;

pub use subjects::subjects;

use std::rc::Rc;

use hookgen_runtime::{ALWAYS_SENT, Event, tool};

use crate::model::{Matcher, Record, Type};

/// The first client that heeds `onFailure` in a registration; older ones ignore it.
pub const ON_FAILURE_SINCE: &str = "2.1.295";

/// A field type, as a constant can hold it.
#[derive(Clone, Copy)]
enum Shape {
    Bool,
    Int,
    Double,
    Text,
    Any,
    List(&'static Shape),
    Record(&'static str, Fields),
}

type Fields = &'static [(&'static str, Shape)];

use Shape::{Any, Bool, Double, Int, List, Record as Rec, Text};

/// Fields that every event has, or may have.
const COMMON: Fields = &[
    ("session_id", Text),
    ("transcript_path", Text),
    ("cwd", Text),
    ("hook_event_name", Text),
    ("prompt_id", Text),
    ("scratchpad_dir", Text),
    ("agent_id", Text),
    ("agent_type", Text),
    ("permission_mode", Text),
];

const EFFORT: (&str, Shape) = ("effort", Rec("effort", &[("level", Text)]));

/// Fields of each event beside the common ones. `tool_input` is added by the matcher. A duration is a number, but left
/// untyped: whoever only records it can take it as it comes, and an odd one fails nobody else.
const EVENT_FIELDS: &[(&str, Fields)] = &[
    (
        "PreToolUse",
        &[
            EFFORT,
            ("tool_name", Text),
            ("tool_use_id", Text),
            ("mcp_server", Any),
            ("teammate_name", Text),
            ("team_name", Text),
        ],
    ),
    (
        "PostToolUse",
        &[
            EFFORT,
            ("tool_name", Text),
            ("tool_use_id", Text),
            ("tool_response", Any),
            ("duration_ms", Any),
            ("mcp_server", Any),
        ],
    ),
    (
        "PostToolUseFailure",
        &[
            EFFORT,
            ("tool_name", Text),
            ("tool_use_id", Text),
            ("error", Text),
            ("is_interrupt", Bool),
            ("duration_ms", Any),
            ("mcp_server", Any),
        ],
    ),
    (
        "PostToolBatch",
        &[
            EFFORT,
            (
                "tool_calls",
                List(&Rec(
                    "a tool call",
                    &[("tool_name", Text), ("tool_input", Any), ("tool_use_id", Text), ("tool_response", Any)],
                )),
            ),
        ],
    ),
    ("Notification", &[("message", Text), ("title", Text), ("notification_type", Text)]),
    ("UserPromptSubmit", &[("prompt", Text), ("source", Text), ("session_title", Text)]),
    (
        "UserPromptExpansion",
        &[
            ("expansion_type", Text),
            ("command_name", Text),
            ("command_args", Text),
            ("command_source", Text),
            ("prompt", Text),
        ],
    ),
    (
        "SessionStart",
        &[
            ("source", Text),
            ("model", Text),
            ("session_title", Text),
            ("seconds_since_last_response", Double),
            ("context_tokens", Int),
            ("prompt_cache_likely_expired", Bool),
            ("estimated_cache_write_usd", Double),
        ],
    ),
    ("SessionEnd", &[("reason", Text)]),
    ("Stop", STOP),
    ("StopFailure", &[EFFORT, ("error", Text), ("error_details", Text), ("last_assistant_message", Text)]),
    ("SubagentStart", &[]),
    (
        "SubagentStop",
        &[
            EFFORT,
            ("stop_hook_active", Bool),
            ("last_assistant_message", Text),
            ("agent_transcript_path", Text),
            ("background_tasks", List(&Any)),
            ("session_crons", List(&Any)),
        ],
    ),
    ("PreCompact", &[("trigger", Text), ("custom_instructions", Text)]),
    ("PostCompact", &[("trigger", Text), ("compact_summary", Text)]),
    ("PreModelSwitch", MODEL_SWITCH),
    ("PostModelSwitch", MODEL_SWITCH),
    ("PermissionRequest", &[EFFORT, ("tool_name", Text), ("permission_suggestions", Any), ("mcp_server", Any)]),
    ("PermissionDenied", &[EFFORT, ("tool_name", Text), ("tool_use_id", Text), ("reason", Text), ("mcp_server", Any)]),
    ("Setup", &[("trigger", Text)]),
    ("TeammateIdle", &[("teammate_name", Text), ("team_name", Text)]),
    ("TaskCreated", TASK),
    ("TaskCompleted", TASK),
    (
        "Elicitation",
        &[
            ("mcp_server_name", Text),
            ("message", Text),
            ("mode", Text),
            ("url", Text),
            ("elicitation_id", Text),
            ("requested_schema", Any),
        ],
    ),
    (
        "ElicitationResult",
        &[("mcp_server_name", Text), ("action", Text), ("content", Any), ("mode", Text), ("elicitation_id", Text)],
    ),
    ("ConfigChange", &[("source", Text), ("file_path", Text)]),
    ("WorktreeCreate", &[("name", Text)]),
    ("WorktreeRemove", &[("worktree_path", Text)]),
    (
        "InstructionsLoaded",
        &[
            ("file_path", Text),
            ("memory_type", Text),
            ("load_reason", Text),
            ("globs", List(&Text)),
            ("trigger_file_path", Text),
            ("parent_file_path", Text),
        ],
    ),
    ("CwdChanged", &[("old_cwd", Text), ("new_cwd", Text)]),
    ("FileChanged", &[("file_path", Text), ("event", Text)]),
    ("DirectoryAdded", &[("directory", Text), ("source", Text)]),
    ("MessageDisplay", &[("turn_id", Text), ("message_id", Text), ("index", Int), ("final", Bool), ("delta", Text)]),
];

const STOP: Fields = &[
    EFFORT,
    ("stop_hook_active", Bool),
    ("last_assistant_message", Text),
    ("background_tasks", List(&Any)),
    ("session_crons", List(&Any)),
];

const TASK: Fields = &[
    ("task_id", Text),
    ("task_subject", Text),
    ("task_description", Text),
    ("teammate_name", Text),
    ("team_name", Text),
];

const MODEL_SWITCH: Fields = &[
    ("from_model", Text),
    ("to_model", Text),
    ("requested_model", Text),
    ("source", Text),
    ("context_tokens", Int),
    ("prompt_cache_warm", Bool),
    ("cache_ttl", Text),
    ("estimated_cache_write_usd", Double),
    ("pricing", Text),
];

const QUESTION: Shape = Rec(
    "a question",
    &[
        ("question", Text),
        ("header", Text),
        ("multiSelect", Bool),
        ("options", List(&Rec("an option", &[("label", Text), ("description", Text), ("preview", Text)]))),
    ],
);

/// What the tools that run a shell line take. A `Bash` matcher also catches a `Monitor` that has a command: whatever of
/// these else that one does not have is empty.
const SHELL: Fields = &[
    ("command", Text),
    ("timeout", Int),
    ("description", Text),
    ("run_in_background", Bool),
    ("dangerouslyDisableSandbox", Bool),
];

/// The input of each tool that the client knows.
const TOOL_INPUTS: &[(&str, Fields)] = &[
    ("Bash", SHELL),
    ("PowerShell", SHELL),
    ("Write", &[("file_path", Text), ("content", Text)]),
    ("Edit", &[("file_path", Text), ("old_string", Text), ("new_string", Text), ("replace_all", Bool)]),
    (
        "MultiEdit",
        &[
            ("file_path", Text),
            ("edits", List(&Rec("an edit", &[("old_string", Text), ("new_string", Text), ("replace_all", Bool)]))),
        ],
    ),
    ("Read", &[("file_path", Text), ("offset", Int), ("limit", Int), ("pages", Text), ("allow_large", Bool)]),
    (
        "NotebookEdit",
        &[("notebook_path", Text), ("new_source", Text), ("cell_id", Text), ("cell_type", Text), ("edit_mode", Text)],
    ),
    (
        "Grep",
        &[
            ("pattern", Text),
            ("path", Text),
            ("glob", Text),
            ("output_mode", Text),
            ("context", Int),
            ("type", Text),
            ("head_limit", Int),
            ("offset", Int),
            ("multiline", Bool),
        ],
    ),
    ("Glob", &[("pattern", Text), ("path", Text)]),
    (
        "Agent",
        &[
            ("description", Text),
            ("prompt", Text),
            ("subagent_type", Text),
            ("model", Text),
            ("effort", Text),
            ("run_in_background", Bool),
            ("isolation", Text),
            ("name", Text),
            ("mode", Text),
        ],
    ),
    ("AskUserQuestion", &[("questions", List(&QUESTION)), ("answers", Any)]),
    ("WebFetch", &[("url", Text), ("prompt", Text), ("offset", Int)]),
    ("WebSearch", &[("query", Text), ("allowed_domains", List(&Text)), ("blocked_domains", List(&Text))]),
    ("Skill", &[("skill", Text), ("args", Text)]),
    ("TaskCreate", &[("subject", Text), ("description", Text), ("activeForm", Text), ("metadata", Any)]),
    (
        "TaskUpdate",
        &[
            ("taskId", Text),
            ("status", Text),
            ("subject", Text),
            ("description", Text),
            ("owner", Text),
            ("addBlocks", List(&Text)),
            ("addBlockedBy", List(&Text)),
            ("metadata", Any),
        ],
    ),
    ("TodoWrite", &[("todos", List(&Rec("a todo", &[("content", Text), ("status", Text), ("activeForm", Text)])))]),
    ("ExitPlanMode", &[("plan", Text), ("planFilePath", Text)]),
];

/// Tools whose input nobody has typed yet: known by name, of unknown shape.
const OTHER_TOOLS: &[&str] = &[
    "EnterWorktree",
    "ExitWorktree",
    "ListAgents",
    "ListMcpResourcesTool",
    "Monitor",
    "ReadMcpResourceTool",
    "ReportFindings",
    "ScheduleWakeup",
    "SendMessage",
    "SendUserMessage",
    "TaskGet",
    "TaskList",
    "TaskOutput",
    "TaskStop",
    "ToolSearch",
    "Workflow",
];

/// Every tool name that a matcher may sensibly hold, MCP tools aside.
pub fn tool_names() -> impl Iterator<Item = &'static str> {
    TOOL_INPUTS.iter().map(|(name, _)| *name).chain(OTHER_TOOLS.iter().copied()).chain(tool::older_names())
}

/// Whether a name is that of a tool, of the client or of some MCP server.
pub fn is_tool(name: &str) -> bool {
    name.starts_with("mcp__") || tool_names().any(|tool| tool == name)
}

/// What matters most in events that are not about a tool, where it is not what matchers are compared with.
const TELLING: &[(&str, &str)] = &[
    ("Notification", "message"),
    ("Stop", "last_assistant_message"),
    ("SubagentStop", "last_assistant_message"),
    ("TaskCompleted", "task_subject"),
    ("TaskCreated", "task_subject"),
    ("UserPromptExpansion", "prompt"),
    ("UserPromptSubmit", "prompt"),
];

/// The field that matters most in an event, and whether it is one of the tool's input.
pub fn telling(event: &Event, tool: &str) -> Option<(bool, &'static str)> {
    if event.subject == Some("tool_name") {
        let tool = tool::current(tool);
        let always = ALWAYS_SENT.iter().find(|(name, _)| *name == tool).map(|(_, fields)| fields[0]);
        let first = TOOL_INPUTS.iter().find(|(name, _)| *name == tool).map(|(_, fields)| fields[0].0);
        return Some((true, always.or(first)?));
    }
    let own = TELLING.iter().find(|(name, _)| *name == event.name).map(|(_, field)| *field);
    Some((false, own.or(event.subject)?))
}

/// The payload of an event as far as the matcher narrows it.
///
/// Where a matcher names several tools, a field of any of them may be read: it is empty for the others.
pub fn payload(event: &Event, matcher: Option<&Matcher>) -> Rc<Record> {
    let mut fields = convert_fields(COMMON);
    if let Some((_, own)) = EVENT_FIELDS.iter().find(|(name, _)| *name == event.name) {
        fields.extend(convert_fields(own));
    }
    if event.subject == Some("tool_name") {
        fields.push(("tool_input".to_owned(), tool_input(matcher)));
    }
    Rc::new(Record { name: format!("the {} event", event.name), fields })
}

fn tool_input(matcher: Option<&Matcher>) -> Type {
    let Some(Matcher::Names { names, .. }) = matcher else { return untyped_input() };
    let mut fields: Vec<(String, Type)> = Vec::new();
    for name in names {
        let Some((_, own)) = TOOL_INPUTS.iter().find(|(known, _)| *known == tool::current(name)) else {
            return untyped_input();
        };
        lay_over(&mut fields, &convert_fields(own));
    }
    Type::Record(Rc::new(Record { name: format!("the input of {}", names.join(" and ")), fields }))
}

/// Whatever its fields are, a tool's input has fields.
fn untyped_input() -> Type {
    Type::Map(Box::new(Type::Any))
}

/// A record with the fields of all of the records. One that they do not agree on is of unknown shape.
pub fn union(name: &str, records: impl Iterator<Item = Rc<Record>>) -> Rc<Record> {
    let mut fields = convert_fields(COMMON);
    records.for_each(|record| lay_over(&mut fields, &record.fields));
    Rc::new(Record { name: name.to_owned(), fields })
}

fn lay_over(fields: &mut Vec<(String, Type)>, more: &[(String, Type)]) {
    for (field, ty) in more {
        match fields.iter_mut().find(|(known, _)| known == field) {
            Some((_, known)) => *known = both(known, ty),
            None => fields.push((field.clone(), ty.clone())),
        }
    }
}

fn both(one: &Type, two: &Type) -> Type {
    match (one, two) {
        _ if one == two => one.clone(),
        (Type::Record(one), Type::Record(two)) => {
            let mut fields = one.fields.clone();
            lay_over(&mut fields, &two.fields);
            Type::Record(Rc::new(Record { name: one.name.clone(), fields }))
        }
        (Type::Record(_), Type::Map(_)) | (Type::Map(_), Type::Record(_)) => untyped_input(),
        _ => Type::Any,
    }
}

fn convert_fields(fields: Fields) -> Vec<(String, Type)> {
    fields.iter().map(|(name, shape)| ((*name).to_owned(), convert(*shape))).collect()
}

fn convert(shape: Shape) -> Type {
    match shape {
        Shape::Bool => Type::Bool,
        Shape::Int => Type::Int,
        Shape::Double => Type::Double,
        Shape::Text => Type::Text,
        Shape::Any => Type::Any,
        Shape::List(of) => Type::List(Box::new(convert(*of))),
        Shape::Record(name, fields) => {
            Type::Record(Rc::new(Record { name: name.to_owned(), fields: convert_fields(fields) }))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hookgen_runtime::EVENTS;

    fn names(written: &str) -> Matcher {
        let names = written.split('|').map(str::to_owned).collect();
        Matcher::Names { written: written.to_owned(), names }
    }

    #[test]
    fn every_event_has_its_fields_and_its_subject_is_one_of_them() {
        for event in EVENTS {
            assert!(EVENT_FIELDS.iter().any(|(name, _)| *name == event.name), "{}", event.name);
            if let Some(subject) = event.subject {
                assert!(payload(event, None).field(subject).is_some(), "{}", event.name);
            }
        }
        assert_eq!(EVENT_FIELDS.len(), EVENTS.len());
    }

    #[test]
    fn the_matcher_narrows_the_input() {
        let event = Event::named("PreToolUse").expect("known");
        let field = |matcher: &str, name: &str| match payload(event, Some(&names(matcher))).field("tool_input") {
            Some(Type::Record(record)) => record.field(name).cloned(),
            other => other.cloned(),
        };
        assert_eq!(field("Bash", "command"), Some(Type::Text));
        assert_eq!(field("Bash", "file_path"), None);
        assert_eq!(field("Write|Edit", "new_string"), Some(Type::Text));
        assert_eq!(field("Task", "subagent_type"), Some(Type::Text));
        assert_eq!(field("KillShell", "anything"), Some(untyped_input()), "known by an older name");
        assert_eq!(field("mcp__x__y", "anything"), Some(untyped_input()));
    }

    #[test]
    fn what_a_tool_is_always_given_is_a_field_of_its_input() {
        for (tool, always) in ALWAYS_SENT {
            let (_, fields) = TOOL_INPUTS.iter().find(|(name, _)| name == tool).expect(tool);
            assert!(always.iter().all(|sent| fields.iter().any(|(field, _)| field == sent)), "{tool}");
        }
    }

    #[test]
    fn what_a_bash_matcher_reads_a_monitor_has_or_leaves_empty() {
        let event = Event::named("PreToolUse").expect("known");
        assert_eq!(tool::names("Monitor", event, |field| field == "command"), ["Monitor", "Bash"]);
        let Some(Type::Record(input)) = payload(event, Some(&names("Bash"))).field("tool_input").cloned() else {
            panic!("typed");
        };
        assert_eq!(input.field("command"), Some(&Type::Text));
        assert_eq!(input.field("timeout_ms"), None, "what only a Monitor has is read by naming it");
    }
}
