//! One section per hook: everything about it, without the YAML.

use serde::Serialize;

use super::effects::{self, EffectView};
use super::markdown::{Table, code, codes, definitions, expression, fence, or_dash, paragraphs, text};
use super::{reference, uses, words};
use crate::model::{Catalog, Check, Hook, Matcher, Service};

#[derive(Serialize)]
pub(super) struct HookView {
    id: String,
    heading: String,
    why: String,
    facts: Table,
    gate: String,
    bindings: String,
    documents: String,
    prompt: String,
    checks: Vec<CheckView>,
    failure_modes: String,
}

#[derive(Serialize)]
struct CheckView {
    heading: String,
    condition: String,
    thresholds: String,
    effects: Vec<EffectView>,
}

pub(super) fn view(catalog: &Catalog, hook: &Hook) -> HookView {
    HookView {
        id: hook.id.clone(),
        heading: format!("{}: {}", hook.id, hook.name),
        why: paragraphs(&hook.why),
        facts: Table::new(["", ""], facts(hook)),
        gate: hook.when.as_ref().map(|gate| expression(&gate.source)).unwrap_or_default(),
        bindings: definitions(hook.bindings.iter().map(|fact| (fact.name.as_str(), fact.source.as_str()))),
        documents: reference::documents(&hook.documents),
        prompt: hook.prompt.as_ref().map(|prompt| fence("text", prompt)).unwrap_or_default(),
        checks: hook.checks.iter().zip(1..).map(|(check, number)| check_view(catalog, hook, check, number)).collect(),
        failure_modes: failure_modes(hook),
    }
}

fn facts(hook: &Hook) -> Vec<[String; 2]> {
    let row = |name: &str, value: String| [name.to_owned(), value];
    let mut rows = vec![
        row("event", code(hook.event.name)),
        row("matcher", matcher(hook)),
        row("type", hook.kind.word().to_owned()),
        row("timeout", words::duration(hook.timeout_ms)),
        row("fail-safe", format!("{}: {}", hook.fail_safe.name(), words::when_broken(hook))),
        row("mode", words::mode(hook).to_owned()),
        row("flag", hook.flag.as_deref().map_or_else(|| "–".to_owned(), code)),
        row("priority", words::priority(hook.priority).to_owned()),
        row("reads", codes(hook.reads.iter().map(String::as_str))),
        row("writes", codes(hook.writes.iter().map(String::as_str))),
    ];
    let optional = [
        ("only if", hook.condition.as_deref().map(code)),
        ("model", hook.model.as_deref().map(code)),
        ("asks", hook.service.as_ref().map(service)),
        ("shown while it runs", hook.status_message.as_deref().map(text)),
        ("background", background(hook).map(str::to_owned)),
        ("once", hook.once.then(|| "removed after its first success".to_owned())),
        ("on a no", hook.continue_on_block.then(|| "the reason is fed back and the turn goes on".to_owned())),
    ];
    rows.extend(optional.into_iter().filter_map(|(name, value)| Some(row(name, value?))));
    rows
}

/// Who is asked.
pub(super) fn service(service: &Service) -> String {
    match service {
        Service::Http { url, .. } => code(url),
        Service::McpTool { server, tool, .. } => format!("{} of the MCP server {}", code(tool), code(server)),
    }
}

fn background(hook: &Hook) -> Option<&'static str> {
    match (hook.async_rewake, hook.background) {
        (true, _) => Some("runs beside the action, and wakes the model when it denies"),
        (false, true) => Some("runs beside the action and decides nothing"),
        (false, false) => None,
    }
}

/// The matcher, or what its absence means on the event.
pub(super) fn matcher(hook: &Hook) -> String {
    match &hook.matcher {
        Some(matcher @ Matcher::Names { .. }) => code(matcher.written()),
        Some(matcher @ Matcher::Pattern { .. }) => format!("{} (pattern)", code(matcher.written())),
        None if hook.event.subject.is_some() => "all".to_owned(),
        None => or_dash(""),
    }
}

fn check_view(catalog: &Catalog, hook: &Hook, check: &Check, number: usize) -> CheckView {
    let thresholds = uses::thresholds(catalog, hook, check).into_iter().map(|threshold| {
        [
            code(&threshold.name),
            code(&threshold.default.to_string()),
            or_dash(threshold.unit.as_deref().map(text).unwrap_or_default()),
            if threshold.config.is_empty() { "fixed".to_owned() } else { code(&threshold.config.join(".")) },
        ]
    });
    CheckView {
        heading: format!("{number}. {}", code(&check.id)),
        condition: match &check.when {
            Some(condition) => format!("When:\n\n{}", expression(&condition.source)),
            None => "Always, when it is reached.".to_owned(),
        },
        thresholds: Table::or_empty(["threshold", "default", "unit", "config key"], thresholds.collect()),
        effects: check.effects.iter().map(|effect| effects::view(effect, hook)).collect(),
    }
}

fn failure_modes(hook: &Hook) -> String {
    let rows = hook.failure_modes.iter().map(|mode| {
        [
            text(&mode.when),
            words::outcome(mode.then).to_owned(),
            text(&mode.because),
            mode.case.as_deref().map_or_else(|| "–".to_owned(), text),
        ]
    });
    Table::or_empty(["when", "then", "because", "proved by case"], rows.collect())
}
