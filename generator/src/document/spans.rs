//! Where every value of a document is written, and what a catalog may not use.
//!
//! One walk over the parser's events, with a stack of its own: however deep the text is nested, nothing recurses before
//! the depth is known to be small.

use std::ops::Range;
use std::sync::Arc;

use granit_parser::{Event, Parser, ScalarStyle, StructureStyle};
use indexmap::IndexMap;

use super::plain::Plain;
use super::pointer::Segment;
use super::refusal;
use super::scalar::Style;
use crate::diagnostic::{Diagnostic, ENOUGH};
use crate::source::{Location, Source, Span};

/// The deepest nesting of lists and mappings.
pub const DEPTH_LIMIT: usize = 64;

/// A value: where it is written and what is inside.
#[derive(Debug, Clone)]
pub(super) struct Node {
    /// The text that it is written in.
    pub(super) source: Arc<Source>,
    /// The key, if it stands in a mapping.
    pub(super) key: Option<Span>,
    /// The value. Empty where nothing is written.
    pub(super) value: Span,
    pub(super) content: Content,
}

/// What is inside a value.
#[derive(Debug, Clone)]
pub(super) enum Content {
    Scalar(Style),
    List(Vec<Node>),
    Map(IndexMap<String, Node>),
    /// A reference to another value; always refused.
    Alias,
}

impl Node {
    pub(super) fn new(source: &Arc<Source>, value: Span, content: Content) -> Self {
        Self { source: Arc::clone(source), key: None, value, content }
    }

    /// A text that is no YAML.
    pub(super) fn verbatim(source: &Arc<Source>, value: Span) -> Self {
        Self::new(source, value, Content::Scalar(Style::Verbatim))
    }

    /// One step down.
    pub(super) fn child(&self, segment: &Segment) -> Option<&Node> {
        match (&self.content, segment) {
            (Content::Map(entries), Segment::Key(key)) => entries.get(key),
            (Content::List(items), Segment::Index(index)) => items.get(*index),
            _ => None,
        }
    }

    /// One step down, to change it.
    pub(super) fn child_mut(&mut self, segment: &Segment) -> Option<&mut Node> {
        match (&mut self.content, segment) {
            (Content::Map(entries), Segment::Key(key)) => entries.get_mut(key),
            (Content::List(items), Segment::Index(index)) => items.get_mut(*index),
            _ => None,
        }
    }

    fn is_absent(&self) -> bool {
        self.value.is_empty() && matches!(self.content, Content::Scalar(_))
    }
}

/// The tree of spans, if the text could be read to its end and holds a value, and everything that was refused.
pub(super) fn read(source: &Arc<Source>) -> (Option<Node>, Vec<Diagnostic>) {
    let options = granit_parser::options! { emit_anchor_events: true, emit_unresolved_aliases: true };
    let mut reader = Reader { source, open: Vec::new(), root: None, documents: 0, refused: Vec::new() };
    for event in Parser::new_from_str_with_options(source.text(), options) {
        let more = match event {
            Ok((event, span)) => reader.event(&event, &span),
            Err(error) => {
                reader.refused.push(refusal::scan_error(source, &error));
                false
            }
        };
        if !more || reader.refused.len() >= ENOUGH {
            return (None, reader.refused);
        }
    }
    if reader.root.as_ref().is_none_or(Node::is_absent) && reader.refused.is_empty() {
        reader.refused.push(refusal::empty(source));
    }
    (reader.root, reader.refused)
}

struct Reader<'a> {
    source: &'a Arc<Source>,
    open: Vec<Open>,
    root: Option<Node>,
    documents: usize,
    refused: Vec<Diagnostic>,
}

/// A list or mapping whose end has not come yet.
struct Open {
    node: Node,
    flow: bool,
    /// In a mapping: the key whose value comes next.
    key: Option<Key>,
}

struct Key {
    /// Nothing for a key that was refused.
    name: Option<String>,
    span: Span,
}

