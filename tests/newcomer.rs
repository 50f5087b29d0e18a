//! Somebody without a toolchain: an empty folder, and hookgen alone.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::json;

use crate::support::{Run, command, feed};

/// hookgen where no other program can be found, least of all cargo.
fn alone(folder: &Path, arguments: &[&str]) -> Run {
    let empty = folder.join("nothing");
    fs::create_dir_all(&empty).expect("a folder");
    let mut command = command(folder);
    command.env("PATH", &empty).env("HOME", &empty).env("CARGO_HOME", &empty);
    command.args(arguments).output().expect("hookgen starts").into()
}

#[test]
fn everything_that_a_newcomer_does_needs_no_cargo() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |arguments: &[&str]| alone(folder.path(), arguments).exits(0);
    run(&["init", "mine"]);
    run(&["build"]);
    run(&["check"]);
    assert!(run(&["test"]).stdout.contains(" passed, 0 failed"));
    assert!(run(&["watch", "--once"]).stdout.contains("── fine ──"));
    run(&["ship", "--portable"]);
    assert!(alone(folder.path(), &["ship"]).exits(2).stderr.contains("--portable"), "the way out is named");
    // Nobody has to know that an engine is the way out: what cannot be compiled is installed with one.
    assert!(run(&["install", "--into", "."]).stderr.contains("as with `--portable`"));
    let settings = fs::read_to_string(folder.path().join(".claude/settings.json")).expect("settings");
    assert!(settings.contains("mine-hooks"), "{settings}");
    let event = json!({
        "hook_event_name": "PreToolUse", "session_id": "s", "cwd": folder.path(), "tool_name": "Read",
        "tool_input": { "file_path": "/p/.env" },
    });
    let mut program = Command::new(folder.path().join(".claude/hooks/mine/bin/mine-hooks"));
    let said = feed(program.arg("H01"), &event.to_string()).exits(0);
    assert!(said.stdout.contains("\"permissionDecision\":\"deny\""), "{}", said.stdout);
}
