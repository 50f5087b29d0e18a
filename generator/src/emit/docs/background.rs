//! What runs beside the action, and goes on when the hook's answer is long given.

use super::markdown::{Table, hook_link};
use crate::model::{Catalog, Hook, Kind};
use crate::resolve::uses;

pub(super) fn table(catalog: &Catalog) -> String {
    let rows = catalog.hooks.iter().filter_map(|hook| {
        let how = manner(hook).map(str::to_owned).or_else(|| started(catalog, hook))?;
        Some([hook_link(hook), hook.event.name.to_owned(), how])
    });
    Table::or_empty(["hook", "on", "how"], rows.collect())
}

/// How the client runs a hook that it does not wait for.
pub(super) fn manner(hook: &Hook) -> Option<&'static str> {
    match (hook.async_rewake, hook.background) {
        (true, _) => Some("runs beside the action, and wakes the model when it denies"),
        (false, true) => Some("runs beside the action and decides nothing"),
        (false, false) => None,
    }
}

/// Programs that a hook starts such that a later call ends them.
fn started(catalog: &Catalog, hook: &Hook) -> Option<String> {
    let functions = uses::of_hook(catalog, hook).functions;
    let starts = ["runLatest", "runWhole"].iter().any(|name| functions.contains(name));
    (hook.kind == Kind::Command && starts)
        .then(|| "waited for; a later call may end the program that it started".to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::super::fixture;
    use super::*;

    #[test]
    fn only_hooks_that_are_not_waited_for_are_named() {
        let mut catalog = fixture::smallest();
        assert_eq!(table(&catalog), "");
        catalog.hooks[0].background = true;
        assert!(table(&catalog).contains("decides nothing"));
        catalog.hooks[0].async_rewake = true;
        assert!(table(&catalog).contains("wakes the model"));
    }
}
