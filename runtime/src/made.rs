//! Values that expressions make on the spot and that others then look into.

use std::cell::{Cell, OnceCell};

use crate::json::Json;

/// Values that stay where they are: each shelf has twice the room of the one before it.
#[derive(Debug)]
pub(crate) struct Made {
    room: Box<[OnceCell<Json<'static>>]>,
    used: Cell<usize>,
    next: OnceCell<Box<Made>>,
}

impl Default for Made {
    fn default() -> Self {
        Self::with_room(0)
    }
}

impl Made {
    fn with_room(room: usize) -> Self {
        Self { room: (0..room).map(|_| OnceCell::new()).collect(), used: Cell::new(0), next: OnceCell::new() }
    }

    /// Keeps the value as long as the shelf itself.
    pub(crate) fn keep(&self, value: Json<'static>) -> &Json<'static> {
        let mut here = self;
        loop {
            if let Some(place) = here.room.get(here.used.get()) {
                here.used.set(here.used.get() + 1);
                return place.get_or_init(|| value);
            }
            here = here.next.get_or_init(|| Box::new(Self::with_room((here.room.len() * 2).max(8))));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_kept_stays_as_it_was() {
        let made = Made::default();
        let kept: Vec<&Json<'_>> = (0..100).map(|number| made.keep(Json::Int(number))).collect();
        assert!(kept.iter().zip(0..).all(|(value, number)| **value == Json::Int(number)));
    }
}
