//! The names of the client's tools: what they were called before, and which calls a matcher catches along with its own.
//!
//! The one table of both. The compiler reads matchers with it, and the binary looks again with it, so that no call that
//! the client sends to a hook is dropped there.

use crate::event::Event;

/// Older names that the client's matchers still accept, with the current one, which is what payloads carry.
const ALIASES: &[(&str, &str)] = &[
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
struct Kin {
    tool: &'static str,
    /// The tool whose matchers catch it too.
    of: &'static str,
    /// The field that makes a call one of the kind.
    with: &'static str,
    /// The events on which the client does so.
    on: &'static [&'static str],
}

const KIN: &[Kin] = &[Kin { tool: "Monitor", of: "Bash", with: "command", on: &["PreToolUse", "PermissionRequest"] }];

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
}
