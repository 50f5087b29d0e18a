//! A hook as the faults see it: what it promised, and the worlds of its own cases to break.

use std::time::Duration;

use hookgen_runtime::{Event, Running};
use serde_json::{Value, json};

use super::judge::Promise;
use crate::cases::steps::steps_of;
use crate::catalog::{Decision, Given, Step};
use crate::model;

/// How many of a hook's own cases lend their world to the faults.
const MOST_WORLDS: usize = 4;

/// A hook as far as breaking it goes.
#[derive(Debug)]
pub(super) struct Subject {
    pub(super) id: String,
    pub(super) event: &'static Event,
    pub(super) timeout: Duration,
    pub(super) running: Running,
    pub(super) promise: Promise,
    pub(super) worlds: Vec<(Given, Step)>,
}

pub(super) fn subject(catalog: &model::Catalog, hook: &model::Hook) -> Subject {
    let own = hook.cases.iter().filter_map(|case| {
        let (_, step) = steps_of(case).into_iter().next()?;
        (step.raw.is_none() && step.hook.is_none() && step.after.is_empty()).then(|| (case.given.clone(), step))
    });
    // Cases that end in a decision first: they reach the most.
    let mut worlds: Vec<(Given, Step)> = own.collect();
    worlds.sort_by_key(|(_, step)| step.expect.decision != Some(Decision::Deny));
    let half = MOST_WORLDS / 2;
    if worlds.len() > MOST_WORLDS {
        let last = worlds.split_off(worlds.len() - half);
        worlds.truncate(half);
        worlds.extend(last);
    }
    if worlds.is_empty() {
        worlds.push((Given::default(), Step { input: Some(plain_event(hook)), ..empty_step() }));
    }
    Subject {
        id: hook.id.clone(),
        event: hook.event,
        timeout: Duration::from_millis(hook.timeout_ms.into()),
        running: hook.running(),
        promise: Promise::of(catalog, hook),
        worlds,
    }
}

pub(super) fn empty_step() -> Step {
    serde_json::from_value(json!({})).unwrap_or_else(|_| unreachable!("every field of a step is optional"))
}

/// The least that an event of a hook without cases has: its subject.
fn plain_event(hook: &model::Hook) -> crate::catalog::Ordered<Value> {
    let mut fields = crate::catalog::Ordered::new();
    if let (Some(subject), Some(model::Matcher::Names { names, .. })) = (hook.event.subject, &hook.matcher)
        && let Some(name) = names.first()
    {
        fields.insert(subject.to_owned(), Value::from(name.clone()));
    }
    fields
}
