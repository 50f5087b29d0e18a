//! A program or a pause that may take longer than the client waits for the hook.

use super::sites::{Bound, Site, given, with_bound};
use super::{Lint, Subject};
use crate::diagnostic::{Code, Diagnostic};
use crate::model::{Expr, ExprKind};

pub(super) const LINT: Lint = Lint { code: Code::OverlongWait, check };

/// The functions that wait, at most as long as they are told to.
const WAITING: [&str; 7] = ["run", "runWith", "query", "queryWith", "runLatest", "runWhole", "pause"];

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for site in subject.sites() {
        let Some(hook) = subject.readers(&site).into_iter().min_by_key(|hook| hook.timeout_ms) else { continue };
        with_bound(site.expr, &mut Vec::new(), &mut |part, bound| {
            let Some((limit, milliseconds)) = wait(subject, &site, part, bound) else { return };
            let Some(place) = subject.place(&site, limit).filter(|_| milliseconds > i64::from(hook.timeout_ms)) else {
                return;
            };
            let message = format!("this may take {milliseconds} ms, and hook `{}` has {} ms", hook.id, hook.timeout_ms);
            findings.push(
                Diagnostic::warning(Code::OverlongWait, message)
                    .primary(place, "longer than the hook lives")
                    .help("give it less time than `timeout`, so that the hook can still say what came of it"),
            );
        });
    }
    findings
}

/// How long a call may take, as far as the catalog tells, and where it says so.
fn wait<'e>(subject: &Subject<'_>, site: &Site<'_>, expr: &'e Expr, bound: &[Bound<'e>]) -> Option<(&'e Expr, i64)> {
    let ExprKind::Call { function, args } = &expr.kind else { return None };
    if !WAITING.contains(&function.name) {
        return None;
    }
    let times = function.params.iter().zip(args).filter_map(|((name, _), arg)| match *name {
        "seconds" => Some((arg, 1000)),
        "milliseconds" => Some((arg, 1)),
        _ => None,
    });
    let mut whole: Option<(&Expr, i64)> = None;
    for (arg, unit) in times {
        let (_, most) = subject.numbers(site, arg, bound)?;
        let before = whole.map_or(0, |(_, time)| time);
        whole = Some((given(arg, bound), before.saturating_add(most.saturating_mul(unit))));
    }
    whole
}
