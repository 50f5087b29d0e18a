//! A catalog's registration in a settings file of somebody else's: added, renewed or taken out, and nothing else touched.

mod created;
mod entries;
mod tables;

pub use created::Created;
pub use entries::Entries;
pub use tables::Tables;

use std::ops::Range;

use hookgen_runtime::client::claude::places::{PLUGIN_ROOT, PROJECT, in_braces};
use serde_json::{Map, Value};

use crate::json_text::{Document, Kind, Node, Step, Trouble};
use crate::source::Source;

const HOOKS: &str = "hooks";

/// What a settings file holds before anything is in it.
const EMPTY: &str = "{}\n";

/// What tells a catalog's handlers from all others.
#[derive(Debug)]
pub struct Ours {
    /// What its commands begin with: the folder of its binary in the project, or the binary in a plugin of somebody else.
    command: String,
    /// Whether that is the whole command.
    whole: bool,
    /// Registrations of it, old and new, for handlers that run no command.
    known: Vec<Value>,
}

/// A settings file that can be changed.
#[derive(Debug, Clone)]
pub struct Settings {
    before: String,
    document: Document,
}

/// Where a settings file is not what it must be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfit {
    pub line: usize,
    pub column: usize,
    pub what: String,
}

impl Ours {
    pub fn new(catalog: &str, known: impl IntoIterator<Item = Value>) -> Self {
        let command = format!("{}/.claude/hooks/{catalog}/bin/", in_braces(PROJECT));
        Self { command, whole: false, known: known.into_iter().collect() }
    }

    /// What is a catalog's in the plugin of somebody else, whose own programs may lie in the same folder.
    pub fn in_plugin(binary: &str, known: impl IntoIterator<Item = Value>) -> Self {
        Self {
            command: format!("{}/bin/{binary}", in_braces(PLUGIN_ROOT)),
            whole: true,
            known: known.into_iter().collect(),
        }
    }

    fn has(&self, event: &str, handler: &Value) -> bool {
        if let Some(command) = handler.get("command").and_then(Value::as_str) {
            if self.whole {
                return command == self.command;
            }
            let program = command.strip_prefix(&self.command);
            return program.is_some_and(|name| !name.is_empty() && !name.contains(['/', ' ']));
        }
        let groups = self.known.iter().flat_map(|fragment| groups(fragment, event));
        groups.filter_map(|group| group[HOOKS].as_array()).flatten().any(|known| known == handler)
    }
}

impl Settings {
    /// Reads the settings, and makes sure that they can be changed.
    pub fn parse(text: &str) -> Result<Self, Unfit> {
        let text = if text.trim().is_empty() { EMPTY } else { text };
        let document = Document::parse(text).and_then(|document| check(&document).map(|()| document));
        let fit = document.map(|document| Self { before: document.text().to_owned(), document });
        fit.map_err(|trouble| unfit(text, trouble))
    }

    pub fn text(&self) -> &str {
        self.document.text()
    }

    /// Whether the text is another one than it was. A file without anything in it and one with an empty object are the
    /// same.
    pub fn is_changed(&self) -> bool {
        self.before != self.text()
    }

    /// Whether nothing is left in the file.
    pub fn is_empty(&self) -> bool {
        self.document.root().members().is_empty()
    }

    /// Whether anybody has anything registered.
    pub fn has_any(&self) -> bool {
        self.events().iter().any(|event| !self.groups(event).is_empty())
    }

    /// Whether anything of the catalog is registered.
    pub fn has(&self, ours: &Ours) -> bool {
        self.events().iter().any(|event| !self.own(event, ours).is_empty())
    }

    /// Registers what the fragment says in the place of whatever the catalog had there.
    pub fn renew(&mut self, ours: &Ours, fragment: &Value) -> Result<(), Unfit> {
        self.try_renew(ours, fragment).map_err(|trouble| unfit(&self.before, trouble))
    }

    fn try_renew(&mut self, ours: &Ours, fragment: &Value) -> Result<(), Trouble> {
        for event in self.events() {
            let new = groups(fragment, &event);
            match self.own_run(&event, ours) {
                Some(run) if !new.is_empty() => self.replace(&event, run, new)?,
                _ => self.take_out(&event, ours)?,
            }
        }
        for (event, new) in fragment[HOOKS].as_object().into_iter().flat_map(Map::iter) {
            if self.own(event, ours).is_empty() {
                self.add(event, new)?;
            }
        }
        Ok(())
    }

    /// Takes out all that the catalog has there.
    pub fn remove(&mut self, ours: &Ours) -> Result<(), Unfit> {
        let taken = self.events().iter().try_for_each(|event| self.take_out(event, ours));
        taken.map_err(|trouble| unfit(&self.before, trouble))
    }

    /// The line in which somebody else's hook names the catalog's program.
    pub fn mention(&self, ours: &Ours) -> Option<usize> {
        let hooks = self.document.get(&[Step::Key(HOOKS)])?;
        let text = self.text();
        let folder = ours.command.strip_prefix(&in_braces(PROJECT)).unwrap_or(&ours.command);
        let at = hooks.span.start + text[hooks.span.clone()].find(folder)?;
        Some(text[..at].matches('\n').count() + 1)
    }

