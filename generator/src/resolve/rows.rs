//! Cases as they are played: rows written out, each a case of its own, over the sample of their hook.

use std::collections::BTreeSet;

use hookgen_runtime::Event;
use serde_json::{Map, Value};

use super::{Resolver, hook, matcher};
use crate::catalog::{Case, Expect, Given, Hook, Names, Ordered, Row, RowFields, RowPlace, Step, map_text};
use crate::diagnostic::{Code, Diagnostic};
use crate::document::Pointer;
use crate::model::Matcher;
use crate::protocol;

/// What each of several texts stands in for.
const EACH: &str = "{each}";

/// Longest part of a row that becomes its name.
const LONGEST_NAME: usize = 72;

impl Resolver<'_> {
    /// The cases of a hook as they are played, in the order of the catalog, each with the whole world it starts from.
    pub(super) fn played(&self, hook: &Hook, place: &Pointer) -> Vec<Case> {
        let mut taken = BTreeSet::new();
        let cases = hook.cases.iter().enumerate();
        cases
            .flat_map(|(number, case)| self.written_out(hook, case, &place.key("cases").index(number)))
            .map(|mut case| {
                let written = case.name.clone();
                let mut again = 1;
                while !taken.insert(case.name.clone()) {
                    again += 1;
                    case.name = format!("{written} ({again})");
                }
                self.in_its_world(hook, case)
            })
            .collect()
    }

    fn written_out(&self, hook: &Hook, case: &Case, at: &Pointer) -> Vec<Case> {
        let rows = case.rows();
        if rows.is_empty() {
            return self.in_steps(hook, case, at);
        }
        let base = over(&hook.sample, case.input.as_ref());
        let each = self.texts(&case.each, &at.key("each"));
        let lone = rows.iter().map(|(_, _, rows)| rows.all().len()).sum::<usize>() == 1;
        let mut cases = Vec::new();
        for (key, decision, rows) in rows {
            for (name, place, row) in rows.all() {
                let Some(input) = self.row_input(hook, &base, row, &place.below(&at.key(key))) else { continue };
                let (given, expect) = beside(row);
                let said = Expect { decision: Some(decision), ..Expect::default() };
                let name = match name {
                    Some(name) => name.to_owned(),
                    None if case.name.is_empty() => format!("{key} {}", shown(row)),
                    None if lone => case.name.clone(),
                    None => format!("{}: {}", case.name, shown(row)),
                };
                let common = case.expect.clone().unwrap_or_default();
                cases.push(Case {
                    name,
                    given: both(&case.given, &given),
                    each: each.clone(),
                    input: Some(input),
                    repeat: case.repeat,
                    parallel: case.parallel,
                    expect: Some(common.with(&expect).with(&said)),
                    ..Case::default()
                });
            }
        }
        cases
    }

    /// A case without rows of its own: in place over the sample, or in steps, once for each text.
    fn in_steps(&self, hook: &Hook, case: &Case, at: &Pointer) -> Vec<Case> {
        let mut case = case.clone();
        case.each = self.texts(&case.each, &at.key("each"));
        if case.steps.is_empty() {
            if case.raw.is_none() && !hook.sample.is_empty() {
                case.input = Some(over_sample(&hook.sample, &hook.sample, case.input.as_ref()));
            }
            return vec![case];
        }
        let steps = case.steps.iter().enumerate();
        case.steps =
            steps.flat_map(|(number, step)| self.step_rows(hook, step, &at.key("steps").index(number))).collect();
        let each = std::mem::take(&mut case.each);
        if each.is_empty() {
            return vec![case];
        }
        let named = |text: &String| format!("{}: {}", case.name, clipped(text));
        let one = |text: &String| Case {
            name: named(text),
            steps: case.steps.iter().map(|step| filled(step, text)).collect(),
            ..case.clone()
        };
        each.texts().iter().map(one).collect()
    }

    /// A step over the sample of the hook that it runs; one with rows is several.
    fn step_rows(&self, owner: &Hook, step: &Step, at: &Pointer) -> Vec<Step> {
        let named = step.hook.as_ref().and_then(|id| self.written.hooks.iter().find(|hook| hook.id == *id));
        let hook = named.unwrap_or(owner);
        let rows = step.rows();
        let each = self.texts(&step.each, &at.key("each"));
        let mut plain = Step { each, denies: None, asks: None, allows: None, passes: None, ..step.clone() };
        if rows.is_empty() {
            if plain.raw.is_none() && !hook.sample.is_empty() {
                plain.input = Some(over_sample(&hook.sample, &hook.sample, step.input.as_ref()));
            }
            return vec![plain];
        }
        let base = over(&hook.sample, step.input.as_ref());
        let mut steps: Vec<Step> = Vec::new();
        for (key, decision, rows) in rows {
            for (_, place, row) in rows.all() {
                let Some(input) = self.row_input(hook, &base, row, &place.below(&at.key(key))) else { continue };
                let said = Expect { decision: Some(decision), ..Expect::default() };
                // What is changed before a step is changed before its first row.
                let from = if steps.is_empty() {
                    plain.clone()
                } else {
                    Step { hook: plain.hook.clone(), after: plain.after.clone(), ..Step::default() }
                };
                let (_, expect) = beside(row);
                steps.push(Step {
                    input: Some(input),
                    repeat: plain.repeat,
                    parallel: plain.parallel,
                    expect: plain.expect.clone().with(&expect).with(&said),
                    ..from
                });
            }
        }
        steps
    }

    /// The event of a row: what all rows have, with the row's own laid over it.
    fn row_input(&self, hook: &Hook, base: &Ordered<Value>, row: &Row, at: &Pointer) -> Option<Ordered<Value>> {
        let event = hook::event_meant(&hook.event)?;
        let mut input = base.clone();
        let own = match row {
            Row::Main(_) => None,
            Row::Fields(row) => row.fields.get("tool_name"),
        };
        if event.subject == Some("tool_name")
            && !input.contains_key("tool_name")
            && own.is_none()
            && let Some(tool) = first_tool(hook, event)
        {
            input.insert("tool_name".to_owned(), tool.into());
        }
        let tool = own.or_else(|| input.get("tool_name")).and_then(Value::as_str).unwrap_or_default().to_owned();
        let whole = match row {
            Row::Main(text) => Some(Value::from(text.as_str())),
            Row::Fields(row) => long_text(&row.fields),
        };
        let fields = match (whole, row) {
            (Some(value), _) => self.telling(hook, event, &tool, value, at)?,
            (None, Row::Fields(row)) => in_their_place(&row.fields, event),
            (None, Row::Main(_)) => return None,
        };
        Some(over_sample(&hook.sample, &input, Some(&fields)))
    }

    /// The field that matters most, with that value.
    fn telling(&self, hook: &Hook, event: &Event, tool: &str, value: Value, at: &Pointer) -> Option<Ordered<Value>> {
        let Some((inside, field)) = protocol::telling(event, tool) else {
            let what = if tool.is_empty() { event.name } else { tool };
            self.report(
                Diagnostic::error(Code::BadValue, format!("a text alone does not say which field of {what} is meant"))
                    .primary(self.document.at(at), "")
                    .help(format!("write the fields: `{{ field: … }}`, and the tool in the `sample` of {}", hook.id)),
            );
            return None;
        };
        let value = if inside { Value::Object(Map::from_iter([(field.to_owned(), value)])) } else { value };
        Some(Ordered::from_iter([(if inside { "tool_input" } else { field }.to_owned(), value)]))
    }
}

