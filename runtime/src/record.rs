//! An object under construction, in which a key that comes again replaces its earlier value.
//!
//! Takes the same time per key however many there are: a file of a million keys must not stall a hook.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::json::{Json, Many};

/// Keys in the order of their first appearance.
#[derive(Default)]
pub(crate) struct Record {
    fields: Vec<(Cow<'static, str>, Json<'static>)>,
    positions: HashMap<String, usize>,
}

impl Record {
    /// Sets a key, also when it has a value already.
    pub(crate) fn set(&mut self, key: String, value: Json<'static>) {
        match self.positions.entry(key) {
            Entry::Occupied(known) => {
                if let Some(field) = self.fields.get_mut(*known.get()) {
                    field.1 = value;
                }
            }
            Entry::Vacant(free) => {
                self.fields.push((Cow::Owned(free.key().clone()), value));
                free.insert(self.fields.len() - 1);
            }
        }
    }

    /// Sets a key that has no value yet.
    pub(crate) fn set_if_absent(&mut self, key: &str, value: Json<'static>) {
        if !self.positions.contains_key(key) {
            self.set(key.to_owned(), value);
        }
    }

    /// The finished object.
    pub(crate) fn into_json(self) -> Json<'static> {
        Json::Object(Many::Owned(self.fields))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_value_wins_at_the_first_place() {
        let mut record = Record::default();
        record.set("a".into(), Json::Int(1));
        record.set("b".into(), Json::Int(2));
        record.set("a".into(), Json::Int(3));
        record.set_if_absent("b", Json::Int(4));
        record.set_if_absent("c", Json::Int(5));
        assert_eq!(record.into_json().to_string(), r#"{"a":3,"b":2,"c":5}"#);
    }
}
