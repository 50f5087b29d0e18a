//! The names of the client's tools: what they were called before, and which calls a matcher catches along with its own.
//!
//! The compiler reads matchers with it, and the binary looks again with it, so that no call that the client sends to a
//! hook is dropped there. The tables are those of Claude Code, whose words catalogs are written in; what other clients call
//! their tools is in theirs.

use crate::client::claude::{ALIASES, ALWAYS_SENT, KIN};
use crate::event::Event;

/// Older names of tools.
pub fn older_names() -> impl Iterator<Item = &'static str> {
    ALIASES.iter().map(|(old, _)| *old)
}

/// The name under which the payload carries a tool.
pub fn current(name: &str) -> &str {
    ALIASES.iter().find(|(old, _)| *old == name).map_or(name, |(_, new)| new)
}

/// Whether a tool of the client is the one that somebody has written down, by whichever of its names.
pub fn is(native: &str, written: &str) -> bool {
    current(native) == current(written)
}

/// Every name by which a matcher catches a call of the tool; `carries` tells whether its input has a field.
pub fn names<'n>(native: &'n str, event: &Event, carries: impl Fn(&str) -> bool) -> Vec<&'n str> {
    let mut names = vec![current(native)];
    names.extend(
        KIN.iter()
            .filter(|kin| is(native, kin.tool) && kin.on.contains(&event.name) && carries(kin.with))
            .map(|kin| kin.of),
    );
    let older = ALIASES.iter().filter(|(_, new)| names.contains(new)).map(|(old, _)| *old);
    names.extend(older.collect::<Vec<_>>());
    names
}

/// The field of an event that names the tool.
pub(crate) const NAME: &str = "tool_name";
/// The field of an event that holds the tool's input.
pub(crate) const INPUT: &str = "tool_input";

/// Whether the input of that tool always has the field. Of an event that names no tool, nothing that some tool always
/// has may be missing.
pub(crate) fn is_always_sent(tool: &str, field: &str) -> bool {
    ALWAYS_SENT.iter().any(|(name, fields)| (tool.is_empty() || *name == tool) && fields.contains(&field))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caught(tool: &str, event: &str, fields: &[&str]) -> Vec<String> {
        let event = Event::named(event).expect("known");
        names(tool, event, |field| fields.contains(&field)).into_iter().map(str::to_owned).collect()
    }

    #[test]
    fn an_older_name_means_the_current_tool() {
        for (old, new) in ALIASES {
            assert_eq!(current(old), *new);
            assert!(is(new, old) && is(old, new) && current(new) == *new, "{old}");
            assert!(caught(new, "PostToolUse", &[]).iter().any(|name| name == old), "{old}");
        }
        assert!(!is("TaskCreate", "Task") && !is("Bash", "Monitor"));
    }

    #[test]
    fn a_monitor_with_a_command_is_caught_where_the_client_does_so() {
        assert_eq!(caught("Monitor", "PreToolUse", &["command"]), ["Monitor", "Bash"]);
        assert_eq!(caught("Monitor", "PermissionRequest", &["command"]), ["Monitor", "Bash"]);
        assert_eq!(caught("Monitor", "PreToolUse", &["ws"]), ["Monitor"], "it runs nothing");
        assert_eq!(caught("Monitor", "PostToolUse", &["command"]), ["Monitor"]);
        assert_eq!(caught("Bash", "PreToolUse", &["command"]), ["Bash"], "not the other way round");
    }

    #[test]
    fn a_tool_promises_its_own_fields_and_an_unnamed_one_those_of_all() {
        assert!(is_always_sent("Bash", "command") && !is_always_sent("Bash", "description"));
        assert!(!is_always_sent("Read", "command") && !is_always_sent("mcp__a__b", "command"));
        assert!(is_always_sent("", "command") && is_always_sent("", "content") && !is_always_sent("", "timeout"));
    }
}
