//! Every text in a value.

use super::PURE;
use crate::json::Json;
use crate::node::Node;
use crate::signature::{Function, Type};

/// The texts in a value of unknown shape, in its order, however deep they lie.
pub fn texts(value: Node<'_>) -> Vec<String> {
    let mut texts = Vec::new();
    collect(value.json(), &mut texts);
    texts
}

/// Its depth is that of a parsed value, which every parser limits.
fn collect(value: &Json<'_>, texts: &mut Vec<String>) {
    match value {
        Json::Text(text) => texts.push(text.to_string()),
        Json::List(items) => items.iter().for_each(|item| collect(item, texts)),
        Json::Object(fields) => fields.iter().for_each(|(_, value)| collect(value, texts)),
        _ => {}
    }
}

pub(super) const FUNCTION: Function = Function {
    name: "texts",
    symbol: "texts",
    receiver: None,
    params: &[("value", Type::Any)],
    result: Type::List(&Type::Text),
    doc: "Every text in a value of unknown shape, such as the input of a server's tool, however deep it lies. Names of \
           fields are none.",
    example: "texts({'path': 'a', 'edit': {'text': 'b', 'line': 3}}) == ['a', 'b']",
    ..PURE
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::node::Origin;

    #[test]
    fn texts_are_found_at_any_depth_and_names_are_not() {
        let found = |text: &str| texts(Node::new(&Json::parse(text).expect("JSON"), Origin::Payload));
        assert_eq!(found(r#"{"a":["x",{"b":"y","c":[["z"]]}],"d":1,"e":null}"#), ["x", "y", "z"]);
        assert_eq!(found(r#""x""#), ["x"]);
        assert!(found("null").is_empty());
    }
}
