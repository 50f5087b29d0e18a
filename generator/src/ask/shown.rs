//! Values as JSON for people and programs.

use hookgen_runtime::Json;
use serde_json::{Number, Value};

/// A value as JSON. A double keeps its fraction, so that it can be told from a whole number; those that JSON does not
/// have are the texts that JavaScript and protocol buffers know them by.
pub fn shown(value: &Json<'_>) -> Value {
    match value {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Bool(*value),
        Json::Int(value) => Value::from(*value),
        Json::Double(value) => Number::from_f64(*value).map_or_else(|| Value::from(unusual(*value)), Value::Number),
        Json::Text(text) => Value::from(text.as_ref()),
        Json::List(items) => items.iter().map(shown).collect(),
        Json::Object(fields) => fields.iter().map(|(key, value)| (key.to_string(), shown(value))).collect(),
    }
}

fn unusual(value: f64) -> &'static str {
    if value.is_nan() {
        "NaN"
    } else if value > 0.0 {
        "Infinity"
    } else {
        "-Infinity"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_says_of_which_kind_it_is() {
        let values = [Json::Int(2), Json::Double(2.0), Json::Double(f64::NAN), Json::Double(f64::NEG_INFINITY)];
        let texts: Vec<String> = values.iter().map(|value| shown(value).to_string()).collect();
        assert_eq!(texts, ["2", "2.0", "\"NaN\"", "\"-Infinity\""]);
    }
}
