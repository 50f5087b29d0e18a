//! A representation of which each part is read when it is first asked for, from a file or from memory.

use std::path::Path;
use std::sync::OnceLock;

use serde::Serialize;
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
    /// Where what this one does not have is found.
    base: Option<&'static Archive>,
    /// `None` where it is the base's.
    catalog: Option<Catalog>,
    settings: Part<Settings>,
    functions: Part<Vec<Option<&'static Function>>>,
    patterns: Part<Vec<Pattern>>,
    tables: Vec<Part<Table>>,
    facts: Vec<Part<Definition>>,
    documents: Vec<Part<Document>>,
    messages: Vec<Part<Message>>,
    hooks: Vec<Part<HookParts>>,
}

/// A part that takes the place of another.
#[derive(Debug)]
pub enum Patch {
    /// The constants.
    Catalog(Catalog),
    /// The table at that place.
    Table(usize, Table),
    /// The fact at that place.
    Fact(usize, Definition),
    /// The document at that place.
    Document(usize, Document),
    /// The message at that place.
    Message(usize, Message),
    /// Whether the hook at that place applies at all.
    Gate(usize, Option<Text>),
    /// A definition of the hook at that place.
    Definition(usize, usize, Definition),
    /// Checks of the hook at that place.
    Checks(usize, Vec<(usize, Check)>),
    /// More regular expressions, behind those that there are.
    Patterns(Vec<String>),
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

