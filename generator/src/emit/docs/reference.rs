//! What hooks read by name: documents and constants.

use serde_json::Value;

use super::markdown::{Table, code, or_dash, text};
use crate::catalog::Format;
use crate::model::{Data, Document};

/// Documents with their places and shapes.
pub(super) fn documents<'d>(documents: impl Iterator<Item = &'d Document>) -> String {
    let head = ["document", "holds", "path", "format", "fields", "only when"];
    Table::or_empty(head, documents.map(document).collect())
}

/// How much a constant holds.
pub(super) fn extent(data: &Data) -> String {
    match &data.value {
        Value::Array(items) => format!("{} items", items.len()),
        Value::Object(fields) => format!("{} entries", fields.len()),
        other => code(&other.to_string()),
    }
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
    use super::super::super::fixture;
    use super::*;

    #[test]
    fn a_constant_is_measured_not_printed() {
        let mut catalog = fixture::full();
        catalog.data[0].value = serde_json::json!(["a", "b"]);
        assert_eq!(extent(&catalog.data[0]), "2 items");
        catalog.data[0].value = serde_json::json!(3);
        assert_eq!(extent(&catalog.data[0]), "`3`");
    }
}
