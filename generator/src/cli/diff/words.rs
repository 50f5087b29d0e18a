//! What two catalogs say differently, whether or not an event shows it.

use hookgen_runtime::Json;
use hookgen_runtime::representation::{Check, Definition, Hook as Steps, Representation, Table, Text};

use crate::lower::command_hooks;
use crate::model::{Catalog, Hook};

/// A catalog as it is written and as it runs.
pub(super) struct Version<'c> {
    pub catalog: &'c Catalog,
    pub whole: Representation,
}

impl Version<'_> {
    fn steps(&self, id: &str) -> Option<&Steps> {
        let place = command_hooks(self.catalog).position(|hook| hook.id == id)?;
        self.whole.hooks.get(place)
    }
}

pub(super) fn hooks(old: &Catalog, new: &Catalog) -> Vec<String> {
    let mut lines = Vec::new();
    let matcher = |hook: &Hook| hook.matcher.as_ref().map_or("everything", |matcher| matcher.written()).to_owned();
    let flag = |hook: &Hook| hook.flag.clone().unwrap_or_else(|| "none".to_owned());
    for hook in &new.hooks {
        let Some(before) = old.hook(&hook.id) else {
            let (id, name, event, safe) = (&hook.id, &hook.name, hook.event.name, hook.fail_safe.name());
            lines.push(format!("{id} is new: {name} on {event} for {}, fails {safe}", matcher(hook)));
            continue;
        };
        let pairs = [
            ("listens on", before.event.name.to_owned(), hook.event.name.to_owned()),
            ("is asked about", matcher(before), matcher(hook)),
            ("fails", before.fail_safe.name().to_owned(), hook.fail_safe.name().to_owned()),
            ("is in mode", format!("{:?}", before.mode).to_lowercase(), format!("{:?}", hook.mode).to_lowercase()),
            ("depends on flag", flag(before), flag(hook)),
            ("has a time of", format!("{} ms", before.timeout_ms), format!("{} ms", hook.timeout_ms)),
        ];
        let changed = pairs.into_iter().filter(|(_, was, is)| was != is);
        lines.extend(changed.map(|(what, was, is)| format!("{} {what} {is}, was {was}", hook.id)));
    }
    let gone = old.hooks.iter().filter(|hook| new.hook(&hook.id).is_none());
    lines.extend(gone.map(|hook| format!("{} is gone: {}", hook.id, hook.name)));
    let agents = |catalog: &Catalog| catalog.agents.iter().map(|agent| agent.title).collect::<Vec<_>>().join(", ");
    if agents(old) != agents(new) {
        lines.push(format!("agents: {}, were {}", agents(new), agents(old)));
    }
    lines
}

/// What hooks that both have ask for and do.
pub(super) fn checks(old: &Version<'_>, new: &Version<'_>) -> Vec<String> {
    let mut lines = definitions("fact", &old.whole.facts, &new.whole.facts);
    for hook in command_hooks(new.catalog) {
        let (Some(before), Some(now)) = (old.steps(&hook.id), new.steps(&hook.id)) else { continue };
        let id = &hook.id;
        lines.extend(condition(&format!("{id} applies"), before.gate.as_ref(), now.gate.as_ref()));
        lines.extend(definitions(&format!("{id}:"), &before.lets, &now.lets));
        for check in &now.checks {
            let name = format!("{id} check `{}`", check.id);
            let Some(was) = named(&before.checks, &check.id) else {
                lines.push(format!("{name} is new"));
                continue;
            };
            lines.extend(condition(&format!("{name} holds"), was.when.as_ref(), check.when.as_ref()));
            if done(was) != done(check) {
                lines.push(format!("{name} does or says something else"));
            }
        }
        let gone = before.checks.iter().filter(|check| named(&now.checks, &check.id).is_none());
        lines.extend(gone.map(|check| format!("{id} check `{}` is gone", check.id)));
        let order = |checks: &[Check], others: &[Check]| -> Vec<String> {
            let kept = checks.iter().filter(|check| named(others, &check.id).is_some());
            kept.map(|check| format!("`{}`", check.id)).collect()
        };
        let (was, is) = (order(&before.checks, &now.checks), order(&now.checks, &before.checks));
        if was != is {
            lines.push(format!("{id} looks at its checks in another order: {}", is.join(", ")));
        }
    }
    lines
}

fn named<'c>(checks: &'c [Check], id: &str) -> Option<&'c Check> {
    checks.iter().find(|check| check.id == id)
}

/// What a check does, as it is written.
fn done(check: &Check) -> Vec<(&'static str, Vec<String>)> {
    let texts = |effect: &hookgen_runtime::representation::Effect| {
        let worked = effect.worked_at().into_iter().map(|(_, text)| one_line(&text.source));
        worked.chain(effect.said().into_iter().map(|text| one_line(&text.source))).collect()
    };
    check.effects.iter().map(|effect| (effect.name(), texts(effect))).collect()
}

