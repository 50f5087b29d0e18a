//! Would the cases notice if the catalog meant something else?
//!
//! The representation is changed in one place at a time, never the YAML. Each such mutant plays the cases that reach its
//! place, and one of them should fall short. A mutant that none of them notices shows what no case is about.

mod expression;
mod pattern;
mod report;
mod run;
mod site;
mod structure;
mod table;
mod tree;
mod witness;

use std::ops::Range;

use hookgen_runtime::representation::{Archive, Expr, Patch};

pub use report::Mutation;

use super::atlas::{Atlas, Kind, Owner, hook_pointer};
use super::recorder::{Instead, Thing};
use crate::cases::{Outcome, Player, Suite};
use crate::document::{Document, Pointer};
use crate::model::{Catalog, Hook, Kind as HookKind};
use pattern::Patterns;
use site::{Site, Sited};
pub(crate) use tree::bare;
use tree::{replaced, shape, ways};

/// A catalog with its cases, and what came of them.
pub struct Trial<'t> {
    pub outline: Outline,
    pub archive: &'static Archive,
    pub atlas: &'t Atlas,
    pub document: &'t Document,
    pub suite: &'t Suite,
    pub player: &'t Player,
    /// One for each case of the suite.
    pub outcomes: &'t [Outcome],
}

/// What is written behind something that would be done twice.
const TWICE: &str = "# twice";

/// The few names of a catalog that mutants are told by.
#[derive(Debug)]
pub struct Outline {
    name: String,
    /// Ids of all hooks, with the names of their cases.
    hooks: Vec<(String, Vec<String>)>,
    /// Positions of the command hooks among them, by their places in the representation.
    positions: Vec<usize>,
    thresholds: Vec<String>,
}

impl From<&Catalog> for Outline {
    fn from(catalog: &Catalog) -> Self {
        let cases = |hook: &Hook| hook.cases.iter().map(|case| case.name.clone()).collect();
        let commands = catalog.hooks.iter().enumerate().filter(|(_, hook)| hook.kind == HookKind::Command);
        Self {
            name: catalog.name.clone(),
            hooks: catalog.hooks.iter().map(|hook| (hook.id.clone(), cases(hook))).collect(),
            positions: commands.map(|(position, _)| position).collect(),
            thresholds: catalog.thresholds.iter().map(|threshold| threshold.name.clone()).collect(),
        }
    }
}

impl Outline {
    /// Where the command hook at that place of the representation is written.
    fn pointer(&self, place: usize) -> Pointer {
        hook_pointer(self.positions.get(place).copied().unwrap_or_default())
    }
}

/// A change of the catalog's meaning.
pub struct Mutant {
    pub(super) owner: Owner,
    /// The change in a few words.
    pub(super) what: String,
    /// Where it would be written.
    pub(super) pointer: Pointer,
    /// The bytes of the text there that would be written otherwise; the whole entry if there are none.
    pub(super) range: Option<Range<usize>>,
    /// What would be written instead; nothing if it would be left out.
    pub(super) written: Option<String>,
    reach: Reach,
    /// What would stand elsewhere: of the cases that it reaches, only those can notice it in which something of this comes
    /// to another value. All can if there is nothing.
    instead: Vec<Instead>,
    /// The spot that must have held in a case that notices it.
    must_hold: Option<usize>,
    /// Of the body of a definition with parameters, which stands wherever it is called: what all of those changes share.
    /// To the catalog they are one, and noticed if one of them is.
    body: Option<String>,
    /// A text that a case which notices the change is likely to hold.
    hint: String,
    make: Box<dyn Fn() -> Option<Patch> + Send + Sync>,
}

/// The changes of a catalog.
pub struct Mutants {
    /// The catalog that they change: that of the trial, with all that one of them needs.
    archive: &'static Archive,
    list: Vec<Mutant>,
    /// How many there were before some were chosen.
    all: usize,
}

impl Mutants {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// So many of them at most, spread evenly: the same ones each time.
    #[must_use]
    pub fn sample(mut self, most: usize) -> Self {
        let all = self.list.len();
        if most < all {
            let chosen = |place: usize| place * most / all != (place + 1) * most / all;
            self.list =
                self.list.into_iter().enumerate().filter(|(place, _)| chosen(*place)).map(|(_, one)| one).collect();
        }
        self
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

/// Which cases may notice a mutant.
enum Reach {
    /// Those that reach one of these spots.
    Spots(Vec<usize>),
    /// Those of the hook at that place.
    Hook(usize),
}

impl Trial<'_> {
    /// Every change of the catalog, or of one hook.
    pub fn mutants(&self, hook: Option<&str>) -> anyhow::Result<Mutants> {
        let mut mutants = self.structure()?;
        let mut patterns = Patterns::of(self.archive);
        for sited in site::sites(&self.outline, self.archive, self.document)? {
            mutants.extend(self.expressions(&sited, &mut patterns));
        }
        if let Some(id) = hook {
            let place = self.atlas.hooks.iter().position(|known| known == id);
            let place = place.ok_or_else(|| anyhow::anyhow!("no command hook has the id `{id}`"))?;
            mutants.retain(|mutant| mutant.owner == Owner::Hook(place));
        }
        // What the compiler has added is not the catalog's.
        let is_written = |place| self.document.get(&self.outline.pointer(place)).is_some();
        mutants.retain(|mutant| !matches!(mutant.owner, Owner::Hook(place) if !is_written(place)));
        Ok(Mutants { archive: patterns.archive(self.archive)?, all: mutants.len(), list: mutants })
    }

    fn expressions(&self, sited: &Sited, patterns: &mut Patterns) -> Vec<Mutant> {
        let mut mutants = Vec::new();
        for (way, expr) in ways(&sited.text.value) {
            let Some(spot) = self.atlas.number(Thing::expr(expr)) else { continue };
            let condition = self.is_condition(spot) && !is_operand(sited, &way);
            let edits = expression::edits(expr, &sited.text.source, condition);
            for edit in edits.into_iter().chain(patterns.edits(self.archive, expr, &sited.text.source)) {
                let (archive, site, text, way) = (self.archive, sited.site, sited.text, way.clone());
                // What is worked out lasts as long as the process.
                let new: &'static Expr = Box::leak(Box::new(edit.expr));
                let body = edit.range.is_empty().then(|| format!("{} {}", edit.what, shape(expr)));
                mutants.push(Mutant {
                    owner: sited.owner,
                    what: edit.what,
                    pointer: sited.pointer.clone(),
                    range: Some(edit.range),
                    written: Some(edit.written),
                    reach: Reach::Spots(vec![spot]),
                    instead: vec![Instead::Expr(Thing::expr(expr), new)],
                    must_hold: None,
                    body,
                    hint: String::new(),
                    make: Box::new(move || Site::change(site, archive, replaced(text, &way, new))),
                });
            }
        }
        mutants
    }

    fn is_condition(&self, spot: usize) -> bool {
        self.atlas.spots.get(spot).is_some_and(|spot| spot.kind == Kind::Condition)
    }
}

/// Whether the expression at the end of a way is a side of `&&` or `||`, which other changes leave out.
fn is_operand(sited: &Sited, way: &[usize]) -> bool {
    use hookgen_runtime::representation::Op;
    let Some((_, above)) = way.split_last() else { return false };
    let parent = above.iter().try_fold(&sited.text.value, |expr, step| expr.children().into_iter().nth(*step));
    parent.is_some_and(|parent| matches!(parent.op, Op::And(..) | Op::Or(..) | Op::Not(_)))
}
