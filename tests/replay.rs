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
    let lines: Vec<&str> = run.stdout.lines().collect();
    let [told, by, reason, summary] = lines.as_slice() else { panic!("{}", run.stdout) };
    assert_eq!(*told, format!("denied  session.jsonl:3  Bash  {FORCE}"));
    assert_eq!(*by, "    by S01 forces-push");
    assert!(reason.contains("--force-with-lease"), "{reason}");
    assert_eq!(*summary, "2 events: 1 passed, 0 allowed, 0 asked, 1 denied; 0 rewritten");
}

#[test]
fn rows_are_data_for_programs_too() {
    let folder = recording(transcript);
    let run = replay(folder.path(), "safety", &["--json"]).exits(0);
    let rows: Value = serde_json::from_str(&run.stdout).expect("JSON");
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
    assert_eq!(run.stdout, "2 events: 1 passed, 0 allowed, 0 asked, 1 denied; 0 rewritten; 0 decided otherwise\n");
    let other = of_another(folder.path(), "git status");
    let run = replay(folder.path(), "safety", &["--against", &other]).exits(1);
    assert!(run.stdout.ends_with("; 2 decided otherwise\n"), "{}", run.stdout);
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
                    2 events: 1 passed, 1 allowed, 0 asked, 0 denied; 1 rewritten\n";
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
        run.stdout, "1 event: 1 passed, 0 allowed, 0 asked, 0 denied; 0 rewritten\n",
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
    assert!(run.stderr.contains("is that a plugin?"), "{}", run.stderr);
}
