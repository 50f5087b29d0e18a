//! The module that runs in `OpenCode`, which has no hooks by command: it starts the program and does what it says.

use hookgen_runtime::client::Client;
use serde_json::{Value, json};

use super::{Entry, Place, program};
use crate::emit::Bug;
use crate::model::Catalog;
use crate::template::Templates;

pub(super) fn module(catalog: &Catalog, client: &'static Client, place: &Place, entries: &[Entry]) -> String {
    let mut events = json!({});
    for entry in entries {
        let tools: Option<Vec<&str>> = entry.matcher.as_ref().map(|tools| tools.split('|').collect());
        let asked =
            json!({ "tools": tools, "args": entry.arguments, "timeout": entry.timeout_ms, "closed": entry.closed });
        let event = entry.event.native();
        match events[event].as_array_mut() {
            Some(list) => list.push(asked),
            None => events[event] = json!([asked]),
        }
    }
    let view = json!({
        "source": crate::emit::banner(&catalog.source),
        "program": Value::from(program(catalog, client, place)).to_string(),
        "events": format!("{events:#}"),
        "catalog": Value::from(catalog.name.as_str()).to_string(),
    });
    let rendered = Templates::load().and_then(|templates| templates.render("opencode", &view));
    rendered.unwrap_or_else(|bug: Bug| format!("throw new Error({});\n", Value::from(bug.to_string())))
}
