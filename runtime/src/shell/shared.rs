//! What all readers of one line share: the purse that pays for their work, and the first thing that went wrong.

use std::cell::{Cell, RefCell};

use super::problem::Problem;

/// What all parsers of one line share.
#[derive(Debug, Default)]
pub(super) struct Shared {
    pub(super) problem: RefCell<Option<Problem>>,
    /// Set when reading was given up.
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
const TOO_MUCH: &str = "too much to work through";

impl Shared {
    /// Notes what is wrong; the first thing is what the others follow from.
    pub(super) fn note(&self, problem: &str) {
        self.problem.borrow_mut().get_or_insert_with(|| Problem::syntax(problem));
    }

    pub(super) fn stop(&self, problem: &str) {
        if !self.stopped.replace(true) {
            // Giving up says more than a missing quote.
            *self.problem.borrow_mut() = Some(Problem::excess(problem));
        }
    }

    /// Pays for work.
    pub(super) fn pay(&self, bytes: usize) {
        self.purse.set(self.purse.get().saturating_sub(bytes));
    }

    /// Whether to return at once: something was too much, or the purse is empty.
    pub(super) fn is_stopped(&self) -> bool {
        if self.purse.get() == 0 {
            self.stop(TOO_MUCH);
        }
        self.stopped.get()
    }
}
