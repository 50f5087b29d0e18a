//! One page per hook: everything about it, without the YAML.

use serde::Serialize;

use super::markdown::{Table, code, codes, definitions, fence, line, or_dash, paragraphs, text};
use super::{background, cases, effects, reference, spoken, words};
use crate::model::{Callable, Catalog, Check, Fact, Hook, Matcher, Service};
use crate::resolve::uses::{self, Uses};

#[derive(Serialize)]
pub(super) struct HookView {
    heading: String,
    catalog: String,
    origin: String,
    source: String,
    why: String,
    facts: Table,
    definitions: String,
    documents: String,
    constants: String,
    messages: String,
    order: String,
    prompt: String,
    checks: String,
    legend: String,
    thresholds: String,
    failure_modes: String,
    cases: String,
}

pub(super) fn view(catalog: &Catalog, hook: &Hook) -> HookView {
    let uses = uses::of_hook(catalog, hook);
    HookView {
        heading: line(&format!("{}: {}", hook.id, hook.name)),
        catalog: text(&catalog.name),
        origin: hook.origin.as_deref().map(code).unwrap_or_default(),
        source: source(catalog),
        why: paragraphs(&hook.why),
        facts: Table::new(["", ""], facts(hook)),
        definitions: definitions(defined(catalog, hook, &uses)),
        documents: documents(catalog, hook, &uses),
        constants: constants(catalog, &uses),
        messages: messages(catalog, &uses),
        order: order(hook),
        prompt: hook.prompt.as_ref().map(|prompt| fence("text", prompt)).unwrap_or_default(),
        checks: Table::or_empty(["check", "when", "effect"], hook.checks.iter().map(check_row).collect()),
        legend: legend(hook),
        thresholds: thresholds(catalog, hook),
        failure_modes: failure_modes(hook),
        cases: cases::table(hook),
    }
}

/// The catalog's file, seen from the page of a hook below `generated/`.
fn source(catalog: &Catalog) -> String {
    let mut path = String::from("../../../../");
    for byte in catalog.source.bytes() {
        match byte {
            b'/' | b'.' | b'-' | b'_' => path.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => path.push(char::from(byte)),
            _ => path.push_str(&format!("%{byte:02X}")),
        }
    }
    path
}

/// The facts of the catalog that the hook gets to, and its own definitions: each before it is used.
fn defined<'a>(catalog: &'a Catalog, hook: &'a Hook, uses: &Uses) -> Vec<(&'a str, &'a str)> {
    let shared = catalog.facts.iter().filter(|fact| uses.facts.contains(&fact.name));
    let plain = |fact: &'a Fact| (fact.name.as_str(), fact.source.as_str());
    let called = |callable: &'a Callable| (callable.key.as_str(), callable.source.as_str());
    let callables = catalog.callables.iter().filter(|callable| calls(hook, callable)).map(called);
    let own = hook.callables.iter().map(called).chain(hook.bindings.iter().map(plain));
    callables.chain(shared.map(plain)).chain(own).collect()
}

/// Whether the text of the hook calls a definition of the catalog; a mention in a text does no harm here.
fn calls(hook: &Hook, callable: &Callable) -> bool {
    let call = callable.key.split_once('(').map(|(name, _)| format!("{name}(")).unwrap_or_default();
    let mut sources = (hook.bindings.iter().map(|fact| &fact.source))
        .chain(hook.callables.iter().map(|callable| &callable.source))
        .chain(hook.when.iter().map(|when| &when.source))
        .chain(hook.checks.iter().filter_map(|check| check.when.as_ref()).map(|when| &when.source));
    sources.any(|source| source.contains(&call))
}

fn documents(catalog: &Catalog, hook: &Hook, uses: &Uses) -> String {
    let shared = catalog.documents.iter().filter(|document| uses.documents.contains(&document.name));
    reference::documents(shared.chain(&hook.documents))
}

/// The constants that the hook gets to; their values are in the catalog's file, and nowhere else.
fn constants(catalog: &Catalog, uses: &Uses) -> String {
    let named = catalog.data.iter().filter(|data| uses.data.contains(&data.name));
    let named = named.map(|data| format!("{} ({})", code(&format!("data.{}", data.name)), reference::extent(data)));
    named.collect::<Vec<_>>().join(", ")
}

fn messages(catalog: &Catalog, uses: &Uses) -> String {
    let named = catalog.messages.iter().filter(|message| uses.messages.contains(&message.name));
    let rows = named.map(|message| [code(&message.name), code(&message.template.source)]);
    Table::or_empty(["message", "text"], rows.collect())
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
        ("background", background::manner(hook).map(str::to_owned)),
        ("once", hook.once.then(|| "removed after its first success".to_owned())),
        ("on a no", hook.continue_on_block.then(|| "the reason is fed back and the turn goes on".to_owned())),
    ];
    rows.retain(|[_, value]| *value != or_dash(""));
    rows.extend(optional.into_iter().filter_map(|(name, value)| Some(row(name, value?))));
    rows
}

/// Who is asked.
pub(super) fn service(service: &Service) -> String {
    match service {
        Service::Http { url, .. } => code(url),
        Service::McpTool { server, tool, .. } => format!("{} of the MCP server {}", code(tool), code(server)),
        Service::Program { command, args, .. } => {
            code(&args.iter().flatten().fold(command.clone(), |line, word| format!("{line} {word}")))
        }
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

fn check_row(check: &Check) -> [String; 3] {
    let effects: Vec<String> = check.effects.iter().map(effects::brief).collect();
    [
        code(&check.id),
        check
            .when
            .as_ref()
            .map_or_else(|| "always, when it is reached".to_owned(), |when| spoken::condition(&when.source)),
        effects.join("\n"),
    ]
}

/// When the checks are tried, up to their order.
fn order(hook: &Hook) -> String {
    match &hook.when {
        Some(gate) => {
            let gate = spoken::condition(&gate.source);
            format!("The hook has nothing to say unless {gate}. Then its checks are tried")
        }
        None => "They are tried".to_owned(),
    }
}

/// What the effects of the hook mean on its event, each kind once: a list below the checks.
fn legend(hook: &Hook) -> String {
    let mut legend: Vec<String> = Vec::new();
    for meaning in
        hook.checks.iter().flat_map(|check| &check.effects).filter_map(|effect| effects::meaning(effect, hook))
    {
        if !legend.contains(&meaning) {
            legend.push(meaning);
        }
    }
    let lines: String = legend.iter().map(|meaning| format!("\n- {meaning}")).collect();
    if lines.is_empty() { lines } else { format!("\n{lines}") }
}

fn thresholds(catalog: &Catalog, hook: &Hook) -> String {
    let used =
        catalog.thresholds.iter().filter(|threshold| hook.thresholds.contains(&threshold.name)).map(|threshold| {
            [
                code(&threshold.name),
                code(&threshold.default.to_string()),
                or_dash(threshold.unit.as_deref().map(text).unwrap_or_default()),
                if threshold.config.is_empty() { "fixed".to_owned() } else { code(&threshold.config.join(".")) },
            ]
        });
    Table::or_empty(["threshold", "default", "unit", "config key"], used.collect())
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
