//! What a hook reads and writes, through every name it refers to.

use std::collections::BTreeSet;

use crate::model::{self, DocumentPart, Effect, Expr, ExprKind, Template};

/// Names in use. `config` among the reads is the config file.
#[derive(Debug, Default)]
pub struct Uses {
    pub reads: BTreeSet<String>,
    pub writes: BTreeSet<String>,
    pub flags: BTreeSet<String>,
    pub choices: BTreeSet<String>,
    pub thresholds: BTreeSet<String>,
    pub data: BTreeSet<String>,
    pub facts: BTreeSet<String>,
    pub documents: BTreeSet<String>,
    pub counters: BTreeSet<String>,
    /// Names of the history.
    pub history: BTreeSet<String>,
    pub messages: BTreeSet<String>,
    /// Functions of the library.
    pub functions: BTreeSet<&'static str>,
    /// Environment variables.
    pub variables: BTreeSet<String>,
    /// Notes of the session; the empty name is one that is worked out.
    pub notes_read: BTreeSet<String>,
    pub notes_written: BTreeSet<String>,
    /// Whether something is remembered for the rest of the session.
    pub remembers: bool,
    /// The hook's own definitions.
    pub bindings: BTreeSet<String>,
}

/// Everything that a hook uses.
pub fn of_hook(catalog: &model::Catalog, hook: &model::Hook) -> Uses {
    let mut collect = Collect { catalog, definitions: &[], uses: Uses::default() };
    collect.hook(hook);
    collect.uses
}

/// Everything that one check uses, through the hook's definitions.
pub fn of_check(catalog: &model::Catalog, hook: &model::Hook, check: &model::Check) -> Uses {
    let mut collect = Collect { catalog, definitions: &hook.bindings, uses: Uses::default() };
    collect.check(check);
    collect.uses
}

/// Everything that a text of the catalog uses, such as the path of its config file.
pub fn of_template(catalog: &model::Catalog, template: &Template) -> Uses {
    let mut collect = Collect { catalog, definitions: &[], uses: Uses::default() };
    collect.template(template);
    collect.uses
}

/// Everything that some hook or setting uses.
pub fn of_catalog(catalog: &model::Catalog) -> Uses {
    let mut collect = Collect { catalog, definitions: &[], uses: Uses::default() };
    for template in [&catalog.config_file, &catalog.dev_mode_file].into_iter().flatten() {
        collect.template(template);
    }
    for hook in &catalog.hooks {
        collect.hook(hook);
    }
    collect.uses.thresholds.extend(catalog.breaker.iter().cloned());
    collect.uses
}

/// Takes out what shared files offer and no hook uses.
pub fn without_unused(catalog: &mut model::Catalog, shared: impl Fn(&str, &str) -> bool) {
    let used = of_catalog(catalog);
    let guarded = catalog.guard.as_ref().and_then(model::Guard::documents).unwrap_or_default().to_vec();
    catalog.flags.retain(|flag| used.flags.contains(&flag.name) || !shared("flags", &flag.name));
    catalog.choices.retain(|choice| used.choices.contains(&choice.name) || !shared("choices", &choice.name));
    catalog.thresholds.retain(|one| used.thresholds.contains(&one.name) || !shared("thresholds", &one.name));
    catalog.data.retain(|data| used.data.contains(&data.name) || !shared("data", &data.name));
    catalog.facts.retain(|fact| used.facts.contains(&fact.name) || !shared("facts", &fact.name));
    catalog.counters.retain(|counter| used.counters.contains(&counter.name) || !shared("counters", &counter.name));
    catalog.history.retain(|recorded| used.history.contains(&recorded.name) || !shared("history", &recorded.name));
    catalog.messages.retain(|message| used.messages.contains(&message.name) || !shared("messages", &message.name));
    let by_model =
        |name: &String| catalog.hooks.iter().any(|hook| hook.reads.contains(name) || hook.writes.contains(name));
    let kept: BTreeSet<String> = catalog
        .documents
        .iter()
        .map(|document| document.name.clone())
        .filter(|name| by_model(name) || guarded.contains(name))
        .collect();
    catalog.documents.retain(|document| {
        used.documents.contains(&document.name) || kept.contains(&document.name) || !shared("documents", &document.name)
    });
}

struct Collect<'c> {
    catalog: &'c model::Catalog,
    /// Definitions that are followed where they are used; a whole hook looks at all of its own anyway.
    definitions: &'c [model::Fact],
    uses: Uses,
}

