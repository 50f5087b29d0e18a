//! A case that shows less than it seems to: it expects nothing, or its event is not one that the hook would see.

use hookgen_runtime::{Event, tool};
use serde_json::Value;

use super::{Lint, Subject};
use crate::catalog::{Decision, Expect, Hook, Ordered, Row, Rows, Step};
use crate::diagnostic::{Code, Diagnostic, did_you_mean};
use crate::document::Pointer;
use crate::model::{Matcher, Record, Type};
use crate::protocol;
use crate::source::Location;

pub(super) const LINT: Lint = Lint { code: Code::DoubtfulCase, check };

/// The words of a tally: what may become of an action.
const DECISIONS: [&str; 4] = ["pass", "allow", "ask", "deny"];

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut search = Search { subject, findings: Vec::new() };
    for (position, hook) in subject.written.hooks.iter().enumerate() {
        for (number, case) in hook.cases.iter().enumerate() {
            let at = Pointer::root().key("hooks").index(position).key("cases").index(number);
            let steps = case.steps.iter().map(|step| &step.expect);
            let rows = !case.rows().is_empty() || case.steps.iter().any(|step| !step.rows().is_empty());
            if !rows && case.expect.iter().chain(steps).all(Expect::is_empty) {
                let location = subject.document.at(&at.key("name"));
                search.report(location, format!("case `{}` expects nothing", case.name), EXPECT);
            }
            if let Some(input) = &case.input {
                let acts = case.expect.as_ref().is_some_and(expects_action);
                search.input(hook, input, acts, &at.key("input"));
            }
            search.rows(hook, &case.rows(), &at);
            if let Some(expect) = &case.expect {
                search.tally(expect, runs(case.repeat, case.parallel), &at.key("expect").key("tally"));
            }
            for (number, step) in case.steps.iter().enumerate() {
                search.step(hook, step, &at.key("steps").index(number));
            }
        }
    }
    search.findings
}

const EXPECT: &str = "say what must come of it: `expect: { decision: deny }`, or `quiet: true` if nothing may be said";

fn runs(repeat: Option<u32>, parallel: Option<u32>) -> u32 {
    repeat.or(parallel).unwrap_or(1)
}

/// Whether the hook must act: a hook that does not fire lets everything pass.
fn expects_action(expect: &Expect) -> bool {
    expect.decision.is_some_and(|decision| decision != Decision::Pass)
}

struct Search<'s> {
    subject: &'s Subject<'s>,
    findings: Vec<Diagnostic>,
}

