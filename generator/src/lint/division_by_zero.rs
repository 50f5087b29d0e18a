//! A whole number divided by zero has no value: whoever asks for it fails.

use super::sites::{given, with_bound};
use super::{Lint, Subject};
use crate::diagnostic::{Code, Diagnostic};
use crate::model::{BinaryOp, ExprKind};

pub(super) const LINT: Lint = Lint { code: Code::DivisionByZero, check };

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for site in subject.sites() {
        with_bound(site.expr, &mut Vec::new(), &mut |part, bound| {
            let ExprKind::Binary { op: BinaryOp::Divide | BinaryOp::Remainder, right, .. } = &part.kind else {
                return;
            };
            let zero = subject.numbers(&site, right, bound) == Some((0, 0));
            findings.extend(subject.place(&site, given(right, bound)).filter(|_| zero).map(|place| {
                Diagnostic::warning(Code::DivisionByZero, "a division by zero has no value")
                    .primary(place, "always fails")
                    .help("divide by something else; where a divisor may be zero, ask first: `n == 0 ? 0 : x / n`")
            }));
        });
    }
    findings
}
