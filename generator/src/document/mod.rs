//! A YAML text as a value, together with the place of every part of it.
//!
//! The value comes from `serde_yaml`; the places come from a second reading that sees bytes. What the two could read
//! differently (merge keys, aliases, tags, repeated keys) is refused, so they always describe the same document.

mod plain;
mod pointer;
mod refusal;
mod scalar;
mod spans;
mod tree;

pub use pointer::{Pointer, Segment};
pub use scalar::Style;
pub use spans::DEPTH_LIMIT;
pub use tree::Tree;

use std::ops::Range;
use std::sync::Arc;

use camino::Utf8PathBuf;
use serde_json::Value;

use crate::diagnostic::{Code, Diagnostic};
use crate::source::{Location, Source, Span};
use spans::{Content, Node};

/// The keys by which a reader recognises an entry, best first.
const GRIPS: [&str; 3] = ["id", "name", "catalog"];

/// A YAML text as a value, with places.
#[derive(Debug)]
pub struct Document {
    /// The text that it begins with; parts of it may stand in others.
    source: Arc<Source>,
    value: Value,
    root: Node,
    /// The other texts, and whether each is one that others use as well.
    others: Vec<(Utf8PathBuf, bool)>,
}

impl Document {
    /// Reads a source. There is a document unless its text cannot be trusted; a key given twice is reported, and its
    /// last value counts, so that later stages can find more.
    pub fn parse(source: Source) -> (Option<Self>, Vec<Diagnostic>) {
        let source = Arc::new(source);
        let (root, mut diagnostics) = spans::read(&source);
        let Some(root) = root else { return (None, diagnostics) };
        if diagnostics.iter().any(|diagnostic| diagnostic.code != Code::DuplicateKey) {
            return (None, diagnostics);
        }
        match serde_yaml::from_str(source.text()) {
            Ok(value) => (Some(Self { source, value, root, others: Vec::new() }), diagnostics),
            Err(error) => {
                diagnostics.push(refusal::value_error(&source, &error));
                (None, diagnostics)
            }
        }
    }

    /// A document that is one text, as it stands.
    pub fn verbatim(source: Source) -> Self {
        let source = Arc::new(source);
        let root = Node::verbatim(&source, Span::new(0..source.text().len()));
        Self { value: Value::String(source.text().to_owned()), source, root, others: Vec::new() }
    }

    /// The value of the whole document.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// The text that it begins with.
    pub fn source(&self) -> &Arc<Source> {
        &self.source
    }

    /// The value at a pointer.
    pub fn get(&self, pointer: &Pointer) -> Option<&Value> {
        pointer.segments().iter().try_fold(&self.value, |value, segment| match segment {
            Segment::Key(key) => value.get(key),
            Segment::Index(index) => value.get(index),
        })
    }

    /// Where a value is written; its key where nothing is written, and the grip of what surrounds it where there is no
    /// such value.
    pub fn at(&self, pointer: &Pointer) -> Location {
        match self.node(pointer) {
            Ok(node) => location(node, present(node)),
            Err(nearest) => grip(nearest),
        }
    }

    /// Where the key of a value is written; the value where it has no key.
    pub fn key(&self, pointer: &Pointer) -> Location {
        match self.node(pointer) {
            Ok(node) => location(node, node.key.unwrap_or(node.value)),
            Err(nearest) => grip(nearest),
        }
    }

    /// The part of an entry by which a reader recognises it: its `id` or `name`, else its key, else its first key.
    pub fn grip(&self, pointer: &Pointer) -> Location {
        grip(self.node(pointer).unwrap_or_else(|nearest| nearest))
    }

    /// Where a range of bytes within the text of a scalar is written; the whole scalar where that cannot be told.
    pub fn inside(&self, pointer: &Pointer, range: Range<usize>) -> Location {
        self.find_inside(pointer, range).unwrap_or_else(|| self.at(pointer))
    }

    fn find_inside(&self, pointer: &Pointer, range: Range<usize>) -> Option<Location> {
        let node = self.node(pointer).ok()?;
        let Content::Scalar(style) = node.content else { return None };
        let text = match self.get(pointer)? {
            Value::String(text) => text,
            _ => node.source.slice(node.value),
        };
        let found = scalar::locate(node.source.text(), node.value, style, text, range)?;
        Some(Location::new(&node.source, found))
    }

    /// The comment behind a scalar without quotes, which may have been meant as part of it.
    pub fn comment_after(&self, pointer: &Pointer) -> Option<Location> {
        let node = self.node(pointer).ok()?;
        let Content::Scalar(Style::Plain) = node.content else { return None };
        let end = node.value.range().end;
        let line = node.source.text().get(end..)?.lines().next()?;
        let comment = line.trim_start_matches([' ', '\t']);
        let start = end + line.len() - comment.len();
        comment.starts_with('#').then(|| Location::new(&node.source, start..start + comment.trim_end().len()))
    }

    /// Whether a place is within what is written at a pointer.
    pub fn holds(&self, pointer: &Pointer, place: &Location) -> bool {
        self.node(pointer).is_ok_and(|node| node.holds(place))
    }

    /// How a scalar is written.
    pub fn style(&self, pointer: &Pointer) -> Option<Style> {
        match self.node(pointer).ok()?.content {
            Content::Scalar(style) => Some(style),
            _ => None,
        }
    }

    /// The node, or else the nearest one on the way.
    fn node(&self, pointer: &Pointer) -> Result<&Node, &Node> {
        pointer.segments().iter().try_fold(&self.root, |node, segment| node.child(segment).ok_or(node))
    }
}

fn location(node: &Node, span: Span) -> Location {
    Location::new(&node.source, span.range())
}

fn present(node: &Node) -> Span {
    if node.value.is_empty() { node.key.unwrap_or(node.value) } else { node.value }
}

fn grip(node: &Node) -> Location {
    let own = || location(node, node.key.unwrap_or(node.value));
    let Content::Map(entries) = &node.content else { return own() };
    let named = GRIPS.iter().find_map(|key| entries.get(*key)).map(|entry| location(entry, present(entry)));
    let first = || entries.values().find_map(|entry| Some(location(entry, entry.key?)));
    named.or_else(|| node.key.map(|key| location(node, key))).or_else(first).unwrap_or_else(own)
}

#[cfg(test)]
mod tests;
