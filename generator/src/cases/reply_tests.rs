use serde_json::json;

use super::*;

fn read(event: &str, code: i32, stdout: &str, stderr: &str) -> Reply {
    let answer = Answer { end: End::Exited(code), stdout: stdout.into(), stderr: stderr.into() };
    Reply::read(Event::named(event).expect("known"), Running::Awaited, &answer)
}

fn json_reply(event: &str, reply: &Value) -> Reply {
    let read = read(event, 0, &reply.to_string(), "");
    assert_eq!(read.faults, Vec::<String>::new(), "{reply}");
    read
}

#[test]
fn silence_passes_on_every_event() {
    for event in hookgen_runtime::EVENTS {
        let reply = read(event.name, 0, "", "");
        assert_eq!((reply.decision, reply.all(), reply.faults.len()), (Decision::Pass, String::new(), 0));
    }
}

#[test]
fn a_permission_decision_is_read_with_its_reason() {
    for (word, decision) in [("deny", Decision::Deny), ("ask", Decision::Ask), ("allow", Decision::Allow)] {
        let reply = json_reply(
            "PreToolUse",
            &json!({"hookSpecificOutput": {
                "hookEventName": "PreToolUse", "permissionDecision": word, "permissionDecisionReason": "because"}}),
        );
        assert_eq!(reply.decision, decision);
        assert_eq!(reply.to_person(), "because");
        assert_eq!(reply.to_model().is_empty(), word == "allow");
    }
}

#[test]
fn exit_code_2_refuses_where_the_event_can_be_refused() {
    for (event, decision) in [
        ("PreToolUse", Decision::Deny),
        ("PostToolUse", Decision::Deny),
        ("Stop", Decision::Deny),
        ("PreCompact", Decision::Deny),
        ("SessionStart", Decision::Pass),
        ("PermissionRequest", Decision::Pass),
    ] {
        assert_eq!(read(event, 2, "", "no").decision, decision, "{event}");
    }
    assert_eq!(read("PreToolUse", 2, "", "no\n").to_model(), "no");
    let prompt = read("UserPromptSubmit", 2, "", "no");
    assert_eq!((prompt.to_model(), prompt.to_person()), (String::new(), "no".to_owned()));
}

#[test]
fn exit_code_2_of_a_waking_hook_reaches_the_model_on_every_event() {
    let answer = Answer { end: End::Exited(2), stdout: Vec::new(), stderr: "late".into() };
    for event in ["PostToolUse", "PermissionRequest", "UserPromptSubmit"] {
        let event = Event::named(event).expect("known");
        let woken = Reply::read(event, Running::Waking, &answer);
        assert_eq!((woken.decision, woken.to_model().as_str()), (Decision::Deny, "late"), "{}", event.name);
    }
}

