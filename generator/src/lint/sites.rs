//! Every expression and every text of a catalog, with its place in the document and the hook that it belongs to.

use std::collections::BTreeSet;

use serde_json::Value;

use super::Subject;
use crate::document::Pointer;
use crate::model::{BinaryOp, Decision, Effect, Expr, ExprKind, Hook, Template};
use crate::source::Location;

/// An expression where it stands. Hooks that `guard: self` wrote stand nowhere, and have none.
pub(super) struct Site<'s> {
    pub(super) at: Pointer,
    pub(super) expr: &'s Expr,
    pub(super) hook: Option<&'s Hook>,
}

/// A text where it stands.
pub(super) struct Said<'s> {
    pub(super) at: Pointer,
    pub(super) template: &'s Template,
    pub(super) hook: Option<&'s Hook>,
}

impl<'s> Subject<'s> {
    /// Every expression that is written as such, and those within texts.
    pub(super) fn sites(&self) -> Vec<Site<'s>> {
        let mut sites = self.conditions();
        for said in self.texts() {
            let of = |expr| Site { at: said.at.clone(), expr, hook: said.hook };
            sites.extend(said.template.expressions().map(of));
        }
        sites
    }

    fn conditions(&self) -> Vec<Site<'s>> {
        let catalog = self.catalog;
        let mut sites = Vec::new();
        let root = Pointer::root();
        for fact in &catalog.facts {
            sites.push(Site { at: root.key("facts").key(&fact.name), expr: &fact.expr, hook: None });
        }
        for document in &catalog.documents {
            let at = root.key("documents").key(&document.name).key("when");
            sites.extend(document.when.iter().map(|when| Site { at: at.clone(), expr: &when.expr, hook: None }));
        }
        for (place, hook) in self.written_hooks() {
            let mut add = |at: Pointer, expr: &'s Expr| sites.push(Site { at, expr, hook: Some(hook) });
            hook.when.iter().for_each(|when| add(place.key("when"), &when.expr));
            hook.bindings.iter().for_each(|fact| add(place.key("let").key(&fact.name), &fact.expr));
            for document in &hook.documents {
                let at = place.key("documents").key(&document.name).key("when");
                document.when.iter().for_each(|when| add(at.clone(), &when.expr));
            }
            for (number, check) in hook.checks.iter().enumerate() {
                let at = place.key("checks").index(number);
                check.when.iter().for_each(|when| add(at.key("when"), &when.expr));
                for effect in &check.effects {
                    for (at, expr) in bare(effect, &at) {
                        add(at, expr);
                    }
                }
            }
        }
        sites
    }

    /// Every text with `${…}` in it, or with room for it.
    pub(super) fn texts(&self) -> Vec<Said<'s>> {
        let catalog = self.catalog;
        let root = Pointer::root();
        let mut texts = Vec::new();
        for document in &catalog.documents {
            let at = root.key("documents").key(&document.name).key("path");
            texts.push(Said { at, template: &document.path, hook: None });
        }
        for message in &catalog.messages {
            let at = root.key("messages").key(&message.name);
            texts.push(Said { at, template: &message.template, hook: None });
        }
        for (place, hook) in self.written_hooks() {
            for document in &hook.documents {
                let at = place.key("documents").key(&document.name).key("path");
                texts.push(Said { at, template: &document.path, hook: Some(hook) });
            }
            for (number, check) in hook.checks.iter().enumerate() {
                let at = place.key("checks").index(number);
                for effect in &check.effects {
                    let all = self.spoken(effect, &at).into_iter();
                    texts.extend(all.map(|(at, template)| Said { at, template, hook: Some(hook) }));
                }
            }
        }
        texts
    }

    /// The hooks that somebody wrote, with their places.
    pub(super) fn written_hooks(&self) -> impl Iterator<Item = (Pointer, &'s Hook)> {
        let document = self.document;
        let place = |position| Pointer::root().key("hooks").index(position);
        let hooks = self.catalog.hooks.iter().enumerate().map(move |(position, hook)| (place(position), hook));
        hooks.filter(|(place, _)| document.get(place).is_some())
    }

    /// The texts of an effect with their places.
    fn spoken(&self, effect: &'s Effect, at: &Pointer) -> Vec<(Pointer, &'s Template)> {
        let refusal = || if self.document.get(&at.key("block")).is_some() { "block" } else { "deny" };
        let own = if matches!(effect, Effect::Decide(Decision::Deny, _)) { refusal() } else { effect.name() };
        effect.said_at().into_iter().map(|(way, text)| (at.key(own).along(&way), text)).collect()
    }

    /// Where a part of an expression is written.
    pub(super) fn place(&self, site: &Site<'_>, part: &Expr) -> Location {
        self.document.inside(&site.at, part.span.clone())
    }

    /// The texts that an expression is or holds, whatever happens: literals, and those of tables.
    pub(super) fn constants<'e>(&'e self, expr: &'e Expr) -> Vec<(&'e str, &'e Expr)> {
        match &expr.kind {
            ExprKind::Text(text) | ExprKind::Constant { text, .. } => vec![(text, expr)],
            ExprKind::List(items) => items.iter().flat_map(|item| self.constants(item)).collect(),
            ExprKind::Read { of } | ExprKind::Convert { of } => self.constants(of),
            _ => match self.table(expr) {
                Some(Value::String(text)) => vec![(text, expr)],
                Some(Value::Array(items)) => items.iter().filter_map(|item| Some((item.as_str()?, expr))).collect(),
                _ => Vec::new(),
            },
        }
    }

    fn table(&self, expr: &Expr) -> Option<&'s Value> {
        match &expr.kind {
            ExprKind::Data(name) => self.catalog.data.iter().find(|data| data.name == *name).map(|data| &data.value),
            ExprKind::Field { of, name } => self.table(of)?.get(name),
            ExprKind::Index { of, at } => match &at.kind {
                ExprKind::Text(key) => self.table(of)?.get(key),
                ExprKind::Int(place) => self.table(of)?.get(usize::try_from(*place).ok()?),
                _ => None,
            },
            _ => None,
        }
    }

    /// The expression and all that it leads to, through definitions and facts.
    pub(super) fn reachable(&self, hook: Option<&'s Hook>, expr: &'s Expr) -> Vec<&'s Expr> {
        let (mut found, mut seen, mut next) = (Vec::new(), BTreeSet::new(), vec![expr]);
        while let Some(expr) = next.pop() {
            found.push(expr);
            let named = match &expr.kind {
                ExprKind::Binding(name) => hook.map(|hook| (&hook.bindings, name)),
                ExprKind::Fact(name) => Some((&self.catalog.facts, name)),
                _ => None,
            };
            let named = named.filter(|(_, name)| seen.insert((*name).clone()));
            next.extend(
                named
                    .iter()
                    .flat_map(|(facts, name)| facts.iter().filter(|fact| fact.name == **name))
                    .map(|fact| &fact.expr),
            );
            next.extend(expr.children());
        }
        found
    }
}

