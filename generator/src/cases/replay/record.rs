//! Recorded events, in the words of catalogs.

use hookgen_runtime::{Client, Event, Json, Many, tool};
use serde_json::{Map, Value};

/// An event that a client has seen.
#[derive(Debug, Clone)]
pub struct Recorded {
    /// The file and the line that hold it.
    pub place: String,
    pub event: &'static Event,
    /// When, if the recording tells.
    pub time: Option<String>,
    pub(super) session: String,
    pub(super) payload: Map<String, Value>,
}

impl Recorded {
    /// What a matcher is compared with, if the event has matchers.
    pub fn subject(&self) -> Option<&str> {
        self.payload.get(self.event.subject?)?.as_str()
    }

    /// Every name by which a matcher catches it.
    pub(super) fn names(&self) -> Vec<&str> {
        let Some(subject) = self.subject() else { return Vec::new() };
        if self.event.subject != Some("tool_name") {
            return vec![subject];
        }
        let input = self.payload.get("tool_input");
        tool::names(subject, self.event, |field| input.is_some_and(|input| input.get(field).is_some()))
    }

    /// What it is about, in one line: the command, the file, the prompt, or all of the input.
    pub fn about(&self) -> String {
        let input = self.payload.get("tool_input");
        let field = |name: &str| input.and_then(|input| input.get(name)).and_then(Value::as_str);
        let prompt = || self.payload.get("prompt").and_then(Value::as_str);
        match field("command").or_else(|| field("file_path")).or_else(prompt) {
            Some(text) => text.split_whitespace().collect::<Vec<_>>().join(" "),
            None => input.map(Value::to_string).unwrap_or_default(),
        }
    }

    /// The session that it belongs to.
    pub fn session(&self) -> &str {
        &self.session
    }

    /// What the tool was given, or all of the event where there is no tool.
    pub fn input(&self) -> Value {
        self.payload.get("tool_input").cloned().unwrap_or_else(|| Value::Object(self.payload.clone()))
    }

    /// The folder where it happened.
    pub fn folder(&self) -> Option<&str> {
        self.payload.get("cwd")?.as_str()
    }
}

/// The calls that an agent's payload stands for, in the words of catalogs; none if it is no event, or if the agent's reader
/// cannot make sense of it.
pub fn native(place: &str, client: &'static Client, line: &Map<String, Value>) -> Vec<Recorded> {
    let text = Value::Object(line.clone()).to_string();
    let Ok(Json::Object(fields)) = Json::parse(&text) else { return Vec::new() };
    let calls = client.calls(fields.into_vec(), None).ok().flatten().unwrap_or_default();
    let calls = calls.into_iter().filter_map(|(event, call)| {
        let payload: Map<String, Value> = serde_json::from_str(&Json::Object(Many::Owned(call)).to_string()).ok()?;
        let session = payload.get("session_id").and_then(Value::as_str).unwrap_or_default().to_owned();
        Some(Recorded { place: place.to_owned(), event, time: None, session, payload })
    });
    calls.collect()
}

/// A payload as a hook gets it; `None` for an event that no client sends.
pub(super) fn payload(place: String, payload: Map<String, Value>) -> Option<Recorded> {
    let event = Event::named(payload.get("hook_event_name")?.as_str()?)?;
    let session = payload.get("session_id").and_then(Value::as_str).unwrap_or_default().to_owned();
    Some(Recorded { place, event, time: None, session, payload })
}

#[cfg(test)]
mod tests {
    use hookgen_runtime::CLAUDE;
    use serde_json::json;

    use super::super::Tape;
    use super::*;

    fn events(client: &'static Client, line: &Value) -> Vec<Recorded> {
        Tape::new("t", client).line(1, line.to_string().as_bytes()).expect("JSON")
    }

    #[test]
    fn payloads_are_taken_as_they_are() {
        let found =
            events(CLAUDE, &json!({ "hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt": "hi\nyou" }));
        let [prompt] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((prompt.about().as_str(), prompt.subject()), ("hi you", None));
    }

    #[test]
    fn every_agent_s_payloads_go_through_its_reader() {
        let of = |agent: &str, line: Value| {
            let client = hookgen_runtime::client::named(agent).expect("known");
            events(client, &line).iter().map(|event| (event.event.name, event.about())).collect::<Vec<_>>()
        };
        let gemini = json!({ "hook_event_name": "BeforeTool", "cwd": "/p", "tool_name": "run_shell_command",
            "tool_input": { "command": "ls" } });
        assert_eq!(of("gemini", gemini), [("PreToolUse", "ls".to_owned())]);
        let failed = json!({ "hook_event_name": "AfterTool", "cwd": "/p", "tool_name": "replace",
            "tool_input": { "file_path": "a" }, "tool_response": { "error": "no" } });
        assert_eq!(of("gemini", failed), [("PostToolUseFailure", "/p/a".to_owned())]);
        let cline = json!({ "hookName": "tool_call", "workspaceRoots": ["/p"],
            "tool_call": { "name": "run_commands", "input": { "commands": ["ls", "pwd"] } } });
        assert_eq!(of("cline", cline).len(), 2);
        assert_eq!(of("codex", json!({ "hook_event_name": "NoSuch" })), []);
    }

    #[test]
    fn what_is_no_event_is_passed_over_and_what_is_no_json_is_told() {
        let mut tape = Tape::new("t", CLAUDE);
        assert!(tape.line(1, br#"{"hook_event_name":"NoSuch"}"#).is_some_and(|events| events.is_empty()));
        assert!(tape.line(2, b"[1]").is_none() && tape.line(3, b"not json").is_none());
        assert!(tape.line(4, br#"{"message":{}}"#).is_some_and(|events| events.is_empty()));
    }
}
