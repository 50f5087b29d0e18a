//! A value as text by which values can be compared and stored.

use std::collections::BTreeMap;

use crate::json::{Json, Many};
use crate::node::Node;
use crate::signature::function;

/// The value as compact JSON. Keys are sorted, so that equal values give equal text.
pub fn json(value: Node<'_>) -> String {
    sorted(value.json()).to_string()
}

/// The text as a JSON string, with its quotes.
pub fn json_text(text: &str) -> String {
    Json::text(text).to_string()
}

/// Its depth is that of a parsed value, which every parser limits.
fn sorted<'a>(value: &Json<'a>) -> Json<'a> {
    match value {
        Json::List(items) => Json::List(Many::Owned(items.iter().map(sorted).collect())),
        Json::Object(fields) => {
            let fields: BTreeMap<_, _> = fields.iter().map(|(key, value)| (key, value)).collect();
            Json::Object(Many::Owned(fields.into_iter().map(|(key, value)| (key.clone(), sorted(value))).collect()))
        }
        other => other.clone(),
    }
}

function! {
    FUNCTION: json,
    name: "json",
    params: { value: Any },
    result: Text,
    doc: "The value as compact JSON with sorted keys, so that equal values give equal text.",
    example: r#"json({'b': 'y', 'a': 'x'}) == '{"a":"x","b":"y"}'"#,
}

function! {
    TEXT: json_text,
    name: "json",
    params: { text: Text },
    result: Text,
    doc: "The text as a JSON string, with its quotes.",
    example: r#"json('say "x"') == '"say \\"x\\""'"#,
}

#[cfg(test)]
mod tests {
    use crate::node::Origin;

    use super::*;

    fn normal(text: &str) -> String {
        json(Node::new(&Json::parse(text).expect(text), Origin::Payload))
    }

    #[test]
    fn equal_values_give_equal_text() {
        let expected = r#"{"a":[{"x":1,"y":null}],"b":"\n"}"#;
        assert_eq!(normal(r#"{ "b": "\n", "a": [{"y": null, "x": 1}] }"#), expected);
        assert_eq!(normal(r#"{"a":[{"x":0,"x":1,"y":null}],"b":"\u000a"}"#), expected);
        assert_ne!(normal("[1,2]"), normal("[2,1]"));
    }
}
