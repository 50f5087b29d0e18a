//! A representation of which each part is read when it is first asked for, from a file or from memory.

use std::path::Path;
use std::sync::OnceLock;

use serde::de::DeserializeOwned;

use super::file::{HookSection, Section, Sections, Settings};
use super::{Check, Definition, Document, Hook, Message, Representation, Table, Text};
use crate::failure::{Attempt, Failure};
use crate::library;
use crate::pattern::Pattern;
use crate::program::Catalog;
use crate::signature::Function;

/// A catalog as it runs. What is asked for lasts as long as the archive, which is why evaluators want one that lasts as
/// long as the process.
#[derive(Debug)]
pub struct Archive {
    sections: Option<Sections>,
    catalog: Catalog,
    settings: Part<Settings>,
    functions: Part<Vec<Option<&'static Function>>>,
    patterns: Part<Vec<Pattern>>,
    tables: Vec<Part<Table>>,
    facts: Vec<Part<Definition>>,
    documents: Vec<Part<Document>>,
    messages: Vec<Part<Message>>,
    hooks: Vec<Part<HookParts>>,
}

/// A hook: its gate, and how many definitions and checks it has.
#[derive(Debug)]
pub struct HookParts {
    gate: Option<Text>,
    definitions: Vec<Part<Definition>>,
    checks: Vec<Part<Check>>,
}

/// A part, and where it is read from if it is not there.
#[derive(Debug)]
struct Part<T> {
    value: OnceLock<T>,
    section: Section,
}

impl<T> Part<T> {
    fn known(value: T) -> Self {
        Self { value: OnceLock::from(value), section: Section::default() }
    }

    fn at(section: Section) -> Self {
        Self { value: OnceLock::new(), section }
    }

    /// The part, made from what the file holds. A failure is not remembered.
    fn get<S: DeserializeOwned>(&self, sections: Option<&Sections>, make: impl FnOnce(S) -> T) -> Attempt<&T> {
        if let Some(value) = self.value.get() {
            return Ok(value);
        }
        let sections = sections.ok_or_else(|| Failure::Catalog("a part of the catalog is missing".to_owned()))?;
        let value = make(sections.decode(&self.section)?);
        Ok(self.value.get_or_init(|| value))
    }
}

fn known<T>(values: Vec<T>) -> Vec<Part<T>> {
    values.into_iter().map(Part::known).collect()
}

fn at<T>(sections: Vec<Section>) -> Vec<Part<T>> {
    sections.into_iter().map(Part::at).collect()
}

impl Archive {
    /// A representation that is all there.
    pub fn of(whole: Representation) -> Self {
        let settings = Settings { config_file: whole.config_file, dev_mode_file: whole.dev_mode_file };
        Self {
            sections: None,
            catalog: whole.catalog,
            settings: Part::known(settings),
            functions: Part::known(found(&whole.functions)),
            patterns: Part::known(whole.patterns.into_iter().map(Pattern::from).collect()),
            tables: known(whole.tables),
            facts: known(whole.facts),
            documents: known(whole.documents),
            messages: known(whole.messages),
            hooks: whole.hooks.into_iter().map(|hook| Part::known(HookParts::of(hook))).collect(),
        }
    }

    /// The representation in a file. Its index and its constants are read at once, all else when it is asked for.
    pub fn open(path: &Path) -> Attempt<Self> {
        let (sections, index) = Sections::open(path)?;
        Ok(Self {
            catalog: sections.decode(&index.catalog)?,
            settings: Part::at(index.settings),
            functions: Part::at(index.functions),
            patterns: Part::at(index.patterns),
            tables: at(index.tables),
            facts: at(index.facts),
            documents: at(index.documents),
            messages: at(index.messages),
            hooks: at(index.hooks),
            sections: Some(sections),
        })
    }

    /// The constants that the engine itself needs.
    pub fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// Where operators' settings are.
    pub fn config_file(&self) -> Attempt<Option<&Text>> {
        Ok(self.settings()?.config_file.as_ref())
    }

