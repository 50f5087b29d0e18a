//! From a violated keyword of the schema to a message about the catalog, at the place where it is to be mended.

use std::collections::BTreeSet;

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;
use serde_json::{Map, Value};

use super::words::{either, expected, is_of_type, kind, shown, type_names};
use crate::diagnostic::{Code, Diagnostic, did_you_mean};
use crate::document::{Document, Pointer};

/// Collects what the violations mean.
pub(super) struct Explainer<'a> {
    document: &'a Document,
    schema: &'a Value,
    found: Vec<Diagnostic>,
    missing: Vec<(Pointer, String, Diagnostic)>,
    /// Keys that a misspelt one was probably meant to be: these are not missing.
    meant: BTreeSet<(Pointer, String)>,
}

/// A violation: where in the document, and which node of the schema was not met.
struct Violation<'a> {
    pointer: Pointer,
    value: &'a Value,
    node: &'a Value,
}

impl<'a> Explainer<'a> {
    pub(super) fn new(document: &'a Document, schema: &'a Value) -> Self {
        Self { document, schema, found: Vec::new(), missing: Vec::new(), meant: BTreeSet::new() }
    }

    /// Everything that was found.
    pub(super) fn finish(mut self) -> Vec<Diagnostic> {
        for (pointer, key, diagnostic) in self.missing {
            if !self.meant.contains(&(pointer, key)) {
                self.found.push(diagnostic);
            }
        }
        self.found
    }

    pub(super) fn explain(&mut self, error: &ValidationError<'_>) {
        let (pointer, value) = resolve(self.document.value(), error.instance_path().as_str());
        let keyword = error.schema_path().as_str();
        let parent = keyword.rsplit_once('/').map_or("", |(parent, _)| parent);
        let node = self.schema.pointer(parent).unwrap_or(&Value::Null);
        let violation = Violation { pointer, value, node };
        match error.kind() {
            Kind::AdditionalProperties { unexpected } => {
                for key in unexpected {
                    self.unknown_key(&violation, key);
                }
            }
            Kind::Required { property } => self.missing_key(violation, property.as_str().unwrap_or_default()),
            _ if violation.value.is_null() => self.no_value(&violation),
            Kind::Type { kind } => self.wrong_type(&violation, &type_names(kind)),
            Kind::Enum { options } => self.not_allowed(&violation, options.as_array().map_or(&[][..], Vec::as_slice)),
            Kind::Constant { expected_value } => self.not_allowed(&violation, std::slice::from_ref(&**expected_value)),
            Kind::AnyOf { context } => self.no_branch(&violation, "anyOf", context),
            Kind::OneOfNotValid { context } => self.no_branch(&violation, "oneOf", context),
            Kind::Pattern { pattern } => self.wrong_form(&violation, pattern),
            other => self.out_of_bounds(&violation, other, error),
        }
    }

    fn unknown_key(&mut self, violation: &Violation<'_>, key: &str) {
        let known: Vec<&str> =
            properties(violation.node).map(|known| known.keys().map(String::as_str).collect()).unwrap_or_default();
        let present = |name: &str| violation.value.get(name).is_some();
        let suggestion = did_you_mean(key, known.iter().copied().filter(|name| !present(name)));
        let help = match suggestion {
            Some(name) => {
                self.meant.insert((violation.pointer.clone(), name.to_owned()));
                Some(format!("did you mean `{name}`?"))
            }
            None if known.is_empty() => None,
            None => Some(format!("the keys here are {}", quoted(known.iter()).join(", "))),
        };
        self.found.push(
            Diagnostic::error(Code::UnknownKey, format!("unknown key `{key}`"))
                .primary(self.document.key(&violation.pointer.key(key)), "no such key here")
                .maybe_help(help),
        );
    }

    fn missing_key(&mut self, violation: Violation<'_>, key: &str) {
        let purpose = properties(violation.node).and_then(|known| known.get(key)).and_then(|it| self.description(it));
        let diagnostic = Diagnostic::error(Code::MissingKey, format!("missing key `{key}`"))
            .primary(self.document.grip(&violation.pointer), format!("has no `{key}`"))
            .maybe_help(purpose.map(|purpose| format!("add `{key}`: {purpose}")));
        self.missing.push((violation.pointer, key.to_owned(), diagnostic));
    }