    fn events(&self) -> Vec<String> {
        let hooks = self.document.get(&[Step::Key(HOOKS)]).map(Node::members).unwrap_or_default();
        hooks.iter().map(|member| member.key.clone()).collect()
    }

    fn groups(&self, event: &str) -> &[Node] {
        self.document.get(&[Step::Key(HOOKS), Step::Key(event)]).map(Node::items).unwrap_or_default()
    }

    /// Which handlers of which groups are ours, and whether those are all of the group.
    fn own(&self, event: &str, ours: &Ours) -> Vec<(usize, Vec<usize>, bool)> {
        let mut found = Vec::new();
        for (position, group) in self.groups(event).iter().enumerate() {
            let handlers = group.member(HOOKS).map(Node::items).unwrap_or_default();
            let is_own = |handler: &Node| self.document.value(handler).is_some_and(|value| ours.has(event, &value));
            let own: Vec<usize> =
                handlers.iter().enumerate().filter(|(_, handler)| is_own(handler)).map(|(index, _)| index).collect();
            if !own.is_empty() {
                let whole = own.len() == handlers.len();
                found.push((position, own, whole));
            }
        }
        found
    }

    /// Our groups of an event, if they stand together and hold nothing else.
    fn own_run(&self, event: &str, ours: &Ours) -> Option<Range<usize>> {
        let own = self.own(event, ours);
        let (first, last) = (own.first()?.0, own.last()?.0);
        (own.len() == last - first + 1 && own.iter().all(|(_, _, whole)| *whole)).then_some(first..last + 1)
    }

    /// Puts new groups in the place of old ones, unless they say the same.
    fn replace(&mut self, event: &str, run: Range<usize>, new: &[Value]) -> Result<(), Trouble> {
        let old = &self.groups(event)[run.clone()];
        if old.iter().map(|group| self.document.value(group)).eq(new.iter().cloned().map(Some)) {
            return Ok(());
        }
        self.document.replace(&[Step::Key(HOOKS), Step::Key(event)], run, new)
    }

    fn take_out(&mut self, event: &str, ours: &Ours) -> Result<(), Trouble> {
        let list = [Step::Key(HOOKS), Step::Key(event)];
        let mut stays = true;
        for (position, handlers, whole) in self.own(event, ours).into_iter().rev() {
            if whole {
                stays = self.document.remove(&list, position..position + 1)?;
                continue;
            }
            for handler in handlers.into_iter().rev() {
                let group = [Step::Key(HOOKS), Step::Key(event), Step::Item(position), Step::Key(HOOKS)];
                self.document.remove(&group, handler..handler + 1)?;
            }
        }
        if !stays && !self.remove_member(&[Step::Key(HOOKS)], event)? {
            self.remove_member(&[], HOOKS)?;
        }
        Ok(())
    }

    fn remove_member(&mut self, object: &[Step<'_>], key: &str) -> Result<bool, Trouble> {
        let members = self.document.get(object).map(Node::members).unwrap_or_default();
        let Some(position) = members.iter().position(|member| member.key == key) else { return Ok(true) };
        self.document.remove(object, position..position + 1)
    }

    fn add(&mut self, event: &str, new: &Value) -> Result<(), Trouble> {
        let hooks = [Step::Key(HOOKS)];
        let list = [Step::Key(HOOKS), Step::Key(event)];
        if self.document.get(&list).is_some() {
            self.document.append(&list, new.as_array().map(Vec::as_slice).unwrap_or_default())
        } else if self.document.get(&hooks).is_some() {
            self.document.insert(&hooks, event, new)
        } else {
            self.document.insert(&[], HOOKS, &Value::Object(Map::from_iter([(event.to_owned(), new.clone())])))
        }
    }
}

/// A trouble with the line and column at which people find it.
fn unfit(text: &str, trouble: Trouble) -> Unfit {
    let place = Source::new("", text).position(trouble.at);
    Unfit { line: place.line, column: place.column, what: trouble.what }
}

/// Refuses settings whose hooks are not where the client has them.
fn check(document: &Document) -> Result<(), Trouble> {
    let root = document.root();
    let Kind::Object(_) = root.kind else {
        return Err(Trouble::new(root.span.start, "not a JSON object, which settings must be"));
    };
    let Some(hooks) = root.member(HOOKS) else { return Ok(()) };
    let Kind::Object(events) = &hooks.kind else {
        return Err(Trouble::new(hooks.span.start, "`hooks` that are not a JSON object"));
    };
    for event in events {
        if !matches!(event.value.kind, Kind::Array(_)) {
            return Err(Trouble::new(event.value.span.start, format!("`hooks.{}` is not a list", event.key)));
        }
    }
    Ok(())
}

fn groups<'v>(fragment: &'v Value, event: &str) -> &'v [Value] {
    fragment[HOOKS][event].as_array().map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests;
