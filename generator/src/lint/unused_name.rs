//! Something is declared and never used: a typo elsewhere, or a leftover that misleads a reviewer.

use super::{Lint, Subject};
use crate::diagnostic::{Code, Diagnostic};
use crate::document::Pointer;
use crate::resolve::uses;

pub(super) const LINT: Lint = Lint { code: Code::UnusedName, check };

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let catalog = subject.catalog;
    let used = uses::of_catalog(catalog);
    let mut findings = Vec::new();
    let mut declared = |kind: &str, at: Pointer, is_used: bool| {
        // What a file shares is not for this catalog alone.
        if !is_used && !subject.document.is_shared(&at) {
            let name = at.last_key().unwrap_or_default().to_owned();
            findings.push(
                Diagnostic::warning(Code::UnusedName, format!("{kind} `{name}` is never used"))
                    .primary(subject.document.key(&at), "nothing refers to it")
                    .help("use it or remove it"),
            );
        }
    };
    let section = |section: &str, name: &str| Pointer::root().key(section).key(name);
    for flag in &catalog.flags {
        declared("flag", section("flags", &flag.name), used.flags.contains(&flag.name));
    }
    for choice in &catalog.choices {
        declared("choice", section("choices", &choice.name), used.choices.contains(&choice.name));
    }
    for threshold in &catalog.thresholds {
        declared("threshold", section("thresholds", &threshold.name), used.thresholds.contains(&threshold.name));
    }
    for data in &catalog.data {
        declared("table", section("data", &data.name), used.data.contains(&data.name));
    }
    for fact in &catalog.facts {
        declared("fact", section("facts", &fact.name), used.facts.contains(&fact.name));
    }
    for callable in &catalog.callables {
        declared("definition", section("facts", &callable.key), callable.used);
    }
    for document in &catalog.documents {
        let name = &document.name;
        let by_model = catalog.hooks.iter().any(|hook| hook.reads.contains(name) || hook.writes.contains(name));
        declared("document", section("documents", name), by_model || used.documents.contains(name));
    }
    for counter in &catalog.counters {
        declared("counter", section("counters", &counter.name), used.counters.contains(&counter.name));
    }
    for recorded in &catalog.history {
        declared("history", section("history", &recorded.name), used.history.contains(&recorded.name));
    }
    for message in &catalog.messages {
        declared("message", section("messages", &message.name), used.messages.contains(&message.name));
    }
    for name in subject.written.worlds.keys() {
        let used = subject.written.hooks.iter().any(|hook| {
            let own = hook.cases.iter().any(|case| case.worlds().contains(&name.as_str()));
            own || hook.given.worlds.contains(name)
        });
        declared("world", section("worlds", name), used);
    }
    for (place, hook) in subject.hooks() {
        let own = uses::of_hook(catalog, hook);
        for binding in &hook.bindings {
            declared("definition", place.key("let").key(&binding.name), own.bindings.contains(&binding.name));
        }
        for callable in &hook.callables {
            declared("definition", place.key("let").key(&callable.key), callable.used);
        }
        for document in &hook.documents {
            let name = &document.name;
            declared("document", place.key("documents").key(name), own.documents.contains(name));
        }
    }
    findings
}
