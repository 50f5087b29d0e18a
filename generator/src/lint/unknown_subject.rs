//! A matcher on an event without a tool that names nothing which the client ever says there: the hook would never fire.

use hookgen_runtime::pattern::Pattern;

use super::{Lint, Subject};
use crate::diagnostic::{Code, Diagnostic, did_you_mean};
use crate::model::Matcher;
use crate::protocol;

pub(super) const LINT: Lint = Lint { code: Code::UnknownSubject, check };

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for (place, hook) in subject.hooks() {
        let Some(words) = protocol::subjects(hook.event.name) else { continue };
        let at = place.key("matcher");
        let mut report = |name: &str, start: usize| {
            let help = did_you_mean(name, words.iter().copied()).map_or_else(
                || format!("the client says: {}", words.join(", ")),
                |near| format!("did you mean `{near}`?"),
            );
            findings.push(
                Diagnostic::warning(Code::UnknownSubject, format!("{} is never about `{name}`", hook.event.name))
                    .primary(subject.document.inside(&at, start..start + name.len()), "never fires")
                    .help(help),
            );
        };
        match &hook.matcher {
            Some(Matcher::Names { written, names }) => {
                for name in names.iter().filter(|name| !words.contains(&name.as_str())) {
                    report(name, written.find(name.as_str()).unwrap_or_default());
                }
            }
            Some(Matcher::Pattern { written }) => {
                let pattern = Pattern::from(written.clone());
                if !words.iter().any(|word| pattern.matches(word)) {
                    report(written, 0);
                }
            }
            None => {}
        }
    }
    findings
}
