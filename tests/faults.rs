//! Hooks whose world breaks around them: every fault of the matrix, against binaries that are built here.

use std::fs;
use std::path::Path;

use crate::support::{Run, hookgen, project, repository, ship_outside};

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
        assert!(handler["args"].as_array().is_none_or(|ids| ids.len() == 1), "{handler}");
    }
    let run = hookgen(folder.path(), ["test", "--no-ship"]).exits(0);
    assert!(closing(&run).ends_with(" passed, 0 failed"), "{}", run.stdout);
}
