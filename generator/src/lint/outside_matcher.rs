//! The event's subject, such as `tool_name`, is compared with what the hook's matcher never lets through.

use hookgen_runtime::tool;

use super::sites::{Site, comparisons};
use super::{Lint, Subject};
use crate::diagnostic::{Code, Diagnostic};
use crate::model::{Expr, ExprKind, Hook, Matcher};
use crate::protocol;
use crate::source::Location;

pub(super) const LINT: Lint = Lint { code: Code::OutsideMatcher, check };

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for site in subject.sites() {
        let readers = subject.readers(&site);
        let Some((hook, others)) = readers.split_first() else { continue };
        let (Some(field), Some(matcher)) = (hook.event.subject, &hook.matcher) else { continue };
        for (_, texts) in comparisons(site.expr).into_iter().filter(|(value, _)| is_field(value, field)) {
            // A list or table may be shared by several hooks; one of its words must get through, not all.
            let words = subject.constants(texts);
            // What the client never says at all is told as that.
            let unsaid = |word: &str| protocol::subjects(hook.event.name).is_some_and(|said| !said.contains(&word));
            if words.iter().any(|(word, _)| unsaid(word))
                || words.is_empty()
                || words.iter().any(|(word, _)| word.is_empty() || takes(hook, word))
                || others.iter().any(|other| words.iter().any(|(word, _)| takes(other, word)))
            {
                continue;
            }
            let shown: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            let message = format!("`{field}` is never `{}` here", shown.join("`, `"));
            findings.extend(place(subject, &site, texts).map(|place| {
                Diagnostic::warning(Code::OutsideMatcher, message)
                    .primary(place, format!("the matcher is `{}`", matcher.written()))
                    .help("name it in the matcher, or leave the comparison out")
            }));
        }
    }
    findings
}

/// Where texts are written; those that a definition is given stand alone in a list that nobody wrote.
fn place(subject: &Subject<'_>, site: &Site<'_>, texts: &Expr) -> Option<Location> {
    match &texts.kind {
        ExprKind::List(items) if items.len() == 1 => subject.place(site, items.first()?),
        _ => subject.place(site, texts),
    }
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