fn condition(what: &str, was: Option<&Text>, is: Option<&Text>) -> Option<String> {
    let shown =
        |text: Option<&Text>| text.map_or("always".to_owned(), |text| format!("where `{}`", one_line(&text.source)));
    let differ = was.map(|text| bare(&text.source)) != is.map(|text| bare(&text.source));
    differ.then(|| format!("{what} {}, was {}", shown(is), shown(was)))
}

/// Definitions that were written; what a check over a list finds is told with the check.
fn definitions(what: &str, old: &[Definition], new: &[Definition]) -> Vec<String> {
    let mut lines = Vec::new();
    for one in new.iter().filter(|one| !one.text.source.contains(".first(")) {
        let (name, is) = (&one.name, &one.text.source);
        let was = old.iter().find(|was| was.name == *name).map(|was| &was.text.source);
        if let Some(was) = was.filter(|was| bare(was) != bare(is)) {
            lines.push(format!("{what} `{name}` is `{}`, was `{}`", one_line(is), one_line(was)));
        }
    }
    lines
}

/// Tables, row by row.
pub(super) fn tables(old: &[Table], new: &[Table]) -> Vec<String> {
    let mut lines = Vec::new();
    for table in new {
        let Some(was) = old.iter().find(|known| known.name == table.name) else {
            lines.push(format!("`data.{}` is new", table.name));
            continue;
        };
        compare(&format!("data.{}", table.name), &was.value, &table.value, &mut lines);
    }
    let gone = old.iter().filter(|table| !new.iter().any(|known| known.name == table.name));
    lines.extend(gone.map(|table| format!("`data.{}` is gone", table.name)));
    lines
}

fn compare(name: &str, was: &Json<'_>, is: &Json<'_>, lines: &mut Vec<String>) {
    match (was, is) {
        (was, is) if was == is => {}
        (Json::List(before), Json::List(now)) => {
            let without = |all: &[Json<'_>], others: &[Json<'_>]| -> Vec<String> {
                all.iter().filter(|row| !others.contains(row)).map(ToString::to_string).collect()
            };
            let (gone, more) = (without(before, now), without(now, before));
            lines.extend(gone.iter().map(|row| format!("`{name}` no longer has `{row}`")));
            lines.extend(more.iter().map(|row| format!("`{name}` now has `{row}`")));
            if gone.is_empty() && more.is_empty() {
                lines.push(format!("`{name}` has its rows in another order or number"));
            }
        }
        (Json::Object(before), Json::Object(now)) => {
            for (key, value) in now.iter() {
                match was.get(key) {
                    Some(was) => compare(&format!("{name}.{key}"), was, value, lines),
                    None => lines.push(format!("`{name}` now has `{key}`")),
                }
            }
            let gone = before.iter().filter(|(key, _)| is.get(key).is_none());
            lines.extend(gone.map(|(key, _)| format!("`{name}` no longer has `{key}`")));
        }
        (was, is) => lines.push(format!("`{name}` is `{is}`, was `{was}`")),
    }
}

pub(super) fn settings(old: &Catalog, new: &Catalog) -> Vec<String> {
    let (before, now) = (defaults(old), defaults(new));
    let mut lines = Vec::new();
    for (name, value) in &now {
        match before.iter().find(|(known, _)| known == name) {
            None => lines.push(format!("{name} is new: {value}")),
            Some((_, was)) if was != value => lines.push(format!("{name} is {value}, was {was}")),
            Some(_) => {}
        }
    }
    let gone = before.iter().filter(|(name, _)| !now.iter().any(|(known, _)| known == name));
    lines.extend(gone.map(|(name, _)| format!("{name} is gone")));
    lines
}

fn defaults(catalog: &Catalog) -> Vec<(String, String)> {
    let on = |is: bool| if is { "on" } else { "off" }.to_owned();
    let flags = catalog.flags.iter().map(|flag| (format!("flag `{}`", flag.name), on(flag.default)));
    let choices = catalog.choices.iter().map(|choice| (format!("choice `{}`", choice.name), choice.default.clone()));
    let limits =
        catalog.thresholds.iter().map(|limit| (format!("threshold `{}`", limit.name), limit.default.to_string()));
    flags.chain(choices).chain(limits).collect()
}

/// An expression without the blanks between its words, so that its layout does not matter.
fn bare(expression: &str) -> String {
    let (mut bare, mut quote, mut blank) = (String::new(), None, false);
    for c in expression.chars() {
        match quote {
            None if c.is_whitespace() => continue,
            None if matches!(c, '\'' | '"') => quote = Some(c),
            Some(open) if c == open => quote = None,
            // In a text that goes over several lines, where they end is layout too.
            Some(_) if c.is_whitespace() => {
                blank = true;
                continue;
            }
            _ => {}
        }
        if std::mem::take(&mut blank) {
            bare.push(' ');
        }
        bare.push(c);
    }
    bare
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
