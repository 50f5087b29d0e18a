//! The redirections of a command.

use crate::shell::{Command, Redirection};
use crate::signature::function;

/// The redirections, in their order.
pub fn redirections(command: &Command) -> Vec<Redirection> {
    command.redirects().to_vec()
}

function! {
    FUNCTION: redirections,
    name: "redirections",
    receiver: Object<Command>,
    params: {},
    result: List<Object<Redirection>>,
    doc: "The redirections of the command in their order, each with `descriptor`, `mode` (`read`, `write`, `append`, \
           `read-write`, `text`, `duplicate`) and `target`.",
    example: "'make 2>> log'.commands()[0].redirections().exists(r, r.descriptor == 2 && r.mode == 'append' && r.target == 'log')",
}
