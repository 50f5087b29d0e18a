//! Events that show something: made of what must hold, or taken from the cases.

use std::collections::BTreeMap;

use hookgen_runtime::ALWAYS_SENT;
use hookgen_runtime::representation::{Access, Expr, Op};
use serde_json::{Map, Value, json};

use super::atom::{Atom, Where};
use super::formula::Formula;
use super::read::Reader;
use super::solve::Answer;
use crate::model::{Hook, Matcher};
use crate::protocol;

/// How long a text may be that is made only to be long.
const LONGEST: i64 = 4000;

/// The fields of an event that matter, without those that every event has.
#[derive(Debug, Clone, PartialEq)]
pub struct Example(pub Map<String, Value>);

impl Example {
    /// In one line, as somebody would type it.
    pub fn shown(&self) -> String {
        const MOST: usize = 160;
        let text = Value::Object(self.0.clone()).to_string();
        match text.char_indices().nth(MOST) {
            Some((end, _)) => format!("{}\u{2026}", text.get(..end).unwrap_or_default()),
            None => text,
        }
    }

    /// The events of a hook's cases, the shortest first.
    pub fn of_cases(hook: &Hook) -> Vec<Self> {
        let inputs = hook.cases.iter().filter(|case| case.steps.is_empty() && case.each.is_empty());
        let mut found: Vec<Self> = inputs
            .filter_map(|case| match json!(case.input.as_ref()?) {
                Value::Object(fields) => Some(Self(fields)),
                _ => None,
            })
            .collect();
        found.sort_by_cached_key(|example| Value::Object(example.0.clone()).to_string().len());
        found
    }

    /// The base event with what the atoms want of it, as far as an event can give it.
    pub fn made(reader: &Reader<'_>, atoms: &BTreeMap<usize, bool>, mut base: Self) -> Self {
        let mut wanted: BTreeMap<Vec<String>, Wanted> = BTreeMap::new();
        for (number, holds) in atoms {
            let Some(atom) = reader.atom_of(*number) else { continue };
            note(reader, &atom, *holds, &mut wanted);
        }
        let commands = lines(reader, atoms).into_values().collect::<Vec<_>>().join("; ");
        if !commands.is_empty() {
            wanted.entry(shell_line()).or_default().holds.push(commands);
        }
        for (way, wanted) in wanted {
            if let Some(value) = wanted.value() {
                base.set(&way, value);
            }
        }
        base
    }

    /// What the event has there.
    pub fn get(&self, way: &[String]) -> Option<&Value> {
        let (first, rest) = way.split_first()?;
        rest.iter().try_fold(self.0.get(first)?, |value, key| value.get(key))
    }

    /// The event with another value there.
    pub fn set(&mut self, way: &[String], value: Value) {
        let Some((last, above)) = way.split_last() else { return };
        let mut here = &mut self.0;
        for key in above {
            let next = here.entry(key.clone()).or_insert_with(|| json!({}));
            if !next.is_object() {
                *next = json!({});
            }
            let Some(fields) = next.as_object_mut() else { return };
            here = fields;
        }
        here.insert(last.clone(), value);
    }
}

/// The smallest event that a hook is asked about.
pub fn base(hook: &Hook) -> Example {
    let mut fields = Map::new();
    let Some(subject) = hook.event.subject else { return Example(fields) };
    let named = match &hook.matcher {
        Some(Matcher::Names { names, .. }) => names.first().cloned(),
        Some(Matcher::Pattern { .. }) => {
            protocol::tool_names().find(|name| crate::lint::takes(hook, name)).map(str::to_owned)
        }
        None => None,
    };
    let known = || protocol::subjects(hook.event.name).and_then(|words| words.first()).map(|word| (*word).to_owned());
    if subject != "tool_name" {
        fields.extend(named.or_else(known).map(|word| (subject.to_owned(), word.into())));
        return Example(fields);
    }
    let tool = named.unwrap_or_else(|| "Bash".to_owned());
    let sent = ALWAYS_SENT.iter().find(|(name, _)| *name == hookgen_runtime::tool::current(&tool));
    let input = sent.map(|(_, fields)| *fields).unwrap_or_default();
    let input: Map<String, Value> = input.iter().map(|field| ((*field).to_owned(), "x".into())).collect();
    fields.insert("tool_name".to_owned(), tool.into());
    fields.insert("tool_input".to_owned(), input.into());
    Example(fields)
}

