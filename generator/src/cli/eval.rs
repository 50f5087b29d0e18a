//! `hookgen eval`: the value of an expression.

use std::io::Read as _;

use anyhow::{Context as _, bail};
use camino::Utf8Path;
use hookgen_runtime::{Event, Json};
use serde_json::json;

use super::args::EvalArgs;
use super::console::{data, talk};
use super::{Finish, projects};
use crate::ask::{Answer, Question, ask};
use crate::diagnostic::{json_lines, render};
use crate::workspace::read_spec;

pub(super) fn run(args: &EvalArgs) -> anyhow::Result<Finish> {
    let catalog = match &args.catalog {
        Some(name) => match catalog(name)? {
            Ok(source) => Some(source),
            Err(diagnostic) => return refused(&[diagnostic], args.json),
        },
        None => None,
    };
    let event = args.event.as_deref().map(event).transpose()?;
    let (expression, hook) = (args.expression.clone(), args.hook.clone());
    let question = Question { expression, catalog, hook, event, perform: args.perform };
    match ask(question)? {
        Answer::Value(value) if args.json => data(json!({ "value": value })).map(|()| Finish::Fine),
        Answer::Value(value) => data(value).map(|()| Finish::Fine),
        Answer::Failure(failure) if args.json => data(json!({ "failure": failure })).map(|()| Finish::Findings),
        Answer::Failure(failure) => {
            talk(format!("it has no value: {failure}"));
            Ok(Finish::Findings)
        }
        Answer::Refused(diagnostics) => refused(&diagnostics, args.json),
        Answer::NoHook(hooks) => bail!("the catalog has no command hook with that id; it has: {}", hooks.join(", ")),
    }
}

/// The one catalog of that file or name.
fn catalog(name: &str) -> anyhow::Result<Result<crate::assemble::Written, crate::diagnostic::Diagnostic>> {
    let projects = projects(&[name.to_owned()])?;
    let spec = projects.iter().flat_map(|project| &project.specs).next();
    Ok(read_spec(spec.with_context(|| format!("no catalog `{name}`"))?))
}

/// An event from a file, or from standard input.
pub(super) fn event(file: &Utf8Path) -> anyhow::Result<Json<'static>> {
    let text = if file == "-" {
        let mut text = String::new();
        std::io::stdin().lock().read_to_string(&mut text).context("cannot read the event from standard input")?;
        text
    } else {
        std::fs::read_to_string(file).with_context(|| format!("cannot read `{file}`"))?
    };
    match Json::parse(&text) {
        Ok(event @ Json::Object(_)) => match event.get("hook_event_name") {
            Some(Json::Text(name)) if Event::named(name).is_none() => bail!("the client has no event `{name}`"),
            _ => Ok(event.into_owned()),
        },
        Ok(_) => bail!("`{file}` is no event: an event is one JSON object"),
        Err(error) => bail!("`{file}` is no event: {error}"),
    }
}

fn refused(diagnostics: &[crate::diagnostic::Diagnostic], as_json: bool) -> anyhow::Result<Finish> {
    if as_json {
        data(json_lines(diagnostics).trim_end())?;
    } else {
        talk(render(diagnostics, true).trim_end());
    }
    Ok(Finish::Findings)
}
