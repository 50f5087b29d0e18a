//! What the client always puts into the input of a tool.
//!
//! The tools' own schemas require these fields, so the client refuses a call without them before any hook is asked. An
//! event that lacks one comes from somebody else, or from a client that calls it otherwise. Only what the call is about is
//! listed: a title or a remark that is missing keeps nobody from judging it.

/// The field of an event that names the tool.
pub(crate) const NAME: &str = "tool_name";
/// The field of an event that holds the tool's input.
pub(crate) const INPUT: &str = "tool_input";

/// Each tool with the fields that say what it is to do.
pub static ALWAYS_SENT: &[(&str, &[&str])] = &[
    ("Bash", &["command"]),
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

/// Whether the input of that tool always has the field. Of an event that names no tool, nothing that some tool always
/// has may be missing.
pub(crate) fn is_always_sent(tool: &str, field: &str) -> bool {
    ALWAYS_SENT.iter().any(|(name, fields)| (tool.is_empty() || *name == tool) && fields.contains(&field))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_promises_its_own_fields_and_an_unnamed_one_those_of_all() {
        assert!(is_always_sent("Bash", "command") && !is_always_sent("Bash", "description"));
        assert!(!is_always_sent("Read", "command") && !is_always_sent("mcp__a__b", "command"));
        assert!(is_always_sent("", "command") && is_always_sent("", "content") && !is_always_sent("", "timeout"));
    }
}
