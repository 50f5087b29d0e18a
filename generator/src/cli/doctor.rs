//! `hookgen doctor`: whether the hooks of a project would be heard, agent by agent.

mod beside;

use std::io::Write as _;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant, SystemTime};

use anyhow::Context as _;
use camino::{Utf8Path, Utf8PathBuf};
use hookgen_runtime::client::claude::places::{PROJECT, in_braces};
use hookgen_runtime::client::{CLAUDE, CLIENTS, Client, Form, Known, Outcome, Own, Program, Trust, Unit, named};
use hookgen_runtime::{Json, Many};
use serde_json::Value;

use super::args::DoctorArgs;
use super::console::data;
use super::install::LIMIT;
use super::install_agent::{heard_in, own_file, own_folder};
use super::{Finish, current_folder, neighbours};
use crate::agents::{Pin, is_ours, own_file_name, pins, script};
use crate::cases::minds;
use crate::disk;

pub(super) fn run(args: &DoctorArgs) -> anyhow::Result<Finish> {
    let into = current_folder()?.join(args.into.as_deref().unwrap_or(Utf8Path::new("")));
    let into = into.canonicalize_utf8().with_context(|| format!("`{into}` is not a folder"))?;
    let mut finish = Finish::Fine;
    let mut any = false;
    for client in CLIENTS.iter().copied() {
        let heard = heard_in(client, &into);
        for catalog in installed(&heard, client) {
            any = true;
            let mut findings = Patient { into: &heard, client, catalog: &catalog }.examine();
            let own = own_folder(client, &into);
            if heard != into && !own.is_dir() {
                let what = "without it the agent looks for no hooks of a worktree; install it anew";
                findings.push((false, format!("there is no folder {own}: {what}")));
            }
            for (fine, what) in &findings {
                data(format!("{} {} {}: {what}", if *fine { "ok " } else { "BAD" }, client.name, catalog))?;
            }
            if findings.iter().any(|(fine, _)| !fine) {
                finish = Finish::Findings;
            }
        }
    }
    for what in neighbours::look(&into, &installed(&into, CLAUDE)) {
        data(format!("{} {}", if what.fine { "ok " } else { "BAD" }, what.told))?;
        if !what.fine {
            finish = Finish::Findings;
        }
    }
    if !any {
        data(format!("no catalog is installed in {into}"))?;
    }
    Ok(finish)
}

/// The catalogs that have a program for the agent, or had one.
fn installed(into: &Utf8Path, client: &Client) -> Vec<String> {
    let folder = programs(into, client);
    let names = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = names
        .filter(|entry| entry.path().join("hookgen.lock").is_file())
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    names.sort();
    names
}

pub(super) fn programs(into: &Utf8Path, client: &Client) -> Utf8PathBuf {
    into.join(client.registration.programs)
}

/// A catalog as one agent has it.
struct Patient<'p> {
    into: &'p Utf8Path,
    client: &'static Client,
    catalog: &'p str,
}

/// The event that is tried out.
const BEFORE: &str = "PreToolUse";

/// The time that agents give a hook where a registration says nothing of it.
const USUAL: Duration = Duration::from_secs(30);

/// An entry as it is registered.
struct Registered {
    /// The agent's name of its event.
    event: String,
    line: String,
    arguments: Option<Vec<String>>,
    timeout: Duration,
}

