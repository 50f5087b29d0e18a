//! Recorded events, played to shipped plugins and to one of somebody else.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::catalogs::shipped;
use crate::support::{Run, hookgen, write};

const FORCE: &str = "git push --force origin main";

/// A transcript of one session: a look, and a push that loses history.
fn transcript(project: &Path) -> String {
    let call = |id: &str, command: &str| {
        json!({ "type": "assistant", "sessionId": "s1", "cwd": project, "message": { "role": "assistant", "content": [
            { "type": "text", "text": "Now:" },
            { "type": "tool_use", "id": id, "name": "Bash", "input": { "command": command } },
        ] } })
    };
    format!("{}\n{}\n{}\n", json!({ "type": "summary" }), call("1", "git status"), call("2", FORCE))
}

/// A folder with a project and a recording of it.
fn recording(lines: impl FnOnce(&Path) -> String) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let project = folder.path().join("project");
    fs::create_dir(&project).expect("created");
    write(&folder.path().join("session.jsonl"), lines(&project));
    folder
}

fn replay(folder: &Path, plugin: &str, more: &[&str]) -> Run {
    let plugin = shipped().join(plugin);
    let mut arguments = vec!["replay", plugin.to_str().expect("UTF-8"), "session.jsonl"];
    arguments.extend(more);
    hookgen(folder, arguments)
}

/// A plugin of somebody else: a line of shell that refuses events which hold a text.
fn of_another(folder: &Path, refused: &str) -> String {
    let command = format!("if grep -q '{refused}'; then echo 'Not that.' >&2; exit 2; fi");
    let hook = json!({ "type": "command", "command": command, "timeout": 5 });
    let registration = json!({ "hooks": { "PreToolUse": [{ "matcher": "Bash", "hooks": [hook] }] } });
    write(&folder.join("other/hooks/hooks.json"), registration.to_string());
    folder.join("other").to_str().expect("UTF-8").to_owned()
}

#[test]
fn a_transcript_shows_what_would_have_been_stopped() {
    let folder = recording(transcript);
    let run = replay(folder.path(), "safety", &[]).exits(0);
    let expected = format!(
        "S01 forces-push  DENY  1\n    session.jsonl:3  {FORCE}\n2 events: 1 passed, 0 allowed, 0 asked, 1 denied; 0 rewritten, 0 told\n"
    );
    assert_eq!(run.stdout, expected);
}

#[test]
fn rows_are_data_for_programs_too() {
    let folder = recording(transcript);
    let run = replay(folder.path(), "safety", &["--json"]).exits(0);
    let whole: Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!((&whole["events"], &whole["denied"], &whole["by"][0]["count"]), (&json!(2), &json!(1), &json!(1)));
    let rows = &whole["rows"];
    assert!(rows[0]["reason"].as_str().is_some_and(|reason| reason.contains("--force-with-lease")), "{rows}");
    assert_eq!(rows.as_array().map(Vec::len), Some(1));
    for (field, value) in [("decision", "denied"), ("subject", "Bash"), ("about", FORCE), ("event", "PreToolUse")] {
        assert_eq!(rows[0][field], value);
    }
}

#[test]
fn two_plugins_are_told_apart_by_what_they_decide() {
    let folder = recording(transcript);
    let same = shipped().join("safety");
    let run = replay(folder.path(), "safety", &["--against", same.to_str().expect("UTF-8")]).exits(0);
    assert_eq!(run.stdout, "2 events: 1 passed, 0 allowed, 0 asked, 1 denied; 0 rewritten, 0 told\n");
    let other = of_another(folder.path(), "git status");
    let run = replay(folder.path(), "safety", &["--against", &other]).exits(1);
    assert!(run.stdout.ends_with("; 2 changed\n"), "{}", run.stdout);
    assert!(run.stdout.contains("denied -> passed  session.jsonl:2  Bash  git status\n"), "{}", run.stdout);
    assert!(run.stdout.contains(&format!("passed -> denied  session.jsonl:3  Bash  {FORCE}\n")), "{}", run.stdout);
}

