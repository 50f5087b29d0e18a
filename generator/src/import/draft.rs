//! The catalog in the making: hooks with their names, their checks and the cases that may show them.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use camino::Utf8Path;
use hookgen_runtime::Event;
use serde::Serialize;
use serde_json::{Map, Value};

use super::examples::{Case, cases};
use super::outcome::Draft;
use super::registration::Registration;
use super::value::Condition;
use crate::compile::compile;

/// A hook of the catalog.
#[derive(Debug, Clone)]
struct Hook {
    /// Its keys as the catalog has them, without cases.
    keys: Map<String, Value>,
    /// What it was before.
    was: String,
    cases: Vec<Case>,
}

/// What became of one registration.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    /// The file that it stands in.
    pub file: String,
    /// The event and the matcher, or the name of a rule.
    pub place: String,
    /// The hook of the catalog; absent where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hook: Option<String>,
    /// `checks`, `kept` or `dropped`.
    pub became: &'static str,
    /// Why it was left as it is or left out.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// What was registered.
    pub was: String,
}

/// A catalog made of what was registered.
#[derive(Debug)]
pub struct Imported {
    name: String,
    files: Vec<String>,
    hooks: Vec<Hook>,
    pub rows: Vec<Row>,
}

/// What a hook that is left as it is asks.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kept {
    Program,
    Model,
    Service,
    Tool,
}

pub(super) struct Maker(Imported);

impl Maker {
    pub(super) fn new(name: &str) -> Self {
        Self(Imported { name: name.to_owned(), files: Vec::new(), hooks: Vec::new(), rows: Vec::new() })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.hooks.is_empty()
    }

    pub(super) fn finish(self) -> Imported {
        self.0
    }

    fn row(
        &mut self,
        file: &Utf8Path,
        registration: &Registration,
        became: &'static str,
        reason: &str,
        hook: Option<String>,
    ) {
        self.0.files.push(file.file_name().unwrap_or_default().to_owned());
        self.0.files.dedup();
        self.0.rows.push(Row {
            file: file.to_string(),
            place: registration.place(),
            hook,
            became,
            reason: reason.to_owned(),
            was: written(registration),
        });
    }

    pub(super) fn drop_one(&mut self, file: &Utf8Path, registration: &Registration, reason: &str) {
        self.row(file, registration, "dropped", reason, None);
    }

    /// A rule that cannot be taken over.
    pub(super) fn note(&mut self, file: &Utf8Path, reason: String) {
        let (place, was) = (file.file_name().unwrap_or_default().to_owned(), String::new());
        self.0.rows.push(Row { file: file.to_string(), place, hook: None, became: "dropped", reason, was });
    }

    /// Keys that every hook has.
    fn begun(
        &self,
        event: &Event,
        registration: &Registration,
        name: &str,
        timeout: &str,
        why: String,
    ) -> Map<String, Value> {
        let mut keys = Map::new();
        let id = format!("I{:02}", self.0.hooks.len() + 1);
        let taken: BTreeSet<&str> = self.0.hooks.iter().filter_map(|hook| hook.keys.get("name")?.as_str()).collect();
        keys.insert("id".to_owned(), id.into());
        keys.insert("name".to_owned(), unique(name, |name| taken.contains(name)).into());
        keys.insert("event".to_owned(), event.name.into());
        if let Some(matcher) = &registration.matcher {
            keys.insert("matcher".to_owned(), matcher.as_str().into());
        }
        let given = registration.handler.get("timeout").and_then(Value::as_f64);
        let timeout =
            given.filter(|seconds| *seconds > 0.0).map_or_else(|| timeout.to_owned(), |seconds| format!("{seconds}s"));
        keys.insert("timeout".to_owned(), timeout.into());
        let closed = registration.text("onFailure") == Some("block");
        keys.insert("fail_safe".to_owned(), if closed { "closed" } else { "open" }.into());
        keys.insert("why".to_owned(), why.into());
        for (theirs, ours) in [("if", "if"), ("statusMessage", "status_message"), ("once", "once")] {
            if let Some(value) = registration.handler.get(theirs).filter(|value| **value != false) {
                keys.insert(ours.to_owned(), value.clone());
            }
        }
        keys
    }

