//! What happens when things go wrong: in the world, and in the hook itself.

use serde::Serialize;

use super::markdown::{Table, code, hook_links, text};
use super::words;
use crate::cases::faults::{Effect, FAULTS, Fault};
use crate::model::{Catalog, FailSafe, Hook, Kind};
use crate::resolve::reach::Reach;

#[derive(Serialize)]
pub(super) struct FailuresView {
    fail_safe: Table,
    asking_others: String,
    notice: &'static str,
    breaker: String,
}

pub(super) fn view(catalog: &Catalog) -> FailuresView {
    let head = ["fail-safe", "when the hook breaks", "when the binary is missing or killed", "hooks"];
    FailuresView {
        fail_safe: Table::new(head, fail_safe(catalog)),
        asking_others: asking_others(catalog),
        notice: if catalog.fail_open_notice {
            "Whenever a hook fails open, the log says so, and the person is told once per session where the event lets \
             a hook speak to them."
        } else {
            "Whenever a hook fails open, the log says so; the person is not told."
        },
        breaker: breaker(catalog),
    }
}

/// What a broken hook means, and all hooks for which it means that.
fn fail_safe(catalog: &Catalog) -> Vec<[String; 4]> {
    let meaning = |hook: &Hook| {
        [hook.fail_safe.name().to_owned(), words::when_broken(hook), words::when_missing(hook).to_owned()]
    };
    let mut meanings: Vec<[String; 3]> = catalog.hooks.iter().map(meaning).collect();
    meanings.sort();
    meanings.dedup();
    let rows = meanings.into_iter().map(|same| {
        let those: Vec<&Hook> = catalog.hooks.iter().filter(|hook| meaning(hook) == same).collect();
        let all = those.len() == catalog.hooks.len() && those.len() > 1;
        let hooks = if all { format!("all {}", those.len()) } else { hook_links(those) };
        let [kind, broken, missing] = same;
        [kind, broken, missing, hooks]
    });
    rows.collect()
}

/// What every hook does under each fault, whatever the catalog. The same list is what `hookgen test --faults` runs.
pub(in crate::emit) fn faults() -> Table {
    let rows = FAULTS.iter().map(|fault| {
        let [open, closed] = [FailSafe::Open, FailSafe::Closed].map(|fail_safe| outcome(fault, fail_safe));
        [text(fault.what), open, closed]
    });
    Table::new(["fault", "fail-safe open", "fail-safe closed"], rows.collect())
}

fn outcome(fault: &Fault, fail_safe: FailSafe) -> String {
    let closed = fail_safe == FailSafe::Closed;
    let [own, through_programs] = [false, true].map(|starts_programs| fault.effect_on(starts_programs));
    let words = match own {
        Effect::Breaks if closed => "denied",
        Effect::Breaks => "the action goes on",
        Effect::BreaksUsers if closed => "as always, or denied",
        Effect::BreaksUsers => "as always, if the hook does not need it; else the action goes on",
        Effect::Loosens if closed => "as always, if the hook does not go by a setting; else denied",
        Effect::Loosens => "as always, by the defaults",
        Effect::FoundOtherwise => "by what the hook finds",
        Effect::Unheard if closed => "what it denies, asks or changes is denied",
        Effect::Unheard => "what it denies is denied; nothing else is heard",
        Effect::Harmless => "as always",
    };
    if own == through_programs {
        return words.to_owned();
    }
    format!("{words}; hooks that start programs, by what these answer")
}

/// Hooks whose answer is not theirs alone: what they ask meets some faults itself.
fn asking_others(catalog: &Catalog) -> String {
    let programs = hooks_with(catalog, |_, reach| reach.starts_programs());
    let heads = hooks_with(catalog, |_, reach| reach.heads);
    let mut sentences = Vec::new();
    if !programs.is_empty() {
        sentences.push(format!("Hooks that start programs: {}.", hook_links(programs)));
    }
    if !heads.is_empty() {
        sentences.push(format!(
            "In a repository that keeps its references in a table, only git knows the branch and the commit; without git they \
             are empty there for {}.",
            hook_links(heads)
        ));
    }
    sentences.join(" ")
}

fn hooks_with(catalog: &Catalog, has: impl Fn(&Hook, &Reach) -> bool) -> Vec<&Hook> {
    let commands = catalog.hooks.iter().filter(|hook| hook.kind == Kind::Command);
    commands.filter(|hook| has(hook, &Reach::of(catalog, hook))).collect()
}

fn breaker(catalog: &Catalog) -> String {
    let threshold =
        catalog.breaker.as_ref().and_then(|name| catalog.thresholds.iter().find(|threshold| threshold.name == *name));
    threshold.map_or_else(String::new, |threshold| {
        format!(
            "After {} failures in a row of the disk under the state folder (threshold {}), an open hook is bypassed for \
             the rest of the session and the person is told; a closed one never is. Nothing else counts: no input, document, \
             expression, lock, permission, panic or time-out.",
            threshold.default,
            code(&threshold.name),
        )
    })
}
