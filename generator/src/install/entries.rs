//! A catalog's entries in a JSON file that an agent reads, beside those of others: added, renewed or taken out.

use hookgen_runtime::client::{Client, Form};
use serde_json::{Map, Value, json};

use super::{Unfit, unfit};
use crate::agents::is_ours;
use crate::json_text::{Document, Kind, Node, Step, Trouble};

const HOOKS: &str = "hooks";

/// A file of registrations that can be changed.
#[derive(Debug, Clone)]
pub struct Entries {
    before: String,
    document: Document,
    client: &'static Client,
    catalog: String,
}

impl Entries {
    /// Reads the file, and makes sure that it can be changed.
    pub fn parse(text: &str, client: &'static Client, catalog: &str) -> Result<Self, Unfit> {
        let text = if text.trim().is_empty() { "{}\n" } else { text };
        let document = Document::parse(text).and_then(|document| {
            check(&document, bare(client))?;
            Ok(document)
        });
        let document = document.map_err(|trouble| unfit(text, trouble))?;
        Ok(Self { before: text.to_owned(), document, client, catalog: catalog.to_owned() })
    }

    pub fn text(&self) -> &str {
        self.document.text()
    }

    /// The whole file as a value.
    pub fn value(&self) -> Value {
        self.document.value(self.document.root()).unwrap_or_default()
    }

    pub fn is_changed(&self) -> bool {
        self.before != self.text()
    }

    /// Whether nothing is left in the file.
    pub fn is_empty(&self) -> bool {
        self.document.root().members().is_empty()
    }

    /// Whether anything of the catalog is registered.
    pub fn has_any(&self) -> bool {
        self.events().iter().any(|event| !self.own(event).is_empty())
    }

    /// Registers the entries in the place of whatever the catalog had there.
    pub fn renew(&mut self, entries: &Map<String, Value>) -> Result<(), Unfit> {
        let before = self.before.clone();
        self.try_renew(entries).map_err(|trouble| unfit(&before, trouble))
    }

    fn try_renew(&mut self, entries: &Map<String, Value>) -> Result<(), Trouble> {
        for event in self.events() {
            let new = entries.get(&event).and_then(Value::as_array);
            let own = self.own(&event);
            let list = self.list(&event);
            let old: Vec<Value> = own.iter().filter_map(|(place, _)| self.document.value(list.get(*place)?)).collect();
            if new.is_none_or(|new| *new != old) {
                self.take_out(&event)?;
            }
        }
        for (event, new) in entries {
            if self.own(event).is_empty() {
                self.add(event, new)?;
            }
        }
        if let (Form::Flat { .. }, None) = (self.client.registration.form, self.document.root().member("version")) {
            self.document.insert(&[], "version", &json!(1))?;
        }
        Ok(())
    }

    /// Takes out all that the catalog has there.
    pub fn remove(&mut self) -> Result<(), Unfit> {
        let before = self.before.clone();
        self.events().iter().try_for_each(|event| self.take_out(event)).map_err(|trouble| unfit(&before, trouble))
    }

