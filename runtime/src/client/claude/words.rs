//! What Claude Code's payloads look like and which replies it reads: facts of its table that only tools need.

/// The first client that heeds `onFailure` in a registration; older ones ignore it.
pub const ON_FAILURE_SINCE: &str = "2.1.295";

/// A field type, as a constant can hold it.
#[derive(Debug, Clone, Copy)]
pub enum Shape {
    /// Yes or no.
    Bool,
    /// A whole number.
    Int,
    /// Any number.
    Double,
    /// A text.
    Text,
    /// Whatever it may be.
    Any,
    /// A list of such.
    List(&'static Shape),
    /// A record, and what it is called.
    Record(&'static str, Fields),
}

/// Fields by name.
pub type Fields = &'static [(&'static str, Shape)];

use Shape::{Any, Bool, Double, Int, List, Record as Rec, Text};

/// Fields that every event has, or may have.
pub static COMMON: Fields = &[
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
pub static EVENT_FIELDS: &[(&str, Fields)] = &[
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
pub static TOOL_INPUTS: &[(&str, Fields)] = &[
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
pub static OTHER_TOOLS: &[&str] = &[
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

/// What the client says of how much it asks the person.
pub const PERMISSION_MODES: &[&str] = &["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"];

/// The words that the client says for the subject of an event without a tool, where it says only a few.
pub static SUBJECTS: &[(&str, &[&str])] = &[
    (
        "Notification",
        &[
            "permission_prompt",
            "idle_prompt",
            "auth_success",
            "elicitation_dialog",
            "elicitation_url_dialog",
            "elicitation_complete",
            "elicitation_response",
            "agent_needs_input",
            "agent_completed",
            "worker_permission_prompt",
            "push_notification",
            "computer_use_enter",
            "computer_use_exit",
            "quota_auto_resume_fired",
            "quota_auto_resume_stale",
            "quota_auto_resume_disabled",
            "model_refusal_fallback",
            "auth_storage_failure",
            "plugin_notification",
        ],
    ),
    ("SessionStart", &["startup", "resume", "clear", "compact", "fork"]),
    ("SessionEnd", &["clear", "resume", "logout", "prompt_input_exit", "other"]),
    (
        "StopFailure",
        &[
            "rate_limit",
            "overloaded",
            "authentication_failed",
            "oauth_org_not_allowed",
            "account_on_hold",
            "verification_required",
            "billing_error",
            "invalid_request",
            "model_not_found",
            "server_error",
            "max_output_tokens",
            "cloud_credential_error",
            "unknown",
        ],
    ),
    ("PreCompact", TRIGGERS),
    ("PostCompact", TRIGGERS),
    ("Setup", &["init", "maintenance"]),
    ("ConfigChange", &["user_settings", "project_settings", "local_settings", "policy_settings", "skills"]),
    ("InstructionsLoaded", &["session_start", "nested_traversal", "path_glob_match", "include", "compact"]),
    ("DirectoryAdded", &["slash_command", "register_repo_root"]),
];

const TRIGGERS: &[&str] = &["manual", "auto"];

/// Events on which the client reads `hookSpecificOutput`; on any other it drops the whole reply.
pub static SPECIFIC: &[&str] = &[
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "PostToolBatch",
    "Notification",
    "UserPromptSubmit",
    "UserPromptExpansion",
    "SessionStart",
    "Stop",
    "SubagentStart",
    "SubagentStop",
    "PreModelSwitch",
    "PostModelSwitch",
    "PermissionRequest",
    "PermissionDenied",
    "Setup",
    "Elicitation",
    "ElicitationResult",
    "WorktreeCreate",
    "CwdChanged",
    "FileChanged",
    "MessageDisplay",
];

/// Events on which plain text reaches the model, beside those whose only way to the model is plain text.
pub static PLAIN_TEXT: &[&str] = &["SessionStart", "UserPromptSubmit", "UserPromptExpansion", "PostModelSwitch"];

/// Events that a blocked prompt ends: the reason is for the person, nothing is sent to the model.
pub static REASON_TO_PERSON: &[&str] = &["UserPromptSubmit", "UserPromptExpansion"];

/// Events on which `continue: false` stands in the way.
pub static CONTINUE_ENDS: &[&str] = &["UserPromptSubmit", "PostToolUse", "PostToolBatch"];

/// Keys by which a reply is recognised even where the client would take it for text.
pub static KEYS: &[&str] = &["decision", "reason", "systemMessage", "hookSpecificOutput", "continue", "stopReason"];

#[cfg(test)]
mod tests {
    use super::super::{ALWAYS_SENT, EVENTS};
    use super::*;
    use crate::Event;

    #[test]
    fn every_event_has_its_fields() {
        for event in EVENTS {
            let own = EVENT_FIELDS.iter().find(|(name, _)| *name == event.name).expect(event.name).1;
            if let Some(subject) = event.subject {
                assert!(own.iter().chain(COMMON).any(|(name, _)| *name == subject), "{}", event.name);
            }
        }
        assert_eq!(EVENT_FIELDS.len(), EVENTS.len());
    }

    #[test]
    fn each_word_is_for_an_event_whose_subject_is_no_tool() {
        for (name, words) in SUBJECTS {
            let subject = Event::named(name).and_then(|event| event.subject);
            assert!(subject.is_some_and(|subject| subject != "tool_name") && !words.is_empty(), "{name}");
        }
        for name in [SPECIFIC, PLAIN_TEXT, REASON_TO_PERSON, CONTINUE_ENDS].concat() {
            assert!(Event::named(name).is_some(), "{name}");
        }
    }

    #[test]
    fn what_a_tool_is_always_given_is_a_field_of_its_input() {
        for (tool, always) in ALWAYS_SENT {
            let (_, fields) = TOOL_INPUTS.iter().find(|(name, _)| name == tool).expect(tool);
            assert!(always.iter().all(|sent| fields.iter().any(|(field, _)| field == sent)), "{tool}");
        }
    }
}