impl RowPlace<'_> {
    /// The place below the key that the rows stand under.
    pub(crate) fn below(self, at: &Pointer) -> Pointer {
        match self {
            Self::Whole => at.clone(),
            Self::Index(number) => at.index(number),
            Self::Key(name) => at.key(name),
        }
    }
}

/// The first tool that the matcher names.
fn first_tool(hook: &Hook, event: &Event) -> Option<String> {
    match matcher::read(hook.matcher.as_deref(), event) {
        Ok(Some(Matcher::Names { names, .. })) => names.into_iter().next(),
        _ => None,
    }
}

/// A text that is repeated, if the fields say nothing else.
fn long_text(fields: &Ordered<Value>) -> Option<Value> {
    let whole = fields.len() == 2 && fields.contains_key("repeat") && fields.contains_key("times");
    whole.then(|| Value::Object(fields.iter().map(|(name, value)| (name.clone(), value.clone())).collect()))
}

/// Fields of a row where they belong: in the event if it has them, else in the tool's input.
fn in_their_place(fields: &Ordered<Value>, event: &Event) -> Ordered<Value> {
    let payload = protocol::payload(event, None);
    let tools = payload.field("tool_input").is_some();
    let (outer, inner): (Vec<_>, Vec<_>) = fields.iter().partition(|(name, _)| !tools || payload.field(name).is_some());
    let mut placed: Ordered<Value> = outer.into_iter().map(|(name, value)| (name.clone(), value.clone())).collect();
    if !inner.is_empty() {
        let inner: Map<String, Value> = inner.into_iter().map(|(name, value)| (name.clone(), value.clone())).collect();
        let whole = over(&placed, Some(&Ordered::from_iter([("tool_input".to_owned(), Value::Object(inner))])));
        placed = whole;
    }
    placed
}

