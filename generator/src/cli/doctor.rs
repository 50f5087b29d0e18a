//! `hookgen doctor`: whether the hooks of a project would be heard, agent by agent.

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use camino::{Utf8Path, Utf8PathBuf};
use hookgen_runtime::client::{CLAUDE, CLIENTS, Client, Form, Known, Outcome, Program, Unit};
use hookgen_runtime::{Json, Many};
use serde_json::Value;

use super::args::DoctorArgs;
use super::console::data;
use super::install::LIMIT;
use super::install_agent::own_folder;
use super::{Finish, current_folder};
use crate::agents::{PROGRAMS, is_ours, own_file_name, trusts};
use crate::disk;

pub(super) fn run(args: &DoctorArgs) -> anyhow::Result<Finish> {
    let into = current_folder()?.join(args.into.as_deref().unwrap_or(Utf8Path::new("")));
    let into = into.canonicalize_utf8().with_context(|| format!("`{into}` is not a folder"))?;
    let mut finish = Finish::Fine;
    let mut any = false;
    for client in CLIENTS.iter().copied() {
        for catalog in installed(&into, client) {
            any = true;
            let findings = Patient { into: &into, client, catalog: &catalog }.examine();
            for (fine, what) in &findings {
                data(format!("{} {} {}: {what}", if *fine { "ok " } else { "BAD" }, client.name, catalog))?;
            }
            if findings.iter().any(|(fine, _)| !fine) {
                finish = Finish::Findings;
            }
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

fn programs(into: &Utf8Path, client: &Client) -> Utf8PathBuf {
    let folder = if client.name == CLAUDE.name { "hooks" } else { PROGRAMS };
    into.join(client.registration.folder).join(folder)
}

/// A catalog as one agent has it.
struct Patient<'p> {
    into: &'p Utf8Path,
    client: &'static Client,
    catalog: &'p str,
}

/// An entry as it is registered.
struct Registered {
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
            number => (true, format!("registered, {number} entries in {}", self.file())),
        });
        findings.push(self.program());
        findings.extend(self.trust());
        if let Some(entry) = entries.first() {
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
            Form::Tables => own_folder("KIMI_CODE_HOME", ".kimi-code").unwrap_or_default().join("config.toml"),
            Form::Flat { own_file: true, .. } | Form::Module => {
                self.into.join(registration.file).join(own_file_name(self.client, self.catalog))
            }
            Form::Executables => self.into.join(registration.file).join("PreToolUse"),
            _ => self.into.join(registration.file),
        }
    }

    fn text(&self) -> String {
        disk::read(&self.file(), LIMIT).ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
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
        let told = |file: &str| {
            disk::read(&own_folder("", file).ok()?, LIMIT).ok().and_then(|bytes| String::from_utf8(bytes).ok())
        };
        match self.client.name {
            "codex" => {
                let config = own_folder("CODEX_HOME", ".codex").ok()?.join("config.toml");
                let config =
                    disk::read(&config, LIMIT).ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default();
                let document: Value = serde_json::from_str(&self.text()).unwrap_or_default();
                let wanted = trusts(self.file().as_str(), &document, |line| is_ours(self.client, self.catalog, line));
                let missing = wanted
                    .iter()
                    .filter(|trust| {
                        !(config.contains(&Value::from(trust.key.as_str()).to_string()) && config.contains(&trust.hash))
                    })
                    .count();
                Some(match missing {
                    0 => (true, "trusted: the hash of each entry is pinned".to_owned()),
                    _ => (
                        false,
                        format!("{missing} entries are not trusted, and are skipped without a word; install it anew"),
                    ),
                })
            }
            "copilot" => {
                let config = told(".copilot/config.json").unwrap_or_default();
                Some(if config.contains(&Value::from(self.into.as_str()).to_string()) {
                    (true, "trusted: the folder is in `trustedFolders`".to_owned())
                } else {
                    (false, "the folder is not in `trustedFolders` of ~/.copilot/config.json, so its hooks are skipped without a word; start the agent here once and trust it".to_owned())
                })
            }
            "gemini" => {
                let config = told(".gemini/trustedFolders.json").unwrap_or_default();
                Some(if config.contains(&Value::from(self.into.as_str()).to_string()) {
                    (true, "trusted: the folder is in trustedFolders.json".to_owned())
                } else {
                    (
                        true,
                        "whether the folder is trusted is not written down; untrusted folders have no hooks".to_owned(),
                    )
                })
            }
            "auggie" => Some((
                true,
                "hooks run only if the service sets `enable_hooks` for the account, which cannot be seen from here"
                    .to_owned(),
            )),
            _ => None,
        }
    }

    /// The entries of the catalog for calls of tools, as the agent reads them.
    fn entries(&self) -> Vec<Registered> {
        let text = self.text();
        let milliseconds = |number: u64| match self.client.registration.unit {
            Unit::Seconds => Duration::from_secs(number),
            Unit::Milliseconds => Duration::from_millis(number),
        };
        let ours = |line: &str| {
            let claude = format!("/.claude/hooks/{}/bin/", self.catalog);
            is_ours(self.client, self.catalog, line) || (self.client.name == CLAUDE.name && line.contains(&claude))
        };
        match self.client.registration.form {
            Form::Tables => {
                let lines = text.lines().filter_map(|line| line.strip_prefix("command = "));
                let lines =
                    lines.filter_map(|value| serde_json::from_str::<String>(value).ok()).filter(|line| ours(line));
                lines.map(|line| Registered { line, arguments: None, timeout: Duration::from_secs(30) }).collect()
            }
            Form::Executables if crate::agents::script::has_lines(&text, self.catalog) => {
                vec![Registered {
                    line: format!("'{}'", self.file()),
                    arguments: None,
                    timeout: Duration::from_secs(30),
                }]
            }
            Form::Executables => Vec::new(),
            Form::Module => of_module(&text).unwrap_or_default(),
            _ => {
                let mut found = Vec::new();
                handlers(&serde_json::from_str(&text).unwrap_or_default(), &mut |handler| {
                    let line = ["command", "bash"].iter().find_map(|key| handler.get(key).and_then(Value::as_str));
                    if let Some(line) = line.filter(|line| ours(line)) {
                        let time =
                            ["timeout", "timeoutSec"].iter().find_map(|key| handler.get(key).and_then(Value::as_u64));
                        let arguments = handler.get("args").and_then(Value::as_array);
                        let arguments = arguments
                            .map(|list| list.iter().filter_map(|one| one.as_str().map(str::to_owned)).collect());
                        found.push(Registered {
                            line: line.to_owned(),
                            arguments,
                            timeout: milliseconds(time.unwrap_or(30)),
                        });
                    }
                });
                found
            }
        }
    }

    /// Runs an entry as the agent would, with a call that no hook minds.
    fn try_out(&self, entry: &Registered) -> (bool, String) {
        match self.answer(entry) {
            Ok((0, took)) if took < entry.timeout => (
                true,
                format!(
                    "answers a test event in {} ms, of {} ms that it has",
                    took.as_millis(),
                    entry.timeout.as_millis()
                ),
            ),
            Ok((0, took)) => (
                false,
                format!("takes {} ms for a test event, and has {} ms", took.as_millis(), entry.timeout.as_millis()),
            ),
            Ok((status, _)) => (false, format!("ends with {status} on a harmless test event")),
            Err(error) => (false, format!("does not run: {error:#}")),
        }
    }

    fn answer(&self, entry: &Registered) -> anyhow::Result<(i32, Duration)> {
        let event = self.client.event("PreToolUse").context("the agent has no event before a tool")?;
        let text = |text: &str| Json::text(text).into_owned();
        let input = vec![("command".into(), text("true"))];
        let fields = vec![
            ("session_id".into(), text("hookgen-doctor")),
            ("cwd".into(), text(self.into.as_str())),
            ("hook_event_name".into(), text("PreToolUse")),
            ("permission_mode".into(), text("default")),
            ("tool_name".into(), text("Bash")),
            ("tool_input".into(), Json::Object(Many::Owned(input))),
        ];
        let native = (self.client.encode)(fields, event).context("the agent has no shell")?;
        let began = Instant::now();
        let mut command = match &entry.arguments {
            Some(arguments) => {
                let mut command = Command::new(entry.line.replace("${CLAUDE_PROJECT_DIR}", self.into.as_str()));
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
        let mut child =
            command.current_dir(self.into).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        if let Some(mut stdin) = child.stdin.take() {
            let _ = stdin.write_all(Json::Object(Many::Owned(native)).to_string().as_bytes());
        }
        let status = child.wait()?;
        Ok((status.code().unwrap_or(-1), began.elapsed()))
    }
}

/// What a module that hookgen wrote starts before a tool.
fn of_module(text: &str) -> Option<Vec<Registered>> {
    let constant = |name: &str| -> Option<Value> {
        let (_, value) = text.split_once(&format!("const {name} = "))?;
        serde_json::from_str(value.split_once(";\n")?.0).ok()
    };
    let (program, events) = (constant("program")?, constant("registered")?);
    let entries = events.get("tool.execute.before")?.as_array()?.iter().filter_map(|entry| {
        let arguments = entry["args"].as_array()?.iter().filter_map(|one| one.as_str().map(str::to_owned)).collect();
        let timeout = Duration::from_millis(entry["timeout"].as_u64()?);
        Some(Registered { line: program.as_str()?.to_owned(), arguments: Some(arguments), timeout })
    });
    Some(entries.collect())
}

/// Every object of a document that names a command.
fn handlers(value: &Value, found: &mut impl FnMut(&Value)) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| handlers(item, found)),
        Value::Object(fields) => {
            if fields.get("command").or(fields.get("bash")).is_some_and(Value::is_string) {
                found(value);
            }
            fields.values().for_each(|field| handlers(field, found));
        }
        _ => {}
    }
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
