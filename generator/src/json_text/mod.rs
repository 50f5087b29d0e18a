//! JSON edited as text: what an edit does not mean to change stays as it is, to the byte.
//!
//! Numbers of any size, escapes, the order of keys, indentation and line ends are the business of whoever wrote them. And
//! what was put into a text can be taken out again without a trace: an element is added right behind the one before it,
//! and goes with everything between the two.

mod scan;
#[cfg(test)]
mod tests;

pub(crate) use scan::{Kind, Node};

use std::ops::Range;

use serde::Serialize;
use serde_json::Value;

/// Why a text cannot be edited, and at which byte of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Trouble {
    pub(crate) at: usize,
    pub(crate) what: String,
}

impl Trouble {
    pub(crate) fn new(at: usize, what: impl Into<String>) -> Self {
        Self { at, what: what.into() }
    }
}

/// A text, and what is where in it.
#[derive(Debug, Clone)]
pub(crate) struct Document {
    text: String,
    root: Node,
}

/// Where a container is: the keys and numbers that lead to it.
pub(crate) type Route<'r> = &'r [Step<'r>];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step<'r> {
    Key(&'r str),
    Item(usize),
}

impl Document {
    pub(crate) fn parse(text: impl Into<String>) -> Result<Self, Trouble> {
        let text = text.into();
        let root = scan::scan(&text)?;
        Ok(Self { text, root })
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn root(&self) -> &Node {
        &self.root
    }

    pub(crate) fn get(&self, route: Route<'_>) -> Option<&Node> {
        route.iter().try_fold(&self.root, |node, step| match step {
            Step::Key(key) => node.member(key),
            Step::Item(index) => node.items().get(*index),
        })
    }

    /// The value of a node; nothing if it holds what only JavaScript can read, such as half a surrogate pair.
    pub(crate) fn value(&self, node: &Node) -> Option<Value> {
        serde_json::from_str(&self.text[node.span.clone()]).ok()
    }

    /// Adds values at the end of a list.
    pub(crate) fn append(&mut self, list: Route<'_>, values: &[Value]) -> Result<(), Trouble> {
        self.add(list, |indent, unit, line_end| {
            values.iter().map(|value| pretty(value, indent, unit, line_end)).collect()
        })
    }

    /// Adds a member at the end of an object.
    pub(crate) fn insert(&mut self, object: Route<'_>, key: &str, value: &Value) -> Result<(), Trouble> {
        self.add(object, |indent, unit, line_end| {
            vec![format!("{}: {}", Value::from(key), pretty(value, indent, unit, line_end))]
        })
    }

    /// Puts values in the place of some of a list.
    pub(crate) fn replace(&mut self, list: Route<'_>, which: Range<usize>, values: &[Value]) -> Result<(), Trouble> {
        let Some(node) = self.get(list) else { return Ok(()) };
        let indent = self.indent_of(node);
        let (unit, line_end) = (self.unit(), self.line_end());
        let values: Vec<_> = values.iter().map(|value| pretty(value, &indent, &unit, line_end)).collect();
        let text = values.join(&format!(",{line_end}{indent}"));
        let elements = node.elements();
        self.splice(elements[which.start].start..elements[which.end - 1].end, &text)
    }

    /// Takes some of the elements of a container out. One that is empty then stays only if it was there before
    /// anything was put into it; whether it was, is what this gives.
    pub(crate) fn remove(&mut self, container: Route<'_>, which: Range<usize>) -> Result<bool, Trouble> {
        let Some(node) = self.get(container) else { return Ok(true) };
        let elements = node.elements();
        let (span, stays) = if which.start > 0 {
            (elements[which.start - 1].end..elements[which.end - 1].end, true)
        } else if which.end < elements.len() {
            (elements[0].start..elements[which.end].start, true)
        } else {
            let inside = node.span.start + 1..node.span.end - 1;
            let last = elements[which.end - 1].end;
            let lead = &self.text[inside.start..elements[0].start];
            let trail = &self.text[last..inside.end];
            let spread = container.is_empty()
                && lead == format!("{}{}", self.line_end(), self.unit())
                && trail == self.line_end();
            let end = if spread { inside.end } else { last };
            (inside.start..end, container.is_empty() || lead.is_empty())
        };
        self.splice(span, "")?;
        Ok(stays)
    }

    /// Adds elements behind the last one. In an empty container that others have made, they stand right behind the
    /// bracket: one that came with its elements begins a new line there, and goes with them. The outermost object
    /// never goes, and may look as it should.
    fn add(&mut self, container: Route<'_>, elements: impl Fn(&str, &str, &str) -> Vec<String>) -> Result<(), Trouble> {
        let Some(node) = self.get(container) else { return Ok(()) };
        let (unit, line_end) = (self.unit(), self.line_end());
        let indent = self.indent_of(node);
        let break_line = format!("{line_end}{indent}");
        let text = elements(&indent, &unit, line_end).join(&format!(",{break_line}"));
        let (at, text) = match node.elements().last() {
            Some(last) => (last.end, format!(",{break_line}{text}")),
            None if container.is_empty() => {
                let inside = &self.text[node.span.start + 1..node.span.end - 1];
                let before = if inside == line_end { line_end } else { "" };
                let after = if inside.is_empty() { line_end } else { "" };
                (node.span.start + 1, format!("{before}{break_line}{text}{after}"))
            }
            None => (node.span.start + 1, text),
        };
        self.splice(at..at, &text)
    }

    /// The indentation of the elements of a container, or of those to be.
    fn indent_of(&self, node: &Node) -> String {
        let own_line = |at: usize| {
            let line = self.text[..at].rfind('\n').map_or(0, |end| end + 1);
            Some(&self.text[line..at]).filter(|before| line > 0 && before.trim().is_empty())
        };
        let around = self.text[..node.span.start].rfind('\n').map_or("", |end| {
            let line = &self.text[end + 1..];
            &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
        });
        let elements = node.elements();
        let begins_line = elements.last().and_then(|last| own_line(last.start));
        let tight = elements.first().is_none_or(|first| first.start == node.span.start + 1);
        match begins_line {
            Some(indent) => indent.to_owned(),
            None if node.span == self.root.span => self.unit(),
            None if tight => around.to_owned(),
            None => format!("{around}{}", self.unit()),
        }
    }

    /// The indentation of one level.
    fn unit(&self) -> String {
        let first = self.root.elements().first().map_or(0, |first| first.start);
        let lead = &self.text[..first];
        let indent = lead.rfind('\n').map_or("", |end| &lead[end + 1..]);
        if indent.is_empty() || !indent.trim_matches([' ', '\t']).is_empty() {
            "  ".to_owned()
        } else {
            indent.to_owned()
        }
    }

    fn line_end(&self) -> &'static str {
        match self.text.find('\n') {
            Some(at) if self.text[..at].ends_with('\r') => "\r\n",
            _ => "\n",
        }
    }

    /// Changes the text, unless it would be none that can be read again: one that is nested too deeply.
    fn splice(&mut self, span: Range<usize>, text: &str) -> Result<(), Trouble> {
        let mut changed = self.text.clone();
        changed.replace_range(span, text);
        *self = Self::parse(changed)?;
        Ok(())
    }
}

/// A value over several lines, the second and all further ones behind `indent`.
fn pretty(value: &Value, indent: &str, unit: &str, line_end: &str) -> String {
    let mut bytes = Vec::new();
    let format = serde_json::ser::PrettyFormatter::with_indent(unit.as_bytes());
    let mut writer = serde_json::Serializer::with_formatter(&mut bytes, format);
    // Values have only text for keys, and memory takes everything.
    if value.serialize(&mut writer).is_err() {
        return value.to_string();
    }
    String::from_utf8_lossy(&bytes).replace('\n', &format!("{line_end}{indent}"))
}
