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

    /// A row or a word that a list of values has.
    fn element(element: &Value<'_>) -> Option<Self> {
        match element {
            Value::Node(node) => Some(Self::row(node.json())),
            Value::Text(Shared::Borrowed(word)) => Some(Self::word(word)),
            _ => None,
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
    suppositions: Suppositions,
}

/// What could stand in the place of something, each with a number.
#[derive(Debug, Default)]
pub(super) struct Suppositions {
    expressions: HashMap<Thing, Vec<(usize, &'static Expr)>>,
    rows: HashMap<Thing, Vec<(usize, &'static Json<'static>)>>,
    /// Rows that could be left out.
    gone: HashMap<Thing, Vec<usize>>,
}

/// What could stand in the place of something.
#[derive(Debug, Clone, Copy)]
pub(super) enum Instead {
    Expr(Thing, &'static Expr),
    Row(Thing, &'static Json<'static>),
    /// Nothing, where a row is.
    Nothing(Thing),
}

impl Suppositions {
    pub(super) fn add(&mut self, number: usize, instead: Instead) {
        match instead {
            Instead::Expr(of, expr) => self.expressions.entry(of).or_default().push((number, expr)),
            Instead::Row(of, row) => self.rows.entry(of).or_default().push((number, row)),
            Instead::Nothing(of) => self.gone.entry(of).or_default().push(number),
        }
    }
}

fn under<T>(things: &HashMap<Thing, Vec<T>>, thing: Option<Thing>) -> &[T] {
    thing.and_then(|thing| things.get(&thing)).map_or(&[], Vec::as_slice)
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
    /// Whoever notes only what would have come to something else.
    pub(super) fn of(suppositions: Suppositions) -> Self {
        Self { numbers: HashMap::new(), suppositions }
    }

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
        let Some(thing) = Thing::element(element) else { return };
        self.note(thing, Noted::from(holds));
        if holds {
            for number in under(&self.suppositions.gone, Some(thing)) {
                self.differs(*number);
            }
        }
    }

    fn instead(&self, of: &Expr) -> &[(usize, &'static Expr)] {
        under(&self.suppositions.expressions, Some(Thing::expr(of)))
    }

    fn instead_of_row(&self, row: &Value<'_>) -> &[(usize, &'static Json<'static>)] {
        under(&self.suppositions.rows, Thing::element(row))
    }

    fn differs(&self, number: usize) {
        NOTES.with_borrow_mut(|notes| notes.told_apart.put(number));
    }

    fn check(&self, check: &Check, holds: &Attempt<bool>) {
        self.note(Thing::check(check), holds.as_ref().map_or(Noted::Broke, |holds| Noted::from(*holds)));
    }

    fn effect(&self, _: &Check, effect: &Effect, done: &Attempt<()>) {
        self.note(Thing::effect(effect), if done.is_ok() { Noted::Held } else { Noted::Broke });
    }
}
