//! The catalog as written to the catalog as meant.
//!
//! 1. Names: every declaration is usable, unique, and hides nothing.
//! 2. Settings: flags, thresholds, tables, documents, messages and facts, each resolved once, on demand, so that they
//!    may stand in any order; a definition that comes back to itself is a cycle.
//! 3. Hooks: event, matcher and handler fields; the gate, the definitions and the checks, typed against the payload
//!    that event and matcher allow.
//! 4. Uses: what each hook reads and writes, through everything it refers to, and whether its event has all that
//!    those things want to know of it.
//!
//! Every stage collects its diagnostics and goes on. The result exists only if nothing was wrong.

mod agents;
mod asked;
mod call;
mod cases;
mod chosen;
mod defined;
pub mod document_effect;
mod effect;
mod foreign;
mod handler;
mod hook;
mod matcher;
mod member;
mod names;
pub(crate) mod over;
pub mod past;
pub mod reach;
mod readme;
mod rows;
pub(crate) mod rules;
mod session_effect;
mod settings;
mod shared;
mod typing;
pub mod uses;

pub use asked::{Asked, Fields};
#[cfg(test)]
pub(crate) use call::BUILT_IN;
pub use defined::Body;
pub(crate) use matcher::read as read_matcher;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use crate::catalog;
use crate::diagnostic::{Code, Diagnostic};
use crate::document::{Document, Pointer};
use crate::model::{self, Type};

/// Resolves a catalog.
pub fn resolve(document: &Document, written: &catalog::Catalog, digest: &str) -> Result<Resolved, Vec<Diagnostic>> {
    resolve_asked(document, written, digest, None)
}

/// Resolves a catalog together with an expression that somebody asks about, which becomes its last fact, or the last
/// definition of the hook that it is asked in.
pub fn resolve_asked(
    document: &Document,
    written: &catalog::Catalog,
    digest: &str,
    asked: Option<&Asked>,
) -> Result<Resolved, Vec<Diagnostic>> {
    let resolver = Resolver { asked, ..Resolver::new(document, written) };
    resolver.check_names();
    let catalog = resolver.catalog(digest);
    let problems = resolver.problems.into_inner();
    match catalog {
        Some(catalog) if !problems.iter().any(Diagnostic::is_error) => {
            Ok(Resolved { catalog, warnings: problems, bodies: resolver.bodies.into_inner() })
        }
        _ => Err(problems),
    }
}

/// What is wrong with a catalog beside the shape of the unsound hooks, which stand in it by name only.
pub fn problems(document: &Document, written: &catalog::Catalog, unsound: &BTreeSet<usize>) -> Vec<Diagnostic> {
    let resolver = Resolver { unsound: unsound.clone(), ..Resolver::new(document, written) };
    resolver.check_names();
    resolver.catalog("");
    resolver.problems.into_inner().into_iter().filter(Diagnostic::is_error).collect()
}

/// A catalog without errors, and what is odd about it all the same.
pub struct Resolved {
    pub catalog: model::Catalog,
    pub warnings: Vec<Diagnostic>,
    /// Definitions with parameters where they stand, as their first call means them.
    pub bodies: Vec<Body>,
}

/// The state of one resolution.
struct Resolver<'a> {
    document: &'a Document,
    written: &'a catalog::Catalog,
    /// What somebody wants to know.
    asked: Option<&'a Asked>,
    /// Places of hooks of which only the names are known.
    unsound: BTreeSet<usize>,
    problems: RefCell<Vec<Diagnostic>>,
    facts: RefCell<BTreeMap<String, Slot<model::Fact>>>,
    documents: RefCell<BTreeMap<String, Slot<model::Document>>>,
    messages: RefCell<BTreeMap<String, Slot<model::Message>>>,
    /// Definitions under way, outermost first.
    stack: RefCell<Vec<Definition>>,
    /// Definitions with parameters whose bodies are under way, by their place.
    calls: RefCell<Vec<String>>,
    /// Those that somebody calls.
    called: RefCell<BTreeSet<String>>,
    /// Those that are wrong for arguments of some types: told once.
    unsound_calls: RefCell<BTreeSet<(String, String)>>,
    bodies: RefCell<Vec<Body>>,
}

/// Something that is resolved once, on demand.
enum Slot<T> {
    Done(T),
    Failed,
}

/// A definition that may depend on others.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Definition {
    /// `facts`, `documents` or `messages`: the key in the catalog.
    section: &'static str,
    name: String,
}

