//! What a hook can get to: every expression of its own, and those of all that it refers to.

use super::{Expr, Hook, Op, Representation};

impl Representation {
    /// Shows every expression that the hook at that place may work out.
    pub fn reached<'r>(&'r self, hook: usize, visit: &mut dyn FnMut(&'r Expr)) {
        let Some(own) = self.hooks.get(hook) else { return };
        let mut reach = Reach { whole: self, hook: own, seen: Vec::new(), visit };
        for root in own.roots() {
            reach.expression(root);
        }
        let changed = own.checks.iter().flat_map(|check| &check.effects).filter_map(super::Effect::document);
        for document in changed.filter_map(|place| self.documents.get(*place)) {
            reach.expression(&document.path.value);
        }
    }
}

impl Hook {
    /// The expressions that it works out itself, its definitions only where they are asked for.
    fn roots(&self) -> Vec<&Expr> {
        let checks = self.checks.iter().flat_map(|check| {
            let effects = check.effects.iter().flat_map(super::Effect::expressions);
            check.when.iter().map(|when| &when.value).chain(effects)
        });
        self.gate.iter().map(|gate| &gate.value).chain(checks).collect()
    }
}

struct Reach<'r, 'v> {
    whole: &'r Representation,
    hook: &'r Hook,
    /// Definitions that were followed, by kind and place.
    seen: Vec<(u8, usize)>,
    visit: &'v mut dyn FnMut(&'r Expr),
}

impl<'r> Reach<'r, '_> {
    fn expression(&mut self, expr: &'r Expr) {
        (self.visit)(expr);
        let whole = self.whole;
        let followed = match &expr.op {
            Op::Fact(place) => whole.facts.get(*place).map(|fact| (0, *place, &fact.text)),
            Op::Let(place) => self.hook.lets.get(*place).map(|own| (1, *place, &own.text)),
            Op::Message(place) => whole.messages.get(*place).map(|message| (2, *place, &message.text)),
            Op::Document(place, _) => whole.documents.get(*place).map(|document| (3, *place, &document.path)),
            _ => None,
        };
        if let Some((kind, place, text)) = followed
            && !self.seen.contains(&(kind, place))
        {
            self.seen.push((kind, place));
            self.expression(&text.value);
        }
        for child in expr.children() {
            self.expression(child);
        }
    }
}
