//! The names that expressions use: facts, documents, counters, constants and messages.

use serde::Serialize;
use serde_json::Value;

use super::markdown::{Table, code, definitions, fence, or_dash, text};
use crate::catalog::Format;
use crate::model::{Catalog, Document};

#[derive(Serialize)]
pub(super) struct ReferenceView {
    facts: String,
    documents: String,
    counters: String,
    data: Vec<Named>,
    messages: Vec<Named>,
}

/// A text that is too long for a cell.
#[derive(Serialize)]
struct Named {
    name: String,
    text: String,
}

pub(super) fn view(catalog: &Catalog) -> ReferenceView {
    let counters = catalog.counters.iter().map(|counter| [code(&counter.name), text(&counter.description)]);
    let data = catalog.data.iter().map(|data| Named {
        name: format!("{}: {}", code(&data.name), code(&data.ty.to_string())),
        text: fence("json", &value(&data.value, 0)),
    });
    let messages = catalog
        .messages
        .iter()
        .map(|message| Named { name: code(&message.name), text: fence("text", &message.template.source) });
    ReferenceView {
        facts: definitions(catalog.facts.iter().map(|fact| (fact.name.as_str(), fact.source.as_str()))),
        documents: documents(&catalog.documents),
        counters: Table::or_empty(["counter", "counts"], counters.collect()),
        data: data.collect(),
        messages: messages.collect(),
    }
}

/// The documents of the catalog or of a hook.
pub(super) fn documents(documents: &[Document]) -> String {
    let head = ["document", "holds", "path", "format", "fields", "only when"];
    Table::or_empty(head, documents.iter().map(document).collect())
}

/// Characters on a line of a constant.
const WIDTH: usize = 110;

/// A value on one line if it fits, else with its parts on lines of their own; plain items share lines.
fn value(value: &Value, indent: usize) -> String {
    let short = value.to_string();
    if indent + short.chars().count() <= WIDTH {
        return short;
    }
    let inner = indent + 2;
    let parts: Vec<String> = match value {
        Value::Array(items) if !items.iter().any(|item| item.is_array() || item.is_object()) => filled(items, inner),
        Value::Array(items) => items.iter().map(|item| self::value(item, inner)).collect(),
        Value::Object(fields) => {
            let field = |(name, part): (&String, &Value)| {
                let name = Value::from(name.as_str());
                format!("{name}: {}", self::value(part, inner))
            };
            fields.iter().map(field).collect()
        }
        _ => return short,
    };
    let (open, close) = if value.is_array() { ('[', ']') } else { ('{', '}') };
    let (outer, inner) = (" ".repeat(indent), " ".repeat(inner));
    format!("{open}\n{inner}{}\n{outer}{close}", parts.join(&format!(",\n{inner}")))
}

/// As many items on a line as fit.
fn filled(items: &[Value], indent: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for item in items.iter().map(Value::to_string) {
        match lines.last_mut().filter(|line| indent + line.chars().count() + item.chars().count() < WIDTH) {
            Some(line) => {
                line.push_str(", ");
                line.push_str(&item);
            }
            None => lines.push(item),
        }
    }
    lines
}

fn document(document: &Document) -> [String; 6] {
    let format = match document.format {
        Format::FrontMatter => "front matter",
        Format::Yaml => "YAML",
        Format::Json => "JSON",
        Format::KeyValue => "key and value per line",
        Format::StatusLine => "one line of values",
        Format::Text => "text",
    };
    let separated = matches!(document.format, Format::KeyValue | Format::StatusLine);
    let delimiter = if separated { format!(", separated by {}", code(&document.delimiter)) } else { String::new() };
    let fields: Vec<String> = document.fields.iter().map(|(name, ty)| code(&format!("{name}: {ty}"))).collect();
    [
        code(&document.name),
        or_dash(document.description.as_deref().map(text).unwrap_or_default()),
        code(&document.path.source),
        format!("{format}{delimiter}"),
        or_dash(fields.join(", ")),
        or_dash(document.when.as_ref().map(|condition| code(&condition.source)).unwrap_or_default()),
    ]
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn long_values_take_the_lines_they_need_and_stay_json() {
        let words: Vec<String> = (0..40).map(|number| format!("word-{number}")).collect();
        let long = json!({ "words": words, "short": [1, 2], "deep": [{ "words": words }, "a".repeat(200)] });
        let shown = value(&long, 0);
        assert_eq!(serde_json::from_str::<Value>(&shown).expect("JSON"), long);
        assert!(shown.lines().count() < 25, "{shown}");
        assert!(shown.lines().all(|line| line.len() <= WIDTH + 2 || line.contains(&"a".repeat(200))), "{shown}");
        assert_eq!(value(&json!([1, 2]), 0), "[1,2]");
    }
}
