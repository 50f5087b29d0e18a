//! Would the cases notice if the catalog meant something else?
//!
//! The representation is changed in one place at a time, never the YAML. Each such mutant plays the cases that reach its
//! place, and one of them should fall short. A mutant that none of them notices shows what no case is about.

mod expression;
mod report;
mod run;
mod site;
mod structure;
mod tree;
mod witness;

use std::ops::Range;

use hookgen_runtime::representation::{Archive, Patch};

pub use report::Mutation;

use super::atlas::{Atlas, Kind, Owner, hook_pointer};
use super::recorder::Thing;
use super::seen::Sight;
use crate::cases::{Outcome, Player, Suite};
use crate::document::{Document, Pointer};
use crate::model::{Catalog, Hook, Kind as HookKind};
use expression::Shows;
use site::{Site, Sited};
pub(crate) use tree::bare;
use tree::{replaced, ways};

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
    /// Of the cases that it reaches, only those can notice it that show one of these; all if there are none.
    sights: Vec<Sight>,
    /// A text that a case which notices the change is likely to hold.
    hint: String,
    make: Box<dyn Fn() -> Option<Patch> + Send + Sync>,
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
    pub fn mutants(&self, hook: Option<&str>) -> anyhow::Result<Vec<Mutant>> {
        let mut mutants = self.structure()?;
        for sited in site::sites(&self.outline, self.archive, self.document)? {
            mutants.extend(self.expressions(&sited));
        }
        if let Some(id) = hook {
            let place = self.atlas.hooks.iter().position(|known| known == id);
            let place = place.ok_or_else(|| anyhow::anyhow!("no command hook has the id `{id}`"))?;
            mutants.retain(|mutant| mutant.owner == Owner::Hook(place));
        }
        Ok(mutants)
    }

    fn expressions(&self, sited: &Sited) -> Vec<Mutant> {
        let mut mutants = Vec::new();
        for (way, expr) in ways(&sited.text.value) {
            let Some(spot) = self.atlas.number(Thing::expr(expr)) else { continue };
            let condition = self.is_condition(spot) && !is_operand(sited, &way);
            for edit in expression::edits(expr, &sited.text.source, condition) {
                let (archive, site, text, way) = (self.archive, sited.site, sited.text, way.clone());
                let new = edit.expr;
                let sights = self.sights(&edit.shows);
                mutants.push(Mutant {
                    owner: sited.owner,
                    what: edit.what,
                    pointer: sited.pointer.clone(),
                    range: Some(edit.range),
                    written: Some(edit.written),
                    reach: Reach::Spots(vec![spot]),
                    sights,
                    hint: String::new(),
                    make: Box::new(move || Site::change(site, archive, replaced(text, &way, &new))),
                });
            }
        }
        mutants
    }

    /// What a case must have seen to tell a changed expression from the original.
    fn sights(&self, shows: &Shows) -> Vec<Sight> {
        let numbers =
            |things: &[Thing]| things.iter().map(|thing| self.atlas.number(*thing)).collect::<Option<Vec<_>>>();
        let (things, sight): (_, fn(usize) -> Sight) = match shows {
            Shows::Anywhere => return Vec::new(),
            Shows::IfHeld(things) => (things, Sight::Held),
            Shows::IfFailedToHold(things) => (things, Sight::FailedToHold),
        };
        numbers(things).unwrap_or_default().into_iter().map(sight).collect()
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
