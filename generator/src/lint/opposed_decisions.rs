//! Two hooks on one event, of which one approves what the other refuses or asks about, or that both rewrite one field.

use std::collections::BTreeMap;

use hookgen_runtime::representation::Effect;
use hookgen_runtime::{Decision, program::Mode};

use super::{Lint, Subject};
use crate::diagnostic::{Code, Diagnostic};
use crate::document::Pointer;
use crate::model::Hook;
use crate::reason::{Answer, Example, Formula, Reader, Rules, Scene, base};

pub(super) const LINT: Lint = Lint { code: Code::OpposedDecisions, check };

/// A check of a hook that does something which another hook may oppose.
struct Side<'s> {
    hook: &'s Hook,
    place: usize,
    pointer: Pointer,
    number: usize,
    id: String,
    does: Does,
}

#[derive(Clone, PartialEq, Eq)]
enum Does {
    Approves,
    Stops(&'static str),
    Rewrites(String),
}

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let sides = sides(subject);
    let mut pairs: BTreeMap<(usize, usize, String), Vec<[&Side<'_>; 2]>> = BTreeMap::new();
    for (at, one) in sides.iter().enumerate() {
        for other in sides.get(at + 1..).unwrap_or_default().iter().filter(|other| are_opposed(one, other)) {
            pairs.entry((one.place, other.place, message(one, other))).or_default().push([one, other]);
        }
    }
    pairs.values().filter_map(|sides| finding(subject, sides)).collect()
}

/// Whether what one hook does opposes what another one does on the same event.
fn are_opposed(one: &Side<'_>, other: &Side<'_>) -> bool {
    let opposed = match (&one.does, &other.does) {
        (Does::Approves, Does::Stops(_)) | (Does::Stops(_), Does::Approves) => true,
        (Does::Rewrites(one), Does::Rewrites(other)) => one == other,
        _ => false,
    };
    opposed && one.place != other.place && one.hook.event.name == other.hook.event.name
}

fn message(one: &Side<'_>, other: &Side<'_>) -> String {
    match &one.does {
        Does::Rewrites(field) => format!("{} and {} both rewrite `{field}` of one event", one.hook.id, other.hook.id),
        _ => format!("{} and {} decide one event in opposite ways", one.hook.id, other.hook.id),
    }
}

fn sides<'s>(subject: &Subject<'s>) -> Vec<Side<'s>> {
    let Some(whole) = subject.whole() else { return Vec::new() };
    let mut sides = Vec::new();
    for (place, pointer, hook) in subject.running_hooks() {
        // What only watches opposes nobody.
        let enforces = whole.catalog.hooks.get(place).is_some_and(|hook| hook.mode == Mode::Enforce);
        let checks = whole.hooks.get(place).map(|hook| hook.checks.as_slice()).unwrap_or_default();
        for (number, check) in checks.iter().enumerate().filter(|_| enforces) {
            for does in check.effects.iter().flat_map(does) {
                sides.push(Side { hook, place, pointer: pointer.clone(), number, id: check.id.clone(), does });
            }
        }
    }
    sides
}

fn does(effect: &Effect) -> Vec<Does> {
    match effect {
        Effect::Decide(Decision::Allow, _) => vec![Does::Approves],
        Effect::Decide(Decision::Deny, _) => vec![Does::Stops("refuses")],
        Effect::Decide(Decision::Ask, _) => vec![Does::Stops("asks about")],
        Effect::Rewrite(fields) => fields.iter().map(|(field, _)| Does::Rewrites(field.clone())).collect(),
        _ => Vec::new(),
    }
}

/// A finding about two hooks, only if an event was seen on which checks of both take effect. Each event is played once.
fn finding(subject: &Subject<'_>, sides: &[[&Side<'_>; 2]]) -> Option<Diagnostic> {
    let theatre = subject.theatre()?;
    let [first, second] = sides.first()?;
    let (example, [one, other]) = candidates(subject, sides).into_iter().find_map(|example| {
        let scene = theatre.play(first.hook.event, &[first.place, second.place], &example)?;
        let seen = sides.iter().find(|sides| sides.iter().all(|side| done(&scene, side)));
        seen.map(|sides| (example, *sides))
    })?;
    let words = |side: &Side<'_>| match &side.does {
        Does::Approves => "approves it".to_owned(),
        Does::Stops(word) => format!("{word} it"),
        Does::Rewrites(field) => format!("rewrites `{field}`"),
    };
    let at = |side: &Side<'_>| subject.document.at(&side.pointer.key("checks").index(side.number).key("id"));
    Some(
        Diagnostic::warning(Code::OpposedDecisions, message(one, other))
            .primary(at(other), words(other))
            .secondary(at(one), words(one))
            .help(format!("let only one of them speak of it; an event that shows it: {}", example.shown())),
    )
}

fn done(scene: &Scene, side: &Side<'_>) -> bool {
    let decided = match &side.does {
        Does::Approves => scene.word(side.place) == Some("APPROVE"),
        Does::Stops(_) => scene.word(side.place).is_some_and(|word| matches!(word, "DENY" | "BLOCK" | "ASK")),
        Does::Rewrites(_) => scene.word(side.place).is_some_and(|word| !matches!(word, "DENY" | "BLOCK")),
    };
    decided && scene.fired(side.place, &side.id)
}

/// Events that both hooks may be about: made for checks of both, and those of their cases.
fn candidates(subject: &Subject<'_>, sides: &[[&Side<'_>; 2]]) -> Vec<Example> {
    let Some(whole) = subject.whole() else { return Vec::new() };
    let reader = Reader::new(whole);
    let fires = |side: &Side<'_>| Rules::of(&reader, side.place, side.hook).map(|rules| rules.fires(side.number));
    let mut found = Vec::new();
    let mut possible = false;
    for [one, other] in sides {
        let (Some(first), Some(second)) = (fires(one), fires(other)) else { continue };
        match reader.ask(&Formula::all([first, second])) {
            Answer::Never => {}
            Answer::Unknown => possible = true,
            Answer::Holds(atoms) => {
                possible = true;
                found.extend([one, other].map(|side| Example::made(&reader, &atoms, base(side.hook))));
            }
        }
    }
    if let (true, Some(sides)) = (possible, sides.first()) {
        found.extend(sides.iter().flat_map(|side| Example::of_cases(side.hook)));
    }
    found
}
