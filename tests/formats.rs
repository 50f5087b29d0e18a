//! What `check`, `test` and `replay` find, in the formats of other tools.

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{Run, hookgen, project, tests};

/// A catalog with an odd condition in line 14 and a case that fails in line 17, and a call that it refuses.
fn odd() -> TempDir {
    let catalog = "catalog: odd\nversion: 1.0.0\ndescription: Odd.\nhooks:\n  - id: H01\n    name: guard\n    event: PreToolUse\n    \
                   matcher: Bash\n    timeout: 3s\n    fail_safe: closed\n    why: It leaves the machine.\n    checks:\n      - id: push\n        \
                   when: tool_input.command.size() >= 0 && tool_input.command.startsWith('git push')\n        deny: Not now.\n    cases:\n      \
                   - name: a push passes\n        input: { tool_name: Bash, tool_input: { command: git push } }\n        expect: { decision: pass }\n      \
                   - name: a fetch is refused\n        input: { tool_name: Bash, tool_input: { command: git fetch } }\n        expect: { decision: deny }\n";
    let call = json!({ "hook_event_name": "PreToolUse", "session_id": "s", "cwd": "/p", "tool_name": "Bash",
        "tool_input": { "command": "git push" } });
    project(&[("specs/odd.yaml", catalog), ("calls.jsonl", format!("\n{call}\n").as_str())])
}

fn said(folder: &TempDir, command: &str, format: &str) -> Run {
    let mut arguments = vec![command];
    if command == "replay" {
        arguments.extend(["specs/odd.yaml", "calls.jsonl"]);
    }
    arguments.extend(["--format", format]);
    hookgen(folder.path(), arguments)
}

#[test]
fn sarif_is_what_its_schema_says() {
    let schema = std::fs::read_to_string(tests().join("sarif.schema.json")).expect("the schema");
    let schema = jsonschema::validator_for(&serde_json::from_str(&schema).expect("JSON")).expect("a schema");
    let folder = odd();
    for (command, rule, line) in [("check", "HG529", 14), ("test", "failed-case", 17), ("replay", "decision", 2)] {
        let log: Value = serde_json::from_str(&said(&folder, command, "sarif").stdout).expect("JSON");
        let faults: Vec<String> = schema.iter_errors(&log).map(|fault| fault.to_string()).collect();
        assert_eq!(faults, Vec::<String>::new(), "{command}");
        let results = log["runs"][0]["results"].as_array().expect("results");
        let found =
            results.iter().find(|result| result["ruleId"] == rule).unwrap_or_else(|| panic!("{command}: {log}"));
        let region = &found["locations"][0]["physicalLocation"]["region"];
        assert_eq!(region["startLine"], line, "{command}: {found}");
    }
}

#[test]
fn annotations_are_on_the_right_lines() {
    let folder = odd();
    let check = said(&folder, "check", "github").stdout;
    assert!(
        check.contains("::warning file=specs/odd.yaml,line=14,endLine=14,col=15,endColumn=45,title=HG529::"),
        "{check}"
    );
    let test = said(&folder, "test", "github").stdout;
    assert!(test.contains("::error file=specs/odd.yaml,line=17,"), "{test}");
    let replay = said(&folder, "replay", "github").stdout;
    assert!(replay.contains("::notice file=calls.jsonl,line=2,"), "{replay}");
}

#[test]
fn reports_of_tests_count_what_failed() {
    let folder = odd();
    let test = said(&folder, "test", "junit").stdout;
    assert!(test.contains("tests=\"2\" failures=\"2\""), "{test}");
    let check = said(&folder, "check", "junit").stdout;
    assert!(check.contains("<testsuite "), "{check}");
    let replay = said(&folder, "replay", "junit").stdout;
    assert!(replay.contains("<testsuite name=\"replay\" tests=\"1\" failures=\"0\""), "{replay}");
}
