//! What a hook noted earlier in the session.

use crate::call::Call;
use crate::failure::Attempt;
use crate::signature::function;
use crate::state;

/// The text that was noted last under the name; empty if there is none.
pub fn noted(call: &Call<'_>, name: &str) -> Attempt<String> {
    state::notes::noted(call.session(), name)
}

function! {
    FUNCTION: noted,
    name: "noted",
    params: { name: Text },
    result: Text,
    fallible: true,
    powers: [Memory],
    doc: "The text that a check of this session last noted under the name with `note:`; empty if there is none.",
    example: "noted('nobody ever noted this') == ''",
}
