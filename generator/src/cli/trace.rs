//! `hookgen trace`: what a catalog makes of one event, step by step.

use std::io::Read as _;

use anyhow::{Context as _, bail};
use camino::Utf8Path;
use hookgen_runtime::{Event, Json};

use super::args::TraceArgs;
use super::console::data;
use super::ship::default_out;
use super::{Finish, load, projects};
use crate::model::Catalog;
use crate::trace::Trace;
use crate::workspace::Loaded;

pub(super) fn run(args: &TraceArgs) -> anyhow::Result<Finish> {
    let projects = projects(std::slice::from_ref(&args.catalog))?;
    let loaded = load(&projects);
    if loaded.iter().any(Loaded::has_errors) {
        return Ok(Finish::Findings);
    }
    let found = loaded.iter().find_map(|loaded| Some((loaded, loaded.catalogs.first()?)));
    let (loaded, catalog) = found.with_context(|| format!("no catalog `{}`", args.catalog))?;
    if let Some(id) = args.hook.as_ref().filter(|id| !catalog.hooks.iter().any(|hook| hook.id == **id)) {
        let known: Vec<&str> = catalog.hooks.iter().map(|hook| hook.id.as_str()).collect();
        bail!("`{}` has no hook `{id}`; it has: {}", catalog.name, known.join(", "));
    }
    let input = input(args.event.as_deref().unwrap_or(Utf8Path::new("-")))?;
    let event = event(&input, catalog, args.hook.as_deref())?;
    let plugin = default_out(loaded).join(&catalog.name);
    let hook = args.hook.as_deref();
    let trace = Trace { catalog, event, input: &input, hook, plugin: &plugin, perform: args.perform };
    let report = trace.run()?;
    if args.json {
        data(serde_json::to_string_pretty(&report).context("cannot write the report as JSON")?)?;
    } else {
        data(report.to_string().trim_end())?;
    }
    Ok(Finish::Fine)
}

fn input(file: &Utf8Path) -> anyhow::Result<Vec<u8>> {
    if file != "-" {
        return std::fs::read(file).with_context(|| format!("cannot read `{file}`"));
    }
    let mut bytes = Vec::new();
    std::io::stdin().lock().read_to_end(&mut bytes).context("cannot read the event from standard input")?;
    Ok(bytes)
}

/// The event by its own word; of one that does not say, that of the hook that is asked for. An event that cannot be read
/// is gone through as well, since hooks must cope with it.
fn event(input: &[u8], catalog: &Catalog, hook: Option<&str>) -> anyhow::Result<&'static Event> {
    let text = String::from_utf8_lossy(input);
    let said = Json::parse(&text).ok().and_then(|event| match event.get("hook_event_name") {
        Some(Json::Text(name)) => Some(name.to_string()),
        _ => None,
    });
    match (said, hook.and_then(|id| catalog.hooks.iter().find(|hook| hook.id == id))) {
        (Some(name), _) => Event::named(&name).with_context(|| format!("the client has no event `{name}`")),
        (None, Some(hook)) => Ok(hook.event),
        (None, None) => bail!("the event has no `hook_event_name`; name a hook with `--hook` that it is meant for"),
    }
}
