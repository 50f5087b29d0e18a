//! Which agent holds which hook to its word: a matrix from the agents' own tables.

use hookgen_runtime::client::{CLAUDE, CLIENTS, Client, Known, Outcome, Program};
use serde::Serialize;

use super::super::{Output, banner};
use super::markdown::{Table, hook_links};
use crate::agents::losses::of_hook;
use crate::agents::{Ability, Place, entries};
use crate::model::{Catalog, FailSafe, Hook, Kind};

/// What fills the template.
#[derive(Serialize)]
pub(super) struct AgentsView {
    there: bool,
    matrix: Table,
}

pub(super) fn view(catalog: &Catalog) -> AgentsView {
    let heading =
        std::iter::once("hooks".to_owned()).chain(catalog.agents.iter().map(|client| client.title.to_owned()));
    let rows = alike(catalog)
        .into_iter()
        .map(|(hooks, cells)| std::iter::once(hook_links(hooks)).chain(cells).collect::<Vec<_>>())
        .chain(unanswered(catalog));
    AgentsView {
        there: catalog.agents.iter().any(|client| client.name != CLAUDE.name),
        matrix: Table::of(heading.collect(), rows.collect()),
    }
}

/// What becomes of an action whose closed hook does not answer, if there is such a hook.
fn unanswered(catalog: &Catalog) -> Vec<Vec<String>> {
    let closed = |hook: &Hook| hook.fail_safe == FailSafe::Closed && hook.kind == Kind::Command;
    if !catalog.hooks.iter().any(closed) {
        return Vec::new();
    }
    let row = |what: &str, of: fn(&Client) -> Outcome| {
        let cells = catalog.agents.iter().map(|client| match of(client) {
            Outcome::Refused => "refused".to_owned(),
            Outcome::Passes => "**passes**".to_owned(),
        });
        std::iter::once(what.to_owned()).chain(cells).collect()
    };
    vec![row("*closed, program missing*", if_missing), row("*closed, program late*", |client| client.silence.late)]
}

/// What becomes of an action whose closed hook has no program: where a shell starts it, the registration refuses.
fn if_missing(client: &Client) -> Outcome {
    if client.registration.program == Program::Arguments { client.silence.missing } else { Outcome::Refused }
}

/// Hooks of which the agents make the same share a row.
fn alike(catalog: &Catalog) -> Vec<(Vec<&Hook>, Vec<String>)> {
    let mut rows: Vec<(Vec<&Hook>, Vec<String>)> = Vec::new();
    for hook in &catalog.hooks {
        let cells: Vec<String> = catalog.agents.iter().map(|client| cell(catalog, hook, client)).collect();
        match rows.iter_mut().find(|(_, known)| *known == cells) {
            Some((hooks, _)) => hooks.push(hook),
            None => rows.push((vec![hook], cells)),
        }
    }
    rows
}

/// `reference/AGENTS.md`: what is true of an agent, whatever the catalog.
pub fn agents_output() -> Output {
    let silence = Table::new(
        ["agent", "table checked", "program missing or broken", "program late"],
        CLIENTS.iter().map(|client| silence(client)).collect(),
    );
    let remarks = CLIENTS.iter().filter(|client| !client.remarks.is_empty()).map(|client| {
        let lines: String = client.remarks.iter().map(|remark| format!("- {remark}\n")).collect();
        format!("\n## {}\n\n{lines}", client.title)
    });
    let text = format!(
        "<!-- {} -->\n\n# Agents\n\nWhat becomes of an action when the program does not answer, and what else to know of each \
         agent.\n\n{silence}\n{}",
        banner("the tables of the agents"),
        remarks.collect::<String>()
    );
    Output::new("reference/AGENTS.md", text)
}

/// What becomes of a hook on an agent: enforced, weaker and how, or not possible and why.
fn cell(catalog: &Catalog, hook: &Hook, client: &'static Client) -> String {
    if client.name == CLAUDE.name {
        return "enforced".to_owned();
    }
    let lost = of_hook(hook, client);
    if lost.contains(&Ability::Event) || lost.contains(&Ability::Type) {
        return "not possible".to_owned();
    }
    let asked = entries(catalog, client, &Place { project: None });
    if !asked.iter().any(|entry| entry.arguments.contains(&hook.id)) {
        return "no such tool".to_owned();
    }
    if lost.is_empty() {
        return "enforced".to_owned();
    }
    let words = lost.iter().map(|ability| match ability {
        Ability::Ask if catalog.lets_unasked_pass() => "questions pass",
        Ability::Ask => "questions deny",
        Ability::Refuse => "refuses nothing",
        Ability::Allow => "approves nothing",
        Ability::Context => "model not told",
        Ability::Notice => "person not told",
        Ability::Rewrite => "input stays",
        Ability::Export => "exports nothing",
        Ability::Event | Ability::Type => "left out",
    });
    format!("weaker: {}", words.collect::<Vec<_>>().join(", "))
}

fn silence(client: &'static Client) -> [String; 4] {
    let known = match client.known {
        Known::Run(version) => format!("by running {version}"),
        Known::Documented => "from documentation".to_owned(),
    };
    let missing = match (client.silence.missing, if_missing(client)) {
        (Outcome::Refused, _) => "the agent or the registration refuses for a closed hook",
        (Outcome::Passes, Outcome::Refused) => "the registration of a closed hook refuses by itself",
        (Outcome::Passes, Outcome::Passes) => "**passes**: the agent lets the action go on",
    };
    let late = match client.silence.late {
        Outcome::Refused => "refused for a closed hook",
        Outcome::Passes => "the agent lets it pass; the program answers before that, as `fail_safe` says",
    };
    [client.title, &known, missing, late].map(str::to_owned)
}