#[test]
fn what_is_rewritten_is_shown_and_counted() {
    let folder = recording(transcript);
    let other = of_another(folder.path(), "nothing");
    let answer = json!({ "hookSpecificOutput": {
        "hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": { "command": "ls" },
    } });
    let hook =
        json!({ "type": "command", "command": format!("grep -q status && echo '{answer}' || true"), "timeout": 5 });
    let registration = json!({ "hooks": { "PreToolUse": [{ "matcher": "Bash", "hooks": [hook] }] } });
    write(&Path::new(&other).join("hooks/hooks.json"), registration.to_string());
    let run = hookgen(folder.path(), ["replay", &other, "session.jsonl"]).exits(0);
    let expected = "allowed, rewritten  session.jsonl:2  Bash  git status\n    with {\"command\":\"ls\"}\n\
                    2 events: 1 passed, 1 allowed, 0 asked, 0 denied; 1 rewritten, 0 told\n";
    assert_eq!(run.stdout, expected);
}

#[test]
fn the_recorded_project_is_neither_read_nor_written() {
    let written = |project: &Path| {
        let file = project.join("src/a.py");
        let payload = json!({
            "session_id": "s1", "transcript_path": "/t", "cwd": project, "hook_event_name": "PostToolUse",
            "tool_name": "Write", "tool_input": { "file_path": file, "content": "x = 1\n" }, "tool_response": {},
        });
        format!("{payload}\n")
    };
    let folder = recording(written);
    let project = folder.path().join("project");
    let other = of_another(folder.path(), project.to_str().expect("UTF-8"));
    let registration = Path::new(&other).join("hooks/hooks.json");
    let after = fs::read_to_string(&registration).expect("there").replace("PreToolUse", "PostToolUse");
    write(&registration, after.replace("\"Bash\"", "\"Write\""));
    let run = hookgen(folder.path(), ["replay", &other, "session.jsonl"]).exits(0);
    assert_eq!(
        run.stdout, "1 event: 1 passed, 0 allowed, 0 asked, 0 denied; 0 rewritten, 0 told\n",
        "the hook sees another project"
    );
    replay(folder.path(), "guardian-harness", &[]).exits(0);
    assert_eq!(fs::read_dir(project).expect("there").count(), 0);
}

#[test]
fn nothing_to_play_and_no_plugin_could_not_run() {
    let folder = recording(|_| "not json\n{\"type\":\"summary\"}\n".to_owned());
    let run = replay(folder.path(), "safety", &[]).exits(2);
    assert_eq!(run.stdout, "");
    assert!(run.stderr.contains("left out 1 line, which is no JSON"), "{}", run.stderr);
    assert!(run.stderr.contains("error: nothing to play"), "{}", run.stderr);
    let run = hookgen(recording(transcript).path(), ["replay", "no-plugin", "session.jsonl"]).exits(2);
    assert!(run.stderr.contains("is neither the folder of a plugin nor a catalog"), "{}", run.stderr);
}

/// A recording of each agent that writes one down, of the same look and push.
fn transcripts() -> Vec<(&'static str, String)> {
    let item =
        |payload: Value| json!({ "timestamp": "2026-02-04T10:00:00Z", "type": "response_item", "payload": payload });
    let call = |id: &str, line: &str| {
        let arguments = json!({ "command": ["bash", "-lc", line] }).to_string();
        item(json!({ "type": "function_call", "name": "shell", "call_id": id, "arguments": arguments }))
    };
    let meta =
        json!({ "timestamp": "2026-02-04T10:00:00Z", "type": "session_meta", "payload": { "id": "s", "cwd": "/p" } });
    let codex = [meta, call("1", "git status"), call("2", FORCE)].map(|line| line.to_string()).join("\n");
    let called = |line: &str| json!({ "name": "run_shell_command", "args": { "command": line }, "timestamp": "2026-02-04T10:00:00Z" });
    let messages = json!([{ "type": "gemini", "content": "", "toolCalls": [called("git status"), called(FORCE)] }]);
    let gemini = serde_json::to_string_pretty(&json!({ "sessionId": "s", "messages": messages })).expect("JSON");
    let line = |line: &str| {
        json!({ "v": 1, "time": "2026-02-04T10:00:00Z", "hook": "S01", "event": "PreToolUse", "tool": "Bash",
            "input": { "command": line }, "decision": "ALLOW", "session": "s", "project": "/p" })
    };
    let trail = [line("git status"), line(FORCE)].map(|line| line.to_string()).join("\n");
    vec![("codex", codex), ("gemini", gemini), ("trail", trail)]
}

