//! What is called what in the generated crate, and where it stands.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use hookgen_runtime::representation::{Hook, Representation};

use super::format::comment;
use super::names::{constants, variables};
use super::used::Used;
use crate::bug::Bug;
use crate::emit::visible;

/// A catalog on its way into Rust.
pub(super) struct Crate<'r> {
    pub(super) representation: &'r Representation,
    pub(super) names: CrateNames,
    pub(super) used: Used,
}

/// The Rust names of everything that has a name in the catalog, by place.
pub(super) struct CrateNames {
    pub(super) flags: Vec<Ident>,
    pub(super) choices: Vec<Ident>,
    pub(super) thresholds: Vec<Ident>,
    pub(super) tables: Vec<Ident>,
    pub(super) facts: Vec<Ident>,
    pub(super) documents: Vec<Ident>,
    pub(super) messages: Vec<Ident>,
    /// Modules.
    pub(super) hooks: Vec<Ident>,
    /// The definitions of each hook.
    pub(super) lets: Vec<Vec<Ident>>,
}

/// Names of settings, which the representation itself does not need.
pub(super) struct Settings {
    pub(super) flags: Vec<String>,
    pub(super) choices: Vec<String>,
    pub(super) thresholds: Vec<String>,
}

impl<'r> Crate<'r> {
    pub(super) fn new(representation: &'r Representation, settings: &Settings) -> Self {
        let documents = representation.documents.iter().map(|document| match document.owner {
            Some(hook) => format!("{}_{}", id(representation, hook), document.spec.name),
            None => document.spec.name.to_string(),
        });
        let documents: Vec<String> = documents.collect();
        let modules: Vec<String> = representation
            .hooks
            .iter()
            .enumerate()
            .map(|(place, hook)| format!("{}_{}", id(representation, place), hook.name))
            .collect();
        let names = CrateNames {
            flags: constants(settings.flags.iter().map(String::as_str)),
            choices: constants(settings.choices.iter().map(String::as_str)),
            thresholds: constants(settings.thresholds.iter().map(String::as_str)),
            tables: constants(representation.tables.iter().map(|table| table.name.as_str())),
            facts: variables(representation.facts.iter().map(|fact| fact.name.as_str()), TAKEN_BY_FACTS),
            documents: variables(documents.iter().map(String::as_str), &[]),
            messages: variables(representation.messages.iter().map(|message| message.name.as_str()), &[]),
            hooks: variables(modules.iter().map(String::as_str), &[]),
            lets: representation
                .hooks
                .iter()
                .map(|hook| variables(hook.lets.iter().map(|own| own.name.as_str()), &[]))
                .collect(),
        };
        Self { representation, names, used: Used::of(representation) }
    }

    pub(super) fn hook(&self, place: usize) -> Result<&'r Hook, Bug> {
        self.representation.hooks.get(place).ok_or_else(|| Bug::new(format!("there is no hook {place}")))
    }
}

/// What the type of the facts has besides them.
const TAKEN_BY_FACTS: &[&str] = &["config_file", "dev_mode", "run"];

fn id(representation: &Representation, hook: usize) -> String {
    representation.catalog.hooks.get(hook).map(|hook| hook.id.to_lowercase()).unwrap_or_default()
}

/// A comment that survives the formatter.
pub(super) fn remark(text: &str) -> Result<TokenStream, Bug> {
    comment(text).parse().map_err(|error| Bug::new(format!("a comment is no comment: {error}")))
}

/// Documentation, line by line.
pub(super) fn documentation(text: &str) -> TokenStream {
    let lines = visible::lines(text).into_iter().map(|line| {
        let line = format!(" {line}");
        let line = line.trim_end();
        quote!(#[doc = #line])
    });
    lines.collect()
}
