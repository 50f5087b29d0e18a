//! What a hook noted earlier in the session.

use crate::call::Call;
use crate::failure::Attempt;
use crate::signature::{Function, Type};
use crate::state;

/// The text that was noted last under the name; empty if there is none.
pub fn noted(call: &Call<'_>, name: &str) -> Attempt<String> {
    state::notes::noted(call.session(), name)
}

pub(super) const FUNCTION: Function = Function {
    name: "noted",
    symbol: "noted",
    receiver: None,
    params: &[("name", Type::Text)],
    result: Type::Text,
    contextual: true,
    fallible: true,
    powers: &[],
    doc: "The text that a check of this session last noted under the name with `note:`; empty if there is none.",
    example: "noted('nobody ever noted this') == ''",
};
