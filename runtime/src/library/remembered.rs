//! Whether a hook wanted something remembered earlier in the session.

use crate::call::Call;
use crate::failure::Attempt;
use crate::signature::{Function, Type};
use crate::state;

/// Whether the text was remembered earlier in the session.
pub fn remembered(call: &Call<'_>, what: &str) -> Attempt<bool> {
    state::memory::remembers(call.session(), what)
}

pub(super) const FUNCTION: Function = Function {
    name: "remembered",
    symbol: "remembered",
    receiver: None,
    params: &[("what", Type::Text)],
    result: Type::Bool,
    contextual: true,
    fallible: true,
    powers: &[],
    doc: "Whether a check of this session has said `remember:` with the same text.",
    example: "!remembered('nobody ever said this')",
};
