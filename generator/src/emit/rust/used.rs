//! What a crate has a use for: all that its hooks and its settings lead to. Nothing else is printed.

use std::collections::BTreeSet;

use hookgen_runtime::representation::{Effect, Expr, Op, Representation, Text};

/// Places of what is used, by kind.
#[derive(Debug, Default)]
pub(super) struct Used {
    pub(super) flags: BTreeSet<usize>,
    pub(super) choices: BTreeSet<usize>,
    pub(super) thresholds: BTreeSet<usize>,
    pub(super) tables: BTreeSet<usize>,
    pub(super) facts: BTreeSet<usize>,
    pub(super) documents: BTreeSet<usize>,
    pub(super) messages: BTreeSet<usize>,
    /// Definitions, by hook and place.
    pub(super) lets: BTreeSet<(usize, usize)>,
}

impl Used {
    pub(super) fn of(whole: &Representation) -> Self {
        let mut used = Self::default();
        for file in whole.config_file.iter().chain(&whole.dev_mode_file) {
            used.text(whole, None, file);
        }
        for (place, hook) in whole.hooks.iter().enumerate() {
            let effects = || hook.checks.iter().flat_map(|check| &check.effects);
            for text in hook.gate.iter().chain(hook.checks.iter().filter_map(|check| check.when.as_ref())) {
                used.text(whole, Some(place), text);
            }
            for expr in effects().flat_map(Effect::expressions) {
                used.expression(whole, Some(place), expr);
            }
            for document in effects().filter_map(Effect::document) {
                used.document(whole, *document);
            }
        }
        used
    }

    fn text(&mut self, whole: &Representation, hook: Option<usize>, text: &Text) {
        self.expression(whole, hook, &text.value);
    }

    fn expression(&mut self, whole: &Representation, hook: Option<usize>, expr: &Expr) {
        let followed = match &expr.op {
            Op::Fact(place) if self.facts.insert(*place) => whole.facts.get(*place).map(|fact| (None, &fact.text)),
            Op::Message(place) if self.messages.insert(*place) => {
                whole.messages.get(*place).map(|message| (None, &message.text))
            }
            Op::Let(place) => match hook {
                Some(own) if self.lets.insert((own, *place)) => {
                    whole.hooks.get(own).and_then(|own| own.lets.get(*place)).map(|own| (hook, &own.text))
                }
                _ => None,
            },
            _ => None,
        };
        match &expr.op {
            Op::Flag(place) => self.flags.extend([*place]),
            Op::Choice(place) => self.choices.extend([*place]),
            Op::Threshold(place) => self.thresholds.extend([*place]),
            Op::Table(place) => self.tables.extend([*place]),
            Op::Document(place, _) => self.document(whole, *place),
            _ => {}
        }
        if let Some((hook, text)) = followed {
            self.text(whole, hook, text);
        }
        for child in expr.children() {
            self.expression(whole, hook, child);
        }
    }

    fn document(&mut self, whole: &Representation, place: usize) {
        if self.documents.insert(place)
            && let Some(document) = whole.documents.get(place)
        {
            self.text(whole, document.owner, &document.path);
        }
    }
}