impl Patient<'_> {
    fn examine(&self) -> Vec<(bool, String)> {
        let mut findings = Vec::new();
        let entries = self.entries();
        findings.push(match entries.len() {
            0 => (
                false,
                format!(
                    "not registered in {}; run `hookgen install {} --agent {}`",
                    self.file(),
                    self.catalog,
                    self.client.name
                ),
            ),
            1 => (true, format!("registered, 1 entry in {}", self.file())),
            number => (true, format!("registered, {number} entries in {}", self.file())),
        });
        findings.push(self.program());
        findings.extend(self.trust());
        findings.extend(beside::switched_off(self.into, self.client).into_iter().map(|what| (false, what)));
        findings.extend(self.doubles(&entries));
        let before = self.client.event(BEFORE).map_or(BEFORE, |event| event.native());
        if let Some(entry) = entries.iter().find(|entry| entry.event == before).or(entries.first()) {
            findings.push(self.try_out(entry));
        }
        if let Known::Documented = self.client.known {
            findings.push((true, "known from documentation only; the agent was not run".to_owned()));
        }
        let silence = self.client.silence;
        if silence.late == Outcome::Passes {
            findings.push((
                true,
                "the agent lets an action pass whose hook is late; the program answers before that".to_owned(),
            ));
        }
        if silence.missing == Outcome::Passes && self.client.registration.program == Program::Arguments {
            findings.push((true, "the agent lets an action pass whose program is missing".to_owned()));
        }
        findings
    }

    fn file(&self) -> Utf8PathBuf {
        let registration = &self.client.registration;
        match registration.form {
            Form::Tables(own) => own_file(&own).unwrap_or_default(),
            Form::Flat { own_file: Some(_), .. } | Form::Module => {
                self.into.join(registration.file).join(own_file_name(self.client, self.catalog))
            }
            Form::Executables { files, .. } => {
                let name = files.iter().find(|(event, _)| *event == BEFORE).map_or(BEFORE, |(_, file)| file);
                self.into.join(registration.file).join(name)
            }
            _ => self.into.join(registration.file),
        }
    }

    fn text(&self) -> String {
        text_of(&self.file())
    }

    fn program(&self) -> (bool, String) {
        let folder = programs(self.into, self.client).join(self.catalog).join("bin");
        let found = std::fs::read_dir(&folder).into_iter().flatten().flatten().find(|entry| {
            entry.path().extension().is_none_or(|extension| extension != "hooks") && entry.path().is_file()
        });
        let Some(found) = found else { return (false, format!("its program is missing in {folder}; install it anew")) };
        if is_executable(&found.path()) {
            (true, "its program is there and can be run".to_owned())
        } else {
            (false, format!("{} cannot be run: it is not executable", found.path().display()))
        }
    }

    /// Whether the agent would run the entries at all.
    fn trust(&self) -> Option<(bool, String)> {
        let text = |own: &Own| own_file(own).map(|path| text_of(&path)).unwrap_or_default();
        match &self.client.registration.trust {
            Trust::Given => None,
            Trust::Pinned(how) => {
                let config = text(&how.list);
                let document: Value = serde_json::from_str(&self.text()).unwrap_or_default();
                let wanted =
                    pins(how, self.file().as_str(), &document, |line| is_ours(self.client, self.catalog, line));
                let is_there = |pin: &&Pin| {
                    config.contains(&Value::from(pin.key.as_str()).to_string()) && config.contains(&pin.hash)
                };
                Some(match wanted.iter().filter(|pin| !is_there(pin)).count() {
                    0 => (true, "trusted: the hash of each entry is pinned".to_owned()),
                    missing => (
                        false,
                        format!("{missing} entries are not trusted, and are skipped without a word; install it anew"),
                    ),
                })
            }
            Trust::Folder { list, or_otherwise } => {
                let place = own_file(list).map(|path| path.to_string()).unwrap_or_default();
                Some(if names(&text(list), self.into.as_str()) {
                    (true, format!("trusted: {place} lists the folder"))
                } else if *or_otherwise {
                    (true, format!("{place} does not list the folder; its hooks run only if it is trusted otherwise"))
                } else {
                    let what = "so its hooks are skipped without a word; start the agent here once and trust it";
                    (false, format!("{place} does not list the folder, {what}"))
                })
            }
            Trust::Unseen(what) => Some((true, format!("{what}, which cannot be seen from here"))),
        }
    }

    /// Registrations that would answer the same event a second time.
    fn doubles(&self, entries: &[Registered]) -> Vec<(bool, String)> {
        let mut findings = Vec::new();
        let same = |one: &Registered, other: &Registered| {
            one.event == other.event && one.line == other.line && one.arguments == other.arguments
        };
        for (place, entry) in entries.iter().enumerate() {
            if entries.iter().take(place).any(|earlier| same(earlier, entry)) {
                findings.push((false, format!("an entry of {} is registered twice, and runs twice", entry.event)));
            }
        }
        if let (Form::Nested | Form::Bare, Ok(home)) = (self.client.registration.form, std::env::var("HOME")) {
            let path = Utf8PathBuf::from(home).join(self.client.registration.file);
            if path != self.file() && self.entries_in(&text_of(&path)).iter().any(|entry| self.is_here(entry)) {
                findings.push((false, format!("{path} registers it as well, so every event is answered twice")));
            }
        }
        for path in beside::registered_besides(self.into, self.client, self.catalog, &self.file()) {
            findings.push((false, format!("{path} registers it as well, so every event is answered twice")));
        }
        for also in self.client.registration.also {
            let Some(other) =
                named(also.of).filter(|other| installed(self.into, other).contains(&self.catalog.to_owned()))
            else {
                continue;
            };
            let both = format!("{} also runs what is registered for {}", self.client.title, other.title);
            findings.push(if also.noticed {
                (true, format!("{both}; those entries notice and say nothing, so one event has one decision"))
            } else {
                let command = format!("hookgen install {} --agent {} --remove", self.catalog, other.name);
                (false, format!("{both}, so every event is answered twice; take one out, as with `{command}`"))
            });
        }
        findings
    }

    /// Whether an entry starts the program of this project.
    fn is_here(&self, entry: &Registered) -> bool {
        // What is found by a variable of the agent's is found from wherever it runs.
        entry.line.contains(programs(self.into, self.client).as_str()) || entry.line.contains('$')
    }

    /// The entries of the catalog for calls of tools, as the agent reads them.
    fn entries(&self) -> Vec<Registered> {
        self.entries_in(&self.text())
    }

    fn entries_in(&self, text: &str) -> Vec<Registered> {
        let milliseconds = |number: u64| match self.client.registration.unit {
            Unit::Seconds => Duration::from_secs(number),
            Unit::Milliseconds => Duration::from_millis(number),
        };
        let ours = |line: &str| is_ours(self.client, self.catalog, line);
        match self.client.registration.form {
            Form::Tables(_) => of_tables(text).into_iter().filter(|entry| ours(&entry.line)).collect(),
            Form::Executables { .. } if script::has_lines(text, self.catalog) => {
                vec![Registered {
                    event: BEFORE.to_owned(),
                    line: format!("'{}'", self.file()),
                    arguments: None,
                    timeout: USUAL,
                }]
            }
            Form::Executables { .. } => Vec::new(),
            Form::Module => of_module(text, self.client).unwrap_or_default(),
            _ => {
                let mut found = Vec::new();
                handlers(&serde_json::from_str(text).unwrap_or_default(), "", &mut |event, handler| {
                    let line = ["command", "bash"].iter().find_map(|key| handler.get(key).and_then(Value::as_str));
                    if let Some(line) = line.filter(|line| ours(line)) {
                        let time =
                            ["timeout", "timeoutSec"].iter().find_map(|key| handler.get(key).and_then(Value::as_u64));
                        let arguments = handler.get("args").and_then(Value::as_array);
                        let arguments = arguments
                            .map(|list| list.iter().filter_map(|one| one.as_str().map(str::to_owned)).collect());
                        found.push(Registered {
                            event: event.to_owned(),
                            line: line.to_owned(),
                            arguments,
                            timeout: time.map_or(USUAL, milliseconds),
                        });
                    }
                });
                found
            }
        }
    }

    /// Runs an entry as the agent would, with a call that no hook minds.
    fn try_out(&self, entry: &Registered) -> (bool, String) {
        let has = entry.timeout.as_millis();
        match self.answer(entry) {
            Ok(Answered { took, .. }) if took >= entry.timeout => {
                (false, format!("takes {} ms for a test event, and has {has} ms", took.as_millis()))
            }
            Ok(Answered { status, output, took }) => {
                match minds(self.client, BEFORE, status, &output.stdout, &output.stderr) {
                    Some(what) => (false, format!("does not let a harmless test event pass: {what}")),
                    None => (true, format!("answers a test event in {} ms, of {has} ms that it has", took.as_millis())),
                }
            }
            Err(error) => (false, format!("does not run: {error:#}")),
        }
    }

    fn answer(&self, entry: &Registered) -> anyhow::Result<Answered> {
        let event = self.client.event(BEFORE).context("the agent has no event before a tool")?;
        let text = |text: &str| Json::text(text).into_owned();
        let input = vec![("command".into(), text("true"))];
        // A session of its own: what a hook remembers of an earlier look is not what is asked about.
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let session = format!("hookgen-doctor-{}-{}", std::process::id(), since.as_nanos());
        let fields = vec![
            ("session_id".into(), text(&session)),
            ("cwd".into(), text(self.into.as_str())),
            ("hook_event_name".into(), text(BEFORE)),
            ("permission_mode".into(), text("default")),
            ("tool_name".into(), text("Bash")),
            ("tool_input".into(), Json::Object(Many::Owned(input))),
        ];
        let native = (self.client.encode)(fields, event).context("the agent has no shell")?;
        let began = Instant::now();
        let mut command = match &entry.arguments {
            Some(arguments) => {
                let mut command = Command::new(entry.line.replace(&in_braces(PROJECT), self.into.as_str()));
                command.args(arguments);
                command
            }
            None => {
                let mut command = Command::new("sh");
                command.args(["-c", &entry.line]);
                command
            }
        };
        if let Some(variable) = self.client.project {
            command.env(variable, self.into);
        }
        command.current_dir(self.into).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        if let Some(mut stdin) = child.stdin.take() {
            let _ = stdin.write_all(Json::Object(Many::Owned(native)).to_string().as_bytes());
        }
        // What is said to a harmless event fits into a pipe, so whoever has not ended by then is late.
        while child.try_wait()?.is_none() {
            if began.elapsed() >= entry.timeout {
                child.kill()?;
                break;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        let took = began.elapsed();
        let output = child.wait_with_output()?;
        Ok(Answered { status: output.status.code().unwrap_or(-1), output, took })
    }
}

/// What an entry said, and when.
struct Answered {
    status: i32,
    output: Output,
    took: Duration,
}

fn text_of(path: &Utf8Path) -> String {
    disk::read(path, LIMIT).ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
}

/// Whether a list of folders names that one, in whatever way its text is escaped. One with comments is read as text.
fn names(list: &str, folder: &str) -> bool {
    fn holds(value: &Value, folder: &str) -> bool {
        match value {
            Value::String(text) => text == folder,
            Value::Array(items) => items.iter().any(|item| holds(item, folder)),
            Value::Object(fields) => fields.iter().any(|(name, field)| name == folder || holds(field, folder)),
            _ => false,
        }
    }
    match serde_json::from_str::<Value>(list) {
        Ok(list) => holds(&list, folder),
        Err(_) => list.contains(&Value::from(folder).to_string()),
    }
}

/// What a module that hookgen wrote starts before a tool.
fn of_module(text: &str, client: &Client) -> Option<Vec<Registered>> {
    let before = client.event(BEFORE)?.native();
    let constant = |name: &str| -> Option<Value> {
        let (_, value) = text.split_once(&format!("const {name} = "))?;
        serde_json::from_str(value.split_once(";\n")?.0).ok()
    };
    let (program, events) = (constant("program")?, constant("registered")?);
    let entries = events.get(before)?.as_array()?.iter().filter_map(|entry| {
        let arguments = entry["args"].as_array()?.iter().filter_map(|one| one.as_str().map(str::to_owned)).collect();
        let timeout = Duration::from_millis(entry["timeout"].as_u64()?);
        Some(Registered {
            event: before.to_owned(),
            line: program.as_str()?.to_owned(),
            arguments: Some(arguments),
            timeout,
        })
    });
    Some(entries.collect())
}

/// Every object of a document that names a command, with the key of the list that it is in.
fn handlers(value: &Value, event: &str, found: &mut impl FnMut(&str, &Value)) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| handlers(item, event, found)),
        Value::Object(fields) => {
            if fields.get("command").or(fields.get("bash")).is_some_and(Value::is_string) {
                found(event, value);
            }
            for (name, field) in fields {
                handlers(field, if name == "hooks" { event } else { name }, found);
            }
        }
        _ => {}
    }
}

