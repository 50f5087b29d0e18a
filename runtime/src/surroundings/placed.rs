//! What a tool puts in the place of the process, for a thread and for the length of a call.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

use crate::reply::Reply;

/// What is put in the place of the process for one call.
#[derive(Debug, Clone, Default)]
pub struct Surroundings {
    /// The program by its path, and its arguments.
    pub words: Vec<String>,
    /// The variables; there are no others.
    pub variables: BTreeMap<String, String>,
    /// The folder that the program stands in.
    pub folder: PathBuf,
    /// What it reads.
    pub input: Vec<u8>,
}

/// What was said in them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Heard {
    /// On standard output.
    pub stdout: String,
    /// On standard error.
    pub stderr: String,
    /// The exit code.
    pub exit: u8,
}

#[derive(Default)]
struct Placed {
    around: Surroundings,
    heard: Heard,
    /// Whether the catalog has hooks that fail closed, once that is settled.
    closed: bool,
}

thread_local! {
    static PLACED: RefCell<Option<Placed>> = const { RefCell::new(None) };
}

impl Surroundings {
    /// Does the work of a call in them: its exit code is what the work comes to.
    pub(crate) fn around(self, work: impl FnOnce() -> u8) -> Heard {
        let placed = Placed { around: self, ..Placed::default() };
        let before = PLACED.with_borrow_mut(|place| place.replace(placed));
        let exit = work();
        let placed = PLACED.with_borrow_mut(|place| std::mem::replace(place, before));
        Heard { exit, ..placed.map(|placed| placed.heard).unwrap_or_default() }
    }
}

fn ask<T>(ask: impl FnOnce(&Placed) -> T) -> Option<T> {
    PLACED.with_borrow(|placed| placed.as_ref().map(ask))
}

fn change<T>(change: impl FnOnce(&mut Placed) -> T) -> Option<T> {
    PLACED.with_borrow_mut(|placed| placed.as_mut().map(change))
}

pub(super) fn is_there() -> bool {
    ask(|_| ()).is_some()
}

pub(super) fn variable(name: &str) -> Option<Option<OsString>> {
    ask(|placed| placed.around.variables.get(name).map(OsString::from))
}

pub(super) fn variables() -> Option<Vec<(String, String)>> {
    let pairs =
        |placed: &Placed| placed.around.variables.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
    ask(pairs)
}

pub(super) fn folder() -> Option<PathBuf> {
    ask(|placed| placed.around.folder.clone())
}

pub(super) fn words() -> Option<Vec<OsString>> {
    ask(|placed| placed.around.words.iter().map(OsString::from).collect())
}

pub(super) fn input() -> Option<Vec<u8>> {
    change(|placed| std::mem::take(&mut placed.around.input))
}

pub(super) fn hear(reply: &Reply) -> Option<u8> {
    change(|placed| {
        placed.heard.stdout.push_str(&reply.stdout);
        placed.heard.stderr.push_str(&reply.stderr);
        reply.exit
    })
}

pub(super) fn settle(closed: bool) -> Option<()> {
    change(|placed| placed.closed = closed)
}

pub(super) fn is_closed() -> Option<bool> {
    ask(|placed| placed.closed)
}
