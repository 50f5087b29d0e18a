//! A recording, line by line: payloads as hooks get them, transcripts, audit trails.
//!
//! What an agent writes down is not documented by any of them. Assumed is: Claude Code has lines with `message` and
//! `sessionId`; Codex has `{timestamp, type, payload}`, of which `session_meta` and `turn_context` tell the folder and
//! `response_item` the prompts, the calls and their results; Gemini has one object with `sessionId` and `messages`, or its
//! parts as lines. Lines of another shape are passed over.

use std::collections::HashMap;

use hookgen_runtime::client::named;
use hookgen_runtime::{CLAUDE, Client, tool};
use serde_json::{Map, Value, json};

use super::record::{Recorded, native, payload};

type Fields = Map<String, Value>;

/// Calls whose results have not come are remembered up to this many.
const MOST: usize = 1000;

/// A recording that is being read.
pub struct Tape {
    file: String,
    /// Whose payloads they are, if they are payloads.
    client: &'static Client,
    session: String,
    folder: String,
    /// Tool and input by the name of the call.
    calls: HashMap<String, (String, Value)>,
    /// The call of the last line of an audit trail: every hook that it concerned has left a line.
    last: String,
}

impl Tape {
    pub fn new(file: impl Into<String>, client: &'static Client) -> Self {
        let (session, folder, last) = (String::new(), String::new(), String::new());
        Self { file: file.into(), client, session, folder, calls: HashMap::new(), last }
    }

    /// The events of a line; `None` if it is no JSON object.
    pub fn line(&mut self, number: usize, line: &[u8]) -> Option<Vec<Recorded>> {
        let fields: Fields = serde_json::from_slice(line).ok()?;
        let place = format!("{}:{number}", self.file);
        Some(self.object(&place, fields))
    }

    /// The events of an object, whatever it is.
    pub fn object(&mut self, place: &str, fields: Fields) -> Vec<Recorded> {
        let text = |name: &str| fields.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let time = [text("timestamp"), text("time")].into_iter().find(|time| !time.is_empty());
        let mut events = if fields.contains_key("hook_event_name") || fields.contains_key("hookName") {
            self.payload(place, fields)
        } else if fields.contains_key("decision") && fields.contains_key("hook") {
            self.audited(place, &fields)
        } else if let Some(Value::Object(own)) = fields.get("payload") {
            self.codex(place, &text("type"), own)
        } else if let Some(Value::Array(messages)) = fields.get("messages") {
            self.session = text("sessionId");
            let each = messages.iter().filter_map(Value::as_object);
            each.flat_map(|message| self.gemini(place, message)).collect()
        } else if fields.contains_key("message") {
            self.claude(place, &fields)
        } else if fields.contains_key("content") {
            self.gemini(place, &fields)
        } else {
            self.session =
                [text("sessionId"), self.session.clone()].into_iter().find(|id| !id.is_empty()).unwrap_or_default();
            Vec::new()
        };
        for event in &mut events {
            event.time = event.time.take().or_else(|| time.clone());
        }
        events
    }

    fn payload(&self, place: &str, fields: Fields) -> Vec<Recorded> {
        if self.client.name == CLAUDE.name {
            return payload(place.to_owned(), fields).into_iter().collect();
        }
        native(place, self.client, &fields)
    }

    fn claude(&mut self, place: &str, line: &Fields) -> Vec<Recorded> {
        let text = |name: &str| line.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        (self.session, self.folder) = (text("sessionId"), text("cwd"));
        let content = line.get("message").and_then(|message| message.get("content"));
        let is = |name: &str| line.get(name).and_then(Value::as_bool).unwrap_or_default();
        let mut events = Vec::new();
        // What a subagent is told and what the client adds by itself was typed by nobody.
        if text("type") == "user" && !is("isMeta") && !is("isSidechain") {
            let said = content.and_then(spoken).filter(|said| !said.is_empty());
            events.extend(said.and_then(|said| self.event(place, "UserPromptSubmit", &json!({ "prompt": said }))));
        }
        for block in content.and_then(Value::as_array).into_iter().flatten() {
            let of = |name: &str| block.get(name).and_then(Value::as_str).unwrap_or_default();
            match of("type") {
                "tool_use" => {
                    let input = block.get("input").cloned().unwrap_or_default();
                    events.extend(self.called(place, of("id"), tool::current(of("name")), &input));
                }
                "tool_result" => {
                    let failed = block.get("is_error").and_then(Value::as_bool).unwrap_or_default();
                    let response = line.get("toolUseResult").or_else(|| block.get("content")).cloned();
                    events.extend(self.answered(place, of("tool_use_id"), response.unwrap_or_default(), failed));
                }
                _ => {}
            }
        }
        events
    }

