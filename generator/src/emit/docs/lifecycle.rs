//! The hooks in the order of a session, as a Mermaid flowchart.

use std::fmt::Write as _;

use serde::Serialize;

use super::markdown::fence;
use crate::model::{Catalog, Hook};

/// Every event in the order in which a session meets them; tools, agents and side events in between.
const SESSION_ORDER: &[&str] = &[
    "Setup",
    "SessionStart",
    "InstructionsLoaded",
    "ConfigChange",
    "DirectoryAdded",
    "UserPromptSubmit",
    "UserPromptExpansion",
    "PreModelSwitch",
    "PostModelSwitch",
    "PreToolUse",
    "PermissionRequest",
    "PermissionDenied",
    "Elicitation",
    "ElicitationResult",
    "PostToolUse",
    "PostToolUseFailure",
    "PostToolBatch",
    "CwdChanged",
    "FileChanged",
    "WorktreeCreate",
    "WorktreeRemove",
    "TaskCreated",
    "TaskCompleted",
    "SubagentStart",
    "SubagentStop",
    "TeammateIdle",
    "Notification",
    "MessageDisplay",
    "PreCompact",
    "PostCompact",
    "Stop",
    "StopFailure",
    "SessionEnd",
];

#[derive(Serialize)]
pub(super) struct LifecycleView {
    chart: String,
}

pub(super) fn view(catalog: &Catalog) -> LifecycleView {
    let used = SESSION_ORDER.iter().filter_map(|event| {
        let hooks: Vec<&Hook> = catalog.hooks.iter().filter(|hook| hook.event.name == *event).collect();
        (!hooks.is_empty()).then_some((*event, hooks))
    });
    LifecycleView { chart: fence("mermaid", &chart(&used.collect::<Vec<_>>())) }
}

/// Node names are numbers, so that no name of a hook can be a word of Mermaid's.
fn chart(events: &[(&str, Vec<&Hook>)]) -> String {
    let mut chart = String::from("flowchart TD\n");
    let mut number = 0;
    for (position, (event, hooks)) in events.iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = writeln!(chart, "    subgraph e{position}[\"{}\"]\n        direction LR", label(event));
        for hook in hooks {
            let subject = hook.matcher.as_ref().map(|matcher| format!("<br/>{}", label(matcher.written())));
            let name = label(&format!("{} {}", hook.id, hook.name));
            let _ = writeln!(chart, "        h{number}[\"{name}{}\"]", subject.unwrap_or_default());
            number += 1;
        }
        chart.push_str("    end\n");
    }
    for position in 1..events.len() {
        let _ = writeln!(chart, "    e{} --> e{position}", position - 1);
    }
    chart
}

/// Text in a quoted label: everything that Mermaid could read as its own becomes an entity.
fn label(text: &str) -> String {
    let mut label = String::new();
    for c in text.chars() {
        if c.is_alphanumeric() || matches!(c, ' ' | '_' | '-' | '|' | '.' | ',' | ':' | '/') {
            label.push(c);
        } else if c.is_whitespace() || c.is_control() {
            label.push(' ');
        } else {
            let _ = write!(label, "#{};", u32::from(c));
        }
    }
    label
}

#[cfg(test)]
mod tests {
    use hookgen_runtime::EVENTS;

    use super::super::super::fixture;
    use super::*;

    #[test]
    fn every_event_has_one_place_in_a_session() {
        assert_eq!(SESSION_ORDER.len(), EVENTS.len());
        for event in EVENTS {
            assert!(SESSION_ORDER.contains(&event.name), "{}", event.name);
        }
    }

    #[test]
    fn labels_cannot_leave_their_quotes() {
        assert_eq!(label("a\"]; x --> y\n`#<"), "a#34;#93;#59; x --#62; y #96;#35;#60;");
    }

    #[test]
    fn events_are_chained_in_session_order() {
        let catalog = fixture::full();
        let chart = view(&catalog).chart;
        let place = |text: &str| chart.find(text).unwrap_or_else(|| panic!("{text} in {chart}"));
        assert!(place("\"PreToolUse\"") < place("\"PostToolUse\""));
        assert!(place("\"PostToolUse\"") < place("\"PreCompact\""));
        assert!(place("\"PreCompact\"") < place("\"Stop\""));
        assert!(chart.contains("h0[\"H01 guard-plan<br/>Write|Edit\"]"), "{chart}");
        assert!(chart.contains("e2 --> e3"));
    }
}
