//! Names of a catalog: where each is declared, and everywhere that it is used.

use std::ops::Range;

use camino::Utf8Path;
use serde_json::Value;

use super::place::{Spot, expressions};
use crate::cel::{self, Ast, Node};
use crate::document::{Document, Pointer, Segment};
use crate::source::Location;

/// A name of the catalog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Symbol {
    /// Where it is declared.
    pub(super) declared: Pointer,
    /// The table that is written before it, such as `data`; none for facts, documents and definitions.
    table: Option<String>,
    name: String,
    /// The hook that it belongs to, if not to all of the catalog.
    hook: Option<usize>,
}

const TABLES: &[&str] = &["data", "flags", "choices", "thresholds", "messages"];

/// The name at a place of an expression.
pub(super) fn at_spot(document: &Document, spot: &Spot) -> Option<Symbol> {
    let (chain, _) = spot.chain()?;
    let mut parts = chain.split('.');
    let (first, second) = (parts.next()?, parts.next());
    named(document, first, second, spot.hook())
}

/// The name at a place outside of expressions: a key that declares one, or a `flag:` that uses one.
pub(super) fn at_offset(document: &Document, file: &Utf8Path, offset: usize) -> Option<Symbol> {
    let touches = |location: &Location| location.source.path() == file && touches(&location.span.range(), offset);
    let declared = all(document).into_iter().find(|symbol| touches(&document.key(&symbol.declared)));
    declared.or_else(|| {
        let hooks = document.get(&Pointer::root().key("hooks"))?.as_array()?.len();
        (0..hooks).find_map(|place| {
            let pointer = Pointer::root().key("hooks").index(place).key("flag");
            let name = document.get(&pointer)?.as_str()?;
            touches(&document.at(&pointer)).then(|| named(document, "flags", Some(name), None))?
        })
    })
}

fn touches(range: &Range<usize>, offset: usize) -> bool {
    range.start <= offset && offset <= range.end
}

/// Every name that the catalog declares.
fn all(document: &Document) -> Vec<Symbol> {
    let mut symbols = Vec::new();
    let mut take = |table: &Pointer, written: Option<&str>, hook: Option<usize>| {
        for name in super::complete::keys(document, table) {
            symbols.push(Symbol { declared: table.key(name.as_str()), table: written.map(str::to_owned), name, hook });
        }
    };
    for table in TABLES {
        take(&Pointer::root().key(*table), Some(table), None);
    }
    for table in ["facts", "documents", "counters", "history"] {
        take(&Pointer::root().key(table), None, None);
    }
    let hooks = document.get(&Pointer::root().key("hooks")).and_then(Value::as_array).map_or(0, Vec::len);
    for place in 0..hooks {
        for table in ["let", "documents"] {
            take(&Pointer::root().key("hooks").index(place).key(table), None, Some(place));
        }
    }
    symbols
}

/// What is meant by a name in the expressions of a hook; its own definitions come first.
fn named(document: &Document, first: &str, second: Option<&str>, hook: Option<usize>) -> Option<Symbol> {
    let symbols = all(document);
    if TABLES.contains(&first) {
        return symbols
            .into_iter()
            .find(|symbol| symbol.table.as_deref() == Some(first) && Some(symbol.name.as_str()) == second);
    }
    let of = |owner: Option<usize>| {
        symbols.iter().find(|symbol| symbol.table.is_none() && symbol.name == first && symbol.hook == owner).cloned()
    };
    hook.and_then(|hook| of(Some(hook))).or_else(|| of(None))
}

impl Symbol {
    /// Everywhere that the name stands, its declaration first.
    pub(super) fn places(&self, document: &Document) -> Vec<Location> {
        let mut places = vec![document.key(&self.declared)];
        for expression in expressions(document) {
            let hook = match expression.pointer.segments() {
                [Segment::Key(hooks), Segment::Index(place), ..] if hooks == "hooks" => Some(*place),
                _ => None,
            };
            let Ok(tree) = cel::parse(&expression.text) else { continue };
            let mut found = Vec::new();
            self.uses(&tree, &mut Vec::new(), &mut found);
            for range in found {
                let first = self.table.as_deref().unwrap_or(&self.name);
                if named(document, first, self.table.as_ref().map(|_| self.name.as_str()), hook).as_ref() == Some(self)
                {
                    let range = range.start + expression.start..range.end + expression.start;
                    places.push(document.inside(&expression.pointer, range));
                }
            }
        }
        places.extend(self.mentions(document));
        places
    }

    /// Where a `flag:` or a list of `reset` names it.
    fn mentions(&self, document: &Document) -> Vec<Location> {
        let hooks = document.get(&Pointer::root().key("hooks")).and_then(Value::as_array).map_or(0, Vec::len);
        let flags = (0..hooks).map(|place| Pointer::root().key("hooks").index(place).key("flag"));
        let flags = flags.filter(|_| self.table.as_deref() == Some("flags"));
        flags
            .filter(|pointer| document.get(pointer).and_then(Value::as_str) == Some(&self.name))
            .map(|pointer| document.at(&pointer))
            .collect()
    }

    fn uses_all<'t>(
        &self,
        trees: impl IntoIterator<Item = &'t Ast>,
        hidden: &mut Vec<String>,
        found: &mut Vec<Range<usize>>,
    ) {
        for tree in trees {
            self.uses(tree, hidden, found);
        }
    }

    /// Uses in a tree; variables of macros hide names.
    fn uses(&self, tree: &Ast, hidden: &mut Vec<String>, found: &mut Vec<Range<usize>>) {
        match (&tree.node, &self.table) {
            (Node::Name(name), None) if *name == self.name && !hidden.contains(name) => found.push(tree.span.clone()),
            (Node::Field { of, name }, Some(table))
                if name.text == self.name && matches!(&of.node, Node::Name(first) if first == table) =>
            {
                found.push(name.span.clone());
            }
            _ => {}
        }
        match &tree.node {
            Node::List(items) => self.uses_all(items.iter(), hidden, found),
            Node::Map(entries) => self.uses_all(entries.iter().map(|(_, value)| value), hidden, found),
            Node::Field { of, .. } | Node::Unary { of, .. } => self.uses(of, hidden, found),
            Node::Index { of, at } => self.uses_all([&**of, at], hidden, found),
            Node::Binary { left, right, .. } => self.uses_all([&**left, right], hidden, found),
            Node::Choice { when, then, otherwise } => self.uses_all([&**when, then, otherwise], hidden, found),
            Node::Call { receiver, name, args } => {
                if let Some(receiver) = receiver {
                    self.uses(receiver, hidden, found);
                }
                let variable = match (name.text.as_str(), args.first().map(|first| &first.node)) {
                    ("all" | "exists" | "exists_one" | "filter" | "map", Some(Node::Name(variable)))
                        if receiver.is_some() =>
                    {
                        Some(variable.clone())
                    }
                    _ => None,
                };
                let is_macro = variable.is_some();
                hidden.extend(variable);
                self.uses_all(args.iter().skip(usize::from(is_macro)), hidden, found);
                if is_macro {
                    hidden.pop();
                }
            }
            _ => {}
        }
    }
}
