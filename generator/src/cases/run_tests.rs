use camino::Utf8PathBuf;
use serde_json::json;
use tempfile::TempDir;

use super::*;

/// A plugin whose binary is the shell: it runs the project's file that is named like the hook.
fn plugin() -> (TempDir, Utf8PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = Utf8PathBuf::try_from(folder.path().to_path_buf()).expect("UTF-8");
    std::fs::create_dir(path.join("bin")).expect("created");
    std::os::unix::fs::symlink("/bin/sh", path.join("bin/demo")).expect("linked");
    (folder, path)
}

fn suite(event: &str, cases: Value) -> Suite {
    let cases: Vec<Case> = serde_json::from_value(cases).expect("cases");
    let event = Event::named(event).expect("known");
    let target = || Target { event, timeout: Duration::from_secs(20), running: Running::Awaited };
    Suite {
        client: CLAUDE,
        unasked: Decision::Deny,
        catalog: "demo".to_owned(),
        binary: "demo".to_owned(),
        hooks: BTreeMap::from([("H01".to_owned(), target()), ("H02".to_owned(), target())]),
        cases: cases
            .into_iter()
            .map(|case| Planned { hook: "H01".to_owned(), hook_name: "guard".to_owned(), case })
            .collect(),
    }
}

fn run(event: &str, cases: Value) -> Vec<Outcome> {
    let (_folder, plugin) = plugin();
    let jobs = NonZeroUsize::new(3).expect("not zero");
    suite(event, cases).run(&Player::processes(plugin), jobs).expect("run")
}

#[test]
fn outcomes_come_in_the_order_of_the_catalog() {
    let case = |name: String, pause: &str, code: u8| {
        json!({
            "name": name, "given": {"files": {"H01": format!("sleep {pause}; echo no >&2; exit {code}")}},
            "expect": {"decision": "deny"},
        })
    };
    let outcomes = run(
        "PreToolUse",
        json!([
            case("a".into(), "0.2", 2),
            case("b".into(), "0", 0),
            case("c".into(), "0", 2),
            case("d".into(), "0", 1)
        ]),
    );
    let found: Vec<_> = outcomes.iter().map(|outcome| (outcome.case.as_str(), outcome.passed())).collect();
    assert_eq!(found, [("a", true), ("b", false), ("c", true), ("d", false)]);
}

#[test]
fn the_event_is_complete_and_laid_over() {
    let script = "cat > seen.json";
    let outcomes = run(
        "PreToolUse",
        json!([{
            "name": "payload", "given": {"files": {"H01": script}},
            "input": {"tool_name": "Bash", "permission_mode": null, "tool_input": {"command": "cat $PROJECT/{n}"}},
            "expect": {"files": {"seen.json": {
                "contains": [
                    "\"tool_name\":\"Bash\"", "\"command\":\"cat $PROJECT/1\"", "\"cwd\":\"$PROJECT\"",
                    "\"hook_event_name\":\"PreToolUse\"", "\"session_id\":", "\"transcript_path\":"],
                "lacks": ["permission_mode", "{n}"]}}},
        }]),
    );
    assert!(outcomes[0].passed(), "{}", outcomes[0]);
}

#[test]
fn raw_input_replaces_the_event() {
    let outcomes = run(
        "PreToolUse",
        json!([{
            "name": "raw", "given": {"files": {"H01": "cat > seen"}}, "raw": "not json",
            "expect": {"files": {"seen": {"contains": ["not json"], "lacks": ["session_id"]}}},
        }]),
    );
    assert!(outcomes[0].passed(), "{}", outcomes[0]);
}

#[test]
fn repeated_and_parallel_runs_are_numbered_and_tallied() {
    // Odd runs are refused.
    let script = "read -r line; case $line in *run-[13]*) echo no >&2; exit 2;; esac";
    for kind in ["repeat", "parallel"] {
        let outcomes = run(
            "PreToolUse",
            json!([{
                "name": kind, "given": {"files": {"H01": script}}, "input": {"id": "run-{n}"}, kind: 4,
                "expect": {"tally": {"pass": 2, "deny": 2}, "decision": "pass"},
            }]),
        );
        assert!(outcomes[0].passed(), "{}", outcomes[0]);
    }
}

#[test]
fn steps_share_a_world_and_may_name_another_hook() {
    let outcomes = run(
        "PreToolUse",
        json!([{
            "name": "steps",
            "given": {"files": {"H01": "echo one >> log", "H02": "test -e gate || { echo shut >&2; exit 2; }"}},
            "steps": [
                {"expect": {"files": {"log": {"lines": 1}}}},
                {"repeat": 2, "expect": {"files": {"log": {"lines": 3}}}},
                {"hook": "H02", "expect": {"decision": "deny", "model": ["shut"]}},
                {"hook": "H02", "files": {"gate": ""}, "expect": {"decision": "pass", "quiet": true}},
                {"hook": "H02", "delete": ["gate"], "expect": {"decision": "deny"}},
            ],
        }]),
    );
    assert!(outcomes[0].passed(), "{}", outcomes[0]);
}

