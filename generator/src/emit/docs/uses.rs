//! Which thresholds an expression depends on, through every name that it mentions.

use std::collections::BTreeSet;

use crate::model::{Catalog, Check, Effect, Expr, ExprKind, Hook, Segment, Template, Threshold};

/// The thresholds that a check depends on, in catalog order.
pub(super) fn thresholds<'a>(catalog: &'a Catalog, hook: &'a Hook, check: &'a Check) -> Vec<&'a Threshold> {
    let mut walk = Walk { catalog, hook, seen: BTreeSet::new(), thresholds: BTreeSet::new() };
    if let Some(condition) = &check.when {
        walk.expr(&condition.expr);
    }
    check.effects.iter().for_each(|effect| walk.effect(effect));
    let used = walk.thresholds;
    catalog.thresholds.iter().filter(|threshold| used.contains(threshold.name.as_str())).collect()
}

struct Walk<'a> {
    catalog: &'a Catalog,
    hook: &'a Hook,
    /// Facts, bindings and messages that were already followed.
    seen: BTreeSet<(&'static str, &'a str)>,
    thresholds: BTreeSet<&'a str>,
}

impl<'a> Walk<'a> {
    fn effect(&mut self, effect: &'a Effect) {
        match effect {
            Effect::Spend { key, from, .. } => {
                let limits = from.iter().map(|(_, limit)| &limit.expr);
                key.iter().chain(limits).for_each(|expr| self.expr(expr));
            }
            Effect::Reset { .. } | Effect::Delete { .. } => {}
            Effect::Rewrite { fields } => fields.iter().for_each(|(_, text)| self.template(text)),
            Effect::Write { text, .. }
            | Effect::Append { line: text, .. }
            | Effect::Export { value: text, .. }
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

    fn template(&mut self, template: &'a Template) {
        for segment in &template.segments {
            if let Segment::Expr(expr) = segment {
                self.expr(expr);
            }
        }
    }

    fn expr(&mut self, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Threshold(name) => {
                self.thresholds.insert(name);
            }
            ExprKind::Fact(name) if self.seen.insert(("fact", name)) => {
                self.catalog.facts.iter().filter(|fact| fact.name == *name).for_each(|fact| self.expr(&fact.expr));
            }
            ExprKind::Binding(name) if self.seen.insert(("let", name)) => {
                self.hook.bindings.iter().filter(|fact| fact.name == *name).for_each(|fact| self.expr(&fact.expr));
            }
            ExprKind::Message(name) if self.seen.insert(("message", name)) => {
                let messages = self.catalog.messages.iter().filter(|message| message.name == *name);
                messages.for_each(|message| self.template(&message.template));
            }
            _ => expr.children().into_iter().for_each(|child| self.expr(child)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::fixture;
    use super::*;

    #[test]
    fn a_threshold_is_found_behind_a_let_and_a_fact() {
        let catalog = fixture::full();
        let hook = &catalog.hooks[0];
        let names = |check: &Check| -> Vec<String> {
            thresholds(&catalog, hook, check).iter().map(|threshold| threshold.name.clone()).collect()
        };
        assert_eq!(names(&hook.checks[0]), ["limit"]);
        assert!(names(&hook.checks[1]).is_empty());
    }
}
