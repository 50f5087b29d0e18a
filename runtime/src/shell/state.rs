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

#[derive(Debug, Default)]
pub(super) struct State {
    values: HashMap<String, Value>,
    journal: Vec<(String, Option<Value>)>,
    folders: Vec<String>,
}

impl State {
    /// What the line says; `None` when it says nothing.
    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        self.values.get(name)
    }

    pub(super) fn set(&mut self, name: &str, value: Value) {
        let old = self.values.insert(name.to_owned(), value);
        self.journal.push((name.to_owned(), old));
    }

    /// Gives a variable back the value that it had.
    pub(super) fn restore(&mut self, name: &str, value: Option<Value>) {
        let old = match value {
            Some(value) => self.values.insert(name.to_owned(), value),
            None => self.values.remove(name),
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
                Some((name, Some(old))) => drop(self.values.insert(name, old)),
                Some((name, None)) => drop(self.values.remove(&name)),
                None => break,
            }
        }
    }

    /// Forgets every change since the mark, and gives the last value of each name.
    pub(super) fn take_changes(&mut self, mark: usize) -> Vec<(String, Value)> {
        let mut changes: Vec<(String, Value)> = Vec::new();
        let mut names: Vec<&String> = self.journal.get(mark..).unwrap_or_default().iter().map(|(name, _)| name).collect();
        names.sort_unstable();
        names.dedup();
        changes.extend(names.iter().filter_map(|name| Some(((*name).clone(), self.values.get(*name)?.clone()))));
        self.roll_back(mark);
        changes
    }

    /// Puts changes in place that may or may not have happened.
    pub(super) fn doubt(&mut self, changes: Vec<(String, Value)>) {
        for (name, value) in changes {
            let value = if name == FOLDER || name == PREVIOUS { value } else { doubted(&name, value) };
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
        if let Some(value) = self.values.get(name).cloned() {
            self.set(name, doubted(name, value));
        }
    }

    /// The folder that commands run in; empty where the line begins.
    pub(super) fn folder(&self) -> String {
        self.folder_of(FOLDER)
    }

    fn folder_of(&self, name: &str) -> String {
        match self.values.get(name) {
            Some(Value::One(field)) => field.shown(),
            _ => String::new(),
        }
    }

    pub(super) fn enter(&mut self, folder: &str) {
        let now = self.folder();
        let next = if folder == "-" { self.folder_of(PREVIOUS) } else { path::join(&now, folder) };
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

fn doubted(name: &str, value: Value) -> Value {
    match value {
        Value::Unset => Value::One(Field::unresolved(&format!("${name}"))),
        Value::One(field) => Value::One(field.doubted()),
        Value::Many(fields) => Value::Many(fields.into_iter().map(Field::doubted).collect()),
    }
}
