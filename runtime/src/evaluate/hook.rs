//! One hook: its gate, its checks in order, and what follows from them.

use std::cell::{OnceCell, RefCell};

use super::{Evaluator, Shared, TextPart, Value};
use crate::act::Sums;
use crate::document::Document;
use crate::failure::Attempt;
use crate::representation::{Archive, Check, Definition, Effect, Limit, Text};
use crate::state::{self, Spent};
use crate::verdict::Verdict;

/// A hook at work on one event.
pub(super) struct Run<'c> {
    hook: usize,
    definitions: Vec<OnceCell<Value<'c>>>,
    /// Those that were asked for while something was worked out that is not so.
    supposed: Vec<OnceCell<Value<'c>>>,
    spends: RefCell<Vec<Spent>>,
}

/// A definition and where its value is kept.
type Kept<'r, 'c> = (&'static Definition, &'r OnceCell<Value<'c>>, Option<&'r OnceCell<Value<'c>>>);

impl<'c> Run<'c> {
    pub(super) fn new(hook: usize, definitions: usize) -> Self {
        let cells = || (0..definitions).map(|_| OnceCell::new()).collect();
        Self { hook, definitions: cells(), supposed: cells(), spends: RefCell::default() }
    }

    /// The definition at that place, and where its value is kept: as it is, and while something else is supposed.
    pub(super) fn definition(&self, archive: &'static Archive, place: usize) -> Attempt<Kept<'_, 'c>> {
        let cell = self.definitions.get(place).ok_or_else(|| archive.lacks("definition", place))?;
        Ok((archive.definition(self.hook, place)?, cell, self.supposed.get(place)))
    }

    /// What came of a spend; nothing, where it was not made.
    pub(super) fn with_spent<T>(&self, place: usize, ask: impl FnOnce(&Spent) -> T) -> T {
        ask(self.spends.borrow().get(place).unwrap_or(&Spent::default()))
    }

    fn spend(&self, place: usize, spent: Spent) {
        let mut spends = self.spends.borrow_mut();
        if spends.len() <= place {
            spends.resize(place + 1, Spent::default());
        }
        if let Some(known) = spends.get_mut(place) {
            *known = spent;
        }
    }
}

impl<'c> Evaluator<'c> {
    pub(super) fn hook(&self, place: usize, verdict: &mut Verdict) -> Attempt<()> {
        if place >= self.archive.hooks() {
            return Ok(());
        }
        if let Some(observer) = self.observer() {
            observer.hook(place);
        }
        let hook = self.archive.hook(place)?;
        let run = Run::new(place, hook.definitions());
        if let Some(gate) = hook.gate()
            && !self.holds(TextPart::Gate, gate, &run)?
        {
            return Ok(());
        }
        for place in 0..hook.checks() {
            let check = self.archive.check(run.hook, place)?;
            if self.check(check, &run, verdict)? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Whether the check ends the hook.
    fn check(&self, check: &'static Check, run: &Run<'c>, verdict: &mut Verdict) -> Attempt<bool> {
        let holds = match &check.when {
            Some(when) => self.holds(TextPart::Condition(&check.id), when, run),
            None => Ok(true),
        };
        if let Some(observer) = self.observer() {
            observer.check(check, &holds);
        }
        if !holds? {
            return Ok(false);
        }
        for effect in &check.effects {
            let done = self.effect(check, effect, run, verdict);
            if let Some(observer) = self.observer() {
                observer.effect(check, effect, &done);
            }
            done?;
        }
        Ok(check.effects.last().is_some_and(Effect::decides))
    }

    fn holds(&self, part: TextPart<'_>, text: &'static Text, run: &Run<'c>) -> Attempt<bool> {
        match self.part(part, text, Some(run))? {
            Value::Bool(holds) => Ok(holds),
            other => Err(other.unfit("a bool")),
        }
    }

    fn effect(
        &self,
        check: &'static Check,
        effect: &'static Effect,
        run: &Run<'c>,
        verdict: &mut Verdict,
    ) -> Attempt<()> {
        let id = check.id.as_str();
        let said = |text: &'static Text| self.said(TextPart::Effect(id), text, Some(run));
        let document = |place: usize| -> Attempt<&'c Document> { self.document(place, Some(run)) };
        match effect {
            Effect::Spend { spend, key, per, from } => {
                self.spend(check, *spend, [key.as_ref(), per.as_ref()], from, run)?;
            }
            Effect::Reset(counters) => {
                let counters = counters.iter().map(|one| {
                    let per = one.per.as_ref().map(|per| said(per).map(|per| per.to_string())).transpose()?;
                    Ok((one.name.as_str().into(), per))
                });
                verdict.reset(counters.collect::<Attempt<_>>()?);
            }
            Effect::Forget { remembered, noted } => {
                if let Some(what) = remembered {
                    verdict.forget(said(what)?);
                }
                for name in noted {
                    verdict.forget_note(name.as_str());
                }
            }
            Effect::Record(names) => {
                for one in names {
                    match &one.per {
                        Some(what) => verdict.record_of(one.name.as_str(), said(what)?),
                        None => verdict.record(one.name.as_str()),
                    }
                }
            }
            Effect::Remember(what) => verdict.remember(said(what)?),
            Effect::Note { name, text } => verdict.note(name.as_str(), said(text)?),
            Effect::Write { document: place, text } => verdict.write(document(*place)?, said(text)?),
            Effect::Append { document: place, line, unless: None } => verdict.append(document(*place)?, said(line)?),
            Effect::Append { document: place, line, unless: Some(unless) } => {
                verdict.append_unless(document(*place)?, said(line)?, said(unless)?);
            }
            Effect::Tally { document: place, at, add, set } => {
                let document = document(*place)?;
                let at = self.texts(check, at, run)?;
                let sums = add.iter().map(|sum| Ok((sum.name.as_str().into(), self.count(check, &sum.more, run)?)));
                let add = sums.collect::<Attempt<_>>()?;
                let values = set.iter().map(|(name, value)| Ok((name.as_str().into(), said(value)?.to_string())));
                verdict.tally(document, &at, Sums { add, set: values.collect::<Attempt<_>>()? });
            }
            Effect::Delete { document: place } => verdict.delete(document(*place)?),
            Effect::Export { name, value } => verdict.export(name.as_str(), said(value)?),
            Effect::Notify(line) => {
                verdict
                    .notify(line.iter().map(|word| said(word).map(|word| word.to_string())).collect::<Attempt<_>>()?);
            }
            Effect::Log(line) => verdict.log(said(line)?),
            Effect::Warn(text) => verdict.warn(id, said(text)?),
            Effect::Inject(text) => verdict.inject(id, said(text)?),
            Effect::Advise(text) => verdict.advise(id, said(text)?),
            Effect::Feedback(text) => verdict.feedback(id, said(text)?),
            Effect::Rewrite(fields) => {
                for (field, value) in fields {
                    verdict.rewrite(id, field.as_str(), said(value)?);
                }
            }
            Effect::Decide(decision, reason) => verdict.decide(*decision, id, said(reason)?),
        }
        Ok(())
    }

    fn spend(
        &self,
        check: &'static Check,
        spend: usize,
        keys: [Option<&'static Text>; 2],
        from: &'static [Limit],
        run: &Run<'c>,
    ) -> Attempt<()> {
        let said =
            |text: Option<&'static Text>| text.map(|text| self.said(TextPart::Effect(&check.id), text, Some(run)));
        let [key, per] = keys.map(said);
        let (key, per) = (key.transpose()?, per.transpose()?);
        let limits = from.iter().map(|one| {
            let per = per.as_deref().filter(|_| one.apart);
            Ok(state::Limit { counter: &one.counter, per, limit: self.count(check, &one.limit, run)? })
        });
        let limits: Vec<state::Limit<'_>> = limits.collect::<Attempt<_>>()?;
        run.spend(spend, self.call.spend(key.as_deref(), &limits)?);
        Ok(())
    }

    fn count(&self, check: &'static Check, text: &'static Text, run: &Run<'c>) -> Attempt<i64> {
        match self.part(TextPart::Effect(&check.id), text, Some(run))? {
            Value::Int(count) => Ok(count),
            other => Err(other.unfit("an int")),
        }
    }

    fn texts(&self, check: &'static Check, text: &'static Text, run: &Run<'c>) -> Attempt<Vec<Shared<'c>>> {
        let list = self.part(TextPart::Effect(&check.id), text, Some(run))?;
        let Value::List(items) = &list else { return Err(list.unfit("a list")) };
        items
            .iter()
            .map(|item| match item {
                Value::Text(text) => Ok(text.clone()),
                other => Err(other.unfit("a string")),
            })
            .collect()
    }
}