/// The fields with others laid over them; records are laid over records field by field.
fn over(below: &Ordered<Value>, above: Option<&Ordered<Value>>) -> Ordered<Value> {
    let mut laid = below.clone();
    for (name, value) in above.into_iter().flatten() {
        let both = match (laid.get(name), value) {
            (Some(Value::Object(below)), Value::Object(above)) if !above.contains_key("repeat") => {
                let mut below = below.clone();
                below.extend(above.clone());
                Value::Object(below)
            }
            _ => value.clone(),
        };
        laid.insert(name.clone(), both);
    }
    laid
}

/// The fields with others laid over them, without what the sample gives to another tool than the one that is called.
fn over_sample(sample: &Ordered<Value>, below: &Ordered<Value>, above: Option<&Ordered<Value>>) -> Ordered<Value> {
    let mut laid = over(below, above);
    let Some(tool) = laid.get("tool_name").and_then(Value::as_str).map(str::to_owned) else { return laid };
    let inputs = |fields: Option<&Value>| fields.and_then(Value::as_object).cloned().unwrap_or_default();
    let own = inputs(above.and_then(|above| above.get("tool_input")));
    if let Some(Value::Object(given)) = laid.get_mut("tool_input") {
        for field in inputs(sample.get("tool_input")).keys() {
            if !own.contains_key(field) && !protocol::has_input(&tool, field) {
                given.shift_remove(field);
            }
        }
    }
    laid
}

/// What a row says beside its fields.
fn beside(row: &Row) -> (Given, Expect) {
    let Row::Fields(row) = row else { return (Given::default(), Expect::default()) };
    let RowFields { says, given, expect, .. } = &**row;
    let says = says.iter().flat_map(Names::iter).map(|(_, text)| text.clone()).collect();
    let expect = expect.clone().unwrap_or_default().with(&Expect { says, ..Expect::default() });
    (given.clone().unwrap_or_default(), expect)
}

/// A world that lies over another, before the worlds that they name are laid below both.
fn both(below: &Given, above: &Given) -> Given {
    let joined = |first: &[String], second: &[String]| first.iter().chain(second).cloned().collect();
    Given {
        worlds: joined(&below.worlds, &above.worlds),
        without: joined(&below.without, &above.without),
        ..below.clone().with(above)
    }
}

/// What a row is called when nobody has named it.
fn shown(row: &Row) -> String {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    match row {
        Row::Main(text) => clipped(text),
        Row::Fields(row) => {
            let fields: Vec<String> =
                row.fields.iter().map(|(name, value)| format!("{name} {}", text(value))).collect();
            clipped(&fields.join(", "))
        }
    }
}

