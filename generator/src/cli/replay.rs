//! `hookgen replay`: what a catalog or a plugin would decide on recorded events, or what changed from another one.

use std::fs;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, bail};
use camino::{Utf8Path, Utf8PathBuf};
use hookgen_runtime::evaluate::Stage;
use hookgen_runtime::representation::Archive;
use serde_json::{Value, json};

use super::args::{Format, ReplayArgs};
use super::console::{count, data, talk};
use super::progress::Bar;
use super::test::evaluated;
use super::{Finish, current_folder, formats, load, projects};
use crate::cases::replay::{self, By, Cast, Change, Choice, Heard, Played, Tally};
use crate::catalog::Decision;
use crate::findings::{Finding, Level, Place, Test};
use crate::lower::lower;
use crate::parallel;
use crate::report;
use crate::scratch;
use crate::workspace::Loaded;

/// Characters of a command or a reason that are shown.
const LONGEST: usize = 120;

/// Changes of one kind that are shown to a person.
const SHOWN: usize = 20;

pub(super) fn run(args: &ReplayArgs) -> anyhow::Result<Finish> {
    let folder = scratch::folder_on_disk("replay")?;
    let folder = Utf8Path::from_path(folder.path()).context("the folder for temporary files is not UTF-8")?;
    let Some(now) = cast(&args.plugin, &folder.join("now"))? else { return Ok(Finish::Findings) };
    let before = match &args.against {
        Some(other) => match cast(other, &folder.join("before"))? {
            Some(before) => Some(before),
            None => return Ok(Finish::Findings),
        },
        None => None,
    };
    let tally = play(args, &now, before.as_ref())?;
    if tally.events == 0 {
        bail!("nothing to play: no event that counts is in {}", count(args.files.len(), "file"));
    }
    if let Some(file) = &args.html {
        let name = Utf8Path::new(&args.plugin).file_stem().unwrap_or(&args.plugin);
        let rows: Vec<Value> = tally.kept.iter().map(|heard| trail(name, heard)).collect();
        fs::write(file, report::page(&rows, "hookgen replay")?).with_context(|| format!("cannot write `{file}`"))?;
        talk(format!("wrote {file}"));
    }
    match Format::chosen(args.format, args.json) {
        Format::Human => in_words(&tally, before.is_some())?,
        Format::Json => {
            data(serde_json::to_string_pretty(&as_json(&tally)).context("cannot write the rows as JSON")?)?;
        }
        format => {
            let findings: Vec<Finding> = tally.kept.iter().map(finding).collect();
            formats::text(format, &findings, || tests(&tally))?.map(data).transpose()?;
            talk(summary(&tally));
        }
    }
    Ok(Finish::of(!tally.changes.is_empty()))
}

/// A catalog by its name or file, or a plugin by its folder; `None` if the catalog has errors, which were shown.
fn cast(which: &str, folder: &Utf8Path) -> anyhow::Result<Option<Cast>> {
    let place = current_folder()?.join(which);
    if place.join("hooks/hooks.json").is_file() {
        return Cast::plugin(place).map(Some);
    }
    let projects = projects(&[which.to_owned()])
        .with_context(|| format!("`{which}` is neither the folder of a plugin nor a catalog"))?;
    let loaded = load(&projects);
    if loaded.iter().any(Loaded::has_errors) {
        return Ok(None);
    }
    let Some((loaded, catalog)) = loaded.iter().find_map(|loaded| Some((loaded, loaded.catalogs.first()?))) else {
        bail!("`{which}` holds no catalog");
    };
    let plugin = evaluated(loaded, folder)?.into_iter().next().context("the catalog has no plugin")?;
    // Calls refer to their catalog as long as the process lives.
    let archive: &'static Archive = Box::leak(Box::new(Archive::of(lower(catalog)?)));
    Cast::catalog(plugin, Stage::new(archive, None)).map(Some)
}

fn play(args: &ReplayArgs, now: &Cast, before: Option<&Cast>) -> anyhow::Result<Tally> {
    let mut files = Vec::new();
    for place in &args.files {
        recordings(place, &mut files)?;
    }
    let size: u64 = files.iter().filter_map(|file| Some(fs::metadata(file).ok()?.len())).sum();
    let all = usize::try_from(size / 1024).unwrap_or(usize::MAX);
    let jobs = args.jobs.unwrap_or_else(parallel::cores);
    let choice =
        Choice { client: args.agent, since: args.since.clone(), project: args.project.clone(), part: args.part };
    let (read, over) = (AtomicUsize::new(0), AtomicBool::new(false));
    let mut tally = Tally::default();
    let broken = thread::scope(|scope| {
        scope.spawn(|| {
            let bar = Bar::start("playing, in KiB", all);
            while !over.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(100));
                bar.at(read.load(Ordering::Relaxed));
            }
        });
        let broken = replay::play((now, before), &files, &choice, jobs, &read, &mut |heard| tally.add(heard));
        over.store(true, Ordering::Relaxed);
        broken
    })?;
    if broken > 0 {
        talk(format!("left out {}, which {} no JSON", count(broken, "line"), if broken == 1 { "is" } else { "are" }));
    }
    tally.sort();
    Ok(tally)
}