    fn called(&mut self, place: &str, id: &str, name: &str, input: &Value) -> Option<Recorded> {
        if self.calls.len() < MOST {
            self.calls.insert(id.to_owned(), (name.to_owned(), input.clone()));
        }
        self.event(place, "PreToolUse", &json!({ "tool_name": name, "tool_input": input, "tool_use_id": id }))
    }

    fn answered(&mut self, place: &str, id: &str, response: Value, failed: bool) -> Option<Recorded> {
        let (name, input) = self.calls.remove(id)?;
        let mut fields = json!({ "tool_name": name, "tool_input": input, "tool_use_id": id });
        let key = if failed { "error" } else { "tool_response" };
        fields.as_object_mut()?.insert(key.to_owned(), if failed { shown(&response).into() } else { response });
        self.event(place, if failed { "PostToolUseFailure" } else { "PostToolUse" }, &fields)
    }

    /// An event in the words of catalogs.
    fn event(&self, place: &str, name: &str, fields: &Value) -> Option<Recorded> {
        let mut whole = self.common(name);
        whole.extend(fields.as_object()?.clone());
        payload(place.to_owned(), whole)
    }

    fn common(&self, name: &str) -> Fields {
        let fields = [
            ("session_id", self.session.as_str()),
            ("cwd", self.folder.as_str()),
            ("permission_mode", "default"),
            ("hook_event_name", name),
        ];
        fields.into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect()
    }

    /// An event in the words of another agent, which its own reader turns into those of catalogs.
    fn foreign(&self, place: &str, agent: &str, name: &str, fields: Value) -> Vec<Recorded> {
        let (Some(client), Value::Object(own)) = (named(agent), fields) else { return Vec::new() };
        let mut whole = self.common(name);
        whole.extend(own);
        native(place, client, &whole)
    }

    fn codex(&mut self, place: &str, kind: &str, item: &Fields) -> Vec<Recorded> {
        let text = |name: &str| item.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        match (kind, text("type").as_str()) {
            ("session_meta", _) => (self.session, self.folder) = (text("id"), text("cwd")),
            ("turn_context", _) if !text("cwd").is_empty() => self.folder = text("cwd"),
            ("response_item", "message") if text("role") == "user" => {
                let said = item.get("content").and_then(spoken).unwrap_or_default();
                // Codex tells the model about the project and its instructions in the person's name.
                if !said.is_empty() && !said.trim_start().starts_with('<') && !said.starts_with("# AGENTS.md") {
                    return self.foreign(place, "codex", "UserPromptSubmit", json!({ "prompt": said }));
                }
            }
            ("response_item", "function_call" | "custom_tool_call" | "local_shell_call") => {
                let Some((name, input)) = codex_call(item) else { return Vec::new() };
                let id = text("call_id");
                let fields = json!({ "tool_name": name, "tool_input": input, "tool_use_id": id });
                if self.calls.len() < MOST {
                    self.calls.insert(id, (name, input));
                }
                return self.foreign(place, "codex", "PreToolUse", fields);
            }
            ("response_item", "function_call_output" | "custom_tool_call_output") => {
                let id = text("call_id");
                let Some((name, input)) = self.calls.remove(&id) else { return Vec::new() };
                let output = item.get("output").cloned().unwrap_or_default();
                let fields =
                    json!({ "tool_name": name, "tool_input": input, "tool_use_id": id, "tool_response": output });
                return self.foreign(place, "codex", "PostToolUse", fields);
            }
            _ => {}
        }
        Vec::new()
    }

    fn gemini(&mut self, place: &str, message: &Fields) -> Vec<Recorded> {
        let said = message.get("content").and_then(spoken).filter(|said| !said.is_empty());
        match (message.get("type").and_then(Value::as_str), said) {
            (Some("user"), Some(said)) => {
                let mut events = self.foreign(place, "gemini", "BeforeAgent", json!({ "prompt": said }));
                let time = message.get("timestamp").and_then(Value::as_str).map(str::to_owned);
                for event in &mut events {
                    event.time.clone_from(&time);
                }
                events
            }
            (Some("gemini"), _) => {
                let calls = message.get("toolCalls").and_then(Value::as_array).into_iter().flatten();
                calls.filter_map(Value::as_object).flat_map(|call| self.gemini_call(place, call)).collect()
            }
            _ => Vec::new(),
        }
    }

