//! A flag or a choice that is asked for and changes nothing.

use super::reasoning::advice;
use super::{Lint, Subject};
use crate::diagnostic::{Code, Diagnostic};
use crate::document::Pointer;
use crate::reason::{Example, Formula, Needs, Reader, Rules, Setting};

pub(super) const LINT: Lint = Lint { code: Code::IdleSwitch, check };

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let catalog = subject.catalog;
    let mut findings = Vec::new();
    for (place, flag) in catalog.flags.iter().enumerate() {
        let needed = catalog.flags.iter().any(|other| other.requires.contains(&flag.name))
            || catalog.hooks.iter().any(|hook| hook.flag.as_ref() == Some(&flag.name));
        if let Some(example) = idle(subject, Setting::Flag(place)).filter(|_| !needed) {
            let at = Pointer::root().key("flags").key(&flag.name);
            findings.push(
                Diagnostic::warning(Code::IdleSwitch, format!("flag `{}` changes nothing", flag.name))
                    .primary(subject.document.key(&at), "every hook does the same with it and without")
                    .help(advice("remove it, or let a condition depend on it", example.as_ref())),
            );
        }
    }
    for (place, choice) in catalog.choices.iter().enumerate() {
        if let Some(example) = idle(subject, Setting::Choice(place)) {
            let at = Pointer::root().key("choices").key(&choice.name);
            findings.push(
                Diagnostic::warning(Code::IdleSwitch, format!("choice `{}` changes nothing", choice.name))
                    .primary(subject.document.key(&at), "every hook does the same whatever is chosen")
                    .help(advice("remove it, or let a condition depend on it", example.as_ref())),
            );
        } else {
            findings.extend(unheeded(subject, place));
        }
    }
    findings
}

/// The words of a choice that come to the same as a word before them.
fn unheeded(subject: &Subject<'_>, place: usize) -> Vec<Diagnostic> {
    let Some(choice) = subject.catalog.choices.get(place) else { return Vec::new() };
    let values = Pointer::root().key("choices").key(&choice.name).key("values");
    let mut findings = Vec::new();
    for (number, word) in choice.values.iter().enumerate() {
        let mut before = choice.values.iter().take(number).enumerate();
        let setting = Setting::Choice(place);
        let alike = |other: &str| unmoved(subject, setting, false, &|rules| rules.are_alike(place, [other, word]));
        let Some((same, other, example)) = before.find_map(|(same, other)| Some((same, other, alike(other)?))) else {
            continue;
        };
        let message = format!("choice `{}` does the same with `{word}` as with `{other}`", choice.name);
        findings.push(
            Diagnostic::warning(Code::IdleSwitch, message)
                .primary(subject.document.at(&values.index(number)), "no hook tells it from another word")
                .secondary(subject.document.at(&values.index(same)), "this one")
                .help(advice("remove one of them, or let a condition depend on which it is", example.as_ref())),
        );
    }
    findings
}

/// Whether some hook asks for a setting and no hook does anything else because of it; with an event of such a hook.
pub(super) fn idle(subject: &Subject<'_>, setting: Setting) -> Option<Option<Example>> {
    unmoved(subject, setting, true, &|rules| rules.is_idle(setting))
}

/// Whether some hook asks for a setting in its conditions, and all that do are unmoved by it; with an event of such a hook,
/// on which it acts as things are, if that is wanted.
fn unmoved(
    subject: &Subject<'_>,
    setting: Setting,
    acts: bool,
    is_unmoved: &dyn Fn(&Rules<'_, '_>) -> bool,
) -> Option<Option<Example>> {
    let whole = subject.whole()?;
    let mut asked = None;
    // Hooks that `guard: self` wrote count as well.
    let hooks = crate::lower::command_hooks(subject.catalog).enumerate();
    for (place, hook) in hooks {
        let reader = Reader::new(whole);
        match Needs::of(&reader, place, setting) {
            Needs::Nowhere => continue,
            Needs::Effects => return None,
            Needs::Conditions => {}
        }
        let rules = Rules::of(&reader, place, hook)?;
        if !is_unmoved(&rules) {
            return None;
        }
        asked = asked.or_else(|| {
            let any = Formula::any((0..rules.conditions.len()).map(|number| rules.fires(number)));
            Some(subject.example(&reader, hook, &any, &|theatre, example| {
                let scene = theatre.play(hook.event, &[place], example);
                scene.is_some_and(|scene| !acts || scene.checks.iter().any(|((at, _), fired)| *at == place && *fired))
            }))
        });
    }
    asked
}
