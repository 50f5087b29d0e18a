//! Hooks whose world breaks around them: every fault of the matrix, against binaries that are built here.

use std::fs;
use std::path::Path;

use crate::support::{Run, hookgen, project, repository, ship_outside, tests};

/// A catalog of this repository in a folder of its own, with some words replaced, and shipped.
fn shipped(catalog: &str, words: &[(&str, &str)]) -> tempfile::TempDir {
    let spec = format!("specs/{catalog}.yaml");
    let mut text = fs::read_to_string(repository().join(&spec)).expect("the catalog");
    for (old, new) in words {
        assert!(text.contains(old), "{catalog} has no `{old}`");
        text = text.replace(old, new);
    }
    let folder = project(&[(spec.as_str(), text)]);
    ship_outside(folder.path()).exits(0);
    folder
}

fn closing(run: &Run) -> &str {
    run.stdout.lines().last().unwrap_or_default()
}

fn faults(folder: &Path) -> Run {
    hookgen(folder, ["test", "--faults", "--no-ship"]).exits(0)
}

#[test]
fn the_same_hooks_refuse_when_they_break_once_they_are_closed() {
    // Nobody optimised this build, and an event of 50 MB takes it a while on a busy machine.
    let words =
        [("fail_safe: open", "fail_safe: closed"), ("timeout: 3s", "timeout: 15s"), ("timeout: 5s", "timeout: 15s")];
    let folder = shipped("product-planning", &words);
    let run = faults(folder.path());
    assert!(closing(&run).contains(" held, 0 did not"), "{}", run.stdout);
}

#[test]
fn hooks_that_are_started_one_by_one_pass_the_same_cases() {
    let folder = shipped("product-planning", &[("dispatch: merged", "dispatch: per-hook")]);
    let registered = fs::read_to_string(folder.path().join("dist/product-planning/hooks/hooks.json")).expect("hooks");
    let registered: serde_json::Value = serde_json::from_str(&registered).expect("JSON");
    let groups =
        registered["hooks"].as_object().expect("events").values().flat_map(|event| event.as_array().expect("groups"));
    for handler in groups.flat_map(|group| group["hooks"].as_array().expect("handlers")) {
        assert!(handler["args"].as_array().is_none_or(|arguments| arguments.len() == 2), "{handler}");
    }
    let run = hookgen(folder.path(), ["test", "--no-ship"]).exits(0);
    assert!(closing(&run).ends_with(" passed, 0 failed"), "{}", run.stdout);
}

/// Hooks that are right and were once blamed, in a folder of their own, and shipped.
fn sound() -> (tempfile::TempDir, String) {
    let text = fs::read_to_string(tests().join("sound/specs/sound.yaml")).expect("the catalog");
    let folder = project(&[("specs/sound.yaml", text.as_str())]);
    ship_outside(folder.path()).exits(0);
    (folder, text)
}

#[test]
fn hooks_that_are_right_are_not_blamed() {
    let (folder, text) = sound();
    let cases = hookgen(folder.path(), ["test", "--no-ship"]).exits(0);
    assert!(closing(&cases).ends_with(" passed, 0 failed"), "{}", cases.stdout);
    let run = faults(folder.path());
    assert!(closing(&run).contains(" held, 0 did not"), "{}", run.stdout);

    the_documentation_says_whose_answer_depends_on_git(folder.path());
    what_is_tried_can_be_chosen(folder.path());
    fs::write(folder.path().join("specs/sound.yaml"), text.replace("fail_safe: open", "fail_safe: closed"))
        .expect("written");
    a_hook_that_breaks_its_promise_is_shown_with_all_that_it_did(folder.path());
}

fn the_documentation_says_whose_answer_depends_on_git(folder: &Path) {
    let faults = fs::read_to_string(folder.join("generated/reference/FAULTS.md")).expect("the page of faults");
    let both = "as always; hooks that start programs, by what these answer";
    assert!(faults.contains(&format!("| no `git` to be found | {both} | {both} |")), "{faults}");
    let starts = |page: &str| page.lines().any(|line| line.contains("programs") && line.contains("(hooks/"));
    let own = fs::read_to_string(folder.join("dist/sound/docs/HOOKS.md")).expect("the documentation");
    assert!(starts(&own) && own.contains("[S07](hooks/S07.md)"), "{own}");
}

fn what_is_tried_can_be_chosen(folder: &Path) {
    let chosen = |filter: &str| hookgen(folder, ["test", "--faults", "--no-ship", "--filter", filter]);
    assert!(chosen("S07 runs-git: NO-GIT").exits(0).stdout.starts_with("1 held, 0 did not, 0 not possible here"));
    let none = chosen("no such thing").exits(2);
    assert!(none.stderr.contains("no hook and no fault holds `no such thing`"), "{}", none.stderr);
}

/// The binary is the one of before, so what the catalog says now does not hold.
fn a_hook_that_breaks_its_promise_is_shown_with_all_that_it_did(folder: &Path) {
    let run =
        hookgen(folder, ["test", "--faults", "--no-ship", "--filter", "S03 budget-of-two-open: not-json"]).exits(1);
    for shown in [
        "sound S03 not-json: decided Pass, but `fail_safe` says Deny\n",
        "bytes: the client has a bad day",
        "    end: exit code 0\n",
        "    stdout: {\"systemMessage\":",
        "    log:\n      FAIL_OPEN by no check of S03: the event is not JSON:",
        "0 held, 1 did not",
    ] {
        assert!(run.stdout.contains(shown), "{shown}\n{}", run.stdout);
    }
}
