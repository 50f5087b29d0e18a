//! What came of a step, beside what must come of it.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;

use super::reply::Reply;
use super::world::World;
use super::{audit, exports};
use crate::catalog::{Decision, Expect, FileCheck};

/// Every way in which the step fell short. Texts are about the last run, the tally about all.
pub(super) fn compare(world: &World, expect: &Expect, replies: &[&Reply]) -> Vec<String> {
    let mut problems = Vec::new();
    if let Some(last) = replies.last() {
        compare_decision(expect, last, &mut problems);
        compare_texts(world, expect, last, &mut problems);
        compare_updated(world, expect, last, &mut problems);
    }
    compare_tally(expect, replies, &mut problems);
    for (path, check) in &expect.files {
        compare_file(world, path, check, &mut problems);
    }
    compare_exports(world, expect, &mut problems);
    let log = if expect.log.is_empty() { String::new() } else { audit::logs(&world.data) };
    demand(world, &expect.log, &log, "the decision log", &mut problems);
    problems
}

/// The word for a decision, as catalogs spell it.
pub(super) fn word(decision: Decision) -> &'static str {
    match decision {
        Decision::Pass => "pass",
        Decision::Allow => "allow",
        Decision::Ask => "ask",
        Decision::Deny => "deny",
    }
}

fn compare_decision(expect: &Expect, reply: &Reply, problems: &mut Vec<String>) {
    if let Some(expected) = expect.decision
        && expected != reply.decision
    {
        problems.push(format!("expected decision `{}`, found `{}`", word(expected), word(reply.decision)));
    }
}

fn compare_texts(world: &World, expect: &Expect, reply: &Reply, problems: &mut Vec<String>) {
    let all = reply.all();
    demand(world, &expect.says, &all, "what the hook says", problems);
    demand(world, &expect.model, &reply.to_model(), "what reaches the model", problems);
    demand(world, &expect.person, &reply.to_person(), "what reaches the person", problems);
    for text in expect.silent.iter().map(|text| world.names.fill(text)).filter(|text| holds(&all, text)) {
        problems.push(format!("expected the hook not to say `{text}`, but it does"));
    }
    if expect.quiet && !all.is_empty() {
        problems.push("expected the hook to say nothing at all, but it speaks".to_owned());
    }
}

/// The texts that must be found.
fn demand(world: &World, texts: &[String], found: &str, place: &str, problems: &mut Vec<String>) {
    for text in texts.iter().map(|text| world.names.fill(text)).filter(|text| !holds(found, text)) {
        problems.push(format!("expected `{text}` in {place}"));
    }
}

fn holds(text: &str, wanted: &str) -> bool {
    text.to_lowercase().contains(&wanted.to_lowercase())
}

fn compare_updated(world: &World, expect: &Expect, reply: &Reply, problems: &mut Vec<String>) {
    if expect.updated.is_empty() {
        return;
    }
    let Some(updated) = &reply.updated else {
        problems.push("expected a rewritten tool input, found none".to_owned());
        return;
    };
    for (field, expected) in &expect.updated {
        let expected = world.names.fill_value(expected);
        let found = updated.get(field).unwrap_or(&Value::Null);
        if *found != expected {
            problems.push(format!("expected `{field}` of the rewritten input to be `{expected}`, found `{found}`"));
        }
    }
}

fn compare_tally(expect: &Expect, replies: &[&Reply], problems: &mut Vec<String>) {
    if expect.tally.is_empty() {
        return;
    }
    let mut found = BTreeMap::new();
    for reply in replies {
        *found.entry(word(reply.decision)).or_insert(0_u32) += 1;
    }
    let expected: BTreeMap<_, _> =
        expect.tally.iter().filter(|(_, count)| **count > 0).map(|(word, count)| (word.as_str(), *count)).collect();
    if expected != found {
        problems.push(format!("expected the tally {}, found {}", tally(&expected), tally(&found)));
    }
}

fn tally(counts: &BTreeMap<&str, u32>) -> String {
    counts.iter().map(|(word, count)| format!("{count} {word}")).collect::<Vec<_>>().join(", ")
}

fn compare_file(world: &World, written: &str, check: &FileCheck, problems: &mut Vec<String>) {
    let path = match world.project_path(written) {
        Ok(path) => path,
        Err(error) => return problems.push(error.to_string()),
    };
    match (check.exists, path.exists()) {
        (false, true) => return problems.push(format!("expected no file `{written}`, but it is there")),
        (false, false) => return,
        (true, false) => return problems.push(format!("expected the file `{written}`, but it is missing")),
        (true, true) => {}
    }
    if check.contains.is_empty() && check.lacks.is_empty() && check.lines.is_none() {
        return;
    }
    let text = match fs::read(&path) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) => return problems.push(format!("cannot read `{written}`: {error}")),
    };
    demand(world, &check.contains, &text, &format!("`{written}`"), problems);
    for unwanted in check.lacks.iter().map(|text| world.names.fill(text)).filter(|unwanted| holds(&text, unwanted)) {
        problems.push(format!("expected no `{unwanted}` in `{written}`, but it is there"));
    }
    if let Some(expected) = check.lines
        && expected != text.lines().count()
    {
        problems.push(format!("expected {expected} lines in `{written}`, found {}", text.lines().count()));
    }
}

fn compare_exports(world: &World, expect: &Expect, problems: &mut Vec<String>) {
    if expect.exports.is_empty() {
        return;
    }
    let text = match fs::read_to_string(&world.env_file) {
        Ok(text) => text,
        Err(error) => return problems.push(format!("expected exports, but their file cannot be read: {error}")),
    };
    let variables = match exports::read(&text) {
        Ok(variables) => variables,
        Err(fault) => return problems.push(fault),
    };
    for (name, value) in &expect.exports {
        let expected = world.names.fill(value);
        match variables.get(name) {
            Some(found) if *found == expected => {}
            Some(found) => problems.push(format!("expected `{name}` to be exported as `{expected}`, found `{found}`")),
            None => problems.push(format!("expected `{name}` to be exported, but it is not")),
        }
    }
}

