//! `hookgen replay`: what a plugin would decide on recorded events, or where two plugins differ.

use std::num::NonZeroUsize;
use std::thread;

use anyhow::{Context as _, bail};
use serde_json::{Value, json};

use super::args::{Format, ReplayArgs};
use super::console::{count, data, talk};
use super::progress::Progress;
use super::{Finish, current_folder, formats};
use crate::cases::replay::{self, By, Played, Recorded};
use crate::catalog::Decision;
use crate::findings::{Finding, Level, Place, Test};

/// Characters of a command or a reason that are shown.
const LONGEST: usize = 120;

pub(super) fn run(args: &ReplayArgs) -> anyhow::Result<Finish> {
    let events = recorded(args)?;
    let here = current_folder()?;
    let jobs = args.jobs.or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN);
    let progress = Progress::start(format!("playing {}", count(events.len(), "event")));
    let now = replay::play(&here.join(&args.plugin), &events, jobs)?;
    let before = match &args.against {
        Some(other) => Some(replay::play(&here.join(other), &events, jobs)?),
        None => None,
    };
    drop(progress);
    let rows: Vec<Row<'_>> = events
        .iter()
        .zip(&now)
        .enumerate()
        .map(|(at, (event, now))| Row { event, now, before: before.as_ref().and_then(|before| before.get(at)) })
        .collect();
    let shown: Vec<&Row<'_>> = rows.iter().filter(|row| row.is_told()).collect();
    let summary = summary(&now, before.as_ref().map(|_| shown.len()));
    match Format::chosen(args.format, args.json) {
        Format::Human => {
            shown.iter().try_for_each(|row| data(row.as_line()))?;
            data(summary)?;
        }
        Format::Json => {
            let rows: Vec<Value> = shown.iter().map(|row| row.as_json()).collect();
            data(serde_json::to_string_pretty(&rows).context("cannot write the rows as JSON")?)?;
        }
        format => {
            let findings: Vec<Finding> = shown.iter().map(|row| row.finding()).collect();
            formats::text(format, &findings, || rows.iter().map(Row::test).collect())?.map(data).transpose()?;
            talk(summary);
        }
    }
    Ok(Finish::of(before.is_some() && !shown.is_empty()))
}

fn recorded(args: &ReplayArgs) -> anyhow::Result<Vec<Recorded>> {
    let mut events = Vec::new();
    for file in &args.files {
        let bytes = std::fs::read(file).with_context(|| format!("cannot read `{file}`"))?;
        let (found, broken) = replay::read(file, &String::from_utf8_lossy(&bytes), args.agent);
        if broken > 0 {
            talk(format!("{file}: left out {}, which {} no JSON", count(broken, "line"), are(broken)));
        }
        events.extend(found);
    }
    if events.is_empty() {
        bail!("nothing to play: no payload of a hook and no call of a tool is in {}", count(args.files.len(), "file"));
    }
    Ok(events)
}

/// An event with what becomes of it.
#[derive(Debug)]
struct Row<'r> {
    event: &'r Recorded,
    now: &'r Played,
    /// What the other plugin decides, where there is one.
    before: Option<&'r Played>,
}

impl Row<'_> {
    /// Differences, or without another plugin whatever does not simply pass.
    fn is_told(&self) -> bool {
        match self.before {
            Some(before) => before.decision != self.now.decision || before.updated != self.now.updated,
            None => self.now.decision != Decision::Pass || self.now.updated.is_some() || self.now.fault.is_some(),
        }
    }

    fn as_line(&self) -> String {
        let decision = match self.before {
            Some(before) => format!("{} -> {}", outcome(before), outcome(self.now)),
            None => outcome(self.now),
        };
        let subject = self.event.subject().unwrap_or(self.event.event.name);
        let mut line = format!("{decision}  {}  {subject}  {}", self.event.place, short(&self.event.about()));
        let by: Vec<String> = self.now.by.iter().map(name).collect();
        let by = (!by.is_empty()).then(|| format!("by {}", by.join(", ")));
        let updated = self.now.updated.as_ref().map(|input| format!("with {input}"));
        let reason = Some(self.now.reason.clone()).filter(|reason| !reason.is_empty());
        for said in by.into_iter().chain(updated).chain(reason).chain(self.now.fault.clone()) {
            line.push_str("\n    ");
            line.push_str(&short(&said));
        }
        line
    }

    /// What another plugin would have decided otherwise is an error, any other decision worth a note.
    fn finding(&self) -> Finding {
        let (rule, about, level) = match self.before {
            Some(_) => ("changed-decision", "the two plugins decide otherwise", Level::Error),
            None => ("decision", "the plugin does not simply let this pass", Level::Note),
        };
        // A place is a file and a line.
        let place = self.event.place.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?)));
        let place = place.map(|(file, line)| Place { line, end_line: line, ..Place::file(file) });
        Finding { rule: rule.to_owned(), about: about.to_owned(), level, message: self.as_line(), place }
    }

    /// Only a decision that is another one than before is a failure.
    fn test(&self) -> Test {
        Test {
            suite: "replay".to_owned(),
            class: self.event.subject().unwrap_or(self.event.event.name).to_owned(),
            name: self.event.place.clone(),
            failure: if self.before.is_some() && self.is_told() { self.as_line() } else { String::new() },
            ..Test::default()
        }
    }

    fn as_json(&self) -> Value {
        let mut row = json!({
            "place": self.event.place,
            "event": self.event.event.name,
            "subject": self.event.subject(),
            "about": self.event.about(),
            "decision": word(self.now.decision),
            "by": self.now.by,
            "reason": self.now.reason,
        });
        if let Some(row) = row.as_object_mut() {
            row.extend(self.now.updated.clone().map(|input| ("updated".to_owned(), input)));
            row.extend(self.now.fault.as_ref().map(|fault| ("fault".to_owned(), fault.as_str().into())));
            row.extend(self.before.map(|before| ("before".to_owned(), word(before.decision).into())));
        }
        row
    }
}

fn summary(played: &[Played], differences: Option<usize>) -> String {
    let of = |decision: Decision| played.iter().filter(|played| played.decision == decision).count();
    let all = [Decision::Pass, Decision::Allow, Decision::Ask, Decision::Deny];
    let parts = all.map(|decision| format!("{} {}", of(decision), word(decision)));
    let faults = played.iter().filter(|played| played.fault.is_some()).count();
    let rewritten = played.iter().filter(|played| played.updated.is_some()).count();
    let dropped = if faults == 0 { String::new() } else { format!("; the client drops the reply to {faults}") };
    let otherwise = differences.map(|number| format!("; {number} decided otherwise")).unwrap_or_default();
    format!("{}: {}; {rewritten} rewritten{dropped}{otherwise}", count(played.len(), "event"), parts.join(", "))
}

fn are(number: usize) -> &'static str {
    if number == 1 { "is" } else { "are" }
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
