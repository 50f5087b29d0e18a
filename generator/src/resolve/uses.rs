//! What a hook reads and writes, through every name it refers to.

use std::collections::BTreeSet;

use crate::model::{self, DocumentPart, Effect, Expr, ExprKind, Segment, Template};

/// Names in use. `config` among the reads is the config file.
#[derive(Debug, Default)]
pub struct Uses {
    pub reads: BTreeSet<String>,
    pub writes: BTreeSet<String>,
    pub flags: BTreeSet<String>,
    pub thresholds: BTreeSet<String>,
    pub data: BTreeSet<String>,
    pub facts: BTreeSet<String>,
    pub documents: BTreeSet<String>,
    pub counters: BTreeSet<String>,
    pub messages: BTreeSet<String>,
    /// The hook's own definitions.
    pub bindings: BTreeSet<String>,
}

/// Everything that a hook uses.
pub fn of_hook(catalog: &model::Catalog, hook: &model::Hook) -> Uses {
    let mut collect = Collect { catalog, uses: Uses::default() };
    collect.hook(hook);
    collect.uses
}

/// Everything that some hook or setting uses.
pub fn of_catalog(catalog: &model::Catalog) -> Uses {
    let mut collect = Collect { catalog, uses: Uses::default() };
    for template in [&catalog.config_file, &catalog.dev_mode_file].into_iter().flatten() {
        collect.template(template);
    }
    for hook in &catalog.hooks {
        collect.hook(hook);
    }
    collect.uses.thresholds.extend(catalog.breaker.iter().cloned());
    collect.uses
}

struct Collect<'c> {
    catalog: &'c model::Catalog,
    uses: Uses,
}

impl Collect<'_> {
    fn hook(&mut self, hook: &model::Hook) {
        hook.when.iter().for_each(|when| self.expr(&when.expr));
        hook.bindings.iter().for_each(|binding| self.expr(&binding.expr));
        for check in &hook.checks {
            check.when.iter().for_each(|when| self.expr(&when.expr));
            check.effects.iter().for_each(|effect| self.effect(effect));
        }
        hook.flag.iter().for_each(|flag| self.flag(flag));
        let configured = !(self.uses.flags.is_empty() && self.uses.thresholds.is_empty());
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
        for segment in &template.segments {
            if let Segment::Expr(expr) = segment {
                self.expr(expr);
            }
        }
    }

    fn effect(&mut self, effect: &Effect) {
        match effect {
            Effect::Spend { key, from, .. } => {
                if let Some(key) = key {
                    self.expr(key);
                }
                for (counter, limit) in from {
                    self.uses.counters.insert(counter.clone());
                    self.uses.reads.insert(counter.clone());
                    self.uses.writes.insert(counter.clone());
                    self.expr(&limit.expr);
                }
            }
            Effect::Reset { counters } => {
                self.uses.counters.extend(counters.iter().cloned());
                self.uses.writes.extend(counters.iter().cloned());
            }
            Effect::Write { document, text } | Effect::Append { document, line: text } => {
                self.written(document);
                self.template(text);
            }
            Effect::Delete { document } => self.written(document),
            Effect::Rewrite { fields } => fields.iter().for_each(|(_, text)| self.template(text)),
            Effect::Export { value: text, .. }
            | Effect::Log(text)
            | Effect::Warn(text)
            | Effect::Inject(text)
            | Effect::Feedback(text)
            | Effect::Deny(text)
            | Effect::Ask(text)
            | Effect::Allow(text)
            | Effect::Pass(text) => self.template(text),
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
            ExprKind::Threshold(name) => drop(self.uses.thresholds.insert(name.clone())),
            ExprKind::Data(name) => drop(self.uses.data.insert(name.clone())),
            ExprKind::Binding(name) => drop(self.uses.bindings.insert(name.clone())),
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
