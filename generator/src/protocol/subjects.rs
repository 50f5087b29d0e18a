//! What the matchers of events without a tool are compared with, where the client says only a few words.

/// The words that the client says for the subject of an event; `None` where people choose them.
pub fn subjects(event: &str) -> Option<&'static [&'static str]> {
    SUBJECTS.iter().find(|(name, _)| *name == event).map(|(_, words)| *words)
}

/// What the client says of how much it asks the person.
pub const PERMISSION_MODES: &[&str] = &["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"];

const TRIGGERS: &[&str] = &["manual", "auto"];

const SUBJECTS: &[(&str, &[&str])] = &[
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

#[cfg(test)]
mod tests {
    use hookgen_runtime::Event;

    use super::*;

    #[test]
    fn each_event_exists_and_has_a_subject_that_is_no_tool() {
        for (name, words) in SUBJECTS {
            let subject = Event::named(name).and_then(|event| event.subject);
            assert!(subject.is_some_and(|subject| subject != "tool_name"), "{name}");
            assert!(!words.is_empty(), "{name}");
        }
        assert_eq!(subjects("SubagentStop"), None);
    }
}
