//! The case that would notice a mutant, ready to be pasted: one that is there already and expects too little, or one
//! with another event.

use hookgen_runtime::representation::{Expr, Op};
use serde_json::{Map, Value, json};

use super::super::atlas::hook_pointer;
use super::{Mutant, Trial};
use crate::cases::{Outcome, Player, Reaction};
use crate::document::Pointer;
use crate::model::Case;

/// How many other events are tried for one mutant.
const MOST_TRIES: usize = 48;

/// Longer texts make no readable case.
const LONGEST: usize = 4000;

impl Trial<'_> {
    /// Where a case of the suite is written.
    pub(super) fn case_pointer(&self, place: usize) -> Option<Pointer> {
        let (id, case) = self.suite.case(place)?;
        let position = self.outline.hooks.iter().position(|(known, _)| known == id)?;
        let number = self.outline.hooks.get(position)?.1.iter().position(|known| *known == case.name)?;
        Some(hook_pointer(position).key("cases").index(number))
    }

    /// A case that passes as the catalog is, and falls short with the change; as YAML.
    pub(super) fn proposal(
        &self,
        mutant: &Mutant,
        player: &Player,
        differing: Option<usize>,
        cases: &[usize],
    ) -> Option<String> {
        let stricter = differing.and_then(|place| self.stricter(mutant, player, place));
        stricter.or_else(|| self.with_another_event(mutant, player, cases))
    }

    /// A case that is there, with all that it brings about expected.
    fn stricter(&self, mutant: &Mutant, player: &Player, place: usize) -> Option<String> {
        let before = self.outcomes.get(place)?;
        let after = self.suite.run_one(player, place)?;
        let step = before.reactions.iter().zip(&after.reactions).find(|(one, other)| one != other)?;
        let mut written = self.document.get(&self.case_pointer(place)?)?.clone();
        let fields = written.as_object_mut()?;
        fields.insert("name".to_owned(), format!("{}, and not with {}", before.case, mutant.what).into());
        let expected = expectation(step.0, step.1);
        match fields.get_mut("steps").and_then(Value::as_array_mut) {
            Some(steps) => lay_over(steps.get_mut(step.0.step.saturating_sub(1))?.as_object_mut()?, expected),
            None => lay_over(fields, expected),
        }
        as_yaml(&written)
    }

    /// A case with one text of its event replaced by something that the changed expression is about.
    fn with_another_event(&self, mutant: &Mutant, player: &Player, cases: &[usize]) -> Option<String> {
        let candidates = candidates(&self.words_of(mutant));
        let mut tries = 0;
        for place in cases.iter().take(3) {
            let (hook, case) = self.suite.case(*place)?;
            let Some(input) = case.input.as_ref().filter(|_| case.steps.is_empty() && case.each.is_empty()) else {
                continue;
            };
            let original = json!(input);
            for changed in variations(&original, &candidates) {
                tries += 1;
                if tries > MOST_TRIES {
                    return None;
                }
                let Ok(input) = serde_json::from_value(changed.clone()) else { continue };
                let case = Case { input: Some(input), expect: None, ..case.clone() };
                let before = self.suite.run_as(self.player, hook, &case);
                let after = self.suite.run_as(player, hook, &case);
                if let Some((one, other)) = first_difference(&before, &after) {
                    return self.written_case(mutant, *place, &changed, expectation(one, other));
                }
            }
        }
        None
    }

    fn written_case(&self, mutant: &Mutant, place: usize, input: &Value, expect: Map<String, Value>) -> Option<String> {
        let mut written = self.document.get(&self.case_pointer(place)?)?.clone();
        let fields = written.as_object_mut()?;
        fields.insert("name".to_owned(), format!("told apart from {}", mutant.what).into());
        fields.insert("input".to_owned(), input.clone());
        fields.insert("expect".to_owned(), expect.into());
        as_yaml(&written)
    }

    /// Constants of the text that is changed.
    fn words_of(&self, mutant: &Mutant) -> Vec<Op> {
        let Ok(sites) = super::site::sites(&self.outline, self.archive, self.document) else { return Vec::new() };
        let mut found = Vec::new();
        for sited in sites.iter().filter(|sited| sited.pointer == mutant.pointer) {
            sited.text.value.walk(&mut |expr: &Expr| {
                if matches!(expr.op, Op::Text(_) | Op::Int(_)) && !found.contains(&expr.op) {
                    found.push(expr.op.clone());
                }
            });
        }
        if !mutant.hint.is_empty() {
            found.insert(0, Op::Text(mutant.hint.clone()));
        }
        found
    }
}

