//! `extends`: another catalog with more hooks, other values, and some hooks switched off.

use camino::Utf8PathBuf;
use serde_json::Value;

use super::Assembly;
use super::share::SECTIONS;
use crate::diagnostic::{Code, Diagnostic, did_you_mean};
use crate::document::{Document, Pointer};

/// Keys by which a file says how it is put together; those of the catalog that is extended have done their work.
const ASSEMBLY: [&str; 4] = ["use", "extends", "change", "off"];

impl Assembly {
    /// The catalog that the document extends with the document laid over it; the document itself if it extends none.
    pub(super) fn extend(&mut self, document: Document, path: &Utf8PathBuf) -> Option<Document> {
        let at = Pointer::root().key("extends");
        if document.get(&at).is_none() {
            self.idle(&document);
            return Some(document);
        }
        let source = self.named(&document, &at, path)?;
        let mut base = self.catalog(source)?;
        for key in ASSEMBLY {
            base.remove(&Pointer::root().key(key));
        }
        base.lead(&document);
        let Value::Object(entries) = document.value() else { return Some(base) };
        for (key, value) in entries {
            let at = Pointer::root().key(key);
            match value {
                Value::Object(names) if SECTIONS.contains(&key.as_str()) => {
                    for name in names.keys() {
                        if let Some(tree) = document.tree(&at.key(name)) {
                            self.add(&mut base, key, name, tree);
                        }
                    }
                }
                Value::Array(hooks) if key == "hooks" => {
                    for (place, hook) in hooks.iter().enumerate() {
                        let Some(tree) = document.tree(&at.index(place)) else { continue };
                        match hook.get("id").and_then(Value::as_str).and_then(|id| hook_at(&base, id)) {
                            Some(replaced) => base.replace(&replaced, tree),
                            None => base.push(&at, tree),
                        }
                    }
                }
                _ => {
                    if let Some(tree) = document.tree(&at) {
                        base.put(&Pointer::root(), key, tree);
                    }
                }
            }
        }
        self.change(&mut base, &document);
        self.switch_off(&mut base, &document);
        Some(base)
    }

    /// `change` and `off` without anything to change.
    fn idle(&mut self, document: &Document) {
        for key in ["change", "off"] {
            let at = Pointer::root().key(key);
            if document.get(&at).is_some() {
                self.diagnostics.push(
                    Diagnostic::error(Code::IdleOverride, format!("`{key}` without `extends`"))
                        .primary(document.key(&at), "overrides nothing")
                        .help("name the catalog with `extends: ./other.yaml`, or say it where it is declared"),
                );
            }
        }
    }

    /// Lays what is below `change` over what is there.
    fn change(&mut self, base: &mut Document, document: &Document) {
        let change = Pointer::root().key("change");
        let Some(Value::Object(sections)) = document.get(&change) else { return };
        for (section, entries) in sections {
            let Value::Object(entries) = entries else { continue };
            for (name, entry) in entries {
                let from = change.key(section).key(name);
                let target = if section == "hooks" {
                    hook_at(base, name)
                } else {
                    Some(Pointer::root().key(section).key(name)).filter(|at| base.get(at).is_some())
                };
                let Some(target) = target else {
                    self.nothing(base, document, &from, section, name);
                    continue;
                };
                match entry {
                    Value::Object(keys) if base.get(&target).is_some_and(Value::is_object) => {
                        for key in keys.keys() {
                            if let Some(tree) = document.tree(&from.key(key)) {
                                base.put(&target, key, tree);
                            }
                        }
                    }
                    _ => {
                        if let Some(tree) = document.tree(&from) {
                            base.replace(&target, tree);
                        }
                    }
                }
            }
        }
    }

    fn switch_off(&mut self, base: &mut Document, document: &Document) {
        let off = Pointer::root().key("off");
        let Some(Value::Object(hooks)) = document.get(&off) else { return };
        for id in hooks.keys() {
            match hook_at(base, id) {
                Some(at) => base.remove(&at),
                None => self.nothing(base, document, &off.key(id), "hooks", id),
            }
        }
    }

    fn nothing(&mut self, base: &Document, document: &Document, at: &Pointer, section: &str, name: &str) {
        let known: Vec<String> = match base.get(&Pointer::root().key(section)) {
            Some(Value::Object(entries)) => entries.keys().cloned().collect(),
            Some(Value::Array(hooks)) => {
                hooks.iter().filter_map(|hook| Some(hook.get("id")?.as_str()?.to_owned())).collect()
            }
            _ => Vec::new(),
        };
        let help = did_you_mean(name, known.iter().map(String::as_str)).map_or_else(
            || format!("what is extended has, in `{section}`: {}", known.join(", ")),
            |near| format!("did you mean `{near}`?"),
        );
        self.diagnostics.push(
            Diagnostic::error(Code::IdleOverride, format!("there is no `{name}` in `{section}` to override"))
                .primary(document.key(at), "overrides nothing")
                .help(help),
        );
    }
}

/// Where the hook of that id stands.
fn hook_at(document: &Document, id: &str) -> Option<Pointer> {
    let hooks = Pointer::root().key("hooks");
    let position =
        document.get(&hooks)?.as_array()?.iter().position(|hook| hook.get("id").and_then(Value::as_str) == Some(id))?;
    Some(hooks.index(position))
}
