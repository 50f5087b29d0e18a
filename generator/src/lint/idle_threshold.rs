//! A threshold that is asked for, and of which no value that it may have makes a difference.

use super::idle_switch::idle;
use super::reasoning::advice;
use super::{Lint, Subject};
use crate::diagnostic::{Code, Diagnostic};
use crate::document::Pointer;
use crate::reason::Setting;

pub(super) const LINT: Lint = Lint { code: Code::IdleThreshold, check };

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for (place, threshold) in subject.catalog.thresholds.iter().enumerate() {
        if subject.catalog.breaker.as_ref() == Some(&threshold.name) {
            continue;
        }
        let Some(example) = idle(subject, Setting::Threshold(place)) else { continue };
        let at = Pointer::root().key("thresholds").key(&threshold.name);
        let range = match &threshold.range {
            Some([least, most]) => format!("nothing depends on where it is between {least} and {most}"),
            None => "nothing depends on its value".to_owned(),
        };
        findings.push(
            Diagnostic::warning(Code::IdleThreshold, format!("threshold `{}` changes nothing", threshold.name))
                .primary(subject.document.key(&at), range)
                .help(advice("compare it with something that can be on either side of it", example.as_ref())),
        );
    }
    findings
}
