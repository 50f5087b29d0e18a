//! What follows from a check, as data.

use serde::{Deserialize, Serialize};

use super::{Expr, Text};
use crate::verdict::Decision;

/// What a check does. At most one of a check's effects decides, and it comes last.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Effect {
    /// Draws on counters, all or none. What came of it is known to later checks, so it happens at once.
    Spend {
        /// Where later checks find the result, among the hook's spends.
        spend: usize,
        /// What makes two calls the same call.
        key: Option<Text>,
        /// The counters and their limits.
        from: Vec<Limit>,
    },
    /// Starts counters again from zero.
    Reset(Vec<String>),
    /// Keeps something in mind for the rest of the session.
    Remember(Text),
    /// Notes a text under a name for the rest of the session.
    Note {
        /// The name.
        name: String,
        /// The text.
        text: Text,
    },
    /// Replaces a document.
    Write {
        /// The document.
        document: usize,
        /// Its new text.
        text: Text,
    },
    /// Adds a line to a document.
    Append {
        /// The document.
        document: usize,
        /// The line.
        line: Text,
        /// What makes the line superfluous if the last one already holds it.
        unless: Option<Text>,
    },
    /// Adds to numbers in a JSON document.
    Tally {
        /// The document.
        document: usize,
        /// The way of keys to the record that holds the numbers.
        at: Text,
        /// The numbers.
        add: Vec<Sum>,
        /// What gets a new value.
        set: Vec<(String, Text)>,
    },
    /// Removes a document.
    Delete {
        /// The document.
        document: usize,
    },
    /// Sets an environment variable for the rest of the session.
    Export {
        /// The variable.
        name: String,
        /// Its value.
        value: Text,
    },
    /// Leaves a line in the decision log.
    Log(Text),
    /// Tells the person.
    Warn(Text),
    /// Tells the model.
    Inject(Text),
    /// Tells both the same.
    Advise(Text),
    /// Tells the model what is wrong with what the tool just did.
    Feedback(Text),
    /// Replaces fields of the tool's input.
    Rewrite(Vec<(String, Text)>),
    /// Decides and ends the hook.
    Decide(Decision, Text),
}

/// A counter and how far it may go.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Limit {
    /// The counter.
    pub counter: String,
    /// Its limit.
    pub limit: Text,
}

/// A number and how much is added to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sum {
    /// The number.
    pub name: String,
    /// How much is added.
    pub more: Text,
}

impl Effect {
    /// The key by which catalogs ask for it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Spend { .. } => "spend",
            Self::Reset(_) => "reset",
            Self::Remember(_) => "remember",
            Self::Note { .. } => "note",
            Self::Write { .. } => "write",
            Self::Append { .. } => "append",
            Self::Tally { .. } => "tally",
            Self::Delete { .. } => "delete",
            Self::Export { .. } => "export",
            Self::Log(_) => "log",
            Self::Warn(_) => "warn",
            Self::Inject(_) => "inject",
            Self::Advise(_) => "advise",
            Self::Feedback(_) => "feedback",
            Self::Rewrite(_) => "rewrite",
            Self::Decide(Decision::Deny, _) => "deny",
            Self::Decide(Decision::Ask, _) => "ask",
            Self::Decide(Decision::Allow, _) => "allow",
            Self::Decide(Decision::Pass, _) => "pass",
        }
    }

    /// Whether it ends the hook.
    pub fn decides(&self) -> bool {
        matches!(self, Self::Decide(..))
    }

    /// The document that it changes.
    pub fn document(&self) -> Option<usize> {
        match self {
            Self::Write { document, .. }
            | Self::Append { document, .. }
            | Self::Tally { document, .. }
            | Self::Delete { document } => Some(*document),
            _ => None,
        }
    }

    /// The expressions that it is worked out from.
    pub fn expressions(&self) -> Vec<&Expr> {
        let texts: Vec<&Text> = match self {
            Self::Spend { key, from, .. } => key.iter().chain(from.iter().map(|limit| &limit.limit)).collect(),
            Self::Reset(_) | Self::Delete { .. } => Vec::new(),
            Self::Append { line, unless, .. } => std::iter::once(line).chain(unless).collect(),
            Self::Tally { at, add, set, .. } => {
                let values = set.iter().map(|(_, value)| value);
                std::iter::once(at).chain(add.iter().map(|sum| &sum.more)).chain(values).collect()
            }
            Self::Rewrite(fields) => fields.iter().map(|(_, text)| text).collect(),
            Self::Remember(text)
            | Self::Note { text, .. }
            | Self::Write { text, .. }
            | Self::Export { value: text, .. }
            | Self::Log(text)
            | Self::Warn(text)
            | Self::Inject(text)
            | Self::Advise(text)
            | Self::Feedback(text)
            | Self::Decide(_, text) => vec![text],
        };
        texts.into_iter().map(|text| &text.value).collect()
    }
}