    /// Takes over checks, unless the catalog would not build with them.
    pub(super) fn checks(
        &mut self,
        file: &Utf8Path,
        event: &'static Event,
        registration: &Registration,
        drafts: &[Draft],
        asked: &[(String, String)],
    ) {
        let said =
            drafts.iter().flat_map(|draft| &draft.effects).map(|(_, text)| text.as_str()).next().unwrap_or_default();
        let named = worded(said).unwrap_or_else(|| place_name(event, registration));
        let why = format!("Taken over from {}: {}.", file.file_name().unwrap_or_default(), registration.place());
        let mut keys = self.begun(event, registration, &named, "10s", why);
        if !asked.is_empty() {
            let lets = asked.iter().map(|(expression, name)| (name.clone(), Value::from(expression.as_str())));
            keys.insert("let".to_owned(), Value::Object(lets.collect()));
        }
        keys.insert("checks".to_owned(), written_checks(drafts));
        let hook = Hook { cases: cases(event, registration, drafts), keys, was: written(registration) };
        match self.problem(&hook) {
            None => self.admit(file, registration, hook, "checks", ""),
            Some(reason) => self.keep(file, event, registration, Kept::Program, &reason),
        }
    }

    /// Takes over a rule of hookify.
    pub(super) fn rule(
        &mut self,
        file: &Utf8Path,
        event: &'static Event,
        registration: &Registration,
        name: &str,
        draft: &Draft,
    ) {
        let named = worded(name).unwrap_or_else(|| place_name(event, registration));
        let why = format!("Taken over from {}.", file.file_name().unwrap_or_default());
        let mut keys = self.begun(event, registration, &named, "10s", why);
        let drafts = std::slice::from_ref(draft);
        keys.insert("checks".to_owned(), written_checks(drafts));
        let hook = Hook { cases: cases(event, registration, drafts), keys, was: format!("the rule {name}") };
        match self.problem(&hook) {
            None => self.admit(file, registration, hook, "checks", ""),
            Some(reason) => self.note(file, format!("{name} on {}: {reason}", event.name)),
        }
    }

    /// Registers a handler as it was.
    pub(super) fn keep(
        &mut self,
        file: &Utf8Path,
        event: &Event,
        registration: &Registration,
        kept: Kept,
        reason: &str,
    ) {
        let why = format!("Left as it was in {}: {reason}.", file.file_name().unwrap_or_default());
        let timeout = match (kept, registration.text("type")) {
            (Kept::Model, Some("agent")) => "60s",
            (Kept::Model, _) => "30s",
            _ => "10m",
        };
        let mut keys = self.begun(event, registration, &place_name(event, registration), timeout, why);
        let kind = if matches!(kept, Kept::Program) { "run" } else { registration.text("type").unwrap_or("run") };
        keys.insert("type".to_owned(), kind.into());
        let taken: &[(&str, &str)] = match kept {
            Kept::Program => &[
                ("command", "command"),
                ("args", "args"),
                ("shell", "shell"),
                ("async", "async"),
                ("asyncRewake", "async_rewake"),
            ],
            Kept::Model => &[("prompt", "prompt"), ("model", "model"), ("continueOnBlock", "continue_on_block")],
            Kept::Service => &[("url", "url"), ("headers", "headers"), ("allowedEnvVars", "allowed_env_vars")],
            Kept::Tool => &[("server", "server"), ("tool", "tool"), ("input", "input")],
        };
        for (theirs, ours) in taken {
            if let Some(value) = registration.handler.get(*theirs).filter(|value| **value != false) {
                keys.insert((*ours).to_owned(), value.clone());
            }
        }
        let hook = Hook { keys, was: written(registration), cases: Vec::new() };
        match self.problem(&hook) {
            None => self.admit(file, registration, hook, "kept", reason),
            Some(problem) => self.drop_one(file, registration, &problem),
        }
    }

    fn admit(&mut self, file: &Utf8Path, registration: &Registration, hook: Hook, became: &'static str, reason: &str) {
        let id = hook.keys.get("id").and_then(Value::as_str).map(str::to_owned);
        self.row(file, registration, became, reason, id);
        self.0.hooks.push(hook);
    }

    /// What the compiler says against a catalog with this hook alone.
    fn problem(&self, hook: &Hook) -> Option<String> {
        let alone =
            Imported { name: self.0.name.clone(), files: Vec::new(), hooks: vec![hook.clone()], rows: Vec::new() };
        let compiled = compile(Utf8Path::new("specs/imported.yaml"), alone.draft().into_bytes());
        let error = compiled.diagnostics.into_iter().find(crate::diagnostic::Diagnostic::is_error);
        error.map(|error| error.message)
    }
}

impl Imported {
    /// The catalog with every case that may hold.
    pub fn draft(&self) -> String {
        self.text(|_, _| true)
    }

