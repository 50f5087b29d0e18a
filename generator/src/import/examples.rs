//! Cases that may show a check: events made of what its conditions look for, and look-alikes.

use std::collections::BTreeSet;

use hookgen_runtime::{ALWAYS_SENT, Event, tool};
use serde_json::{Map, Value, json};

use super::draft::unique;
use super::outcome::Draft;
use super::registration::Registration;
use super::value::{Condition, Example, Root};
use crate::model::Matcher;
use crate::resolve::read_matcher;

/// A case that may show a check.
#[derive(Debug, Clone)]
pub(super) struct Case {
    /// The check, and whether the case is to be stopped by it or only looks like it.
    pub(super) shows: (usize, bool),
    pub(super) keys: Map<String, Value>,
}

/// Cases that may show each check: some that it is to stop, and some that only look like them.
pub(super) fn cases(event: &'static Event, registration: &Registration, drafts: &[Draft]) -> Vec<Case> {
    let mut names = BTreeSet::new();
    let mut cases = Vec::new();
    for (place, draft) in drafts.iter().enumerate() {
        for examples in draft.when.examples() {
            let Some((input, branch, shown)) = event_of(event, registration, &examples) else { continue };
            let expect = expectation(draft);
            let outcome = if draft.decides() || expect["decision"] == "deny" { "is caught" } else { "is remarked on" };
            push(&mut cases, &mut names, (place, true), (&format!("{shown} {outcome}"), input, branch, expect));
            if draft.when.cel().contains("asked") {
                // Outside of a repository, git has no answer.
                let event = event_of(event, registration, &examples);
                if let Some((input, None, shown)) = event {
                    let name = format!("{shown} outside of a repository {outcome}");
                    push(
                        &mut cases,
                        &mut names,
                        (place, true),
                        (&name, input, Some(String::new()), expectation(draft)),
                    );
                }
            }
            let exceptions =
                draft.when.exceptions().into_iter().map(|exception| [examples.clone(), exception].concat());
            for alike in exceptions.chain(look_alikes(&examples)) {
                let Some((input, branch, shown)) = event_of(event, registration, &alike) else { continue };
                let expect = json!({ "decision": "pass", "quiet": true });
                push(&mut cases, &mut names, (place, false), (&format!("{shown} passes"), input, branch, expect));
            }
        }
        if draft.when == Condition::Known(true)
            && matches!(read_matcher(registration.matcher.as_deref(), event), Ok(Some(_)))
            && event.subject == Some("tool_name")
        {
            let input = json!({ "tool_name": "mcp__other__look", "tool_input": {} });
            let expect = json!({ "decision": "pass", "quiet": true });
            push(&mut cases, &mut names, (place, false), ("another tool passes", input, None, expect));
        }
    }
    cases
}

fn push(
    cases: &mut Vec<Case>,
    names: &mut BTreeSet<String>,
    shows: (usize, bool),
    (name, input, branch, expect): (&str, Value, Option<String>, Value),
) {
    let mut keys = Map::new();
    let name = unique(name, |name| names.contains(name));
    names.insert(name.clone());
    keys.insert("name".to_owned(), name.into());
    if let Some(branch) = branch {
        keys.insert("given".to_owned(), json!({ "branch": branch }));
    }
    keys.insert("input".to_owned(), input);
    keys.insert("expect".to_owned(), expect);
    cases.push(Case { shows, keys });
}

fn expectation(draft: &Draft) -> Value {
    let decision = draft.effects.iter().find_map(|(effect, _)| match *effect {
        "deny" | "block" | "feedback" => Some("deny"),
        "ask" => Some("ask"),
        "allow" => Some("allow"),
        _ => None,
    });
    let said = draft
        .effects
        .iter()
        .map(|(_, text)| text.lines().next().unwrap_or_default())
        .find(|text| !text.contains("${") && !text.contains("$$"));
    match (decision, said) {
        (Some(decision @ ("deny" | "ask")), Some(text)) if !text.is_empty() => {
            json!({ "decision": decision, "says": [text] })
        }
        (Some(decision), _) => json!({ "decision": decision }),
        (None, Some(text)) if !text.is_empty() => json!({ "decision": "pass", "says": [text] }),
        (None, _) => json!({ "decision": "pass" }),
    }
}

/// The same examples with one letter or word more, so that they are no longer what is looked for.
fn look_alikes(examples: &[Example]) -> Vec<Vec<Example>> {
    let mut all = Vec::new();
    for (place, example) in examples.iter().enumerate() {
        let file = example.text.rsplit_once('/').map_or(example.text.as_str(), |(_, file)| file);
        let texts = match &example.root {
            Root::Branch => vec!["feature/other".to_owned()],
            Root::Field(path) if path.last().is_some_and(|name| name == "tool_name") => {
                vec!["mcp__other__look".to_owned()]
            }
            Root::Field(path) if path.last().is_some_and(|name| name == "command") => {
                vec![format!("{} --help", example.text.split(' ').next().unwrap_or_default()), "ls".to_owned()]
            }
            Root::Field(_) => {
                vec![
                    format!("/p/{}-notes.md", file.trim_matches(['.', '/'])),
                    "/p/README.md".to_owned(),
                    "something else".to_owned(),
                    String::new(),
                ]
            }
            Root::World | Root::Truth(_) => Vec::new(),
        };
        for text in texts {
            let mut alike = examples.to_vec();
            alike[place].text = text;
            all.push(alike);
        }
    }
    all
}

