//! Whoever watches calls and notes which spots of a catalog they reach.

use std::cell::RefCell;
use std::collections::HashMap;

use hookgen_runtime::evaluate::{Observer, Shared, Value};
use hookgen_runtime::representation::{Check, Effect, Expr};
use hookgen_runtime::{Attempt, Json};

use super::seen::Seen;

thread_local! {
    static NOTES: RefCell<Seen> = RefCell::default();
}

/// What is where in memory. A whole and its first part may be in the same place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Thing {
    Expr(usize),
    Check(usize),
    Effect(usize),
    Row(usize),
    Word(usize),
}

impl Thing {
    pub(super) fn expr(expr: &Expr) -> Self {
        Self::Expr(std::ptr::from_ref(expr) as usize)
    }

    pub(super) fn check(check: &Check) -> Self {
        Self::Check(std::ptr::from_ref(check) as usize)
    }

    pub(super) fn effect(effect: &Effect) -> Self {
        Self::Effect(std::ptr::from_ref(effect) as usize)
    }

    /// A row of a table, or a word of one.
    pub(super) fn row(row: &Json<'_>) -> Self {
        match row {
            Json::Text(word) => Self::word(word),
            row => Self::Row(std::ptr::from_ref(row).cast::<u8>() as usize),
        }
    }

    fn word(word: &str) -> Self {
        Self::Word(word.as_ptr() as usize)
    }
}

/// The numbers of all spots, by where they are in memory: a catalog that is watched lasts as long as the process.
#[derive(Debug, Default)]
pub struct Recorder {
    numbers: HashMap<Thing, usize>,
}

/// What is noted of a spot.
#[derive(Clone, Copy)]
enum Noted {
    Reached,
    Held,
    FailedToHold,
    Broke,
}

impl From<bool> for Noted {
    fn from(held: bool) -> Self {
        if held { Self::Held } else { Self::FailedToHold }
    }
}

impl Recorder {
    pub(super) fn enter(&mut self, thing: Thing, number: usize) {
        self.numbers.insert(thing, number);
    }

    pub(super) fn number(&self, thing: Thing) -> Option<usize> {
        self.numbers.get(&thing).copied()
    }

    /// What this thread has seen since it was last asked.
    pub fn take(&self) -> Seen {
        NOTES.take()
    }

    fn note(&self, thing: Thing, noted: Noted) {
        let Some(number) = self.numbers.get(&thing) else { return };
        NOTES.with_borrow_mut(|notes| {
            notes.reached.put(*number);
            match noted {
                Noted::Held => notes.held.put(*number),
                Noted::FailedToHold => notes.failed_to_hold.put(*number),
                Noted::Broke => notes.broke.put(*number),
                Noted::Reached => {}
            }
        });
    }
}

impl Observer for Recorder {
    fn value(&self, expr: &Expr, value: &Attempt<Value<'_>>) {
        let noted = match value {
            Ok(Value::Bool(held)) => Noted::from(*held),
            Ok(_) => Noted::Reached,
            Err(_) => Noted::Broke,
        };
        self.note(Thing::expr(expr), noted);
    }

    fn element(&self, _: &Expr, element: &Value<'_>, holds: bool) {
        match element {
            Value::Node(node) => self.note(Thing::row(node.json()), Noted::from(holds)),
            Value::Text(Shared::Borrowed(text)) => self.note(Thing::word(text), Noted::from(holds)),
            _ => {}
        }
    }

    fn check(&self, check: &Check, holds: &Attempt<bool>) {
        self.note(Thing::check(check), holds.as_ref().map_or(Noted::Broke, |holds| Noted::from(*holds)));
    }

    fn effect(&self, _: &Check, effect: &Effect, done: &Attempt<()>) {
        self.note(Thing::effect(effect), if done.is_ok() { Noted::Held } else { Noted::Broke });
    }
}