const CATALOG: &str = "catalog: small\nversion: 1.0.0\ndescription: Small.\nhooks:\n  - id: H01\n    name: guard\n    event: PreToolUse\n    matcher: Bash\n    timeout: 3s\n    fail_safe: closed\n    why: It leaves the machine.\n    checks:\n      - id: push\n        when: tool_input.command.startsWith('git push')\n        deny: Not now.\n";

#[test]
fn a_catalog_is_evaluated_on_transcripts_of_any_agent() {
    for (agent, text) in transcripts() {
        let folder = tempfile::tempdir().expect("a folder");
        write(&folder.path().join("specs/small.yaml"), CATALOG);
        write(&folder.path().join("session.jsonl"), text);
        let run = hookgen(folder.path(), ["replay", "specs/small.yaml", "session.jsonl"]).exits(0);
        assert!(run.stdout.contains("H01 push  DENY  1\n"), "{agent}: {}", run.stdout);
        assert!(
            run.stdout.ends_with("2 events: 1 passed, 0 allowed, 0 asked, 1 denied; 0 rewritten, 0 told\n"),
            "{agent}: {}",
            run.stdout
        );
        let late =
            hookgen(folder.path(), ["replay", "specs/small.yaml", "session.jsonl", "--since", "2027-01-01"]).exits(2);
        assert!(late.stderr.contains("nothing to play"), "{agent}: {}", late.stderr);
    }
}

#[test]
fn only_what_changed_is_shown_and_shares_make_the_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    write(&folder.path().join("specs/small.yaml"), CATALOG);
    write(&folder.path().join("old/small.yaml"), CATALOG.replace("Not now.", "Never."));
    let line = |session: usize| {
        json!({ "hook_event_name": "PreToolUse", "session_id": format!("s{session}"), "cwd": "/p", "tool_name": "Bash",
            "tool_input": { "command": FORCE } })
    };
    let text: String = (0..20).map(|session| format!("{}\n", line(session))).collect();
    write(&folder.path().join("session.jsonl"), text);
    let play = |more: &[&str]| {
        let arguments = ["replay", "specs/small.yaml", "session.jsonl", "--json"].iter().chain(more).copied();
        hookgen(folder.path(), arguments.collect::<Vec<_>>())
    };
    let whole: Value = serde_json::from_str(&play(&["--against", "old/small.yaml"]).exits(1).stdout).expect("JSON");
    assert_eq!((&whole["changes"], whole["rows"].as_array().map(Vec::len)), (&json!({ "other_words": 20 }), Some(20)));
    let events = |part: &str| {
        let whole: Value = serde_json::from_str(&play(&["--part", part]).exits(0).stdout).expect("JSON");
        whole["events"].as_u64().unwrap_or_default()
    };
    assert_eq!(events("1/2") + events("2/2"), 20);
    let page = folder.path().join("page.html");
    play(&["--html", page.to_str().expect("UTF-8")]).exits(0);
    let page = fs::read_to_string(page).expect("written");
    for part in ["\"reason\":\"Not now.", "\"decision\":\"DENY\"", "\"catalog\":\"small\""] {
        assert!(page.contains(part), "{part}\n{page}");
    }
}
