//! A guard that fails open and asks for the commands of a line, but never whether the line could be followed.

use hookgen_runtime::Refusal;

use super::{Lint, Subject};
use crate::diagnostic::{Code, Diagnostic};
use crate::document::Pointer;
use crate::model::{Decision, Effect, FailSafe, Hook, Kind};
use crate::resolve::uses;

/// Functions that fail for a line that is too much to follow.
const READING: &[&str] = &["commands", "commandsWith", "possibleCommands"];

pub(super) const LINT: Lint = Lint { code: Code::UnheededExcess, check };

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let guards = subject.hooks().filter(|(_, hook)| is_open_guard(hook));
    let unheeding = guards.filter(|(_, hook)| {
        let functions = uses::of_hook(subject.catalog, hook).functions;
        READING.iter().any(|name| functions.contains(*name)) && !functions.contains("shellProblem")
    });
    let finding = |(place, hook): (Pointer, &Hook)| {
        let message = format!("hook `{}` lets pass a line that is too much to follow", hook.id);
        Diagnostic::warning(Code::UnheededExcess, message)
            .primary(subject.document.key(&place.key("fail_safe")), "`commands()` fails for such a line")
            .help("deny it first: `when: tool_input.command.shellProblem().kind == 'excess'`; or let the hook fail closed")
    };
    unheeding.map(finding).collect()
}

/// Whether a failure of the hook lets through what it might have refused.
fn is_open_guard(hook: &Hook) -> bool {
    let guards = |effect: &Effect| matches!(effect, Effect::Decide(Decision::Deny | Decision::Ask, _));
    hook.kind == Kind::Command
        && hook.fail_safe == FailSafe::Open
        && hook.event.refusal != Refusal::Never
        && hook.checks.iter().flat_map(|check| &check.effects).any(guards)
}
