//! A check that never takes effect, because one before it decides whatever it is about.

use super::reasoning::advice;
use super::{Lint, Subject};
use crate::diagnostic::{Code, Diagnostic};
use crate::document::Pointer;
use crate::model::Hook;
use crate::reason::{Formula, Reader, Rules, decides};

pub(super) const LINT: Lint = Lint { code: Code::PreemptedCheck, check };

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let Some(whole) = subject.whole() else { return Vec::new() };
    let mut findings = Vec::new();
    for (place, pointer, hook) in subject.running_hooks() {
        let reader = Reader::new(whole);
        let Some(rules) = Rules::of(&reader, place, hook) else { continue };
        for number in 0..rules.conditions.len() {
            findings.extend(finding(subject, &rules, (place, hook), &pointer, number));
        }
    }
    findings
}

fn finding(
    subject: &Subject<'_>,
    rules: &Rules<'_, '_>,
    (place, hook): (usize, &Hook),
    pointer: &Pointer,
    number: usize,
) -> Option<Diagnostic> {
    let (reader, checks) = (rules.reader, &rules.steps.checks);
    let (own, check) = (rules.conditions.get(number)?, checks.get(number)?);
    // What never holds by itself is a finding about its condition.
    if reader.never(own) || reader.never(&rules.gate) || !reader.never(&rules.fires(number)) {
        return None;
    }
    let id = |number: usize| pointer.key("checks").index(number).key("id");
    let here = subject.document.at(&id(number));
    let message = format!("check `{}` never takes effect", check.id);
    let wanted = Formula::all([rules.gate.clone(), own.clone()]);
    if reader.never(&wanted) {
        return Some(
            Diagnostic::warning(Code::PreemptedCheck, message)
                .primary(here, "its condition never holds where the hook applies")
                .secondary(subject.document.at(&pointer.key("when")), "the hook applies only here")
                .help("remove the check, or let the hook apply to more"),
        );
    }
    let covers = |earlier: &usize| {
        let condition = rules.conditions.get(*earlier).cloned().unwrap_or(Formula::Known(false));
        checks.get(*earlier).is_some_and(decides) && reader.never(&Formula::all([wanted.clone(), condition.negated()]))
    };
    let one = (0..number).find(covers);
    let example = subject.example(reader, hook, &wanted, &|theatre, example| match one {
        Some(one) => {
            let id = |number: usize| checks.get(number).map(|check| check.id.as_str()).unwrap_or_default();
            theatre.play(hook.event, &[place], example).is_some_and(|scene| scene.fired(place, id(one)))
                && theatre
                    .play_without(hook.event, place, one, example)
                    .is_some_and(|scene| scene.fired(place, id(number)))
        }
        None => theatre.play(hook.event, &[place], example).is_some_and(|scene| {
            checks.iter().take(number).any(|check| decides(check) && scene.fired(place, &check.id))
        }),
    });
    let finding = Diagnostic::warning(Code::PreemptedCheck, message);
    Some(
        match one {
            Some(one) => finding
                .primary(here, "whatever it is about is decided before")
                .secondary(subject.document.at(&id(one)), "decides all of it"),
            None => finding.primary(here, "the checks before it decide all that it is about"),
        }
        .help(advice("put the narrower check first, or remove it", example.as_ref())),
    )
}
