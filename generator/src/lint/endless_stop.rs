//! A hook that refuses to stop and never asks whether it has done so already: the agent may never come to an end.

use super::{Lint, Subject};
use crate::diagnostic::{Code, Diagnostic};
use crate::document::Pointer;
use crate::model::{Check, Decision, Effect, Expr, ExprKind, Hook, Kind};

pub(super) const LINT: Lint = Lint { code: Code::EndlessStop, check };

/// The field that says that a stop was refused before.
const ACTIVE: &str = "stop_hook_active";

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let stops = |hook: &Hook| matches!(hook.event.name, "Stop" | "SubagentStop") && hook.kind == Kind::Command;
    let mut findings = Vec::new();
    for (place, hook) in subject.written_hooks().filter(|(_, hook)| stops(hook)) {
        let gate = hook.when.iter().any(|when| ends(subject, hook, &when.expr));
        for (number, check) in hook.checks.iter().enumerate().filter(|(_, check)| blocks(check)) {
            let earlier = hook.checks.iter().take(number).any(|earlier| lets_pass(subject, hook, earlier));
            if gate || earlier || check.when.iter().any(|when| ends(subject, hook, &when.expr)) {
                continue;
            }
            let at: Pointer = place.key("checks").index(number);
            let message = format!("check `{}` may refuse the same stop for ever", check.id);
            findings.push(
                Diagnostic::warning(Code::EndlessStop, message)
                    .primary(subject.document.at(&at.key("id")), format!("never looks at `{ACTIVE}`"))
                    .help(format!("add `!{ACTIVE}` to its condition, or count with `spend`, `remember` or `note` how often it refused")),
            );
        }
    }
    findings
}

fn blocks(check: &Check) -> bool {
    check.effects.iter().any(|effect| matches!(effect, Effect::Decide(Decision::Deny, _)))
}

/// Whether an earlier check ends the hook by what it knows of earlier refusals.
fn lets_pass(subject: &Subject<'_>, hook: &Hook, check: &Check) -> bool {
    let passes =
        check.effects.iter().any(|effect| matches!(effect, Effect::Decide(Decision::Pass | Decision::Allow, _)));
    passes && check.when.iter().any(|when| ends(subject, hook, &when.expr))
}

/// Whether a condition knows of what happened before: by the event, by a counter, by the session's memory.
fn ends(subject: &Subject<'_>, hook: &Hook, expr: &Expr) -> bool {
    let hook = subject.catalog.hooks.iter().find(|other| other.id == hook.id);
    let knows = |expr: &&Expr| match &expr.kind {
        ExprKind::Field { name, .. } | ExprKind::Has { name, .. } => name == ACTIVE,
        ExprKind::Spent { .. } => true,
        ExprKind::Call { function, .. } => matches!(function.name, "noted" | "remembered" | "history"),
        _ => false,
    };
    let Some(hook) = hook else { return false };
    let mut next = vec![expr];
    let mut seen = std::collections::BTreeSet::new();
    while let Some(expr) = next.pop() {
        if knows(&expr) {
            return true;
        }
        if let ExprKind::Binding(name) | ExprKind::Fact(name) = &expr.kind
            && seen.insert(name)
        {
            let facts = hook.bindings.iter().chain(&subject.catalog.facts).filter(|fact| fact.name == *name);
            next.extend(facts.map(|fact| &fact.expr));
        }
        next.extend(expr.children());
    }
    false
}