    /// The catalog with one case to be stopped and one look-alike per check, of those that hold.
    pub fn settled(&self, holds: &dyn Fn(&str, &str) -> bool) -> String {
        let mut seen = BTreeSet::new();
        let mut chosen = BTreeSet::new();
        for hook in &self.hooks {
            let id = text_of(&hook.keys, "id");
            for case in &hook.cases {
                let name = text_of(&case.keys, "name");
                if holds(id, name) && seen.insert((id.to_owned(), case.shows)) {
                    chosen.insert((id.to_owned(), name.to_owned()));
                }
            }
        }
        self.text(|id, name| chosen.contains(&(id.to_owned(), name.to_owned())))
    }

    fn text(&self, shown: impl Fn(&str, &str) -> bool) -> String {
        let mut files = self.files.clone();
        files.sort();
        files.dedup();
        let from = if files.is_empty() { "elsewhere".to_owned() } else { files.join(" and ") };
        let mut text = format!(
            "# yaml-language-server: $schema=../generated/schema/catalog.schema.json\ncatalog: {}\nversion: 0.1.0\n\
             description: Hooks that were registered by hand, taken over from {from}.\nhooks:\n",
            self.name
        );
        for (place, hook) in self.hooks.iter().enumerate() {
            if place > 0 {
                text.push('\n');
            }
            let mut keys = hook.keys.clone();
            let id = text_of(&keys, "id").to_owned();
            let cases: Vec<Value> = hook
                .cases
                .iter()
                .filter(|case| shown(&id, text_of(&case.keys, "name")))
                .map(|case| Value::Object(case.keys.clone()))
                .collect();
            if !cases.is_empty() {
                keys.insert("cases".to_owned(), Value::Array(cases));
            }
            if keys.contains_key("checks") {
                for line in hook.was.lines() {
                    let _ = writeln!(text, "  # was: {line}");
                }
            }
            let yaml = serde_yaml::to_string(&[Value::Object(keys)]).unwrap_or_default();
            yaml.lines().for_each(|line| {
                let _ = if line.is_empty() { writeln!(text) } else { writeln!(text, "  {line}") };
            });
        }
        text
    }
}

fn text_of<'k>(keys: &'k Map<String, Value>, key: &str) -> &'k str {
    keys.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn written(registration: &Registration) -> String {
    let args =
        registration.handler.get("args").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let line = ["command", "prompt", "url", "tool"].iter().find_map(|key| registration.text(key)).unwrap_or_default();
    args.fold(line.to_owned(), |line, word| format!("{line} {word}"))
}

fn written_checks(drafts: &[Draft]) -> Value {
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let checks = drafts.iter().map(|draft| {
        let said = draft.effects.first().map(|(_, text)| text.as_str()).unwrap_or_default();
        let id = unique(&worded(said).unwrap_or_else(|| "always".to_owned()), |id| taken.contains(id));
        taken.insert(id.clone());
        let mut check = Map::new();
        check.insert("id".to_owned(), id.into());
        if draft.when != Condition::Known(true) {
            check.insert("when".to_owned(), draft.when.cel().into());
        }
        for (effect, text) in &draft.effects {
            check.insert((*effect).to_owned(), text.as_str().into());
        }
        Value::Object(check)
    });
    Value::Array(checks.collect())
}

/// A name of the first words of a text.
fn worded(text: &str) -> Option<String> {
    let plain: String = text
        .split("${")
        .enumerate()
        .map(|(place, part)| if place == 0 { part } else { part.split_once('}').map_or("", |(_, rest)| rest) })
        .collect();
    let plain: String =
        plain.to_ascii_lowercase().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { ' ' }).collect();
    let words: Vec<&str> = plain.split_whitespace().take(5).collect();
    let name = words.join("-");
    name.starts_with(|c: char| c.is_ascii_lowercase()).then_some(name)
}

fn place_name(event: &Event, registration: &Registration) -> String {
    let matcher = registration.matcher.as_deref().unwrap_or_default().replace(['|', '_', '.', '*'], " ");
    let event = heck::ToKebabCase::to_kebab_case(event.name);
    let tools = worded(&matcher).unwrap_or_default();
    if tools.is_empty() { event } else { format!("{event}-{tools}") }
}

pub(super) fn unique(name: &str, taken: impl Fn(&str) -> bool) -> String {
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    std::iter::once(name.to_owned()).chain(numbered).find(|name| !taken(name)).unwrap_or_default()
}
