//! The reference of the client's events: when each happens, what it says, and what can be done about it. One for all
//! catalogs.

use std::fmt::Write as _;

use hookgen_runtime::{Context, Event, Notice, Refusal};
use serde_json::{Map, Value, json};

use super::docs::markdown::{Table, code, fence};
use super::docs::moments::MOMENTS;
use super::docs::words;
use super::{Output, banner};
use crate::model::Type;
use crate::protocol;

/// `reference/EVENTS.md`, relative to the root of everything generated.
pub fn events_output() -> Output {
    let mut page = format!(
        "<!-- {} -->\n\n# Events\n\nIn the order of a session. Fields that the client leaves out are empty. What a reply looks \
         like on the wire is in REPLIES.md.\n",
        banner("the table of events")
    );
    for (name, _) in MOMENTS {
        if let Some(section) = event_section(name) {
            let _ = write!(page, "\n{section}\n");
        }
    }
    Output::new("reference/EVENTS.md", page)
}

/// The part of the page about one event, if there is such an event.
pub fn event_section(name: &str) -> Option<String> {
    let event = Event::named(name)?;
    let moment = MOMENTS.iter().find(|(known, _)| *known == name).map(|(_, moment)| *moment)?;
    let record = protocol::payload(event, None);
    let rows = record.fields.iter().map(|(field, ty)| [code(field), ty.to_string().replace('|', "\\|")]);
    let abilities: String = abilities(event).into_iter().map(|line| format!("- {line}\n")).collect();
    let example = fence("json", &format!("{:#}", Value::Object(example(event, &record.fields))));
    let subject = event.subject.map_or_else(
        || "It has no matcher.".to_owned(),
        |field| format!("A matcher is compared with {}.", code(field)),
    );
    Some(format!(
        "## {name}\n\n{moment}. {subject}\n\n{}\n\n{abilities}\n{example}",
        Table::new(["field", "type"], rows.collect())
    ))
}

/// The names of all events, in the order of a session.
pub fn event_names() -> impl Iterator<Item = &'static str> {
    MOMENTS.iter().map(|(name, _)| *name)
}

fn abilities(event: &Event) -> Vec<String> {
    let mut lines = vec![match event.refusal {
        Refusal::Never => "Nothing can be refused.".to_owned(),
        refusal => {
            let effect = match refusal {
                Refusal::Feedback => "feedback",
                _ if refusal.blocks() => "block",
                _ => "deny",
            };
            format!("{}: {}.", code(effect), words::refusal(event))
        }
    }];
    if event.asks() {
        lines.push(format!("{}: the person decides. {}: approved in the person's place.", code("ask"), code("allow")));
    } else if event.permits() {
        lines.push(format!("{}: approved in the person's place.", code("allow")));
    }
    if matches!(event.context, Context::Additional | Context::PlainText) {
        lines.push(format!("{}: {}.", code("inject"), words::context(event)));
    }
    if event.notice != Notice::Never {
        lines.push(format!("{}: {}.", code("warn"), words::notice(event)));
    }
    if event.rewrites {
        lines.push(format!("{}: the tool runs with another input.", code("rewrite")));
    }
    if event.exports {
        lines.push(format!("{}: variables for the rest of the session.", code("export")));
    }
    let kinds = [("prompt", event.prompt_hooks), ("agent", event.agent_hooks), ("http", event.http_hooks)];
    let kinds: Vec<&str> = kinds.into_iter().filter_map(|(kind, runs)| runs.then_some(kind)).collect();
    lines.push(format!(
        "Types of hooks beside commands and MCP tools: {}.",
        if kinds.is_empty() { "none".to_owned() } else { kinds.join(", ") }
    ));
    lines
}

/// A payload with something in every field.
fn example(event: &Event, fields: &[(String, Type)]) -> Map<String, Value> {
    fields.iter().map(|(name, ty)| (name.clone(), sample(event, name, ty))).collect()
}

/// What fields hold in practice; the others show their type.
fn sample(event: &Event, name: &str, ty: &Type) -> Value {
    match name {
        "hook_event_name" => json!(event.name),
        "session_id" => json!("3f09ac51-e2b4-4c1d-9a57-0d6f3b8c2e10"),
        "transcript_path" | "agent_transcript_path" => json!("/home/dev/.claude/projects/shop/3f09ac51.jsonl"),
        "cwd" | "old_cwd" | "new_cwd" | "directory" => json!("/home/dev/shop"),
        "permission_mode" => json!("default"),
        "tool_name" => json!("Bash"),
        "tool_input" => json!({ "command": "git status", "description": "Show the state of the tree" }),
        "tool_use_id" => json!("toolu_01"),
        "file_path" | "worktree_path" | "scratchpad_dir" => json!("/home/dev/shop/README.md"),
        "prompt" => json!("Fix the failing test."),
        "source" if event.name == "SessionStart" => json!("startup"),
        "trigger" => json!("manual"),
        _ => by_type(event, ty),
    }
}

fn by_type(event: &Event, ty: &Type) -> Value {
    match ty {
        Type::Bool => json!(false),
        Type::Int => json!(0),
        Type::Double => json!(0.5),
        Type::Text => json!("…"),
        Type::List(of) => json!([by_type(event, of)]),
        Type::Record(record) => Value::Object(example(event, &record.fields)),
        _ => json!({}),
    }
}

#[cfg(test)]
mod tests {
    use hookgen_runtime::EVENTS;

    use super::*;

    #[test]
    fn every_event_is_there_with_its_fields_and_a_payload_that_parses() {
        let page = events_output().text;
        for event in EVENTS {
            let section = event_section(event.name).expect(event.name);
            assert!(page.contains(&section), "{}", event.name);
            let (_, rest) = section.split_once("```json\n").expect("an example");
            let payload: Value = serde_json::from_str(rest.trim_end_matches('`')).expect("JSON");
            for (field, _) in &protocol::payload(event, None).fields {
                assert!(section.contains(&format!("| `{field}` |")) && payload.get(field).is_some(), "{field}");
            }
            assert_eq!(payload["hook_event_name"], event.name);
        }
        assert_eq!(event_section("PreToolUs"), None);
    }

    #[test]
    fn what_can_be_done_is_what_the_table_says() {
        let section = |name: &str| event_section(name).expect(name);
        assert!(section("PreToolUse").contains("- `deny`: the tool call does not run"));
        assert!(section("PreToolUse").contains("`ask`") && !section("Stop").contains("`ask`"));
        assert!(section("SessionEnd").contains("Nothing can be refused"));
        assert!(section("SessionStart").contains("`export`"));
    }
}
