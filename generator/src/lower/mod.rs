//! The catalog as meant to the catalog as it runs: all thinking ends here.
//!
//! Names become indices, and every coercion, every rule about paths and every meaning of an operator becomes a node of
//! its own. What comes out is printed as Rust and evaluated as it is; neither has anything left to decide.

mod expression;
mod hook;
mod settings;

use std::cell::RefCell;

use hookgen_runtime::representation::{self, Definition, Document, Message, Representation, Text};

use crate::bug::Bug;
use crate::model::{self, Kind};

/// What a catalog runs as.
pub fn lower(catalog: &model::Catalog) -> Result<Representation, Bug> {
    Lowering { catalog, functions: RefCell::default(), patterns: RefCell::default() }.representation()
}

/// The hooks that the binary runs; the others are the client's to ask a model or a service.
pub fn command_hooks(catalog: &model::Catalog) -> impl Iterator<Item = &model::Hook> {
    catalog.hooks.iter().filter(|hook| hook.kind == Kind::Command)
}

/// The tables that grow while expressions are looked at.
struct Lowering<'c> {
    catalog: &'c model::Catalog,
    functions: RefCell<Vec<String>>,
    patterns: RefCell<Vec<String>>,
}

impl Lowering<'_> {
    fn representation(&self) -> Result<Representation, Bug> {
        let catalog = self.catalog;
        let shared = Scope { hook: None, spends: &[] };
        let file =
            |file: &Option<model::Template>| file.as_ref().map(|file| self.path(file, None, &shared)).transpose();
        let (config_file, dev_mode_file) = (file(&catalog.config_file)?, file(&catalog.dev_mode_file)?);
        let facts = self.definitions(&catalog.facts, &shared)?;
        let documents = self.documents()?;
        let messages = catalog
            .messages
            .iter()
            .map(|message| {
                let text = self.template(&message.template, &shared)?;
                Ok(Message { name: message.name.clone(), text })
            })
            .collect::<Result<_, Bug>>()?;
        let hooks = command_hooks(catalog).map(|hook| self.hook(hook)).collect::<Result<Vec<_>, Bug>>()?;
        let tables = catalog.data.iter().map(settings::table).collect::<Result<_, Bug>>()?;
        let mut whole = Representation {
            catalog: self.constants()?,
            config_file,
            dev_mode_file,
            functions: self.functions.take(),
            patterns: self.patterns.take(),
            tables,
            facts,
            documents,
            messages,
            hooks,
        };
        settings::mark_acting(&mut whole);
        Ok(whole)
    }

    fn definitions(&self, facts: &[model::Fact], scope: &Scope<'_>) -> Result<Vec<Definition>, Bug> {
        facts
            .iter()
            .map(|fact| {
                let text = Text { source: fact.source.clone(), value: self.expression(&fact.expr, scope)? };
                Ok(Definition { name: fact.name.clone(), text })
            })
            .collect()
    }

    /// The catalog's documents, then those of each hook.
    fn documents(&self) -> Result<Vec<Document>, Bug> {
        let shared = self.catalog.documents.iter().map(|document| (None, document));
        let own = command_hooks(self.catalog)
            .enumerate()
            .flat_map(|(place, hook)| hook.documents.iter().map(move |document| (Some((place, hook)), document)));
        shared
            .chain(own)
            .map(|(owner, document)| {
                let scope = Scope { hook: owner.map(|(_, hook)| hook), spends: &[] };
                Ok(Document {
                    spec: settings::document(document),
                    owner: owner.map(|(place, _)| place),
                    path: self.path(&document.path, document.when.as_ref(), &scope)?,
                })
            })
            .collect()
    }

    /// The place of a document in the representation: the hook's own first.
    fn document(&self, name: &str, scope: &Scope<'_>) -> Result<usize, Bug> {
        let mut before = self.catalog.documents.len();
        if let Some(owner) = scope.hook {
            for hook in command_hooks(self.catalog) {
                if hook.id != owner.id {
                    before += hook.documents.len();
                    continue;
                }
                if let Some(place) = hook.documents.iter().position(|document| document.name == name) {
                    return Ok(before + place);
                }
                break;
            }
        }
        place(&self.catalog.documents, name, |document| &document.name)
    }

    fn function(&self, symbol: &str) -> usize {
        entered(&mut self.functions.borrow_mut(), symbol)
    }

    fn pattern(&self, pattern: &str) -> usize {
        entered(&mut self.patterns.borrow_mut(), pattern)
    }
}

/// What an expression can refer to beside the catalog's own names.
struct Scope<'s> {
    hook: Option<&'s model::Hook>,
    /// The hook's spends, in order.
    spends: &'s [String],
}

/// The place of a text in a table, where it is entered if need be.
fn entered(table: &mut Vec<String>, text: &str) -> usize {
    table.iter().position(|known| known == text).unwrap_or_else(|| {
        table.push(text.to_owned());
        table.len() - 1
    })
}

/// The place of the thing with that name.
fn place<T>(things: &[T], name: &str, named: impl Fn(&T) -> &String) -> Result<usize, Bug> {
    things.iter().position(|thing| named(thing) == name).ok_or_else(|| Bug::new(format!("nothing is called `{name}`")))
}

/// A type of the language as the type of its values.
fn value_type(ty: &model::Type) -> representation::Type {
    use representation::Type;
    match ty {
        model::Type::Bool => Type::Bool,
        model::Type::Int => Type::Int,
        model::Type::Double => Type::Double,
        model::Type::Text => Type::Text,
        model::Type::Null | model::Type::Any => Type::Node,
        model::Type::Map(_) | model::Type::Record(_) => Type::Record,
        model::Type::List(of) => value_type(of).list(),
        model::Type::Entry(of) => Type::Entry(Box::new(value_type(of))),
        model::Type::Numbered(of) => Type::Numbered(Box::new(value_type(of))),
        model::Type::Object(object) => Type::Object(object.name.to_owned()),
    }
}
