//! The steps of a case as they run: those in place, and one for each of several texts.

use crate::catalog::{Case, Ordered, Step, map_text};

/// What each of several texts stands in for.
pub(super) const EACH: &str = "{each}";

/// The steps of a case, each with the number of the one that it was written as. A case without a list of them is a
/// single step itself.
pub(super) fn steps_of(case: &Case) -> Vec<(usize, Step)> {
    let written = if case.steps.is_empty() { vec![in_place(case)] } else { case.steps.clone() };
    written.into_iter().enumerate().flat_map(|(position, step)| with_each(position + 1, step)).collect()
}

fn in_place(case: &Case) -> Step {
    Step {
        each: case.each.clone(),
        input: case.input.clone(),
        raw: case.raw.clone(),
        repeat: case.repeat,
        parallel: case.parallel,
        expect: case.expect.clone().unwrap_or_default(),
        ..Step::default()
    }
}

fn with_each(number: usize, step: Step) -> Vec<(usize, Step)> {
    if step.each.is_empty() {
        return vec![(number, step)];
    }
    let filled = step.each.texts().iter().map(|text| {
        let fill = |written: &str| written.replace(EACH, text);
        let input = step.input.as_ref().map(|fields| {
            fields.iter().map(|(name, value)| (name.clone(), map_text(value, &fill))).collect::<Ordered<_>>()
        });
        (number, Step { input, raw: step.raw.as_deref().map(fill), ..step.clone() })
    });
    filled.collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn steps(case: Value) -> Vec<(usize, Step)> {
        steps_of(&serde_json::from_value(case).expect("a case"))
    }

    #[test]
    fn a_step_runs_once_for_each_text() {
        let case = json!({"name": "x", "steps": [
            {"input": {"a": "{each}"}},
            {"each": ["b", "c"], "input": {"tool_input": {"command": "do {each} {each}"}}},
        ]});
        let found: Vec<_> = steps(case).into_iter().map(|(number, step)| (number, json!(step.input))).collect();
        let command = |text: &str| json!({"tool_input": {"command": text}});
        assert_eq!(found, [(1, json!({"a": "{each}"})), (2, command("do b b")), (2, command("do c c"))]);
    }

    #[test]
    fn a_case_in_place_is_a_step() {
        let found = steps(json!({"name": "x", "each": ["1", "2"], "raw": "<{each}>", "expect": {"quiet": true}}));
        let raw: Vec<_> = found.iter().map(|(number, step)| (*number, step.raw.as_deref())).collect();
        assert_eq!(raw, [(1, Some("<1>")), (1, Some("<2>"))]);
        assert!(found.iter().all(|(_, step)| step.expect.quiet));
    }
}
