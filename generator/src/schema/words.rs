//! Types and lists in words.

use jsonschema::JsonType;
use jsonschema::error::TypeKind;
use serde_json::Value;

/// What a value is.
pub(super) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "a mapping",
    }
}

/// What a type of the schema expects.
pub(super) fn expected(name: &str) -> &'static str {
    match name {
        "null" => "nothing",
        "boolean" => "`true` or `false`",
        "integer" => "a whole number",
        "number" => "a number",
        "array" => "a list",
        "object" => "a mapping",
        _ => "a string",
    }
}

/// The names of the types that a violated `type` keyword allows.
pub(super) fn type_names(kind: &TypeKind) -> Vec<&'static str> {
    match kind {
        TypeKind::Single(only) => vec![only.as_str()],
        TypeKind::Multiple(several) => several.iter().map(JsonType::as_str).collect(),
    }
}

/// Whether a value is of a type of the schema.
pub(super) fn is_of_type(value: &Value, name: &str) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "string" => value.is_string(),
        _ => false,
    }
}

/// `a`, `b` or `c`.
pub(super) fn either<T: AsRef<str>>(words: &[T]) -> String {
    match words {
        [] => String::new(),
        [only] => only.as_ref().to_owned(),
        [several @ .., last] => {
            let several: Vec<&str> = several.iter().map(AsRef::as_ref).collect();
            format!("{} or {}", several.join(", "), last.as_ref())
        }
    }
}

/// A scalar as a reader knows it, shortened; a list or mapping by its kind.
pub(super) fn shown(value: &Value) -> String {
    const LONGEST: usize = 40;
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Array(_) | Value::Object(_) | Value::Null => return kind(value).to_owned(),
        scalar => scalar.to_string(),
    };
    if text.chars().count() <= LONGEST {
        return format!("`{text}`");
    }
    let start: String = text.chars().take(LONGEST).collect();
    format!("`{start}…`")
}
