//! Every expression and every text of a catalog, with its place in the document and the hook that it belongs to.

use std::collections::BTreeSet;
use std::ops::Range;

use serde_json::Value;

use super::Subject;
use crate::document::Pointer;
use crate::model::{BinaryOp, Decision, Effect, Expr, ExprKind, Fact, Hook, Template};
use crate::resolve::over;
use crate::source::Location;

/// An expression where it stands. Hooks that `guard: self` wrote stand nowhere, and have none.
pub(super) struct Site<'s> {
    pub(super) at: Pointer,
    pub(super) expr: &'s Expr,
    pub(super) hook: Option<&'s Hook>,
    over: Option<Over>,
}

/// A check over a list became a definition, whose text is made of that of `for` and that of `when`.
#[derive(Clone)]
struct Over {
    /// How much of the definition stands before the condition.
    before: usize,
    /// How much of `for` stands before the list.
    list: usize,
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
            let of = |expr| Site { at: said.at.clone(), expr, hook: said.hook, over: None };
            sites.extend(said.template.expressions().map(of));
        }
        sites
    }

    fn conditions(&self) -> Vec<Site<'s>> {
        let catalog = self.catalog;
        let mut sites = Vec::new();
        let root = Pointer::root();
        for fact in &catalog.facts {
            sites.push(Site { at: root.key("facts").key(&fact.name), expr: &fact.expr, hook: None, over: None });
        }
        for body in self.bodies {
            let own = |(place, _): &(Pointer, &Hook)| body.at.to_string().starts_with(&format!("{place}/"));
            let hook = self.written_hooks().find(own).map(|(_, hook)| hook);
            sites.push(Site { at: body.at.clone(), expr: &body.expr, hook, over: None });
        }
        for document in &catalog.documents {
            let at = root.key("documents").key(&document.name).key("when");
            let of = |expr| Site { at: at.clone(), expr, hook: None, over: None };
            sites.extend(document.when.iter().map(|when| of(&when.expr)));
        }
        for (place, hook) in self.written_hooks() {
            sites.extend(self.lists(&place, hook));
            let mut add = |at: Pointer, expr: &'s Expr| sites.push(Site { at, expr, hook: Some(hook), over: None });
            hook.when.iter().for_each(|when| add(place.key("when"), &when.expr));
            let written = |fact: &&Fact| self.document.get(&place.key("let").key(&fact.name)).is_some();
            let bindings = hook.bindings.iter().filter(written);
            bindings.for_each(|fact| add(place.key("let").key(&fact.name), &fact.expr));
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

    /// What became of the checks over a list.
    fn lists(&self, place: &Pointer, hook: &'s Hook) -> Vec<Site<'s>> {
        let mut sites = Vec::new();
        for (number, check) in hook.checks.iter().enumerate() {
            let at = place.key("checks").index(number);
            let Some(Value::String(written)) = self.document.get(&at.key("for")) else { continue };
            let Some((name, list)) = written.split_once(" in ") else { continue };
            let found = over::found(&check.id, name.trim());
            let binding = hook.bindings.iter().find(|fact| fact.name == found);
            let over = Over {
                before: over::before(list, name.trim()).len(),
                list: written.len() - list.len() - over::opened(list),
            };
            sites.extend(binding.map(|fact| Site { at, expr: &fact.expr, hook: Some(hook), over: Some(over) }));
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

    /// Where a part of an expression is written; nowhere, if it came with the call of a definition, which is a site of
    /// its own.
    pub(super) fn place(&self, site: &Site<'_>, part: &Expr) -> Option<Location> {
        let Range { start, end } = part.span;
        let (at, range) = match &site.over {
            None => (site.at.clone(), start..end),
            Some(over) if start >= over.before => (site.at.key("when"), start - over.before..end - over.before),
            Some(over) => (site.at.key("for"), start + over.list..end + over.list),
        };
        (start < end).then(|| self.document.inside(&at, range))
    }

    /// The hooks that an expression is worked out for: its own, or all those that lead to a fact.
    pub(super) fn readers(&self, site: &Site<'s>) -> Vec<&'s Hook> {
        site.hook.map_or_else(|| self.readers_of(&site.at, self.bodies.len()), |hook| vec![hook])
    }

    /// The hooks that lead to what stands at a place, through so many definitions at most.
    fn readers_of(&self, at: &Pointer, depth: usize) -> Vec<&'s Hook> {
        let written = at.to_string();
        if let Some((_, hook)) = self.written_hooks().find(|(place, _)| written.starts_with(&format!("{place}/"))) {
            return vec![hook];
        }
        match (self.bodies.iter().find(|body| body.at == *at), depth.checked_sub(1)) {
            (Some(body), Some(depth)) => body.callers.iter().flat_map(|at| self.readers_of(at, depth)).collect(),
            (Some(_), None) => Vec::new(),
            (None, _) => {
                let name = written.split('/').nth(2).unwrap_or_default();
                self.leading.to(self.catalog, name)
            }
        }
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

    /// The value of a table, or of a part of it.
    pub(super) fn table(&self, expr: &Expr) -> Option<&'s Value> {
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

/// A variable with what it goes over.
pub(super) type Bound<'e> = (&'e str, &'e Expr);

/// Every comparison in an expression that says whether a value is one of certain texts, the value first. What a macro
/// goes over, and what a definition is given, counts for its variable.
pub(super) fn comparisons(expr: &Expr) -> Vec<(&Expr, &Expr)> {
    let mut found = Vec::new();
    with_bound(expr, &mut Vec::new(), &mut |expr, bound| found.extend(compared_among(expr, bound)));
    found
}

/// Goes over every part of an expression with the variables that it sees.
pub(super) fn with_bound<'e>(
    expr: &'e Expr,
    bound: &mut Vec<Bound<'e>>,
    visit: &mut dyn FnMut(&'e Expr, &[Bound<'e>]),
) {
    visit(expr, bound);
    if let ExprKind::Macro { list, variable, body, .. } = &expr.kind {
        with_bound(list, bound, visit);
        bound.push((variable, list));
        with_bound(body, bound, visit);
        bound.pop();
    } else {
        expr.children().into_iter().for_each(|child| with_bound(child, bound, visit));
    }
}

/// What a variable goes over.
pub(super) fn elements<'e>(expr: &'e Expr, bound: &[Bound<'e>]) -> Option<&'e Expr> {
    let ExprKind::Variable(name) = &bare_value(expr).kind else { return None };
    bound.iter().rev().find(|(variable, _)| variable == name).map(|(_, list)| *list)
}

/// A value; for the parameter of a definition, what it was given.
pub(super) fn given<'e>(expr: &'e Expr, bound: &[Bound<'e>]) -> &'e Expr {
    match elements(expr, bound).map(|list| &list.kind) {
        Some(ExprKind::List(items)) if items.len() == 1 => items.first().unwrap_or(expr),
        _ => expr,
    }
}

/// The sides of such a comparison, with the variables that it sees.
pub(super) fn compared_among<'e>(expr: &'e Expr, bound: &[Bound<'e>]) -> Vec<(&'e Expr, &'e Expr)> {
    let ExprKind::Binary { op, left, right } = &expr.kind else { return Vec::new() };
    let value = |side| bare_value(given(side, bound));
    match op {
        BinaryOp::In => vec![(value(left), given(right, bound))],
        BinaryOp::Equal | BinaryOp::NotEqual => {
            let texts = |side: &'e Expr| if is_text(side) { Some(side) } else { elements(side, bound) };
            let one = texts(right).map(|texts| (value(left), texts));
            one.into_iter().chain(texts(left).map(|texts| (value(right), texts))).collect()
        }
        _ => Vec::new(),
    }
}

fn is_text(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Text(_))
}

/// The sides of a comparison that says whether a value is one of certain texts, the value first.
pub(super) fn compared(expr: &Expr) -> Option<(&Expr, &Expr)> {
    let ExprKind::Binary { op, left, right } = &expr.kind else { return None };
    match op {
        BinaryOp::In => Some((bare_value(left), right)),
        BinaryOp::Equal | BinaryOp::NotEqual if is_text(right) => Some((bare_value(left), right)),
        BinaryOp::Equal | BinaryOp::NotEqual if is_text(left) => Some((bare_value(right), left)),
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
