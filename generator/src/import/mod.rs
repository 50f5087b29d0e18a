//! Hooks that somebody has already, made into a catalog: what is recognisably a pattern becomes checks with cases, everything
//! else is registered as it was.
//!
//! Nothing of it is run. A script is gone through in every way that it can take (`script`, `commands`, `jq`, `python`), and
//! what it asks of the event on each way is the condition of a check. What is not understood to the last word is left alone:
//! a hook that decides something else than its script would is worse than one that was not imported.

mod commands;
mod draft;
mod examples;
mod grep;
mod hookify;
mod jq;
mod json;
mod outcome;
mod path;
mod python;
mod regex;
mod registration;
mod script;
mod tests_of;
mod value;

pub use draft::{Imported, Row};

use std::fs;

use anyhow::{Context as _, anyhow, bail};
use camino::{Utf8Path, Utf8PathBuf};
use hookgen_runtime::Event;
use hookgen_runtime::client::claude::places::{FOLDER, PLUGIN_ROOT, PROJECT, REGISTRATIONS};

use crate::protocol;
use crate::resolve::read_matcher;
use draft::{Kept, Maker};
use hookify::Rule;
use outcome::Draft;
use path::{Path, Subject};
use registration::{Registration, registrations};
use script::Reader;

/// How the files of hookify's rules are called.
const HOOKIFY: &str = "hookify.";

/// Makes a catalog of what is registered in these files: settings, a plugin's `hooks.json`, rules of hookify, or folders that
/// hold them.
pub fn import(name: &str, files: &[Utf8PathBuf]) -> anyhow::Result<Imported> {
    let mut maker = Maker::new(name);
    for file in expanded(files)? {
        let text = fs::read_to_string(&file).with_context(|| format!("cannot read `{file}`"))?;
        if file.extension() == Some("md") {
            let rule = Rule::parse(&text).map_err(|problem| anyhow!("`{file}` is no rule of hookify: {problem}"))?;
            take_rule(&mut maker, &file, &rule);
            continue;
        }
        let found = registrations(&text).map_err(|problem| anyhow!("`{file}` cannot be read: {problem}"))?;
        for registration in found {
            take(&mut maker, &file, &registration);
        }
    }
    if maker.is_empty() {
        bail!("nothing is registered there");
    }
    Ok(maker.finish())
}

/// The files themselves; of a folder, the settings and rules in it.
fn expanded(files: &[Utf8PathBuf]) -> anyhow::Result<Vec<Utf8PathBuf>> {
    let mut all = Vec::new();
    for file in files {
        if !file.is_dir() {
            all.push(file.clone());
            continue;
        }
        all.extend(REGISTRATIONS.iter().map(|name| file.join(name)).filter(|file| file.is_file()));
        for folder in [file.clone(), file.join(FOLDER)].iter().filter(|folder| folder.is_dir()) {
            let entries = folder.read_dir_utf8().with_context(|| format!("cannot read `{folder}`"))?;
            let mut rules: Vec<Utf8PathBuf> = entries
                .filter_map(Result::ok)
                .filter(|entry| entry.file_name().starts_with(HOOKIFY) && entry.path().extension() == Some("md"))
                .map(|entry| entry.path().to_owned())
                .collect();
            rules.sort();
            all.extend(rules);
        }
    }
    if all.is_empty() {
        bail!("no settings, no `hooks.json` and no rules of hookify are there");
    }
    Ok(all)
}

fn take(maker: &mut Maker, file: &Utf8Path, registration: &Registration) {
    let Some(event) = Event::named(&registration.event) else {
        maker.drop_one(file, registration, &format!("the client has no event `{}`", registration.event));
        return;
    };
    match registration.text("type").unwrap_or("command") {
        "command" => match recognised(file, event, registration) {
            Ok((drafts, asked)) => maker.checks(file, event, registration, &drafts, &asked),
            Err(reason) => maker.keep(file, event, registration, Kept::Program, &reason),
        },
        "prompt" | "agent" => maker.keep(file, event, registration, Kept::Model, "a model decides"),
        "http" => maker.keep(file, event, registration, Kept::Service, "a service decides"),
        "mcp_tool" => maker.keep(file, event, registration, Kept::Tool, "a tool of a server decides"),
        other => maker.drop_one(file, registration, &format!("hookgen knows no type `{other}`")),
    }
}

