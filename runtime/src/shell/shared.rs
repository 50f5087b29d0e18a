//! What all readers of one line share: the purse that pays for their work, and the first thing that went wrong.

use std::cell::{Cell, RefCell};

/// What all parsers of one line share.
#[derive(Debug, Default)]
pub(super) struct Shared {
    pub(super) problem: RefCell<Option<String>>,
    /// Set when reading was given up; everything returns at once.
    pub(super) stopped: Cell<bool>,
    /// Bytes that may still be looked at.
    pub(super) purse: Cell<usize>,
}

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
