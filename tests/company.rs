//! From one machine to a company: marketplaces, managed settings, and what catalogs do to each other.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::support::{DEMO, clean, feed, hookgen, project, repository};

/// A catalog that counts calls, and that its config file can switch off.
const COUNTING: &str = "catalog: counting
version: 1.0.0
description: Refuses the second call of a session.
author: The Team
license: MIT
config: { file: '${home}/.claude/counting.yaml' }
flags:
  strict: { description: Whether it refuses., config: flags.strict }
hooks:
  - id: H1
    name: refuse-the-second
    event: PreToolUse
    matcher: Bash
    timeout: 5s
    fail_safe: closed
    flag: strict
    why: One call is enough.
    checks:
      - { id: second, when: \"noted('calls') == 'one'\", deny: 'That was enough.' }
      - { id: first, note: { calls: one } }
    cases:
      - name: the second call is refused
        steps:
          - { input: { tool_input: { command: ls } }, expect: { decision: pass } }
          - { input: { tool_input: { command: ls } }, expect: { decision: deny } }
      - name: a person may switch it off
        given: { home_files: { .claude/counting.yaml: 'flags: { strict: false }' } }
        steps:
          - { input: { tool_input: { command: ls } }, expect: { decision: pass } }
          - { input: { tool_input: { command: ls } }, expect: { decision: pass } }
      - name: unless an administrator has switched it on
        given:
          home_files:
            .claude/counting.yaml: 'flags: { strict: false }'
            .managed/counting.yaml: 'flags: { strict: true }'
        steps:
          - { input: { tool_input: { command: ls } }, expect: { decision: pass } }
          - { input: { tool_input: { command: ls } }, expect: { decision: deny } }
";

fn list(folder: &Path) -> Value {
    let text = fs::read_to_string(folder.join("dist/.claude-plugin/marketplace.json")).expect("a list");
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn an_administrator_overrules_the_person_in_cases_too() {
    let folder = project(&[("specs/counting.yaml", COUNTING)]);
    let run = hookgen(folder.path(), ["test"]).exits(0);
    assert_eq!(run.stdout.trim(), "3 passed, 0 failed");
}

#[test]
fn a_marketplace_lists_versions_and_archives_that_never_change() {
    let folder = project(&[("specs/counting.yaml", COUNTING), ("specs/demo.yaml", DEMO)]);
    let ship =
        |catalog: &str, name: &str| hookgen(folder.path(), ["ship", catalog, "--portable", "--marketplace", name]);
    ship("counting", "acme").exits(0);
    let first = fs::read(folder.path().join("dist/archives/counting-1.0.0.zip")).expect("an archive");
    ship("demo", "acme").exits(0);
    let entries = list(folder.path());
    assert_eq!((&entries["name"], &entries["owner"]), (&json!("acme"), &json!({ "name": "The Team" })));
    let named: Vec<_> =
        entries["plugins"].as_array().expect("a list").iter().map(|one| (&one["name"], &one["source"])).collect();
    assert_eq!(named, [(&json!("counting"), &json!("./counting")), (&json!("demo"), &json!("./demo"))]);
    // The same catalog is the same archive; another one of the same version is refused, and a new version joins the old.
    ship("counting", "acme").exits(0);
    assert!(fs::read(folder.path().join("dist/archives/counting-1.0.0.zip")).expect("an archive") == first);
    let changed = COUNTING.replace("That was enough.", "Enough.");
    fs::write(folder.path().join("specs/counting.yaml"), &changed).expect("written");
    let refused = ship("counting", "acme").exits(2);
    assert!(refused.stderr.contains("raise `version` in the catalog"), "{}", refused.stderr);
    fs::write(folder.path().join("specs/counting.yaml"), changed.replace("version: 1.0.0", "version: 1.1.0"))
        .expect("written");
    ship("counting", "acme").exits(0);
    assert_eq!(list(folder.path())["plugins"][0]["version"], "1.1.0");
    let sums = fs::read_to_string(folder.path().join("dist/archives/SHA256SUMS")).expect("sums");
    let archived: Vec<_> = sums.lines().filter_map(|line| line.split("  ").nth(1)).collect();
    assert_eq!(archived[..2], ["counting-1.0.0.zip", "counting-1.1.0.zip"]);
    let other = ship("counting", "another").exits(2);
    assert!(other.stderr.contains("is the marketplace `acme`"), "{}", other.stderr);
    let insecure =
        hookgen(folder.path(), ["ship", "counting", "--portable", "--marketplace", "acme", "--archives", "http://x"]);
    assert!(insecure.exits(2).stderr.contains("https://"));
    let url = ["ship", "counting", "--portable", "--marketplace", "acme", "--archives", "https://files.acme/guards/"];
    hookgen(folder.path(), url).exits(0);
    let source = &list(folder.path())["plugins"][0]["source"];
    assert_eq!(source["url"], "https://files.acme/guards/counting-1.1.0.zip");
    assert!(sums.contains(source["sha256"].as_str().expect("a digest")));
}

#[test]
fn what_people_have_edited_is_in_no_archive() {
    let folder = project(&[("specs/counting.yaml", COUNTING)]);
    hookgen(folder.path(), ["ship", "--portable"]).exits(0);
    fs::write(folder.path().join("dist/counting/README.md"), "mine").expect("written");
    let kept = hookgen(folder.path(), ["ship", "--portable", "--marketplace", "acme"]).exits(0);
    assert!(kept.stderr.contains("README.md"), "{}", kept.stderr);
    let config = folder.path().join("dist/counting/config/counting-flags.yaml");
    fs::write(&config, "flags: { strict: false }\n").expect("written");
    let run = hookgen(folder.path(), ["ship", "--portable", "--marketplace", "acme"]).exits(2);
    assert!(run.stderr.contains("counting-flags.yaml` was edited"), "{}", run.stderr);
}

/// As the client does it: each version in a folder of its own, one home and one folder of data for all of them.
#[test]
fn an_update_keeps_config_and_state() {
    let folder = project(&[("specs/counting.yaml", COUNTING)]);
    let home = folder.path().join("home");
    let call = |version: &str| {
        let plugin = folder.path().join(version).join("counting");
        let mut program = clean(plugin.join("bin/counting-hooks"));
        program.arg(format!("--home={}", home.display())).args(["--closed=counting@1.0.0", "H1"]);
        program.env("CLAUDE_PLUGIN_DATA", folder.path().join("data")).env("CLAUDE_PLUGIN_ROOT", &plugin);
        let event = json!({
            "hook_event_name": "PreToolUse", "session_id": "s", "cwd": folder.path(), "tool_name": "Bash",
            "tool_input": { "command": "ls" },
        });
        feed(&mut program, &event.to_string()).stdout
    };
    hookgen(folder.path(), ["ship", "--portable", "--out", "one"]).exits(0);
    hookgen(folder.path(), ["ship", "--portable", "--out", "two"]).exits(0);
    assert_eq!(call("one"), "");
    assert!(call("two").contains("That was enough."), "what the old version has noted is known to the new one");
    crate::support::write(&home.join(".claude/counting.yaml"), "flags: { strict: false }\n");
    assert_eq!(call("two"), "", "and so is what the person has set");
}

#[test]
fn a_rollout_is_settings_and_a_page() {
    let folder = project(&[("specs/counting.yaml", COUNTING)]);
    let base = ["rollout", "--marketplace", "acme", "--source", "github:acme/guards@v1"];
    let run = hookgen(folder.path(), base).exits(0);
    let source = json!({ "source": "github", "repo": "acme/guards", "ref": "v1" });
    let expected = json!({
        "extraKnownMarketplaces": { "acme": { "source": source } },
        "enabledPlugins": { "counting@acme": true },
        "allowManagedHooksOnly": true,
    });
    assert_eq!(serde_json::from_str::<Value>(&run.stdout).expect("JSON"), expected);
    let more = [&base[..], &["--allow-other-hooks", "--only-marketplace", "--out", "out"]].concat();
    hookgen(folder.path(), more).exits(0);
    let text = fs::read_to_string(folder.path().join("out/managed-settings.d/50-acme.json")).expect("settings");
    let settings: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(
        (&settings["strictKnownMarketplaces"], &settings["allowManagedHooksOnly"]),
        (&json!([source]), &Value::Null)
    );
    let page = fs::read_to_string(folder.path().join("out/ROLLOUT.md")).expect("a page");
    assert!(page.contains("/etc/claude-code/managed-settings.d/") && page.contains("`/etc/hookgen`"), "{page}");
}

#[test]
fn two_teams_that_share_a_config_file_are_told() {
    let other = COUNTING.replace("catalog: counting", "catalog: other");
    let folder = project(&[("a/specs/counting.yaml", COUNTING), ("b/specs/other.yaml", &other)]);
    let both = ["rollout", "a/specs/counting.yaml", "b/specs/other.yaml", "--marketplace", "acme", "--source", "npm:x"];
    let run = hookgen(folder.path(), both).exits(1);
    assert!(run.stderr.contains("both read it"), "{}", run.stderr);
    for (team, catalog) in [("a", "counting"), ("b", "other")] {
        let spec = format!("{team}/specs/{catalog}.yaml");
        hookgen(folder.path(), ["install", &spec, "--portable", "--into", "."]).exits(0);
    }
    let sick = hookgen(folder.path(), ["doctor"]).exits(1);
    assert!(
        sick.stdout.contains("BAD claude counting, other: both read ${home}/.claude/counting.yaml"),
        "{}",
        sick.stdout
    );
}

#[test]
fn a_catalog_that_is_also_a_plugin_answers_twice_and_is_found() {
    let folder = project(&[("specs/counting.yaml", COUNTING)]);
    hookgen(folder.path(), ["install", "--portable", "--into", "."]).exits(0);
    hookgen(folder.path(), ["doctor"]).exits(0);
    let enabled = json!({ "enabledPlugins": { "counting@acme": true, "other@acme": true } }).to_string();
    crate::support::write(&folder.path().join(".claude/settings.local.json"), enabled);
    let sick = hookgen(folder.path(), ["doctor"]).exits(1);
    assert!(sick.stdout.contains("enables a plugin of that name as well"), "{}", sick.stdout);
}

/// Every step of a workflow that names an action or a program of ours.
fn steps(workflow: &Value) -> Vec<&Value> {
    let jobs = workflow["jobs"].as_object().expect("jobs");
    for (name, job) in jobs {
        assert!(job["runs-on"].is_string() && job["timeout-minutes"].is_number(), "{name}");
        let needs = job["needs"].as_str().into_iter();
        needs.for_each(|needed| assert!(jobs.contains_key(needed), "{name} needs {needed}"));
    }
    jobs.values().flat_map(|job| job["steps"].as_array().expect("steps")).collect()
}

fn check_workflow(text: &str) {
    let workflow: Value = serde_yaml::from_str(text).expect("YAML");
    assert_eq!(workflow["permissions"], json!({ "contents": "read" }));
    for step in steps(&workflow) {
        assert!(step["uses"].is_string() != step["run"].is_string(), "{step}");
        if let Some(action) = step["uses"].as_str() {
            let (_, pinned) = action.split_once('@').expect("a pin");
            assert!(pinned.len() == 40 && pinned.chars().all(|c| c.is_ascii_hexdigit()), "{action}");
        }
        // What a shell expands is never part of its script.
        assert!(!step["run"].as_str().unwrap_or_default().contains("${{"), "{step}");
    }
    let Ok(schema) = Command::new("check-jsonschema").arg("--version").output() else { return };
    assert!(schema.status.success());
    let file = project(&[("workflow.yml", text)]);
    let mut check = Command::new("check-jsonschema");
    check.args(["--builtin-schema", "vendor.github-workflows"]).arg(file.path().join("workflow.yml"));
    let run = check.output().expect("it starts");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stdout));
}