fn first_difference<'o>(before: &'o Outcome, after: &'o Outcome) -> Option<(&'o Reaction, &'o Reaction)> {
    before.reactions.iter().zip(&after.reactions).find(|(one, other)| one != other)
}

/// Texts that a border or a word of the expression may depend on.
fn candidates(words: &[Op]) -> Vec<String> {
    let mut texts = vec![String::new()];
    for word in words {
        match word {
            Op::Text(text) => texts.push(text.clone()),
            Op::Int(number) => {
                let lengths = [*number, number.saturating_add(1), number.saturating_sub(1)];
                let lengths = lengths.into_iter().filter_map(|length| usize::try_from(length).ok());
                texts.extend(lengths.filter(|length| *length <= LONGEST).map(|length| "x".repeat(length)));
                texts.push(number.to_string());
            }
            _ => {}
        }
    }
    texts
}

/// The event with one of its texts replaced by a candidate, or followed by one.
fn variations(event: &Value, candidates: &[String]) -> Vec<Value> {
    let mut places = Vec::new();
    texts(event, String::new(), &mut places);
    let mut found = Vec::new();
    for candidate in candidates {
        for place in &places {
            for text in [
                candidate.clone(),
                format!("{} {candidate}", event.pointer(place).and_then(Value::as_str).unwrap_or_default()),
            ] {
                let mut changed = event.clone();
                if let Some(value) = changed.pointer_mut(place) {
                    *value = text.into();
                    found.push(changed);
                }
            }
        }
    }
    found
}

fn texts(value: &Value, at: String, found: &mut Vec<String>) {
    match value {
        Value::String(_) if !at.ends_with("/tool_name") => found.push(at),
        Value::Object(fields) => {
            for (name, field) in fields {
                texts(field, format!("{at}/{}", name.replace('~', "~0").replace('/', "~1")), found);
            }
        }
        _ => {}
    }
}

/// What must be expected to tell one reaction from the other.
fn expectation(one: &Reaction, other: &Reaction) -> Map<String, Value> {
    let mut expected = Map::new();
    expected.insert("decision".to_owned(), one.decision.clone().into());
    let only: Vec<&String> = one.said.iter().filter(|text| !other.said.contains(text)).collect();
    if only.is_empty() {
        let silent: Vec<&String> = other.said.iter().filter(|text| !one.said.contains(text)).collect();
        if !silent.is_empty() && one.decision == other.decision {
            expected.insert("silent".to_owned(), json!(silent));
        }
    } else {
        expected.insert("says".to_owned(), json!(only));
    }
    if let Some(updated) = one.updated.as_ref().filter(|_| one.updated != other.updated) {
        expected.insert("updated".to_owned(), updated.clone());
    }
    expected
}

fn lay_over(step: &mut Map<String, Value>, expected: Map<String, Value>) {
    match step.get_mut("expect").and_then(Value::as_object_mut) {
        Some(known) => known.extend(expected),
        None => drop(step.insert("expect".to_owned(), expected.into())),
    }
}

fn as_yaml(case: &Value) -> Option<String> {
    serde_yaml::to_string(&[case]).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_varied_text_by_text() {
        let event = json!({ "tool_name": "Bash", "tool_input": { "command": "ls" } });
        let found = variations(&event, &["rm".to_owned()]);
        let commands: Vec<&str> =
            found.iter().filter_map(|event| event.pointer("/tool_input/command")?.as_str()).collect();
        assert_eq!(commands, ["rm", "ls rm"]);
    }

    #[test]
    fn what_only_one_says_is_expected() {
        let reaction = |decision: &str, said: &[&str]| Reaction {
            step: 1,
            decision: decision.to_owned(),
            said: said.iter().map(|text| (*text).to_owned()).collect(),
            updated: None,
        };
        let (deny, pass) = (reaction("deny", &["no"]), reaction("pass", &[]));
        assert_eq!(json!(expectation(&deny, &pass)), json!({ "decision": "deny", "says": ["no"] }));
        assert_eq!(json!(expectation(&pass, &deny)), json!({ "decision": "pass" }));
        let more = reaction("pass", &["hm"]);
        assert_eq!(json!(expectation(&pass, &more)), json!({ "decision": "pass", "silent": ["hm"] }));
    }
}
