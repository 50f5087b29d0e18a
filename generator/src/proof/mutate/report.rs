//! What became of the mutants, for people and for programs.

use std::fmt::{self, Write as _};
use std::ops::Range;

use serde_json::{Value, json};

use super::super::Figures;
use super::{Mutant, TWICE, Trial};
use crate::document::Document;
use crate::findings::{Finding, Level, Place};
use crate::source::Location;

/// What became of a mutant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fate {
    /// A case noticed it.
    Killed { case: String },
    /// Cases reach its place, and none noticed.
    Survived { proposal: Option<String> },
    /// No case reaches its place.
    Unreached,
    /// There was no time.
    Untried,
}

/// A mutant that was tried.
#[derive(Debug, Clone)]
pub(super) struct Tried {
    owner: String,
    what: String,
    at: Location,
    /// The lines as they are, and as they would be.
    diff: (String, String),
    fate: Fate,
}

impl Tried {
    pub(super) fn of(trial: &Trial<'_>, mutant: &Mutant, fate: Fate) -> Self {
        let at = place(trial.document, mutant);
        let owner = trial.atlas.owner(mutant.owner).to_owned();
        // What a definition with parameters says is written nowhere in the text that calls it.
        if mutant.range.as_ref().is_some_and(Range::is_empty) {
            let what = format!("{} in a definition that is called here", mutant.what);
            return Self { owner, what, at, diff: (String::new(), String::new()), fate };
        }
        let diff = diff(&at, mutant);
        Self { owner, what: mutant.what.clone(), at, diff, fate }
    }
}

/// What would be written otherwise: some bytes of a text, a value, or an entry with its key.
fn place(document: &Document, mutant: &Mutant) -> Location {
    let value = document.at(&mutant.pointer);
    match (&mutant.range, &mutant.written) {
        (Some(range), _) if range.is_empty() => value,
        (Some(range), _) => document.inside(&mutant.pointer, range.clone()),
        (None, Some(_)) => value,
        (None, None) => {
            let key = document.key(&mutant.pointer);
            Location::new(&value.source, key.span.start()..value.span.end().max(key.span.end()))
        }
    }
}

/// The lines of the YAML before and after.
fn diff(at: &Location, mutant: &Mutant) -> (String, String) {
    let text = at.source.text();
    let (first, last) = (at.source.line(at.start().line), at.source.line(at.end().line));
    let lines = text.get(first.start..last.end).unwrap_or_default().trim_end();
    let before = text.get(first.start..at.span.start()).unwrap_or_default();
    let behind = text.get(at.span.end()..last.end).unwrap_or_default().trim_end();
    let after = match mutant.written.as_deref() {
        Some(TWICE) => format!("{lines} {TWICE}"),
        Some(written) => format!("{before}{written}{behind}"),
        // An entry on lines of its own goes with them; one of several on a line leaves the others.
        None if before.trim().trim_start_matches('-').trim().is_empty() && behind.trim().is_empty() => String::new(),
        None => {
            let rest = behind.strip_prefix(", ").unwrap_or(behind);
            let before = if rest == behind { before.strip_suffix(", ").unwrap_or(before) } else { before };
            format!("{before}{rest}")
        }
    };
    (lines.to_owned(), after)
}

/// What became of all mutants of a catalog.
#[derive(Debug, Clone)]
pub struct Mutation {
    pub catalog: String,
    tried: Vec<Tried>,
    /// How many there are, if only some of them were chosen.
    chosen_of: Option<usize>,
}

impl Mutation {
    pub(super) fn of(catalog: String, tried: Vec<Tried>, chosen_of: Option<usize>) -> Self {
        Self { catalog, tried, chosen_of }
    }

    /// How many there are, if only some of them were chosen.
    pub fn chosen_of(&self) -> Option<usize> {
        self.chosen_of
    }