#[cfg(test)]
mod tests {
    use camino::Utf8Path;
    use hookgen_runtime::{Event, Running};
    use serde_json::json;

    use super::super::process::{Answer, End};
    use super::*;
    use crate::catalog::Given;

    fn world(given: Value) -> World {
        let plugin = tempfile::tempdir().expect("a folder");
        let given: Given = serde_json::from_value(given).expect("a given");
        World::make(Utf8Path::from_path(plugin.path()).expect("UTF-8"), &given).expect("a world")
    }

    fn reply(event: &str, stdout: &str) -> Reply {
        let answer = Answer { end: End::Exited(0), stdout: stdout.into(), stderr: Vec::new() };
        Reply::read(Event::named(event).expect("known"), Running::Awaited, &answer)
    }

    fn problems(world: &World, expect: Value, replies: &[&Reply]) -> Vec<String> {
        let expect: Expect = serde_json::from_value(expect).expect("an expectation");
        compare(world, &expect, replies)
    }

    const DENIAL: &str = r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"Spec is IMMUTABLE"},"systemMessage":"for you"}"#;

    #[test]
    fn what_is_met_is_no_problem() {
        let denied = reply("PreToolUse", DENIAL);
        let expect = json!({
            "decision": "deny", "says": ["immutable", "FOR YOU"], "silent": ["budget"], "model": ["spec is"],
            "person": ["for you"],
        });
        assert_eq!(problems(&world(json!({})), expect, &[&denied]), Vec::<String>::new());
    }

    #[test]
    fn every_unmet_expectation_is_named() {
        let denied = reply("PreToolUse", DENIAL);
        let expect = json!({
            "decision": "pass", "says": ["budget"], "silent": ["immutable"], "quiet": true, "model": ["for you"],
            "person": ["budget"], "updated": {"command": "ls"}, "log": ["DENY"], "exports": {"A": "x"},
            "files": {"missing.md": {}}, "tally": {"pass": 1},
        });
        let found = problems(&world(json!({})), expect, &[&denied]);
        assert_eq!(found.len(), 11, "{found:#?}");
    }

    #[test]
    fn an_approval_is_not_a_mere_pass() {
        let allowed = r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}"#;
        let allowed = reply("PreToolUse", allowed);
        assert_eq!(problems(&world(json!({})), json!({"decision": "pass"}), &[&allowed]).len(), 1);
        assert_eq!(problems(&world(json!({})), json!({"decision": "allow"}), &[&allowed]).len(), 0);
    }

    #[test]
    fn decisions_of_all_runs_are_tallied() {
        let (passed, denied) = (reply("PreToolUse", ""), reply("PreToolUse", DENIAL));
        let runs = [&passed, &denied, &passed];
        assert_eq!(problems(&world(json!({})), json!({"tally": {"pass": 2, "deny": 1, "ask": 0}}), &runs).len(), 0);
        let found = problems(&world(json!({})), json!({"tally": {"pass": 3}}), &runs);
        assert_eq!(found, ["expected the tally 3 pass, found 1 deny, 2 pass"]);
    }

    #[test]
    fn files_are_looked_at() {
        let world = world(json!({"files": {"a.md": "One\ntwo $PROJECT\n"}}));
        let good = json!({"files": {
            "a.md": {"contains": ["one", "$PROJECT"], "lacks": ["three"], "lines": 2},
            "$PROJECT/a.md": {}, "b.md": {"exists": false},
        }});
        assert_eq!(problems(&world, good, &[]), Vec::<String>::new());
        let bad = json!({"files": {
            "a.md": {"contains": ["three"], "lacks": ["two"], "lines": 3}, "../../x": {}, "./a.md": {"exists": false},
        }});
        assert_eq!(problems(&world, bad, &[]).len(), 5);
    }

    #[test]
    fn rewritten_fields_are_compared_whole() {
        let rewritten =
            r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"ls -l","timeout":5}}}"#;
        let rewritten = reply("PreToolUse", rewritten);
        let world = world(json!({}));
        assert_eq!(problems(&world, json!({"updated": {"command": "ls -l", "timeout": 5}}), &[&rewritten]).len(), 0);
        assert_eq!(problems(&world, json!({"updated": {"command": "ls", "note": "x"}}), &[&rewritten]).len(), 2);
    }

    #[test]
    fn exports_are_read_as_a_shell_would() {
        let world = world(json!({}));
        fs::write(&world.env_file, format!("export A='it'\\''s'\nexport B='{}'\n", world.project)).expect("written");
        assert_eq!(problems(&world, json!({"exports": {"A": "it's", "B": "$PROJECT"}}), &[]).len(), 0);
        assert_eq!(problems(&world, json!({"exports": {"A": "its", "C": ""}}), &[]).len(), 2);
        fs::write(&world.env_file, "A=x; id\n").expect("written");
        assert_eq!(problems(&world, json!({"exports": {"A": "x"}}), &[]).len(), 1);
    }

    #[test]
    fn the_log_is_searched_below_the_plugins_data() {
        let world = world(json!({}));
        fs::create_dir_all(world.data.join("sessions/s")).expect("created");
        fs::write(world.data.join("sessions/s/hooks.log"), "[t] H01_guard: DENY | no\n").expect("written");
        assert_eq!(problems(&world, json!({"log": ["H01_guard: deny"]}), &[]).len(), 0);
        assert_eq!(problems(&world, json!({"log": ["H02"]}), &[]).len(), 1);
    }
}
