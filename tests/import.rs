//! `hookgen import`: hooks as people register them by hand, in folders, each with events and what the scripts decide.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::{command, copy, difference, feed, hookgen, refuse, tests, write};

/// What a catalog makes of an event, in the client's words.
fn decision(project: &Path, row: &Value) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let branch = row["given"]["branch"].as_str().unwrap_or("main");
    write(&folder.path().join(".git/HEAD"), format!("ref: refs/heads/{branch}\n"));
    for (name, text) in row["given"]["files"].as_object().into_iter().flatten() {
        write(&folder.path().join(name), text.as_str().expect("a text"));
    }
    let mut event = row["event"].clone();
    event["cwd"] = json!(folder.path());
    event["session_id"] = json!("s");
    let mut trace = command(project);
    trace.args(["trace", "imported", "--json"]).env("CLAUDE_PROJECT_DIR", folder.path());
    let run = feed(&mut trace, &event.to_string()).exits(0);
    let report: Value = serde_json::from_str(&run.stdout).expect("JSON");
    let failures: Vec<&Value> =
        report["hooks"].as_array().into_iter().flatten().filter(|hook| hook.get("failure").is_some()).collect();
    assert!(failures.is_empty(), "{failures:?}");
    let words = report["processes"].as_array().into_iter().flatten().map(|process| {
        let reply: Value = serde_json::from_str(process["stdout"].as_str().unwrap_or_default()).unwrap_or_default();
        let said = [&reply["hookSpecificOutput"]["permissionDecision"], &reply["decision"]];
        let said =
            said.iter().find_map(|word| word.as_str()).unwrap_or(if process["exit"] == 2 { "deny" } else { "pass" });
        if said == "block" { "deny".to_owned() } else { said.to_owned() }
    });
    let words: Vec<String> = words.collect();
    ["deny", "ask", "allow"]
        .iter()
        .find(|word| words.iter().any(|said| said == *word))
        .map_or("pass", |word| *word)
        .to_owned()
}

#[test]
fn what_is_imported_decides_as_the_scripts_did() {
    let mut differences = Vec::new();
    for case in ["shell", "speaking", "python", "lines", "hookify"] {
        let folder = tests().join("import").join(case);
        let project = tempfile::tempdir().expect("a folder");
        copy(&folder, project.path());
        let from = if case == "speaking" {
            "hooks/hooks.json"
        } else if case == "hookify" {
            ".claude"
        } else {
            ".claude/settings.json"
        };
        let code = i32::from(case == "hookify");
        let run = hookgen(project.path(), ["import", from]).exits(code);
        differences.extend(difference(&folder.join("list.txt"), &run.stdout));
        let text = fs::read_to_string(project.path().join("specs/imported.yaml")).expect("a catalog");
        differences.extend(difference(&folder.join("imported.yaml"), &text));
        hookgen(project.path(), ["build"]).exits(0);
        hookgen(project.path(), ["test"]).exits(0);
        for line in fs::read_to_string(folder.join("events.jsonl")).expect("events").lines() {
            let row: Value = serde_json::from_str(line).expect("JSON");
            let found = decision(project.path(), &row);
            if row["decision"] != found.as_str() {
                differences.push(format!("{case}: {found} for {line}"));
            }
        }
    }
    refuse(&differences);
}

#[test]
fn what_is_left_is_registered_as_it_was() {
    let project = tempfile::tempdir().expect("a folder");
    copy(&tests().join("import/speaking"), project.path());
    hookgen(project.path(), ["import", "hooks/hooks.json"]).exits(0);
    hookgen(project.path(), ["build"]).exits(0);
    let read = |path: &str| -> Value {
        serde_json::from_str(&fs::read_to_string(project.path().join(path)).expect(path)).expect("JSON")
    };
    let registered = read("generated/imported/hooks/hooks.json")["hooks"].to_string();
    for kept in [
        r#""command":"${CLAUDE_PLUGIN_ROOT}/bin/no-secrets","args":["--strict"]"#,
        r#""command":"python3 \"$CLAUDE_PROJECT_DIR\"/.claude/hooks/elsewhere.py""#,
        r#""type":"prompt","prompt":"Is this ours? $ARGUMENTS""#,
        r#""url":"http://127.0.0.1:9000/done""#,
        r#""async":true"#,
    ] {
        assert!(registered.contains(kept), "{kept} is not in {registered}");
    }
}

#[test]
fn a_catalog_that_is_there_is_not_written_over_and_nonsense_is_refused() {
    let project = tempfile::tempdir().expect("a folder");
    copy(&tests().join("import/shell"), project.path());
    write(&project.path().join("specs/imported.yaml"), "mine");
    hookgen(project.path(), ["import", ".claude/settings.json"]).exits(2);
    assert_eq!(fs::read_to_string(project.path().join("specs/imported.yaml")).expect("there"), "mine");
    write(&project.path().join("broken.json"), "{ \"hooks\": ");
    hookgen(project.path(), ["import", "broken.json", "--name", "other"]).exits(2);
    hookgen(project.path(), ["import", ".claude/settings.json", "--name", "Not A Name"]).exits(2);
}
