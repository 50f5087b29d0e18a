//! Declared names: usable in expressions, unique, hiding nothing.

use std::collections::BTreeMap;

use hookgen_runtime::Event;
use hookgen_runtime::library::{FUNCTIONS, PROPERTIES};

use super::Resolver;
use super::call::BUILT_IN;
use super::defined::bare;
use crate::catalog;
use crate::diagnostic::{Code, Diagnostic};
use crate::document::Pointer;
use crate::protocol;

/// Words that mean something in every expression.
pub(super) const RESERVED: &[&str] =
    &["env", "flags", "choices", "thresholds", "data", "messages", "true", "false", "null", "in", "has", "size"];

/// Parts that every document has, whatever its fields are.
pub(super) const DOCUMENT_PARTS: &[&str] = &["exists", "valid", "problem", "path", "size", "text", "body", "content"];

impl Resolver<'_> {
    pub(super) fn check_names(&self) {
        self.check_sections();
        self.check_bare_names();
        self.check_document_fields();
        self.check_hooks();
    }

    /// Names that follow a namespace only have to be identifiers.
    fn check_sections(&self) {
        let written = self.written;
        let sections: [(&str, Vec<&String>); 9] = [
            ("flags", written.flags.keys().collect()),
            ("choices", written.choices.keys().collect()),
            ("thresholds", written.thresholds.keys().collect()),
            ("data", written.data.keys().collect()),
            ("facts", written.facts.keys().collect()),
            ("documents", written.documents.keys().collect()),
            ("counters", written.counters.keys().collect()),
            ("history", written.history.keys().collect()),
            ("messages", written.messages.keys().collect()),
        ];
        for (section, names) in sections {
            for name in names {
                self.check_identifier(bare(name), &Pointer::root().key(section).key(name));
            }
        }
    }

    fn check_identifier(&self, name: &str, at: &Pointer) {
        let first = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if first && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            return;
        }
        self.report(
            Diagnostic::error(Code::BadName, format!("`{name}` cannot be used in an expression"))
                .primary(self.document.key(at), "not an identifier")
                .help("use letters, digits and `_`, and start with a letter"),
        );
    }

    /// Facts and documents are used by their bare name, beside the words of the language.
    fn check_bare_names(&self) {
        let mut seen: BTreeMap<&str, Pointer> = BTreeMap::new();
        let written = self.written;
        let declared = (written.facts.keys().map(|name| ("facts", name)))
            .chain(written.documents.keys().map(|name| ("documents", name)));
        for (section, name) in declared {
            let at = Pointer::root().key(section).key(name);
            let name = bare(name);
            self.check_reserved(name, &at);
            self.check_function(name, &at);
            self.check_field(name, &at, written.hooks.iter().map(|hook| hook.event.as_str()));
            if let Some(first) = seen.insert(name, at.clone()) {
                self.clash(name, &first, &at);
            }
        }
    }

    fn check_reserved(&self, name: &str, at: &Pointer) {
        let property = PROPERTIES.iter().any(|property| property.name.split('.').next() == Some(name));
        if property || RESERVED.contains(&name) {
            self.report(
                Diagnostic::error(Code::NameClash, format!("`{name}` already means something in every expression"))
                    .primary(self.document.key(at), "hides a word of the language")
                    .help("choose another name"),
            );
        }
    }

    /// A definition with parameters would never be called by the name of a function.
    fn check_function(&self, name: &str, at: &Pointer) {
        let callable = at.to_string().ends_with(')');
        let known = FUNCTIONS.iter().any(|function| function.name == name) || BUILT_IN.contains(&name);
        if callable && known {
            self.report(
                Diagnostic::error(Code::NameClash, format!("`{name}` is a function already"))
                    .primary(self.document.key(at), "could never be called")
                    .help("choose another name"),
            );
        }
    }

    /// Fields of the events that the catalog's hooks fire on stand by their own name, too.
    fn check_field<'n>(&self, name: &str, at: &Pointer, mut events: impl Iterator<Item = &'n str>) {
        let has = |event: &&Event| protocol::payload(event, None).field(name).is_some();
        if let Some(event) = events.find_map(|event| Event::named(event).filter(has)) {
            self.report(
                Diagnostic::error(Code::NameClash, format!("`{name}` is a field of the {} event", event.name))
                    .primary(self.document.key(at), "hides the field")
                    .help("choose another name"),
            );
        }
    }

    fn clash(&self, name: &str, first: &Pointer, again: &Pointer) {
        self.report(
            Diagnostic::error(Code::NameClash, format!("`{name}` is declared twice"))
                .primary(self.document.key(again), "hides the other one")
                .secondary(self.document.key(first), "first declared here")
                .help("facts, documents and definitions share one space of names"),
        );
    }

    fn check_document_fields(&self) {
        let hooks = self.written.hooks.iter().enumerate();
        let of_hooks = hooks.flat_map(|(position, hook)| {
            let place = Pointer::root().key("hooks").index(position).key("documents");
            hook.documents.iter().map(move |(name, document)| (place.key(name), document))
        });
        let of_catalog = self
            .written
            .documents
            .iter()
            .map(|(name, document)| (Pointer::root().key("documents").key(name), document));
        for (place, document) in of_catalog.chain(of_hooks) {
            for field in document.fields.keys().filter(|field| DOCUMENT_PARTS.contains(&field.as_str())) {
                let at = place.key("fields").key(field);
                self.report(
                    Diagnostic::error(Code::NameClash, format!("`{field}` is a part of every document"))
                        .primary(self.document.key(&at), "could never be read")
                        .help(format!("every document has: {}", DOCUMENT_PARTS.join(", "))),
                );
            }
        }
    }

    fn check_hooks(&self) {
        let hooks = || self.written.hooks.iter().enumerate();
        let at = |position: usize, key: &str| Pointer::root().key("hooks").index(position).key(key);
        self.check_unique("hook id", hooks().map(|(position, hook)| (hook.id.as_str(), at(position, "id"))));
        self.check_unique("hook name", hooks().map(|(position, hook)| (hook.name.as_str(), at(position, "name"))));
        for (position, hook) in hooks() {
            let place = Pointer::root().key("hooks").index(position);
            let checks = hook.checks.iter().enumerate();
            self.check_unique(
                "check id",
                checks.map(|(number, check)| (check.id.as_str(), place.key("checks").index(number).key("id"))),
            );
            let cases = hook.cases.iter().enumerate();
            let named = cases.flat_map(|(number, case)| {
                let at = place.key("cases").index(number);
                let names = super::cases::names(case).into_iter();
                names.map(move |(name, keys)| (name.as_str(), keys.iter().fold(at.clone(), |at, key| at.key(*key))))
            });
            self.check_unique("case", named.filter(|(name, _)| !name.is_empty()));
            self.check_bindings(hook, &place);
        }
    }

    fn check_bindings(&self, hook: &catalog::Hook, place: &Pointer) {
        let own = (hook.bindings.keys().map(|name| ("let", name)))
            .chain(hook.documents.keys().map(|name| ("documents", name)));
        for (section, name) in own {
            let at = place.key(section).key(name);
            if section == "documents" && hook.bindings.contains_key(name) {
                self.clash(name, &place.key("let").key(name), &at);
            }
            let twice = hook.bindings.keys().take_while(|other| *other != name).find(|other| bare(other) == bare(name));
            if let (Some(first), "let") = (twice, section) {
                self.clash(bare(name), &place.key("let").key(first), &at);
            }
            let name = bare(name);
            self.check_function(name, &at);
            self.check_identifier(name, &at);
            self.check_reserved(name, &at);
            self.check_field(name, &at, std::iter::once(hook.event.as_str()));
            for section in ["facts", "documents"] {
                let declared = match section {
                    "facts" => self.written.facts.keys().find(|key| bare(key) == name),
                    _ => self.written.documents.keys().find(|key| *key == name),
                };
                if let Some(key) = declared {
                    self.clash(name, &Pointer::root().key(section).key(key), &at);
                }
            }
        }
    }

    pub(super) fn check_unique<'n>(&self, kind: &str, names: impl Iterator<Item = (&'n str, Pointer)>) {
        let mut seen: BTreeMap<&str, Pointer> = BTreeMap::new();
        for (name, at) in names {
            if let Some(first) = seen.get(name) {
                self.report(
                    Diagnostic::error(Code::DuplicateId, format!("{kind} `{name}` is declared twice"))
                        .primary(self.document.at(&at), "declared again here")
                        .secondary(self.document.at(first), "first declared here")
                        .help("reports, logs and generated names rest on it, so each must be unique"),
                );
            } else {
                seen.insert(name, at);
            }
        }
    }
}