/// The event that says what the examples want, the branch, and how the case is called.
fn event_of(
    event: &'static Event,
    registration: &Registration,
    examples: &[Example],
) -> Option<(Value, Option<String>, String)> {
    let mut input = Map::new();
    let said = |path: &[&str]| {
        examples
            .iter()
            .find(|example| matches!(&example.root, Root::Field(known) if known == path))
            .map(|example| example.text.as_str())
    };
    let mut shown = String::new();
    if event.subject == Some("tool_name") {
        let wanted: Vec<&str> = examples
            .iter()
            .filter_map(|example| match &example.root {
                Root::Field(path) if path.first().is_some_and(|first| first == "tool_input") => {
                    path.get(1).map(String::as_str)
                }
                _ => None,
            })
            .collect();
        let tool = said(&["tool_name"]).map(str::to_owned).or_else(|| tool_for(event, registration, &wanted))?;
        let fields = ALWAYS_SENT
            .iter()
            .find(|(name, _)| *name == tool::current(&tool))
            .map(|(_, fields)| *fields)
            .unwrap_or_default();
        let fields = fields.iter().map(|field| ((*field).to_owned(), ordinary(field)));
        shown.clone_from(&tool);
        input.insert("tool_name".to_owned(), tool.into());
        input.insert("tool_input".to_owned(), Value::Object(fields.collect()));
    }
    if let (Some(subject), Ok(Some(Matcher::Names { names, .. }))) =
        (event.subject, read_matcher(registration.matcher.as_deref(), event))
        && subject != "tool_name"
    {
        input.insert(subject.to_owned(), names.first().cloned().unwrap_or_default().into());
    }
    let mut branch = None;
    for example in examples {
        match &example.root {
            Root::Branch => branch = Some(example.text.clone()),
            Root::Truth(path) => {
                if let [name] = path.as_slice() {
                    shown = format!("{} with {name}", event.name);
                    input.insert(name.clone(), true.into());
                }
            }
            Root::Field(path) => {
                let mut place = &mut input;
                let (last, before) = path.split_last()?;
                for name in before {
                    place = place.entry(name.clone()).or_insert_with(|| json!({})).as_object_mut()?;
                }
                // Two examples for one place are said one after the other.
                let text = match place.get(last).and_then(Value::as_str) {
                    Some(before)
                        if last != "tool_name"
                            && examples.iter().filter(|other| other.root == example.root).count() > 1
                            && before != ordinary(last).as_str().unwrap_or_default() =>
                    {
                        format!("{before} {}", example.text)
                    }
                    _ => example.text.clone(),
                };
                shown.clone_from(&text);
                place.insert(last.clone(), text.into());
            }
            Root::World => {}
        }
    }
    if let Some(branch) = &branch {
        shown = format!("{shown} on {branch}");
    }
    if shown.trim().is_empty() {
        event.name.clone_into(&mut shown);
    }
    Some((Value::Object(input), branch, shortened(shown.trim())))
}

/// A text as the name of a case has it.
fn shortened(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    if line.chars().count() <= 60 { line.to_owned() } else { line.chars().take(59).chain(['…']).collect() }
}

/// A tool that the matcher takes and that has the fields.
fn tool_for(event: &Event, registration: &Registration, wanted: &[&str]) -> Option<String> {
    let has = |tool: &str| {
        let matcher = Matcher::Names { written: tool.to_owned(), names: vec![tool.to_owned()] };
        let payload = crate::protocol::payload(event, Some(&matcher));
        let input = payload.field("tool_input").cloned();
        wanted
            .iter()
            .all(|field| !matches!(&input, Some(crate::model::Type::Record(record)) if record.field(field).is_none()))
    };
    match read_matcher(registration.matcher.as_deref(), event).ok()? {
        None => Some("Bash".to_owned())
            .filter(|tool| has(tool))
            .or_else(|| ALWAYS_SENT.iter().map(|(tool, _)| (*tool).to_owned()).find(|tool| has(tool))),
        Some(Matcher::Names { names, .. }) => names.iter().find(|tool| has(tool)).or(names.first()).cloned(),
        Some(Matcher::Pattern { written }) => {
            let example = super::regex::example(&written)?;
            let without = example.replace(' ', "a");
            let fits = regex_lite::Regex::new(&written).is_ok_and(|regex| regex.is_match(&without));
            Some(if fits { without } else { example })
        }
    }
}

/// What a field of a tool's input says in an ordinary call.
fn ordinary(field: &str) -> Value {
    match field {
        "command" => "ls".into(),
        "file_path" | "notebook_path" => "/p/README.md".into(),
        "url" => "https://example.org/".into(),
        "questions" | "todos" => json!([]),
        _ => "text".into(),
    }
}
