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
        }
    }
    findings
}

/// Whether some hook asks for a setting and no hook does anything else because of it; with an event of such a hook.
pub(super) fn idle(subject: &Subject<'_>, setting: Setting) -> Option<Option<Example>> {
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
        if !rules.is_idle(setting) {
            return None;
        }
        asked = asked.or_else(|| {
            let any = Formula::any((0..rules.conditions.len()).map(|number| rules.fires(number)));
            Some(subject.example(&reader, hook, &any, &|theatre, example| {
                let scene = theatre.play(hook.event, &[place], example);
                scene.is_some_and(|scene| scene.checks.iter().any(|((at, _), fired)| *at == place && *fired))
            }))
        });
    }
    asked
}
