//! Catalogs with one flaw each, and the command that finds it.

use std::fs;

use crate::support::{Run, hookgen, project, tests};

/// Runs a command on the catalog of that name, alone in a folder.
fn on(name: &str, arguments: &[&str]) -> Run {
    let text = fs::read_to_string(tests().join("planted").join(format!("{name}.yaml"))).expect(name);
    let folder = project(&[("specs/planted.yaml", text.as_str())]);
    hookgen(folder.path(), arguments)
}

#[track_caller]
fn finds(name: &str, arguments: &[&str], parts: &[&str]) {
    let run = on(name, arguments).exits(1);
    for part in parts {
        assert!(run.stdout.contains(part), "{name}: {part}\n{}\n{}", run.stdout, run.stderr);
    }
}

const COVERAGE: &[&str] = &["test", "--coverage", "--fail-under", "100"];
const MUTATE: &[&str] = &["test", "--mutate", "--fail-under", "100"];

/// What `check` says of the catalog of that name, beside that nothing is generated.
#[track_caller]
fn is_told(name: &str, parts: &[&str]) {
    let run = on(name, &["check"]);
    for part in parts {
        assert!(run.stderr.contains(part), "{name}: {part}\n{}", run.stderr);
    }
}

#[test]
fn flaws_are_found_without_running_anything() {
    let event = |command: &str| format!("{{\"tool_name\":\"Bash\",\"tool_input\":{{\"command\":\"{command}\"}}}}");
    is_told("dead-check", &["HG530", "check `force` never takes effect", &event("git push --force")]);
    is_told("shadowed-row", &["HG532", "specs/planted.yaml:5:26", &event("git push --force")]);
    is_told("always-true", &["HG529", "`tool_input.command.size() >= 0` always holds", "an event that shows it"]);
    is_told("contradiction", &["c.name == 'git' && c.name == 'hub')` never holds", "check `hard` never takes effect"]);
    is_told("contradiction", &[&event("git reset --hard")]);
    is_told("opposed", &["HG531", "H01 and H02 decide one event in opposite ways", &event("git fetch")]);
    is_told("idle-flag", &["HG533", "flag `strict` changes nothing", &event("git push")]);
    is_told("idle-choice", &["HG533", "choice `level` changes nothing"]);
    is_told("idle-threshold", &["HG534", "threshold `longest` changes nothing", "between 100 and 1000"]);
    is_told("covered-rule", &["HG532", "specs/planted.yaml:7:7", &event("git push --force")]);
    is_told("covered-record", &["HG532", "specs/planted.yaml:8:7"]);
    is_told(
        "idle-word",
        &["HG533", "does the same with `medium` as with `low`", "planted.yaml:7:60", &event("git push")],
    );
    is_told("dead-pattern", &["check `force` never takes effect", &event("git push --force")]);
    is_told("dead-pattern", &["`tool_input.command.lowerAscii().contains('Mirror')` never holds"]);
    is_told("dead-options", &["check `force` never takes effect", &event("git push -f -v")]);
    is_told("dead-options", &["specs/planted.yaml:8:7", "specs/planted.yaml:9:7", &event("git push --force --tags")]);
    is_told("dead-options", &["`c.name == 'hg' && c.name == 'svn'` never holds", "specs/planted.yaml:30:15"]);
}

#[test]
fn conditions_that_never_hold_are_found_for_whatever_reason() {
    for (line, condition) in [
        (21, "tool_input.command.startsWith('git push') && tool_input.command.size() < 5"),
        (24, "tool_input.command.trim().startsWith(' git')"),
        (27, "flags.strict && !flags.base"),
        (30, "flags.strict && thresholds.ratio < 0.5"),
    ] {
        is_told("never", &[&format!("`{condition}` never holds"), &format!("specs/planted.yaml:{line}:")]);
    }
    let run = on("never", &["check"]);
    assert!(!run.stderr.contains("always holds") && !run.stderr.contains("`push` never"), "{}", run.stderr);
}

