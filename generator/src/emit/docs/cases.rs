//! What is tested: cases by hook and expected decision.

use serde::Serialize;

use super::markdown::{Table, hook_link, line};
use crate::catalog::{Case, Decision, Expect};
use crate::model::{Catalog, Hook, Kind};

#[derive(Serialize)]
pub(super) struct CasesView {
    matrix: Table,
    hooks: Vec<HookCases>,
}

#[derive(Serialize)]
struct HookCases {
    heading: String,
    cases: Vec<String>,
}

pub(super) fn view(catalog: &Catalog) -> CasesView {
    let rows = catalog.hooks.iter().map(row);
    let tested = catalog.hooks.iter().filter(|hook| !hook.cases.is_empty());
    let hooks = tested.map(|hook| HookCases {
        heading: format!("Cases of {}", hook.id),
        cases: hook.cases.iter().map(|case| line(&case.name)).collect(),
    });
    CasesView {
        matrix: Table::new(["hook", "cases", "pass", "allow", "ask", "deny", "other"], rows.collect()),
        hooks: hooks.collect(),
    }
}

fn row(hook: &Hook) -> [String; 7] {
    if hook.kind != Kind::Command && hook.cases.is_empty() {
        let none = || "–".to_owned();
        let who = if hook.service.is_some() { "a service decides" } else { "a model decides" };
        return [hook_link(hook), who.to_owned(), none(), none(), none(), none(), none()];
    }
    let count = |decision: &str| hook.cases.iter().filter(|case| decisions(case).contains(&decision)).count();
    let other = hook.cases.iter().filter(|case| decisions(case).is_empty()).count();
    [
        hook_link(hook),
        hook.cases.len().to_string(),
        count("pass").to_string(),
        count("allow").to_string(),
        count("ask").to_string(),
        count("deny").to_string(),
        other.to_string(),
    ]
}

/// The decisions that any step of a case expects.
fn decisions(case: &Case) -> Vec<&str> {
    let expected = case.expect.iter().chain(case.steps.iter().map(|step| &step.expect));
    expected.flat_map(expected_decisions).collect()
}

fn expected_decisions(expect: &Expect) -> Vec<&str> {
    let one = expect.decision.map(|decision| match decision {
        Decision::Pass => "pass",
        Decision::Allow => "allow",
        Decision::Ask => "ask",
        Decision::Deny => "deny",
    });
    let many = expect.tally.iter().filter(|(_, runs)| **runs > 0).map(|(decision, _)| decision.as_str());
    one.into_iter().chain(many).collect()
}

#[cfg(test)]
mod tests {
    use super::super::super::fixture;
    use super::*;

    #[test]
    fn a_case_counts_under_every_decision_that_one_of_its_steps_expects() {
        let catalog = fixture::full();
        assert_eq!(row(&catalog.hooks[0])[1..], ["2", "1", "0", "0", "2", "0"].map(str::to_owned));
        assert_eq!(row(&catalog.hooks[3])[1], "a model decides");
    }
}
