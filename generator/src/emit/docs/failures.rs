//! What happens when things go wrong: in the world, and in the hook itself.

use serde::Serialize;

use super::markdown::{Table, code, hook_link, hook_links, text};
use super::words;
use crate::cases::faults::{Effect, FAULTS};
use crate::model::{Catalog, Hook};

#[derive(Serialize)]
pub(super) struct FailuresView {
    modes: String,
    fail_safe: Table,
    faults: Table,
    notice: &'static str,
    breaker: String,
}

pub(super) fn view(catalog: &Catalog) -> FailuresView {
    let head = ["fail-safe", "when the hook breaks", "when the binary is missing or killed", "hooks"];
    FailuresView {
        modes: modes(catalog),
        fail_safe: Table::new(head, fail_safe(catalog)),
        faults: faults(),
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

/// What every hook does under each fault. The same list is what `hookgen test --faults` runs.
fn faults() -> Table {
    let rows = FAULTS.iter().map(|fault| {
        let (open, closed) = match fault.effect {
            Effect::Breaks => ("the action goes on", "denied"),
            Effect::BreaksUsers => {
                ("as always, if the hook does not need it; else the action goes on", "as always, or denied")
            }
            Effect::Harmless => ("as always", "as always"),
        };
        [text(fault.what), open.to_owned(), closed.to_owned()]
    });
    Table::new(["fault", "fail-safe open", "fail-safe closed"], rows.collect())
}

fn modes(catalog: &Catalog) -> String {
    let modes = catalog.hooks.iter().flat_map(|hook| hook.failure_modes.iter().map(move |mode| (hook, mode)));
    let rows = modes.map(|(hook, mode)| {
        [
            hook_link(hook),
            text(&mode.when),
            words::outcome(mode.then).to_owned(),
            text(&mode.because),
            mode.case.as_deref().map_or_else(|| "–".to_owned(), text),
        ]
    });
    Table::or_empty(["hook", "when", "then", "because", "proved by case"], rows.collect())
}

fn breaker(catalog: &Catalog) -> String {
    let threshold =
        catalog.breaker.as_ref().and_then(|name| catalog.thresholds.iter().find(|threshold| threshold.name == *name));
    threshold.map_or_else(String::new, |threshold| {
        format!(
            "After {} infrastructure failures in one session (threshold {}), an open hook is bypassed and the person is \
             told; {}. Bad input and bad documents do not count.",
            threshold.default,
            code(&threshold.name),
            if catalog.breaker_closed_hooks { "so is a closed one" } else { "a closed one never is" }
        )
    })
}
