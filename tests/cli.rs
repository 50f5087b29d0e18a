//! What a person at a terminal and a program at a pipe can rely on: help, suggestions, streams, exit codes, colours.

use std::process::Stdio;

use hookgen::diagnostic::Code;
use serde_json::Value;
use tempfile::TempDir;

use crate::support::{DEMO, command, hookgen, project};

const COMMANDS: &[&str] = &["init", "build", "check", "ship", "test", "replay", "list", "why", "schema", "explain"];

/// A project with one catalog, built.
fn demo() -> TempDir {
    let folder = project(&[("specs/demo.yaml", DEMO)]);
    hookgen(folder.path(), ["build"]).exits(0);
    folder
}

/// A project with one catalog that has an error.
fn broken() -> TempDir {
    project(&[("specs/demo.yaml", DEMO.replace("timeout:", "timout:"))])
}

#[test]
fn the_help_of_every_command_shows_an_example_on_standard_output() {
    let folder = demo();
    let all = hookgen(folder.path(), ["--help"]).exits(0);
    for name in COMMANDS {
        assert!(all.stdout.contains(&format!("  {name} ")), "{name}\n{}", all.stdout);
        let run = hookgen(folder.path(), [name, "--help"]).exits(0);
        let (_, examples) = run.stdout.split_once("Example").expect("examples");
        assert!(examples.contains(&format!("  hookgen {name}")), "{}", run.stdout);
        assert_eq!(run.stderr, "");
    }
    assert!(all.stdout.contains("Exit codes: 0 fine, 1 findings"), "{}", all.stdout);
}

#[test]
fn an_unknown_command_or_option_could_not_run_and_is_corrected() {
    let folder = demo();
    for (arguments, near) in [(["chekc", "demo"], "check"), (["check", "--deny-warning"], "--deny-warnings")] {
        let run = hookgen(folder.path(), arguments).exits(2);
        assert_eq!(run.stdout, "");
        assert!(run.stderr.contains(near), "{}", run.stderr);
    }
}

#[test]
fn an_unknown_catalog_could_not_run_and_gets_a_suggestion() {
    let folder = demo();
    for name in ["build", "check", "ship", "test", "list"] {
        let run = hookgen(folder.path(), [name, "dmeo"]).exits(2);
        assert_eq!(run.stdout, "");
        assert_eq!(run.stderr, "error: no catalog is called `dmeo`; did you mean `demo`?\n", "{name}");
    }
}

#[test]
fn a_folder_without_catalogs_could_not_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = hookgen(folder.path(), ["check"]).exits(2);
    assert!(run.stderr.contains("there is no `specs` folder"), "{}", run.stderr);
}

#[test]
fn every_code_is_explained_by_its_id_and_by_its_name() {
    let folder = demo();
    let list = hookgen(folder.path(), ["explain"]).exits(0);
    assert_eq!(list.stdout.lines().count(), Code::ALL.len());
    for code in Code::ALL {
        let by_id = hookgen(folder.path(), ["explain", code.id()]).exits(0);
        let by_name = hookgen(folder.path(), ["explain", code.name()]).exits(0);
        assert!(by_id.stdout.starts_with(&format!("# {code}: {}\n", code.name())), "{}", by_id.stdout);
        assert_eq!((by_id.stdout, by_id.stderr), (by_name.stdout, by_name.stderr));
    }
}

#[test]
fn an_unknown_code_could_not_run_and_gets_a_suggestion_or_the_way_to_the_list() {
    let folder = demo();
    for (text, told) in [
        ("unkown-field", "did you mean `unknown-field`?"),
        ("HG3O2", "did you mean `HG302`?"),
        ("weather", "`hookgen explain` lists them all"),
    ] {
        let run = hookgen(folder.path(), ["explain", text]).exits(2);
        assert_eq!((run.stdout.as_str(), run.stderr.contains(told)), ("", true), "{}", run.stderr);
    }
}

#[test]
fn data_goes_to_standard_output_and_talk_to_standard_error() {
    let folder = demo();
    let run = hookgen(folder.path(), ["check"]).exits(0);
    assert_eq!((run.stdout.as_str(), run.stderr.lines().count()), ("", 1), "{}", run.stderr);
    let run = hookgen(folder.path(), ["list", "--json"]).exits(0);
    assert_eq!(run.stderr, "");
    let hooks: Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(hooks[0]["id"], "H01");
    let run = hookgen(folder.path(), ["schema"]).exits(0);
    assert_eq!(run.stderr, "");
    assert!(serde_json::from_str::<Value>(&run.stdout).expect("JSON")["properties"]["hooks"].is_object());
    let run = hookgen(broken().path(), ["build"]).exits(1);
    assert!(!run.stdout.contains("timout") && run.stderr.contains("unknown key `timout`"), "{run:?}");
}

