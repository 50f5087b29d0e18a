//! What is tested, as rows: what a hook is given, and what comes of it.

use serde_json::Value;

use super::markdown::{Table, code, codes, text};
use crate::catalog::{Case, Decision, Expect, Given, Step};
use crate::model::Hook;

/// How many of a case's texts are shown.
const SHOWN: usize = 6;

/// Longest text of an input that is shown whole.
const LONG: usize = 140;

/// The cases of a hook as a table; nothing if there are none.
pub(super) fn table(hook: &Hook) -> String {
    let rows = hook.cases.iter().map(|case| {
        let (given, result) = steps(case);
        let result = match &case.todo {
            Some(reason) => both(&result, &format!("not yet: {}", text(reason))),
            None => result,
        };
        [text(&case.name), given, result]
    });
    Table::or_empty(["case", "given", "comes of it"], rows.collect())
}

/// What all steps of a case are given and come to; several are numbered.
fn steps(case: &Case) -> (String, String) {
    let world = world(&case.given);
    if case.steps.is_empty() {
        let shown = input(case.input.as_ref(), case.raw.as_deref(), case.each.texts(), (case.repeat, case.parallel));
        let result = case.expect.as_ref().map(outcome).unwrap_or_default();
        return (both(&world, &shown), result);
    }
    let number = |(place, said): (usize, String)| format!("{place}. {said}");
    let given = case.steps.iter().map(step_input).zip(1..).map(|(said, place)| number((place, said)));
    let result =
        case.steps.iter().map(|step| outcome(&step.expect)).zip(1..).map(|(said, place)| number((place, said)));
    (both(&world, &given.collect::<Vec<_>>().join("\n")), result.collect::<Vec<_>>().join("\n"))
}

fn both(world: &str, input: &str) -> String {
    if world.is_empty() { input.to_owned() } else { format!("{input}\n{world}") }
}

fn step_input(step: &Step) -> String {
    let mut said = input(step.input.as_ref(), step.raw.as_deref(), step.each.texts(), (step.repeat, step.parallel));
    if let Some(other) = &step.hook {
        said = format!("{}: {said}", code(other));
    }
    for (name, files) in [("after", step.after.clone()), ("with", step.files.keys().cloned().collect())] {
        if !files.is_empty() {
            said = format!("{said}, {name} {}", codes(files.iter().map(String::as_str)));
        }
    }
    said
}

/// The world, as far as it is not the usual one.
fn world(given: &Given) -> String {
    let mut parts = Vec::new();
    if !given.worlds.is_empty() {
        parts.push(format!("in the world {}", codes(given.worlds.iter().map(String::as_str))));
    }
    match given.branch.as_deref() {
        Some("") => parts.push("outside a repository".to_owned()),
        Some(branch) => parts.push(format!("on {}", code(branch))),
        None => {}
    }
    for (name, files) in [
        ("with", given.files.keys()),
        ("committed", given.committed.keys()),
        ("in the plugin", given.plugin_files.keys()),
        ("at home", given.home_files.keys()),
    ] {
        let files: Vec<&str> = files.map(String::as_str).collect();
        if !files.is_empty() {
            parts.push(format!("{name} {}", some(&files)));
        }
    }
    if !given.env.is_empty() {
        parts.push(format!("with the variables {}", codes(given.env.keys().map(String::as_str))));
    }
    parts.join("; ")
}

