//! What can be written at a place, and what stands there already: completion and hover.

use hookgen_runtime::library::{FUNCTIONS, PROPERTIES};
use hookgen_runtime::signature::{Function, Type as Declared};
use serde_json::{Value, json};

use super::part::Part;
use super::place::Spot;
use super::typing::{kind, payload};
use crate::document::{Document, Pointer};
use crate::emit::BUILT_IN;
use crate::model::Type;

/// Kinds of completions, by the protocol's numbers.
const FIELD: u32 = 5;
const METHOD: u32 = 2;
const FUNCTION: u32 = 3;
const VARIABLE: u32 = 6;
const MODULE: u32 = 9;

/// Tables of the catalog that are read as `<table>.<name>`.
const TABLES: &[&str] = &["data", "flags", "choices", "thresholds", "messages"];

/// Everything that may follow at the place.
pub(super) fn completions(part: &Part, text: &str, document: &Document, spot: &Spot) -> Vec<Value> {
    match spot.member() {
        Some((receiver, _)) if TABLES.contains(&receiver.as_str()) => {
            let names = keys(document, &Pointer::root().key(receiver.as_str()));
            names.into_iter().map(|name| item(&name, FIELD, &receiver, "")).collect()
        }
        Some((receiver, _)) => {
            let properties = PROPERTIES.iter().filter_map(|property| {
                let name = property.name.strip_prefix(&format!("{receiver}."))?;
                Some(item(name, FIELD, &declared(property.result), property.doc))
            });
            let properties: Vec<Value> = properties.collect();
            if !properties.is_empty() {
                return properties;
            }
            kind(part, text, document, spot, &receiver).map(|kind| members(&kind)).unwrap_or_default()
        }
        None => names(document, spot),
    }
}

/// The fields and functions of a value.
fn members(kind: &Type) -> Vec<Value> {
    let mut items: Vec<Value> = match kind {
        Type::Record(record) => {
            record.fields.iter().map(|(name, ty)| item(name, FIELD, &ty.to_string(), &record.name)).collect()
        }
        Type::Object(object) => {
            object.parts.iter().map(|(name, ty, doc)| item(name, FIELD, &declared(*ty), doc)).collect()
        }
        Type::Entry(inner) => {
            vec![item("key", FIELD, "string", "The key."), item("value", FIELD, &inner.to_string(), "The value.")]
        }
        Type::List(_) => ["all", "exists", "exists_one", "filter", "map"].iter().map(|name| built_in(name)).collect(),
        Type::Map(_) => ["entries", "keys"].iter().map(|name| built_in(name)).collect(),
        _ => Vec::new(),
    };
    let methods = FUNCTIONS.iter().filter(|function| function.receiver.is_some_and(|receiver| takes(receiver, kind)));
    items.extend(methods.map(|function| item(function.name, METHOD, &signature(function), function.doc)));
    items
}

fn built_in(name: &str) -> Value {
    let row = BUILT_IN.iter().find(|[form, ..]| form.contains(&format!(".{name}(")));
    row.map_or_else(
        || item(name, METHOD, "", ""),
        |[form, gives, doc, _]| item(name, METHOD, &format!("{form} → {gives}"), doc),
    )
}

fn takes(receiver: Declared, kind: &Type) -> bool {
    match (receiver, kind) {
        (Declared::Text, Type::Text)
        | (Declared::Int, Type::Int)
        | (Declared::Double, Type::Double)
        | (Declared::Bool, Type::Bool)
        | (Declared::Any, Type::Any | Type::Record(_))
        | (Declared::Map(_), Type::Map(_)) => true,
        (Declared::List(inner), Type::List(of)) => *inner == Declared::Element || takes(*inner, of),
        (Declared::Object(object), Type::Object(other)) => object == *other,
        _ => false,
    }
}

/// Names that an expression may begin with.
fn names(document: &Document, spot: &Spot) -> Vec<Value> {
    let mut items = Vec::new();
    for (_, variable) in spot.macros() {
        items.push(item(&variable, VARIABLE, "an element", "The variable of the macro around it."));
    }
    if let Some(payload) = payload(document, spot) {
        items.extend(payload.fields.iter().map(|(name, ty)| item(name, FIELD, &ty.to_string(), &payload.name)));
    }
    if let Some(hook) = spot.hook().map(|place| Pointer::root().key("hooks").index(place)) {
        for (table, what) in [("let", "A definition of this hook."), ("documents", "A document of this hook.")] {
            items.extend(keys(document, &hook.key(table)).iter().map(|name| item(name, VARIABLE, "", what)));
        }
    }
    for (table, what) in [
        ("facts", "A fact of the catalog."),
        ("documents", "A document of the catalog."),
        ("counters", "A counter of the catalog."),
        ("history", "What the catalog records."),
    ] {
        items.extend(keys(document, &Pointer::root().key(table)).iter().map(|name| item(name, VARIABLE, "", what)));
    }
    items.extend(
        TABLES
            .iter()
            .filter(|table| !keys(document, &Pointer::root().key(**table)).is_empty())
            .map(|table| item(table, MODULE, "", "A table of the catalog.")),
    );
    for property in PROPERTIES {
        let first = property.name.split('.').next().unwrap_or_default();
        if !items.iter().any(|known| known["label"] == first) {
            let alone = property.name == first;
            items.push(item(
                first,
                if alone { VARIABLE } else { MODULE },
                &if alone { declared(property.result) } else { String::new() },
                if alone { property.doc } else { "" },
            ));
        }
    }
    let plain = FUNCTIONS.iter().filter(|function| function.receiver.is_none());
    items.extend(plain.map(|function| item(function.name, FUNCTION, &signature(function), function.doc)));
    items
}