    fn no_value(&mut self, violation: &Violation<'_>) {
        let message = match violation.pointer.last_key() {
            Some(key) => format!("key `{key}` has no value"),
            None => "an item has no value".to_owned(),
        };
        self.found.push(
            Diagnostic::error(Code::WrongType, message)
                .primary(self.document.at(&violation.pointer), "nothing is written here")
                .help("give it a value, or remove it"),
        );
    }

    fn wrong_type(&mut self, violation: &Violation<'_>, types: &[&str]) {
        let wanted: Vec<&str> = types.iter().map(|name| expected(name)).collect();
        let found = kind(violation.value);
        // Where a text must have a form, quotes alone would only lead to the next fault.
        let any_text = types.contains(&"string") && follow(self.schema, violation.node).get("pattern").is_none();
        let help = match violation.value {
            Value::Array(_) | Value::Object(_) if types == ["string"] => self.one_of_them(violation),
            _ if types == ["object"] => Some(self.layout(violation.node)),
            Value::Object(_) if types == ["array"] => Some("write a list: each entry begins with `- `".to_owned()),
            Value::Bool(_) | Value::Number(_) if any_text => Some("put it in quotes".to_owned()),
            Value::String(_) if types == ["array"] => Some("write a list: `[…]`, or one `- …` per line".to_owned()),
            Value::String(_) if types == ["boolean"] => Some("write `true` or `false` without quotes".to_owned()),
            _ => self.description(violation.node).map(|purpose| format!("expected here: {purpose}")),
        };
        self.found.push(
            Diagnostic::error(Code::WrongType, format!("expected {}, found {found}", either(&wanted)))
                .primary(self.document.at(&violation.pointer), format!("this is {found}"))
                .maybe_help(help),
        );
    }

    /// What to write where there is more than the one text that is expected.
    fn one_of_them(&self, violation: &Violation<'_>) -> Option<String> {
        let names: Vec<&str> = violation.value.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        if violation.pointer.last_key() == Some("matcher") && !names.is_empty() {
            return Some(format!("write `{}`", names.join("|")));
        }
        self.description(violation.node).map(|purpose| format!("expected here: {purpose}"))
    }

    /// How a mapping is written: with the keys that it must have, or else with those that it may have.
    fn layout(&self, node: &Value) -> String {
        let node = follow(self.schema, node);
        let Some(known) = properties(node) else {
            return "write a mapping: `name: …`, one per line".to_owned();
        };
        let required: Vec<&str> =
            node.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
        if required.is_empty() {
            return format!("write a mapping; the keys here are {}", quoted(known.keys()).join(", "));
        }
        let keys: Vec<String> = required.iter().map(|key| format!("{key}: …")).collect();
        format!("write a mapping: `{{ {} }}`", keys.join(", "))
    }

    /// A value that is none of those listed.
    fn not_allowed(&mut self, violation: &Violation<'_>, allowed: &[Value]) {
        let names: Vec<&str> = allowed.iter().filter_map(Value::as_str).collect();
        let list = either(&quoted(names.iter()));
        // A boolean in quotes would be no better, so its type is not the point.
        let (code, text) = violation.value.as_str().map_or((Code::WrongType, ""), |text| (Code::BadValue, text));
        let help = match did_you_mean(text, names.iter().copied()) {
            Some(name) => format!("did you mean `{name}`?"),
            None => format!("use {list}"),
        };
        self.found.push(
            Diagnostic::error(code, format!("{} is not {list}", shown(violation.value)))
                .primary(self.document.at(&violation.pointer), "no such value here")
                .help(help),
        );
    }

