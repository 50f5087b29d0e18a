//! The event on standard input, with older spellings brought to the current ones.
//!
//! Clients and documents have called some fields differently over time. Hooks see one spelling: the current client's.

use std::borrow::Cow;

use crate::event::Event;
use crate::failure::{Attempt, Failure};
use crate::json::{Json, Many};
use crate::tool;

type Fields<'a> = Vec<(Cow<'a, str>, Json<'a>)>;

/// Reads the event, overwriting its text. What is not one JSON object is a failure of the payload.
pub fn parse<'a>(text: &'a mut [u8], event: &Event) -> Attempt<Json<'a>> {
    let value =
        Json::parse_in_place(text).map_err(|error| Failure::Payload(format!("the event is not JSON: {error}")))?;
    let Json::Object(fields) = value else {
        return Err(Failure::Payload(format!("the event should be an object, found {}", value.kind())));
    };
    let mut fields = fields.into_vec();
    modernise(&mut fields, event);
    Ok(Json::Object(Many::Owned(fields)))
}

/// What the client calls the event, for whoever knows nothing else of it.
pub(crate) fn event_name(text: &mut [u8]) -> Option<String> {
    let value = Json::parse_in_place(text).ok()?;
    match value.get("hook_event_name").or_else(|| value.get("hookEventName"))? {
        Json::Text(name) => Some(name.to_string()),
        _ => None,
    }
}

/// Reads `\!`, which some shells write and JSON does not know, as `!`. A backslash that is itself escaped stays.
pub(crate) fn undo_bang_escapes(text: &mut Vec<u8>) {
    let mut escaped = false;
    let mut kept = 0;
    for at in 0..text.len() {
        let byte = text[at];
        // The backslash is already among those that are kept.
        kept -= usize::from(escaped && byte == b'!');
        escaped = byte == b'\\' && !escaped;
        text[kept] = byte;
        kept += 1;
    }
    text.truncate(kept);
}

fn modernise(fields: &mut Fields<'_>, event: &Event) {
    rename(fields, "sessionId", "session_id");
    rename(fields, "hookEventName", "hook_event_name");
    rename(fields, "tool_result", "tool_response");
    if let Some(Json::Text(name)) = find_mut(fields, "tool_name") {
        let current = tool::current(name);
        if current != name {
            *name = Cow::Owned(current.to_owned());
        }
    }
    match event.name {
        "Stop" | "SubagentStop" => {
            rename(fields, "response", "last_assistant_message");
            rename(fields, "reason", "last_assistant_message");
        }
        _ => {}
    }
    if matches!(event.name, "SubagentStart" | "SubagentStop") {
        rename(fields, "subagent_type", "agent_type");
        borrow_field(fields, &["tool_input", "agent_name"], "agent_type");
    }
    modernise_tool_input(fields);
}

/// A file tool's path may stand in the result only, and a single question beside the list of them.
fn modernise_tool_input(fields: &mut Fields<'_>) {
    let path = ["filePath", "file_path"]
        .iter()
        .find_map(|name| find(fields, "tool_response").and_then(|response| response.get(name)).cloned());
    let Some(Json::Object(input)) = find_mut(fields, "tool_input") else { return };
    let mut added = Vec::new();
    if let (Some(path), None) = (path, find(input, "file_path")) {
        added.push((Cow::Borrowed("file_path"), path));
    }
    if find(input, "questions").is_none()
        && let Some(question) = find(input, "question").cloned()
    {
        let single = Json::Object(Many::Owned(vec![(Cow::Borrowed("question"), question)]));
        added.push((Cow::Borrowed("questions"), Json::List(Many::Owned(vec![single]))));
    }
    if !added.is_empty() {
        let mut fields = std::mem::replace(input, Many::Borrowed(&[])).into_vec();
        fields.append(&mut added);
        *input = Many::Owned(fields);
    }
}

/// Gives a field its current name, unless that one is there already.
fn rename(fields: &mut Fields<'_>, old: &str, new: &'static str) {
    if find(fields, new).is_none()
        && let Some(value) = find(fields, old).cloned()
    {
        fields.push((Cow::Borrowed(new), value));
    }
}

