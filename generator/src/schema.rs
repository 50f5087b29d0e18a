//! The shape of a catalog: the JSON Schema of its types, and what a document has to say to it.
//!
//! The types in `catalog` are the only source of the schema. It is a little stricter than they are: a key without a
//! value is refused, because it is an unfinished line far more often than a way to say "absent".

mod partial;
mod violation;
mod words;

pub use partial::partial;

use schemars::generate::SchemaSettings;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::catalog::{self, Catalog};
use crate::diagnostic::{Code, Diagnostic, ENOUGH};
use crate::document::{Document, Pointer};
use violation::Explainer;

/// The JSON Schema of a catalog, draft 2020-12. The same on every run.
pub fn schema() -> Value {
    let generator = SchemaSettings::draft2020_12().into_generator();
    let mut schema = generator.into_root_schema_for::<Catalog>().to_value();
    tighten(&mut schema);
    if let Value::Object(root) = &mut schema {
        root.insert("title".into(), "hookgen catalog".into());
    }
    schema
}

/// Everything in which a document differs from the shape of a catalog.
pub fn check(document: &Document) -> Vec<Diagnostic> {
    if !document.value().is_object() {
        let found = words::kind(document.value());
        return vec![
            Diagnostic::error(Code::Shape, format!("a catalog is a mapping, found {found}"))
                .primary(document.at(&Pointer::root()), format!("this is {found}"))
                .help("start with `catalog:`, `version:` and `description:`"),
        ];
    }
    let schema = schema();
    let validator = match jsonschema::validator_for(&schema) {
        Ok(validator) => validator,
        Err(error) => return vec![unexplained(document, &Pointer::root(), &error.to_string())],
    };
    let mut explainer = Explainer::new(document, &schema);
    for error in validator.iter_errors(document.value()).take(ENOUGH) {
        explainer.explain(&error);
    }
    explainer.finish()
}

/// The catalog as written, or else everything in which the document is none.
pub fn decode(document: &Document) -> Result<Catalog, Vec<Diagnostic>> {
    let violations = check(document);
    if !violations.is_empty() {
        return Err(violations);
    }
    Catalog::deserialize(document.value()).map_err(|error| {
        let (pointer, reason) = hook_at_fault(document).unwrap_or_else(|| (Pointer::root(), error.to_string()));
        vec![unexplained(document, &pointer, &reason)]
    })
}

/// The types are stricter than the schema somewhere; their message has no place, but the hook can be found.
fn hook_at_fault(document: &Document) -> Option<(Pointer, String)> {
    let hooks = document.value().get("hooks")?.as_array()?;
    hooks.iter().enumerate().find_map(|(index, hook)| {
        let error = catalog::Hook::deserialize(hook).err()?;
        Some((Pointer::root().key("hooks").index(index), error.to_string()))
    })
}

fn unexplained(document: &Document, pointer: &Pointer, reason: &str) -> Diagnostic {
    Diagnostic::error(Code::Shape, format!("this is not a catalog: {reason}"))
        .primary(document.grip(pointer), "in this entry")
}

/// Takes `null` out of what an optional key may hold, and gives every unsigned number its upper bound.
fn tighten(schema: &mut Value) {
    match schema {
        Value::Object(node) => {
            forbid_null(node);
            bound(node);
            node.values_mut().for_each(tighten);
        }
        Value::Array(items) => items.iter_mut().for_each(tighten),
        _ => {}
    }
}

fn forbid_null(node: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = node.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            node.insert("type".into(), only);
        }
    }
    if let Some(Value::Array(branches)) = node.get_mut("anyOf") {
        branches.retain(|branch| branch.get("type").is_none_or(|name| name != "null"));
        if let [Value::Object(only)] = branches.as_slice() {
            let only = only.clone();
            node.shift_remove("anyOf");
            // What the place says about itself comes first.
            for (key, value) in only {
                node.entry(key).or_insert(value);
            }
        }
    }
}

fn bound(node: &mut Map<String, Value>) {
    if node.get("format").is_some_and(|format| format == "uint32") {
        node.entry("maximum").or_insert(u32::MAX.into());
    }
}

#[cfg(test)]
mod tests;