#[test]
fn findings_as_json_are_lines_with_a_place_each() {
    let folder = broken();
    let run = hookgen(folder.path(), ["check", "--json"]).exits(1);
    let lines = run.json_lines();
    let unknown = lines.iter().find(|line| line["code"] == "HG101").expect("the unknown key");
    assert_eq!(unknown["file"], "specs/demo.yaml");
    assert_eq!((unknown["line"].as_u64(), unknown["column"].as_u64()), (Some(9), Some(5)));
    assert_eq!((&unknown["severity"], &unknown["name"]), (&"error".into(), &"unknown-key".into()));
}

#[test]
fn warnings_fail_only_if_they_are_denied() {
    let folder = project(&[("specs/demo.yaml", DEMO.replace("Read|Edit", "Raed|Edit"))]);
    hookgen(folder.path(), ["build"]).exits(0);
    let run = hookgen(folder.path(), ["check"]).exits(0);
    assert!(run.stderr.contains("warning[HG503]"), "{}", run.stderr);
    let run = hookgen(folder.path(), ["check", "--deny-warnings"]).exits(1);
    assert!(run.stderr.ends_with("warnings are denied\n"), "{}", run.stderr);
}

#[test]
fn nobody_shipped_means_nothing_can_be_tested() {
    let folder = demo();
    let run = hookgen(folder.path(), ["test", "--no-ship"]).exits(2);
    assert!(run.stdout.is_empty() && run.stderr.starts_with("error: "), "{run:?}");
    hookgen(folder.path(), ["test", "--no-ship", "--filter", "no such case"]).exits(2);
}

#[test]
fn a_reader_that_has_gone_is_no_failure() {
    let folder = demo();
    for arguments in [&["schema"][..], &["explain"], &["list"], &["explain", "HG302"], &["--help"]] {
        let mut child = command(folder.path())
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("hookgen starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("hookgen ends");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && said.is_empty(), "{arguments:?}: {} {said}", output.status);
    }
    let mut check = command(folder.path());
    let mut child = check.arg("check").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("hookgen starts");
    drop((child.stdout.take(), child.stderr.take()));
    assert!(child.wait().expect("hookgen ends").success());
}

#[test]
fn colours_are_for_terminals_and_for_those_who_ask() {
    let folder = broken();
    let coloured = |arguments: &[&str], variable: Option<(&str, &str)>| {
        let output = command(folder.path()).args(arguments).envs(variable).output().expect("hookgen starts");
        String::from_utf8(output.stderr).expect("UTF-8").contains('\u{1b}')
    };
    assert!(coloured(&["check", "--color", "always"], None));
    assert!(coloured(&["check", "--color", "always"], Some(("NO_COLOR", "1"))));
    assert!(!coloured(&["check"], None));
    assert!(!coloured(&["check"], Some(("NO_COLOR", "1"))));
    assert!(!coloured(&["check", "--color", "never"], Some(("CLICOLOR_FORCE", "1"))));
}

#[test]
fn a_first_catalog_builds_as_it_is_and_is_never_overwritten() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = hookgen(folder.path(), ["init", "my-guards"]).exits(0);
    assert_eq!(run.stdout, "specs/my-guards.yaml\n.gitignore\n");
    let text = std::fs::read_to_string(folder.path().join("specs/my-guards.yaml")).expect("written");
    assert!(text.contains("\ncatalog: my-guards\n"), "{text}");
    hookgen(folder.path(), ["build"]).exits(0);
    let run = hookgen(folder.path(), ["check", "--deny-warnings"]).exits(0);
    assert!(!run.stderr.contains("warning"), "{}", run.stderr);
    let run = hookgen(folder.path(), ["init", "my-guards"]).exits(2);
    assert!(run.stderr.contains("is there already"), "{}", run.stderr);
}

#[test]
fn a_name_that_no_catalog_can_have_is_refused_before_anything_is_written() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["My Guards", "../x", "a: b", "", "x\ny"] {
        let run = hookgen(folder.path(), ["init", name]).exits(2);
        assert!(run.stdout.is_empty() && run.stderr.contains("is no name for a catalog"), "{name}: {}", run.stderr);
    }
    assert_eq!(std::fs::read_dir(folder.path()).expect("there").count(), 0);
}
