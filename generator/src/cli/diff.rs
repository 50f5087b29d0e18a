//! `hookgen diff`: what changed between two catalogs, in words for a pull request.

mod words;

use std::process::{Command, Stdio};

use anyhow::{Context as _, bail};
use camino::{Utf8Path, Utf8PathBuf};
use clap::Args;
use hookgen_runtime::Event;
use hookgen_runtime::program::Mode;
use serde_json::{Value, json};

use self::words::Version;
use super::console::data;
use super::{Finish, current_folder, load, projects};
use crate::lower::{command_hooks, lower};
use crate::model::{Catalog, Hook};
use crate::reason::{Example, Theatre, events};
use crate::scratch;
use crate::workspace::Loaded;

/// Witnesses of one kind that are shown of each hook.
const SHOWN: usize = 3;

#[derive(Debug, Args)]
pub(super) struct DiffArgs {
    /// A catalog as it was: a file, or a revision of one such as `main:specs/safety.yaml`
    #[arg(value_name = "OLD")]
    old: String,
    /// The catalog as it is: the same; of a revision alone, the file is that of the other
    #[arg(value_name = "NEW")]
    new: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &DiffArgs) -> anyhow::Result<Finish> {
    let folder = scratch::folder_on_disk("diff")?;
    let folder = Utf8Path::from_path(folder.path()).context("the folder for temporary files is not UTF-8")?;
    let (old, new) =
        (place(&args.old, &args.new, &folder.join("old"))?, place(&args.new, &args.old, &folder.join("new"))?);
    let (old, new) = (projects(&[old.to_string()])?, projects(&[new.to_string()])?);
    let (old, new) = (load(&old), load(&new));
    if old.iter().chain(&new).any(Loaded::has_errors) {
        return Ok(Finish::Findings);
    }
    let (old, new) = (version(only(&old)?)?, version(only(&new)?)?);
    let decisions = decisions(&old, &new)?;
    let sections = [
        ("Hooks", words::hooks(old.catalog, new.catalog)),
        ("Checks", words::checks(&old, &new)),
        ("Tables", words::tables(&old.whole.tables, &new.whole.tables)),
        ("Settings", words::settings(old.catalog, new.catalog)),
    ];
    let changed = !decisions.is_empty() || sections.iter().any(|(_, lines)| !lines.is_empty());
    if args.json {
        let mut whole = json!({ "catalog": new.catalog.name, "old": old.catalog.version, "new": new.catalog.version,
            "decisions": decisions.iter().map(Change::as_json).collect::<Vec<_>>() });
        if let Some(fields) = whole.as_object_mut() {
            fields.extend(sections.into_iter().map(|(name, lines)| (name.to_lowercase(), json!(lines))));
        }
        data(serde_json::to_string_pretty(&whole).context("no JSON")?)?;
        return Ok(Finish::of(changed));
    }
    let mut text = format!("## {}: {} to {}\n", new.catalog.name, old.catalog.version, new.catalog.version);
    let first = ("Decisions", decisions.iter().map(Change::in_words).collect());
    for (heading, lines) in std::iter::once(first).chain(sections).filter(|(_, lines)| !lines.is_empty()) {
        text.push_str(&format!("\n### {heading}\n\n"));
        for line in lines {
            text.push_str(&format!("- {line}\n"));
        }
    }
    if decisions.is_empty() {
        text.push_str("\nNo event is known that is decided otherwise.\n");
    }
    data(text.trim_end())?;
    Ok(Finish::of(changed))
}

fn version(catalog: &Catalog) -> anyhow::Result<Version<'_>> {
    Ok(Version { catalog, whole: lower(catalog)? })
}

fn only<'l>(loaded: &'l [Loaded<'_>]) -> anyhow::Result<&'l Catalog> {
    loaded.iter().flat_map(|loaded| &loaded.catalogs).next().context("one of the two holds no catalog")
}

/// The file that is meant: itself, or what a revision had there, with all that it uses.
fn place(which: &str, other: &str, folder: &Utf8Path) -> anyhow::Result<Utf8PathBuf> {
    let here = current_folder()?;
    if here.join(which).exists() {
        return Ok(here.join(which));
    }
    let (revision, file) = match which.split_once(':') {
        Some((revision, file)) => (revision, file),
        None => (which, other.split_once(':').map_or(other, |(_, file)| file)),
    };
    std::fs::create_dir_all(folder).with_context(|| format!("cannot create `{folder}`"))?;
    let top = Utf8Path::new(file).components().next().map(|first| first.to_string()).unwrap_or_default();
    let mut git = Command::new("git");
    git.args(["archive", "--format=tar", revision, "--", &top]).current_dir(&here);
    git.stdout(Stdio::piped()).stderr(Stdio::null());
    let mut archive = git.spawn().context("`git` cannot be started")?;
    let input = archive.stdout.take().context("`git` says nothing")?;
    let mut tar = Command::new("tar");
    let unpacked = tar.args(["-x", "-C", folder.as_str()]).stdin(input).stderr(Stdio::null()).status();
    let archived = archive.wait().context("`git` did not end")?;
    if !archived.success() || !unpacked.context("`tar` cannot be started")?.success() {
        bail!("`{which}` is neither a file nor a revision that has `{file}`");
    }
    Ok(folder.join(file))
}

/// What a catalog makes of an event: the word that weighs most, by whom, and what is said.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Outcome {
    word: &'static str,
    by: String,
    reason: String,
}

