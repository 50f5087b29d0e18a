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
        "\n- granit-parser ",
        "\n- regex-lite ",
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
    hookgen(root, ["test", "--coverage"]).exits(0);
    fs::write(&path, DEMO.replace("file_path: /p/.env", "file_path: /p/b").replace("decision: deny", "decision: pass"))
        .expect("written");
    let run = hookgen(root, ["test", "--coverage"]).exits(1);
    assert!(run.stdout.contains("H01 `deny` of `env-file` never happened"), "{}", run.stdout);
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

/// Runs `hookgen install` from a project into another one.
fn install(root: &Path, target: &Path, more: &[&str]) -> Run {
    let mut command = command(root);
    command.env("CARGO_TARGET_DIR", repository().join("target/outside"));
    command.arg("install").arg("--into").arg(target).args(more);
    Run::from(command.output().expect("hookgen starts"))
}

#[test]
fn a_catalog_is_installed_beside_what_others_have_and_taken_out_again() {
    let (_folder, root) = outside("shop");
    let target = root.join("target project");
    let settings = target.join(".claude/settings.json");
    let theirs = "{\n    \"model\": \"opus\",\r\n    \"big\": 12345678901234567890123, \"e\": \"\\u00e9\"\n}\n";
    write(&settings, theirs);
    let read = || fs::read_to_string(&settings).expect("there");
    let install = |more: &[&str]| install(&root, &target, more);
    let run = install(&["--dry-run"]).exits(0);
    assert!(run.stdout.contains('+') && run.stdout.contains("demo-hooks"), "{}", run.stdout);
    assert!(!run.stdout.lines().any(|line| line.starts_with('-') && line.contains("model")), "{}", run.stdout);
    assert_eq!(read(), theirs);

    install(&["--debug"]).exits(0);
    let installed = read();
    assert!(installed.starts_with(theirs.trim_end_matches("\n}\n")) && installed.contains("demo-hooks"), "{installed}");
    let plugin = target.join(".claude/hooks/demo");
    let flags = plugin.join("config/demo-flags.yaml");
    write(&flags, "edited: true\n");
    write(&plugin.join("config/mine.yaml"), "mine\n");
    let run = install(&["--debug"]).exits(0);
    assert!(run.stderr.contains("kept `config/demo-flags.yaml` as it was edited"), "{}", run.stderr);
    assert_eq!(read(), installed, "the second time nothing changes");
    assert_eq!(fs::read_to_string(&flags).expect("there"), "edited: true\n", "what an operator wrote stays");

    registered_once(&root, &target);

    fs::remove_file(&flags).expect("removed");
    fs::remove_file(plugin.join("config/mine.yaml")).expect("removed");
    install(&["--remove"]).exits(0);
    assert_eq!(read(), theirs);
    assert!(!plugin.exists());
    let run = install(&["--remove"]).exits(1);
    assert!(run.stderr.contains("demo is not installed in `"), "{}", run.stderr);
}

/// On an installed catalog whose folder holds files of others, because shipping another one would cost as much again.
fn registered_once(root: &Path, target: &Path) {
    let (shared, local) = (target.join(".claude/settings.json"), target.join(".claude/settings.local.json"));
    let read = |path: &Path| fs::read_to_string(path).unwrap_or_default();
    let binary = target.join(".claude/hooks/demo/bin/demo-hooks");
    let install = |more: &[&str]| install(root, target, more);
    let installed = read(&shared);

    let run = install(&["--local", "--debug"]).exits(2);
    assert!(run.stderr.contains("works for everybody") && run.stderr.contains("--remove"), "{}", run.stderr);
    assert!(!local.exists() && read(&shared) == installed);
    let run = install(&["--local", "--remove"]).exits(1);
    assert!(run.stderr.contains("is not installed in") && run.stderr.contains("it is in `"), "{}", run.stderr);
    assert!(binary.is_file() && read(&shared) == installed);

    // As an earlier hookgen has left it.
    write(&local, &installed);
    install(&["--local", "--remove"]).exits(0);
    assert!(binary.is_file() && !read(&local).contains("demo-hooks") && read(&shared) == installed);
    write(&local, &installed);
    let run = install(&["--debug"]).exits(0);
    assert!(run.stderr.contains("it works for everybody now"), "{}", run.stderr);
    assert!(!read(&local).contains("demo-hooks") && read(&shared) == installed);

    write(&local, &installed);
    let run = install(&["--remove"]).exits(0);
    assert!(!read(&local).contains("demo-hooks") && !read(&shared).contains("demo-hooks") && !binary.exists());
    for kept in ["config/demo-flags.yaml", "config/mine.yaml"] {
        assert!(target.join(".claude/hooks/demo").join(kept).is_file(), "{kept}\n{}", run.stderr);
    }
    install(&["--remove"]).exits(1);

    install(&["--local", "--debug"]).exits(0);
    assert!(read(&local).contains("demo-hooks") && !read(&shared).contains("demo-hooks"));
    let wrapper = read(&shared).replacen(
        '{',
        r#"{"hooks": {"Stop": [{"hooks": [{"type": "command",
        "command": "nice $CLAUDE_PROJECT_DIR/.claude/hooks/demo/bin/demo-hooks H01"}]}]},"#,
        1,
    );
    let plain = read(&shared);
    write(&shared, &wrapper);
    let run = install(&["--remove"]).exits(1);
    assert!(binary.is_file() && read(&shared) == wrapper, "a hook of somebody else's still runs it");
    assert!(run.stderr.contains("settings.json:2"), "{}", run.stderr);
    write(&shared, &plain);
    install(&["--debug"]).exits(0);
}