#[test]
fn the_workflow_for_users_is_one_and_asks_for_what_there_is() {
    let folder = tempfile::tempdir().expect("a folder");
    hookgen(folder.path(), ["init", "mine", "--ci"]).exits(0);
    let text = fs::read_to_string(folder.path().join(".github/workflows/hookgen.yml")).expect("a workflow");
    check_workflow(&text);
    let asked: Vec<Vec<&str>> = text
        .lines()
        .filter_map(|line| line.trim_start_matches([' ', '-']).trim_start_matches("run: ").strip_prefix("hookgen "))
        .map(|line| line.split(' ').collect())
        .collect();
    assert_eq!(asked.iter().map(|words| words[0]).collect::<Vec<_>>(), ["check", "ci", "ship"]);
    for words in asked {
        let help = hookgen(folder.path(), [words[0], "--help"]).exits(0).stdout;
        words.iter().filter(|word| word.starts_with("--")).for_each(|flag| assert!(help.contains(flag), "{flag}"));
    }
    let again = hookgen(folder.path(), ["init", "--ci"]).exits(2);
    assert!(again.stderr.contains("is there already"), "{}", again.stderr);
}

#[test]
fn the_workflow_of_releases_is_one() {
    check_workflow(&fs::read_to_string(repository().join(".github/workflows/release.yml")).expect("a workflow"));
}