/// One side, ready to be asked.
struct Side<'c> {
    catalog: &'c Catalog,
    theatre: Theatre,
}

impl<'c> Side<'c> {
    fn new(catalog: &'c Catalog) -> anyhow::Result<Self> {
        Ok(Self { catalog, theatre: Theatre::new(lower(catalog)?)? })
    }

    fn outcome(&self, event: &'static Event, example: &Example) -> Option<Outcome> {
        let hooks: Vec<(usize, &Hook)> =
            command_hooks(self.catalog).enumerate().filter(|(_, hook)| hook.event.name == event.name).collect();
        let places: Vec<usize> = hooks.iter().map(|(place, _)| *place).collect();
        let passed = Outcome { word: "passed", by: String::new(), reason: String::new() };
        if places.is_empty() {
            return Some(passed);
        }
        let scene = self.theatre.play(event, &places, example)?;
        let weight =
            |word: &str| ["passed", "told", "approved", "asked", "denied"].iter().position(|known| *known == word);
        // What only watches says what it would do, and does nothing.
        let mode = |place: usize| hooks.iter().find(|(known, _)| *known == place).map(|(_, hook)| hook.mode);
        let outcomes = scene.decided.iter().cloned().map(|(place, word, check, reason)| Outcome {
            word: match word {
                _ if mode(place) == Some(Mode::Audit) => "passed",
                _ if mode(place) == Some(Mode::Warn) => "told",
                "DENY" | "BLOCK" | "FAIL_CLOSED" | "FEEDBACK" => "denied",
                "ASK" => "asked",
                "APPROVE" => "approved",
                "ALLOW" | "LOG" | "FAIL_OPEN" | "NOTE" => "passed",
                _ => "told",
            },
            by: hooks
                .iter()
                .find(|(known, _)| *known == place)
                .map(|(_, hook)| {
                    [hook.id.as_str(), check.as_deref().unwrap_or_default()].join(" ").trim_end().to_owned()
                })
                .unwrap_or_default(),
            reason,
        });
        Some(
            outcomes
                .max_by_key(|outcome| weight(outcome.word))
                .filter(|outcome| outcome.word != "passed")
                .unwrap_or(passed),
        )
    }
}

/// Events that both decide, and each otherwise.
struct Change {
    kind: &'static str,
    event: &'static Event,
    by: String,
    was: &'static str,
    is: &'static str,
    examples: Vec<Example>,
}

impl Change {
    fn in_words(&self) -> String {
        let Self { kind, event, by, was, is, examples } = self;
        let shown: Vec<String> = examples.iter().take(SHOWN).map(|example| format!("`{}`", example.shown())).collect();
        let more = examples.len().saturating_sub(SHOWN);
        let tail = if more == 0 { String::new() } else { format!(" and {more} more") };
        format!("**{kind}** on {} by {by} (was {was}, is {is}): {}{tail}", event.name, shown.join(", "))
    }

    fn as_json(&self) -> Value {
        let examples: Vec<_> = self.examples.iter().map(|example| &example.0).collect();
        json!({ "kind": self.kind, "event": self.event.name, "by": self.by, "was": self.was, "is": self.is,
            "examples": examples })
    }
}

fn decisions(old: &Version<'_>, new: &Version<'_>) -> anyhow::Result<Vec<Change>> {
    let mut events = events(old.catalog, &old.whole);
    for (event, example) in self::events(new.catalog, &new.whole) {
        if !events.iter().any(|(known, one)| known.name == event.name && *one == example) {
            events.push((event, example));
        }
    }
    let (old, new) = (Side::new(old.catalog)?, Side::new(new.catalog)?);
    let mut found: Vec<Change> = Vec::new();
    for (event, example) in events {
        let (Some(before), Some(now)) = (old.outcome(event, &example), new.outcome(event, &example)) else { continue };
        if (before.word, &before.reason) == (now.word, &now.reason) {
            continue;
        }
        let kind = match (before.word, now.word) {
            (one, other) if one == other => "other words",
            (_, "denied") => "newly denied",
            ("denied" | "asked", "passed" | "told" | "approved") => "newly allowed",
            _ => "decided otherwise",
        };
        let by = if now.by.is_empty() { before.by } else { now.by };
        let (was, is) = (before.word, now.word);
        let same = |known: &&mut Change| {
            (known.kind, known.event.name, &known.by, known.was, known.is) == (kind, event.name, &by, was, is)
        };
        match found.iter_mut().find(same) {
            Some(change) => change.examples.push(example),
            None => found.push(Change { kind, event, by, was, is, examples: vec![example] }),
        }
    }
    for change in &mut found {
        change.examples.sort_by_key(|example| example.shown().len());
    }
    Ok(found)
}
