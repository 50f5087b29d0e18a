//! The shape of payloads as types of expressions: which fields each event has, and which input each tool takes.
//!
//! The facts are in Claude Code's table, whose words catalogs are written in; here they become types.

use std::sync::Arc;

pub use hookgen_runtime::client::claude::words::PERMISSION_MODES;
use hookgen_runtime::client::claude::words::{COMMON, EVENT_FIELDS, Fields, OTHER_TOOLS, SUBJECTS, Shape, TOOL_INPUTS};
use hookgen_runtime::{ALWAYS_SENT, Event, tool};

use crate::model::{Matcher, Record, Type};

/// The words that the client says for the subject of an event; `None` where people choose them.
pub fn subjects(event: &str) -> Option<&'static [&'static str]> {
    SUBJECTS.iter().find(|(name, _)| *name == event).map(|(_, words)| *words)
}

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

/// Whether calls of that tool have such a field; of a tool that nobody knows, any.
pub fn has_input(tool: &str, field: &str) -> bool {
    let tool = tool::current(tool);
    let known = TOOL_INPUTS.iter().find(|(name, _)| *name == tool);
    known.is_none_or(|(_, fields)| fields.iter().any(|(name, ..)| *name == field))
}

/// The payload of an event as far as the matcher narrows it.
///
/// Where a matcher names several tools, a field of any of them may be read: it is empty for the others.
pub fn payload(event: &Event, matcher: Option<&Matcher>) -> Arc<Record> {
    let mut fields = convert_fields(COMMON);
    if let Some((_, own)) = EVENT_FIELDS.iter().find(|(name, _)| *name == event.name) {
        fields.extend(convert_fields(own));
    }
    if event.subject == Some("tool_name") {
        fields.push(("tool_input".to_owned(), tool_input(matcher)));
    }
    Arc::new(Record { name: format!("the {} event", event.name), fields })
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
    Type::Record(Arc::new(Record { name: format!("the input of {}", names.join(" and ")), fields }))
}

/// Whatever its fields are, a tool's input has fields.
fn untyped_input() -> Type {
    Type::Map(Box::new(Type::Any))
}

/// A record with the fields of all of the records. One that they do not agree on is of unknown shape.
pub fn union(name: &str, records: impl Iterator<Item = Arc<Record>>) -> Arc<Record> {
    let mut fields = convert_fields(COMMON);
    records.for_each(|record| lay_over(&mut fields, &record.fields));
    Arc::new(Record { name: name.to_owned(), fields })
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
            Type::Record(Arc::new(Record { name: one.name.clone(), fields }))
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
            Type::Record(Arc::new(Record { name: name.to_owned(), fields: convert_fields(fields) }))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    fn names(written: &str) -> Matcher {
        let names = written.split('|').map(str::to_owned).collect();
        Matcher::Names { written: written.to_owned(), names }
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
