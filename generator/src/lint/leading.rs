//! Which names the expressions of a hook lead to, through whatever they name.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use crate::model::{Catalog, Effect, Expr, ExprKind, Hook};

/// The facts, messages and documents that each hook leads to; found out when somebody asks, and once for all.
#[derive(Debug, Default)]
pub struct Leading(OnceLock<Vec<BTreeSet<String>>>);

impl Leading {
    /// The hooks that lead to a name.
    pub(super) fn to<'c>(&self, catalog: &'c Catalog, name: &str) -> Vec<&'c Hook> {
        let led = self.0.get_or_init(|| {
            let named = Named::of(catalog);
            catalog.hooks.iter().map(|hook| named.from(hook)).collect()
        });
        catalog.hooks.iter().zip(led).filter(|(_, names)| names.contains(name)).map(|(hook, _)| hook).collect()
    }
}

/// What the names of a catalog are made of. A fact, a message and a document may have one name.
struct Named<'c>(BTreeMap<&'c str, Vec<&'c Expr>>);

impl<'c> Named<'c> {
    fn of(catalog: &'c Catalog) -> Self {
        let mut named: BTreeMap<&str, Vec<&Expr>> = BTreeMap::new();
        for fact in &catalog.facts {
            named.entry(&fact.name).or_default().push(&fact.expr);
        }
        for message in &catalog.messages {
            named.entry(&message.name).or_default().extend(message.template.expressions());
        }
        for document in &catalog.documents {
            let parts = document.path.expressions().chain(document.when.iter().map(|when| &when.expr));
            named.entry(&document.name).or_default().extend(parts);
        }
        Self(named)
    }

    fn from(&self, hook: &'c Hook) -> BTreeSet<String> {
        let mut next: Vec<&Expr> = hook.when.iter().map(|when| &when.expr).collect();
        next.extend(hook.bindings.iter().map(|fact| &fact.expr));
        next.extend(hook.documents.iter().flat_map(|document| document.path.expressions()));
        next.extend(hook.checks.iter().flat_map(|check| {
            let effects = check.effects.iter().flat_map(Effect::expressions);
            check.when.iter().map(|when| &when.expr).chain(effects)
        }));
        let mut seen = BTreeSet::new();
        while let Some(expr) = next.pop() {
            next.extend(expr.children());
            let (ExprKind::Fact(name) | ExprKind::Message(name) | ExprKind::Document { name, .. }) = &expr.kind else {
                continue;
            };
            if !seen.contains(name) {
                next.extend(self.0.get(name.as_str()).into_iter().flatten().copied());
                seen.insert(name.clone());
            }
        }
        seen
    }
}
