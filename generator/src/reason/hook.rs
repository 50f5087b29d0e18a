//! A hook as statements: when it applies, when each of its checks does, and which checks are ever reached.

use std::collections::BTreeSet;
use std::rc::Rc;

use hookgen_runtime::representation::{Check, Hook as Steps};

use serde_json::{Map, Value};

use super::atom::Setting;
use super::formula::Formula;
use super::read::{Reader, Scope};
use super::solve::{Answer, solve};
use crate::model::{Hook, Matcher};
use crate::protocol;

/// What is said of a hook.
pub struct Rules<'l, 'r> {
    pub reader: &'l Reader<'r>,
    pub scope: Scope<'r>,
    pub steps: &'r Steps,
    /// Whether it applies at all.
    pub gate: Formula,
    /// Whether each check does, by itself.
    pub conditions: Vec<Formula>,
}

impl<'l, 'r> Rules<'l, 'r> {
    /// The command hook at that place of the representation.
    pub fn of(reader: &'l Reader<'r>, place: usize, hook: &Hook) -> Option<Self> {
        let steps = reader.whole.hooks.get(place)?;
        let mut scope = Scope::of(Some(place));
        scope.subjects = subjects(hook).map(Rc::new);
        let formula = |text: &'r Option<_>| match text {
            Some(hookgen_runtime::representation::Text { value, .. }) => reader.formula(value, &scope),
            None => Formula::Known(true),
        };
        let gate = formula(&steps.gate);
        let conditions = steps.checks.iter().map(|check| formula(&check.when)).collect();
        Some(Self { reader, scope, steps, gate, conditions })
    }

    /// Whether the hook comes to the check at that place: it applies, and nothing before has decided.
    pub fn reached(&self, place: usize) -> Formula {
        let before = self.steps.checks.iter().zip(&self.conditions).take(place);
        let open = before.filter(|(check, _)| decides(check)).map(|(_, condition)| condition.clone().negated());
        Formula::all(std::iter::once(self.gate.clone()).chain(open))
    }

    /// Whether the check at that place takes effect.
    pub fn fires(&self, place: usize) -> Formula {
        let own = self.conditions.get(place).cloned().unwrap_or(Formula::Known(false));
        Formula::all([self.reached(place), own])
    }

    /// Whether the check at that place is settled by the given fields alone: whatever else the event has, it does the same.
    pub fn rests_on(&self, place: usize, fields: &Map<String, Value>) -> bool {
        let checks = self.steps.checks.iter().take(place + 1).filter_map(|check| check.when.as_ref());
        let texts = self.steps.gate.iter().chain(checks).map(|text| &text.value).collect();
        self.reader.rests_on(fields, texts, self.scope.hook)
    }

    /// Whether it is certain that a setting on which only conditions depend changes nothing that the hook does.
    pub fn is_idle(&self, setting: Setting) -> bool {
        self.outcomes().iter().all(|outcome| self.is_independent(outcome, setting))
    }

    /// Whether it is certain that the hook does the same with the one word of a choice as with the other.
    pub fn are_alike(&self, choice: usize, words: [&str; 2]) -> bool {
        let setting = Setting::Choice(choice);
        self.outcomes().iter().all(|outcome| {
            let [one, other] = words.map(|word| outcome.settled(&|atom| self.reader.chosen(atom, choice, word)));
            let mut left = BTreeSet::new();
            one.atoms(&mut left);
            other.atoms(&mut left);
            !left.iter().any(|atom| self.reader.depends(*atom, setting))
                && self.reader.never(&Formula::differ(&one, &other))
        })
    }

    /// When each thing happens that the hook can do. Of decisions only one is made, so the same one by two checks is one.
    fn outcomes(&self) -> Vec<Formula> {
        let mut told: Vec<(&Check, Vec<Formula>)> = Vec::new();
        for (place, check) in self.steps.checks.iter().enumerate() {
            let same = |known: &&mut (&Check, Vec<Formula>)| decides(check) && alike(known.0, check);
            match told.iter_mut().find(same) {
                Some((_, when)) => when.push(self.fires(place)),
                None => told.push((check, vec![self.fires(place)])),
            }
        }
        told.into_iter().map(|(_, when)| Formula::any(when)).collect()
    }

    /// Whether a statement is the same whatever the setting is, all else being equal.
    fn is_independent(&self, statement: &Formula, setting: Setting) -> bool {
        const OTHERWISE: usize = 1 << 32;
        if super::ask::is_too_much(statement) {
            return false;
        }
        let facts = self.reader.facts(&[statement]);
        let name = |atom: usize| if self.reader.depends(atom, setting) { atom + OTHERWISE } else { atom };
        let otherwise = statement.renamed(&name);
        if otherwise == *statement {
            return true;
        }
        let both: Vec<Formula> = facts.iter().cloned().chain(facts.iter().map(|fact| fact.renamed(&name))).collect();
        solve(&Formula::differ(statement, &otherwise), &both) == Answer::Never
    }
}

/// Where a hook depends on a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    Nowhere,
    /// In conditions alone, which may be the same all the same.
    Conditions,
    /// In what it does or says.
    Effects,
}

impl Needs {
    /// Where the hook at that place of the representation depends on it.
    pub fn of(reader: &Reader<'_>, place: usize, setting: Setting) -> Self {
        let Some(steps) = reader.whole.hooks.get(place) else { return Self::Nowhere };
        let depends = |expr| reader.mentions(expr, Some(place)).contains(&setting);
        let effects = || steps.checks.iter().flat_map(|check| &check.effects);
        let files = effects().filter_map(|effect| reader.whole.documents.get(*effect.document()?));
        let said = effects().flat_map(hookgen_runtime::representation::Effect::expressions);
        let mut conditions = steps.gate.iter().chain(steps.checks.iter().filter_map(|check| check.when.as_ref()));
        if said.chain(files.map(|file| &file.path.value)).any(depends) {
            Self::Effects
        } else if conditions.any(|text| depends(&text.value)) {
            Self::Conditions
        } else {
            Self::Nowhere
        }
    }
}

/// Whether the hook ends with the check if it takes effect.
pub fn decides(check: &Check) -> bool {
    check.effects.last().is_some_and(hookgen_runtime::representation::Effect::decides)
}

/// Whether two checks do and say the same.
fn alike(one: &Check, other: &Check) -> bool {
    let bare = |check: &Check| {
        let mut effects = check.effects.clone();
        for text in effects.iter_mut().flat_map(|effect| effect.texts_mut()) {
            text.source.clear();
            text.value = crate::proof::bare(&text.value);
        }
        effects
    };
    bare(one) == bare(other)
}

/// The only subjects that get past the hook's matcher, and the field that holds them, where these are known.
fn subjects(hook: &Hook) -> Option<(&'static str, Vec<String>)> {
    let field = hook.event.subject?;
    let takes = |name: &str| crate::lint::takes(hook, name);
    if field != "tool_name" {
        let words = protocol::subjects(hook.event.name)?;
        return Some((field, words.iter().filter(|word| takes(word)).map(|word| (*word).to_owned()).collect()));
    }
    let Some(Matcher::Names { names, .. }) = &hook.matcher else { return None };
    let mut all: Vec<String> = names.iter().map(|name| hookgen_runtime::tool::current(name).to_owned()).collect();
    all.extend(names.iter().cloned());
    all.extend(protocol::tool_names().filter(|name| takes(name)).map(str::to_owned));
    all.sort();
    all.dedup();
    Some((field, all))
}
