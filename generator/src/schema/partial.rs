//! As much of a catalog as has the right shape, so that what is wrong elsewhere is found in the same run.

use std::collections::BTreeSet;

use serde::Deserialize as _;
use serde_json::{Map, Value, json};

use super::schema;
use crate::catalog::Catalog;
use crate::document::Document;

/// The catalog without the hooks that have no right shape, and the places of those hooks. What other hooks may refer to
/// stands in for each. `None` if anything else is wrong, too: too much would then seem to be missing.
pub fn partial(document: &Document) -> Option<(Catalog, BTreeSet<usize>)> {
    let schema = schema();
    let validator = jsonschema::validator_for(&schema).ok()?;
    let mut value = document.value().clone();
    let hooks = value.get_mut("hooks")?.as_array_mut()?;
    let mut unsound = BTreeSet::new();
    for error in validator.iter_errors(document.value()) {
        let (position, section) = hook_of(error.instance_path().as_str())?;
        match hooks.get_mut(position)? {
            // A hook is whole without its cases, and without the table that names them.
            Value::Object(hook) if EVIDENCE.contains(&section) => EVIDENCE.iter().for_each(|key| {
                hook.remove(*key);
            }),
            _ => drop(unsound.insert(position)),
        }
    }
    for (position, hook) in hooks.iter_mut().enumerate().filter(|(position, _)| unsound.contains(position)) {
        *hook = stand_in(position, hook);
    }
    Some((Catalog::deserialize(&value).ok()?, unsound))
}

const EVIDENCE: [&str; 2] = ["cases", "failure_modes"];

/// The hook that a JSON pointer leads into, and which key of it.
fn hook_of(path: &str) -> Option<(usize, &str)> {
    let mut steps = path.strip_prefix("/hooks/")?.split('/');
    Some((steps.next()?.parse().ok()?, steps.next().unwrap_or_default()))
}

/// A hook that checks nothing, known by the same name and on the same event.
fn stand_in(position: usize, hook: &Value) -> Value {
    let mut fields = Map::new();
    for (key, otherwise) in [("id", format!("#{position}")), ("name", format!("#{position}")), ("event", String::new())]
    {
        let text = hook.get(key).and_then(Value::as_str).map_or(otherwise, str::to_owned);
        fields.insert(key.to_owned(), text.into());
    }
    if let Some(matcher) = hook.get("matcher").filter(|matcher| matcher.is_string()) {
        fields.insert("matcher".to_owned(), matcher.clone());
    }
    let rest = json!({ "timeout": "1s", "fail_safe": "open", "why": "" });
    fields.extend(rest.as_object().cloned().unwrap_or_default());
    Value::Object(fields)
}