    fn gemini_call(&self, place: &str, call: &Fields) -> Vec<Recorded> {
        let name = call.get("name").and_then(Value::as_str).unwrap_or_default();
        let input = call.get("args").cloned().unwrap_or_else(|| json!({}));
        let fields = json!({ "tool_name": name, "tool_input": input });
        let mut events = self.foreign(place, "gemini", "BeforeTool", fields.clone());
        if let Some(response) = call.get("result").and_then(gemini_response) {
            let mut after = fields;
            if let Some(after) = after.as_object_mut() {
                after.insert("tool_response".to_owned(), response);
            }
            events.extend(self.foreign(place, "gemini", "AfterTool", after));
        }
        let time = call.get("timestamp").and_then(Value::as_str).map(str::to_owned);
        for event in &mut events {
            event.time.clone_from(&time);
        }
        events
    }

    /// A line of an audit trail: what was decided about, redacted and cut.
    fn audited(&mut self, place: &str, line: &Fields) -> Vec<Recorded> {
        let text = |name: &str| line.get(name).and_then(Value::as_str).unwrap_or_default();
        let input = line.get("input").cloned().unwrap_or_else(|| json!({}));
        let call = [text("time"), text("session"), text("event"), text("tool_use_id"), &input.to_string()].join("\n");
        if std::mem::replace(&mut self.last, call.clone()) == call || text("decision") == "NOTE" {
            return Vec::new();
        }
        text("session").clone_into(&mut self.session);
        let folder = if text("cwd").is_empty() { text("project") } else { text("cwd") };
        folder.clone_into(&mut self.folder);
        let mut fields = Map::new();
        if text("tool").is_empty() {
            fields.extend(input.as_object().cloned().unwrap_or_default());
        } else {
            fields.insert("tool_name".to_owned(), text("tool").into());
            fields.insert("tool_input".to_owned(), input);
            fields.extend(line.get("tool_use_id").map(|id| ("tool_use_id".to_owned(), id.clone())));
            fields.extend(line.get("response").map(|response| ("tool_response".to_owned(), response.clone())));
        }
        self.event(place, text("event"), &fields.into()).into_iter().collect()
    }
}

/// What was said: a text, or the texts among the blocks of a message.
fn spoken(content: &Value) -> Option<String> {
    match content {
        Value::String(text) => Some(text.clone()),
        Value::Array(blocks) => {
            let texts = blocks.iter().filter_map(|block| block.get("text").and_then(Value::as_str));
            Some(texts.collect::<Vec<_>>().join("\n"))
        }
        _ => None,
    }
}

fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// A call of Codex as its hooks get it: shells of whatever name are `Bash`.
fn codex_call(item: &Fields) -> Option<(String, Value)> {
    let text = |name: &str| item.get(name).and_then(Value::as_str).unwrap_or_default();
    if text("type") == "local_shell_call" {
        let command = command_line(item.get("action")?.get("command")?)?;
        return Some(("Bash".to_owned(), json!({ "command": command })));
    }
    let input = match item.get("arguments").or_else(|| item.get("input"))? {
        Value::String(text) => serde_json::from_str(text).unwrap_or_else(|_| json!({ "command": text })),
        other => other.clone(),
    };
    let shell = matches!(text("name"), "shell" | "shell_command" | "exec_command" | "local_shell" | "container.exec");
    if !shell {
        return Some((text("name").to_owned(), input));
    }
    let command = input.get("command").or_else(|| input.get("cmd")).and_then(command_line)?;
    Some(("Bash".to_owned(), json!({ "command": command })))
}

