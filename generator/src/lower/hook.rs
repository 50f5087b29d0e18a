//! A hook: its gate, its definitions, and its checks with their effects.

use hookgen_runtime::Decision;
use hookgen_runtime::representation::{Check, Effect, Hook, Limit, Sum, Text};

use super::{Lowering, Scope, place};
use crate::bug::Bug;
use crate::model;

impl Lowering<'_> {
    pub(super) fn hook(&self, hook: &model::Hook) -> Result<Hook, Bug> {
        let spends: Vec<String> = hook
            .checks
            .iter()
            .flat_map(|check| &check.effects)
            .filter_map(|effect| match effect {
                model::Effect::Spend { name, .. } => Some(name.clone()),
                _ => None,
            })
            .collect();
        let scope = Scope { hook: Some(hook), spends: &spends };
        let gate = hook.when.as_ref().map(|when| self.condition(when, &scope)).transpose()?;
        let lets = self.definitions(&hook.bindings, &scope)?;
        let checks = hook.checks.iter().map(|check| self.check(check, &scope)).collect::<Result<_, Bug>>()?;
        Ok(Hook { name: hook.name.clone(), why: hook.why.clone(), gate, lets, spends, checks })
    }

    fn check(&self, check: &model::Check, scope: &Scope<'_>) -> Result<Check, Bug> {
        let when = check.when.as_ref().map(|when| self.condition(when, scope)).transpose()?;
        let effects = check.effects.iter().map(|effect| self.effect(effect, scope)).collect::<Result<_, Bug>>()?;
        Ok(Check { id: check.id.clone(), when, effects })
    }

    fn condition(&self, condition: &model::Condition, scope: &Scope<'_>) -> Result<Text, Bug> {
        Ok(Text { source: condition.source.clone(), value: self.expression(&condition.expr, scope)? })
    }

    fn effect(&self, effect: &model::Effect, scope: &Scope<'_>) -> Result<Effect, Bug> {
        let text = |template: &model::Template| self.template(template, scope);
        let document = |name: &str| self.document(name, scope);
        Ok(match effect {
            model::Effect::Spend { name, key, from } => self.spend(name, key.as_ref(), from, scope)?,
            model::Effect::Reset { counters } => Effect::Reset(counters.clone()),
            model::Effect::Remember(what) => Effect::Remember(text(what)?),
            model::Effect::Note { name, text: noted } => Effect::Note { name: name.clone(), text: text(noted)? },
            model::Effect::Write { document: name, text: new } => {
                Effect::Write { document: document(name)?, text: text(new)? }
            }
            model::Effect::Append { document: name, line, unless } => Effect::Append {
                document: document(name)?,
                line: text(line)?,
                unless: unless.as_ref().map(text).transpose()?,
            },
            model::Effect::Tally { document: name, at, add, set } => Effect::Tally {
                document: document(name)?,
                at: self.condition(at, scope)?,
                add: add
                    .iter()
                    .map(|(name, more)| Ok(Sum { name: name.clone(), more: self.condition(more, scope)? }))
                    .collect::<Result<_, Bug>>()?,
                set: set.iter().map(|(name, value)| Ok((name.clone(), text(value)?))).collect::<Result<_, Bug>>()?,
            },
            model::Effect::Delete { document: name } => Effect::Delete { document: document(name)? },
            model::Effect::Export { name, value } => Effect::Export { name: name.clone(), value: text(value)? },
            model::Effect::Log(line) => Effect::Log(text(line)?),
            model::Effect::Warn(said) => Effect::Warn(text(said)?),
            model::Effect::Inject(said) => Effect::Inject(text(said)?),
            model::Effect::Advise(said) => Effect::Advise(text(said)?),
            model::Effect::Feedback(said) => Effect::Feedback(text(said)?),
            model::Effect::Rewrite { fields } => Effect::Rewrite(
                fields.iter().map(|(field, value)| Ok((field.clone(), text(value)?))).collect::<Result<_, Bug>>()?,
            ),
            model::Effect::Deny(reason) => Effect::Decide(Decision::Deny, text(reason)?),
            model::Effect::Ask(reason) => Effect::Decide(Decision::Ask, text(reason)?),
            model::Effect::Allow(reason) => Effect::Decide(Decision::Allow, text(reason)?),
            model::Effect::Pass(reason) => Effect::Decide(Decision::Pass, text(reason)?),
        })
    }

    fn spend(
        &self,
        name: &str,
        key: Option<&model::Expr>,
        from: &[(String, model::Condition)],
        scope: &Scope<'_>,
    ) -> Result<Effect, Bug> {
        let key = key
            .map(|key| Ok::<_, Bug>(Text { source: String::new(), value: self.expression(key, scope)? }))
            .transpose()?;
        let from = from
            .iter()
            .map(|(counter, limit)| Ok(Limit { counter: counter.clone(), limit: self.condition(limit, scope)? }))
            .collect::<Result<_, Bug>>()?;
        Ok(Effect::Spend { spend: place(scope.spends, name, |spend| spend)?, key, from })
    }
}
