//! The text of a catalog in one form: expressions laid out, no blanks at the ends of lines, no two empty lines in a row.
//!
//! Comments, the order of keys and the style of every scalar stay. What comes out means what went in, and laying it out again
//! changes nothing; where that cannot be shown, the text stays as it is.

use std::ops::Range;

use camino::Utf8Path;
use serde_json::Value;

use crate::cel;
use crate::diagnostic::Diagnostic;
use crate::document::{Document, Pointer, Style};
use crate::lsp::expressions;
use crate::source::Source;

/// No line of an expression in a scalar without quotes is longer.
const WIDTH: usize = 120;

/// The text laid out, or what keeps it from being read.
pub fn laid_out(path: &Utf8Path, text: &str) -> Result<String, Vec<Diagnostic>> {
    // A byte order mark is no part of a source, so places in it would not be places in the text.
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
    let document = read(path, &text)?;
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    // What is no expression yet is left as somebody types it.
    for (pointer, expression) in expressions(&document).into_iter().filter(|(_, text)| cel::parse(text).is_ok()) {
        let range = document.at(&pointer).span.range();
        let written = match document.style(&pointer) {
            Some(Style::Folded) => folded(&text, range.clone(), &expression),
            Some(Style::Plain) => plain(&text, range.clone(), &expression),
            _ => None,
        };
        edits.extend(written.map(|written| (range, written)));
    }
    edits.sort_by_key(|(range, _)| range.start);
    let mut out = text.clone();
    for (range, written) in edits.into_iter().rev() {
        out.replace_range(range, &written);
    }
    let out = even(path, &out)?;
    let same =
        read(path, &out).is_ok_and(|after| meaning(&after, after.value()) == meaning(&document, document.value()));
    Ok(if same { out } else { text })
}

fn read(path: &Utf8Path, text: &str) -> Result<Document, Vec<Diagnostic>> {
    let source = Source::from_bytes(path, text.as_bytes().to_vec()).map_err(|diagnostic| vec![diagnostic])?;
    let (document, diagnostics) = Document::parse(source);
    document.ok_or(diagnostics)
}

/// An expression after `>-`, its lines as far in as they were.
fn folded(text: &str, range: Range<usize>, expression: &str) -> Option<String> {
    let old = text.get(range)?;
    let (header, body) = old.split_once('\n')?;
    let first = body.lines().find(|line| !line.trim().is_empty())?;
    let indent = first.len() - first.trim_start().len();
    let blank = " ".repeat(indent);
    let lines: Vec<String> = cel::layout(expression, 2).lines().map(|line| format!("{blank}{line}")).collect();
    let end = &body[body.trim_end().len()..];
    Some(format!("{}\n{}{end}", header.trim_end(), lines.join("\n")))
}

/// An expression on the line of its key; one that is too long for it goes below.
fn plain(text: &str, range: Range<usize>, expression: &str) -> Option<String> {
    let old = text.get(range.clone())?;
    let start = text[..range.start].rfind('\n').map_or(0, |place| place + 1);
    let line = &text[start..range.start];
    let even = cel::layout(expression, 2);
    let in_flow = line.contains(['{', '[']);
    if old.contains('\n') || in_flow {
        return None;
    }
    if !even.contains('\n') && line.chars().count() + even.chars().count() <= WIDTH {
        return Some(even);
    }
    let key = line.len() - line.trim_start_matches([' ', '-']).len();
    let blank = " ".repeat(key + 2);
    let lines: Vec<String> = even.lines().map(|line| format!("{blank}{line}")).collect();
    Some(format!(">-\n{}", lines.join("\n")))
}

/// Without blanks at the ends of lines and with single empty lines, where no scalar goes over several lines.
fn even(path: &Utf8Path, text: &str) -> Result<String, Vec<Diagnostic>> {
    let document = read(path, text)?;
    let mut kept: Vec<Range<usize>> = Vec::new();
    spans(&document, document.value(), &Pointer::root(), &mut kept);
    let mut out = String::with_capacity(text.len());
    let (mut at, mut empty) = (0, true);
    for line in text.split_inclusive('\n') {
        let within = kept.iter().any(|range| range.start < at && at < range.end);
        let bare = line.trim_end();
        if within {
            out.push_str(line);
            empty = false;
        } else if !bare.is_empty() || !empty {
            let ends_within = kept.iter().any(|range| range.start < at + bare.len() && at + line.len() <= range.end);
            out.push_str(if ends_within { line.trim_end_matches('\n') } else { bare });
            out.push('\n');
            empty = bare.is_empty();
        }
        at += line.len();
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    Ok(out)
}

/// The places of scalars that go over several lines.
fn spans(document: &Document, value: &Value, pointer: &Pointer, out: &mut Vec<Range<usize>>) {
    match value {
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(place, item)| spans(document, item, &pointer.index(place), out));
        }
        Value::Object(fields) => {
            fields.iter().for_each(|(key, value)| spans(document, value, &pointer.key(key.as_str()), out));
        }
        _ => {
            let span = document.at(pointer).span;
            if document.source().slice(span).trim_end().contains('\n') {
                out.push(span.range());
            }
        }
    }
}

/// The document with every expression in one form.
fn meaning(document: &Document, value: &Value) -> Value {
    let mut value = value.clone();
    for (pointer, expression) in expressions(document) {
        if let Some(place) = value.pointer_mut(&pointer.to_string()) {
            *place = Value::String(cel::layout(&expression, 0));
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    const CATALOG: &str = "# first\ncatalog: demo   \nversion: 1.0.0\n\n\n\ndescription: >-\n  Two  words.  \nfacts:\n  a: \"1+1\"\n  b: 1+2   # why\nhooks:\n  - id: H1\n    when: >-\n      tool_input.command=='a'\n        ||tool_input.command=='b'\n    checks: [{ id: x, when: a==b, deny: No. }]\n";

    fn formatted(text: &str) -> String {
        laid_out(Utf8Path::new("specs/demo.yaml"), text).expect("it can be read")
    }

    #[test]
    fn expressions_are_laid_out_and_everything_else_stays() {
        let out = formatted(CATALOG);
        assert!(out.contains("      tool_input.command == 'a' || tool_input.command == 'b'\n"), "{out}");
        assert!(out.contains("  b: 1 + 2   # why\n"), "{out}");
        assert!(out.contains("# first\ncatalog: demo\n") && out.contains("1.0.0\n\ndescription"), "{out}");
        assert!(out.contains("a: \"1+1\"") && out.contains("checks: [{ id: x, when: a==b, deny: No. }]"), "{out}");
        assert_eq!(formatted(&out), out);
    }

    #[test]
    fn a_long_expression_goes_below_its_key() {
        let long = format!("facts:\n  a: x=='{}'||y=='{}'\n", "a".repeat(60), "b".repeat(60));
        let out = formatted(&long);
        assert!(out.starts_with("facts:\n  a: >-\n    x == '"), "{out}");
        assert_eq!(formatted(&out), out);
    }

    #[test]
    fn a_byte_order_mark_shifts_nothing() {
        assert_eq!(formatted(&format!("\u{feff}{CATALOG}")), formatted(CATALOG));
    }

    #[test]
    fn an_expression_without_an_end_stays_without_one() {
        for text in ["facts:\n  a: (x=='a'||y=='b'\n", "facts:\n  a: x==\n"] {
            assert_eq!(formatted(text), text);
        }
    }

    #[test]
    fn what_is_no_yaml_is_refused() {
        assert!(laid_out(Utf8Path::new("specs/demo.yaml"), "a: [").is_err());
    }
}
