//! Whether a hook wanted something remembered earlier in the session.

use crate::call::Call;
use crate::failure::Attempt;
use crate::signature::function;
use crate::state;

/// Whether the text was remembered earlier in the session.
pub fn remembered(call: &Call<'_>, what: &str) -> Attempt<bool> {
    state::memory::remembers(call.session(), what)
}

function! {
    FUNCTION: remembered,
    name: "remembered",
    params: { what: Text },
    result: Bool,
    fallible: true,
    powers: [Memory],
    doc: "Whether a check of this session has said `remember:` with the same text.",
    example: "!remembered('nobody ever said this')",
}
