//! What an event is about, as far as a log needs it: its own fields, each cut and without secrets.

use std::borrow::Cow;
use std::fmt::{self, Write};

use super::{line, redact};
use crate::json::{Json, Many};

/// More fields than any tool of a client has.
const MOST_FIELDS: usize = 16;

/// A name is not a place to hide a text in.
const LONGEST_NAME: usize = 64;

/// Fields of an event that every event has, or that a line has a place of its own for.
const ELSEWHERE: &[&str] = &[
    "session_id",
    "transcript_path",
    "cwd",
    "hook_event_name",
    "permission_mode",
    "tool_name",
    "tool_input",
    "tool_response",
    "tool_use_id",
    "agent_id",
    "agent_type",
    "agent_transcript_path",
    "prompt_id",
    "effort",
    "scratchpad_dir",
];

/// What the tool was given, or what is special about an event without a tool.
pub(super) fn input(payload: &Json<'_>) -> Json<'static> {
    match (payload.get("tool_input"), payload) {
        (Some(Json::Object(fields)), _) => summary(fields.iter()),
        (Some(Json::Null) | None, Json::Object(fields)) => {
            summary(fields.iter().filter(|(name, _)| !ELSEWHERE.contains(&name.as_ref())))
        }
        // No tool is given anything but an object, and whoever sends something else should be seen.
        (Some(other), _) => summary([(Cow::Borrowed("tool_input"), other.clone())].iter()),
        (None, _) => Json::Null,
    }
}

/// What the tool answered, for events that come after it.
pub(super) fn response(payload: &Json<'_>) -> Json<'static> {
    match payload.get("tool_response") {
        None | Some(Json::Null) => Json::Null,
        Some(response) => brief("tool_response", response),
    }
}

/// As much of a tool's input as a log will look at, for whoever has to tell of it when the rest is out of reach. This is
/// made for every call, so it copies the beginnings of texts and does nothing else.
pub(crate) fn kept(tool_input: &Json<'_>) -> Option<Json<'static>> {
    let Json::Object(fields) = tool_input else { return None };
    let kept = fields.iter().take(MOST_FIELDS).filter_map(|(name, value)| {
        let value = match value {
            // One more than is looked at: what is cut must show that it was.
            Json::Text(text) => {
                let end = text.ceil_char_boundary(line::LOOKED_AT + 1);
                Json::Text(Cow::Owned(text.get(..end).unwrap_or_default().to_owned()))
            }
            Json::Bool(_) | Json::Int(_) | Json::Double(_) => value.clone().into_owned(),
            Json::Null | Json::List(_) | Json::Object(_) => return None,
        };
        Some((Cow::Owned(name.to_string()), value))
    });
    Some(Json::Object(Many::Owned(kept.collect())))
}

fn summary<'j>(fields: impl Iterator<Item = &'j (Cow<'j, str>, Json<'j>)>) -> Json<'static> {
    let mut present = fields.filter(|(_, value)| *value != Json::Null);
    let shown = present.by_ref().take(MOST_FIELDS).map(|(name, value)| {
        let end = name.floor_char_boundary(LONGEST_NAME);
        (Cow::Owned(line::brief(name.get(..end).unwrap_or_default())), brief(name, value))
    });
    let mut shown: Vec<(Cow<'static, str>, Json<'static>)> = shown.collect();
    let more = present.count();
    if more > 0 {
        shown.push((Cow::Borrowed("…"), Json::Text(Cow::Owned(format!("{more} more fields")))));
    }
    Json::Object(Many::Owned(shown))
}

/// Numbers and the like as they are, a text without its secrets, and anything else as the JSON that it is.
fn brief(name: &str, value: &Json<'_>) -> Json<'static> {
    let text = match value {
        Json::Null | Json::Bool(_) | Json::Int(_) | Json::Double(_) => return value.clone().into_owned(),
        Json::Text(text) => hidden(name).unwrap_or_else(|| line::brief(text)),
        Json::List(_) | Json::Object(_) => hidden(name).unwrap_or_else(|| line::brief(&printed(value))),
    };
    Json::Text(Cow::Owned(text))
}

/// What stands in the place of anything that has this name, if the name is one of a secret.
fn hidden(name: &str) -> Option<String> {
    const PROBE: &str = "something";
    let named = Json::Object(Many::Owned(vec![(Cow::Borrowed(name), Json::text(PROBE))])).to_string();
    let (before, after) = named.rsplit_once(PROBE)?;
    let redacted = redact(&named);
    let shown = redacted.strip_prefix(before)?.strip_suffix(after)?;
    (shown != PROBE).then(|| shown.to_owned())
}

/// The beginning of a value's text: as much as is looked at, not all of the 50 MB that it may have.
fn printed(value: &Json<'_>) -> String {
    let mut beginning = Beginning(String::new());
    // The end of the room is told by an error.
    let _ = write!(beginning, "{value}");
    beginning.0
}

struct Beginning(String);

impl Write for Beginning {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = line::LOOKED_AT.saturating_sub(self.0.len());
        self.0.push_str(text.get(..text.floor_char_boundary(room)).unwrap_or_default());
        if text.len() > room { Err(fmt::Error) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(payload: &str) -> String {
        input(&Json::parse(payload).expect("JSON")).to_string()
    }

    #[test]
    fn a_tools_input_is_what_a_decision_is_about() {
        let payload = r#"{"session_id":"s","tool_name":"Bash","tool_input":{"command":"ls\n-la","timeout":5,"x":null,
            "background":true,"list":["a",{"b":1}]}}"#;
        assert_eq!(of(payload), r#"{"command":"ls -la","timeout":5,"background":true,"list":"[\"a\",{\"b\":1}]"}"#);
    }

    #[test]
    fn an_event_without_a_tool_is_about_its_own_fields() {
        let payload = r#"{"session_id":"s","cwd":"/p","permission_mode":"default","prompt_id":"1","prompt":"hi"}"#;
        assert_eq!(of(payload), r#"{"prompt":"hi"}"#);
        assert_eq!(of(r#"{"session_id":"s"}"#), "{}");
    }

    #[test]
    fn an_input_of_another_shape_is_shown_and_not_passed_over() {
        assert_eq!(of(r#"{"tool_input":"rm -rf /"}"#), r#"{"tool_input":"rm -rf /"}"#);
        assert_eq!(of(r#"{"tool_input":["rm"]}"#), r#"{"tool_input":"[\"rm\"]"}"#);
        assert_eq!(of("[1]"), "null");
    }

    #[test]
    fn secrets_are_known_by_their_shape_and_by_their_name() {
        let payload = r#"{"tool_input":{"command":"TOKEN=ghp_0123456789abcdefghij0123456789abcdef make","password":"correct horse",
            "nested":{"api_key":"some words"},"path":"/p/a"}}"#;
        let shown = of(payload);
        for secret in ["ghp_", "horse", "some words"] {
            assert!(!shown.contains(secret), "{shown}");
        }
        assert!(shown.contains("make") && shown.contains(r#""path":"/p/a""#), "{shown}");
    }

    #[test]
    fn long_values_and_many_fields_are_cut() {
        let fields: Vec<String> = (0..30).map(|number| format!(r#""f{number}":"{}""#, "x".repeat(5000))).collect();
        let shown = of(&format!(r#"{{"tool_input":{{{}}}}}"#, fields.join(",")));
        assert!(shown.len() < 10_000 && shown.contains("14 more fields"), "{}", shown.len());
        let list = format!(r#"{{"tool_input":{{"list":[{}]}}}}"#, vec!["123456"; 1_000_000].join(","));
        assert!(of(&list).len() < 1000);
    }

    #[test]
    fn what_is_kept_of_an_input_says_the_same_in_a_log() {
        let secrets = "ghp_0123456789abcdefghij0123456789abcdef ".repeat(1000);
        let text =
            format!(r#"{{"command":"ls -la","timeout":5,"content":"{}","secrets":"{secrets}"}}"#, "x".repeat(50_000));
        let whole = Json::parse(&text).expect("JSON");
        let kept = kept(&whole).expect("an object");
        assert!(kept.to_string().len() < 20_000);
        let shown = |value: &Json<'_>| {
            summary(match value {
                Json::Object(fields) => fields.iter(),
                _ => panic!("an object"),
            })
        };
        let cut = |value: Json<'_>| value.to_string().split("… (").next().map(str::to_owned);
        for field in ["command", "timeout", "content", "secrets"] {
            let of = |value: &Json<'_>| shown(value).get(field).cloned().and_then(cut);
            assert_eq!(of(&kept), of(&whole), "{field}");
        }
    }

    #[test]
    fn an_answer_is_shown_where_there_is_one() {
        let payload = Json::parse(r#"{"tool_response":{"stdout":"fine","interrupted":false}}"#).expect("JSON");
        assert_eq!(response(&payload), Json::text(r#"{"stdout":"fine","interrupted":false}"#));
        assert_eq!(response(&Json::Null), Json::Null);
    }
}