/// What the value at one place of an event has to be.
#[derive(Default)]
struct Wanted {
    is: Option<String>,
    starts: Vec<String>,
    ends: Vec<String>,
    holds: Vec<String>,
    least: Option<i64>,
    most: Option<i64>,
    is_number: bool,
    flag: Option<bool>,
}

impl Wanted {
    fn value(&self) -> Option<Value> {
        if let Some(flag) = self.flag {
            return Some(flag.into());
        }
        if self.is_number {
            return Some(self.least.or(self.most).unwrap_or_default().into());
        }
        if let Some(text) = &self.is {
            return Some(text.as_str().into());
        }
        let longest = |texts: &[String]| texts.iter().max_by_key(|text| text.len()).cloned().unwrap_or_default();
        let (start, end) = (longest(&self.starts), longest(&self.ends));
        let mut text = start;
        for part in self.holds.iter().filter(|part| !end.contains(part.as_str())) {
            if !text.contains(part.as_str()) {
                text.push_str(part);
            }
        }
        let more = self.least.unwrap_or_default().min(LONGEST);
        let length = |text: &str| i64::try_from(text.chars().count() + end.chars().count()).unwrap_or(i64::MAX);
        while length(&text) < more {
            text.push('x');
        }
        text.push_str(&end);
        (!text.is_empty() || self.most.is_some()).then(|| text.into())
    }
}

fn note(reader: &Reader<'_>, atom: &Atom<'_>, holds: bool, wanted: &mut BTreeMap<Vec<String>, Wanted>) {
    let of = |term: usize| reader.expr_of(term).and_then(way);
    match atom {
        Atom::Is { term, text } if holds => {
            if let Some(way) = of(*term) {
                wanted.entry(way).or_default().is = Some(text.clone());
            }
        }
        Atom::Has { term, at, text } if holds => {
            if let Some(way) = of(*term) {
                let wanted = wanted.entry(way).or_default();
                match at {
                    Where::Start => wanted.starts.push(text.clone()),
                    Where::End => wanted.ends.push(text.clone()),
                    Where::Anywhere => wanted.holds.push(text.clone()),
                }
            }
        }
        Atom::AtLeast { term, number } => {
            let Some(expr) = reader.expr_of(*term) else { return };
            let measured = match &expr.op {
                Op::Call(_, arguments) => arguments.first().and_then(way).map(|way| (way, false)),
                _ => way(expr).map(|way| (way, true)),
            };
            let Some((way, is_number)) = measured else { return };
            let wanted = wanted.entry(way).or_default();
            wanted.is_number |= is_number;
            if holds {
                wanted.least = Some(wanted.least.map_or(*number, |least| least.max(*number)));
            } else {
                wanted.most = Some(wanted.most.map_or(number - 1, |most| most.min(number - 1)));
            }
        }
        Atom::Matches { term, shape, .. } if holds => {
            if let (Some(way), Some((starts, text))) = (of(*term), shape.sample()) {
                let wanted = wanted.entry(way).or_default();
                if starts { wanted.starts.push(text) } else { wanted.holds.push(text) }
            }
        }
        Atom::Exists { of, body, .. } if holds => {
            if let Some((way, line)) = line(reader, of, body) {
                let wanted = wanted.entry(way).or_default();
                wanted.holds.push(if wanted.holds.is_empty() { line } else { format!("; {line}") });
            }
        }
        Atom::Opaque { of } => match &of.op {
            Op::Read(_) => {
                if let Some(way) = way(of) {
                    wanted.entry(way).or_default().flag = Some(holds);
                }
            }
            Op::Has(of, name) if holds => {
                if let Some(mut way) = way(of) {
                    way.push(name.clone());
                    wanted.entry(way).or_default().holds.push("x".to_owned());
                }
            }
            _ => {}
        },
        _ => {}
    }
}

