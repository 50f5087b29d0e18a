//! Parts of documents that are put into others. Each keeps the text that it is written in.

use std::sync::Arc;

use indexmap::IndexMap;
use serde_json::{Map, Value};

use super::spans::{Content, Node};
use super::{Document, Pointer, Segment};
use crate::source::Location;

/// A value with the places of its parts.
#[derive(Debug, Clone)]
pub struct Tree {
    value: Value,
    node: Node,
}

impl Tree {
    /// The same place with another text: what is made of it stands where it stands.
    #[must_use]
    pub fn saying(self, text: String) -> Self {
        Self { value: Value::String(text), node: self.node }
    }

    /// Where it is written; its key, if it has one.
    pub fn location(&self) -> Location {
        Location::new(&self.node.source, self.node.key.unwrap_or(self.node.value).range())
    }
}

impl Node {
    /// Whether a place is within it, or within one of its parts that stand in another text.
    pub(super) fn holds(&self, place: &Location) -> bool {
        let same = self.source.path() == place.source.path();
        let within = self.value.start() <= place.span.start() && place.span.end() <= self.value.end();
        (same && within)
            || self.parts().any(|part| !Arc::ptr_eq(&part.source, &self.source) && part.holds(place))
            || self
                .parts()
                .any(|part| Arc::ptr_eq(&part.source, &self.source) && part.has_others() && part.holds(place))
    }

    fn has_others(&self) -> bool {
        self.parts().any(|part| !Arc::ptr_eq(&part.source, &self.source) || part.has_others())
    }

    fn parts(&self) -> Box<dyn Iterator<Item = &Node> + '_> {
        match &self.content {
            Content::List(items) => Box::new(items.iter()),
            Content::Map(entries) => Box::new(entries.values()),
            Content::Scalar(_) | Content::Alias => Box::new(std::iter::empty()),
        }
    }
}

impl Document {
    /// The part at a pointer.
    pub fn tree(&self, pointer: &Pointer) -> Option<Tree> {
        Some(Tree { value: self.get(pointer)?.clone(), node: self.node(pointer).ok()?.clone() })
    }

    /// Parts of that document come into this one; `shared` ones are used by others as well.
    pub fn join(&mut self, other: &Document, shared: bool) {
        let own = std::iter::once((other.source.path().to_owned(), shared));
        let more: Vec<_> = own.chain(other.others.iter().map(|(path, also)| (path.clone(), shared || *also))).collect();
        for (path, shared) in more {
            if self.source.path() != path && !self.others.iter().any(|(known, _)| *known == path) {
                self.others.push((path, shared));
            }
        }
    }

    /// That document is the one that this one begins with from now on; what was here is used by others as well.
    pub fn lead(&mut self, other: &Document) {
        let former = std::mem::replace(&mut self.source, Arc::clone(&other.source));
        let before = std::mem::take(&mut self.others).into_iter().map(|(path, _)| path);
        let mut others = other.others.clone();
        for path in std::iter::once(former.path().to_owned()).chain(before) {
            if self.source.path() != path && !others.iter().any(|(known, _)| *known == path) {
                others.push((path, true));
            }
        }
        self.others = others;
    }

    /// The texts beside the first one.
    pub fn others(&self) -> impl Iterator<Item = &camino::Utf8Path> {
        self.others.iter().map(|(path, _)| path.as_path())
    }

    /// Whether a value stands in a text that others use as well.
    pub fn is_shared(&self, pointer: &Pointer) -> bool {
        let Ok(node) = self.node(pointer) else { return false };
        self.others.iter().any(|(path, shared)| *shared && path == node.source.path())
    }

    /// The text that a value stands in, if it is another than the one that the document begins with.
    pub fn elsewhere(&self, pointer: &Pointer) -> Option<&camino::Utf8Path> {
        let node = self.node(pointer).ok()?;
        (node.source.path() != self.source.path()).then(|| node.source.path())
    }

    /// Puts a part under a key of a mapping, which is made if it is not there.
    pub fn put(&mut self, parent: &Pointer, key: &str, tree: Tree) {
        let Some((value, node)) = self.made(parent, &tree, false) else { return };
        if let (Value::Object(values), Content::Map(nodes)) = (value, &mut node.content) {
            values.insert(key.to_owned(), tree.value);
            nodes.insert(key.to_owned(), tree.node);
        }
    }

    /// Adds a part to a list, which is made if it is not there.
    pub fn push(&mut self, list: &Pointer, tree: Tree) {
        let Some((value, node)) = self.made(list, &tree, true) else { return };
        if let (Value::Array(values), Content::List(nodes)) = (value, &mut node.content) {
            values.push(tree.value);
            nodes.push(tree.node);
        }
    }

    /// Puts a part in the place of another one, whose key it keeps if it has none of its own.
    pub fn replace(&mut self, pointer: &Pointer, tree: Tree) {
        if let Some((value, node)) = self.both(pointer) {
            let key = tree.node.key.or(node.key);
            (*value, *node) = (tree.value, Node { key, ..tree.node });
        }
    }

    /// Takes a part out.
    pub fn remove(&mut self, pointer: &Pointer) {
        let Some((last, parent)) = pointer.segments().split_last() else { return };
        let Some((value, node)) = self.both_at(parent) else { return };
        match (last, value, &mut node.content) {
            (Segment::Key(key), Value::Object(values), Content::Map(nodes)) => {
                values.shift_remove(key);
                nodes.shift_remove(key);
            }
            (Segment::Index(place), Value::Array(values), Content::List(nodes)) if *place < values.len() => {
                values.remove(*place);
                nodes.remove(*place);
            }
            _ => {}
        }
    }

    /// The mapping or list at a pointer, made where the part that comes into it stands if it is not there.
    fn made(&mut self, pointer: &Pointer, tree: &Tree, as_list: bool) -> Option<(&mut Value, &mut Node)> {
        if self.get(pointer).is_none() {
            let (last, parent) = pointer.segments().split_last()?;
            let (value, content) = if as_list {
                (Value::Array(Vec::new()), Content::List(Vec::new()))
            } else {
                (Value::Object(Map::new()), Content::Map(IndexMap::new()))
            };
            let made = Node::new(&tree.node.source, tree.node.value, content);
            let (around, place) = self.both_at(parent)?;
            if let (Segment::Key(key), Value::Object(values), Content::Map(nodes)) = (last, around, &mut place.content)
            {
                values.insert(key.clone(), value);
                nodes.insert(key.clone(), made);
            }
        }
        self.both(pointer)
    }

    fn both(&mut self, pointer: &Pointer) -> Option<(&mut Value, &mut Node)> {
        self.both_at(pointer.segments())
    }

    fn both_at(&mut self, way: &[Segment]) -> Option<(&mut Value, &mut Node)> {
        way.iter().try_fold((&mut self.value, &mut self.root), |(value, node), segment| {
            let value = match segment {
                Segment::Key(key) => value.get_mut(key)?,
                Segment::Index(index) => value.get_mut(index)?,
            };
            Some((value, node.child_mut(segment)?))
        })
    }
}
