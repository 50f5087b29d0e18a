//! A program or a pause that may take longer than the client waits for the hook.

use super::sites::parts;
use super::{Lint, Subject};
use crate::diagnostic::{Code, Diagnostic};
use crate::model::{Expr, ExprKind};

pub(super) const LINT: Lint = Lint { code: Code::OverlongWait, check };

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for site in subject.sites() {
        let Some(hook) = site.hook else { continue };
        for part in parts(site.expr) {
            let Some((limit, milliseconds)) = wait(part) else { continue };
            if milliseconds > i64::from(hook.timeout_ms) {
                let message =
                    format!("this may take {milliseconds} ms, and hook `{}` has {} ms", hook.id, hook.timeout_ms);
                findings.push(
                    Diagnostic::warning(Code::OverlongWait, message)
                        .primary(subject.place(&site, limit), "longer than the hook lives")
                        .help("give it less time than `timeout`, so that the hook can still say what came of it"),
                );
            }
        }
    }
    findings
}

/// How long a call may take, if it says so itself, and where.
fn wait(expr: &Expr) -> Option<(&Expr, i64)> {
    let ExprKind::Call { function, args } = &expr.kind else { return None };
    let unit = |name: &str| match name {
        "seconds" => Some(1000),
        "milliseconds" if function.name == "pause" => Some(1),
        _ => None,
    };
    let offset = usize::from(function.receiver.is_some());
    let (place, unit) = function.params.iter().enumerate().find_map(|(place, (name, _))| Some((place, unit(name)?)))?;
    let limit = args.get(place + offset)?;
    match limit.kind {
        ExprKind::Int(time) => Some((limit, time.saturating_mul(unit))),
        _ => None,
    }
}
