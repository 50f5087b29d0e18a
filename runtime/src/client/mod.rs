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
mod patch;
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
#[derive(Debug, PartialEq, Eq)]
pub struct Tool {
    /// The client's name.
    pub native: &'static str,
    /// The name in catalogs.
    pub tool: &'static str,
    /// The names of its fields: the client's, then that of catalogs. All others are called the same.
    pub fields: &'static [(&'static str, &'static str)],
    /// The field that holds a patch of several files, each of which is a call of its own.
    pub patch: Option<&'static str>,
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
    /// The folder of the project in which programs for the client are kept.
    pub folder: &'static str,
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
        /// Whether each catalog has its own file.
        own_file: bool,
        /// The key of the command.
        command: &'static str,
        /// The key of the time.
        timeout: &'static str,
    },
    /// `[[hooks]]` tables in the person's own file.
    Tables,
    /// An executable per event, named after it.
    Executables,
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

    /// The client's names for a tool of catalogs; its own, if it has no other.
    pub fn tools_called(&self, tool: &str) -> Vec<&'static str> {
        self.tools
            .iter()
            .filter(|known| known.tool == tool || known.patch.is_some_and(|_| is_file_tool(tool)))
            .map(|known| known.native)
            .collect()
    }
}

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