type Recognised = (Vec<Draft>, Vec<(String, String)>);

/// The checks that a command comes to, or why it is left as it is.
fn recognised(file: &Utf8Path, event: &'static Event, registration: &Registration) -> Result<Recognised, String> {
    if ["async", "asyncRewake"].iter().any(|key| registration.handler.get(*key).is_some_and(|value| value == true)) {
        return Err("it runs in the background".to_owned());
    }
    let command = registration.text("command").ok_or("it has no command")?;
    let matcher = read_matcher(registration.matcher.as_deref(), event).map_err(|(message, _)| message)?;
    let payload = protocol::payload(event, matcher.as_ref());
    let script = |name: &str| read_script(file, name);
    let subject = Subject { payload: &payload, script: &script, asked: std::cell::RefCell::default() };
    let reader = Reader::new(&subject);
    let paths = match registration.handler.get("args").and_then(serde_json::Value::as_array) {
        Some(args) => {
            let words = std::iter::once(command).chain(args.iter().filter_map(serde_json::Value::as_str));
            let words: Vec<_> = words.map(project_text).collect();
            reader.command(&words, Path::new())?
        }
        None => reader.script(command, Path::new())?,
    };
    let drafts = outcome::checks(event, &paths)?;
    if drafts.is_empty() {
        return Err("it decides and says nothing".to_owned());
    }
    Ok((drafts, subject.asked.into_inner()))
}

/// A word of the exec form, in which the client fills in folders.
fn project_text(word: &str) -> value::Text {
    let mut text = value::Text::default();
    let mut rest = word;
    while let Some(place) = rest.find("${") {
        text = text.with(&rest[..place]);
        let Some((name, more)) = rest[place + 2..].split_once('}') else { break };
        text.push(&value::Text::read(value::Read::world(match name {
            PROJECT => "project_dir",
            PLUGIN_ROOT => "plugin_root",
            _ => name,
        })));
        rest = more;
    }
    text.with(rest)
}

/// A script that a command names, if it lies where the settings say.
fn read_script(settings: &Utf8Path, name: &str) -> Option<String> {
    let folder = settings.parent()?;
    let above = folder.parent().unwrap_or(folder);
    let bare =
        name.trim_start_matches("${project_dir}/").trim_start_matches("${plugin_root}/").trim_start_matches("./");
    if bare.contains("${") {
        return None;
    }
    let place = |root: &Utf8Path| fs::read_to_string(root.join(bare)).ok();
    if bare.starts_with('/') {
        return place(Utf8Path::new("/"));
    }
    place(above).or_else(|| place(folder))
}

fn take_rule(maker: &mut Maker, file: &Utf8Path, rule: &Rule) {
    if !rule.enabled {
        maker.note(file, format!("{}: it is switched off", rule.name));
        return;
    }
    for (event, matcher) in rule.places() {
        let registration = Registration { event: event.to_owned(), matcher, handler: serde_json::Map::new() };
        let Some(event) = Event::named(event) else { continue };
        let checked =
            read_matcher(registration.matcher.as_deref(), event).map_err(|(message, _)| message).and_then(|matcher| {
                let payload = protocol::payload(event, matcher.as_ref());
                let subject = Subject { payload: &payload, script: &|_| None, asked: std::cell::RefCell::default() };
                rule.check(event, &subject)
            });
        match checked {
            Ok(draft) => maker.rule(file, event, &registration, &rule.name, &draft),
            Err(reason) => maker.note(file, format!("{} on {}: {reason}", rule.name, event.name)),
        }
    }
}
