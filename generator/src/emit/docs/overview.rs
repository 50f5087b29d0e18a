//! Title, purpose, the answers that a reviewer wants first, and every hook in one table.

use serde::Serialize;

use super::hook::matcher;
use super::leaving::Leaving;
use super::markdown::{Table, code, hook_link, hook_links, or_dash, paragraphs, text};
use super::{effects, words};
use crate::model::{Catalog, Decision, Dispatch, Effect, FailSafe, Hook, Priority};

#[derive(Serialize)]
pub(super) struct OverviewView {
    title: String,
    description: String,
    summary: String,
    answers: Table,
    hooks: Table,
    priorities: String,
}

pub(super) fn view(catalog: &Catalog, leaving: &Leaving) -> OverviewView {
    OverviewView {
        title: format!("Hooks of {}", text(&catalog.name)),
        description: paragraphs(&catalog.description),
        summary: summary(catalog),
        answers: Table::new(["question", "answer"], answers(catalog, leaving)),
        hooks: Table::new(
            ["hook", "name", "on", "type", "can", "fails", "flag", "priority", "cases"],
            catalog.hooks.iter().map(row).collect(),
        )
        .without("type", "command")
        .without("flag", &or_dash(""))
        .without("priority", &or_dash("")),
        priorities: priorities(catalog),
    }
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

fn answers(catalog: &Catalog, leaving: &Leaving) -> Vec<[String; 2]> {
    let those = |is: &dyn Fn(&Hook) -> bool| -> String {
        let hooks: Vec<&Hook> = catalog.hooks.iter().filter(|hook| is(hook)).collect();
        match hooks.len() {
            0 => "none".to_owned(),
            count if count == catalog.hooks.len() && count > 1 => format!("all {count}"),
            _ => hook_links(hooks),
        }
    };
    let refuses = |hook: &Hook| {
        hook.checks.iter().flat_map(|check| &check.effects).any(|e| matches!(e, Effect::Decide(Decision::Deny, _)))
    };
    let row = |question: &str, answer: String| [question.to_owned(), answer];
    let sent = if leaving.summary.is_empty() {
        "nothing that this page knows of".to_owned()
    } else {
        format!("[see there](#what-leaves-the-machine): {}", leaving.summary)
    };
    vec![
        row(
            "What can refuse or hold up an action?",
            those(&|hook| refuses(hook) || hook.prompt.is_some() || hook.service.is_some()),
        ),
        row("What leaves the machine?", sent),
        row("What runs in the background?", those(&|hook| hook.background || hook.async_rewake)),
        row("What lets the action go on when it breaks itself?", those(&|hook| hook.fail_safe == FailSafe::Open)),
        row("What refuses the action when it breaks itself?", those(&|hook| hook.fail_safe == FailSafe::Closed)),
    ]
}

fn row(hook: &Hook) -> [String; 9] {
    let subject = if hook.matcher.is_some() { format!(" {}", matcher(hook)) } else { String::new() };
    [
        hook_link(hook),
        text(&hook.name),
        format!("{}{subject}", hook.event.name),
        hook.kind.word().to_owned(),
        effects::powers(hook),
        hook.fail_safe.name().to_owned(),
        hook.flag.as_deref().map_or_else(|| or_dash(""), code),
        words::priority(hook.priority).to_owned(),
        hook.cases.len().to_string(),
    ]
}

/// What the priorities mean that some hook has.
fn priorities(catalog: &Catalog) -> String {
    let meanings = [
        (Priority::P0, "without it the system does not hold"),
        (Priority::P1, "needed early"),
        (Priority::P2, "a safety net"),
        (Priority::P3, "convenience and insight"),
    ];
    let used = meanings.into_iter().filter(|(level, _)| catalog.hooks.iter().any(|hook| hook.priority == Some(*level)));
    let words: Vec<String> =
        used.map(|(level, meaning)| format!("{}: {meaning}", words::priority(Some(level)))).collect();
    if words.is_empty() { String::new() } else { format!("Priorities: {}.", words.join("; ")) }
}
