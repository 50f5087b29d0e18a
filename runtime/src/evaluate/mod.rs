//! Catalogs that run as they stand: expressions are worked out by walking their representation.
//!
//! The meaning of everything is that of generated code, because both are made of the same parts: the operators, the
//! library, documents, settings, verdicts. What is left here is the order in which parts are asked for.

mod access;
mod expression;
mod hook;
mod kinds;
mod observer;
mod operator;
mod rehearsal;
mod serve;
mod stage;
mod supposition;
mod value;

use std::cell::{Cell, OnceCell};

pub use kinds::{Argument, Outcome, Part};
pub use observer::{Observer, Part as TextPart};
pub use rehearsal::{Account, Rehearsal, Rehearsed, Said};
pub use serve::{engine_file, serve_file};
pub use stage::{Audience, Stage};
pub use value::{Shared, Thing, Value};

use crate::call::Call;
use crate::config::Config;
use crate::document::Document;
use crate::failure::Attempt;
use crate::library;
use crate::operators::once;
use crate::program::Program;
use crate::representation::{Archive, Text};
use crate::verdict::Verdict;
use expression::Scope;
use hook::Run;

/// How evaluated expressions call a library function: the receiver, if there is one, is the first argument.
pub type Dynamic = fn(&Call<'_>, &[Value<'_>]) -> Attempt<Value<'static>>;

/// A catalog at work on one call: facts are worked out at most once, and only when asked for.
pub struct Evaluator<'c> {
    call: &'c Call<'c>,
    archive: &'static Archive,
    config: OnceCell<Config>,
    facts: Vec<OnceCell<Value<'c>>>,
    tables: Vec<OnceCell<Value<'c>>>,
    observer: Option<&'c dyn Observer>,
    /// Whether something is worked out that is not so.
    supposing: Cell<bool>,
    /// The facts that were asked for then.
    supposed: Vec<OnceCell<Value<'c>>>,
}

impl<'c> Evaluator<'c> {
    /// The catalog for a call.
    pub fn new(call: &'c Call<'c>, archive: &'static Archive) -> Self {
        let cells = |count: usize| (0..count).map(|_| OnceCell::new()).collect();
        Self {
            call,
            archive,
            config: OnceCell::new(),
            facts: cells(archive.facts()),
            tables: cells(archive.tables()),
            observer: None,
            supposing: Cell::new(false),
            supposed: cells(0),
        }
    }

    /// The same under the eyes of somebody who wants to know.
    #[must_use]
    pub fn observed(self, observer: &'c dyn Observer) -> Self {
        let supposed = (0..self.facts.len()).map(|_| OnceCell::new()).collect();
        Self { observer: Some(observer), supposed, ..self }
    }

    /// The fact at that place.
    pub fn fact(&self, place: usize) -> Attempt<Value<'c>> {
        let fact = self.archive.fact(place)?;
        let Some(cell) = self.facts.get(place) else { return Err(self.archive.lacks("fact", place)) };
        let cell = self.cell_of(cell, self.supposed.get(place));
        once(cell, || self.part(TextPart::Fact(&fact.name), &fact.text, None)).cloned()
    }

    /// The definition at that place of a hook, before anything was spent.
    pub fn definition(&self, hook: usize, place: usize) -> Attempt<Value<'c>> {
        let run = Run::new(hook, self.archive.hook(hook)?.definitions());
        self.own_definition(place, &Scope::new(Some(&run)))
    }

    /// Works out a text that is not part of an expression.
    fn part(&self, part: TextPart<'_>, text: &'static Text, run: Option<&Run<'c>>) -> Attempt<Value<'c>> {
        if let Some(observer) = self.observer() {
            observer.begins(part, text);
        }
        let value = self.value(&text.value, &Scope::new(run));
        if let Some(observer) = self.observer() {
            observer.ends(part, text, &value);
        }
        value
    }

    /// Works out a text that is text.
    fn said(&self, part: TextPart<'_>, text: &'static Text, run: Option<&Run<'c>>) -> Attempt<Shared<'c>> {
        match self.part(part, text, run)? {
            Value::Text(text) => Ok(text),
            other => Err(other.unfit("a string")),
        }
    }

    fn message(&self, place: usize) -> Attempt<Value<'c>> {
        let message = self.archive.message(place)?;
        self.part(TextPart::Message(&message.name), &message.text, None)
    }

    /// The document at that place, opened when it is first asked for.
    fn document(&self, place: usize, run: Option<&Run<'c>>) -> Attempt<&'c Document> {
        let document = self.archive.document(place)?;
        if self.supposing.get() && !self.call.has_opened(place) {
            return Err(supposition::unknown());
        }
        let part = TextPart::Document(&document.spec.name);
        self.call.document(place, &document.spec, || Ok(self.said(part, &document.path, run)?.into()))
    }

    fn config_file(&self) -> Option<Attempt<Shared<'c>>> {
        match self.archive.config_file() {
            Ok(file) => file.map(|file| self.said(TextPart::ConfigFile, file, None)),
            Err(failure) => Some(Err(failure)),
        }
    }
}

impl Program for Evaluator<'_> {
    /// A path that cannot be worked out is as good as a missing file.
    fn config(&self) -> &Config {
        let catalog = self.archive.catalog();
        self.config.get_or_init(|| match self.config_file() {
            Some(Ok(file)) => Config::from_file(catalog, self.call.project_path(&file)),
            Some(Err(_)) | None => Config::defaults(catalog),
        })
    }

    fn dev_mode(&self) -> Attempt<bool> {
        let Some(file) = self.archive.dev_mode_file()? else { return Ok(false) };
        let file = self.said(TextPart::DevModeFile, file, None)?;
        Ok(library::file_exists(self.call, &file))
    }

    fn run(&self, hook: usize, verdict: &mut Verdict) -> Attempt<()> {
        self.hook(hook, verdict)
    }
}