impl<'a> Resolver<'a> {
    fn new(document: &'a Document, written: &'a catalog::Catalog) -> Self {
        Self {
            document,
            written,
            asked: None,
            unsound: BTreeSet::new(),
            problems: RefCell::default(),
            facts: RefCell::default(),
            documents: RefCell::default(),
            messages: RefCell::default(),
            stack: RefCell::default(),
            calls: RefCell::default(),
            called: RefCell::default(),
            unsound_calls: RefCell::default(),
            bodies: RefCell::default(),
        }
    }

    /// Of a hook on several events, what all of them find at one place is told once.
    fn report(&self, diagnostic: Diagnostic) {
        let mut problems = self.problems.borrow_mut();
        if !problems.contains(&diagnostic) {
            problems.push(diagnostic);
        }
    }

    fn catalog(&self, digest: &str) -> Option<model::Catalog> {
        let written = self.written;
        for name in written.facts.keys().filter(|name| defined::signature(name).is_none()) {
            self.fact_type(name);
        }
        for (key, source) in &written.facts {
            let at = Pointer::root().key("facts").key(key);
            let callable = defined::Callable { key: key.clone(), source: source.0.clone(), at, before: None };
            self.callable(&callable, &typing::Scope::shared(self));
        }
        for name in written.documents.keys() {
            self.with_document(name, |_| ());
        }
        for name in written.messages.keys() {
            self.message_exists(name);
        }
        for name in written.worlds.iter().filter(|(_, world)| !world.worlds.is_empty()).map(|(name, _)| name) {
            let at = Pointer::root().key("worlds").key(name).key("worlds");
            self.report(
                Diagnostic::error(Code::BadValue, format!("world `{name}` is built on others"))
                    .primary(self.document.key(&at), "only a case puts worlds together")
                    .help("name all of them in the case, one after the other"),
            );
        }
        let config_file = written.config.as_ref().map(|config| self.common_template(&config.file, &["config", "file"]));
        let dev_mode_file =
            written.dev_mode.as_ref().map(|mode| self.common_template(&mode.file, &["dev_mode", "file"]));
        let documents = written.guard.as_ref().and_then(catalog::Guard::documents).unwrap_or_default();
        for (number, name) in documents.iter().enumerate() {
            let at = self.document.at(&Pointer::root().key("guard").key("documents").index(number));
            self.known("document", name, written.documents.keys(), at);
        }
        let sound = |(position, hook)| if self.unsound.contains(&position) { None } else { self.hook(position, hook) };
        let hooks: Vec<Option<model::Hook>> = written.hooks.iter().enumerate().map(sound).collect();
        let breaker = written.breaker.as_ref().and_then(|breaker| self.breaker(breaker));
        // All of them before the first `?`, so that nothing wrong with one hides what is wrong with another.
        let (flags, choices, thresholds) = (self.flags(), self.choices(), self.thresholds());
        let facts = written.facts.iter().filter(|(name, _)| defined::signature(name).is_none());
        let facts: catalog::Ordered<()> = facts.map(|(name, _)| (name.clone(), ())).collect();
        let mut catalog = model::Catalog {
            name: written.catalog.clone(),
            version: written.version.clone(),
            description: written.description.trim().to_owned(),
            author: written.author.clone(),
            license: written.license.clone(),
            readme: self.readme(),
            changes: written.changes.clone().into_iter().collect(),
            binary: written.binary.clone().unwrap_or_else(|| format!("{}-hooks", written.catalog)),
            source: self.document.source().path().to_string(),
            files: self.document.others().map(ToString::to_string).collect(),
            off: written.off.clone().into_iter().collect(),
            digest: digest.to_owned(),
            denial: written.contract.denial,
            bang_escapes: written.contract.bang_escapes,
            dispatch: written.dispatch,
            config_file: transpose(config_file)?,
            refused: self.refused(),
            dev_mode_file: transpose(dev_mode_file)?,
            guard: written.guard.clone(),
            agents: written.agents.iter().map(|agent| agent.0).collect(),
            platforms: written.platforms.clone(),
            instead: written.instead,
            breaker,
            fail_open_notice: written.log.fail_open_notice,
            verbose_env: written.log.verbose_env.clone(),
            flags,
            choices,
            thresholds,
            data: self.data(),
            facts: take(&self.facts, &facts)?,
            callables: self.callables(&written.facts, &Pointer::root().key("facts")),
            documents: take(&self.documents, &written.documents)?,
            counters: self.counters(),
            history: self.history(),
            messages: take(&self.messages, &written.messages)?,
            hooks: hooks.into_iter().collect::<Option<_>>()?,
        };
        self.fill_uses(&mut catalog);
        self.check_agents(&catalog);
        self.rules(&catalog);
        if let Some(asked) = self.asked.filter(|asked| asked.hook.is_none()) {
            catalog.facts.push(self.asked_fact(asked, &asked.scope(self))?);
        }
        Some(catalog)
    }

