//! Catalogs of several files: what is used, what is extended, and folders.

use crate::support::{DEMO, hookgen, project};

const BASE: &str = include_str!("sharing/base.yaml");

const USER: &str = "catalog: user
version: 1.0.0
description: Keeps branches.
use: [./shared/names.yaml]
hooks:
  - id: U01
    name: guard-branches
    event: PreToolUse
    matcher: Edit
    timeout: 3s
    fail_safe: closed
    why: Branches are protected.
    when: is_protected
    checks:
      - id: protected
        deny: \"${messages.protected}\"
    cases:
      - name: a protected branch is kept
        given: { branch: main }
        input: { tool_name: Edit }
        expect: { decision: deny, model: [main is protected] }
      - name: another one is not
        given: { branch: x }
        input: { tool_name: Edit }
        expect: { decision: pass }
";

const NAMES: &str = "use: [./words.yaml]
data:
  unused: [a]
facts:
  is_protected: git.branch in data.protected
messages:
  protected: \"${git.branch} is protected.\"
";

const WORDS: &str = "data:\n  protected: [main]\n";

fn codes(files: &[(&str, &str)], catalog: &str) -> Vec<(String, String)> {
    let folder = project(files);
    let run = hookgen(folder.path(), ["check", "--json", catalog]);
    let text = |line: &serde_json::Value, key: &str| {
        line.get(key).and_then(serde_json::Value::as_str).unwrap_or_default().to_owned()
    };
    run.json_lines()
        .iter()
        .filter(|line| line.get("code").is_some())
        .map(|line| (text(line, "code"), text(line, "file")))
        .collect()
}

#[test]
fn what_is_used_is_there_and_what_is_not_used_of_it_is_no_finding() {
    let files = [("specs/user.yaml", USER), ("specs/shared/names.yaml", NAMES), ("specs/shared/words.yaml", WORDS)];
    assert_eq!(codes(&files, "user"), []);
    let folder = project(&files);
    hookgen(folder.path(), ["test", "user"]).exits(0);
    hookgen(folder.path(), ["build"]).exits(0);
    hookgen(folder.path(), ["check"]).exits(0);
    let page = std::fs::read_to_string(folder.path().join("generated/user/docs/HOOKS.md")).expect("a page");
    assert!(page.contains("specs/shared/words.yaml"), "{page}");
    // What is used is part of the catalog: another word there is drift.
    std::fs::write(folder.path().join("specs/shared/words.yaml"), "data:\n  protected: [trunk]\n").expect("written");
    hookgen(folder.path(), ["check"]).exits(1);
}

#[test]
fn faults_are_shown_in_the_file_that_has_them() {
    let broken = NAMES.replace("git.branch in", "git.brnch in");
    let files = [("specs/user.yaml", USER), ("specs/shared/names.yaml", &broken), ("specs/shared/words.yaml", WORDS)];
    let found = codes(&files, "user");
    assert!(!found.is_empty() && found.iter().all(|(_, file)| file == "specs/shared/names.yaml"), "{found:?}");
}

#[test]
fn clashes_circles_and_missing_files_are_findings() {
    let clash = USER.replace("hooks:\n", "data:\n  protected: [x]\nhooks:\n");
    let names = ("specs/shared/names.yaml", NAMES);
    let words = ("specs/shared/words.yaml", WORDS);
    assert_eq!(codes(&[("specs/user.yaml", &clash), names, words], "user")[0].0, "HG203");
    let circle = ("specs/shared/words.yaml", "use: [./names.yaml]\ndata:\n  protected: [main]\n");
    assert_eq!(
        codes(&[("specs/user.yaml", USER), names, circle], "user")[0],
        ("HG204".to_owned(), "specs/shared/words.yaml".to_owned())
    );
    assert_eq!(codes(&[("specs/user.yaml", USER), names], "user")[0].0, "HG001");
    let outside = USER.replace("./shared/names.yaml", "../../names.yaml");
    assert_eq!(codes(&[("specs/user.yaml", &outside), names, words], "user")[0].0, "HG001");
    let unshared = ("specs/shared/words.yaml", "config: { file: x.yaml }\ndata:\n  protected: [main]\n");
    assert_eq!(codes(&[("specs/user.yaml", USER), names, unshared], "user")[0].0, "HG101");
}

#[test]
fn a_catalog_can_be_extended_changed_and_thinned_out() {
    let team = "catalog: team
version: 2.0.0
description: What our team has.
extends: ./shared/base.yaml
change:
  thresholds: { longest: { default: 10 } }
  hooks: { B01: { mode: warn } }
off:
  B02: We publish by hand.
";
    let files = [("specs/team.yaml", team), ("specs/shared/base.yaml", BASE)];
    assert_eq!(codes(&files, "team"), []);
    let folder = project(&files);
    let run = hookgen(folder.path(), ["list", "--json", "team"]).exits(0);
    assert!(run.stdout.contains("B01") && !run.stdout.contains("B02"), "{}", run.stdout);
    hookgen(folder.path(), ["build", "team"]).exits(0);
    let page = std::fs::read_to_string(folder.path().join("generated/team/docs/HOOKS.md")).expect("a page");
    assert!(page.contains("We publish by hand.") && page.contains("specs/shared/base.yaml"), "{page}");
    let run = hookgen(folder.path(), ["eval", "thresholds.longest", "--catalog", "team"]).exits(0);
    assert_eq!(run.stdout.trim(), "10");
    let idle = team.replace("longest:", "lngest:");
    assert_eq!(codes(&[("specs/team.yaml", &idle), files[1]], "team")[0].0, "HG206");
}

#[test]
fn a_catalog_in_a_folder_is_like_one_in_a_file() {
    let (head, hook) = DEMO.split_once("hooks:\n").expect("hooks");
    let (hook, cases) = hook.split_once("    cases:\n").expect("cases");
    let unindented = |text: &str, by: usize| {
        text.lines().map(|line| format!("{}\n", line.get(by..).unwrap_or_default())).collect::<String>()
    };
    let (hook, cases) = (unindented(hook, 2), unindented(cases, 6));
    let parts = [
        ("specs/demo/catalog.yaml", head.to_owned()),
        ("specs/demo/hooks/guard.yaml", hook),
        ("specs/demo/cases/H01.yaml", cases),
    ];
    let files: Vec<(&str, &str)> = parts.iter().map(|(path, text)| (*path, text.as_str())).collect();
    for name in ["demo", "specs/demo", "specs/demo/catalog.yaml"] {
        assert_eq!(codes(&files, name), [], "{name}");
    }
    let folder = project(&files);
    hookgen(folder.path(), ["test"]).exits(0);
    let wrong = parts[1].1.replace("fail_safe: closed", "fail_safe: shut");
    assert_eq!(
        codes(&[files[0], ("specs/demo/hooks/guard.yaml", &wrong), files[2]], "demo")[0],
        ("HG104".to_owned(), "specs/demo/hooks/guard.yaml".to_owned())
    );
    let stray = codes(&[files[0], files[1], ("specs/demo/cases/H09.yaml", files[2].1)], "demo");
    assert_eq!(stray[0], ("HG202".to_owned(), "specs/demo/cases/H09.yaml".to_owned()));
}
