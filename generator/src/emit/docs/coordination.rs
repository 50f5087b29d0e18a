//! Who reads and writes which state, and where two hooks can get in each other's way.

use std::collections::BTreeSet;

use hookgen_runtime::EVENTS;
use serde::Serialize;

use super::interactions::{decides, meetings, share_a_process};
use super::markdown::{Table, code, hook_link, hook_links};
use crate::model::{Catalog, Hook};
use crate::resolve::uses::{self, Uses};

#[derive(Serialize)]
pub(super) struct CoordinationView {
    state: String,
    /// What one hook has for itself.
    private: String,
    conflicts: String,
    evidence: String,
}

/// Something that hooks share: its name, what it is, and where it lies.
struct State<'c> {
    name: &'c str,
    kind: &'static str,
    place: String,
}

pub(super) fn view(catalog: &Catalog) -> CoordinationView {
    let all: Vec<(&Hook, Uses)> = catalog.hooks.iter().map(|hook| (hook, uses::of_hook(catalog, hook))).collect();
    let state = state(catalog);
    let rows = state.iter().map(|state| Row {
        name: code(state.name),
        kind: state.kind,
        place: state.place.clone(),
        readers: catalog.hooks.iter().filter(|hook| reads(hook, state.name)).collect(),
        writers: catalog.hooks.iter().filter(|hook| writes(hook, state.name)).collect(),
    });
    let (shared, private): (Vec<Row<'_>>, Vec<Row<'_>>) = rows.chain(notes(&all)).partition(Row::is_shared);
    let mut conflicts: Vec<[String; 4]> = Vec::new();
    for state in &state {
        for (one, other) in pairs(catalog) {
            let Some(row) = conflict(catalog, state, one, other) else { continue };
            // Pairs that meet over several things share a row.
            match conflicts.iter_mut().find(|known| known[1..] == row[1..]) {
                Some(known) => known[0] = format!("{}, {}", known[0], row[0]),
                None => conflicts.push(row),
            }
        }
    }
    let conflicts = Table::or_empty(["state", "hooks", "event", "what can happen"], conflicts);
    CoordinationView {
        state: Table::or_empty(
            ["state", "kind", "place", "read by", "written by"],
            shared.iter().map(Row::cells).collect(),
        ),
        private: private.iter().map(Row::told).collect::<Vec<_>>().join(", "),
        conflicts: if conflicts.is_empty() { "None.".to_owned() } else { conflicts },
        evidence: evidence(catalog),
    }
}

/// Something that hooks read or write, with those who do.
struct Row<'c> {
    name: String,
    kind: &'static str,
    place: String,
    readers: Vec<&'c Hook>,
    writers: Vec<&'c Hook>,
}

impl Row<'_> {
    fn is_shared(&self) -> bool {
        let mut ids: Vec<&str> = self.readers.iter().chain(&self.writers).map(|hook| hook.id.as_str()).collect();
        ids.dedup();
        ids.len() != 1
    }

    fn cells(&self) -> [String; 5] {
        let (readers, writers) = (hook_links(self.readers.iter().copied()), hook_links(self.writers.iter().copied()));
        [self.name.clone(), self.kind.to_owned(), self.place.clone(), readers, writers]
    }

    fn told(&self) -> String {
        let does = match (self.readers.as_slice(), self.writers.as_slice()) {
            ([_], []) => "read",
            ([], [_]) => "written",
            _ => "read and written",
        };
        let hook = self.readers.iter().chain(&self.writers).next().map(|hook| hook_link(hook)).unwrap_or_default();
        format!("{} ({}, {does} by {hook})", self.name, self.kind)
    }
}

fn state(catalog: &Catalog) -> Vec<State<'_>> {
    let documents = catalog.documents.iter().map(|document| State {
        name: &document.name,
        kind: "document",
        place: code(&document.path.source),
    });
    let counters =
        catalog.counters.iter().map(|counter| State { name: &counter.name, kind: "counter", place: KEPT.to_owned() });
    let config =
        catalog.config_file.iter().map(|file| State { name: "config", kind: "config file", place: code(&file.source) });
    let history =
        catalog.history.iter().map(|recorded| State { name: &recorded.name, kind: "history", place: KEPT.to_owned() });
    documents.chain(counters).chain(history).chain(config).collect()
}

/// Where counters, notes and what was remembered lie.
const KEPT: &str = "the session's state";

/// What hooks note and remember for the rest of a session.
fn notes<'c>(all: &[(&'c Hook, Uses)]) -> Vec<Row<'c>> {
    let with = |has: &dyn Fn(&Uses) -> bool| -> Vec<&'c Hook> {
        all.iter().filter(|(_, uses)| has(uses)).map(|(hook, _)| *hook).collect()
    };
    let row = |name: String, kind, readers, writers| Row { name, kind, place: KEPT.to_owned(), readers, writers };
    let names: BTreeSet<&String> =
        all.iter().flat_map(|(_, uses)| uses.notes_read.iter().chain(&uses.notes_written)).collect();
    let mut rows: Vec<Row<'c>> = names
        .into_iter()
        .map(|name| {
            let shown = if name.is_empty() { "a name that is worked out".to_owned() } else { code(name) };
            let readers = with(&|uses| uses.notes_read.contains(name));
            row(shown, "note", readers, with(&|uses| uses.notes_written.contains(name)))
        })
        .collect();
    let (readers, writers) = (with(&|uses| uses.functions.contains("remembered")), with(&|uses| uses.remembers));
    if !readers.is_empty() || !writers.is_empty() {
        rows.push(row("what was remembered".to_owned(), "memory", readers, writers));
    }
    rows
}

/// Where documents lie that are the person's or the plugin's, and not the project's.
const ELSEWHERE: &[&str] = &["${home}", "${plugin_root}", "~", "/"];

/// Documents that the agent can write like any file of the project, with the hooks that decide by them.
fn evidence(catalog: &Catalog) -> String {
    let reachable = catalog
        .documents
        .iter()
        .filter(|document| !ELSEWHERE.iter().any(|folder| document.path.source.starts_with(folder)));
    let told = reachable.filter_map(|document| {
        let deciding: Vec<&Hook> =
            catalog.hooks.iter().filter(|hook| reads(hook, &document.name) && decides(hook)).collect();
        (!deciding.is_empty()).then(|| format!("{} for {}", code(&document.path.source), hook_links(deciding)))
    });
    told.collect::<Vec<_>>().join("; ")
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

fn conflict(catalog: &Catalog, state: &State<'_>, one: &Hook, other: &Hook) -> Option<[String; 4]> {
    let name = state.name;
    let both_write = writes(one, name) && writes(other, name);
    let crossed = (writes(one, name) && reads(other, name)) || (reads(one, name) && writes(other, name));
    if !both_write && !crossed {
        return None;
    }
    let what = if share_a_process(catalog.dispatch, &[one, other]) {
        "none in one call: one process, catalog order"
    } else if state.kind == "counter" {
        "the counter is locked and exact; who comes first is not determined"
    } else if state.kind == "history" {
        "all of it is recorded; who comes first is not determined"
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
        assert!(view.conflicts.contains("| `planning` | [H01](hooks/H01.md), [H02](hooks/H02.md) | PreToolUse |"));
        assert_eq!(view.conflicts.lines().count(), 3, "{}", view.conflicts);
    }

    #[test]
    fn what_the_agent_can_write_is_named_with_those_who_decide_by_it() {
        let mut catalog = fixture::full();
        assert!(evidence(&catalog).contains(" for [H01](hooks/H01.md)"));
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
