//! How much of a catalog its cases have seen: conditions both ways, effects, rows of tables, failure modes.

use std::fmt::{self, Write as _};

use serde_json::{Value, json};

use super::atlas::{Atlas, Kind, Owner, Spot};
use super::seen::Seen;
use crate::cases::Outcome;
use crate::document::{Document, Pointer};
use crate::findings::{Finding, Level, Place};
use crate::lower::command_hooks;
use crate::model::Catalog;
use crate::source::Location;

/// How many of some things were seen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Figures {
    pub seen: usize,
    pub all: usize,
}

impl Figures {
    fn count(&mut self, seen: bool) {
        self.all += 1;
        self.seen += usize::from(seen);
    }

    /// In hundredths; of nothing, all was seen.
    pub fn percent(self) -> f64 {
        if self.all == 0 {
            return 100.0;
        }
        #[expect(clippy::cast_precision_loss, reason = "no catalog has that many spots")]
        let share = self.seen as f64 / self.all as f64;
        share * 100.0
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.seen, self.all)
    }
}

/// What was seen of one hook, or of what hooks share.
#[derive(Debug, Clone, Default)]
pub struct Row {
    pub owner: String,
    pub conditions: Figures,
    pub effects: Figures,
    pub rows: Figures,
    pub failure_modes: Figures,
}

/// A spot that was not seen as it should be.
#[derive(Debug, Clone)]
pub struct Uncovered {
    pub owner: String,
    pub at: Location,
    pub what: String,
    /// Whether a check was never seen doing what it is for.
    pub decides: bool,
}

impl From<&Uncovered> for Finding {
    fn from(spot: &Uncovered) -> Self {
        Self {
            rule: "uncovered".to_owned(),
            about: "no case has seen this as it should be seen".to_owned(),
            level: if spot.decides { Level::Error } else { Level::Note },
            message: format!("{} {}", spot.owner, spot.what),
            place: Some(Place::from(&spot.at)),
        }
    }
}

/// What the cases of one catalog have seen of it.
#[derive(Debug, Clone)]
pub struct Coverage {
    pub catalog: String,
    pub rows: Vec<Row>,
    pub uncovered: Vec<Uncovered>,
}

impl Coverage {
    /// Adds up what the outcomes have on record.
    pub fn of(catalog: &Catalog, atlas: &Atlas, document: &Document, outcomes: &[Outcome]) -> Self {
        let mut seen = Seen::default();
        for outcome in outcomes {
            seen.add(&outcome.seen);
        }
        let owners = std::iter::once(Owner::Shared).chain((0..atlas.hooks.len()).map(Owner::Hook));
        let mut rows: Vec<(Owner, Row)> =
            owners.map(|owner| (owner, Row { owner: atlas.owner(owner).to_owned(), ..Row::default() })).collect();
        let mut uncovered = Vec::new();
        for (number, spot) in atlas.spots.iter().enumerate() {
            let Some((_, row)) = rows.iter_mut().find(|(owner, _)| *owner == spot.owner) else { continue };
            let missing = missing(&seen, number, spot.kind);
            match spot.kind {
                Kind::Condition => row.conditions.count(missing.is_none()),
                Kind::Effect => row.effects.count(missing.is_none()),
                Kind::Row => row.rows.count(missing.is_none()),
                Kind::Part => {}
            }
            if let Some(missing) = missing {
                let shown = if spot.kind == Kind::Effect { spot.shown.clone() } else { one_line(&spot.shown) };
                let what = format!("{shown} {missing}");
                let (owner, at) = (row.owner.clone(), location(document, spot));
                uncovered.push(Uncovered { owner, at, what, decides: spot.decides });
            }
        }
        failure_modes(catalog, document, outcomes, &mut rows, &mut uncovered);
        let rows = rows.into_iter().map(|(_, row)| row).filter(Row::is_filled).collect();
        uncovered.sort_by_key(|spot| spot.at.span);
        Self { catalog: catalog.name.clone(), rows, uncovered }
    }

    /// All conditions.
    pub fn conditions(&self) -> Figures {
        self.sum(|row| row.conditions)
    }

    fn sum(&self, of: impl Fn(&Row) -> Figures) -> Figures {
        self.rows
            .iter()
            .map(of)
            .fold(Figures::default(), |sum, more| Figures { seen: sum.seen + more.seen, all: sum.all + more.all })
    }