impl Search<'_> {
    fn report(&mut self, location: Location, message: String, help: impl Into<String>) {
        self.findings.push(Diagnostic::warning(Code::DoubtfulCase, message).primary(location, "").help(help));
    }

    fn step(&mut self, hook: &Hook, step: &Step, at: &Pointer) {
        let hooks = &self.subject.written.hooks;
        let hook = step.hook.as_ref().and_then(|id| hooks.iter().find(|hook| hook.id == *id)).unwrap_or(hook);
        if let Some(input) = &step.input {
            self.input(hook, input, expects_action(&step.expect), &at.key("input"));
        }
        self.rows(hook, &step.rows(), at);
        self.tally(&step.expect, runs(step.repeat, step.parallel), &at.key("expect").key("tally"));
    }

    /// Fields of rows that neither the event nor the tool has, and tools that the hook does not fire for.
    fn rows(&mut self, hook: &Hook, rows: &[(&'static str, Decision, &Rows)], at: &Pointer) {
        let Some(event) = Event::named(&hook.event) else { return };
        let resolved = self.subject.catalog.hooks.iter().find(|other| other.id == hook.id);
        for (key, decision, rows) in rows {
            for (_, place, row) in rows.all() {
                let Row::Fields(row) = row else { continue };
                let at = place.below(&at.key(*key));
                let own = row.fields.get("tool_name").or_else(|| hook.sample.get("tool_name")).and_then(Value::as_str);
                let named = own.map(|tool| Matcher::Names { written: tool.to_owned(), names: vec![tool.to_owned()] });
                let matcher = named.as_ref().or_else(|| resolved.and_then(|hook| hook.matcher.as_ref()));
                let payload = protocol::payload(event, matcher);
                let inner = match payload.field("tool_input") {
                    Some(Type::Record(inner)) => inner.fields.clone(),
                    Some(_) => continue,
                    None => Vec::new(),
                };
                let known = Record {
                    name: own.map_or_else(|| payload.name.clone(), |tool| format!("the input of {tool}")),
                    fields: payload.fields.iter().cloned().chain(inner).collect(),
                };
                let given = row.fields.keys().filter(|name| !["repeat", "times"].contains(&name.as_str()));
                self.fields(&known, given, &at);
                if let Some(tool) = own.filter(|_| *decision != Decision::Pass && row.fields.contains_key("tool_name"))
                {
                    let called = tool::names(tool, event, |field| row.fields.contains_key(field));
                    self.tool(hook, &called, &at.key("tool_name"));
                }
            }
        }
    }

    /// Fields that are one slip away from one that the event has, and a tool that the hook does not fire for.
    fn input(&mut self, hook: &Hook, input: &Ordered<Value>, acts: bool, at: &Pointer) {
        let Some(event) = Event::named(&hook.event) else { return };
        let tool = input.get("tool_name").and_then(Value::as_str);
        let matcher = tool.map(|tool| Matcher::Names { written: tool.to_owned(), names: vec![tool.to_owned()] });
        let payload = protocol::payload(event, matcher.as_ref());
        self.fields(&payload, input.keys(), at);
        if let Some(tool) = tool.filter(|_| acts && event.subject == Some("tool_name")) {
            let fields = input.get("tool_input");
            let names = tool::names(tool, event, |field| fields.is_some_and(|fields| fields.get(field).is_some()));
            self.tool(hook, &names, &at.key("tool_name"));
        }
        if let (Some(Type::Record(known)), Some(Value::Object(given))) =
            (payload.field("tool_input"), input.get("tool_input"))
        {
            self.fields(known, given.keys(), &at.key("tool_input"));
        }
    }

    /// `caught` are the names by which a matcher catches the call, its own first.
    fn tool(&mut self, hook: &Hook, caught: &[&str], at: &Pointer) {
        let resolved = self.subject.catalog.hooks.iter().find(|other| other.id == hook.id);
        let Some(Matcher::Names { written, names }) = resolved.and_then(|hook| hook.matcher.as_ref()) else { return };
        let known = names.iter().all(|name| protocol::is_tool(name));
        let fires = caught.iter().any(|name| names.iter().any(|written| tool::is(name, written)));
        if let (true, false, Some(tool)) = (known, fires, caught.first()) {
            let message = format!("hook `{}` does not fire for `{tool}`", hook.id);
            self.report(self.subject.document.at(at), message, format!("its matcher is `{written}`"));
        }
    }

    fn fields<'k>(&mut self, known: &Record, given: impl Iterator<Item = &'k String>, at: &Pointer) {
        for field in given.filter(|field| known.field(field).is_none()) {
            let near = did_you_mean(field, known.fields.iter().map(|(name, _)| name.as_str()));
            // A word more or less is another field, such as an older client's.
            if let Some(near) = near.filter(|near| near.len().abs_diff(field.len()) <= 2) {
                let message = format!("{} has no field `{field}`", known.name);
                self.report(self.subject.document.key(&at.key(field)), message, format!("did you mean `{near}`?"));
            }
        }
    }

    fn tally(&mut self, expect: &Expect, runs: u32, at: &Pointer) {
        for word in expect.tally.keys().filter(|word| !DECISIONS.contains(&word.as_str())) {
            let help = did_you_mean(word, DECISIONS)
                .map_or_else(|| format!("count {}", DECISIONS.join(", ")), |near| format!("did you mean `{near}`?"));
            self.report(self.subject.document.key(&at.key(word)), format!("no decision is called `{word}`"), help);
        }
        let sum: u32 = expect.tally.values().sum();
        let understood = expect.tally.keys().all(|word| DECISIONS.contains(&word.as_str()));
        if understood && !expect.tally.is_empty() && sum != runs {
            let message = format!("the tally adds up to {sum}, and the runs to {runs}");
            self.report(
                self.subject.document.key(at),
                message,
                "count every run, and say with `repeat` or `parallel` how many there are",
            );
        }
    }
}