/// The keys that lead to a place of the event.
pub(super) fn way(expr: &Expr) -> Option<Vec<String>> {
    match &expr.op {
        Op::Payload => Some(Vec::new()),
        Op::Read(of) => way(of),
        Op::Access(of, Access::Field(name)) | Op::Has(of, name) => {
            let mut way = way(of)?;
            way.push(name.clone());
            Some(way)
        }
        _ => None,
    }
    .filter(|way: &Vec<String>| way.len() < 8)
}

/// The place of the event that holds the line whose commands conditions speak of.
fn shell_line() -> Vec<String> {
    vec!["tool_input".to_owned(), "command".to_owned()]
}

/// The commands that the atoms speak of, each as somebody would type it.
fn lines(reader: &Reader<'_>, atoms: &BTreeMap<usize, bool>) -> BTreeMap<String, String> {
    const ORDER: &[&str] = &["name", "subcommand", "options", "rest"];
    let mut parts: BTreeMap<(String, usize), Vec<String>> = BTreeMap::new();
    for number in atoms.iter().filter_map(|(number, holds)| holds.then_some(*number)) {
        let Some(atom) = reader.atom_of(number) else { continue };
        let (Atom::Is { term, text } | Atom::Has { term, text, .. } | Atom::Holds { term, text }) = atom else {
            continue;
        };
        let Some((whose, part)) = reader.part_of(term) else { continue };
        if let Some(place) = ORDER.iter().position(|known| *known == part) {
            parts.entry((whose, place)).or_default().push(text);
        }
    }
    let mut lines: BTreeMap<String, String> = BTreeMap::new();
    for ((whose, _), words) in parts {
        let line = lines.entry(whose).or_default();
        for word in words {
            line.push_str(if line.is_empty() { "" } else { " " });
            line.push_str(&word);
        }
    }
    lines
}

/// A shell line of a command of which the body holds, or of the words that are asked for, and the place of the event that
/// holds it.
fn line(reader: &Reader<'_>, expr: &Expr, body: &Formula) -> Option<(Vec<String>, String)> {
    let Op::Macro { list, body: asked, .. } = &expr.op else { return None };
    let mut place = None;
    list.walk(&mut |part| place = place.take().or_else(|| way(part).filter(|way| !way.is_empty())));
    let known = match reader.ask(body) {
        Answer::Holds(atoms) => command(reader, &atoms),
        _ => None,
    };
    let place = place.or_else(|| known.as_ref().map(|_| shell_line()))?;
    Some((place, known.unwrap_or_else(|| words(asked)))).filter(|(_, line)| !line.is_empty())
}

/// The one command that the atoms speak of, if they speak of nothing else.
fn command(reader: &Reader<'_>, atoms: &BTreeMap<usize, bool>) -> Option<String> {
    let is_part = |number: &usize| {
        let term = reader.atom_of(*number).and_then(|atom| atom.term());
        term.is_some_and(|term| reader.part_of(term).is_some())
    };
    let mut held = atoms.iter().filter_map(|(number, holds)| holds.then_some(number));
    let mut lines = lines(reader, atoms).into_values();
    match (lines.next(), lines.next()) {
        (Some(line), None) if held.all(is_part) => Some(line),
        _ => None,
    }
}

/// The words that a condition asks for.
fn words(body: &Expr) -> String {
    let mut words: Vec<String> = Vec::new();
    body.walk(&mut |part| {
        if let Op::Text(text) = &part.op {
            let word = text.split('|').next().unwrap_or_default().to_owned();
            if !word.is_empty() && !words.contains(&word) {
                words.push(word);
            }
        }
    });
    words.join(" ")
}
