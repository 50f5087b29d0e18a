//! What happens when things go wrong: in the world, and in the hook itself.

use serde::Serialize;

use super::markdown::{Table, code, hook_link, hook_links, text};
use super::words;
use crate::model::{Catalog, FailSafe};

#[derive(Serialize)]
pub(super) struct FailuresView {
    modes: String,
    fail_safe: Table,
    open: String,
    closed: String,
    breaker: String,
}

pub(super) fn view(catalog: &Catalog) -> FailuresView {
    let of = |fail_safe: FailSafe| hook_links(catalog.hooks.iter().filter(|hook| hook.fail_safe == fail_safe));
    let rows = catalog.hooks.iter().map(|hook| {
        [
            hook_link(hook),
            hook.event.name.to_owned(),
            words::fail_safe(hook.fail_safe).to_owned(),
            words::when_broken(hook),
            words::when_missing(hook).to_owned(),
        ]
    });
    let head = ["hook", "event", "fail-safe", "when the hook breaks", "when the binary is missing or killed"];
    FailuresView {
        modes: modes(catalog),
        fail_safe: Table::new(head, rows.collect()),
        open: of(FailSafe::Open),
        closed: of(FailSafe::Closed),
        breaker: breaker(catalog),
    }
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
             told; a closed one never is. Bad input and bad documents do not count.",
            threshold.default,
            code(&threshold.name)
        )
    })
}
