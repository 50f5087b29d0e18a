//! Checks that speak, and were never heard: what no case of the catalog has seen decide.

use std::collections::BTreeSet;
use std::fmt;

use super::report::Outcome;
use crate::model::{Catalog, Decision, Effect, Kind};

/// A check that refuses, asks, approves or sends back, and did so in no case.
#[derive(Debug, PartialEq, Eq)]
pub struct Unseen {
    pub catalog: String,
    pub hook: String,
    pub check: String,
    pub effect: &'static str,
}

impl fmt::Display for Unseen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: no case sees `{}` {}", self.catalog, self.hook, self.check, self.effect)
    }
}

/// The deciding checks of a catalog that none of these outcomes has on record, in catalog order.
pub fn unseen(catalog: &Catalog, outcomes: &[Outcome]) -> Vec<Unseen> {
    let of_catalog = outcomes.iter().filter(|outcome| outcome.catalog == catalog.name);
    let seen: BTreeSet<(&str, &str)> =
        of_catalog.flat_map(|outcome| &outcome.decided).map(|(hook, check)| (hook.as_str(), check.as_str())).collect();
    let hooks = catalog.hooks.iter().filter(|hook| hook.kind == Kind::Command);
    let checks = hooks.flat_map(|hook| hook.checks.iter().map(move |check| (hook, check)));
    checks
        .filter(|(hook, check)| !seen.contains(&(hook.id.as_str(), check.id.as_str())))
        .filter_map(|(hook, check)| {
            let effect = check.effects.iter().find_map(deciding)?;
            let (catalog, hook, check) = (catalog.name.clone(), hook.id.clone(), check.id.clone());
            Some(Unseen { catalog, hook, check, effect })
        })
        .collect()
}

fn deciding(effect: &Effect) -> Option<&'static str> {
    match effect {
        Effect::Decide(Decision::Deny, _) => Some("refuse"),
        Effect::Decide(Decision::Ask, _) => Some("ask"),
        Effect::Decide(Decision::Allow, _) => Some("approve"),
        Effect::Feedback(_) => Some("send the model back"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::fixture;
    use crate::model::Check;

    #[test]
    fn a_check_is_seen_once_a_case_has_it_on_record() {
        let mut catalog = fixture::smallest();
        let check = |id: &str, effect| Check { id: id.to_owned(), when: None, effects: vec![effect] };
        let text = || fixture::template("no");
        catalog.hooks[0].checks = vec![
            check("a", Effect::Decide(Decision::Deny, text())),
            check("b", Effect::Decide(Decision::Ask, text())),
            check("c", Effect::Warn(text())),
        ];
        let hook = catalog.hooks[0].id.clone();
        let outcome = |catalog: &str, check: &str| Outcome {
            decided: BTreeSet::from([(hook.clone(), check.to_owned())]),
            ..Outcome::of(catalog)
        };
        let found = unseen(&catalog, &[outcome(&catalog.name, "a"), outcome("another", "b")]);
        let found: Vec<&str> = found.iter().map(|unseen| unseen.check.as_str()).collect();
        assert_eq!(found, ["b"]);
    }
}