/// The packages are made of this very build, installed by npm and pip where they are, and answer.
#[test]
#[expect(clippy::print_stderr, reason = "a test that did not run should say so")]
fn packages_of_this_platform_install_and_answer() {
    let platform = match (std::env::consts::OS, std::env::consts::ARCH) {
        ("linux", "x86_64") => "linux-x64",
        ("linux", "aarch64") => "linux-arm64",
        ("macos", "aarch64") => "darwin-arm64",
        ("macos", "x86_64") => "darwin-x64",
        _ => return,
    };
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("skipped: there is no Python");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let binaries = folder.path().join("binaries").join(platform);
    fs::create_dir_all(&binaries).expect("a folder");
    for (name, program) in
        [("hookgen", env!("CARGO_BIN_EXE_hookgen")), ("hookgen-engine", env!("CARGO_BIN_EXE_hookgen-engine"))]
    {
        fs::copy(program, binaries.join(name)).expect("copied");
    }
    let python = |script: &str, arguments: &[&str]| {
        let script = repository().join("release").join(script);
        let run = clean("python3").arg(script).args(arguments).current_dir(folder.path()).output().expect("it starts");
        assert!(
            run.status.success(),
            "{}{}",
            String::from_utf8_lossy(&run.stdout),
            String::from_utf8_lossy(&run.stderr)
        );
        String::from_utf8_lossy(&run.stdout).into_owned()
    };
    let made =
        python("package.py", &["--binaries", "binaries", "--out", "packages", "--allow-dynamic", "--level", "1"]);
    assert_eq!(made.lines().count(), 3, "{made}");
    let told = python("dry_run.py", &["--packages", "packages"]);
    for line in told.lines() {
        assert!(line.ends_with("left out") || line.ends_with(concat!("hookgen ", env!("CARGO_PKG_VERSION"))), "{told}");
    }
}