impl Reader<'_> {
    /// Whether to go on.
    fn event(&mut self, event: &Event<'_>, span: &granit_parser::Span) -> bool {
        let range = span.byte_range().unwrap_or_default();
        if let Some(tag) = span.tag_span().and_then(|tag| tag.byte_range()) {
            self.refused.push(refusal::tag(&self.at(tag)));
        }
        match event {
            Event::DocumentStart(..) => {
                self.documents += 1;
                if self.documents > 1 {
                    self.refused.push(refusal::second_document(self.source, range));
                    return false;
                }
            }
            Event::Anchor(..) | Event::Alias(_) | Event::UnresolvedAlias(_) => {
                self.refused.push(refusal::anchor_or_alias(&self.at(range.clone())));
                if !matches!(event, Event::Anchor(..)) {
                    self.value(Node::new(self.source, Span::new(range), Content::Alias), None);
                }
            }
            Event::Scalar(text, style, ..) => self.scalar(text, *style, range),
            Event::SequenceStart(style, ..) => return self.start(range, *style, Content::List(Vec::new())),
            Event::MappingStart(style, ..) => return self.start(range, *style, Content::Map(IndexMap::new())),
            Event::SequenceEnd | Event::MappingEnd => self.end(range.end),
            _ => {}
        }
        true
    }

    fn at(&self, range: Range<usize>) -> Location {
        Location::new(self.source, range)
    }

    fn scalar(&mut self, text: &str, style: ScalarStyle, range: Range<usize>) {
        let written = self.source.text().get(range.clone()).unwrap_or_default();
        let end = range.start + written.trim_end().len();
        let style = match style {
            ScalarStyle::SingleQuoted => Style::SingleQuoted,
            ScalarStyle::DoubleQuoted => Style::DoubleQuoted,
            ScalarStyle::Literal => Style::Literal,
            ScalarStyle::Folded => Style::Folded,
            ScalarStyle::Plain => Style::Plain,
        };
        let start =
            if matches!(style, Style::Literal | Style::Folded) { self.header(range.start) } else { range.start };
        let span = Span::new(start..end.max(start));
        let plain = if style == Style::Plain { Plain::of(text) } else { Plain::Text };
        if matches!(plain, Plain::NotFinite | Plain::TooLarge) {
            self.refused.push(refusal::number(&self.at(span.range()), plain));
        }
        self.value(Node::new(self.source, span, Content::Scalar(style)), Some((text, plain)));
    }

    /// Where the `|` or `>` of a block scalar stands. The parser's span starts with the content, below it.
    fn header(&self, content: usize) -> usize {
        let before = self.source.text().get(..content).unwrap_or_default().trim_end();
        let line = before.rfind(['\n', '\r']).map_or(0, |line_break| line_break + 1);
        let key = self.open.last().and_then(|open| open.key.as_ref()).map_or(0, |key| key.span.end());
        let from = line.max(key.min(before.len()));
        let is_header = |at: &usize| {
            let rest = before.get(at + 1..).unwrap_or_default();
            let rest = rest.trim_start_matches(|it: char| it.is_ascii_digit() || matches!(it, '+' | '-'));
            rest.is_empty() || rest.trim_start_matches([' ', '\t']).starts_with('#')
        };
        let marks = before.get(from..).unwrap_or_default().match_indices(['|', '>']);
        marks.map(|(offset, _)| from + offset).find(is_header).unwrap_or(content)
    }

    fn start(&mut self, range: Range<usize>, style: StructureStyle, content: Content) -> bool {
        if self.open.len() == DEPTH_LIMIT {
            self.refused.push(refusal::depth(&self.at(range)));
            return false;
        }
        let flow = style == StructureStyle::Flow;
        self.open.push(Open { node: Node::new(self.source, Span::new(range), content), flow, key: None });
        true
    }

    fn end(&mut self, end: usize) {
        let Some(mut closed) = self.open.pop() else { return };
        if closed.flow {
            closed.node.value = Span::new(closed.node.value.start()..end);
        }
        self.value(closed.node, None);
    }

    /// A complete value: a key, the value of a key, an item, or the root.
    fn value(&mut self, mut node: Node, scalar: Option<(&str, Plain)>) {
        let Some(open) = self.open.last_mut() else {
            self.root = Some(node);
            return;
        };
        if !open.flow {
            // A block has no closing mark: it ends where its last part does.
            open.node.value = Span::new(open.node.value.start()..node.value.end().max(open.node.value.end()));
        }
        match &mut open.node.content {
            Content::List(items) => items.push(node),
            Content::Map(entries) => match open.key.take() {
                None => {
                    let (key, refused) = key(self.source, &node, scalar, entries);
                    open.key = Some(key);
                    self.refused.extend(refused);
                }
                Some(Key { name: Some(name), span }) => {
                    node.key = Some(span);
                    entries.insert(name, node);
                }
                Some(Key { name: None, .. }) => {}
            },
            Content::Scalar(_) | Content::Alias => {}
        }
    }
}

fn key(
    source: &Arc<Source>,
    node: &Node,
    scalar: Option<(&str, Plain)>,
    entries: &IndexMap<String, Node>,
) -> (Key, Option<Diagnostic>) {
    let span = node.value;
    let here = Location::new(source, span.range());
    let refused = |diagnostic| (Key { name: None, span }, diagnostic);
    match scalar {
        Some(("<<", _)) if here.text() == "<<" => refused(Some(refusal::merge_key(&here))),
        Some((name, Plain::Text)) => {
            let first = entries.get(name).and_then(|entry| entry.key);
            let twice = first.map(|first| refusal::duplicate_key(name, &here, Location::new(source, first.range())));
            (Key { name: Some(name.to_owned()), span }, twice)
        }
        Some((_, plain)) => refused(Some(refusal::key(&here, plain.name()))),
        None => match node.content {
            Content::List(_) => refused(Some(refusal::key(&here, "a list"))),
            Content::Map(_) => refused(Some(refusal::key(&here, "a mapping"))),
            // The alias itself was refused already.
            Content::Scalar(_) | Content::Alias => refused(None),
        },
    }
}
