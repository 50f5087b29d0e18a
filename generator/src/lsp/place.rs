//! What stands at a place of a catalog: which value of the document, and which part of an expression.

use std::ops::Range;

use camino::Utf8Path;
use serde_json::Value;

use crate::document::{Document, Pointer, Segment};

/// An expression of a catalog, on its own or in a template.
#[derive(Debug, Clone)]
pub(super) struct Expression {
    /// The scalar that it stands in.
    pub(super) pointer: Pointer,
    pub(super) text: String,
    /// Where it begins in the text of the scalar.
    pub(super) start: usize,
}

/// A place inside an expression.
#[derive(Debug, Clone)]
pub(super) struct Spot {
    pub(super) expression: Expression,
    /// The byte of the expression that the place is before.
    pub(super) at: usize,
}

/// Keys whose value is an expression, and keys whose values are.
const EXPRESSIONS: &[&str] = &["when", "key", "at", "enabled_when"];
const MAPS_OF_EXPRESSIONS: &[&str] = &["let", "facts", "add", "from"];
/// Keys whose value is text with `${…}`, and keys whose values are.
const TEMPLATES: &[&str] = &[
    "deny", "block", "ask", "allow", "pass", "warn", "inject", "feedback", "advise", "log", "remember", "text", "line",
    "unless", "path",
];
const MAPS_OF_TEMPLATES: &[&str] = &["messages", "note", "export", "rewrite", "set"];

/// Every expression of a catalog, in the order of the document.
pub(super) fn expressions(document: &Document) -> Vec<Expression> {
    let mut all = Vec::new();
    scalars(document.value(), &Pointer::root(), &mut |pointer, text| {
        let (last, parent) = names(pointer);
        let within_case =
            pointer.segments().iter().any(|segment| matches!(segment, Segment::Key(key) if key == "cases"));
        if within_case {
            return;
        }
        if EXPRESSIONS.contains(&last) || MAPS_OF_EXPRESSIONS.contains(&parent) {
            all.push(Expression { pointer: pointer.clone(), text: text.to_owned(), start: 0 });
        } else if TEMPLATES.contains(&last) || MAPS_OF_TEMPLATES.contains(&parent) {
            let parts = fragments(text).into_iter().map(|range| Expression {
                pointer: pointer.clone(),
                text: text[range.clone()].to_owned(),
                start: range.start,
            });
            all.extend(parts);
        }
    });
    all
}

/// The last two names on the way; numbers do not count.
fn names(pointer: &Pointer) -> (&str, &str) {
    let mut keys = pointer.segments().iter().rev().map(|segment| match segment {
        Segment::Key(key) => key.as_str(),
        Segment::Index(_) => "",
    });
    (keys.next().unwrap_or_default(), keys.next().unwrap_or_default())
}

fn scalars(value: &Value, pointer: &Pointer, found: &mut dyn FnMut(&Pointer, &str)) {
    match value {
        Value::String(text) => found(pointer, text),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(place, item)| scalars(item, &pointer.index(place), found));
        }
        Value::Object(fields) => {
            fields.iter().for_each(|(key, value)| scalars(value, &pointer.key(key.as_str()), found));
        }
        _ => {}
    }
}

/// What stands between `${` and `}`; one that is not closed goes on to the end.
fn fragments(template: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(place) = template[at..].find("${").map(|place| place + at) {
        if template[..place].ends_with('$') {
            at = place + 2;
            continue;
        }
        let (mut depth, mut quote, mut end) = (0, None, template.len());
        for (offset, c) in template[place + 2..].char_indices() {
            match (quote, c) {
                (Some(open), c) if c == open => quote = None,
                (None, '\'' | '"') => quote = Some(c),
                (None, '{') => depth += 1,
                (None, '}') if depth > 0 => depth -= 1,
                (None, '}') => {
                    end = place + 2 + offset;
                    break;
                }
                _ => {}
            }
        }
        found.push(place + 2..end);
        at = end;
    }
    found
}

