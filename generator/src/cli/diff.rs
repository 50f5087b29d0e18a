//! `hookgen diff`: what changed between two catalogs, in words for a pull request.

use std::process::{Command, Stdio};

use anyhow::{Context as _, bail};
use camino::{Utf8Path, Utf8PathBuf};
use clap::Args;
use hookgen_runtime::Event;

use super::console::data;
use super::{Finish, current_folder, load, projects};
use crate::lower::{command_hooks, lower};
use crate::model::{Catalog, Hook};
use crate::reason::{Answer, Example, Reader, Rules, Theatre, base};
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
}

pub(super) fn run(args: &DiffArgs) -> anyhow::Result<Finish> {
    let folder = scratch::folder("diff")?;
    let folder = Utf8Path::from_path(folder.path()).context("the folder for temporary files is not UTF-8")?;
    let (old, new) =
        (place(&args.old, &args.new, &folder.join("old"))?, place(&args.new, &args.old, &folder.join("new"))?);
    let (old, new) = (projects(&[old.to_string()])?, projects(&[new.to_string()])?);
    let (old, new) = (load(&old), load(&new));
    if old.iter().chain(&new).any(Loaded::has_errors) {
        return Ok(Finish::Findings);
    }
    let (old, new) = (only(&old)?, only(&new)?);
    let decisions = decisions(old, new)?;
    let hooks = hooks(old, new);
    let mut text = format!("## {}: {} to {}\n", new.name, old.version, new.version);
    for (heading, lines) in [("Decisions", &decisions), ("Hooks", &hooks), ("Settings", &settings(old, new))] {
        if !lines.is_empty() {
            text.push_str(&format!("\n### {heading}\n\n"));
            for line in lines {
                text.push_str(&format!("- {line}\n"));
            }
        }
    }
    if decisions.is_empty() && hooks.is_empty() {
        text.push_str("\nNo event is known that is decided otherwise.\n");
    }
    data(text.trim_end())?;
    Ok(Finish::of(!decisions.is_empty() || !hooks.is_empty()))
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
    let mut archive = git.stdout(Stdio::piped()).spawn().context("`git` cannot be started")?;
    let input = archive.stdout.take().context("`git` says nothing")?;
    let unpacked = Command::new("tar").args(["-x", "-C", folder.as_str()]).stdin(input).status();
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
        let outcomes = scene.decided.into_iter().map(|(place, word, check, reason)| Outcome {
            word: match word {
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

    /// Events that the hooks of this side are about: those of their cases, and one made for each check.
    fn events(&self) -> anyhow::Result<Vec<(&'static Event, Example)>> {
        let whole = lower(self.catalog)?;
        let mut events = Vec::new();
        for (place, hook) in command_hooks(self.catalog).enumerate() {
            let reader = Reader::new(&whole);
            let Some(rules) = Rules::of(&reader, place, hook) else { continue };
            for number in 0..rules.conditions.len() {
                if let Answer::Holds(atoms) = reader.ask(&rules.fires(number)) {
                    events.push((hook.event, Example::made(&reader, &atoms, base(hook))));
                }
            }
            events.extend(Example::of_cases(hook).into_iter().map(|example| (hook.event, example)));
        }
        Ok(events)
    }
}

fn decisions(old: &Catalog, new: &Catalog) -> anyhow::Result<Vec<String>> {
    let (old, new) = (Side::new(old)?, Side::new(new)?);
    let mut events = old.events()?;
    for (event, example) in new.events()? {
        if !events.iter().any(|(known, one)| known.name == event.name && *one == example) {
            events.push((event, example));
        }
    }
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
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
        let by = if now.by.is_empty() { &before.by } else { &now.by };
        let heading = format!("**{kind}** on {} by {by} (was {}, is {})", event.name, before.word, now.word);
        let shown = format!("`{}`", example.shown());
        match found.iter_mut().find(|(known, _)| *known == heading) {
            Some((_, shown_before)) => shown_before.push(shown),
            None => found.push((heading, vec![shown])),
        }
    }
    let line = |(heading, events): (String, Vec<String>)| {
        let more = events.len().saturating_sub(SHOWN);
        let tail = if more == 0 { String::new() } else { format!(" and {more} more") };
        format!("{heading}: {}{tail}", events.into_iter().take(SHOWN).collect::<Vec<_>>().join(", "))
    };
    Ok(found.into_iter().map(line).collect())
}

fn hooks(old: &Catalog, new: &Catalog) -> Vec<String> {
    let mut lines = Vec::new();
    let matcher = |hook: &Hook| hook.matcher.as_ref().map_or("everything", |matcher| matcher.written()).to_owned();
    for hook in &new.hooks {
        let Some(before) = old.hook(&hook.id) else {
            lines.push(format!(
                "{} is new: {} on {} for {}, fails {}",
                hook.id,
                hook.name,
                hook.event.name,
                matcher(hook),
                hook.fail_safe.name()
            ));
            continue;
        };
        let pairs = [
            ("listens on", before.event.name.to_owned(), hook.event.name.to_owned()),
            ("is asked about", matcher(before), matcher(hook)),
            ("fails", before.fail_safe.name().to_owned(), hook.fail_safe.name().to_owned()),
            ("is in mode", format!("{:?}", before.mode).to_lowercase(), format!("{:?}", hook.mode).to_lowercase()),
            (
                "depends on flag",
                before.flag.clone().unwrap_or_else(|| "none".to_owned()),
                hook.flag.clone().unwrap_or_else(|| "none".to_owned()),
            ),
        ];
        lines.extend(
            pairs
                .into_iter()
                .filter(|(_, was, is)| was != is)
                .map(|(what, was, is)| format!("{} {what} {is}, was {was}", hook.id)),
        );
    }
    let gone = old.hooks.iter().filter(|hook| new.hook(&hook.id).is_none());
    lines.extend(gone.map(|hook| format!("{} is gone: {}", hook.id, hook.name)));
    let agents = |catalog: &Catalog| catalog.agents.iter().map(|agent| agent.title).collect::<Vec<_>>().join(", ");
    if agents(old) != agents(new) {
        lines.push(format!("agents: {}, were {}", agents(new), agents(old)));
    }
    lines
}

fn settings(old: &Catalog, new: &Catalog) -> Vec<String> {
    let all = |catalog: &Catalog| -> Vec<(String, String)> {
        let flags = catalog
            .flags
            .iter()
            .map(|flag| (format!("flag `{}`", flag.name), if flag.default { "on" } else { "off" }.to_owned()));
        let choices =
            catalog.choices.iter().map(|choice| (format!("choice `{}`", choice.name), choice.default.clone()));
        let limits =
            catalog.thresholds.iter().map(|limit| (format!("threshold `{}`", limit.name), limit.default.to_string()));
        flags.chain(choices).chain(limits).collect()
    };
    let (before, now) = (all(old), all(new));
    let mut lines = Vec::new();
    for (name, value) in &now {
        match before.iter().find(|(known, _)| known == name) {
            None => lines.push(format!("{name} is new: {value}")),
            Some((_, was)) if was != value => lines.push(format!("{name} is {value}, was {was}")),
            Some(_) => {}
        }
    }
    let gone = before.iter().filter(|(name, _)| !now.iter().any(|(known, _)| known == name));
    lines.extend(gone.map(|(name, _)| format!("{name} is gone")));
    lines
}
