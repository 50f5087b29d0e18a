//! What agents other than Claude Code read, for each that the catalog is for.

use hookgen_runtime::client::{CLAUDE, Form};
use serde_json::json;

use super::{Bug, Emitter, Output, Target, pretty_json};
use crate::agents::{Place, Written, script, write};
use crate::model;

/// Makes `agents/<agent>/…`.
pub(super) struct Agents;

impl Emitter for Agents {
    fn name(&self) -> &'static str {
        "registrations for other agents"
    }

    fn emit(&self, catalog: &model::Catalog, _: &Target) -> Result<Vec<Output>, Bug> {
        let mut outputs = Vec::new();
        for client in catalog.agents.iter().copied().filter(|client| client.name != CLAUDE.name) {
            let at = |file: &str| format!("agents/{}/{file}", client.name);
            let file = client.registration.file;
            // Nobody knows yet where the project is, so programs that are found by their whole path are named from it.
            match write(catalog, client, &Place { project: None }) {
                Written::Entries(entries) => {
                    let text = match client.registration.form {
                        Form::Bare => pretty_json(&entries)?,
                        Form::Flat { .. } => pretty_json(&json!({ "version": 1, "hooks": entries }))?,
                        _ => pretty_json(&json!({ "hooks": entries }))?,
                    };
                    outputs.push(Output::new(at(file), text));
                }
                Written::Own(name, text) => outputs.push(Output::new(at(&format!("{file}/{name}")), text)),
                Written::Tables(tables) => {
                    let text = format!("# {}\n{}", super::banner(&catalog.source), tables.join("\n"));
                    outputs.push(Output::new(at(file), text));
                }
                Written::Scripts(scripts) => outputs.extend(scripts.into_iter().filter_map(|(name, lines)| {
                    Some(Output::new(at(&format!("{file}/{name}")), script::with_lines("", &catalog.name, &lines)?))
                })),
            }
        }
        Ok(outputs)
    }
}