/// The expression at a byte of a file of the catalog.
pub(super) fn spot(document: &Document, file: &Utf8Path, offset: usize) -> Option<Spot> {
    expressions(document).into_iter().find_map(|expression| {
        let location = document.at(&expression.pointer);
        let whole = location.span.range();
        if location.source.path() != file || !(whole.start..=whole.end).contains(&offset) {
            return None;
        }
        let from = expression.start..=expression.start + expression.text.len();
        let at = from
            .filter(|place| expression.text.is_char_boundary(place - expression.start))
            .find(|place| inside(document, &expression.pointer, *place) == Some(offset))?;
        Some(Spot { at: at - expression.start, expression })
    })
}

/// Where a byte of a scalar's text stands in the file.
fn inside(document: &Document, pointer: &Pointer, place: usize) -> Option<usize> {
    let length = match document.get(pointer)? {
        Value::String(text) => text.len(),
        _ => return None,
    };
    if place < length {
        Some(document.inside(pointer, place..place + 1).span.start())
    } else {
        Some(document.inside(pointer, length.saturating_sub(1)..length).span.end())
    }
}

impl Spot {
    /// The name around the place, with its dots before: `tool_input.file_path`.
    pub(super) fn chain(&self) -> Option<(String, Range<usize>)> {
        let text = &self.expression.text;
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let end = self.at + text[self.at..].find(|c| !is_word(c)).unwrap_or(text.len() - self.at);
        let start = text[..self.at]
            .rfind(|c| !is_word(c))
            .map_or(0, |place| place + text[place..].chars().next().map_or(1, char::len_utf8));
        let word = text.get(start..end)?;
        if word.is_empty() || word.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let receiver = receiver(&text[..start]);
        Some((format!("{receiver}{word}"), start..end))
    }

    /// What stands before the dot that the place follows, and the letters typed since.
    pub(super) fn member(&self) -> Option<(String, String)> {
        let before = &self.expression.text[..self.at];
        let word: String = before
            .chars()
            .rev()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect::<Vec<_>>()
            .into_iter()
            .rev()
            .collect();
        let rest = &before[..before.len() - word.len()];
        let receiver = receiver(rest);
        receiver.strip_suffix('.').map(|receiver| (receiver.to_owned(), word))
    }

    /// Calls of macros around the place, the outermost first: the list, the macro's variable.
    pub(super) fn macros(&self) -> Vec<(String, String)> {
        let before = &self.expression.text[..self.at];
        let (mut depth, mut found) = (0_i32, Vec::new());
        for (place, c) in before.char_indices().rev() {
            match c {
                ')' => depth += 1,
                '(' if depth > 0 => depth -= 1,
                '(' => {
                    let head = &before[..place];
                    let name = head.rsplit('.').next().unwrap_or_default();
                    if matches!(name, "all" | "exists" | "exists_one" | "filter" | "map") {
                        let list = receiver(&head[..head.len() - name.len()]);
                        let variable = before[place + 1..].split(',').next().unwrap_or_default().trim().to_owned();
                        found.push((list.trim_end_matches('.').to_owned(), variable));
                    }
                }
                _ => {}
            }
        }
        found.reverse();
        found
    }

    /// The position of the hook that the expression belongs to.
    pub(super) fn hook(&self) -> Option<usize> {
        match self.expression.pointer.segments() {
            [Segment::Key(hooks), Segment::Index(place), ..] if hooks == "hooks" => Some(*place),
            _ => None,
        }
    }
}

/// The receiver at the end of a text, with its dot: names, calls and indices that hang together.
fn receiver(before: &str) -> String {
    let Some(inner) = before.strip_suffix('.') else { return String::new() };
    let chars: Vec<(usize, char)> = inner.char_indices().collect();
    let (mut place, mut depth) = (chars.len(), 0_i32);
    let mut quote: Option<char> = None;
    while place > 0 {
        let (_, c) = chars[place - 1];
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') if depth > 0 || place == chars.len() => quote = Some(c),
            (None, ')' | ']' | '}') => depth += 1,
            (None, '(' | '[' | '{') if depth > 0 => depth -= 1,
            (None, c) if depth > 0 || c.is_alphanumeric() || matches!(c, '_' | '.') => {}
            _ => break,
        }
        place -= 1;
    }
    let start = chars.get(place).map_or(inner.len(), |(start, _)| *start);
    format!("{}.", &inner[start..])
}
