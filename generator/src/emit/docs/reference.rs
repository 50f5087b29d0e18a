//! The names that expressions use: facts, documents, counters, constants and messages.

use serde::Serialize;

use super::markdown::{Table, code, fence, or_dash, text};
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
    let facts = catalog.facts.iter().map(|fact| [code(&fact.name), code(&fact.source)]);
    let counters = catalog.counters.iter().map(|counter| [code(&counter.name), text(&counter.description)]);
    let data = catalog.data.iter().map(|data| Named {
        name: format!("{}: {}", code(&data.name), code(&data.ty.to_string())),
        text: fence("json", &value(&data.value)),
    });
    let messages = catalog
        .messages
        .iter()
        .map(|message| Named { name: code(&message.name), text: fence("text", &message.template.source) });
    ReferenceView {
        facts: Table::or_empty(["fact", "is"], facts.collect()),
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

/// A value on one line if it fits, else with its parts on lines of their own.
fn value(value: &serde_json::Value) -> String {
    let short = value.to_string();
    if short.len() <= 100 { short } else { format!("{value:#}") }
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