fn borrow_field(fields: &mut Fields<'_>, path: &[&str; 2], new: &'static str) {
    if find(fields, new).is_none()
        && let Some(value) = find(fields, path[0]).and_then(|outer| outer.get(path[1])).cloned()
    {
        fields.push((Cow::Borrowed(new), value));
    }
}

/// The field, unless it is absent or null.
fn find<'f, 'a>(fields: &'f [(Cow<'a, str>, Json<'a>)], name: &str) -> Option<&'f Json<'a>> {
    fields
        .iter()
        .rev()
        .find(|(key, _)| key == name)
        .map(|(_, value)| value)
        .filter(|value| !matches!(value, Json::Null))
}

fn find_mut<'f, 'a>(fields: &'f mut Fields<'a>, name: &str) -> Option<&'f mut Json<'a>> {
    fields.iter_mut().rev().find(|(key, _)| key == name).map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(event: &str, text: &str) -> Json<'static> {
        parse(&mut text.as_bytes().to_vec(), Event::named(event).expect("known")).expect("valid").into_owned()
    }

    #[test]
    fn the_final_message_has_one_name() {
        for old in ["reason", "response"] {
            let payload = read("SubagentStop", &format!(r#"{{"{old}":"done"}}"#));
            assert_eq!(payload.get("last_assistant_message"), Some(&Json::text("done")), "{old}");
        }
        let payload = read("Stop", r#"{"last_assistant_message":"new","reason":"old"}"#);
        assert_eq!(payload.get("last_assistant_message"), Some(&Json::text("new")));
        assert_eq!(read("SessionEnd", r#"{"reason":"clear"}"#).get("last_assistant_message"), None);
    }

    #[test]
    fn the_agent_has_one_name() {
        for text in [r#"{"subagent_type":"qa"}"#, r#"{"tool_input":{"agent_name":"qa"}}"#] {
            assert_eq!(read("SubagentStop", text).get("agent_type"), Some(&Json::text("qa")));
        }
        assert_eq!(read("PreToolUse", r#"{"tool_name":"Task"}"#).get("tool_name"), Some(&Json::text("Agent")));
    }

    #[test]
    fn an_escaped_exclamation_mark_is_one_where_that_is_undone_and_no_json_elsewhere() {
        let undone = |text: &str| {
            let mut bytes = text.as_bytes().to_vec();
            undo_bang_escapes(&mut bytes);
            String::from_utf8(bytes).expect("UTF-8")
        };
        for (text, expected) in [
            (r#"{"cwd":"b\!\n"}"#, r#"{"cwd":"b!\n"}"#),
            (r"a\\!", r"a\\!"),
            (r"a\\\!\!", r"a\\!!"),
            (r"\!", "!"),
            (r"!\", r"!\"),
            ("", ""),
        ] {
            assert_eq!(undone(text), expected, "{text}");
        }
        let event = Event::named("PreToolUse").expect("known");
        assert!(parse(&mut br#"{"cwd":"b\!"}"#.to_vec(), event).is_err());
    }

    #[test]
    fn a_null_field_gives_way_to_the_older_spelling() {
        let payload = read("Stop", r#"{"last_assistant_message":null,"response":"x"}"#);
        assert_eq!(payload.get("last_assistant_message"), Some(&Json::text("x")));
    }

    #[test]
    fn a_path_in_the_result_and_a_single_question_are_found() {
        let payload = read("PostToolUse", r#"{"tool_input":{},"tool_result":{"file_path":"/a"}}"#);
        assert_eq!(payload.get("tool_input").and_then(|input| input.get("file_path")), Some(&Json::text("/a")));
        let payload = read("PreToolUse", r#"{"tool_input":{"question":"Why?"}}"#);
        let questions = payload.get("tool_input").and_then(|input| input.get("questions")).expect("there");
        assert_eq!(questions.to_string(), r#"[{"question":"Why?"}]"#);
    }

    #[test]
    fn anything_but_one_object_is_a_failure_of_the_payload() {
        for text in ["", "null", "[]", "{", "{} {}", "text", "\u{0}"] {
            let mut text = text.as_bytes().to_vec();
            let result = parse(&mut text, Event::named("Stop").expect("known")).map(Json::into_owned);
            assert!(matches!(result, Err(Failure::Payload(_))), "{text:?}");
        }
    }
}
