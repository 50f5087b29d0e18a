//! What hooks do to the world, as data, and the one place where it is done.
//!
//! A hook only says what it would do. Whether it is done depends on what is known later: its mode, and whether the hook
//! came to an end. A hook that does not enforce does nothing at all.

use std::path::Path;

use crate::books::Entry;
use crate::call::Call;
use crate::document::{Document, Target};
use crate::export;
use crate::failure::Attempt;
use crate::program::Str;
use crate::state;
use crate::text::Text;
use crate::verdict::Verdict;

/// What changes in a record of a JSON document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sums {
    /// Numbers, and how much is added to each.
    pub add: Vec<(Str, i64)>,
    /// Fields that get a new value, as it would be written in a file of YAML.
    pub set: Vec<(Str, String)>,
}

/// One change to the world.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Act {
    /// Counters start again from zero, as a whole or for one key.
    Reset(Vec<(Str, Option<String>)>),
    /// Something to know for the rest of the session.
    Remember(String),
    /// A text to know under a name for the rest of the session.
    Note(Str, String),
    /// What was remembered is forgotten.
    Forget(String),
    /// The note under a name is forgotten.
    ForgetNote(Str),
    /// Something has happened, to something or just so.
    Record(Str, Option<String>),
    /// A document's new text.
    Write(Target, String),
    /// One more line for a document, unless its last one already holds the text.
    Append(Target, String, Option<String>),
    /// What changes in the record at a place of a JSON document.
    Tally(Target, Vec<String>, Sums),
    /// A document is no longer needed.
    Delete(Target),
    /// An environment variable for the rest of the session.
    Export(Str, String),
    /// A program that tells somebody, with its arguments. It is started once the answer is out, and what becomes of it
    /// changes nothing.
    Notify(Vec<String>),
}

/// What hooks ask for; nothing is done yet.
impl Verdict {
    /// Starts counters again from zero, each as a whole or for one key.
    pub fn reset(&mut self, counters: Vec<(Str, Option<String>)>) {
        self.acts.push(Act::Reset(counters));
    }

    /// Keeps something in mind for the rest of the session.
    pub fn remember<'t>(&mut self, what: impl Into<Text<'t>>) {
        self.acts.push(Act::Remember(what.into().into_owned()));
    }

    /// Notes a text under a name for the rest of the session.
    pub fn note<'t>(&mut self, name: impl Into<Str>, text: impl Into<Text<'t>>) {
        self.acts.push(Act::Note(name.into(), text.into().into_owned()));
    }

    /// Forgets what was remembered.
    pub fn forget<'t>(&mut self, what: impl Into<Text<'t>>) {
        self.acts.push(Act::Forget(what.into().into_owned()));
    }

    /// Forgets the note under a name.
    pub fn forget_note(&mut self, name: impl Into<Str>) {
        self.acts.push(Act::ForgetNote(name.into()));
    }

    /// Records that something has happened.
    pub fn record(&mut self, name: impl Into<Str>) {
        self.acts.push(Act::Record(name.into(), None));
    }

    /// Records that something has happened to something.
    pub fn record_of<'t>(&mut self, name: impl Into<Str>, what: impl Into<Text<'t>>) {
        self.acts.push(Act::Record(name.into(), Some(what.into().into_owned())));
    }

    /// Replaces a document.
    pub fn write<'t>(&mut self, document: &Document, text: impl Into<Text<'t>>) {
        self.acts.push(Act::Write(document.target(), text.into().into_owned()));
    }

    /// Adds a line to a document.
    pub fn append<'t>(&mut self, document: &Document, line: impl Into<Text<'t>>) {
        self.acts.push(Act::Append(document.target(), line.into().into_owned(), None));
    }

    /// Adds a line to a document, unless its last one already holds the text.
    pub fn append_unless<'t>(&mut self, document: &Document, line: impl Into<Text<'t>>, known: impl Into<Text<'t>>) {
        self.acts.push(Act::Append(document.target(), line.into().into_owned(), Some(known.into().into_owned())));
    }

    /// Adds to numbers at a place of a JSON document, and sets what stands beside them.
    pub fn tally(&mut self, document: &Document, place: &[impl AsRef<str>], sums: Sums) {
        let place = place.iter().map(|key| key.as_ref().to_owned()).collect();
        self.acts.push(Act::Tally(document.target(), place, sums));
    }

    /// Removes a document.
    pub fn delete(&mut self, document: &Document) {
        self.acts.push(Act::Delete(document.target()));
    }

    /// Sets an environment variable for the rest of the session.
    pub fn export<'t>(&mut self, name: impl Into<Str>, value: impl Into<Text<'t>>) {
        self.acts.push(Act::Export(name.into(), value.into().into_owned()));
    }

    /// Tells somebody by a program with these arguments.
    pub fn notify(&mut self, line: Vec<String>) {
        self.acts.push(Act::Notify(line));
    }
}

