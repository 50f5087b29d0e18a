//! Events that a catalog may decide in its own way: for every check and every two of a hook, for every row that it asks for,
//! for what lies at the border of a threshold, and for what is one step away from each.

use std::collections::BTreeMap;

use hookgen_runtime::Event;
use hookgen_runtime::representation::{Expr, Op, Representation};
use serde_json::Value;

use super::atom::Atom;
use super::example::{Example, base, way};
use super::formula::Formula;
use super::hook::Rules;
use super::read::Reader;
use super::solve::Answer;
use super::tables::{Use, uses};
use crate::lower::command_hooks;
use crate::model::{Catalog, Hook, Matcher};

/// Of more events than this, one hook is not asked.
const MOST: usize = 400;

/// Events that the hooks of a catalog may decide; those of their cases among them.
pub fn events(catalog: &Catalog, whole: &Representation) -> Vec<(&'static Event, Example)> {
    let asked = uses(whole);
    let mut events = Vec::new();
    for (place, hook) in command_hooks(catalog).enumerate() {
        let mut found: Vec<Example> = Vec::new();
        let rows = asked.iter().filter(|one| one.hook() == Some(place));
        for example in made(whole, place, hook, rows).into_iter().chain(Example::of_cases(hook)) {
            if found.len() < MOST && !found.contains(&example) {
                found.push(example);
            }
        }
        events.extend(found.into_iter().map(|example| (hook.event, example)));
    }
    events
}

fn made<'r>(
    whole: &'r Representation,
    place: usize,
    hook: &Hook,
    rows: impl Iterator<Item = &'r Use<'r>>,
) -> Vec<Example> {
    let reader = Reader::new(whole);
    let Some(rules) = Rules::of(&reader, place, hook) else { return Vec::new() };
    let checks = rules.conditions.len();
    let mut statements: Vec<Formula> = (0..checks).map(|number| rules.fires(number)).collect();
    for one in rows {
        let all = one.rows(whole).unwrap_or_default();
        statements.extend(all.iter().filter_map(|row| one.holds(&reader, row)));
    }
    // The order of two checks matters where both hold.
    for (number, one) in rules.conditions.iter().enumerate() {
        let others = rules.conditions.iter().skip(number + 1);
        statements.extend(others.map(|other| Formula::all([rules.gate.clone(), one.clone(), other.clone()])));
    }
    let mut found = Vec::new();
    for statement in statements.iter().take(MOST) {
        let Answer::Holds(atoms) = reader.ask(statement) else { continue };
        let example = Example::made(&reader, &atoms, base(hook));
        found.extend(at_borders(&reader, &atoms, &example));
        found.extend(for_others(hook, &example));
        found.push(example);
        for (atom, holds) in &atoms {
            let mut near = atoms.clone();
            near.insert(*atom, !holds);
            found.push(Example::made(&reader, &near, base(hook)));
        }
    }
    found
}

/// The same event about the other subjects that the hook is asked about, and without anything that it could look at.
fn for_others(hook: &Hook, example: &Example) -> Vec<Example> {
    let Some(field) = hook.event.subject else { return Vec::new() };
    let names = match &hook.matcher {
        Some(Matcher::Names { names, .. }) => names.as_slice(),
        _ => &[],
    };
    let about = |name: &String| {
        let mut other = example.clone();
        other.set(&[field.to_owned()], name.as_str().into());
        other
    };
    let mut found: Vec<Example> = names.iter().map(about).collect();
    if field == "tool_name" {
        let mut empty = example.clone();
        empty.set(&["tool_input".to_owned()], Value::Null);
        found.push(empty);
    }
    found
}

/// The event with values around the defaults of the thresholds that it is held against.
fn at_borders(reader: &Reader<'_>, atoms: &BTreeMap<usize, bool>, example: &Example) -> Vec<Example> {
    let mut found = Vec::new();
    for atom in atoms.keys() {
        let Some(Atom::AtLeast { term, .. }) = reader.atom_of(*atom) else { continue };
        let Some((way, counts, limit)) = reader.expr_of(term).and_then(|expr| limit(reader, expr)) else { continue };
        for number in limit - 1..=limit + 1 {
            let mut near = example.clone();
            match (counts, usize::try_from(number)) {
                (false, _) => near.set(&way, number.into()),
                (true, Ok(length)) => {
                    let text = near.get(&way).and_then(Value::as_str).unwrap_or_default();
                    let text: String = text.chars().chain(std::iter::repeat('x')).take(length).collect();
                    near.set(&way, text.into());
                }
                (true, Err(_)) => continue,
            }
            found.push(near);
        }
    }
    found
}

/// The place of the event that is held against a threshold, whether its length is, and the default of the threshold.
fn limit(reader: &Reader<'_>, expr: &Expr) -> Option<(Vec<String>, bool, i64)> {
    let Op::Compare(_, sides) = &expr.op else { return None };
    let threshold = sides.iter().find_map(|side| match side.op {
        Op::Threshold(place) => reader.whole.catalog.thresholds.get(place),
        _ => None,
    })?;
    let measured = |side: &Expr| match &side.op {
        Op::Call(function, arguments) if reader.is_called(*function, "size") => {
            Some((arguments.first().and_then(way)?, true))
        }
        _ => Some((way(side)?, false)),
    };
    let (way, counts) = sides.iter().find_map(measured)?;
    Some((way, counts, format!("{:.0}", threshold.default).parse().ok()?)).filter(|(_, _, limit)| *limit < 10_000)
}