/// A command as one line: of `bash -lc LINE`, the line; of other words, these, quoted where they must be.
fn command_line(command: &Value) -> Option<String> {
    let words = match command {
        Value::String(line) => return Some(line.clone()),
        Value::Array(words) => words.iter().map(Value::as_str).collect::<Option<Vec<_>>>()?,
        _ => return None,
    };
    if let [shell, "-c" | "-lc", line] = words.as_slice()
        && shell.rsplit('/').next().is_some_and(|name| matches!(name, "sh" | "bash" | "zsh"))
    {
        return Some((*line).to_owned());
    }
    let plain = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || "-_./=:,@%+".contains(c));
    let quoted =
        |word: &&str| if plain(word) { (*word).to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) };
    Some(words.iter().map(quoted).collect::<Vec<_>>().join(" "))
}

/// What a tool of Gemini answered, or why it failed.
fn gemini_response(result: &Value) -> Option<Value> {
    let response = result.as_array()?.iter().find_map(|part| part.get("functionResponse")?.get("response"))?;
    Some(match response.get("error") {
        Some(error) => json!({ "error": error }),
        None => json!({ "llmContent": response.get("output").cloned().unwrap_or_else(|| response.clone()) }),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Name, subject and content of the events that lines stand for.
    fn told(lines: &[Value]) -> Vec<String> {
        let mut tape = Tape::new("t", CLAUDE);
        let events = lines.iter().flat_map(|line| tape.line(1, line.to_string().as_bytes()).expect("JSON"));
        events
            .map(|event| format!("{} {} {}", event.event.name, event.subject().unwrap_or("-"), event.about()))
            .collect()
    }

    #[test]
    fn claude_code_has_prompts_calls_and_results() {
        let line = |kind: &str, content: Value| json!({ "type": kind, "sessionId": "s", "cwd": "/p", "message": { "content": content } });
        let lines = [
            line("user", json!("look")),
            line(
                "assistant",
                json!([{ "type": "text", "text": "so" }, { "type": "tool_use", "id": "1", "name": "Bash", "input": { "command": "ls" } }]),
            ),
            line("user", json!([{ "type": "tool_result", "tool_use_id": "1", "content": "a" }])),
            json!({ "type": "user", "isMeta": true, "sessionId": "s", "message": { "content": "not typed" } }),
        ];
        assert_eq!(told(&lines), ["UserPromptSubmit - look", "PreToolUse Bash ls", "PostToolUse Bash ls"]);
    }

    #[test]
    fn codex_has_them_in_items() {
        let item = |payload: Value| json!({ "timestamp": "2026-02-01T10:00:00Z", "type": "response_item", "payload": payload });
        let call = json!({ "type": "function_call", "name": "shell", "call_id": "c", "arguments": "{\"command\":[\"bash\",\"-lc\",\"git status\"]}" });
        let lines = [
            json!({ "timestamp": "t", "type": "session_meta", "payload": { "id": "s", "cwd": "/p" } }),
            item(
                json!({ "type": "message", "role": "user", "content": [{ "type": "input_text", "text": "<environment_context>" }] }),
            ),
            item(json!({ "type": "message", "role": "user", "content": [{ "type": "input_text", "text": "look" }] })),
            item(call),
            item(json!({ "type": "function_call_output", "call_id": "c", "output": "clean" })),
        ];
        assert_eq!(
            told(&lines),
            ["UserPromptSubmit - look", "PreToolUse Bash git status", "PostToolUse Bash git status"]
        );
        assert_eq!(command_line(&json!(["ls", "a b"])).as_deref(), Some("ls 'a b'"));
    }

    #[test]
    fn gemini_has_them_in_messages() {
        let call = json!({ "id": "1", "name": "run_shell_command", "args": { "command": "ls" }, "timestamp": "2026-02-01T10:00:00Z",
            "result": [{ "functionResponse": { "response": { "output": "a" } } }] });
        let whole = json!({ "sessionId": "s", "messages": [
            { "type": "user", "content": "look" },
            { "type": "gemini", "content": "", "toolCalls": [call] },
        ] });
        assert_eq!(told(&[whole]), ["UserPromptSubmit - look", "PreToolUse Bash ls", "PostToolUse Bash ls"]);
    }

    #[test]
    fn an_audit_trail_has_each_call_once() {
        let line = |hook: &str| {
            json!({ "v": 1, "time": "2026-02-01T10:00:00Z", "hook": hook, "event": "PreToolUse", "tool": "Bash",
            "input": { "command": "ls" }, "decision": "DENY", "session": "s", "project": "/p" })
        };
        assert_eq!(told(&[line("H1"), line("H2")]), ["PreToolUse Bash ls"]);
    }
}