    /// The definitions with parameters among others, in the order of the file.
    fn callables(&self, written: &catalog::Ordered<catalog::Expression>, at: &Pointer) -> Vec<model::Callable> {
        let keys = written.iter().filter(|(key, _)| defined::signature(key).is_some());
        keys.map(|(key, source)| model::Callable {
            key: key.clone(),
            source: source.0.trim_end().to_owned(),
            used: self.called.borrow().contains(&at.key(key).to_string()),
        })
        .collect()
    }

    fn breaker(&self, breaker: &catalog::Breaker) -> Option<String> {
        let at = Pointer::root().key("breaker").key("after");
        self.known("threshold", &breaker.after, self.written.thresholds.keys(), self.document.at(&at))
            .then(|| breaker.after.clone())
    }

    /// Whether a reference has something to refer to; reports it if not.
    fn known<'n>(
        &self,
        kind: &str,
        name: &str,
        declared: impl Iterator<Item = &'n String> + Clone,
        location: crate::source::Location,
    ) -> bool {
        if declared.clone().any(|known| known == name) {
            return true;
        }
        let near = crate::diagnostic::did_you_mean(name, declared.clone().map(String::as_str));
        let help = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None if declared.clone().next().is_none() => format!("the catalog declares no {kind}"),
            None => format!("declare it, or use one of: {}", declared.cloned().collect::<Vec<_>>().join(", ")),
        };
        self.report(
            Diagnostic::error(Code::UnknownName, format!("there is no {kind} named `{name}`"))
                .primary(location, "not declared")
                .help(help),
        );
        false
    }

    /// Runs a definition, unless it is already under way: then it depends on itself.
    fn define<T>(&self, definition: Definition, run: impl FnOnce() -> Option<T>) -> Option<T> {
        if let Some(start) = self.stack.borrow().iter().position(|under_way| *under_way == definition) {
            let stack = self.stack.borrow();
            let way: Vec<&str> = stack[start..].iter().map(|step| step.name.as_str()).collect();
            let at = Pointer::root().key(definition.section).key(&definition.name);
            self.report(
                Diagnostic::error(Code::Cycle, format!("`{}` depends on itself", definition.name))
                    .primary(self.document.key(&at), "defined in terms of itself")
                    .help(format!("break the circle {} → {}", way.join(" → "), definition.name)),
            );
            return None;
        }
        self.stack.borrow_mut().push(definition);
        let result = run();
        self.stack.borrow_mut().pop();
        result
    }
}

/// `Some(None)` is a failure that was reported; `None` is absence.
fn transpose<T>(value: Option<Option<T>>) -> Option<Option<T>> {
    match value {
        Some(None) => None,
        Some(Some(value)) => Some(Some(value)),
        None => Some(None),
    }
}

/// The resolved definitions in the order of the file.
fn take<T, W>(slots: &RefCell<BTreeMap<String, Slot<T>>>, written: &catalog::Ordered<W>) -> Option<Vec<T>> {
    let mut slots = slots.borrow_mut();
    written
        .keys()
        .map(|name| match slots.remove(name) {
            Some(Slot::Done(value)) => Some(value),
            _ => None,
        })
        .collect()
}

/// The type that a library signature's constant stands for; `element` is the receiver's.
fn signature_type(ty: hookgen_runtime::signature::Type, element: &Type) -> Type {
    use hookgen_runtime::signature::Type as Signature;
    match ty {
        Signature::Bool => Type::Bool,
        Signature::Int => Type::Int,
        Signature::Double => Type::Double,
        Signature::Text | Signature::Pattern => Type::Text,
        Signature::Any => Type::Any,
        Signature::List(of) => Type::List(Box::new(signature_type(*of, element))),
        Signature::Map(of) => Type::Map(Box::new(signature_type(*of, element))),
        Signature::Entry(of) => Type::Entry(Box::new(signature_type(*of, element))),
        Signature::Element => element.clone(),
        Signature::Object(object) => Type::Object(object),
    }
}
