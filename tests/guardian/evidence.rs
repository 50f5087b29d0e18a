//! Evidence from the first write to the commit, with real repositories and processes.

use std::process::Command;

use serde_json::{Value, json};

use super::world::World;
use crate::support::feed;

fn git(world: &World, folder: &str, arguments: &[&str]) {
    let mut command = Command::new("git");
    command.arg("-C").arg(world.path(folder)).args(["-c", "user.name=t", "-c", "user.email=t@t"]).args(arguments);
    let output = command.output().expect("git runs");
    assert!(output.status.success(), "{output:?}");
}

/// A repository with a work tree beside it, and tests that fail where `BROKEN` stands.
fn with_work_tree() -> World {
    let world = World::new();
    std::fs::remove_dir_all(world.path("project/.git")).expect("removed");
    git(&world, "project", &["init", "-q", "-b", "main"]);
    world.write("project/.gitignore", ".claude/\n");
    world.write("project/pytest.ini", "[pytest]\n");
    world.write("project/src/a.py", "x = 1\n");
    world.write("home/.claude/guardian.yaml", "thresholds:\n  test_debounce: 0\n  test_cooldown: 0\n");
    world.program(
        "pytest",
        "#!/bin/sh\npwd >>\"$HOME/runs\"\nsh \"$HOME/meanwhile\" 2>/dev/null\n! grep -rq BROKEN src\n",
    );
    git(&world, "project", &["add", "-A"]);
    git(&world, "project", &["commit", "-q", "-m", "start"]);
    git(&world, "project", &["worktree", "add", "-q", "../side", "-b", "side"]);
    world
}

fn write(world: &World, file: &str, text: &str) {
    world.write(file, text);
    let input = json!({ "file_path": world.path(file), "content": text });
    let event = world.event("PostToolUse", &json!({ "tool_name": "Write", "tool_input": input }));
    feed(&mut world.hooks(&["test-runner"]), &event).exits(0);
}

/// Why a commit in the folder is refused; empty if it is not.
fn refusal(world: &World, folder: &str) -> String {
    let line = format!("cd {} && git commit -m x", world.path(folder).display());
    let event = world.event("PreToolUse", &json!({ "tool_name": "Bash", "tool_input": { "command": line } }));
    let run = feed(&mut world.hooks(&["guard"]), &event).exits(0);
    let reply: Value = serde_json::from_str(&run.stdout).unwrap_or_default();
    reply["hookSpecificOutput"]["permissionDecisionReason"].as_str().unwrap_or_default().to_owned()
}

fn says(world: &World, prompt: &str) {
    let event = world.event("UserPromptSubmit", &json!({ "prompt": prompt }));
    feed(&mut world.hooks(&["prompt-submit"]), &event).exits(0);
}

#[test]
fn evidence_is_that_of_the_work_tree_and_of_its_content() {
    let world = with_work_tree();
    write(&world, "side/src/a.py", "x = 2\n");
    assert!(world.read("home/runs").trim_end().ends_with("side"), "{}", world.read("home/runs"));
    assert!(refusal(&world, "side").contains("has not verified"));
    says(&world, "I have seen it work: verified.");
    assert_eq!(refusal(&world, "side"), "");
    assert!(refusal(&world, "project").contains("main"), "the other one is on main");
    world.write("side/src/b.py", "changed by nobody's tool\n");
    assert!(refusal(&world, "side").contains("changed since the tests passed"));
    write(&world, "side/src/b.py", "BROKEN\n");
    assert!(refusal(&world, "side").contains("Tests are failing"));
}

#[test]
fn what_changes_during_a_run_was_not_tested() {
    let world = with_work_tree();
    world.write("home/meanwhile", "echo '# later' >>src/a.py\n");
    write(&world, "side/src/a.py", "x = 2\n");
    says(&world, "verified");
    assert!(refusal(&world, "side").contains("changed since the tests passed"));
    assert!(world.read("project/.claude/.test-runner.queued").contains("side|pytest"));
    world.write("home/meanwhile", "");
    let stop = world.event("Stop", &json!({ "stop_hook_active": false, "last_assistant_message": "Shall I?" }));
    feed(&mut world.hooks(&["test-catch-up"]), &stop).exits(0);
    assert_eq!(refusal(&world, "side"), "", "the run was made up for");
}
