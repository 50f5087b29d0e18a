//! Answers about names, kept for the process: tables are searched from the top, and a long line asks for the same few
//! names again and again.

use std::cell::RefCell;
use std::collections::HashMap;

/// More names than people use in a line; with one more, all are forgotten.
const MOST: usize = 512;

pub(super) struct Memo<T>(RefCell<HashMap<String, T>>);

impl<T> Default for Memo<T> {
    fn default() -> Self {
        Self(RefCell::default())
    }
}

impl<T: Copy> Memo<T> {
    /// What was found for the name, or is found now.
    pub(super) fn of(&self, name: &str, find: impl FnOnce() -> T) -> T {
        if let Some(known) = self.0.borrow().get(name) {
            return *known;
        }
        let found = find();
        let mut known = self.0.borrow_mut();
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(name.to_owned(), found);
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_looked_up_once_and_room_is_bounded() {
        let memo = Memo::default();
        assert_eq!((memo.of("a", || 1), memo.of("a", || 2), memo.of("b", || 3)), (1, 1, 3));
        for number in 0..2 * MOST {
            assert_eq!(memo.of(&number.to_string(), || number), number);
        }
        assert!(memo.0.borrow().len() <= MOST);
    }
}
