//! The event's subject, such as `tool_name`, is compared with what the hook's matcher never lets through.

use hookgen_runtime::tool;

use super::sites::{compared, parts};
use super::{Lint, Subject};
use crate::diagnostic::{Code, Diagnostic};
use crate::model::{Expr, ExprKind, Hook, Matcher};
use crate::protocol;

pub(super) const LINT: Lint = Lint { code: Code::OutsideMatcher, check };

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for site in subject.sites() {
        let Some(hook) = site.hook else { continue };
        let (Some(field), Some(matcher)) = (hook.event.subject, &hook.matcher) else { continue };
        for (_, texts) in parts(site.expr).into_iter().filter_map(compared).filter(|(value, _)| is_field(value, field))
        {
            // A list or table may be shared by several hooks; one of its words must get through, not all.
            let words = subject.constants(texts);
            // What the client never says at all is told as that.
            let unsaid = |word: &str| protocol::subjects(hook.event.name).is_some_and(|said| !said.contains(&word));
            if words.iter().any(|(word, _)| unsaid(word))
                || words.is_empty()
                || words.iter().any(|(word, _)| word.is_empty() || takes(hook, word))
            {
                continue;
            }
            let shown: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            let message = format!("`{field}` is never `{}` here", shown.join("`, `"));
            findings.push(
                Diagnostic::warning(Code::OutsideMatcher, message)
                    .primary(subject.place(&site, texts), format!("the matcher is `{}`", matcher.written()))
                    .help("name it in the matcher, or leave the comparison out"),
            );
        }
    }
    findings
}

/// Whether a value is that field of the event.
pub(super) fn is_field(expr: &Expr, field: &str) -> bool {
    matches!(&expr.kind, ExprKind::Field { of, name } if name == field && matches!(of.kind, ExprKind::Payload))
}

/// Whether the hook's matcher lets that subject through, under whichever of its names.
pub(crate) fn takes(hook: &Hook, subject: &str) -> bool {
    let Some(matcher) = &hook.matcher else { return true };
    if hook.event.subject != Some("tool_name") {
        return matcher.fits(subject);
    }
    // What a call carries is not known here: a tool that some of its calls are caught as counts as that one.
    let names = tool::names(subject, hook.event, |_| true);
    match matcher {
        Matcher::Names { names: written, .. } => {
            names.iter().any(|name| written.iter().any(|written| tool::is(name, written)))
        }
        Matcher::Pattern { .. } => names.iter().any(|name| matcher.fits(name)),
    }
}
