//! A row of the failure-mode table that no case shows to be true.

use super::{Lint, Subject};
use crate::diagnostic::{Code, Diagnostic};
use crate::model::Kind;

pub(super) const LINT: Lint = Lint { code: Code::UnprovedFailureMode, check };

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for (place, hook) in subject.hooks().filter(|(_, hook)| hook.kind == Kind::Command) {
        for (number, mode) in hook.failure_modes.iter().enumerate().filter(|(_, mode)| mode.case.is_none()) {
            let at = place.key("failure_modes").index(number).key("when");
            findings.push(
                Diagnostic::warning(Code::UnprovedFailureMode, format!("nothing shows what happens: {}", mode.when))
                    .primary(subject.document.at(&at), "no case is named")
                    .help("add `case: <name of a case of this hook>`"),
            );
        }
    }
    findings
}
