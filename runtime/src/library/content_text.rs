//! What a tool or a message says, whichever way its content is wrapped.

use crate::json::Json;
use crate::node::Node;
use crate::signature::function;

/// The text of a value: a string itself, the `text` of a block, the `content` of a result, the items of a list, one per
/// line. Images, numbers and fields of other names say nothing.
pub fn content_text(value: Node<'_>) -> String {
    let mut texts = Vec::new();
    collect(value.json(), &mut texts);
    texts.join("\n")
}

/// Its depth is that of a parsed value, which every parser limits.
fn collect<'a>(value: &'a Json<'_>, texts: &mut Vec<&'a str>) {
    match value {
        Json::Text(text) => texts.push(text),
        Json::List(items) => items.iter().for_each(|item| collect(item, texts)),
        Json::Object(_) => {
            if let Some(inner) = value.get("text").or_else(|| value.get("content")) {
                collect(inner, texts);
            }
        }
        _ => {}
    }
}

function! {
    FUNCTION: content_text,
    name: "contentText",
    params: { value: Any },
    result: Text,
    doc: "The text in a tool's response or a message: a string itself, the `text` of content blocks, the `content` of \
           results, the items of lists, one per line. Anything else says nothing.",
    example: "contentText({'content': ['one', 'two']}) == 'one\\ntwo'",
}

#[cfg(test)]
mod tests {
    use crate::node::Origin;

    use super::*;

    fn text(json: &str) -> String {
        content_text(Node::new(&Json::parse(json).expect(json), Origin::Payload))
    }

    #[test]
    fn a_response_says_the_same_in_every_wrapping() {
        for json in
            [r#""a\nb""#, r#"{"content":"a\nb"}"#, r#"{"content":[{"type":"text","text":"a"},"b"],"totalTokens":9}"#]
        {
            assert_eq!(text(json), "a\nb", "{json}");
        }
    }

    #[test]
    fn what_is_no_text_says_nothing() {
        for json in
            ["null", "7", "[]", "{}", r#"{"stdout":"x"}"#, r#"{"content":[null,3,{"type":"image"},{"text":null}]}"#]
        {
            assert_eq!(text(json), "", "{json}");
        }
    }
}