    /// The file that switches the hooks off while it is there.
    pub fn dev_mode_file(&self) -> Attempt<Option<&Text>> {
        Ok(self.settings()?.dev_mode_file.as_ref())
    }

    fn settings(&self) -> Attempt<&Settings> {
        self.settings.get(self.sections.as_ref(), |settings| settings)
    }

    /// The library function at that place.
    pub fn function(&self, place: usize) -> Attempt<&'static Function> {
        let functions = self.functions.get(self.sections.as_ref(), |names: Vec<String>| found(&names))?;
        functions.get(place).copied().flatten().ok_or_else(|| self.lacks("function that this engine knows", place))
    }

    /// The regular expression at that place.
    pub fn pattern(&self, place: usize) -> Attempt<&Pattern> {
        let make = |patterns: Vec<String>| patterns.into_iter().map(Pattern::from).collect();
        let patterns: &Vec<Pattern> = self.patterns.get(self.sections.as_ref(), make)?;
        patterns.get(place).ok_or_else(|| self.lacks("pattern", place))
    }

    /// How many constant tables there are.
    pub fn tables(&self) -> usize {
        self.tables.len()
    }

    /// The table at that place.
    pub fn table(&self, place: usize) -> Attempt<&Table> {
        self.part("table", &self.tables, place)
    }

    /// How many facts there are.
    pub fn facts(&self) -> usize {
        self.facts.len()
    }

    /// The fact at that place.
    pub fn fact(&self, place: usize) -> Attempt<&Definition> {
        self.part("fact", &self.facts, place)
    }

    /// The document at that place.
    pub fn document(&self, place: usize) -> Attempt<&Document> {
        self.part("document", &self.documents, place)
    }

    /// The message at that place.
    pub fn message(&self, place: usize) -> Attempt<&Message> {
        self.part("message", &self.messages, place)
    }

    /// How many hooks there are.
    pub fn hooks(&self) -> usize {
        self.hooks.len()
    }

    /// The hook at that place.
    pub fn hook(&self, place: usize) -> Attempt<&HookParts> {
        let hook = self.hooks.get(place).ok_or_else(|| self.lacks("hook", place))?;
        hook.get(self.sections.as_ref(), HookParts::at)
    }

    /// A definition of the hook at that place.
    pub fn definition(&self, hook: usize, place: usize) -> Attempt<&Definition> {
        self.part("definition", &self.hook(hook)?.definitions, place)
    }

    /// A check of the hook at that place.
    pub fn check(&self, hook: usize, place: usize) -> Attempt<&Check> {
        self.part("check", &self.hook(hook)?.checks, place)
    }

    fn part<'a, T: DeserializeOwned>(&'a self, kind: &str, parts: &'a [Part<T>], place: usize) -> Attempt<&'a T> {
        let part = parts.get(place).ok_or_else(|| self.lacks(kind, place))?;
        part.get(self.sections.as_ref(), |value| value)
    }

    pub(crate) fn lacks(&self, kind: &str, place: usize) -> Failure {
        Failure::Catalog(format!("the file of {} has no {kind} {place}", self.catalog.name))
    }
}

impl HookParts {
    fn of(hook: Hook) -> Self {
        Self { gate: hook.gate, definitions: known(hook.lets), checks: known(hook.checks) }
    }

    fn at(section: HookSection) -> Self {
        Self { gate: section.gate, definitions: at(section.definitions), checks: at(section.checks) }
    }

    /// Whether it applies at all.
    pub fn gate(&self) -> Option<&Text> {
        self.gate.as_ref()
    }

    /// How many definitions it has.
    pub fn definitions(&self) -> usize {
        self.definitions.len()
    }

    /// How many checks it has.
    pub fn checks(&self) -> usize {
        self.checks.len()
    }
}

/// The functions of these names; none for a name that a newer library has.
fn found(names: &[String]) -> Vec<Option<&'static Function>> {
    names.iter().map(|name| library::by_symbol(name)).collect()
}