#[test]
fn the_reason_in_the_json_takes_the_place_of_standard_error() {
    let reply = read("Stop", 2, r#"{"decision":"block","reason":"json"}"#, "stderr");
    assert_eq!((reply.decision, reply.to_model().as_str()), (Decision::Deny, "json"));
    assert!(reply.all().contains("stderr"));
}

#[test]
fn other_ends_are_faults() {
    for end in [End::Exited(1), End::Exited(101), End::Killed, End::TimedOut, End::OutputHeld] {
        let answer = Answer { end, ..Answer::default() };
        assert_eq!(
            Reply::read(Event::named("Stop").expect("known"), Running::Awaited, &answer).faults.len(),
            1,
            "{end}"
        );
    }
}

#[test]
fn replies_that_the_client_drops_are_faults() {
    let specific = |fields: &str| format!(r#"{{"decision":"block","hookSpecificOutput":{{{fields}}}}}"#);
    for (event, stdout) in [
        ("PreToolUse", r#"{"systemMessage":null,"decision":"block"}"#.to_owned()),
        ("PreToolUse", specific(r#""hookEventName":"PreToolUse","additionalContext":null"#)),
        ("PreToolUse", specific(r#""hookEventName":"PreToolUse","updatedInput":null"#)),
        ("PreToolUse", specific(r#""hookEventName":"PostToolUse""#)),
        ("PreToolUse", specific(r#""permissionDecision":"deny""#)),
        ("PreToolUse", specific(r#""hookEventName":"PreToolUse","permissionDecision":"block""#)),
        ("PermissionRequest", specific(r#""hookEventName":"PermissionRequest","decision":{"behavior":"ask"}"#)),
        ("TaskCreated", specific(r#""hookEventName":"TaskCreated""#)),
        ("Stop", r#"{"decision":"deny"}"#.to_owned()),
        ("Stop", r#"{"reason":1}"#.to_owned()),
        ("Stop", "{\"decision\":\"block\"}\n{\"decision\":\"block\"}".to_owned()),
        ("Stop", "{\"decision\":\"block\"} done".to_owned()),
        ("Stop", "log line\n{\"decision\":\"block\"}".to_owned()),
        ("Stop", r#"{"decision":"block""#.to_owned()),
        ("PreCompact", r#"{"systemMessage":"x"}"#.to_owned()),
        ("PostCompact", "{}".to_owned()),
    ] {
        let reply = read(event, 0, &stdout, "");
        assert_eq!((reply.faults.len(), reply.decision), (1, Decision::Pass), "{event}: {stdout}");
    }
}

#[test]
fn look_alikes_of_dropped_replies_are_fine() {
    for (event, stdout) in [
        ("SessionStart", "use this:\n{\"name\": \"x\"}"),
        ("PreCompact", "keep {braces}"),
        ("Stop", " {\n  \"decision\": \"block\",\n  \"reason\": \"null\"\n}\n"),
        (
            "PreToolUse",
            r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"ls","timeout":null}}}"#,
        ),
    ] {
        assert_eq!(read(event, 0, stdout, "").faults, Vec::<String>::new(), "{event}: {stdout}");
    }
}

#[test]
fn bytes_that_are_no_text_are_a_fault() {
    let answer = Answer { end: End::Exited(0), stdout: vec![0xff], stderr: Vec::new() };
    assert_eq!(Reply::read(Event::named("Stop").expect("known"), Running::Awaited, &answer).faults.len(), 1);
}

#[test]
fn plain_text_reaches_whom_the_client_passes_it_to() {
    for event in ["SessionStart", "UserPromptSubmit", "UserPromptExpansion", "PostModelSwitch", "PreCompact"] {
        assert_eq!(read(event, 0, "note\n", "").to_model(), "note", "{event}");
    }
    assert_eq!(read("PostCompact", 0, "note", "").to_person(), "note");
    let unheard = read("PreToolUse", 0, "note", "");
    assert_eq!((unheard.to_model(), unheard.to_person(), unheard.all()), (String::new(), String::new(), "note".into()));
}

#[test]
fn added_context_goes_to_the_model_and_keeps_a_stopping_turn_going() {
    let context = |event: &str| {
        json_reply(event, &json!({"hookSpecificOutput": {"hookEventName": event, "additionalContext": "note"}}))
    };
    for (event, decision) in
        [("PostToolUse", Decision::Pass), ("Stop", Decision::Deny), ("SubagentStop", Decision::Deny)]
    {
        let reply = context(event);
        assert_eq!((reply.decision, reply.to_model().as_str()), (decision, "note"), "{event}");
    }
}

#[test]
fn messages_go_to_the_person_and_from_the_background_to_the_model() {
    let message = json!({"systemMessage": "note"});
    let reply = json_reply("PostToolUse", &message);
    assert_eq!((reply.to_model(), reply.to_person()), (String::new(), "note".to_owned()));
    let answer = Answer { end: End::Exited(0), stdout: message.to_string().into(), stderr: Vec::new() };
    let background = Reply::read(Event::named("TaskCompleted").expect("known"), Running::Background, &answer);
    assert_eq!((background.to_model(), background.to_person()), ("note".to_owned(), String::new()));
}

#[test]
fn a_behaviour_decides_a_permission_request() {
    for (word, decision) in [("deny", Decision::Deny), ("allow", Decision::Allow)] {
        let reply = json_reply(
            "PermissionRequest",
            &json!({"hookSpecificOutput": {
                "hookEventName": "PermissionRequest", "decision": {"behavior": word, "message": "because"}}}),
        );
        assert_eq!((reply.decision, reply.to_model().as_str()), (decision, "because"));
    }
}

#[test]
fn a_rewritten_input_is_kept() {
    let reply = json_reply(
        "PreToolUse",
        &json!({"hookSpecificOutput": {"hookEventName": "PreToolUse", "updatedInput": {"command": "ls"}}}),
    );
    assert_eq!(reply.decision, Decision::Pass);
    assert_eq!(Value::Object(reply.updated.expect("rewritten")), json!({"command": "ls"}));
}

#[test]
fn ending_the_turn_counts_where_it_stops_the_action() {
    for (event, decision) in
        [("UserPromptSubmit", Decision::Deny), ("PreToolUse", Decision::Pass), ("SessionStart", Decision::Pass)]
    {
        assert_eq!(json_reply(event, &json!({"continue": false})).decision, decision, "{event}");
    }
}
