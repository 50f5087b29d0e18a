//! Recorded events: payloads as hooks get them, from whichever agent, or Claude Code's own transcripts.

use camino::Utf8Path;
use hookgen_runtime::{CLAUDE, Client, Event, Json, Many, tool};
use serde_json::{Map, Value, json};

/// An event that a client has seen.
#[derive(Debug, Clone)]
pub struct Recorded {
    /// The file and the line that hold it.
    pub place: String,
    pub event: &'static Event,
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

    /// The folder where it happened.
    pub(super) fn folder(&self) -> Option<&str> {
        self.payload.get("cwd")?.as_str()
    }
}

/// The events in JSON lines of that agent, and how many lines are no JSON object. Lines that record something else are
/// passed over.
pub fn read(file: &Utf8Path, text: &str, client: &'static Client) -> (Vec<Recorded>, usize) {
    let mut events = Vec::new();
    let mut broken = 0;
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let place = || format!("{file}:{}", number + 1);
        match serde_json::from_str::<Map<String, Value>>(line) {
            Ok(line) if client.name != CLAUDE.name => events.extend(native(&place(), client, &line)),
            Ok(line) if line.contains_key("hook_event_name") => events.extend(payload(place(), line)),
            Ok(line) => events.extend(tool_calls(&line).filter_map(|payload| self::payload(place(), payload))),
            Err(_) => broken += 1,
        }
    }
    (events, broken)
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
        Some(Recorded { place: place.to_owned(), event, session, payload })
    });
    calls.collect()
}

/// A payload as a hook gets it; `None` for an event that no client sends.
fn payload(place: String, payload: Map<String, Value>) -> Option<Recorded> {
    let event = Event::named(payload.get("hook_event_name")?.as_str()?)?;
    let session = payload.get("session_id").and_then(Value::as_str).unwrap_or_default().to_owned();
    Some(Recorded { place, event, session, payload })
}

/// The calls of tools in a line of a transcript, as payloads of the event before they run.
fn tool_calls(line: &Map<String, Value>) -> impl Iterator<Item = Map<String, Value>> {
    let blocks = line.get("message").and_then(|message| message.get("content")).and_then(Value::as_array);
    let calls = blocks.into_iter().flatten().filter(|block| block.get("type").is_some_and(|kind| kind == "tool_use"));
    calls.filter_map(|call| {
        let payload = json!({
            "session_id": line.get("sessionId").cloned().unwrap_or_default(),
            "cwd": line.get("cwd").cloned().unwrap_or_default(),
            "permission_mode": "default",
            "hook_event_name": "PreToolUse",
            "tool_name": tool::current(call.get("name")?.as_str()?),
            "tool_input": call.get("input")?,
            "tool_use_id": call.get("id").cloned().unwrap_or_default(),
        });
        match payload {
            Value::Object(payload) => Some(payload),
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(text: &str) -> Vec<Recorded> {
        read("t.jsonl".into(), text, CLAUDE).0
    }

    #[test]
    fn a_transcript_gives_its_tool_calls() {
        let line = json!({ "type": "assistant", "sessionId": "s", "cwd": "/p", "message": { "content": [
            { "type": "text", "text": "I will look." },
            { "type": "tool_use", "id": "1", "name": "Bash", "input": { "command": "git  status" } },
            { "type": "tool_use", "id": "2", "name": "Task", "input": { "prompt": "x" } },
        ] } });
        let found = events(&format!("{{\"type\":\"summary\"}}\n\n{line}\n"));
        assert_eq!(found.iter().map(Recorded::subject).collect::<Vec<_>>(), [Some("Bash"), Some("Agent")]);
        let [bash, _] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((bash.place.as_str(), bash.about().as_str()), ("t.jsonl:3", "git status"));
        assert_eq!((bash.session.as_str(), bash.folder(), bash.event.name), ("s", Some("/p"), "PreToolUse"));
    }

    #[test]
    fn payloads_are_taken_as_they_are() {
        let found = events("{\"hook_event_name\":\"UserPromptSubmit\",\"session_id\":\"s\",\"prompt\":\"hi\\nyou\"}\n");
        let [prompt] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((prompt.about().as_str(), prompt.subject()), ("hi you", None));
    }

    #[test]
    fn every_agent_s_payloads_go_through_its_reader() {
        let of = |agent: &str, line: Value| {
            let client = hookgen_runtime::client::named(agent).expect("known");
            let found = read("t".into(), &line.to_string(), client).0;
            found.iter().map(|event| (event.event.name, event.about())).collect::<Vec<_>>()
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
    fn what_is_no_event_is_passed_over_and_what_is_no_json_is_counted() {
        let (found, broken) =
            read("t".into(), "{\"hook_event_name\":\"NoSuch\"}\n[1]\nnot json\n{\"message\":{}}\n", CLAUDE);
        assert!(found.is_empty());
        assert_eq!(broken, 2);
    }
}
