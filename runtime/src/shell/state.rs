//! Variables and the folder, as far as the line itself says what they are.
//!
//! Every change is in a journal: leaving a subshell rolls back, leaving a branch leaves its changes in doubt, and
//! neither costs more than what was changed.

use std::collections::HashMap;

use super::field::Field;
use super::path;

/// What a variable holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    Unset,
    One(Field),
    Many(Vec<Field>),
}

/// A name that no variable can have: the folder that commands run in.
const FOLDER: &str = "/";
const PREVIOUS: &str = "//";
const LONGEST_PATH: usize = 4096;

/// A variable of a shell.
#[derive(Debug, Clone)]
pub(super) struct Slot {
    value: Value,
    /// How many shells deep it was set.
    level: usize,
    /// Whether shells further inside see it.
    exported: bool,
}

#[derive(Debug, Default)]
pub(super) struct State {
    slots: HashMap<String, Slot>,
    journal: Vec<(String, Option<Slot>)>,
    folders: Vec<String>,
    /// How many shells deep this is.
    pub(super) level: usize,
}

impl State {
    /// What the line says; `None` when it says nothing.
    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        self.visible(name).map(|slot| &slot.value)
    }

    fn visible(&self, name: &str) -> Option<&Slot> {
        self.slots.get(name).filter(|slot| slot.exported || slot.level == self.level)
    }

    pub(super) fn set(&mut self, name: &str, value: Value) {
        let exported = is_folder(name) || name == "HOME" || self.visible(name).is_some_and(|slot| slot.exported);
        self.put(name, Slot { value, level: self.level, exported });
    }

    /// Sets a variable that inner shells see.
    pub(super) fn set_exported(&mut self, name: &str, value: Value) {
        self.put(name, Slot { value, level: self.level, exported: true });
    }

    /// Lets inner shells see a variable.
    pub(super) fn export(&mut self, name: &str) {
        if let Some(slot) = self.visible(name).cloned() {
            self.put(name, Slot { exported: true, ..slot });
        }
    }

    fn put(&mut self, name: &str, slot: Slot) {
        let old = self.slots.insert(name.to_owned(), slot);
        self.journal.push((name.to_owned(), old));
    }

    /// The variable with all that is known about it, to be restored later.
    pub(super) fn slot(&self, name: &str) -> Option<Slot> {
        self.slots.get(name).cloned()
    }

    /// Gives a variable back what it was.
    pub(super) fn restore(&mut self, name: &str, slot: Option<Slot>) {
        let old = match slot {
            Some(slot) => self.slots.insert(name.to_owned(), slot),
            None => self.slots.remove(name),
        };
        self.journal.push((name.to_owned(), old));
    }

    pub(super) fn mark(&self) -> usize {
        self.journal.len()
    }

    /// Forgets every change since the mark.
    pub(super) fn roll_back(&mut self, mark: usize) {
        while self.journal.len() > mark {
            match self.journal.pop() {
                Some((name, Some(old))) => drop(self.slots.insert(name, old)),
                Some((name, None)) => drop(self.slots.remove(&name)),
                None => break,
            }
        }
    }

    /// Forgets every change since the mark, and gives the last value of each name.
    pub(super) fn take_changes(&mut self, mark: usize) -> Vec<(String, Value)> {
        let mut changes: Vec<(String, Value)> = Vec::new();
        let mut names: Vec<&String> =
            self.journal.get(mark..).unwrap_or_default().iter().map(|(name, _)| name).collect();
        names.sort_unstable();
        names.dedup();
        changes.extend(names.iter().filter_map(|name| Some(((*name).clone(), self.slots.get(*name)?.value.clone()))));
        self.roll_back(mark);
        changes
    }

    /// Puts changes in place that may or may not have happened.
    pub(super) fn doubt(&mut self, changes: Vec<(String, Value)>) {
        for (name, value) in changes {
            let value = if is_folder(&name) { value } else { doubted(&name, value) };
            self.set(&name, value);
        }
    }

    /// Puts all changes since the mark in doubt.
    pub(super) fn doubt_since(&mut self, mark: usize) {
        if self.mark() > mark {
            let changes = self.take_changes(mark);
            self.doubt(changes);
        }
    }

    /// Puts a variable that the line has set in doubt.
    pub(super) fn doubt_name(&mut self, name: &str) {
        if let Some(value) = self.get(name).cloned() {
            self.set(name, doubted(name, value));
        }
    }

    /// The folder that commands run in; empty where the line begins.
    pub(super) fn folder(&self) -> String {
        self.folder_of(FOLDER)
    }

    fn folder_of(&self, name: &str) -> String {
        match self.get(name) {
            Some(Value::One(field)) => field.shown(),
            _ => String::new(),
        }
    }

    pub(super) fn enter(&mut self, folder: &str) {
        let now = self.folder();
        let next = if folder == "-" { self.folder_of(PREVIOUS) } else { path::join(&now, folder) };
        // No system has longer paths, and joining on without end would cost more with each step.
        let next = if next.len() > LONGEST_PATH { folder.to_owned() } else { next };
        self.set(PREVIOUS, Value::One(Field::known(now)));
        self.set(FOLDER, Value::One(Field::known(next)));
    }

    pub(super) fn push_folder(&mut self, folder: &str) {
        self.folders.push(self.folder());
        self.enter(folder);
    }

    pub(super) fn pop_folder(&mut self) {
        if let Some(folder) = self.folders.pop() {
            self.set(FOLDER, Value::One(Field::known(folder)));
        }
    }
}

fn is_folder(name: &str) -> bool {
    name == FOLDER || name == PREVIOUS
}

fn doubted(name: &str, value: Value) -> Value {
    match value {
        Value::Unset => Value::One(Field::unresolved(&format!("${name}"))),
        Value::One(field) => Value::One(field.doubted()),
        Value::Many(fields) => Value::Many(fields.into_iter().map(Field::doubted).collect()),
    }
}
