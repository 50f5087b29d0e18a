//! What holds of all clients: what is written for a test is read back, and what they really send is understood.

use super::*;
use crate::json::Many;

fn object(text: &str) -> Fields<'static> {
    match Json::parse(text).expect("valid") {
        Json::Object(fields) => fields.into_vec(),
        other => panic!("{}", other.kind()),
    }
}

fn sorted(mut fields: Fields<'static>) -> String {
    fields.sort_by(|one, other| one.0.cmp(&other.0));
    Json::Object(Many::Owned(fields)).to_string()
}

fn read(agent: &str, event: &str, text: &str) -> Vec<String> {
    let client = named(agent).expect("known");
    let reading = (client.read)(object(text), client.event(event).expect("an event")).expect("read");
    reading.calls.into_iter().map(|call| Json::Object(Many::Owned(call)).to_string()).collect()
}

/// Events in the words of catalogs that every client can send, if it has the event and the tool.
const EVENTS: &[(&str, &str)] = &[
    (
        "PreToolUse",
        r#"{"session_id":"s","cwd":"/p","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls -l"}}"#,
    ),
    (
        "PreToolUse",
        r#"{"session_id":"s","cwd":"/p","hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":"/p/a","content":"x\ny\n"}}"#,
    ),
    (
        "PreToolUse",
        r#"{"session_id":"s","cwd":"/p","hook_event_name":"PreToolUse","tool_name":"Edit","tool_input":{"file_path":"/p/a","old_string":"x","new_string":"y\nz"}}"#,
    ),
    (
        "PostToolUse",
        r#"{"session_id":"s","cwd":"/p","hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"ls"},"tool_response":{"stdout":"a"}}"#,
    ),
    ("UserPromptSubmit", r#"{"session_id":"s","cwd":"/p","hook_event_name":"UserPromptSubmit","prompt":"do it"}"#),
    ("SessionStart", r#"{"session_id":"s","cwd":"/p","hook_event_name":"SessionStart","source":"startup"}"#),
    ("Stop", r#"{"session_id":"s","cwd":"/p","hook_event_name":"Stop","stop_hook_active":false}"#),
];

#[test]
fn names_are_unique_and_rows_are_events_of_catalogs() {
    for (place, client) in CLIENTS.iter().enumerate() {
        assert!(CLIENTS[..place].iter().all(|earlier| earlier.name != client.name), "{}", client.name);
        for event in client.events {
            assert!(Event::named(event.name).is_some(), "{} {}", client.name, event.name);
            assert_eq!(client.events.iter().filter(|other| other.name == event.name).count(), 1, "{}", client.name);
        }
        assert!(client.event("PreToolUse").is_some(), "{}", client.name);
    }
}

#[test]
fn what_is_written_for_a_test_is_read_back() {
    for client in CLIENTS {
        let mut played = 0;
        for (name, text) in EVENTS {
            let (Some(event), fields) = (client.event(name), object(text)) else { continue };
            let Some(native) = (client.encode)(fields.clone(), event) else { continue };
            let mut reading = (client.read)(native, event).expect("read");
            assert_eq!(reading.calls.len(), 1, "{} {text}", client.name);
            let known: Vec<_> = fields.iter().map(|(key, _)| key.to_string()).collect();
            let mut call = reading.calls.remove(0);
            call.retain(|(key, _)| known.contains(&key.to_string()));
            assert_eq!(sorted(call), sorted(fields), "{}", client.name);
            played += 1;
        }
        assert!(played >= 4, "{} could be sent {played} events", client.name);
    }
}

#[test]
fn tools_and_fields_have_their_names_in_catalogs() {
    for (agent, text, expected) in [
        (
            "gemini",
            r#"{"hook_event_name":"BeforeTool","cwd":"/p","tool_name":"write_file","tool_input":{"file_path":"a/b","content":"x"}}"#,
            r#""tool_name":"Write","tool_input":{"file_path":"/p/a/b","content":"x"}"#,
        ),
        (
            "copilot",
            r#"{"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"path":"/p/a","file_text":"x"}}"#,
            r#"{"file_path":"/p/a","content":"x"}"#,
        ),
        (
            "kimi-code",
            r#"{"hook_event_name":"PreToolUse","tool_name":"Edit","tool_input":{"path":"/p/a","old_string":"x","new_string":"y"}}"#,
            r#""file_path":"/p/a""#,
        ),
        (
            "droid",
            r#"{"hook_event_name":"PreToolUse","tool_name":"Execute","tool_input":{"command":"ls","summary":"s"}}"#,
            r#""tool_name":"Bash","#,
        ),
        (
            "auggie",
            r#"{"hook_event_name":"PreToolUse","workspace_roots":["/p"],"tool_name":"str-replace-editor","tool_input":{"path":"a","old_str_1":"x","new_str_1":"y","old_str_2":"z","new_str_2":"w"}}"#,
            r#""file_path":"/p/a","old_string":"x\nz","new_string":"y\nw""#,
        ),
        (
            "auggie",
            r#"{"hook_event_name":"PreToolUse","tool_name":"query","is_mcp_tool":true,"tool_input":{}}"#,
            r#""tool_name":"mcp____query""#,
        ),
        (
            "gemini",
            r#"{"hook_event_name":"BeforeTool","tool_name":"mcp_db_run","mcp_context":{"server_name":"db"},"tool_input":{}}"#,
            r#""tool_name":"mcp__db__run""#,
        ),
        (
            "opencode",
            r#"{"hook_event_name":"tool.execute.before","tool_name":"edit","tool_input":{"filePath":"/p/a","oldString":"x","newString":"y"}}"#,
            r#"{"file_path":"/p/a","old_string":"x","new_string":"y"}"#,
        ),
        (
            "cline",
            r#"{"hookName":"tool_call","workspaceRoots":["/p"],"tool_call":{"id":"1","name":"editor","input":{"path":"/p/a","new_text":"x"}}}"#,
            r#""tool_name":"Write","tool_input":{"file_path":"/p/a","content":"x"}"#,
        ),
    ] {
        let read = read(agent, "PreToolUse", text);
        assert!(
            read[0].contains(expected) || expected.split(',').all(|part| read[0].contains(part)),
            "{agent}: {}",
            read[0]
        );
        assert!(read[0].contains(r#""hook_event_name":"PreToolUse""#), "{agent}: {}", read[0]);
    }
}

#[test]
fn a_patch_and_a_list_of_commands_are_several_calls() {
    let patch = r#"{"hook_event_name":"PreToolUse","cwd":"/p","tool_name":"apply_patch","tool_input":{"command":"*** Begin Patch\n*** Add File: a\n+x\n*** Delete File: b\n*** End Patch\n"}}"#;
    let calls = read("codex", "PreToolUse", patch);
    assert_eq!(calls.len(), 2);
    assert!(
        calls[0].contains(r#""file_path":"/p/a","content":"x\n""#) && calls[1].contains(r#""file_path":"/p/b""#),
        "{calls:?}"
    );
    let lines = r#"{"hookName":"tool_call","tool_call":{"name":"run_commands","input":{"commands":["ls","pwd"]}}}"#;
    let calls = read("cline", "PreToolUse", lines);
    assert!(calls.len() == 2 && calls[1].contains(r#"{"command":"pwd"}"#), "{calls:?}");
    let codex = named("codex").expect("known");
    let broken = object(r#"{"tool_name":"apply_patch","tool_input":{"command":"rm"}}"#);
    assert!((codex.read)(broken, codex.event("PreToolUse").expect("known")).is_err());
}

#[test]
fn what_is_no_event_of_a_person_is_none_to_a_hook() {
    assert!(read("qwen", "UserPromptSubmit", r#"{"hook_event_name":"UserPromptSubmit","prompt":""}"#).is_empty());
    let prompt = r#"{"hook_event_name":"UserPromptSubmit","prompt":[{"type":"text","text":"a"},{"type":"image"}]}"#;
    assert!(read("kimi-code", "UserPromptSubmit", prompt)[0].contains(r#""prompt":"a""#));
    let failed = r#"{"hook_event_name":"AfterTool","tool_name":"replace","tool_input":{},"tool_response":{"error":{"message":"no"}}}"#;
    assert!(read("gemini", "PostToolUse", failed)[0].contains(r#""hook_event_name":"PostToolUseFailure""#));
}