    fn is_known(&self) -> bool {
        self.value.get().is_some()
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

/// Parts that are the base's.
fn absent<T>(count: usize) -> Vec<Part<T>> {
    (0..count).map(|_| Part::at(Section::default())).collect()
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
            base: None,
            catalog: Some(whole.catalog),
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
            catalog: Some(sections.decode(&index.catalog)?),
            settings: Part::at(index.settings),
            functions: Part::at(index.functions),
            patterns: Part::at(index.patterns),
            tables: at(index.tables),
            facts: at(index.facts),
            documents: at(index.documents),
            messages: at(index.messages),
            hooks: at(index.hooks),
            sections: Some(sections),
            base: None,
        })
    }

    /// The same catalog with one part in the place of another. All others are shared, so that many such catalogs take
    /// little more than one.
    pub fn with(base: &'static Self, change: Patch) -> Attempt<Self> {
        fn put<T>(parts: &mut [Part<T>], place: usize, value: T) {
            if let Some(part) = parts.get_mut(place) {
                *part = Part::known(value);
            }
        }
        let mut changed = Self {
            sections: None,
            base: Some(base),
            catalog: None,
            settings: Part::at(Section::default()),
            functions: Part::at(Section::default()),
            patterns: Part::at(Section::default()),
            tables: absent(base.tables.len()),
            facts: absent(base.facts.len()),
            documents: absent(base.documents.len()),
            messages: absent(base.messages.len()),
            hooks: absent(base.hooks.len()),
        };
        match change {
            Patch::Catalog(catalog) => changed.catalog = Some(catalog),
            Patch::Table(place, table) => put(&mut changed.tables, place, table),
            Patch::Fact(place, fact) => put(&mut changed.facts, place, fact),
            Patch::Document(place, document) => put(&mut changed.documents, place, document),
            Patch::Message(place, message) => put(&mut changed.messages, place, message),
            Patch::Gate(place, gate) => {
                let hook = base.hook(place)?;
                put(&mut changed.hooks, place, HookParts { gate, ..hook.shadow() });
            }
            Patch::Definition(place, number, definition) => {
                let mut hook = base.hook(place)?.shadow();
                put(&mut hook.definitions, number, definition);
                put(&mut changed.hooks, place, hook);
            }
            Patch::Checks(place, checks) => {
                let mut hook = base.hook(place)?.shadow();
                for (number, check) in checks {
                    put(&mut hook.checks, number, check);
                }
                put(&mut changed.hooks, place, hook);
            }
            Patch::Patterns(more) => {
                let known = (0..).map_while(|place| base.pattern(place).ok()).map(|known| known.source().to_owned());
                changed.patterns = Part::known(known.chain(more).map(Pattern::from).collect());
            }
        }
        Ok(changed)
    }

    /// A copy of the constants, to be changed.
    pub fn catalog_copy(&self) -> Attempt<Catalog> {
        copy_of(self.catalog())
    }

    /// The constants that the engine itself needs.
    pub fn catalog(&self) -> &Catalog {
        static NONE: Catalog = Catalog::empty("");
        match (&self.catalog, self.base) {
            (Some(catalog), _) => catalog,
            (None, Some(base)) => base.catalog(),
            (None, None) => &NONE,
        }
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
        if let Some(base) = self.base {
            return base.settings();
        }
        self.settings.get(self.sections.as_ref(), |settings| settings)
    }

    /// The library function at that place.
    pub fn function(&self, place: usize) -> Attempt<&'static Function> {
        if let Some(base) = self.base {
            return base.function(place);
        }
        let functions = self.functions.get(self.sections.as_ref(), |names: Vec<String>| found(&names))?;
        functions.get(place).copied().flatten().ok_or_else(|| self.lacks("function that this engine knows", place))
    }

    /// The regular expression at that place.
    pub fn pattern(&self, place: usize) -> Attempt<&Pattern> {
        if let Some(base) = self.base.filter(|_| !self.patterns.is_known()) {
            return base.pattern(place);
        }
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
        self.part("table", |archive| &archive.tables, place)
    }

    /// How many facts there are.
    pub fn facts(&self) -> usize {
        self.facts.len()
    }

    /// The fact at that place.
    pub fn fact(&self, place: usize) -> Attempt<&Definition> {
        self.part("fact", |archive| &archive.facts, place)
    }

    /// How many documents there are.
    pub fn documents(&self) -> usize {
        self.documents.len()
    }

    /// The document at that place.
    pub fn document(&self, place: usize) -> Attempt<&Document> {
        self.part("document", |archive| &archive.documents, place)
    }

    /// How many messages there are.
    pub fn messages(&self) -> usize {
        self.messages.len()
    }

    /// The message at that place.
    pub fn message(&self, place: usize) -> Attempt<&Message> {
        self.part("message", |archive| &archive.messages, place)
    }

    /// How many hooks there are.
    pub fn hooks(&self) -> usize {
        self.hooks.len()
    }

    /// The hook at that place.
    pub fn hook(&self, place: usize) -> Attempt<&HookParts> {
        let hook = self.hooks.get(place).ok_or_else(|| self.lacks("hook", place))?;
        match self.base.filter(|_| !hook.is_known()) {
            Some(base) => base.hook(place),
            None => hook.get(self.sections.as_ref(), HookParts::at),
        }
    }

    /// A definition of the hook at that place.
    pub fn definition(&self, hook: usize, place: usize) -> Attempt<&Definition> {
        self.of_hook("definition", hook, |hook| &hook.definitions, place)
    }

    /// A check of the hook at that place.
    pub fn check(&self, hook: usize, place: usize) -> Attempt<&Check> {
        self.of_hook("check", hook, |hook| &hook.checks, place)
    }

    fn part<T: DeserializeOwned>(&self, kind: &str, of: fn(&Self) -> &Vec<Part<T>>, place: usize) -> Attempt<&T> {
        let part = of(self).get(place).ok_or_else(|| self.lacks(kind, place))?;
        match self.base.filter(|_| !part.is_known()) {
            Some(base) => base.part(kind, of, place),
            None => part.get(self.sections.as_ref(), |value| value),
        }
    }

    fn of_hook<T: DeserializeOwned>(
        &self,
        kind: &str,
        hook: usize,
        of: fn(&HookParts) -> &Vec<Part<T>>,
        place: usize,
    ) -> Attempt<&T> {
        let part = of(self.hook(hook)?).get(place).ok_or_else(|| self.lacks(kind, place))?;
        match self.base.filter(|_| !part.is_known()) {
            Some(base) => base.of_hook(kind, hook, of, place),
            None => part.get(self.sections.as_ref(), |value| value),
        }
    }

    pub(crate) fn lacks(&self, kind: &str, place: usize) -> Failure {
        Failure::Catalog(format!("the file of {} has no {kind} {place}", self.catalog().name))
    }
}

impl HookParts {
    fn of(hook: Hook) -> Self {
        Self { gate: hook.gate, definitions: known(hook.lets), checks: known(hook.checks) }
    }

    /// The same without anything of its own but the gate.
    fn shadow(&self) -> Self {
        let (definitions, checks) = (absent(self.definitions.len()), absent(self.checks.len()));
        Self { gate: self.gate.clone(), definitions, checks }
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

/// A copy of something that travels in files.
fn copy_of<T: Serialize + DeserializeOwned>(original: &T) -> Attempt<T> {
    let copied = postcard::to_stdvec(original).and_then(|bytes| postcard::from_bytes(&bytes));
    copied.map_err(|error| Failure::Catalog(format!("a part of the catalog cannot be copied: {error}")))
}

/// The functions of these names; none for a name that a newer library has.
fn found(names: &[String]) -> Vec<Option<&'static Function>> {
    names.iter().map(|name| library::by_symbol(name)).collect()
}
