//! The subagent that an event is about, whichever event tells of it.
//!
//! The client speaks of a subagent twice: in events of its own, and in those of the tool call that started it. A fact
//! that is worded with these works on both.

use std::borrow::Cow;

use super::transcript;
use crate::call::Call;
use crate::json::Json;
use crate::node::Node;
use crate::signature::function;

/// The kind of subagent: the one that the tool call is for, else the one in which the event happens.
pub fn subagent_name(call: &Call<'_>) -> String {
    name(call.payload()).into_owned()
}

/// What the subagent said last, where the event tells of its end; else empty.
pub fn subagent_output(call: &Call<'_>) -> String {
    let told = output(call.payload(), call.event().name);
    if told.is_empty() && call.event().name == "SubagentStop" { recorded(call) } else { told }
}

/// The agent's last words in its own transcript, or else in that of the session: older clients say no more than where
/// they are.
fn recorded(call: &Call<'_>) -> String {
    let end = |field: &str| {
        let file = call.payload().at(field).text().unwrap_or_default().into_owned();
        transcript::end_of(call, &file)
    };
    let own = last_words(&end("agent_transcript_path"), |_| true);
    let agent = call.payload().at("agent_id").text().unwrap_or_default();
    own.or_else(|| last_words_inside(&end("transcript_path"), &agent)).unwrap_or_default()
}

/// What the agent said last in a session's transcript. Where no entry says whether it is a subagent's, all of them may be.
fn last_words_inside(session: &str, agent: &str) -> Option<String> {
    let is_marked = session.contains("\"isSidechain\"");
    let is_own = |entry: &Json<'_>| match entry.get("agentId") {
        Some(Json::Text(id)) => agent.is_empty() || id.as_ref() == agent,
        _ => true,
    };
    let is_inner = |entry: &Json<'_>| matches!(entry.get("isSidechain"), Some(Json::Bool(true)));
    last_words(session, |entry| !is_marked || is_inner(entry) && is_own(entry))
}

/// What the assistant said last, in the entries that count.
fn last_words(transcript: &str, counts: impl Fn(&Json<'_>) -> bool) -> Option<String> {
    let said_in = |entry: &Json<'_>| {
        transcript::content(entry)
            .filter(|_| transcript::is_by(entry, "assistant") && counts(entry))
            .map(said)
            .filter(|text| !text.is_empty())
    };
    let lines = transcript.lines().rev().filter(|line| line.contains("assistant"));
    lines.filter_map(|line| Json::parse(line).ok()).find_map(|entry| said_in(&entry))
}

fn name(payload: Node<'_>) -> Cow<'_, str> {
    let of =
        if is_agent_call(payload) { payload.at("tool_input").at("subagent_type") } else { payload.at("agent_type") };
    of.text().unwrap_or_default()
}

fn output(payload: Node<'_>, event: &str) -> String {
    match event {
        "SubagentStop" => said(payload.at("last_assistant_message").json()),
        "PostToolUse" if is_agent_call(payload) => said(payload.at("tool_response").json()),
        _ => String::new(),
    }
}

fn is_agent_call(payload: Node<'_>) -> bool {
    payload.at("tool_name").text().is_ok_and(|tool| tool == "Agent")
}

/// The text of a message: bare, or in blocks, or in the content of a result. Its depth is that of a parsed value.
fn said(message: &Json<'_>) -> String {
    match message {
        Json::Text(text) => text.to_string(),
        Json::List(blocks) => {
            let texts: Vec<String> = blocks.iter().map(said).filter(|text| !text.is_empty()).collect();
            texts.join("\n")
        }
        Json::Object(_) => {
            ["text", "content", "result"].iter().find_map(|part| message.get(part)).map(said).unwrap_or_default()
        }
        _ => String::new(),
    }
}

function! {
    NAME: subagent_name,
    name: "subagent.name",
    params: {},
    result: Text,
    powers: [Event],
    doc: "The kind of subagent that the event is about: the one that an Agent call starts, else the one in which the \
           event happens. Empty in the main conversation.",
    example: "subagent.name == ''",
}

function! {
    OUTPUT: subagent_output,
    name: "subagent.output",
    params: {},
    result: Text,
    powers: [Event, Files],
    doc: "What the subagent said last, on SubagentStop and on PostToolUse of the Agent tool; where the event does not \
           tell, as its transcript records it. Empty elsewhere.",
    example: "subagent.output == ''",
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::node::Origin;

    fn read(event: &str, text: &str) -> (String, String) {
        let json = Json::parse(text).expect(text);
        let payload = Node::new(&json, Origin::Payload);
        (name(payload).into_owned(), output(payload, event))
    }

    fn pair(name: &str, output: &str) -> (String, String) {
        (name.to_owned(), output.to_owned())
    }

    #[test]
    fn both_events_tell_the_same() {
        let stop = read("SubagentStop", r#"{"agent_type":"qa","last_assistant_message":"done"}"#);
        assert_eq!(stop, pair("qa", "done"));
        for response in [
            r#""done""#,
            r#"{"content":[{"type":"text","text":"done"}]}"#,
            r#"{"content":"done"}"#,
            r#"[{"text":"done"}]"#,
            r#"{"result":"done","duration_ms":7}"#,
        ] {
            let input = r#""tool_name":"Agent","agent_type":"lead","tool_input":{"subagent_type":"qa"}"#;
            assert_eq!(read("PostToolUse", &format!(r#"{{{input},"tool_response":{response}}}"#)), pair("qa", "done"));
        }
    }

    #[test]
    fn a_transcript_tells_what_the_event_does_not() {
        let line = |kind: &str, inner: bool, content: &str| {
            format!(r#"{{"type":"{kind}","isSidechain":{inner},"message":{{"role":"{kind}","content":{content}}}}}"#)
        };
        let lines = [
            line("assistant", true, r#""first""#),
            line("assistant", true, r#"[{"type":"text","text":"second"},{"type":"tool_use","name":"Bash"}]"#),
            line("user", true, r#""asked""#),
            line("assistant", false, r#""outside""#),
            "{\"type\":\"assistant\",\"mess".to_owned(),
        ];
        let text = lines.join("\n");
        assert_eq!(last_words_inside(&text, "a1").as_deref(), Some("second"));
        assert_eq!(last_words(&text, |_| true).as_deref(), Some("outside"));
        let older = r#"{"role":"assistant","content":"older"}"#;
        assert_eq!(last_words_inside(older, "a1").as_deref(), Some("older"));
        assert_eq!(last_words_inside("", ""), None);
    }

    #[test]
    fn of_two_agents_in_a_session_each_has_its_own_words() {
        let line = |id: &str| {
            format!(r#"{{"type":"assistant","isSidechain":true,"agentId":"{id}","message":{{"content":"by {id}"}}}}"#)
        };
        let session = [line("a1"), line("a2")].join("\n");
        assert_eq!(last_words_inside(&session, "a1").as_deref(), Some("by a1"));
        assert_eq!(last_words_inside(&session, "").as_deref(), Some("by a2"));
        assert_eq!(last_words_inside(&session, "a3"), None);
    }

    #[test]
    fn other_tools_and_events_have_no_output() {
        let bash = r#"{"tool_name":"Bash","agent_type":"qa","tool_response":{"text":"done"}}"#;
        assert_eq!(read("PostToolUse", bash), pair("qa", ""));
        assert_eq!(read("SubagentStart", r#"{"agent_type":"qa"}"#), pair("qa", ""));
        assert_eq!(read("PostToolUse", r#"{"tool_name":"Agent","tool_response":7}"#), pair("", ""));
    }
}
