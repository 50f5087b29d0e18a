//! The coding agents that call a binary: one table each, in one file each.
//!
//! Catalogs are written in Claude Code's words. `read` turns what a client sends into them, `write` says in the client's
//! words what came of it, and the table tells what the client can do at all. Nothing else in the engine knows an agent.
//! Which one is calling stands in the registration (`--agent=NAME`); a binary links the tables that its catalog names.

pub mod auggie;
pub mod claude;
pub mod cline;
pub mod codex;
pub mod copilot;
pub mod cursor;
pub mod droid;
mod fields;
pub mod gemini;
pub mod kimi_code;
pub mod opencode;
pub(crate) mod patch;
pub mod qwen;
mod spoken;
pub mod vscode;

use std::borrow::Cow;

use crate::event::Event;
use crate::failure::Attempt;
use crate::json::Json;
use crate::reply::{Reply, Said};

pub(crate) use fields::{find, find_mut, is_absent, put, rename, take, text_of};

/// The fields of an event or of a tool's input, in the order in which they were sent.
pub type Fields<'a> = Vec<(Cow<'a, str>, Json<'a>)>;

/// A coding agent: what it sends, what it understands, and where it looks for hooks.
#[derive(Debug)]
pub struct Client {
    /// Its name on the command line and in catalogs.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// How the table is known to be right.
    pub known: Known,
    /// The events that it has, by their names in catalogs.
    pub events: &'static [Event],
    /// Its tools that have a name of their own in catalogs.
    pub tools: &'static [Tool],
    /// The variable in which it tells hooks where the project is.
    pub project: Option<&'static str>,
    /// Native event to the words of catalogs.
    pub read: for<'a> fn(Fields<'a>, &Event) -> Attempt<Reading<'a>>,
    /// The answer in the client's words.
    pub write: fn(&Said<'_>) -> Reply,
    /// What tests need: an event in the words of catalogs, as the client would send it. `None` where it could not.
    pub encode: for<'a> fn(Fields<'a>, &Event) -> Option<Fields<'a>>,
    /// Where and how hooks are registered.
    pub registration: Registration,
    /// What becomes of an action when its hook does not answer.
    pub silence: Silence,
    /// What a person should know of this client, a sentence each.
    pub remarks: &'static [&'static str],
}

/// How a table is known to be right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    /// By running that version of the client.
    Run(&'static str),
    /// From its documentation; it was not run.
    Documented,
}

/// A tool of a client, and what catalogs call it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tool {
    /// The client's name.
    pub native: &'static str,
    /// The name in catalogs.
    pub tool: &'static str,
    /// The names of its fields: the client's, then that of catalogs. All others are called the same.
    pub fields: &'static [(&'static str, &'static str)],
    /// The field that holds a patch of several files, each of which is a call of its own.
    pub patch: Option<&'static str>,
    /// The field that lists files which go, each of which is a call that empties it.
    pub gone: Option<&'static str>,
    /// The fields that may name the folder in which the call runs, where that is not the session's.
    pub folder: &'static [&'static str],
}

impl Tool {
    /// A tool whose input is called as in catalogs.
    pub(crate) const fn new(native: &'static str, tool: &'static str) -> Self {
        Self { native, tool, fields: &[], patch: None, gone: None, folder: &[] }
    }

    /// The same with other names for its fields: the client's, then that of catalogs.
    pub(crate) const fn fields(self, fields: &'static [(&'static str, &'static str)]) -> Self {
        Self { fields, ..self }
    }

    /// The same with a patch in that field.
    pub(crate) const fn patch(self, field: &'static str) -> Self {
        Self { patch: Some(field), ..self }
    }

    /// The same with a list of files that go in that field.
    pub(crate) const fn gone(self, field: &'static str) -> Self {
        Self { gone: Some(field), ..self }
    }

    /// The same with fields that may name the folder in which it runs.
    pub(crate) const fn folder(self, fields: &'static [&'static str]) -> Self {
        Self { folder: fields, ..self }
    }

    /// Whether one call of it is one call in catalogs, field by field.
    pub(crate) fn is_plain(&self) -> bool {
        self.patch.is_none() && self.gone.is_none()
    }
}

/// What a native event comes to.
#[derive(Debug)]
pub struct Reading<'a> {
    /// The calls that it is about, in the words of catalogs; none if it is no event to any hook.
    pub calls: Vec<Fields<'a>>,
    /// The tool, if it is called otherwise in catalogs.
    pub tool: Option<&'static Tool>,
    /// Whether the input of the one call is that of the event, field by field, and can be replaced.
    pub whole: bool,
}

