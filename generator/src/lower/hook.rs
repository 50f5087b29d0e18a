//! A hook: its gate, its definitions, and its checks with their effects.

use hookgen_runtime::representation::{Change, Check, Hook, Text};

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
                model::Effect::Spend { spend, .. } => Some(spend.clone()),
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
        let effects = check.effects.iter().map(|effect| effect.changed(&Lowered { lowering: self, scope }));
        let effects = effects.collect::<Result<_, Bug>>()?;
        Ok(Check { id: check.id.clone(), when, effects })
    }

    fn condition(&self, condition: &model::Condition, scope: &Scope<'_>) -> Result<Text, Bug> {
        Ok(Text { source: condition.source.clone(), value: self.expression(&condition.expr, scope)? })
    }
}

/// From names to places, and from what was written to what is worked out.
struct Lowered<'l, 's> {
    lowering: &'l Lowering<'l>,
    scope: &'l Scope<'s>,
}

impl Change<String, String, model::Template, model::Condition> for Lowered<'_, '_> {
    type Document = usize;
    type Spend = usize;
    type Said = Text;
    type Worked = Text;
    type Error = Bug;

    fn document(&self, document: &String) -> Result<usize, Bug> {
        self.lowering.document(document, self.scope)
    }

    fn spend(&self, spend: &String) -> Result<usize, Bug> {
        place(self.scope.spends, spend, |known| known)
    }

    fn said(&self, said: &model::Template) -> Result<Text, Bug> {
        self.lowering.template(said, self.scope)
    }

    fn worked(&self, worked: &model::Condition) -> Result<Text, Bug> {
        self.lowering.condition(worked, self.scope)
    }
}