impl Collect<'_> {
    fn hook(&mut self, hook: &model::Hook) {
        hook.when.iter().for_each(|when| self.expr(&when.expr));
        hook.bindings.iter().for_each(|binding| self.expr(&binding.expr));
        for document in &hook.documents {
            self.template(&document.path);
            document.when.iter().for_each(|when| self.expr(&when.expr));
        }
        hook.checks.iter().for_each(|check| self.check(check));
        hook.flag.iter().for_each(|flag| self.flag(flag));
        let settings = [&self.uses.flags, &self.uses.choices, &self.uses.thresholds];
        let configured = settings.iter().any(|used| !used.is_empty());
        if configured && self.catalog.config_file.is_some() && hook.kind == model::Kind::Command {
            self.uses.reads.insert("config".to_owned());
        }
    }

    /// A flag, and those that it requires.
    fn flag(&mut self, name: &str) {
        if self.uses.flags.insert(name.to_owned()) {
            let flags = &self.catalog.flags;
            for required in flags.iter().filter(|flag| flag.name == name).flat_map(|flag| &flag.requires) {
                self.flag(required);
            }
        }
    }

    fn template(&mut self, template: &Template) {
        template.expressions().for_each(|expr| self.expr(expr));
    }

    fn check(&mut self, check: &model::Check) {
        check.when.iter().for_each(|when| self.expr(&when.expr));
        for effect in &check.effects {
            effect.expressions().into_iter().for_each(|expr| self.expr(expr));
            effect.document().into_iter().for_each(|document| self.written(document));
            match effect {
                Effect::Spend { from, .. } => from.iter().for_each(|limit| self.counter(&limit.counter, true)),
                Effect::Tally { document, .. } => self.uses.reads.extend([document.clone()]),
                Effect::Reset(counters) => counters.iter().for_each(|counter| self.counter(&counter.name, false)),
                Effect::Forget { remembered, noted } => {
                    self.uses.notes_written.extend(noted.iter().cloned());
                    self.uses.remembers |= remembered.is_some();
                }
                Effect::Record(names) => {
                    for one in names {
                        self.uses.history.insert(one.name.clone());
                        self.uses.writes.insert(one.name.clone());
                    }
                }
                Effect::Note { name, .. } => self.uses.notes_written.extend([name.clone()]),
                Effect::Remember(_) => self.uses.remembers = true,
                _ => {}
            }
        }
    }

    fn counter(&mut self, name: &str, read: bool) {
        self.uses.counters.insert(name.to_owned());
        self.uses.writes.insert(name.to_owned());
        if read {
            self.uses.reads.insert(name.to_owned());
        }
    }

    /// A document that is written: its path is worked out, its content is not read.
    fn written(&mut self, document: &str) {
        self.uses.writes.insert(document.to_owned());
        self.document(document);
    }

    fn document(&mut self, name: &str) {
        if self.uses.documents.insert(name.to_owned()) {
            for document in self.catalog.documents.iter().filter(|document| document.name == name) {
                self.template(&document.path);
                document.when.iter().for_each(|when| self.expr(&when.expr));
            }
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Flag(name) => self.flag(name),
            ExprKind::Chosen(name) => self.uses.choices.extend([name.clone()]),
            ExprKind::Threshold(name) => self.uses.thresholds.extend([name.clone()]),
            ExprKind::Data(name) => self.uses.data.extend([name.clone()]),
            ExprKind::Env(name) => self.uses.variables.extend([name.clone()]),
            ExprKind::Call { function, args, .. } => {
                self.uses.functions.extend([function.name]);
                let name = || {
                    args.iter().find_map(|arg| match &arg.kind {
                        ExprKind::Text(name) => Some(name.clone()),
                        _ => None,
                    })
                };
                match function.name {
                    "noted" => self.uses.notes_read.extend([name().unwrap_or_default()]),
                    "history" => {
                        self.uses.history.extend(name());
                        self.uses.reads.extend(name());
                    }
                    _ => {}
                }
            }
            ExprKind::Property { function } => {
                self.uses.functions.extend([function.name]);
            }
            ExprKind::Binding(name) if self.uses.bindings.insert(name.clone()) => {
                let definitions = self.definitions.iter().filter(|fact| fact.name == *name);
                definitions.for_each(|fact| self.expr(&fact.expr));
            }
            ExprKind::Fact(name) if self.uses.facts.insert(name.clone()) => {
                self.catalog.facts.iter().filter(|fact| fact.name == *name).for_each(|fact| self.expr(&fact.expr));
            }
            ExprKind::Message(name) if self.uses.messages.insert(name.clone()) => {
                let messages = self.catalog.messages.iter().filter(|message| message.name == *name);
                messages.for_each(|message| self.template(&message.template));
            }
            ExprKind::Document { name, part } => {
                if *part != DocumentPart::Path {
                    self.uses.reads.insert(name.clone());
                }
                self.document(name);
            }
            _ => {}
        }
        expr.children().into_iter().for_each(|child| self.expr(child));
    }
}
