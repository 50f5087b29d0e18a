//! A whole number divided by zero has no value: whoever asks for it fails.

use super::sites::parts;
use super::{Lint, Subject};
use crate::diagnostic::{Code, Diagnostic};
use crate::model::{BinaryOp, ExprKind};

pub(super) const LINT: Lint = Lint { code: Code::DivisionByZero, check };

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for site in subject.sites() {
        for part in parts(site.expr) {
            let ExprKind::Binary { op: BinaryOp::Divide | BinaryOp::Remainder, right, .. } = &part.kind else {
                continue;
            };
            if matches!(right.kind, ExprKind::Int(0)) {
                findings.push(
                    Diagnostic::warning(Code::DivisionByZero, "a division by zero has no value")
                        .primary(subject.place(&site, right), "always fails")
                        .help("divide by something else; where a divisor may be zero, ask first: `n == 0 ? 0 : x / n`"),
                );
            }
        }
    }
    findings
}