/// A file, or all recordings of a folder.
fn recordings(place: &Utf8Path, files: &mut Vec<Utf8PathBuf>) -> anyhow::Result<()> {
    if !place.is_dir() {
        files.push(place.to_owned());
        return Ok(());
    }
    let entries = place.read_dir_utf8().with_context(|| format!("cannot list `{place}`"))?;
    let mut below: Vec<Utf8PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.into_path())).collect();
    below.sort();
    for path in below {
        let is_recording = path.extension().is_some_and(|kind| matches!(kind, "json" | "jsonl"));
        if path.is_dir() || is_recording {
            recordings(&path, files)?;
        }
    }
    Ok(())
}

fn in_words(tally: &Tally, compared: bool) -> anyhow::Result<()> {
    if compared {
        for change in [Change::NewlyDenied, Change::NewlyAllowed, Change::Otherwise, Change::OtherWords] {
            let Some(number) = tally.changes.get(&change) else { continue };
            data(format!("{}: {number}", change.name()))?;
            let of = |heard: &&Heard| {
                heard.before.as_ref().and_then(|before| Change::between(before, &heard.now)) == Some(change)
            };
            tally.kept.iter().filter(of).take(SHOWN).try_for_each(|heard| data(indented(&as_line(heard))))?;
            if *number > SHOWN {
                data(format!("  and {} more", number - SHOWN))?;
            }
        }
        return data(summary(tally));
    }
    for ((by, word), counted) in &tally.by {
        data(format!("{}  {word}  {}", name(by), counted.count))?;
        for (place, about) in &counted.examples {
            data(format!("    {place}  {}", short(about)))?;
        }
    }
    // Of a plugin that leaves no trail, there is nothing but its words.
    let unnamed = tally.kept.iter().filter(|heard| heard.now.told.is_empty() || heard.now.fault.is_some());
    unnamed.take(SHOWN).try_for_each(|heard| data(as_line(heard)))?;
    data(summary(tally))
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n")
}

fn as_line(heard: &Heard) -> String {
    let (event, now) = (&heard.event, &heard.now);
    let decision = match &heard.before {
        Some(before) => format!("{} -> {}", outcome(before), outcome(now)),
        None => outcome(now),
    };
    let subject = event.subject().unwrap_or(event.event.name);
    let mut line = format!("{decision}  {}  {subject}  {}", event.place, short(&event.about()));
    let by: Vec<String> = now.by.iter().map(name).collect();
    let by = (!by.is_empty()).then(|| format!("by {}", by.join(", ")));
    let updated = now.updated.as_ref().map(|input| format!("with {input}"));
    let reason = Some(now.reason.clone()).filter(|reason| !reason.is_empty());
    let reworded =
        heard.before.as_ref().filter(|before| before.decision == now.decision && before.reason != now.reason);
    let was = reworded.map(|before| format!("was: {}", before.reason));
    for said in by.into_iter().chain(updated).chain(reason).chain(was).chain(now.fault.clone()) {
        line.push_str("\n    ");
        line.push_str(&short(&said));
    }
    line
}

/// What another plugin would have decided otherwise is an error, any other decision worth a note.
fn finding(heard: &Heard) -> Finding {
    let (rule, about, level) = match heard.before {
        Some(_) => ("changed-decision", "the two decide or speak otherwise", Level::Error),
        None => ("decision", "this does not simply pass", Level::Note),
    };
    // A place is a file and a line.
    let place = heard.event.place.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?)));
    let place = place.map(|(file, line)| Place { line, end_line: line, ..Place::file(file) });
    Finding { rule: rule.to_owned(), about: about.to_owned(), level, message: as_line(heard), place }
}

