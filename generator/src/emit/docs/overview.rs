//! Title, purpose, and every hook in one table.

use serde::Serialize;

use super::hook::matcher;
use super::markdown::{Table, code, hook_link, hook_links, or_dash, paragraphs};
use super::{powers, words};
use crate::bug::Bug;
use crate::model::{Catalog, Dispatch, Priority};

#[derive(Serialize)]
pub(super) struct OverviewView {
    title: String,
    description: String,
    summary: String,
    hooks: Table,
    powers: Table,
    priorities: String,
}

pub(super) fn view(catalog: &Catalog) -> Result<OverviewView, Bug> {
    Ok(OverviewView {
        title: format!("Hooks of {}", catalog.name),
        description: paragraphs(&catalog.description),
        summary: summary(catalog),
        hooks: Table::new(
            ["id", "name", "event", "matcher", "type", "timeout", "fail-safe", "flag", "priority"],
            catalog.hooks.iter().map(row).collect(),
        )
        .without("type", "command")
        .without("flag", &or_dash("")),
        powers: powers::table(catalog)?,
        priorities: priorities(catalog),
    })
}

fn summary(catalog: &Catalog) -> String {
    let mut events: Vec<&str> = catalog.hooks.iter().map(|hook| hook.event.name).collect();
    events.sort_unstable();
    events.dedup();
    let dispatch = match catalog.dispatch {
        Dispatch::PerHook => "Each hook is a process of its own, and the client runs them at the same time.",
        Dispatch::Merged => "Hooks with the same event and matcher share a process and run in catalog order.",
    };
    format!(
        "Version {}: {} on {}. {dispatch}",
        code(&catalog.version),
        words::count(catalog.hooks.len(), "hook"),
        words::count(events.len(), "event")
    )
}

fn row(hook: &crate::model::Hook) -> [String; 9] {
    [
        hook_link(hook),
        hook.name.clone(),
        hook.event.name.to_owned(),
        matcher(hook),
        hook.kind.word().to_owned(),
        words::duration(hook.timeout_ms),
        hook.fail_safe.name().to_owned(),
        hook.flag.as_deref().map_or_else(|| "–".to_owned(), code),
        words::priority(hook.priority).to_owned(),
    ]
}

/// Hooks by urgency; nothing when no hook has a priority.
fn priorities(catalog: &Catalog) -> String {
    let meaning = |priority: Option<Priority>| match priority {
        Some(Priority::P0) => "without it the system does not hold",
        Some(Priority::P1) => "needed early",
        Some(Priority::P2) => "a safety net",
        Some(Priority::P3) => "convenience and insight",
        None => "no priority given",
    };
    if catalog.hooks.iter().all(|hook| hook.priority.is_none()) {
        return String::new();
    }
    let levels = [Some(Priority::P0), Some(Priority::P1), Some(Priority::P2), Some(Priority::P3), None];
    let rows = levels.into_iter().filter(|level| catalog.hooks.iter().any(|hook| hook.priority == *level));
    let rows = rows.map(|level| {
        let hooks = catalog.hooks.iter().filter(|hook| hook.priority == level);
        [words::priority(level).to_owned(), meaning(level).to_owned(), hook_links(hooks)]
    });
    Table::or_empty(["priority", "meaning", "hooks"], rows.collect())
}