    fn route<'r>(&self, event: &'r str) -> Vec<Step<'r>> {
        if bare(self.client) { vec![Step::Key(event)] } else { vec![Step::Key(HOOKS), Step::Key(event)] }
    }

    fn events(&self) -> Vec<String> {
        let root = self.document.root();
        let holder = if bare(self.client) { Some(root) } else { root.member(HOOKS) };
        let members = holder.map(Node::members).unwrap_or_default();
        members
            .iter()
            .filter(|member| matches!(member.value.kind, Kind::Array(_)))
            .map(|member| member.key.clone())
            .collect()
    }

    fn list(&self, event: &str) -> &[Node] {
        self.document.get(&self.route(event)).map(Node::items).unwrap_or_default()
    }

    /// The items of an event that have something of ours, with its places among their handlers if others are there too.
    fn own(&self, event: &str) -> Vec<(usize, Option<Vec<usize>>)> {
        let runs_ours = |value: &Value| {
            let lines = ["command", "bash"].iter().filter_map(|key| value.get(key).and_then(Value::as_str));
            lines.into_iter().any(|line| is_ours(self.client, &self.catalog, line))
        };
        let mut found = Vec::new();
        for (place, item) in self.list(event).iter().enumerate() {
            let Some(value) = self.document.value(item) else { continue };
            if runs_ours(&value) {
                found.push((place, None));
                continue;
            }
            let handlers = value.get(HOOKS).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
            let ours: Vec<usize> =
                handlers.iter().enumerate().filter(|(_, handler)| runs_ours(handler)).map(|(index, _)| index).collect();
            if !ours.is_empty() {
                let whole = ours.len() == handlers.len();
                found.push((place, (!whole).then_some(ours)));
            }
        }
        found
    }

    fn take_out(&mut self, event: &str) -> Result<(), Trouble> {
        let list = self.route(event);
        let mut stays = true;
        for (place, handlers) in self.own(event).into_iter().rev() {
            let Some(handlers) = handlers else {
                stays = self.document.remove(&list, place..place + 1)?;
                continue;
            };
            for handler in handlers.into_iter().rev() {
                let group = [list.as_slice(), &[Step::Item(place), Step::Key(HOOKS)]].concat();
                self.document.remove(&group, handler..handler + 1)?;
            }
        }
        if stays {
            return Ok(());
        }
        let holder = &list[..list.len() - 1];
        if !self.remove_member(holder, event)? && !holder.is_empty() {
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
        let list = self.route(event);
        let holder = &list[..list.len() - 1];
        if self.document.get(&list).is_some() {
            self.document.append(&list, new.as_array().map(Vec::as_slice).unwrap_or_default())
        } else if self.document.get(holder).is_some() {
            self.document.insert(holder, event, new)
        } else {
            self.document.insert(&[], HOOKS, &Value::Object(Map::from_iter([(event.to_owned(), new.clone())])))
        }
    }
}

fn bare(client: &Client) -> bool {
    client.registration.form == Form::Bare
}

/// Refuses a file whose hooks are not where the agent has them.
fn check(document: &Document, bare: bool) -> Result<(), Trouble> {
    let root = document.root();
    let Kind::Object(_) = root.kind else {
        return Err(Trouble::new(root.span.start, "not a JSON object, which hooks must be in"));
    };
    match root.member(HOOKS) {
        Some(hooks) if !bare && !matches!(hooks.kind, Kind::Object(_)) => {
            Err(Trouble::new(hooks.span.start, "`hooks` that are not a JSON object"))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use hookgen_runtime::client::named;

    use super::*;

    fn ours(agent: &str) -> (String, Map<String, Value>) {
        let folder = named(agent).expect("known").registration.programs;
        let line = format!("/p/{folder}/demo/bin/demo-hooks --closed=demo@1.0.0 H1");
        let group = json!([{ "hooks": [{ "type": "command", "command": line }] }]);
        (line, Map::from_iter([("PreToolUse".to_owned(), group)]))
    }

    #[test]
    fn what_is_added_goes_without_a_trace_and_others_stay_to_the_byte() {
        for (agent, theirs) in [
            (
                "codex",
                "{\n    \"hooks\": { \"PreToolUse\": [ {\"hooks\":[{\"command\":\"x\"}]} ],\"Stop\":[] }, \"a\" :1}\n",
            ),
            ("codex", "{ \"other\": 1.50 }"),
            ("droid", "{\n  \"PreToolUse\": [{\"matcher\": \"Execute\", \"hooks\": []}]\n}\n"),
        ] {
            let (line, entries) = ours(agent);
            let mut file = Entries::parse(theirs, named(agent).expect("known"), "demo").expect("fits");
            file.renew(&entries).expect("added");
            assert!(file.has_any() && file.text().contains(&line), "{}", file.text());
            let once = file.text().to_owned();
            file.renew(&entries).expect("added");
            assert_eq!(file.text(), once);
            file.remove().expect("removed");
            assert_eq!(file.text(), theirs, "{agent}");
        }
    }

    #[test]
    fn a_file_that_is_none_is_left_alone() {
        let codex = named("codex").expect("known");
        assert!(Entries::parse("[]", codex, "demo").is_err());
        assert!(Entries::parse("{\"hooks\": []}", codex, "demo").is_err());
        assert!(Entries::parse("{ // no\n}", codex, "demo").is_err());
    }
}