/// Where and how a client looks for hooks.
#[derive(Debug)]
pub struct Registration {
    /// The folder of the project in which each catalog has a folder with its program.
    pub programs: &'static str,
    /// The file of the project, or of the person, that the client reads, or the folder of such files.
    pub file: &'static str,
    /// How entries are written down there.
    pub form: Form,
    /// How the program is named, so that the client finds it.
    pub program: Program,
    /// What a time is counted in.
    pub unit: Unit,
    /// Whether matchers of tools are written down. Where they are not, the binary alone looks at the name.
    pub matchers: bool,
    /// What the client wants before it runs them.
    pub trust: Trust,
    /// What switches all hooks off.
    pub switches: &'static [Switch],
    /// Further folders in which the client looks for hooks of its own, from the project, or from the home folder (`~/`).
    pub further: &'static [&'static str],
    /// Other clients whose registrations it runs as well.
    pub also: &'static [Also],
    /// Whether it looks for the hooks of a linked worktree in the main checkout of its repository, and only there, if the
    /// worktree has a folder of the client's at all.
    pub in_main_checkout: bool,
}

/// A setting that switches all hooks off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Switch {
    /// The file, from the project or from the home folder.
    pub file: &'static str,
    /// The setting in it, with dots between the parts of its path.
    pub key: &'static str,
    /// The value with which hooks are off.
    pub off: bool,
}

/// The switch that Claude Code has, and whoever took it over.
pub(crate) const fn disabled(file: &'static str) -> Switch {
    Switch { file, key: "disableAllHooks", off: true }
}

/// A client whose registrations another one runs as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Also {
    /// Its name.
    pub of: &'static str,
    /// Whether a program that is started by them notices, and leaves the answer to the registration of its own.
    pub noticed: bool,
}

/// A folder of the person's, which a variable may have moved, and a file in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Own {
    /// The variable; empty where there is none.
    pub variable: &'static str,
    /// Where it is otherwise, from the home folder.
    pub folder: &'static str,
    /// The file.
    pub file: &'static str,
}

/// What a client wants before it runs what is registered in a project.
#[derive(Debug, Clone, Copy)]
pub enum Trust {
    /// Nothing.
    Given,
    /// The hash of each entry in a file of the person's, as a table of its own.
    Pinned(&'static Pins),
    /// The folder in a list of the person's.
    Folder {
        /// The file with the list.
        list: Own,
        /// Whether there are other ways to trust a folder, so that one that is not listed may be trusted all the same.
        or_otherwise: bool,
    },
    /// Something that cannot be seen from here.
    Unseen(&'static str),
}

/// How a person's file says which entries are trusted.
#[derive(Debug)]
pub struct Pins {
    /// The file.
    pub list: Own,
    /// The table that has a table for each entry, under the entry's place.
    pub table: &'static str,
    /// The key of the hash in it.
    pub key: &'static str,
    /// The place of an entry of that file.
    pub place: fn(&str, &Registered<'_>) -> String,
    /// The hash of an entry, from what is hashed and how.
    pub hash: fn(&Registered<'_>, digest: Digest) -> String,
}

/// How bytes are hashed: whoever compares hashes brings it along, so that hooks do without.
pub type Digest = fn(&[u8]) -> String;

/// An entry of a registration in Claude Code's shape.
#[derive(Debug, Clone, Copy)]
pub struct Registered<'r> {
    /// The client's name of its event.
    pub event: &'r str,
    /// The number of its group, and its own in that group.
    pub at: (usize, usize),
    /// The line that is run.
    pub command: &'r str,
    /// The tools that it is for.
    pub matcher: Option<&'r str>,
    /// Its time, if it has one.
    pub timeout: Option<u64>,
}

/// How registrations are written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// `{"hooks": {Event: [{matcher, hooks: [{type, command, timeout}]}]}}`
    Nested,
    /// The same without `hooks` around it.
    Bare,
    /// `{"version": 1, "hooks": {Event: [{…}]}}`, in a file of the catalog's own or in one that all share.
    Flat {
        /// The end of the name of a catalog's own file, where each has its own.
        own_file: Option<&'static str>,
        /// The key of the command.
        command: &'static str,
        /// The key of the time.
        timeout: &'static str,
    },
    /// `[[hooks]]` tables in the person's own file.
    Tables(Own),
    /// An executable per event.
    Executables {
        /// The event in catalogs, and the name of its file.
        files: &'static [(&'static str, &'static str)],
        /// How an answer begins that refuses.
        refused: &'static str,
        /// The key of the reason in such an answer.
        reason: &'static str,
    },
    /// A module that runs in the client.
    Module,
}

/// How a registration names the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Program {
    /// In a line for a shell that knows where the project is.
    InProject(&'static str),
    /// In a line for a shell, by its whole path.
    Absolute,
    /// By its whole path, with the arguments beside it, and no shell.
    Arguments,
}

/// What a time is counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Whole seconds.
    Seconds,
    /// Milliseconds.
    Milliseconds,
}

/// What becomes of an action when its hook says nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Silence {
    /// When the program is not there. Where a shell starts it, the registration of a closed hook refuses by itself.
    pub missing: Outcome,
    /// When it has not answered in time. A binary that runs answers before that.
    pub late: Outcome,
}

