//! What all readers of one line share: the purse that pays for their work, and the first thing that went wrong.

use std::cell::{Cell, RefCell};

/// What all parsers of one line share.
#[derive(Debug, Default)]
pub(super) struct Shared {
    pub(super) problem: RefCell<Option<String>>,
    /// Set when reading was given up; everything returns at once.
    pub(super) stopped: Cell<bool>,
    /// How deep reading and walking may go.
    pub(super) depth: Depth,
    /// Bytes that may still be looked at.
    pub(super) purse: Cell<usize>,
}

/// Levels of nesting that are read, and steps inwards that are walked: one level takes several.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Depth {
    pub(super) levels: usize,
    pub(super) steps: usize,
}

/// What is said when the depth does not suffice.
pub(super) const TOO_DEEP: &str = "nested too deeply";

impl Shared {
    /// Notes what is wrong; the first thing is what the others follow from.
    pub(super) fn note(&self, problem: &str) {
        self.problem.borrow_mut().get_or_insert_with(|| problem.to_owned());
    }

    pub(super) fn stop(&self, problem: &str) {
        if !self.stopped.replace(true) {
            // Giving up says more than a missing quote.
            *self.problem.borrow_mut() = Some(problem.to_owned());
        }
    }

    /// Pays for work; without means everything stops.
    pub(super) fn pay(&self, bytes: usize) {
        match self.purse.get().checked_sub(bytes) {
            Some(left) => self.purse.set(left),
            None => self.stop("too much to work through"),
        }
    }
}
