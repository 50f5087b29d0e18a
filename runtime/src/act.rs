//! What hooks do to the world, as data, and the one place where it is done.
//!
//! A hook only says what it would do. Whether it is done depends on what is known later: its mode, and whether the hook
//! came to an end. A hook that does not enforce does nothing at all.

use std::path::Path;

use crate::call::Call;
use crate::document::Target;
use crate::export;
use crate::failure::Attempt;
use crate::program::Str;
use crate::state;

/// One change to the world.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Act {
    /// Counters start again from zero.
    Reset(Vec<Str>),
    /// Something to know for the rest of the session.
    Remember(String),
    /// A text to know under a name for the rest of the session.
    Note(Str, String),
    /// A document's new text.
    Write(Target, String),
    /// One more line for a document, unless its last one already holds the text.
    Append(Target, String, Option<String>),
    /// So much more for the numbers at a place of a JSON document.
    Tally(Target, Vec<String>, Vec<(Str, i64)>),
    /// A document is no longer needed.
    Delete(Target),
    /// An environment variable for the rest of the session.
    Export(Str, String),
}

impl Act {
    /// Does it.
    fn perform(&self, call: &Call<'_>) -> Attempt<()> {
        match self {
            Self::Reset(counters) => {
                let counters: Vec<&str> = counters.iter().map(AsRef::as_ref).collect();
                state::reset(call.session(), &counters)
            }
            Self::Remember(what) => state::memory::remember(call.session(), what),
            Self::Note(name, text) => state::notes::note(call.session(), name, text),
            Self::Write(document, text) => document.replace(text),
            Self::Append(document, line, None) => document.append_line(line),
            Self::Append(document, line, Some(known)) => document.append_new_line(call, line, known),
            Self::Tally(document, place, add) => document.tally(call, place, add),
            Self::Delete(document) => document.remove(),
            Self::Export(name, value) => export::write(call.event(), name, value),
        }
    }

    /// What it is, for a person who only wants to know.
    pub(crate) fn described(&self) -> String {
        let named = |what: &str, document: &Target| format!("{what} {}", shown(document.file()));
        match self {
            Self::Reset(counters) => format!("reset {}", counters.join(", ")),
            Self::Remember(what) => format!("remember `{what}`"),
            Self::Note(name, _) => format!("note `{name}`"),
            Self::Write(document, _) => named("write", document),
            Self::Append(document, ..) => named("add a line to", document),
            Self::Tally(document, ..) => named("count in", document),
            Self::Delete(document) => named("delete", document),
            Self::Export(name, _) => format!("set the variable {name}"),
        }
    }
}

fn shown(file: &Path) -> String {
    format!("`{}`", file.display())
}

/// Does all of it, in order, up to the first that fails.
pub(crate) fn perform(acts: &[Act], call: &Call<'_>) -> Attempt<()> {
    acts.iter().try_for_each(|act| act.perform(call))
}
