//! hookgen where nothing but a catalog is: the whole way to a working plugin, outside this repository.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{DEMO, Run, clean, command, feed, files, hookgen, repository, ship_outside, write};

/// What the shipped binary answers to a tool's use of a file.
fn answer(root: &Path, path: &str) -> Run {
    let plugin = root.join("dist/demo");
    let mut hook = clean(plugin.join("bin").join(binary(&plugin)));
    hook.arg("H01").current_dir(root);
    hook.env("CLAUDE_PROJECT_DIR", root)
        .env("CLAUDE_PLUGIN_ROOT", &plugin)
        .env("CLAUDE_PLUGIN_DATA", root.join("data"));
    let event = serde_json::json!({
        "session_id": "s", "transcript_path": "/t", "cwd": root.to_str(), "permission_mode": "default",
        "hook_event_name": "PreToolUse", "tool_name": "Read", "tool_input": { "file_path": path },
    });
    feed(&mut hook, &event.to_string())
}

fn binary(plugin: &Path) -> String {
    let names: Vec<_> = files(&plugin.join("bin")).into_keys().collect();
    assert_eq!(names.len(), 1, "{names:?}");
    names[0].clone()
}

fn outside(name: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join(name);
    write(&root.join("specs/demo.yaml"), DEMO);
    (folder, root)
}

#[test]
fn a_catalog_alone_becomes_a_plugin_that_works() {
    let (_folder, root) = outside("my hööks");
    let run = hookgen(&root, ["build"]).exits(0);
    assert!(run.stdout.contains("created generated/demo/ ("), "{}", run.stdout);
    hookgen(&root, ["check"]).exits(0);
    let run = ship_outside(&root).exits(0);
    assert!(run.stdout.trim_end().ends_with("my hööks/dist/demo"), "{}", run.stdout);
    hookgen(&root, ["check"]).exits(0);

    let run = hookgen(&root, ["test", "--no-ship"]).exits(0);
    assert_eq!(run.stdout, "2 passed, 0 failed\n");

    let denied = answer(&root, "/p/.env").exits(0);
    let reply: serde_json::Value = serde_json::from_str(&denied.stdout).expect("a reply");
    assert_eq!(reply["hookSpecificOutput"]["permissionDecision"], "deny");
    assert_eq!(reply["hookSpecificOutput"]["permissionDecisionReason"], "/p/.env holds secrets.");
    let passed = answer(&root, "/p/a.md").exits(0);
    assert_eq!((passed.stdout.as_str(), passed.stderr.as_str()), ("", ""));

    the_plugin_brings_the_licences_of_all_that_is_in_it(&root);
    a_case_that_does_not_hold_fails(&root);
    a_check_that_no_case_sees_is_found(&root);
}

fn the_plugin_brings_the_licences_of_all_that_is_in_it(root: &Path) {
    let notices = fs::read_to_string(root.join("dist/demo/THIRD-PARTY-NOTICES.txt")).expect("notices");
    for part in [
        "bin/demo-hooks",
        "\n- hookgen-runtime ",
        "\n- memchr ",
        "\n- serde_json ",
        "\n- the standard library of Rust ",
        "Permission is hereby granted",
        "TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION",
    ] {
        assert!(notices.contains(part), "{part}\n{notices}");
    }
    assert!(!notices.contains("holds no text"), "{notices}");
    // They help to compile it, and are no part of it.
    assert!(!notices.contains("- syn ") && !notices.contains("- proc-macro2 "), "{notices}");
}

/// On the same plugin again.
fn a_check_that_no_case_sees_is_found(root: &Path) {
    let path = root.join("specs/demo.yaml");
    fs::write(&path, DEMO).expect("written");
    hookgen(root, ["test", "--no-ship", "--coverage"]).exits(0);
    fs::write(&path, DEMO.replace("file_path: /p/.env", "file_path: /p/b").replace("decision: deny", "decision: pass"))
        .expect("written");
    let run = hookgen(root, ["test", "--no-ship", "--coverage"]).exits(1);
    assert_eq!(run.stdout, "2 passed, 0 failed\ndemo H01: no case sees `env-file` refuse\n");
}

/// On the same plugin, because shipping another one would cost as much again.
fn a_case_that_does_not_hold_fails(root: &Path) {
    let path = root.join("specs/demo.yaml");
    fs::write(&path, DEMO.replace("decision: pass", "decision: deny")).expect("written");
    let run = hookgen(root, ["test", "--no-ship"]).exits(1);
    assert!(run.stdout.ends_with("1 passed, 1 failed\n"), "{}", run.stdout);
    for part in ["another file passes", "/p/a.md"] {
        assert!(run.stdout.contains(part), "{part}\n{}", run.stdout);
    }
    let run = hookgen(root, ["test", "--no-ship", "--json"]).exits(1);
    let results: serde_json::Value = serde_json::from_str(&run.stdout).expect("an array");
    assert_eq!(results.as_array().map(Vec::len), Some(2));
}

#[test]
fn a_catalog_is_installed_beside_what_others_have_and_taken_out_again() {
    let (_folder, root) = outside("shop");
    let target = root.join("target project");
    let settings = target.join(".claude/settings.json");
    let theirs = "{\n  \"model\": \"opus\"\n}\n";
    write(&settings, theirs);
    let into = target.to_str().expect("UTF-8");
    let install = |more: &[&str]| {
        let mut command = command(&root);
        command.env("CARGO_TARGET_DIR", repository().join("target/outside"));
        Run::from(command.args(["install", "--into", into]).args(more).output().expect("hookgen starts"))
    };
    let run = install(&["--dry-run"]).exits(0);
    assert!(run.stdout.contains('+') && run.stdout.contains("demo-hooks"), "{}", run.stdout);
    assert_eq!(fs::read_to_string(&settings).expect("there"), theirs);

    install(&["--debug"]).exits(0);
    let installed = fs::read_to_string(&settings).expect("there");
    assert!(installed.contains("\"model\": \"opus\"") && installed.contains("demo-hooks"), "{installed}");
    let flags = files(&target.join(".claude/hooks/demo")).into_keys().find(|path| path.starts_with("config/"));
    if let Some(flags) = &flags {
        write(&target.join(".claude/hooks/demo").join(flags), "edited: true\n");
    }
    install(&["--debug"]).exits(0);
    assert_eq!(fs::read_to_string(&settings).expect("there"), installed, "the second time nothing changes");
    if let Some(flags) = &flags {
        let kept = fs::read_to_string(target.join(".claude/hooks/demo").join(flags)).expect("there");
        assert_eq!(kept, "edited: true\n", "what an operator wrote stays");
    }

    install(&["--remove"]).exits(0);
    assert_eq!(fs::read_to_string(&settings).expect("there"), theirs);
    assert!(!target.join(".claude/hooks/demo").exists());

    write(&settings, "{ broken");
    let run = install(&["--debug"]).exits(2);
    assert!(run.stderr.contains("is left alone: it is not JSON"), "{}", run.stderr);
    assert_eq!(fs::read_to_string(&settings).expect("there"), "{ broken");
}
