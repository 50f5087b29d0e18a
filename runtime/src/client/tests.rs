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
fn a_path_of_another_place_stays_there() {
    let event = |path: &str| {
        format!(r#"{{"cwd":"/p","tool_name":"write_file","tool_input":{{"file_path":"{path}","content":"x"}}}}"#)
    };
    for path in ["~/.ssh/config", "file:///etc/x", "FILE:/etc/x", " /etc/x", " ~/x"] {
        let read = read("gemini", "PreToolUse", &event(path));
        assert!(read[0].contains(&format!(r#""file_path":"{path}""#)), "{}", read[0]);
    }
    assert!(read("gemini", "PreToolUse", &event("./a b"))[0].contains(r#""file_path":"/p/a b""#));
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
fn files_that_go_and_places_in_a_list_are_found() {
    let gone = r#"{"hook_event_name":"PreToolUse","workspace_roots":["/p"],"tool_name":"remove-files","tool_input":{"file_paths":["a b","/c"]}}"#;
    let calls = read("auggie", "PreToolUse", gone);
    assert!(
        calls.len() == 2
            && calls[0].contains(r#""tool_name":"Write","tool_input":{"file_path":"/p/a b","content":""}"#),
        "{calls:?}"
    );
    let auggie = named("auggie").expect("known");
    let odd = object(r#"{"tool_name":"remove-files","tool_input":{"file_paths":"a"}}"#);
    assert!((auggie.read)(odd, auggie.event("PreToolUse").expect("known")).is_err());
    let edit = r#"{"hook_event_name":"PreToolUse","workspace_roots":["/p"],"tool_name":"str-replace-editor","tool_input":{"command":"str_replace","path":"a","str_replace_entries":[{"old_str":"x","new_str":"y","old_str_start_line_number":1},{"old_str":"z","new_str":"w"}]}}"#;
    assert!(read("auggie", "PreToolUse", edit)[0].contains(r#""old_string":"x\nz","new_string":"y\nw""#));
}

#[test]
fn a_call_that_names_its_folder_happens_there() {
    for (agent, tool, field) in [
        ("gemini", "run_shell_command", "dir_path"),
        ("qwen", "run_shell_command", "directory"),
        ("qwen", "monitor", "directory"),
        ("kimi-code", "Bash", "cwd"),
        ("opencode", "bash", "workdir"),
    ] {
        let event = |folder: &str| {
            format!(r#"{{"cwd":"/p","tool_name":"{tool}","tool_input":{{"command":"ls","{field}":"{folder}"}}}}"#)
        };
        assert!(read(agent, "PreToolUse", &event("sub"))[0].contains(r#""cwd":"/p/sub""#), "{agent}");
        assert!(read(agent, "PreToolUse", &event("/else"))[0].contains(r#""cwd":"/else""#), "{agent}");
        assert!(read(agent, "PreToolUse", &event(""))[0].contains(r#""cwd":"/p""#), "{agent}");
    }
}

#[test]
fn whoever_runs_a_line_by_another_tool_is_heard_by_the_same_hooks() {
    assert_eq!(named("qwen").expect("known").tools_called("Bash"), ["run_shell_command", "monitor"]);
    assert_eq!(named("auggie").expect("known").tools_called("Bash"), ["launch-process", "write-process"]);
    assert_eq!(named("cline").expect("known").tools_called("Write"), ["editor", "apply_patch"]);
}

/// What the clients were seen to send, with the parts left out that no reader looks at: agent, event in catalogs, native
/// payload, and what it is in the words of catalogs, a call each.
const RECORDED: &str = include_str!("recorded.jsonl");

#[test]
fn what_was_recorded_is_read_and_written_back() {
    let mut seen: Vec<(String, String)> = Vec::new();
    for line in RECORDED.lines().filter(|line| !line.is_empty()) {
        let row = object(line);
        let text = |name: &str| text_of(&row, name).expect(name).to_owned();
        let (agent, name) = (text("agent"), text("event"));
        let client = named(&agent).expect("known");
        let sent = match find(&row, "sent") {
            Some(Json::Object(sent)) => sent.to_vec(),
            _ => panic!("{line}"),
        };
        let calls = client.calls(sent, Some(&name)).expect("read").expect("an event of the client's");
        let Some(Json::List(expected)) = find(&row, "calls") else { panic!("{line}") };
        assert_eq!(calls.len(), expected.len(), "{line}");
        for ((event, call), expected) in calls.into_iter().zip(expected.iter()) {
            let Json::Object(expected) = expected.clone().into_owned() else { panic!("{line}") };
            assert_eq!(event.name, name, "{line}");
            for (key, value) in expected.iter() {
                assert_eq!(find(&call, key).map(ToString::to_string), Some(value.to_string()), "{agent} {key}: {line}");
            }
            // Sent again by the writer for tests, it is the same event: the two do not drift apart.
            let row = client.event(event.name).expect("a row");
            if let Some(again) = (client.encode)(call.clone(), row) {
                let mut reading = (client.read)(again, row).expect("read again");
                let again = reading.calls.remove(0);
                for (key, _) in expected.iter() {
                    let of = |fields: &Fields<'_>| find(fields, key).map(ToString::to_string);
                    assert_eq!(of(&again), of(&call), "{agent} {key}: {line}");
                }
            }
        }
        seen.push((agent, name));
    }
    for client in CLIENTS.iter().filter(|client| matches!(client.known, Known::Run(_))) {
        let events = seen.iter().filter(|(agent, _)| agent == client.name).count();
        assert!(events >= 4, "{} has {events} recorded events", client.name);
    }
}

#[test]
fn what_is_no_event_of_a_person_is_none_to_a_hook() {
    assert!(read("qwen", "UserPromptSubmit", r#"{"hook_event_name":"UserPromptSubmit","prompt":""}"#).is_empty());
    let prompt = r#"{"hook_event_name":"UserPromptSubmit","prompt":[{"type":"text","text":"a"},{"type":"image"}]}"#;
    assert!(read("kimi-code", "UserPromptSubmit", prompt)[0].contains(r#""prompt":"a""#));
    let failed = r#"{"hook_event_name":"AfterTool","tool_name":"replace","tool_input":{},"tool_response":{"error":{"message":"no"}}}"#;
    assert!(read("gemini", "PostToolUse", failed)[0].contains(r#""hook_event_name":"PostToolUseFailure""#));
}