/// The expressions of an effect that stand outside of texts.
fn bare<'s>(effect: &'s Effect, at: &Pointer) -> Vec<(Pointer, &'s Expr)> {
    let at = at.key(effect.name());
    effect.worked_at().into_iter().map(|(way, worked)| (at.along(&way), &worked.expr)).collect()
}

/// Every part of an expression, itself first.
pub(super) fn parts(expr: &Expr) -> Vec<&Expr> {
    let (mut found, mut next) = (Vec::new(), vec![expr]);
    while let Some(expr) = next.pop() {
        found.push(expr);
        next.extend(expr.children().into_iter().rev());
    }
    found
}

/// The sides of a comparison that says whether a value is one of certain texts, the value first.
pub(super) fn compared(expr: &Expr) -> Option<(&Expr, &Expr)> {
    let ExprKind::Binary { op, left, right } = &expr.kind else { return None };
    match op {
        BinaryOp::In => Some((bare_value(left), right)),
        BinaryOp::Equal | BinaryOp::NotEqual if matches!(right.kind, ExprKind::Text(_)) => {
            Some((bare_value(left), right))
        }
        BinaryOp::Equal | BinaryOp::NotEqual if matches!(left.kind, ExprKind::Text(_)) => {
            Some((bare_value(right), left))
        }
        _ => None,
    }
}

/// A value without the reading of it as a type.
pub(super) fn bare_value(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Read { of } => bare_value(of),
        _ => expr,
    }
}
