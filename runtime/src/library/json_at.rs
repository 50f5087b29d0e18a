//! One place of a text that is JSON.

use crate::json::Json;
use crate::signature::function;

/// What is at the place of a JSON text: a string as it is, anything else as JSON; empty if there is no such place.
pub fn json_at(text: &str, pointer: &str) -> String {
    let Ok(whole) = Json::parse(text) else { return String::new() };
    let mut place = &whole;
    for step in pointer.split('/').skip(1) {
        let step = step.replace("~1", "/").replace("~0", "~");
        let next = match place {
            Json::Object(fields) => fields.iter().rev().find(|(key, _)| *key == step).map(|(_, value)| value),
            Json::List(items) => step.parse().ok().and_then(|nth: usize| items.get(nth)),
            _ => None,
        };
        let Some(next) = next else { return String::new() };
        place = next;
    }
    match place {
        Json::Text(text) => text.clone().into_owned(),
        Json::Null => String::new(),
        other => other.to_string(),
    }
}

function! {
    FUNCTION: json_at,
    name: "jsonAt",
    receiver: Text,
    params: { pointer: Text },
    result: Text,
    doc: "What a JSON text has at a place, given as a JSON pointer (`/scripts/test`): a string as it is, anything else as \
           JSON. Empty where there is nothing, and of a text that is no JSON.",
    example: r#"'{"scripts": {"test": "jest"}}'.jsonAt('/scripts/test') == 'jest' && '{"a'.jsonAt('/a') == ''"#,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_found_by_keys_and_numbers() {
        let text = r#"{"a": {"b/c": [1, "two", null]}, "a": {"b/c": [1, "two", null], "d~": true}}"#;
        assert_eq!(json_at(text, "/a/b~1c/1"), "two");
        assert_eq!(json_at(text, "/a/b~1c/0"), "1");
        assert_eq!(json_at(text, "/a/d~0"), "true");
        for nowhere in ["/a/b~1c/2", "/a/b~1c/9", "/a/none", "/a/d~0/x", "/x"] {
            assert_eq!(json_at(text, nowhere), "", "{nowhere}");
        }
        assert_eq!(json_at("[1]", ""), "[1]");
        assert_eq!(json_at("not json", "/a"), "");
    }
}
