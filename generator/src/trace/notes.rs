//! What is seen while hooks come to their verdicts.

use std::cell::{Cell, RefCell};
use std::time::Instant;

use hookgen_runtime::Attempt;
use hookgen_runtime::evaluate::{Observer, TextPart, Value};
use hookgen_runtime::representation::{Check, Effect, Expr, Op, Text};
use serde::Serialize;
use serde_json::Value as Shown;

use crate::ask::shown;

/// A part of an expression that is worked out again and again is shown so often.
const TIMES: usize = 8;

/// What was worked out, by hook.
#[derive(Default)]
pub(super) struct Notes {
    hook: Cell<Option<usize>>,
    steps: RefCell<Vec<(Option<usize>, Step)>>,
    open: RefCell<Vec<(Instant, Vec<Part>)>>,
    checks: RefCell<Vec<(Option<usize>, CheckNote)>>,
}

/// A text that was worked out.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Step {
    /// What it is for.
    pub(super) what: &'static str,
    /// The name of the definition, or the id of the check.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<String>,
    /// As written.
    pub(super) source: String,
    #[serde(flatten)]
    pub(super) outcome: Outcome,
    pub(super) parts: Vec<Part>,
    pub(super) us: u64,
}

/// A part of an expression.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Part {
    /// As written.
    pub(super) text: String,
    #[serde(skip)]
    span: (u32, u32),
    /// What it came to, each time.
    pub(super) outcomes: Vec<Outcome>,
    /// How often it was worked out.
    pub(super) times: usize,
}

/// A value, or why there is none.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Outcome {
    Value(Shown),
    Failure(String),
}

/// A check that was looked at.
#[derive(Debug, Clone, Serialize)]
pub(super) struct CheckNote {
    pub(super) id: String,
    pub(super) holds: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) failure: Option<String>,
    /// Effects that came about, and whether each could be worked out.
    pub(super) effects: Vec<EffectNote>,
}

/// An effect of a check.
#[derive(Debug, Clone, Serialize)]
pub(super) struct EffectNote {
    pub(super) effect: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) failure: Option<String>,
}

impl Outcome {
    fn of(value: &Attempt<Value<'_>>) -> Self {
        match value {
            Ok(value) => Self::Value(shown(&value.json())),
            Err(failure) => Self::Failure(failure.to_string()),
        }
    }
}

impl Notes {
    /// What was worked out for a hook, and the checks that were looked at.
    pub(super) fn of(&self, hook: usize) -> (Vec<Step>, Vec<CheckNote>) {
        let steps =
            self.steps.borrow().iter().filter(|(of, _)| *of == Some(hook)).map(|(_, step)| step.clone()).collect();
        let checks =
            self.checks.borrow().iter().filter(|(of, _)| *of == Some(hook)).map(|(_, check)| check.clone()).collect();
        (steps, checks)
    }
}

impl Observer for Notes {
    fn hook(&self, place: usize) {
        self.hook.set(Some(place));
    }

    fn begins(&self, _: TextPart<'_>, _: &Text) {
        self.open.borrow_mut().push((Instant::now(), Vec::new()));
    }

    fn value(&self, expr: &Expr, value: &Attempt<Value<'_>>) {
        let constant = matches!(
            expr.op,
            Op::Bool(_) | Op::Int(_) | Op::Double(_) | Op::Text(_) | Op::Null | Op::Pattern(_) | Op::Payload
        );
        let span = (expr.span.start, expr.span.end);
        let mut open = self.open.borrow_mut();
        let Some((_, parts)) = open.last_mut().filter(|_| !constant && span.0 < span.1) else { return };
        if let Some(part) = parts.iter_mut().find(|part| part.span == span) {
            // A place and what is read from it stand at the same characters.
            let reread = matches!(expr.op, Op::Read(_)) && part.times == 1;
            if reread {
                part.outcomes = vec![Outcome::of(value)];
                return;
            }
            part.times += 1;
            if part.outcomes.len() < TIMES {
                part.outcomes.push(Outcome::of(value));
            }
            return;
        }
        parts.push(Part { text: String::new(), span, outcomes: vec![Outcome::of(value)], times: 1 });
    }

    fn ends(&self, part: TextPart<'_>, text: &Text, value: &Attempt<Value<'_>>) {
        let Some((began, mut parts)) = self.open.borrow_mut().pop() else { return };
        let whole = (text.value.span.start, text.value.span.end);
        parts.retain(|part| part.span != whole);
        for part in &mut parts {
            let range = part.span.0 as usize..part.span.1 as usize;
            text.source.get(range).unwrap_or_default().clone_into(&mut part.text);
        }
        parts.retain(|part| !part.text.is_empty() && part.text != text.source);
        // What stands there twice and comes to the same is told once.
        let mut told: Vec<Part> = Vec::new();
        for part in parts {
            if !told.iter().any(|known| known.text == part.text && known.outcomes == part.outcomes) {
                told.push(part);
            }
        }
        let parts = told;
        let (what, name) = named(part);
        let us = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
        let name = name.map(str::to_owned);
        let step = Step { what, name, source: text.source.clone(), outcome: Outcome::of(value), parts, us };
        self.steps.borrow_mut().push((self.hook.get(), step));
    }

    fn check(&self, check: &Check, holds: &Attempt<bool>) {
        let note = CheckNote {
            id: check.id.clone(),
            holds: holds.as_ref().ok().copied(),
            failure: holds.as_ref().err().map(ToString::to_string),
            effects: Vec::new(),
        };
        self.checks.borrow_mut().push((self.hook.get(), note));
    }

    fn effect(&self, _: &Check, effect: &Effect, done: &Attempt<()>) {
        if let Some((_, check)) = self.checks.borrow_mut().last_mut() {
            let failure = done.as_ref().err().map(ToString::to_string);
            check.effects.push(EffectNote { effect: effect.name().to_owned(), failure });
        }
    }
}

fn named(part: TextPart<'_>) -> (&'static str, Option<&str>) {
    match part {
        TextPart::ConfigFile => ("path of the settings", None),
        TextPart::DevModeFile => ("path of the development mode", None),
        TextPart::Fact(name) => ("fact", Some(name)),
        TextPart::Let(name) => ("let", Some(name)),
        TextPart::Message(name) => ("message", Some(name)),
        TextPart::Document(name) => ("path of document", Some(name)),
        TextPart::Gate => ("when", None),
        TextPart::Condition(id) => ("check", Some(id)),
        TextPart::Effect(id) => ("effect of", Some(id)),
    }
}