#[test]
fn what_is_easily_blamed_and_right_is_left_alone() {
    on("look-alikes", &["test"]).exits(0);
    let run = on("look-alikes", &["check"]);
    assert!(!run.stderr.contains("[HG"), "{}", run.stderr);
}

#[test]
fn a_check_that_an_earlier_one_pre_empts_never_decides() {
    finds("dead-check", COVERAGE, &["specs/planted.yaml:18:9: H01 `deny` of `force` never happened"]);
}

#[test]
fn a_row_that_another_one_covers_never_makes_a_difference() {
    let run = on("shadowed-row", &["test", "--coverage"]);
    assert!(run.stdout.contains("`\"git push --force\"` never made a difference"), "{}", run.stdout);
    finds("shadowed-row", MUTATE, &["`\"git push --force\"` left out: no case notices"]);
}

#[test]
fn an_alternative_of_a_pattern_that_no_case_knows_survives() {
    let run = on("pattern", MUTATE).exits(1);
    for part in [
        "`fetch` of the pattern left out: no case notices",
        "+         when: tool_input.command.matches(r'^git (push)\\b')",
        "`\\b` of the pattern left out: no case notices",
    ] {
        assert!(run.stdout.contains(part), "{part}\n{}", run.stdout);
    }
    assert!(!run.stdout.contains("`push` of the pattern") && !run.stdout.contains("`^` of"), "{}", run.stdout);
}

#[test]
fn what_is_called_twice_is_changed_once() {
    let run = on("body", MUTATE);
    assert!(!run.stdout.contains("in a definition that is called here"), "{}", run.stdout);
}

#[test]
fn a_sample_is_the_same_each_time_and_says_so() {
    let sample = ["test", "--mutate", "--sample", "3"];
    let (one, other) = (on("order", &sample), on("order", &sample));
    assert!(one.stdout.contains("of 3 changes to planted noticed, chosen evenly from"), "{}", one.stdout);
    assert_eq!(one.stdout, other.stdout);
}

#[test]
fn a_limit_that_no_case_knows_survives() {
    finds("threshold", MUTATE, &["threshold `longest` is 21 instead of 20: no case notices", "default: 21 }"]);
}

#[test]
fn a_border_that_no_case_knows_survives_and_the_case_is_written_out() {
    finds(
        "border",
        MUTATE,
        &[
            "`>` instead of `>=`: no case notices",
            "-         when: tool_input.command.size() >= 20",
            "+         when: tool_input.command.size() > 20",
            "this case would:",
            "command: xxxxxxxxxxxxxxxxxxxx",
            "decision: deny",
        ],
    );
}

#[test]
fn an_order_that_no_case_knows_survives() {
    finds("order", MUTATE, &["check `forced` before `remote`: no case notices"]);
}

#[test]
fn an_operand_that_always_holds_is_never_seen_false() {
    finds("always-true", COVERAGE, &["`tool_input.command.size() >= 0` was never false"]);
}

#[test]
fn a_message_that_no_case_hears_survives_with_a_case_that_listens() {
    finds("unheard", MUTATE, &["`deny` of `push` says nothing: no case notices", "says:", "- Ask before you push."]);
}

#[test]
fn a_failure_that_no_case_causes_leaves_the_failure_mode_open() {
    finds("fail-safe", MUTATE, &["`fail_safe: open` instead of `closed`: no case notices"]);
}

#[test]
fn a_word_that_no_case_holds_survives() {
    finds("word", MUTATE, &["'git fetch' left out: no case notices", "command: git fetch"]);
}

#[test]
fn a_mark_that_is_no_longer_true_is_a_failure() {
    finds("unneeded-mark", &["test"], &["it is marked `todo: nobody has written the check yet`, and passes"]);
}

#[test]
fn an_effect_that_no_case_looks_at_survives() {
    finds("side-effect", MUTATE, &["`append` of `push` left out: no case notices", "`append` of `push` done twice"]);
}
