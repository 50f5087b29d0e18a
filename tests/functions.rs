//! The examples of the expression language, executed: one hook for each, in one catalog that is shipped once.

use std::path::Path;
use std::process::Command;

use hookgen::emit::BUILT_IN;
use hookgen_runtime::library::{FUNCTIONS, PROPERTIES};
use serde_json::{Value, json};

/// A hook that denies because the example holds, with the case that demands it.
fn hook(number: usize, name: &str, example: &str) -> Value {
    json!({
        "id": format!("E{number}"),
        "name": format!("example-{number}"),
        "event": "PreToolUse",
        "matcher": "Bash",
        "timeout": "5s",
        "fail_safe": "open",
        "why": format!("The example of {name} holds."),
        "checks": [{ "id": "holds", "when": example, "deny": "It holds." }],
        "cases": [{
            "name": format!("the example of {name} holds"),
            "input": { "tool_name": "Bash", "tool_input": { "command": "true" } },
            "expect": { "decision": "deny" },
        }],
    })
}

fn hookgen(folder: &Path, offline: &str) -> (bool, String) {
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/outside");
    let run = Command::new(env!("CARGO_BIN_EXE_hookgen"))
        .args(["test", "--debug", "--color", "never"])
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target)
        .env("CARGO_NET_OFFLINE", offline)
        .output()
        .expect("hookgen starts");
    (run.status.success(), [run.stdout, run.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).join("\n"))
}

#[test]
fn every_example_holds() {
    let library = FUNCTIONS.iter().chain(PROPERTIES).map(|one| (one.name, one.example));
    let all = library.chain(BUILT_IN.iter().map(|[call, _, _, example]| (*call, *example)));
    let hooks: Vec<Value> = all.enumerate().map(|(number, (name, example))| hook(number, name, example)).collect();
    let catalog = json!({
        "catalog": "examples",
        "version": "1.0.0",
        "description": "Every example of the expression language.",
        "history": {
            "tests": { "description": "Nothing happens in examples." },
            "failures": { "description": "Nor does this.", "of": "the command" },
        },
        "hooks": hooks,
    });
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("specs")).expect("created");
    std::fs::write(folder.path().join("specs/examples.yaml"), format!("{catalog:#}\n")).expect("written");
    // What the crate needs was fetched for this workspace already; the network is asked only if that is not enough.
    let (passed, said) = hookgen(folder.path(), "true");
    let (passed, said) =
        if passed || said.contains(" failed") { (passed, said) } else { hookgen(folder.path(), "false") };
    assert!(passed, "{said}");
    assert!(
        said.contains(&format!("{} passed, 0 failed", FUNCTIONS.len() + PROPERTIES.len() + BUILT_IN.len())),
        "{said}"
    );
}
