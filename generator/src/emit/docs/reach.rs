//! Whatever switches or loosens a hook and lies where an agent's tools can write, and what keeps them away from it.

use serde::Serialize;

use super::markdown::{Table, code, codes, hook_links, text};
use crate::catalog::Guard;
use crate::guard::{PLUGIN, STATE, registrations, settings};
use crate::model::Catalog;

#[derive(Serialize)]
pub(super) struct ReachView {
    intro: String,
    places: Table,
}

pub(super) fn view(catalog: &Catalog) -> ReachView {
    let guards = catalog.hooks.iter().filter(|hook| hook.id.starts_with("GUARD"));
    let intro = match &catalog.guard {
        Some(Guard::Without { none }) => {
            format!(
                "These places decide what the hooks do, and nothing here keeps an agent's tools away from them: {}.",
                text(none.trim_end_matches('.'))
            )
        }
        Some(_) => format!(
            "These places decide what the hooks do. An agent's tools are kept away from them by {}: file tools, shell lines \
             as far as they can be read, and servers. What a program does that is itself run from a file is out of sight.",
            hook_links(guards)
        ),
        None => {
            "These places decide what the hooks do, and nothing here keeps an agent's tools away from them.".to_owned()
        }
    };
    ReachView { intro, places: Table::new(["place", "decides"], rows(catalog)) }
}

fn rows(catalog: &Catalog) -> Vec<[String; 2]> {
    let mut rows = Vec::new();
    if let Some(file) = &catalog.config_file {
        rows.push([code(&file.source), "flags, choices, thresholds and modes".to_owned()]);
    }
    if let Some(file) = &catalog.dev_mode_file {
        rows.push([code(&file.source), "whether any hook decides anything".to_owned()]);
    }
    let documents = catalog.guard.as_ref().and_then(Guard::documents).unwrap_or_default();
    for document in catalog.documents.iter().filter(|document| documents.contains(&document.name)) {
        let about = document.description.as_deref().unwrap_or("evidence that hooks go by");
        rows.push([code(&document.path.source), text(about)]);
    }
    rows.push([code(PLUGIN), "the binary, and how the plugin registers it".to_owned()]);
    rows.push([code(STATE), "counters, what hooks remember, which failures count; and the logs".to_owned()]);
    rows.push([
        codes(settings().iter().map(String::as_str)),
        "which hooks are registered, and whether any run: `hooks`, `disableAllHooks`, `enabledPlugins`, `env`"
            .to_owned(),
    ]);
    let others: Vec<String> = catalog.agents.iter().flat_map(|client| registrations(client, &catalog.name)).collect();
    if !others.is_empty() {
        rows.push([
            codes(others.iter().map(String::as_str)),
            "which plugins and hooks agents know, and trust".to_owned(),
        ]);
    }
    rows
}
