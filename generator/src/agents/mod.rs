//! A catalog for agents other than Claude Code: what each of them is given to read, and what it cannot do.
//!
//! All facts about an agent come from its table in `hookgen_runtime::client`.

pub mod losses;
mod module;
pub mod script;
mod trust;

pub use losses::{Ability, Loss, losses};
pub use trust::{Pin, pins};

use hookgen_runtime::client::{Client, Form, Program, Unit};
use hookgen_runtime::{Event, Refusal};
use serde_json::{Map, Value, json};

use crate::emit::processes;
use crate::model::{Catalog, FailSafe, Hook, Kind, Matcher, Mode};

/// Where a catalog's program is, as a registration may name it.
#[derive(Debug, Clone)]
pub struct Place {
    /// The project: its whole path, or nothing where nobody knows it yet.
    pub project: Option<String>,
}

/// What an agent is given.
#[derive(Debug)]
pub enum Written {
    /// Entries of a JSON file that others may have entries in, by event.
    Entries(Map<String, Value>),
    /// A file of the catalog's own, with its name.
    Own(String, String),
    /// Tables of the person's own file, one text each.
    Tables(Vec<String>),
    /// Lines for executables that catalogs share, by the name of the file.
    Scripts(Vec<(&'static str, String)>),
}

/// One entry that the agent runs.
#[derive(Debug)]
pub struct Entry {
    /// The agent's row of the event.
    pub event: &'static Event,
    /// The agent's names of the tools, if it is for some tools only and the agent looks at them.
    pub matcher: Option<String>,
    pub arguments: Vec<String>,
    pub timeout_ms: u64,
    /// Whether an action is refused that nobody has checked.
    pub closed: bool,
}

/// The folder of the program, from the project.
pub fn program_folder(client: &Client, catalog: &str) -> String {
    format!("{}/{catalog}", client.registration.programs)
}

/// Every entry of the catalog that the agent can run, in the order of the catalog.
pub fn entries(catalog: &Catalog, client: &'static Client, place: &Place) -> Vec<Entry> {
    let mut entries = Vec::new();
    for event in client.events {
        let hooks: Vec<&Hook> =
            catalog.hooks.iter().filter(|hook| hook.kind == Kind::Command && hook.event.name == event.name).collect();
        for process in processes(catalog.dispatch, &hooks) {
            let Some(first) = process.first() else { continue };
            let Some(matcher) = native_matcher(client, event, first.matcher.as_ref()) else { continue };
            let closed = process.iter().any(|hook| hook.fail_safe == FailSafe::Closed && hook.mode == Mode::Enforce);
            entries.push(Entry {
                event,
                matcher,
                arguments: arguments(catalog, client, place, closed, &process),
                timeout_ms: process.iter().map(|hook| u64::from(hook.timeout_ms)).sum(),
                closed: closed && event.refusal != Refusal::Never,
            });
        }
    }
    entries
}

fn arguments(catalog: &Catalog, client: &Client, place: &Place, closed: bool, process: &[&Hook]) -> Vec<String> {
    let of = format!("--{}={}@{}", if closed { "closed" } else { "open" }, catalog.name, catalog.version);
    let mut arguments = vec![of, format!("--agent={}", client.name)];
    if catalog.lets_unasked_pass() {
        arguments.push("--unasked=pass".to_owned());
    }
    if let (Form::Tables(_), Some(project)) = (client.registration.form, &place.project) {
        arguments.push(format!("--within={project}"));
    }
    arguments.extend(process.iter().map(|hook| hook.id.clone()));
    arguments
}

/// The agent's names for the tools of a matcher: `None` if it has none of them, `Some(None)` for every call.
fn native_matcher(client: &Client, event: &Event, matcher: Option<&Matcher>) -> Option<Option<String>> {
    let Some(Matcher::Names { names, .. }) = matcher else { return Some(None) };
    if event.subject != Some("tool_name") || names.iter().any(|name| name.starts_with("mcp__")) {
        return Some(None);
    }
    let mut native: Vec<&str> = Vec::new();
    for tool in names.iter().flat_map(|name| client.tools_called(hookgen_runtime::tool::current(name))) {
        if !native.contains(&tool) {
            native.push(tool);
        }
    }
    (!native.is_empty()).then(|| client.registration.matchers.then(|| native.join("|")))
}

/// What the agent is given to read.
pub fn write(catalog: &Catalog, client: &'static Client, place: &Place) -> Written {
    let entries = entries(catalog, client, place);
    match client.registration.form {
        Form::Nested | Form::Bare => Written::Entries(grouped(catalog, client, place, &entries)),
        Form::Flat { own_file, command, timeout } => {
            let mut events: Map<String, Value> = Map::new();
            for entry in &entries {
                let mut handler = json!({ "type": "command" });
                handler[command] = line(catalog, client, place, entry).into();
                handler[timeout] = time(client, entry).into();
                push(&mut events, native_event(client, entry.event), handler);
            }
            if own_file.is_some() {
                let file = json!({ "version": 1, "hooks": events });
                return Written::Own(own_file_name(client, &catalog.name), format!("{file:#}\n"));
            }
            Written::Entries(events)
        }
        Form::Tables(_) => Written::Tables(entries.iter().map(|entry| table(catalog, client, place, entry)).collect()),
        Form::Executables { .. } => Written::Scripts(script::scripts(catalog, client, place, &entries)),
        Form::Module => {
            Written::Own(own_file_name(client, &catalog.name), module::module(catalog, client, place, &entries))
        }
    }
}

/// What a file of the catalog's own is called.
pub fn own_file_name(client: &Client, catalog: &str) -> String {
    match client.registration.form {
        Form::Module => format!("hookgen-{catalog}.js"),
        Form::Flat { own_file, .. } => format!("hookgen-{catalog}{}.json", own_file.unwrap_or_default()),
        _ => format!("hookgen-{catalog}.json"),
    }
}

fn push(events: &mut Map<String, Value>, event: &str, value: Value) {
    if let Some(list) = events.entry(event).or_insert_with(|| json!([])).as_array_mut() {
        list.push(value);
    }
}

/// Claude Code's shape, with the agent's names and units.
fn grouped(catalog: &Catalog, client: &'static Client, place: &Place, entries: &[Entry]) -> Map<String, Value> {
    let mut events = Map::new();
    for entry in entries {
        let mut handler = json!({ "type": "command" });
        if client.registration.program == Program::Arguments {
            handler["command"] = program(catalog, client, place).into();
            handler["args"] = entry.arguments.clone().into();
        } else {
            handler["command"] = line(catalog, client, place, entry).into();
        }
        handler["timeout"] = time(client, entry).into();
        let group = match &entry.matcher {
            Some(matcher) => json!({ "matcher": matcher, "hooks": [handler] }),
            None => json!({ "hooks": [handler] }),
        };
        push(&mut events, native_event(client, entry.event), group);
    }
    events
}

/// What the registration calls an event.
fn native_event(client: &Client, event: &'static Event) -> &'static str {
    match client.registration.form {
        Form::Executables { files, .. } => {
            files.iter().find(|(name, _)| *name == event.name).map_or(event.native(), |(_, file)| file)
        }
        _ => event.native(),
    }
}

fn time(client: &Client, entry: &Entry) -> u64 {
    match client.registration.unit {
        Unit::Seconds => entry.timeout_ms.div_ceil(1000),
        Unit::Milliseconds => entry.timeout_ms,
    }
}

/// The path of the program, from where the agent can find it.
fn program(catalog: &Catalog, client: &Client, place: &Place) -> String {
    let inside = format!("{}/bin/{}", program_folder(client, &catalog.name), catalog.binary);
    match &place.project {
        Some(project) => format!("{project}/{inside}"),
        None => inside,
    }
}

/// The line for a shell. One of a closed hook refuses by itself when the program is not there or ends in any other way
/// than by answering, since most agents let the action pass then.
fn line(catalog: &Catalog, client: &Client, place: &Place, entry: &Entry) -> String {
    let program = match client.registration.program {
        Program::InProject(variable) => {
            // In braces, for a shell to fill in: some agents put a quoted path in the place of the bare name.
            format!("\"${{{variable}}}\"/{}/bin/{}", program_folder(client, &catalog.name), catalog.binary)
        }
        Program::Absolute | Program::Arguments => quoted(&program(catalog, client, place)),
    };
    let arguments: Vec<String> = entry.arguments.iter().map(|argument| quoted(argument)).collect();
    let call = format!("{program} {}", arguments.join(" "));
    if !entry.closed {
        return call;
    }
    let silent =
        format!("the hooks of {} did not answer, so this is refused; install them again with hookgen", catalog.name);
    format!("{call}; s=$?; [ $s = 0 ] || [ $s = 2 ] || {{ echo {} >&2; exit 2; }}; exit $s", quoted(&silent))
}

/// A word for a shell.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=@:,+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

fn table(catalog: &Catalog, client: &'static Client, place: &Place, entry: &Entry) -> String {
    let text = |text: &str| Value::from(text).to_string();
    let mut table = format!(
        "[[hooks]]\nevent = {}\ncommand = {}\n",
        text(entry.event.native()),
        text(&line(catalog, client, place, entry))
    );
    if let Some(matcher) = &entry.matcher {
        table.push_str(&format!("matcher = {}\n", text(matcher)));
    }
    table.push_str(&format!("timeout = {}\n", time(client, entry)));
    table
}

/// Whether a line of a registration runs the program that the catalog has there, whatever else is in the way to it.
pub fn is_ours(client: &Client, catalog: &str, command: &str) -> bool {
    let program = match client.registration.program {
        Program::Arguments => command.to_owned(),
        Program::InProject(_) | Program::Absolute => first_word(command),
    };
    let folder = format!("{}/bin/", program_folder(client, catalog));
    let whole = program.rsplit_once(&format!("/{folder}")).map(|(_, name)| name);
    let name = whole.or_else(|| program.strip_prefix(&folder));
    name.is_some_and(|name| !name.is_empty() && !name.contains(['/', ' ', '\'', '"']))
}

/// The first word of a line as a shell reads it, variables as they stand.
fn first_word(line: &str) -> String {
    let mut word = String::new();
    let mut quote = None;
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '\'' | '"') => quote = Some(c),
            (None | Some('"'), '\\') => word.extend(chars.next()),
            (None, c) if c.is_whitespace() || ";|&<>()".contains(c) => break,
            (_, c) => word.push(c),
        }
    }
    word
}

#[cfg(test)]
mod tests;