    /// None of several shapes. If the value has the type of one of them, that one's violations are what is wrong.
    fn no_branch(&mut self, violation: &Violation<'_>, keyword: &str, context: &[Vec<ValidationError<'static>>]) {
        let branches = violation.node.get(keyword).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let schema = self.schema;
        let branches: Vec<&Value> = branches.iter().map(|branch| follow(schema, branch)).collect();
        let constants: Vec<Value> = branches.iter().filter_map(|branch| branch.get("const")).cloned().collect();
        if constants.len() == branches.len() && !constants.is_empty() {
            return self.not_allowed(violation, &constants);
        }
        let types: Vec<&str> = branches.iter().filter_map(|branch| branch.get("type")?.as_str()).collect();
        let fitting = branches.iter().zip(context).filter(|(branch, _)| {
            branch.get("type").and_then(Value::as_str).is_some_and(|name| is_of_type(violation.value, name))
        });
        // Of several, the one that was probably meant: it has a key of the value, or else the least to mend.
        let meant = fitting.min_by_key(|(branch, errors)| {
            let named =
                properties(branch).is_some_and(|known| known.keys().any(|key| violation.value.get(key).is_some()));
            (!named, errors.len())
        });
        match meant {
            Some((_, errors)) => errors.iter().for_each(|error| self.explain(error)),
            None => self.wrong_type(violation, &types),
        }
    }

    fn wrong_form(&mut self, violation: &Violation<'_>, pattern: &str) {
        let found = shown(violation.value);
        let message = match violation.pointer.last_key() {
            Some(key) => format!("`{key}` cannot be {found}"),
            None => format!("{found} does not have the right form"),
        };
        self.found.push(
            Diagnostic::error(Code::BadValue, message)
                .primary(self.document.at(&violation.pointer), format!("does not match `{pattern}`"))
                .maybe_help(self.description(violation.node).map(|purpose| format!("expected here: {purpose}"))),
        );
    }

    /// Lengths and limits, and whatever else a schema can ask for.
    fn out_of_bounds(&mut self, violation: &Violation<'_>, violated: &Kind, error: &ValidationError<'_>) {
        let items = |count: u64| if count == 1 { "1 entry".to_owned() } else { format!("{count} entries") };
        let demand = match violated {
            Kind::MinItems { limit } | Kind::MinProperties { limit } => format!("must have at least {}", items(*limit)),
            Kind::MaxItems { limit } | Kind::MaxProperties { limit } => format!("must have at most {}", items(*limit)),
            Kind::MinLength { limit: 1 } => "must not be empty".to_owned(),
            Kind::MinLength { limit } => format!("must have at least {limit} characters"),
            Kind::MaxLength { limit } => format!("must have at most {limit} characters"),
            Kind::Minimum { limit } => format!("must be at least {limit}, found {}", shown(violation.value)),
            Kind::Maximum { limit } => format!("must be at most {limit}, found {}", shown(violation.value)),
            _ => return self.other(violation, error),
        };
        let name = violation.pointer.last_key().map_or("a value here".to_owned(), |key| format!("`{key}`"));
        self.found.push(
            Diagnostic::error(Code::BadValue, format!("{name} {demand}"))
                .primary(self.document.at(&violation.pointer), "out of bounds")
                .maybe_help(self.description(violation.node).map(|purpose| format!("expected here: {purpose}"))),
        );
    }

    fn other(&mut self, violation: &Violation<'_>, error: &ValidationError<'_>) {
        let reason = error.masked_with("the value");
        self.found.push(
            Diagnostic::error(Code::Shape, format!("this is not a catalog: {reason}"))
                .primary(self.document.at(&violation.pointer), "does not fit"),
        );
    }

    /// What the schema says that a value is for, as the end of a sentence.
    fn description(&self, node: &Value) -> Option<String> {
        let text = node.get("description").or_else(|| follow(self.schema, node).get("description"))?.as_str()?;
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let line = line.trim_end_matches('.');
        let mut characters = line.chars();
        let first = characters.next()?;
        Some(first.to_lowercase().chain(characters).collect())
    }
}

/// The node itself, or the one that it refers to.
fn follow<'v>(schema: &'v Value, node: &'v Value) -> &'v Value {
    let target = node.get("$ref").and_then(Value::as_str).and_then(|reference| reference.strip_prefix('#'));
    target.and_then(|pointer| schema.pointer(pointer)).unwrap_or(node)
}

fn properties(node: &Value) -> Option<&Map<String, Value>> {
    node.get("properties")?.as_object()
}

fn quoted<T: AsRef<str>>(names: impl Iterator<Item = T>) -> Vec<String> {
    names.map(|name| format!("`{}`", name.as_ref())).collect()
}

/// The way that a JSON pointer takes through a value. Only the value tells whether `0` is a key or a position.
fn resolve<'v>(root: &'v Value, path: &str) -> (Pointer, &'v Value) {
    let mut here = (Pointer::root(), root);
    for step in path.split('/').skip(1) {
        let step = step.replace("~1", "/").replace("~0", "~");
        let (pointer, value) = &here;
        let next = match value {
            Value::Array(items) => {
                step.parse().ok().and_then(|index: usize| Some((pointer.index(index), items.get(index)?)))
            }
            _ => value.get(&step).map(|value| (pointer.key(step), value)),
        };
        let Some(next) = next else { break };
        here = next;
    }
    here
}