/// One for each event that is told; only a decision that is another one than before is a failure.
fn tests(tally: &Tally) -> Vec<Test> {
    let of = |heard: &Heard| Test {
        suite: "replay".to_owned(),
        class: heard.event.subject().unwrap_or(heard.event.event.name).to_owned(),
        name: heard.event.place.clone(),
        failure: if heard.before.is_some() { as_line(heard) } else { String::new() },
        ..Test::default()
    };
    tally.kept.iter().map(of).collect()
}

fn as_json(tally: &Tally) -> Value {
    let by: Vec<Value> = tally
        .by
        .iter()
        .map(|((by, word), counted)| {
            let examples: Vec<Value> =
                counted.examples.iter().map(|(place, about)| json!({ "place": place, "about": about })).collect();
            json!({ "hook": by.hook, "check": by.check, "decision": word, "count": counted.count, "examples": examples })
        })
        .collect();
    let changes: serde_json::Map<String, Value> =
        tally.changes.iter().map(|(change, number)| (change.name().replace(' ', "_"), (*number).into())).collect();
    json!({
        "events": tally.events, "passed": tally.passed, "allowed": tally.allowed, "asked": tally.asked,
        "denied": tally.denied, "rewritten": tally.rewritten, "told": tally.told, "dropped": tally.faults,
        "by": by, "changes": changes, "rows": tally.kept.iter().map(row).collect::<Vec<_>>(), "left_out": tally.left_out,
    })
}

fn row(heard: &Heard) -> Value {
    let (event, now) = (&heard.event, &heard.now);
    let mut row = json!({
        "place": event.place,
        "event": event.event.name,
        "subject": event.subject(),
        "about": event.about(),
        "decision": word(now.decision),
        "by": now.by,
        "reason": now.reason,
    });
    if let Some(row) = row.as_object_mut() {
        row.extend(now.updated.clone().map(|input| ("updated".to_owned(), input)));
        row.extend(now.fault.as_ref().map(|fault| ("fault".to_owned(), fault.as_str().into())));
        if let Some(before) = &heard.before {
            row.insert("before".to_owned(), word(before.decision).into());
            row.insert("change".to_owned(), Change::between(before, now).map(Change::name).into());
        }
    }
    row
}

/// As a line of an audit trail, which the page for the browser is made of.
fn trail(catalog: &str, heard: &Heard) -> Value {
    let by = heard.now.by.first().or_else(|| heard.now.told.first().map(|(by, _)| by));
    let was = heard.before.as_ref().map(|before| format!("was {}: ", outcome(before))).unwrap_or_default();
    let decision = match heard.now.decision {
        Decision::Deny => "DENY",
        Decision::Ask => "ASK",
        Decision::Allow => "APPROVE",
        Decision::Pass if heard.now.updated.is_some() => "REWRITE",
        Decision::Pass => heard.now.told.first().map_or("ALLOW", |(_, word)| word.as_str()),
    };
    json!({
        "time": heard.event.time, "catalog": catalog, "hook": by.map(|by| &by.hook), "check": by.and_then(|by| by.check.as_ref()),
        "event": heard.event.event.name, "tool": heard.event.subject(), "input": heard.event.input(),
        "decision": decision, "reason": format!("{was}{}", heard.now.reason), "project": heard.event.folder(),
    })
}

fn summary(tally: &Tally) -> String {
    let decided = [
        (tally.passed, Decision::Pass),
        (tally.allowed, Decision::Allow),
        (tally.asked, Decision::Ask),
        (tally.denied, Decision::Deny),
    ];
    let parts = decided.map(|(number, decision)| format!("{number} {}", word(decision)));
    let dropped =
        if tally.faults == 0 { String::new() } else { format!("; the client drops the reply to {}", tally.faults) };
    let changed: usize = tally.changes.values().sum();
    let otherwise = if changed == 0 { String::new() } else { format!("; {changed} changed") };
    format!(
        "{}: {}; {} rewritten, {} told{dropped}{otherwise}",
        count(tally.events, "event"),
        parts.join(", "),
        tally.rewritten,
        tally.told
    )
}

fn outcome(played: &Played) -> String {
    let rewritten = if played.updated.is_some() { ", rewritten" } else { "" };
    format!("{}{rewritten}", word(played.decision))
}

fn name(by: &By) -> String {
    by.check.as_ref().map_or_else(|| by.hook.clone(), |check| format!("{} {check}", by.hook))
}

fn word(decision: Decision) -> &'static str {
    match decision {
        Decision::Pass => "passed",
        Decision::Allow => "allowed",
        Decision::Ask => "asked",
        Decision::Deny => "denied",
    }
}

/// The beginning of a text, in one line.
fn short(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}\u{2026}", line.get(..end).unwrap_or_default()),
        None => line,
    }
}
