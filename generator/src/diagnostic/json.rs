//! Diagnostics for programs: one JSON object per line, in the order in which a person would see them.

use serde::Serialize;

use super::{Diagnostic, Label, in_order};
use crate::source::Location;

#[derive(Serialize)]
struct Row<'a> {
    #[serde(flatten)]
    place: Option<Place<'a>>,
    code: &'static str,
    name: &'static str,
    severity: &'static str,
    message: &'a str,
    labels: Vec<LabelRow<'a>>,
    help: Option<&'a str>,
}

#[derive(Serialize)]
struct LabelRow<'a> {
    #[serde(flatten)]
    place: Place<'a>,
    text: &'a str,
    primary: bool,
}

/// Lines and columns are counted from 1, columns in characters; the end is the character after the last.
#[derive(Serialize)]
struct Place<'a> {
    file: &'a str,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
}

/// One JSON object per diagnostic and line.
pub fn json_lines(diagnostics: &[Diagnostic]) -> String {
    let mut lines = String::new();
    for diagnostic in in_order(diagnostics) {
        // Only strings and numbers are written, which always succeeds.
        lines.push_str(&serde_json::to_string(&row(diagnostic)).unwrap_or_default());
        lines.push('\n');
    }
    lines
}

fn row(diagnostic: &Diagnostic) -> Row<'_> {
    Row {
        place: diagnostic.place().map(place),
        code: diagnostic.code.id(),
        name: diagnostic.code.name(),
        severity: diagnostic.severity.name(),
        message: &diagnostic.message,
        labels: diagnostic.labels.iter().map(label_row).collect(),
        help: diagnostic.help.as_deref(),
    }
}

fn label_row(label: &Label) -> LabelRow<'_> {
    LabelRow { place: place(&label.location), text: &label.text, primary: label.primary }
}

fn place(location: &Location) -> Place<'_> {
    let (start, end) = (location.start(), location.end());
    Place {
        file: location.source.path().as_str(),
        line: start.line,
        column: start.column,
        end_line: end.line,
        end_column: end.column,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::diagnostic::Code;
    use crate::source::Source;

    #[test]
    fn a_diagnostic_is_one_line_of_json_with_character_columns() {
        let source = Arc::new(Source::new("specs/é.yaml", "é: one\nb: two"));
        let diagnostic = Diagnostic::error(Code::UnknownKey, "unknown key `é`")
            .primary(Location::new(&source, 4..7), "not a key")
            .secondary(Location::new(&source, 8..9), "beside it")
            .help("remove it");
        let text = json_lines(&[diagnostic]);
        assert_eq!(text.lines().count(), 1);
        let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let place = serde_json::json!({"file": "specs/é.yaml", "line": 1, "column": 4, "end_line": 1, "end_column": 7});
        for (key, expected) in place.as_object().expect("an object") {
            assert_eq!(value.get(key), Some(expected), "{key}");
        }
        assert_eq!(value["code"], "HG101");
        assert_eq!(value["name"], "unknown-key");
        assert_eq!(value["severity"], "error");
        assert_eq!(value["help"], "remove it");
        assert_eq!(value["labels"][1]["line"], 2);
        assert_eq!(value["labels"][1]["primary"], false);
    }

    #[test]
    fn no_diagnostics_are_no_lines() {
        assert_eq!(json_lines(&[]), "");
    }
}
