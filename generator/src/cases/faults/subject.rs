//! A hook as the faults see it: what it promised, and the worlds of its own cases to break.

use std::time::Duration;

use hookgen_runtime::{Event, Running};
use serde_json::{Value, json};

use super::judge::Promise;
use crate::cases::steps::steps_of;
use crate::catalog::{Decision, Given, Step};
use crate::model;
use crate::resolve::reach::Reach;

/// How many of a hook's own cases lend their world to the faults.
const MOST_SCENES: usize = 4;

/// A hook as far as breaking it goes.
#[derive(Debug)]
pub(super) struct Subject {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) event: &'static Event,
    pub(super) timeout: Duration,
    pub(super) running: Running,
    pub(super) promise: Promise,
    /// Whether it starts programs, which meet some faults themselves.
    pub(super) starts_programs: bool,
    pub(super) scenes: Vec<Scene>,
}

/// A world and an event in it, mostly those of a case.
#[derive(Debug)]
pub(super) struct Scene {
    pub(super) case: Option<String>,
    pub(super) given: Given,
    pub(super) step: Step,
}

pub(super) fn subject(catalog: &model::Catalog, hook: &model::Hook) -> Subject {
    let own = hook.cases.iter().filter_map(|case| {
        let (_, step) = steps_of(case).into_iter().next()?;
        let own = step.raw.is_none() && step.hook.is_none() && step.after.is_empty();
        own.then(|| Scene { case: Some(case.name.clone()), given: case.given.clone(), step })
    });
    // Cases that end in a decision first: they reach the most.
    let mut scenes: Vec<Scene> = own.collect();
    scenes.sort_by_key(|scene| scene.step.expect.decision != Some(Decision::Deny));
    let half = MOST_SCENES / 2;
    if scenes.len() > MOST_SCENES {
        let last = scenes.split_off(scenes.len() - half);
        scenes.truncate(half);
        scenes.extend(last);
    }
    if scenes.is_empty() {
        let step = Step { input: Some(plain_event(hook)), ..empty_step() };
        scenes.push(Scene { case: None, given: Given::default(), step });
    }
    Subject {
        id: hook.id.clone(),
        name: hook.name.clone(),
        event: hook.event,
        timeout: Duration::from_millis(hook.timeout_ms.into()),
        running: hook.running(),
        promise: Promise::of(catalog, hook),
        starts_programs: Reach::of(catalog, hook).starts_programs(),
        scenes,
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
