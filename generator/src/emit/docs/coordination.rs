//! Who reads and writes which state, and where two hooks can get in each other's way.

use hookgen_runtime::EVENTS;
use serde::Serialize;

use super::interactions::{decides, meetings, share_a_process};
use super::markdown::{Table, code, hook_link, hook_links};
use crate::model::{Catalog, Hook};

#[derive(Serialize)]
pub(super) struct CoordinationView {
    state: String,
    conflicts: String,
    evidence: String,
}

pub(super) fn view(catalog: &Catalog) -> CoordinationView {
    let documents = catalog.documents.iter().map(|document| (document.name.as_str(), "document"));
    let counters = catalog.counters.iter().map(|counter| (counter.name.as_str(), "counter"));
    let config = catalog.config_file.iter().map(|_| ("config", "config file"));
    let state: Vec<(&str, &str)> = documents.chain(counters).chain(config).collect();
    let rows = state.iter().map(|(name, kind)| {
        let readers = catalog.hooks.iter().filter(|hook| reads(hook, name));
        let writers = catalog.hooks.iter().filter(|hook| writes(hook, name));
        [code(name), (*kind).to_owned(), hook_links(readers), hook_links(writers)]
    });
    let conflicts = state.iter().flat_map(|(name, kind)| {
        pairs(catalog).into_iter().filter_map(|(one, other)| conflict(catalog, name, kind, one, other))
    });
    let conflicts = Table::or_empty(["state", "hooks", "event", "what can happen"], conflicts.collect());
    CoordinationView {
        state: Table::or_empty(["state", "kind", "readers", "writers"], rows.collect()),
        conflicts: if conflicts.is_empty() { "None.".to_owned() } else { conflicts },
        evidence: evidence(catalog),
    }
}

/// Where documents lie that are the person's or the plugin's, and not the project's.
const ELSEWHERE: &[&str] = &["${home}", "${plugin_root}", "~", "/"];

/// Documents that the agent can write like any file of the project, with the hooks that decide by them.
fn evidence(catalog: &Catalog) -> String {
    let reachable = catalog
        .documents
        .iter()
        .filter(|document| !ELSEWHERE.iter().any(|folder| document.path.source.starts_with(folder)));
    let rows = reachable.filter_map(|document| {
        let deciding: Vec<&Hook> =
            catalog.hooks.iter().filter(|hook| reads(hook, &document.name) && decides(hook)).collect();
        (!deciding.is_empty()).then(|| [code(&document.name), code(&document.path.source), hook_links(deciding)])
    });
    Table::or_empty(["document", "path", "hooks that decide by it"], rows.collect())
}

fn reads(hook: &Hook, name: &str) -> bool {
    hook.reads.iter().any(|read| read == name)
}

fn writes(hook: &Hook, name: &str) -> bool {
    hook.writes.iter().any(|written| written == name)
}

/// Hooks of one event that can fire for the same subject, each pair once, in catalog order.
fn pairs(catalog: &Catalog) -> Vec<(&Hook, &Hook)> {
    let mut pairs: Vec<(&Hook, &Hook)> = Vec::new();
    for meeting in EVENTS.iter().flat_map(|event| meetings(catalog, event)) {
        let together = meeting.together();
        for (position, one) in together.iter().enumerate() {
            for other in together.iter().skip(position + 1) {
                let known = |(a, b): &(&Hook, &Hook)| {
                    (a.id == one.id && b.id == other.id) || (a.id == other.id && b.id == one.id)
                };
                if !pairs.iter().any(known) {
                    pairs.push((one, other));
                }
            }
        }
    }
    pairs
}

fn conflict(catalog: &Catalog, name: &str, kind: &str, one: &Hook, other: &Hook) -> Option<[String; 4]> {
    let both_write = writes(one, name) && writes(other, name);
    let crossed = (writes(one, name) && reads(other, name)) || (reads(one, name) && writes(other, name));
    if !both_write && !crossed {
        return None;
    }
    let what = if share_a_process(catalog.dispatch, &[one, other]) {
        "none in one call: one process, catalog order"
    } else if kind == "counter" {
        "the counter is locked and exact; who comes first is not determined"
    } else if both_write {
        "the document is replaced in one step; the last writer stands, and who that is is not determined"
    } else {
        "the document is replaced in one step; the reader sees it whole, before or after"
    };
    let hooks = format!("{}, {}", hook_link(one), hook_link(other));
    Some([code(name), hooks, one.event.name.to_owned(), what.to_owned()])
}

#[cfg(test)]
mod tests {
    use super::super::super::fixture;
    use super::*;
    use crate::model::Dispatch;

    #[test]
    fn a_reader_beside_a_writer_of_the_same_subject_is_named() {
        let view = view(&fixture::full());
        assert!(
            view.conflicts.contains("| `planning` | [H01](#h01-guard-plan), [H02](#h02-call-budget) | PreToolUse |")
        );
        assert_eq!(view.conflicts.lines().count(), 3, "{}", view.conflicts);
    }

    #[test]
    fn what_the_agent_can_write_is_named_with_those_who_decide_by_it() {
        let mut catalog = fixture::full();
        assert!(evidence(&catalog).contains("| `planning` |") && evidence(&catalog).contains("H01"));
        for document in &mut catalog.documents {
            document.path.source = format!("${{home}}/{}", document.name);
        }
        assert_eq!(evidence(&catalog), "");
    }

    #[test]
    fn hooks_that_never_meet_do_not_conflict() {
        let mut catalog = fixture::full();
        catalog.hooks[1].matcher = Some(fixture::names("Bash"));
        assert_eq!(view(&catalog).conflicts, "None.");
    }

    #[test]
    fn merged_hooks_take_turns() {
        let mut catalog = fixture::full();
        catalog.dispatch = Dispatch::Merged;
        assert!(view(&catalog).conflicts.contains("one process, catalog order"));
    }

    #[test]
    fn a_catalog_without_state_has_nothing_to_coordinate() {
        assert_eq!(view(&fixture::smallest()).state, "");
    }
}
