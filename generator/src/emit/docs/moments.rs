//! The events of a session, in the order in which it meets them, and when each happens.

/// Every event with its moment; tools, agents and side events in between.
pub(in crate::emit) const MOMENTS: &[(&str, &str)] = &[
    ("Setup", "When the client is set up"),
    ("SessionStart", "When a session starts or goes on"),
    ("InstructionsLoaded", "When instructions are loaded"),
    ("ConfigChange", "When settings change"),
    ("DirectoryAdded", "When a folder is added"),
    ("UserPromptSubmit", "When the person sends a prompt"),
    ("UserPromptExpansion", "When a command of the person's becomes a prompt"),
    ("PreModelSwitch", "Before another model is chosen"),
    ("PostModelSwitch", "After another model was chosen"),
    ("PreToolUse", "Before a tool runs"),
    ("PermissionRequest", "When the client would ask for permission"),
    ("PermissionDenied", "When permission was refused"),
    ("Elicitation", "When a server asks the person something"),
    ("ElicitationResult", "When the person answered a server"),
    ("PostToolUse", "After a tool ran"),
    ("PostToolUseFailure", "After a tool failed"),
    ("PostToolBatch", "After a batch of tool calls"),
    ("CwdChanged", "When the working folder changes"),
    ("FileChanged", "When a watched file changes"),
    ("WorktreeCreate", "When a work tree is made"),
    ("WorktreeRemove", "When a work tree is removed"),
    ("TaskCreated", "When a task is made"),
    ("TaskCompleted", "When a task is marked as done"),
    ("SubagentStart", "When a subagent starts"),
    ("SubagentStop", "When a subagent wants to end"),
    ("TeammateIdle", "When a teammate runs out of work"),
    ("Notification", "When the client wants the person's attention"),
    ("MessageDisplay", "When a message is shown"),
    ("PreCompact", "Before the conversation is summarised"),
    ("PostCompact", "After the conversation was summarised"),
    ("Stop", "When the agent wants to end its turn"),
    ("StopFailure", "When a turn ended by an error"),
    ("SessionEnd", "When the session ends"),
];

#[cfg(test)]
mod tests {
    use hookgen_runtime::EVENTS;

    use super::*;

    #[test]
    fn every_event_has_one_place_in_a_session() {
        assert_eq!(MOMENTS.len(), EVENTS.len());
        for event in EVENTS {
            assert!(MOMENTS.iter().any(|(name, _)| *name == event.name), "{}", event.name);
        }
    }
}
