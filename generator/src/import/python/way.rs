//! One way through a script.

use std::collections::BTreeMap;

use super::super::json::Json;
use super::super::path::{Path, Reason};
use super::syntax::Statement;

/// One way through a script, with what its names mean by then.
#[derive(Clone)]
pub(super) struct Way {
    pub(super) path: Path,
    pub(super) names: BTreeMap<String, Json>,
    pub(super) functions: BTreeMap<String, Function>,
    /// What the function in which it is has given back, once it has.
    pub(super) returned: Option<Json>,
}

/// What a function is given, and what it does.
pub(super) type Function = (Vec<String>, Vec<Statement>);

impl Way {
    pub(super) fn is_over(&self) -> bool {
        self.path.ended || self.returned.is_some()
    }

    /// Gives an element of a list to one name, or its parts to several.
    pub(super) fn take(&mut self, names: &[String], item: Json) -> Result<(), Reason> {
        match (names, item) {
            ([name], item) => {
                self.names.insert(name.clone(), item);
            }
            (names, Json::List(parts)) if parts.len() == names.len() => {
                self.names.extend(names.iter().cloned().zip(parts));
            }
            _ => return Err("Python takes apart what has other parts".to_owned()),
        }
        Ok(())
    }
}