/// What becomes of an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It is refused.
    Refused,
    /// It goes on.
    Passes,
}

impl Client {
    /// The client's row for an event of catalogs.
    pub fn event(&self, name: &str) -> Option<&'static Event> {
        self.events.iter().find(|event| event.name == name)
    }

    /// Events by the client's own name.
    pub fn events_called<'n>(&self, native: &'n str) -> impl Iterator<Item = &'static Event> + use<'n> {
        self.events.iter().filter(move |event| event.native() == native)
    }

    /// What an event that the client sent is in the words of catalogs: the calls that it stands for, each with its event.
    /// `None` if it is no event of the client's; `registered` names the one that it was sent for, where it does not say so
    /// itself.
    pub fn calls<'a>(
        &'static self,
        fields: Fields<'a>,
        registered: Option<&str>,
    ) -> Attempt<Option<Vec<(&'static Event, Fields<'a>)>>> {
        let row = |name: &str| {
            let is_it = |event: &&Event| event.native().eq_ignore_ascii_case(name);
            self.event(name).filter(|event| event.native() == name).or_else(|| self.events.iter().find(is_it))
        };
        let named = NAMES.iter().find_map(|name| row(text_of(&fields, name)?));
        let Some(row) = named.or_else(|| self.event(registered?)) else { return Ok(None) };
        let calls = (self.read)(fields, row)?.calls.into_iter().map(|call| {
            // One native event can be several, which only reading it tells apart.
            let event = text_of(&call, NAMES[0]).and_then(Event::named).or_else(|| Event::named(row.name));
            (event.unwrap_or(row), call)
        });
        Ok(Some(calls.collect()))
    }

    /// The client's names for a tool of catalogs, and for those that matchers catch along with it.
    pub fn tools_called(&self, tool: &str) -> Vec<&'static str> {
        self.tools
            .iter()
            .filter(|known| {
                known.tool == tool
                    || known.patch.is_some_and(|_| is_file_tool(tool))
                    || claude::KIN.iter().any(|kin| kin.of == tool && kin.tool == known.tool)
            })
            .map(|known| known.native)
            .collect()
    }
}

/// The fields in which clients name an event; the first is that of catalogs.
pub(crate) const NAMES: [&str; 3] = ["hook_event_name", "hookEventName", "hookName"];

/// Whether a patch can be a call of the tool.
pub(crate) fn is_file_tool(tool: &str) -> bool {
    matches!(tool, "Write" | "Edit")
}

impl<'a> Reading<'a> {
    /// One call, whose input is the event's.
    pub(crate) fn of(fields: Fields<'a>) -> Self {
        Self { calls: vec![fields], tool: None, whole: true }
    }

    /// Nothing that a hook would want to hear of.
    pub(crate) fn nothing() -> Self {
        Self { calls: Vec::new(), tool: None, whole: false }
    }
}

/// The client whose words catalogs are written in, and who calls unless the registration says otherwise.
pub static CLAUDE: &Client = &claude::CLIENT;

/// Every client, in the order in which people are told of them.
pub static CLIENTS: &[&Client] = &[
    &claude::CLIENT,
    &codex::CLIENT,
    &gemini::CLIENT,
    &qwen::CLIENT,
    &copilot::CLIENT,
    &droid::CLIENT,
    &kimi_code::CLIENT,
    &auggie::CLIENT,
    &cline::CLIENT,
    &opencode::CLIENT,
    &cursor::CLIENT,
    &vscode::CLIENT,
];

/// The client of that name.
pub fn named(name: &str) -> Option<&'static Client> {
    CLIENTS.iter().copied().find(|client| client.name == name)
}

#[cfg(test)]
mod tests;
