//! Redirections, as rules ask about them.

use super::syntax::{Redirect, RedirectKind};
use crate::signature::object;

/// One redirection of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redirection {
    descriptor: i64,
    mode: &'static str,
    target: String,
}

impl Redirection {
    pub(super) fn new(redirect: &Redirect, target: String) -> Self {
        let (mode, usual) = match redirect.kind {
            RedirectKind::Read => ("read", 0),
            RedirectKind::ReadWrite => ("read-write", 0),
            RedirectKind::HereDocument | RedirectKind::HereString => ("text", 0),
            RedirectKind::Write | RedirectKind::Both => ("write", 1),
            RedirectKind::Append => ("append", 1),
            RedirectKind::Duplicate => ("duplicate", 1),
            RedirectKind::DuplicateInput => ("duplicate", 0),
        };
        Self { descriptor: redirect.descriptor.map_or(usual, i64::from), mode, target }
    }

    /// The descriptor that is redirected; -1 where the line gives it a name.
    pub fn descriptor(&self) -> i64 {
        self.descriptor
    }

    /// `read`, `write`, `append`, `read-write`, `text` or `duplicate`.
    pub fn mode(&self) -> &str {
        self.mode
    }

    /// The file, the other descriptor, or the text.
    pub fn target(&self) -> &str {
        &self.target
    }
}

object! {
    /// How expressions see a redirection.
    pub REDIRECTION: Redirection,
    doc: "A redirection of a command.",
    parts: {
        "descriptor": descriptor -> Int, "the descriptor that is redirected; -1 where the line gives it a name";
        "mode": mode -> Text, "`read`, `write`, `append`, `read-write`, `text` (a here-document) or `duplicate`";
        "target": target -> Text, "the file as it is written, the other descriptor, or the text";
    }
}
