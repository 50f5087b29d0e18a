//! What lints that reason about conditions share: the catalog as it runs, and examples that were put to the test.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;

use hookgen_runtime::representation::Representation;

use super::Subject;
use crate::document::Pointer;
use crate::lower::lower;
use crate::model::{Hook, Kind};
use crate::reason::{Answer, Example, Formula, Reader, Theatre, base};

/// The catalog as it runs, made when it is first asked for.
#[derive(Default)]
pub struct Reasoning {
    whole: OnceCell<Option<Representation>>,
    theatre: OnceCell<Option<Theatre>>,
    /// The events of a hook's cases, by its id.
    of_cases: RefCell<BTreeMap<String, Vec<Example>>>,
    /// Whether findings come with examples, which leave something behind in the process. An editor does without.
    examples: bool,
}

impl Reasoning {
    /// With examples or without.
    pub fn new(examples: bool) -> Self {
        Self { examples, ..Self::default() }
    }
}

impl<'s> Subject<'s> {
    pub(super) fn whole(&self) -> Option<&Representation> {
        self.reasoning.whole.get_or_init(|| lower(self.catalog).ok()).as_ref()
    }

    pub(super) fn theatre(&self) -> Option<&Theatre> {
        let make = || Theatre::new(lower(self.catalog).ok()?).ok();
        self.reasoning.theatre.get_or_init(|| if self.reasoning.examples { make() } else { None }).as_ref()
    }

    /// The hooks that the binary runs and that somebody wrote: their places among those that it runs and in the document.
    pub(super) fn running_hooks(&self) -> impl Iterator<Item = (usize, Pointer, &'s Hook)> {
        let document = self.document;
        let place = |position| Pointer::root().key("hooks").index(position);
        let all = self.catalog.hooks.iter().enumerate().filter(|(_, hook)| hook.kind == Kind::Command);
        all.enumerate()
            .map(move |(number, (position, hook))| (number, place(position), hook))
            .filter(move |(_, place, _)| document.get(place).is_some())
    }

    /// An event that shows what it is to show: one that is made so that the statement holds, or one of a case.
    pub(super) fn example(
        &self,
        reader: &Reader<'_>,
        hook: &Hook,
        statement: &Formula,
        shows: &dyn Fn(&Theatre, &Example) -> bool,
    ) -> Option<Example> {
        let theatre = self.theatre()?;
        let atoms = match reader.ask(statement) {
            Answer::Holds(atoms) => atoms,
            _ => BTreeMap::new(),
        };
        let made = Example::made(reader, &atoms, base(hook));
        if shows(theatre, &made) {
            return Some(made);
        }
        let mut known = self.reasoning.of_cases.borrow_mut();
        let cases = known.entry(hook.id.clone()).or_insert_with(|| Example::of_cases(hook));
        cases.iter().find(|example| shows(theatre, example)).cloned()
    }
}

/// What to do, and the event that shows why.
pub(super) fn advice(what: &str, example: Option<&Example>) -> String {
    match example {
        Some(example) => format!("{what}; an event that shows it: {}", example.shown()),
        None => what.to_owned(),
    }
}
