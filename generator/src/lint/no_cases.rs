//! A hook that nobody has seen decide, or seen let a look-alike pass.

use super::{Lint, Subject};
use crate::diagnostic::{Code, Diagnostic};
use crate::model::{Case, Decision, Effect, Expect, Hook, Kind};

pub(super) const LINT: Lint = Lint { code: Code::NoCases, check };

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for (place, hook) in subject.hooks().filter(|(_, hook)| hook.kind == Kind::Command) {
        if let Some((message, help)) = complaint(hook) {
            findings.push(
                Diagnostic::warning(Code::NoCases, format!("hook `{}` {message}", hook.id))
                    .primary(subject.document.at(&place.key("id")), "")
                    .help(help),
            );
        }
    }
    findings
}

fn complaint(hook: &Hook) -> Option<(&'static str, &'static str)> {
    if hook.cases.is_empty() {
        return Some(("has no case", "add `cases`: one in which it acts, and a look-alike that it lets pass"));
    }
    let effects = || hook.checks.iter().flat_map(|check| &check.effects);
    let refuses = effects().any(|effect| matches!(effect, Effect::Decide(Decision::Deny, _)));
    let some = |wanted: Decision| hook.cases.iter().flat_map(expectations).any(|expect| expects(expect, wanted));
    if refuses && !some(Decision::Deny) {
        return Some(("is never seen to refuse", "add a case that expects `decision: deny`"));
    }
    if refuses && !some(Decision::Pass) {
        return Some(("is never seen to let anything pass", "add a look-alike that expects `decision: pass`"));
    }
    None
}

fn expectations(case: &Case) -> impl Iterator<Item = &Expect> {
    case.expect.iter().chain(case.steps.iter().map(|step| &step.expect))
}

fn expects(expect: &Expect, wanted: Decision) -> bool {
    let word = if wanted == Decision::Deny { "deny" } else { "pass" };
    expect.decision == Some(wanted) || expect.tally.get(word).is_some_and(|count| *count > 0)
}