fn clipped(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST_NAME) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// A step with a text in every place that waits for it.
fn filled(step: &Step, text: &str) -> Step {
    let fill = |written: &str| written.replace(EACH, text);
    let texts = |written: &[String]| written.iter().map(|text| fill(text)).collect();
    let files = step.files.iter().map(|(path, content)| (fill(path), content.map_text(&fill)));
    Step {
        input: step
            .input
            .as_ref()
            .map(|fields| fields.iter().map(|(name, value)| (name.clone(), map_text(value, &fill))).collect()),
        raw: step.raw.as_deref().map(fill),
        files: files.collect(),
        delete: texts(&step.delete),
        expect: Expect { says: texts(&step.expect.says), log: texts(&step.expect.log), ..step.expect.clone() },
        ..step.clone()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::compile::compile;
    use crate::model::Case;

    /// The cases of a hook as they are played, whose sample and cases are as given.
    fn played(matcher: &str, rest: &str) -> Vec<Case> {
        played_with("", matcher, rest)
    }

    fn played_with(settings: &str, matcher: &str, rest: &str) -> Vec<Case> {
        let text = format!(
            "catalog: demo\nversion: 1.0.0\ndescription: Demo.\n{settings}worlds:\n  full: {{ files: {{ a: '1' }} }}\nhooks:\n  - id: H01\n    \
             name: on-tool\n    event: PreToolUse\n    matcher: {matcher}\n    timeout: 1s\n    fail_safe: open\n    why: Demo.\n    \
             checks: [{{ id: one, when: cwd == '/', deny: no }}]\n{rest}"
        );
        let compiled = compile("demo.yaml".into(), text.into_bytes());
        let messages: Vec<_> = compiled.diagnostics.iter().filter(|found| found.is_error()).collect();
        assert!(messages.is_empty(), "{messages:?}");
        compiled.catalog.expect("a catalog").hooks[0].cases.clone()
    }

    #[test]
    fn each_word_of_a_table_goes_into_the_row() {
        let rows = "    cases: [{ name: all, each: data.words, denies: 'cut {each}', passes: ['see {each}'] }]\n";
        let text = format!("    sample: {{}}\n{rows}");
        let cases = played_with("data: { words: [a, b] }\n", "Bash", &text);
        let given: Vec<_> = cases.iter().map(|case| (case.name.as_str(), case.each.texts().join(" "))).collect();
        assert_eq!(given, [("all: cut {each}", "a b".to_owned()), ("all: see {each}", "a b".to_owned())]);
        assert_eq!(json!(cases[0].input)["tool_input"], json!({ "command": "cut {each}" }));
    }

    #[test]
    fn what_the_sample_gives_to_one_tool_is_not_given_to_another() {
        let rows = "    sample: { tool_input: { content: x, old_string: a, new_string: b } }\n    cases:\n      - passes: [/p/a, \
                    { tool_name: Edit, file_path: /p/a }, { tool_name: Edit, file_path: /p/a, content: odd }]\n";
        let cases = played("Write|Edit", rows);
        let inputs: Vec<_> = cases.iter().map(|case| json!(case.input)["tool_input"].clone()).collect();
        assert_eq!(inputs[0], json!({ "content": "x", "file_path": "/p/a" }));
        assert_eq!(inputs[1], json!({ "old_string": "a", "new_string": "b", "file_path": "/p/a" }));
        assert_eq!(inputs[2]["content"], "odd");
    }

    #[test]
    fn a_row_is_a_case_over_the_sample() {
        let rows = "    sample: { permission_mode: plan, tool_input: { content: x } }\n    cases:\n      - denies:\n          \
                    by path: /p/a\n          by fields: { file_path: /p/b, cwd: /q, says: no }\n        passes: [/p/c]\n";
        let cases = played("Write|Edit", rows);
        let names: Vec<&str> = cases.iter().map(|case| case.name.as_str()).collect();
        assert_eq!(names, ["by path", "by fields", "passes /p/c"]);
        let input = |path: &str| json!({ "content": "x", "file_path": path });
        assert_eq!(
            json!(cases[0].input),
            json!({ "permission_mode": "plan", "tool_input": input("/p/a"), "tool_name": "Write" })
        );
        assert_eq!(json!(cases[1].input)["cwd"], "/q");
        assert_eq!(cases[1].expect.as_ref().expect("expected").says, ["no"]);
        assert_eq!(json!(cases[2].input)["tool_input"], input("/p/c"));
    }

    #[test]
    fn rows_of_a_step_run_one_after_the_other() {
        let steps = "    cases:\n      - name: in turn\n        each: [ls, pwd]\n        steps:\n          \
                     - { files: { b: '{each}' }, passes: ['{each}', id], expect: { quiet: true } }\n";
        let cases = played("Bash", steps);
        let names: Vec<&str> = cases.iter().map(|case| case.name.as_str()).collect();
        assert_eq!(names, ["in turn: ls", "in turn: pwd"]);
        let steps = &cases[1].steps;
        assert_eq!(steps.len(), 2);
        assert_eq!(json!(steps[0].input)["tool_input"]["command"], "pwd");
        assert_eq!((steps[0].files.len(), steps[1].files.len()), (1, 0), "what is changed before is changed once");
        assert!(steps.iter().all(|step| step.expect.quiet && step.expect.decision.is_some()));
    }

    #[test]
    fn rows_share_a_world_and_may_add_to_it() {
        let rows = "    given: { worlds: [full] }\n    cases:\n      - given: { files: { b: '2' } }\n        \
                    passes: [ls, ls, { command: ls, given: { without: [a], files: { c: '3' } } }]\n";
        let cases = played("Bash", rows);
        let files = |case: &Case| case.given.files.keys().cloned().collect::<Vec<_>>();
        assert_eq!((files(&cases[0]), files(&cases[2])), (vec!["a".into(), "b".into()], vec!["b".into(), "c".into()]));
        assert_eq!(cases[1].name, "passes ls (2)");
    }
}