    /// For other tools.
    pub fn json(&self) -> Value {
        let figures = |figures: Figures| json!({ "seen": figures.seen, "all": figures.all });
        let row = |row: &Row| {
            json!({
                "owner": row.owner, "conditions": figures(row.conditions), "effects": figures(row.effects),
                "rows": figures(row.rows), "failure_modes": figures(row.failure_modes),
            })
        };
        let spot = |spot: &Uncovered| {
            let start = spot.at.start();
            json!({
                "owner": spot.owner, "what": spot.what, "file": spot.at.source.path().as_str(), "line": start.line,
                "column": start.column,
            })
        };
        json!({
            "catalog": self.catalog,
            "conditions": figures(self.conditions()),
            "percent": (self.conditions().percent() * 10.0).round() / 10.0,
            "hooks": self.rows.iter().map(row).collect::<Vec<_>>(),
            "uncovered": self.uncovered.iter().map(spot).collect::<Vec<_>>(),
        })
    }

    /// The rows as a table in Markdown.
    pub fn markdown(&self) -> String {
        let mut text = String::from("| hook | conditions | effects | rows | failure modes |\n|---|---|---|---|---|\n");
        for row in &self.rows {
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} | {} |",
                row.owner, row.conditions, row.effects, row.rows, row.failure_modes
            );
        }
        text
    }
}

impl Row {
    fn is_filled(&self) -> bool {
        [self.conditions, self.effects, self.rows, self.failure_modes].iter().any(|figures| figures.all > 0)
    }
}

/// What is missing of a spot, in words that follow its text.
fn missing(seen: &Seen, number: usize, kind: Kind) -> Option<&'static str> {
    let (held, failed) = (seen.held.has(number), seen.failed_to_hold.has(number));
    match kind {
        Kind::Condition => match (held, failed) {
            (true, true) => None,
            (true, false) => Some("was never false"),
            (false, true) => Some("was never true"),
            (false, false) => Some("was never asked"),
        },
        Kind::Effect => (!held).then_some("never happened"),
        Kind::Row => (!held).then_some("never made a difference"),
        Kind::Part => None,
    }
}

fn failure_modes(
    catalog: &Catalog,
    document: &Document,
    outcomes: &[Outcome],
    rows: &mut [(Owner, Row)],
    uncovered: &mut Vec<Uncovered>,
) {
    for (place, hook) in command_hooks(catalog).enumerate() {
        let Some((_, row)) = rows.iter_mut().find(|(owner, _)| *owner == Owner::Hook(place)) else { continue };
        let position = catalog.hooks.iter().position(|one| one.id == hook.id).unwrap_or_default();
        for (number, mode) in hook.failure_modes.iter().enumerate() {
            let shows = |outcome: &&Outcome| outcome.hook == hook.id && Some(&outcome.case) == mode.case.as_ref();
            let seen = outcomes.iter().find(shows).is_some_and(Outcome::passed);
            row.failure_modes.count(seen);
            if !seen {
                let at = Pointer::root().key("hooks").index(position).key("failure_modes").index(number);
                let what = format!("failure mode {} is shown by no case", one_line(&mode.when));
                let (owner, at) = (row.owner.clone(), document.grip(&at));
                uncovered.push(Uncovered { owner, at, what, decides: false });
            }
        }
    }
}

/// Where a spot is written.
pub(super) fn location(document: &Document, spot: &Spot) -> Location {
    match &spot.range {
        Some(range) => document.inside(&spot.pointer, range.clone()),
        None => document.key(&spot.pointer),
    }
}

/// A text in one line, not too long.
pub(super) fn one_line(text: &str) -> String {
    const MOST: usize = 80;
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.chars().count() <= MOST {
        format!("`{text}`")
    } else {
        format!("`{}…`", text.chars().take(MOST).collect::<String>())
    }
}

/// A table per hook, and then every spot that is missing something.
impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.rows.iter().map(|row| row.owner.len()).max().unwrap_or_default().max(4);
        writeln!(f, "{}", self.catalog)?;
        writeln!(f, "  {:width$}  conditions  effects     rows  failure modes", "hook")?;
        for row in &self.rows {
            let Row { owner, conditions, effects, rows, failure_modes } = row;
            let cell = |figures: &Figures| if figures.all == 0 { "-".to_owned() } else { figures.to_string() };
            writeln!(
                f,
                "  {owner:width$}  {:>10}  {:>7}  {:>7}  {:>13}",
                cell(conditions),
                cell(effects),
                cell(rows),
                cell(failure_modes)
            )?;
        }
        for spot in &self.uncovered {
            let start = spot.at.start();
            writeln!(f, "  {}:{}:{}: {} {}", spot.at.source.path(), start.line, start.column, spot.owner, spot.what)?;
        }
        let conditions = self.conditions();
        write!(f, "  {:.1}% of {} conditions seen both ways", conditions.percent(), conditions.all)
    }
}
