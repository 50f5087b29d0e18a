//! An `if` for a tool that the hook's matcher never lets through.

use super::{Lint, Subject};
use crate::diagnostic::{Code, Diagnostic};
use crate::lint::outside_matcher::takes;
use crate::protocol;

pub(super) const LINT: Lint = Lint { code: Code::IdleCondition, check };

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for (place, hook) in subject.written_hooks() {
        let (Some(rule), Some(matcher)) = (&hook.condition, &hook.matcher) else { continue };
        let tool = rule.split('(').next().unwrap_or_default();
        if protocol::is_tool(tool) && !takes(hook, tool) {
            let at = place.key("if");
            findings.push(
                Diagnostic::warning(Code::IdleCondition, format!("no call of `{tool}` comes past the matcher"))
                    .primary(subject.document.inside(&at, 0..tool.len()), "never holds")
                    .secondary(
                        subject.document.at(&place.key("matcher")),
                        format!("lets `{}` through", matcher.written()),
                    )
                    .help(format!("name `{tool}` in the matcher, or another tool here")),
            );
        }
    }
    findings
}