/// The entries in tables of a person's file.
fn of_tables(text: &str) -> Vec<Registered> {
    let tables = text.split("[[hooks]]").skip(1).filter_map(|table| {
        let table = table.split("\n[").next().unwrap_or_default();
        let value = |key: &str| {
            table.lines().find_map(|line| Some(line.trim().strip_prefix(key)?.trim().strip_prefix('=')?.trim()))
        };
        let text = |key: &str| serde_json::from_str::<String>(value(key)?).ok();
        let timeout = value("timeout").and_then(|time| time.parse().ok()).map_or(USUAL, Duration::from_secs);
        Some(Registered { event: text("event")?, line: text("command")?, arguments: None, timeout })
    });
    tables.collect()
}

#[cfg(unix)]
fn is_executable(path: &std::path::Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::metadata(path).is_ok_and(|found| found.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &std::path::Path) -> bool {
    path.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_listed_as_a_value_or_as_a_key_however_it_is_escaped() {
        for list in [
            r#"{"trustedFolders": ["/x", "/gr\u00fcn"]}"#,
            r#"{"/grün": "TRUST_FOLDER"}"#,
            "// ours\n{\"trustedFolders\": [\"/grün\"]}",
        ] {
            assert!(names(list, "/grün"), "{list}");
        }
        for list in ["", "{}", r#"{"trustedFolders": ["/grün/below", "/gr"]}"#] {
            assert!(!names(list, "/grün"), "{list}");
        }
    }
}