/// What stands at the place: its type, and what is known about it.
pub(super) fn hover(
    part: &Part,
    text: &str,
    document: &Document,
    spot: &Spot,
) -> Option<(String, std::ops::Range<usize>)> {
    let (chain, range) = spot.chain()?;
    let name = &spot.expression.text[range.clone()];
    let called = spot.expression.text[range.end..].trim_start().starts_with('(');
    if called {
        let about = about_function(name)?;
        return Some((about, range));
    }
    if let Some(property) = PROPERTIES.iter().find(|property| property.name == chain) {
        return Some((format!("```\n{chain}: {}\n```\n{}", declared(property.result), property.doc), range));
    }
    // Inside a macro, the place after the name sees the same variables.
    let kind = kind(part, text, document, spot, &chain)?;
    let doc = spot.member().and_then(|(receiver, _)| match self::kind(part, text, document, spot, &receiver)? {
        Type::Object(object) => {
            object.parts.iter().find(|(part, ..)| *part == name).map(|(_, _, doc)| (*doc).to_owned())
        }
        Type::Record(record) => Some(format!("A field of {}.", record.name)),
        _ => None,
    });
    let doc = doc.unwrap_or_else(|| match &kind {
        Type::Object(object) => object.doc.to_owned(),
        Type::Record(record) => {
            let fields: Vec<String> = record.fields.iter().map(|(name, ty)| format!("- `{name}`: {ty}")).collect();
            format!("{}\n\n{}", record.name, fields.join("\n"))
        }
        _ => String::new(),
    });
    Some((format!("```\n{chain}: {kind}\n```\n{doc}"), range))
}

fn about_function(name: &str) -> Option<String> {
    let mut found: Vec<String> = FUNCTIONS
        .iter()
        .filter(|function| function.name == name)
        .map(|function| format!("```\n{}\n```\n{}\n\n`{}`", signature(function), function.doc, function.example))
        .collect();
    let rows = BUILT_IN.iter().filter(|[form, ..]| {
        form.contains(&format!("{name}(")) && form.split('(').next().is_some_and(|head| head.ends_with(name))
    });
    found.extend(rows.map(|[form, gives, doc, example]| format!("```\n{form} → {gives}\n```\n{doc}\n\n`{example}`")));
    (!found.is_empty()).then(|| found.join("\n\n"))
}

fn signature(function: &Function) -> String {
    let params: Vec<String> = function.params.iter().map(|(name, ty)| format!("{name}: {}", declared(*ty))).collect();
    let receiver = function.receiver.map(|receiver| format!("{}.", declared(receiver))).unwrap_or_default();
    format!("{receiver}{}({}) → {}", function.name, params.join(", "), declared(function.result))
}

fn declared(kind: Declared) -> String {
    match kind {
        Declared::Bool => "bool".to_owned(),
        Declared::Int => "int".to_owned(),
        Declared::Double => "double".to_owned(),
        Declared::Text => "string".to_owned(),
        Declared::Pattern => "pattern".to_owned(),
        Declared::Any => "any".to_owned(),
        Declared::List(inner) => format!("list<{}>", declared(*inner)),
        Declared::Map(inner) => format!("map<{}>", declared(*inner)),
        Declared::Entry(inner) => format!("entry<{}>", declared(*inner)),
        Declared::Element => "element".to_owned(),
        Declared::Object(object) => object.name.to_owned(),
    }
}

fn item(label: &str, kind: u32, detail: &str, doc: &str) -> Value {
    json!({ "label": label, "kind": kind, "detail": detail, "documentation": doc })
}

/// The names in a table of the document.
pub(super) fn keys(document: &Document, pointer: &Pointer) -> Vec<String> {
    document.get(pointer).and_then(Value::as_object).map(|fields| fields.keys().cloned().collect()).unwrap_or_default()
}
