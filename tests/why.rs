//! What hooks leave in the audit trail, and what `hookgen why` makes of it.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::catalogs::shipped;
use crate::support::{Run, clean, feed, hookgen, repository, write};

/// The world of one session: a project in which planning is under way.
fn world() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let project = folder.path().join("project");
    write(&project.join(".git/HEAD"), "ref: refs/heads/feature/auth\n");
    write(&project.join("specs/auth/.planning-state.local.md"), "---\nphase: ARCHITECTURE\n---\n");
    folder
}

/// A hook of `product-planning` at work there.
fn planning(world: &Path, hook: &str, event: Value) -> Run {
    let (plugin, project) = (shipped().join("product-planning"), world.join("project"));
    let mut event = event;
    let common = json!({
        "session_id": "s1", "transcript_path": "/t", "cwd": project, "permission_mode": "default",
        "hook_event_name": "PreToolUse", "tool_use_id": "toolu_01", "agent_type": "checker", "agent_id": "a1",
    });
    event.as_object_mut().expect("an event").extend(common.as_object().expect("fields").clone());
    let mut command = clean(plugin.join("bin/planning-hooks"));
    command.arg(hook).current_dir(&project);
    command.env("CLAUDE_PROJECT_DIR", &project).env("CLAUDE_PLUGIN_ROOT", &plugin);
    command.env("CLAUDE_PLUGIN_DATA", world.join("data")).env("AI_AGENT", "claude-code_2-1-295_agent");
    feed(&mut command, &event.to_string())
}

fn trail(world: &Path) -> Vec<Value> {
    let text = fs::read_to_string(world.join("data/audit.jsonl")).expect("a trail");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn edit_of_the_spec(world: &Path) -> Value {
    let file = world.join("project/specs/auth/spec.md");
    json!({ "tool_name": "Write", "tool_input": { "file_path": file, "content": "token = ghp_0123456789abcdefghij0123456789abcdef" } })
}

#[test]
fn a_line_says_what_was_decided_about_and_fits_its_schema() {
    let world = world();
    planning(world.path(), "H04", edit_of_the_spec(world.path()));
    let lines = trail(world.path());
    let [line] = lines.as_slice() else { panic!("{lines:?}") };
    for (field, value) in [
        ("tool", "Write"),
        ("tool_use_id", "toolu_01"),
        ("decision", "DENY"),
        ("check", "planning-started"),
        ("client", "claude"),
        ("client_version", "2.1.295"),
        ("agent", "checker"),
        ("agent_id", "a1"),
    ] {
        assert_eq!(line[field], value, "{line}");
    }
    assert_eq!(line["project"], json!(world.path().join("project")));
    assert_eq!(line["input"]["file_path"], edit_of_the_spec(world.path())["tool_input"]["file_path"]);
    assert!(!line.to_string().contains("ghp_"), "{line}");
    let schema = fs::read_to_string(repository().join("generated/schema/audit.schema.json")).expect("the schema");
    let schema = jsonschema::validator_for(&serde_json::from_str(&schema).expect("JSON")).expect("a schema");
    let problems: Vec<String> = schema.iter_errors(line).map(|error| error.to_string()).collect();
    assert!(problems.is_empty(), "{problems:?} in {line}");
    assert!(!schema.is_valid(&json!({ "v": 1, "hook": "H04" })));
}

#[test]
fn a_decision_is_explained_by_the_catalog_and_by_what_was_seen() {
    let world = world();
    planning(world.path(), "H04", edit_of_the_spec(world.path()));
    let place = world.path().join("data");
    let place = place.to_str().expect("UTF-8");
    let why = |folder: &Path, which: &str, more: &[&str]| {
        hookgen(folder, ["why", which, "--trail", place].iter().chain(more).copied())
    };
    let last = why(&repository(), "last", &[]).exits(0).stdout;
    for shown in [
        "decision   DENY\n",
        "hook       H04, check planning-started\n",
        "who        claude, version 2.1.295, agent checker",
        "H04 protect-spec-immutability in specs/product-planning.yaml, fail-safe ",
        "`planning-started` decides when\n    phase != '' && !is_setup(phase)",
        "tool_input.file_path = ",
        "phase = ARCHITECTURE  (the reason)",
        "`feature_dir` is\n",
    ] {
        assert!(last.contains(shown), "{shown}\n{last}");
    }
    assert!(!last.contains("has changed since"), "{last}");
    let id = trail(world.path())[0]["id"].as_str().expect("an id").to_owned();
    assert_eq!(why(&repository(), &id[..6], &[]).exits(0).stdout, last);
    let as_json: Value = serde_json::from_str(&why(&repository(), &id, &["--json"]).exits(0).stdout).expect("JSON");
    assert_eq!(
        (&as_json["line"]["id"], &as_json["catalog"]["hook"]),
        (&json!(id), &json!("protect-spec-immutability"))
    );

    let elsewhere = why(world.path(), "last", &[]).exits(0);
    assert!(elsewhere.stdout.starts_with("decision   DENY\n") && !elsewhere.stdout.contains("decides when"));
    assert!(elsewhere.stderr.contains("`product-planning` is not here"), "{}", elsewhere.stderr);
    let unknown = why(&repository(), "ffffffffff", &[]).exits(2);
    assert!(unknown.stderr.contains("no line with the id `ffffffffff`"), "{}", unknown.stderr);
}

#[test]
fn a_rule_that_is_only_watched_can_be_judged_from_its_trail() {
    let world = world();
    planning(world.path(), "H04", edit_of_the_spec(world.path()));
    let mut old = trail(world.path())[0].clone();
    old["mode"] = json!("audit");
    old["digest"] = json!("of an older catalog");
    write(&world.path().join("watched/audit.jsonl"), format!("{old}\n"));
    let run = hookgen(&repository(), ["why", "last", "--trail", world.path().join("watched").to_str().expect("UTF-8")])
        .exits(0);
    assert!(run.stdout.starts_with("decision   DENY, not carried out (mode audit)\n"), "{}", run.stdout);
    assert!(run.stdout.contains("the catalog has changed since"), "{}", run.stdout);
}
