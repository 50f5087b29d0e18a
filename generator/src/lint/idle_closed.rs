//! `fail_safe: closed` where nothing can be refused: the failure lets pass all the same.

use hookgen_runtime::{Refusal, Running};

use super::{Lint, Subject};
use crate::diagnostic::{Code, Diagnostic};
use crate::model::{FailSafe, Hook, Kind};

pub(super) const LINT: Lint = Lint { code: Code::IdleClosed, check };

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let closed = |hook: &Hook| hook.kind == Kind::Command && hook.fail_safe == FailSafe::Closed;
    let mut findings = Vec::new();
    for (place, hook) in subject.written_hooks().filter(|(_, hook)| closed(hook)) {
        let why = if hook.event.refusal == Refusal::Never {
            format!("{} cannot be refused", hook.event.name)
        } else if hook.running() == Running::Background {
            "a hook in the background refuses nothing".to_owned()
        } else {
            continue;
        };
        findings.push(
            Diagnostic::warning(Code::IdleClosed, format!("hook `{}` cannot fail closed", hook.id))
                .primary(subject.document.at(&place.key("fail_safe")), why)
                .help("write `fail_safe: open`, which is what happens"),
        );
    }
    findings
}