#[test]
fn hooks_before_the_one_of_the_step_share_its_process() {
    // The shell runs the file of the first hook, and hands it the ids of the others.
    let outcomes = run(
        "PreToolUse",
        json!([{
            "name": "merged", "given": {"files": {"H01": "exit 0", "H02": "echo \"then $1\" >&2; exit 2"}},
            "steps": [
                {"after": ["H02"], "expect": {"decision": "deny", "model": ["then H01"]}},
                {"expect": {"decision": "pass", "quiet": true}},
            ],
        }]),
    );
    assert!(outcomes[0].passed(), "{}", outcomes[0]);
}

#[test]
fn the_failing_step_is_named_and_ends_the_case() {
    let outcomes = run(
        "PreToolUse",
        json!([{
            "name": "steps", "given": {"files": {"H01": "exit 0"}},
            "steps": [{"expect": {"decision": "pass"}}, {"expect": {"decision": "deny"}}, {"expect": {"decision": "ask"}}],
        }]),
    );
    let [failure] = &outcomes[0].failures[..] else { panic!("{:?}", outcomes[0]) };
    assert_eq!(failure.step, Some(2));
    assert_eq!(failure.problems, ["expected decision `deny`, found `pass`"]);
}

#[test]
fn a_fault_fails_whatever_was_expected() {
    let outcomes = run(
        "PreToolUse",
        json!([
            {"name": "crash", "given": {"files": {"H01": "exit 1"}}},
            {"name": "null", "given": {"files": {"H01": "echo '{\"reason\":null}'"}}, "expect": {"decision": "pass"}},
            {"name": "fine", "given": {"files": {"H01": "exit 0"}}},
        ]),
    );
    let passed: Vec<_> = outcomes.iter().map(Outcome::passed).collect();
    assert_eq!(passed, [false, false, true]);
}

#[test]
fn a_fault_in_any_of_several_runs_is_shown() {
    let script = "read -r line; case $line in *run-2*) exit 3;; esac";
    let outcomes = run(
        "PreToolUse",
        json!([{"name": "x", "given": {"files": {"H01": script}}, "input": {"id": "run-{n}"}, "repeat": 3}]),
    );
    assert_eq!(outcomes[0].failures[0].run, Some(2));
    assert_eq!(outcomes[0].failures[0].end, "exit code 3");
}

#[test]
fn a_case_that_cannot_be_set_up_fails_and_the_others_run() {
    let outcomes = run(
        "PreToolUse",
        json!([
            {"name": "outside", "given": {"files": {"../../x": ""}}},
            {"name": "unknown hook", "steps": [{"hook": "H09"}]},
            {"name": "fine", "given": {"files": {"H01": "exit 0"}}},
        ]),
    );
    let passed: Vec<_> = outcomes.iter().map(Outcome::passed).collect();
    assert_eq!(passed, [false, false, true]);
}

#[test]
fn the_check_that_decided_is_taken_from_the_audit_log() {
    let script = r#"mkdir -p $CLAUDE_PLUGIN_DATA; echo '{"hook":"H01","check":"first","decision":"pass","reason":"r"}' >> $CLAUDE_PLUGIN_DATA/audit.jsonl"#;
    let outcomes =
        run("Stop", json!([{"name": "x", "given": {"files": {"H01": script}}, "expect": {"decision": "deny"}}]));
    let decided = outcomes[0].failures[0].decided.as_ref().expect("logged");
    assert_eq!(decided.check.as_deref(), Some("first"));
}

#[test]
fn a_report_does_not_change_from_run_to_run() {
    let script = "cat; echo $CLAUDE_PLUGIN_DATA >&2; exit 3";
    let report = || {
        let case =
            json!([{"name": "x", "given": {"files": {"H01": script}}, "expect": {"says": ["$PROJECT/missing"]}}]);
        run("PreToolUse", case)[0].to_string()
    };
    let first = report();
    assert_eq!(first, report());
    assert!(first.contains("$PROJECT/missing") && first.contains("$WORLD/data"), "{first}");
}

#[test]
fn a_plugin_without_its_binary_cannot_be_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let plugin = Utf8PathBuf::try_from(folder.path().to_path_buf()).expect("UTF-8");
    let jobs = NonZeroUsize::MIN;
    assert!(suite("Stop", json!([])).run(&Player::processes(plugin), jobs).is_err());
}