/// A list, as far as a reader wants it.
fn some(texts: &[&str]) -> String {
    let shown =
        codes(texts.iter().take(SHOWN).map(|text| clipped(text)).collect::<Vec<_>>().iter().map(String::as_str));
    match texts.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

fn clipped(text: &str) -> String {
    match text.char_indices().nth(LONG) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn input(
    fields: Option<&crate::catalog::Ordered<Value>>,
    raw: Option<&str>,
    each: &[String],
    (repeat, parallel): (Option<u32>, Option<u32>),
) -> String {
    let mut said = match (fields, raw) {
        (_, Some(raw)) => format!("the bytes {}", code(&clipped(raw))),
        (Some(fields), None) if !fields.is_empty() => event(fields),
        _ => "the event".to_owned(),
    };
    if !each.is_empty() {
        let texts: Vec<&str> = each.iter().map(String::as_str).collect();
        said = if said == code("{each}") { some(&texts) } else { format!("{said} for each of {}", some(&texts)) };
    }
    match (repeat, parallel) {
        (Some(times), _) => format!("{said}, {times} times"),
        (None, Some(times)) => format!("{said}, {times} at once"),
        (None, None) => said,
    }
}

/// The one field that matters in the input of many tools.
const TELLING: &[&str] = &["command", "file_path", "notebook_path", "prompt", "pattern", "url", "skill"];

/// The fields of an event in brief: the tool, and what it is given.
fn event(fields: &crate::catalog::Ordered<Value>) -> String {
    let tool = fields.get("tool_name").and_then(Value::as_str);
    let inside = fields.get("tool_input").and_then(Value::as_object);
    let telling = |object: &serde_json::Map<String, Value>| {
        let told = TELLING.iter().find_map(|name| object.get(*name))?;
        (object.len() == 1 || object.contains_key("description")).then(|| code(&clipped(&bare(told))))
    };
    let shown: Vec<String> = fields
        .iter()
        .filter(|(name, _)| *name != "tool_name")
        .map(|(name, value)| match (name.as_str(), inside.and_then(telling)) {
            ("tool_input", Some(told)) => told,
            ("tool_input", None) => code(&clipped(&bare(value))),
            _ => code(&format!("{name}: {}", clipped(&bare(value)))),
        })
        .collect();
    match tool {
        Some("Bash") if !shown.is_empty() => shown.join(", "),
        Some(tool) => format!("{} {}", text(tool), shown.join(", ")).trim_end().to_owned(),
        None => shown.join(", "),
    }
}

/// A value without the marks that JSON needs.
fn bare(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Object(fields) if fields.len() == 2 && fields.contains_key("repeat") && fields.contains_key("times") => {
            format!("{} × {}", bare(&fields["repeat"]), fields["times"])
        }
        Value::Object(fields) => {
            let parts: Vec<String> = fields.iter().map(|(name, part)| format!("{name}: {}", bare(part))).collect();
            parts.join(", ")
        }
        Value::Array(items) => format!("[{}]", items.iter().map(bare).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}

fn outcome(expect: &Expect) -> String {
    let mut parts = Vec::new();
    if let Some(decision) = expect.decision {
        let word = match decision {
            Decision::Pass => "pass",
            Decision::Allow => "allow",
            Decision::Ask => "ask",
            Decision::Deny => "deny",
        };
        parts.push(format!("**{word}**"));
    }
    for (decision, runs) in &expect.tally {
        parts.push(format!("**{decision}** {runs} times"));
    }
    if expect.quiet {
        parts.push("nothing is said".to_owned());
    }
    let lists = [
        ("says", &expect.says),
        ("does not say", &expect.silent),
        ("tells the model", &expect.model),
        ("tells the person", &expect.person),
        ("logs", &expect.log),
    ];
    for (verb, texts) in lists.into_iter().filter(|(_, texts)| !texts.is_empty()) {
        parts.push(format!("{verb} {}", some(&texts.iter().map(String::as_str).collect::<Vec<_>>())));
    }
    for (name, value) in &expect.updated {
        parts.push(format!("{} becomes {}", code(name), code(&clipped(&bare(value)))));
    }
    for (verb, names) in [
        ("changes", expect.files.keys().map(String::as_str).collect::<Vec<_>>()),
        ("exports", expect.exports.keys().map(String::as_str).collect()),
    ] {
        if !names.is_empty() {
            parts.push(format!("{verb} {}", some(&names)));
        }
    }
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn row(case: Value) -> (String, String) {
        steps(&serde_json::from_value(case).expect("a case"))
    }

    #[test]
    fn a_row_says_what_is_given_and_what_comes_of_it() {
        let command = |line: &str| json!({ "tool_name": "Bash", "tool_input": { "command": line } });
        assert_eq!(
            row(json!({ "name": "x", "input": command("git push"), "expect": { "decision": "deny", "says": ["no"] } })),
            ("`git push`".to_owned(), "**deny**, says `no`".to_owned())
        );
        assert_eq!(
            row(json!({ "name": "x", "each": ["a", "b"], "input": command("{each}"), "expect": { "quiet": true } })).0,
            "`a`, `b`"
        );
        let written = json!({ "tool_name": "Write", "tool_input": { "file_path": "a", "content": "b" } });
        let case = json!({ "name": "x", "given": { "branch": "", "files": { "f": "" } }, "input": written,
                           "parallel": 4, "expect": { "tally": { "deny": 3 } } });
        assert_eq!(
            row(case),
            (
                "Write `file_path: a, content: b`, 4 at once\noutside a repository; with `f`".to_owned(),
                "**deny** 3 times".to_owned()
            )
        );
    }

    #[test]
    fn a_repeated_text_is_not_written_out() {
        let long = json!({ "tool_name": "Bash", "tool_input": { "command": { "repeat": "a;", "times": 9 } } });
        assert_eq!(row(json!({ "name": "x", "input": long })).0, "`a; × 9`");
    }

    #[test]
    fn steps_are_numbered_and_long_lists_are_cut() {
        let each: Vec<String> = (0..9).map(|number| number.to_string()).collect();
        let case = json!({ "name": "x", "steps": [
            { "input": { "prompt": "go" }, "expect": { "decision": "pass" } },
            { "hook": "H2", "each": each, "input": { "prompt": "{each}" }, "expect": { "decision": "ask" } },
        ] });
        let (given, result) = row(case);
        assert!(given.starts_with("1. `prompt: go`\n2. `H2`: `prompt: {each}` for each of `0`"), "{given}");
        assert!(given.ends_with("and 3 more"), "{given}");
        assert_eq!(result, "1. **pass**\n2. **ask**");
    }
}