    /// How many were noticed, of those for which there was time.
    pub fn score(&self) -> Figures {
        let counted = || self.tried.iter().filter(|tried| tried.fate != Fate::Untried);
        let killed = counted().filter(|tried| matches!(tried.fate, Fate::Killed { .. })).count();
        Figures { seen: killed, all: counted().count() }
    }

    /// How many there was no time for.
    pub fn untried(&self) -> usize {
        self.tried.iter().filter(|tried| tried.fate == Fate::Untried).count()
    }

    fn survivors(&self) -> impl Iterator<Item = &Tried> {
        self.tried.iter().filter(|tried| matches!(tried.fate, Fate::Survived { .. } | Fate::Unreached))
    }

    /// The changes that no case notices.
    pub fn findings(&self) -> Vec<Finding> {
        let finding = |tried: &Tried| Finding {
            rule: "unnoticed-change".to_owned(),
            about: "no case notices when the catalog means something else here".to_owned(),
            level: Level::Warning,
            message: tried.to_string().trim().to_owned(),
            place: Some(Place::from(&tried.at)),
        };
        self.survivors().map(finding).collect()
    }

    /// By hook, as a table in Markdown.
    pub fn markdown(&self) -> String {
        let mut owners: Vec<&str> = Vec::new();
        for tried in &self.tried {
            if !owners.contains(&tried.owner.as_str()) {
                owners.push(&tried.owner);
            }
        }
        owners.sort_unstable();
        let mut text = String::from("| hook | changes noticed |\n|---|---|\n");
        for owner in owners {
            let of = || self.tried.iter().filter(|tried| tried.owner == owner);
            let killed = of().filter(|tried| matches!(tried.fate, Fate::Killed { .. })).count();
            let _ = writeln!(text, "| {owner} | {killed}/{} |", of().count());
        }
        text
    }

    /// For other tools.
    pub fn json(&self) -> Value {
        let survivor = |tried: &Tried| {
            let start = tried.at.start();
            json!({
                "owner": tried.owner, "what": tried.what, "file": tried.at.source.path().as_str(), "line": start.line,
                "column": start.column, "before": tried.diff.0, "after": tried.diff.1,
                "reached": tried.fate != Fate::Unreached, "case": tried.proposal(),
            })
        };
        let score = self.score();
        json!({
            "killed": score.seen, "mutants": score.all, "percent": (score.percent() * 10.0).round() / 10.0,
            "untried": self.untried(), "chosen_of": self.chosen_of, "survivors": self.survivors().map(survivor).collect::<Vec<_>>(),
        })
    }
}

impl Tried {
    fn proposal(&self) -> Option<&str> {
        match &self.fate {
            Fate::Survived { proposal } => proposal.as_deref(),
            _ => None,
        }
    }
}

impl fmt::Display for Tried {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start = self.at.start();
        let seen = if self.fate == Fate::Unreached { "no case gets here" } else { "no case notices" };
        writeln!(
            f,
            "  {}:{}:{}: {} {}: {seen}",
            self.at.source.path(),
            start.line,
            start.column,
            self.owner,
            self.what
        )?;
        self.diff.0.lines().try_for_each(|line| writeln!(f, "    - {line}"))?;
        self.diff.1.lines().try_for_each(|line| writeln!(f, "    + {line}"))?;
        match (self.proposal(), &self.fate) {
            (Some(case), _) => {
                writeln!(f, "    this case would:")?;
                case.lines().try_for_each(|line| writeln!(f, "      {line}"))
            }
            (None, Fate::Survived { .. }) => {
                writeln!(f, "    no event was found that tells the two apart")
            }
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Mutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.survivors().try_for_each(|tried| write!(f, "{tried}"))?;
        let score = self.score();
        write!(f, "  {:.1}% of {} changes to {} noticed", score.percent(), score.all, self.catalog)?;
        if let Some(all) = self.chosen_of() {
            write!(f, ", chosen evenly from {all}")?;
        }
        if self.untried() > 0 {
            write!(f, "; no time for {} more", self.untried())?;
        }
        Ok(())
    }
}
