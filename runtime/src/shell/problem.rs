//! What kept a line from being understood.

use crate::signature::object;

/// Why a line was not understood as a whole.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Problem {
    kind: &'static str,
    text: String,
}

impl Problem {
    /// The line is not what a shell accepts.
    pub(crate) fn syntax(text: impl Into<String>) -> Self {
        Self { kind: "syntax", text: text.into() }
    }

    /// The line is longer, deeper or more work than is followed.
    pub(crate) fn excess(text: impl Into<String>) -> Self {
        Self { kind: "excess", text: text.into() }
    }

    /// Whether only a part of the line was read.
    pub(crate) fn is_excess(&self) -> bool {
        self.kind == "excess"
    }

    /// `syntax` or `excess`; empty when the line was understood.
    pub fn kind(&self) -> &str {
        self.kind
    }

    /// What is wrong, in words; empty when the line was understood.
    pub fn text(&self) -> &str {
        &self.text
    }
}

object! {
    /// How expressions see a problem.
    pub PROBLEM: Problem,
    doc: "What kept a shell line from being understood.",
    parts: {
        "kind": kind -> Text, "`syntax` if no shell would accept the line, `excess` if it is too much to follow; else empty";
        "text": text -> Text, "what is wrong, in words";
    }
}
