//! A field of the event that is always one of a few words is compared with another one.

use super::outside_matcher::is_field;
use super::sites::comparisons;
use super::{Lint, Subject};
use crate::diagnostic::{Code, Diagnostic, did_you_mean};
use crate::model::Hook;
use crate::protocol;

pub(super) const LINT: Lint = Lint { code: Code::UnknownValue, check };

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for site in subject.sites() {
        let readers = subject.readers(&site);
        let fields = fields(&readers);
        for (value, texts) in comparisons(site.expr) {
            // What a matcher lets through is another question.
            if is_field(value, "tool_name") && readers.iter().all(|hook| hook.matcher.is_none()) {
                for (word, place) in subject.constants(texts) {
                    let near = protocol::tool_names().find(|tool| *tool != word && tool.eq_ignore_ascii_case(word));
                    findings.extend(near.zip(subject.place(&site, place)).map(|(near, place)| {
                        Diagnostic::warning(Code::UnknownValue, format!("`tool_name` is never `{word}`"))
                            .primary(place, "never said")
                            .help(format!("did you mean `{near}`?"))
                    }));
                }
            }
            let Some((field, words)) = fields.iter().find(|(field, _)| is_field(value, field)) else {
                continue;
            };
            for (word, place) in subject.constants(texts) {
                if word.is_empty() || words.contains(&word) {
                    continue;
                }
                let help = did_you_mean(word, words.iter().copied()).map_or_else(
                    || format!("it is one of: {}", words.join(", ")),
                    |near| format!("did you mean `{near}`?"),
                );
                findings.extend(subject.place(&site, place).map(|place| {
                    Diagnostic::warning(Code::UnknownValue, format!("`{field}` is never `{word}`"))
                        .primary(place, "never said")
                        .help(help)
                }));
            }
        }
    }
    findings
}

/// The fields with few words that an expression sees. Of a fact, what all hooks that lead to it have in common.
fn fields(readers: &[&Hook]) -> Vec<(&'static str, Vec<&'static str>)> {
    let subject = |hook: &&Hook| Some((hook.event.subject?, protocol::subjects(hook.event.name)?));
    let known: Option<Vec<_>> = readers.iter().map(subject).collect();
    let mut fields = vec![
        ("permission_mode", protocol::PERMISSION_MODES.to_vec()),
        ("hook_event_name", hookgen_runtime::EVENTS.iter().map(|event| event.name).collect()),
    ];
    if let Some([(field, first), others @ ..]) = known.as_deref()
        && others.iter().all(|(other, _)| other == field)
    {
        let all = others.iter().fold(first.to_vec(), |all, (_, words)| [all, words.to_vec()].concat());
        fields.push((field, all));
    }
    fields
}
