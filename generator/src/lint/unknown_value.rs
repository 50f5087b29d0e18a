//! A field of the event that is always one of a few words is compared with another one.

use super::outside_matcher::is_field;
use super::sites::{Site, compared, parts};
use super::{Lint, Subject};
use crate::diagnostic::{Code, Diagnostic, did_you_mean};
use crate::protocol;

pub(super) const LINT: Lint = Lint { code: Code::UnknownValue, check };

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for site in subject.sites() {
        for (value, texts) in parts(site.expr).into_iter().filter_map(compared) {
            let Some((field, words)) = fields(&site).into_iter().find(|(field, _)| is_field(value, field)) else {
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
                findings.push(
                    Diagnostic::warning(Code::UnknownValue, format!("`{field}` is never `{word}`"))
                        .primary(subject.place(&site, place), "never said")
                        .help(help),
                );
            }
        }
    }
    findings
}

/// The fields with few words that an expression sees. Of a fact, only what every event has is known.
fn fields(site: &Site<'_>) -> Vec<(&'static str, &'static [&'static str])> {
    let subject = site.hook.and_then(|hook| Some((hook.event.subject?, protocol::subjects(hook.event.name)?)));
    subject.into_iter().chain([("permission_mode", protocol::PERMISSION_MODES)]).collect()
}