impl Act {
    /// Does it.
    fn perform(&self, call: &Call<'_>) -> Attempt<()> {
        match self {
            Self::Reset(counters) => {
                let counters: Vec<(&str, Option<&str>)> =
                    counters.iter().map(|(counter, per)| (counter.as_ref(), per.as_deref())).collect();
                state::reset(call.session(), &counters)
            }
            Self::Remember(what) => state::memory::remember(call.session(), what),
            Self::Note(name, text) => state::notes::note(call.session(), name, text),
            Self::Forget(what) => state::memory::forget(call.session(), what),
            Self::ForgetNote(name) => state::notes::forget(call.session(), name),
            Self::Record(name, what) => {
                state::history::record(call.session(), name, what.as_deref(), call.now().epoch())
            }
            Self::Write(document, text) => document.replace(text),
            Self::Append(document, line, None) => document.append_line(line),
            Self::Append(document, line, Some(known)) => document.append_new_line(call, line, known),
            Self::Tally(document, place, sums) => document.tally(call, place, sums),
            Self::Delete(document) => document.remove(),
            Self::Export(name, value) => export::write(call.event(), name, value),
            // Nothing is decided by it: see `after_the_answer`.
            Self::Notify(_) => Ok(()),
        }
    }

    /// What is left of it for when the answer is out.
    pub(crate) fn after_the_answer(&self) -> Option<Entry> {
        if let Self::Notify(line) = self { Some(Entry::Notify(line.clone())) } else { None }
    }

    /// What it is, for a person who only wants to know.
    pub(crate) fn described(&self) -> String {
        let named = |what: &str, document: &Target| format!("{what} {}", shown(document.file()));
        match self {
            Self::Reset(counters) => {
                let counters: Vec<&str> = counters.iter().map(|(counter, _)| counter.as_ref()).collect();
                format!("reset {}", counters.join(", "))
            }
            Self::Remember(what) => format!("remember `{what}`"),
            Self::Note(name, _) => format!("note `{name}`"),
            Self::Forget(what) => format!("forget `{what}`"),
            Self::ForgetNote(name) => format!("forget the note `{name}`"),
            Self::Record(name, _) => format!("record `{name}`"),
            Self::Write(document, _) => named("write", document),
            Self::Append(document, ..) => named("add a line to", document),
            Self::Tally(document, ..) => named("count in", document),
            Self::Delete(document) => named("delete", document),
            Self::Export(name, _) => format!("set the variable {name}"),
            Self::Notify(line) => format!("notify by `{}`", line.first().map(String::as_str).unwrap_or_default()),
        }
    }
}

fn shown(file: &Path) -> String {
    format!("`{}`", file.display())
}

/// Does all of it, in order. What fails keeps nothing else from being done: a log that cannot be written is no reason to
/// leave a counter as it was. The first failure is told.
pub(crate) fn perform(acts: &[Act], call: &Call<'_>) -> Attempt<()> {
    let mut failed = Ok(());
    for act in acts {
        failed = failed.and(act.perform(call));
    }
    failed
}
