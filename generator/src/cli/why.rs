//! `hookgen why`: one decision of the audit trail, explained.

use anyhow::{Context as _, bail};
use hookgen_runtime::log::VERSION;
use serde_json::{Value, json};

use super::args::WhyArgs;
use super::console::{data, talk};
use super::{Finish, current_folder, load, projects};
use crate::cel::layout;
use crate::model::Catalog;
use crate::stats;
use crate::why::{self, Explanation, Found, Line, Which};

/// Where the text begins, after what it is.
const COLUMN: usize = 11;

pub(super) fn run(args: &WhyArgs) -> anyhow::Result<Finish> {
    let place = match &args.trail {
        Some(place) => current_folder()?.join(place),
        None => stats::default_folder()?,
    };
    let trails = if args.trail.is_none() && !place.exists() { Vec::new() } else { stats::trails(&place)? };
    let line = match why::find(&trails, &args.which)? {
        Found::One(line) => line,
        Found::Several(ids) => bail!("several lines are called so: {}", ids.join(", ")),
        Found::Nothing => bail!("{} in `{place}`; `--trail` names another place", missing(&args.which)),
    };
    if line.version() > VERSION {
        talk("this line is of a newer format; a newer hookgen knows more of it");
    }
    // Without its catalog, a line still tells what it has.
    let projects = if args.catalogs.catalogs.is_empty() {
        projects(&[]).unwrap_or_default()
    } else {
        projects(&args.catalogs.catalogs)?
    };
    let loaded = load(&projects);
    let catalog =
        loaded.iter().flat_map(|loaded| &loaded.catalogs).find(|catalog| catalog.name == line.text("catalog"));
    let explained = catalog.and_then(|catalog| Some((catalog, why::explain(catalog, &line)?)));
    if explained.is_none() {
        let (catalog, hook) = (line.text("catalog"), line.text("hook"));
        talk(format!(
            "the conditions of {hook} are not shown: the catalog `{catalog}` is not here, or has no such hook"
        ));
    }
    if args.json {
        let explained = explained.as_ref().map(|(catalog, explanation)| as_json(catalog, explanation));
        let both = json!({ "line": line.0, "catalog": explained });
        data(serde_json::to_string_pretty(&both).context("cannot write the explanation as JSON")?)?;
        return Ok(Finish::Fine);
    }
    recorded(&line)?;
    if let Some((catalog, explanation)) = &explained {
        conditions(catalog, explanation)?;
    }
    Ok(Finish::Fine)
}

fn missing(which: &Which) -> String {
    match which {
        Which::Last => "no decision is".to_owned(),
        Which::Id(id) => format!("no line with the id `{id}` is"),
    }
}

/// What the trail has.
fn recorded(line: &Line) -> anyhow::Result<()> {
    let mode = match line.text("mode") {
        "" => String::new(),
        mode => format!(", not carried out (mode {mode})"),
    };
    let about = |names: &[(&str, &str)]| -> String {
        let known = names.iter().map(|(word, name)| (word, line.text(name))).filter(|(_, text)| !text.is_empty());
        known.map(|(word, text)| format!("{word}{text}")).collect::<Vec<_>>().join(", ")
    };
    row("decision", &format!("{}{mode}", line.text("decision")))?;
    row("reason", line.text("reason"))?;
    row("hook", &about(&[("", "hook"), ("check ", "check")]))?;
    row("catalog", &about(&[("", "catalog"), ("version ", "version"), ("digest ", "digest")]))?;
    row("when", &about(&[("", "time"), ("id ", "id")]))?;
    row("event", &about(&[("", "event"), ("", "tool"), ("", "tool_use_id"), ("permissions ", "permission_mode")]))?;
    row(
        "who",
        &about(&[
            ("", "client"),
            ("version ", "client_version"),
            ("agent ", "agent"),
            ("user ", "user"),
            ("host ", "host"),
        ]),
    )?;
    row("where", &about(&[("", "project"), ("in ", "cwd"), ("session ", "session")]))?;
    for field in ["input", "settings"] {
        let values = line.0.get(field).and_then(Value::as_object).into_iter().flatten();
        for (position, (name, value)) in values.enumerate() {
            let shown = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            row(if position == 0 { field } else { "" }, &format!("{name} = {shown}"))?;
        }
    }
    row("response", line.text("response"))
}

/// What the catalog has.
fn conditions(catalog: &Catalog, explanation: &Explanation<'_>) -> anyhow::Result<()> {
    let hook = explanation.hook;
    data("")?;
    data(format!("{} {} in {}, fail-safe {}:", hook.id, hook.name, catalog.source, explanation.fail_safe()))?;
    if explanation.changed {
        data("  the catalog has changed since; this is what it says now")?;
    }
    let condition = |what: &str, source: &str| data(format!("  {what}\n    {}", layout(source, 4)));
    if let Some(when) = &hook.when {
        condition("it looks at events with", &when.source)?;
    }
    match explanation.check {
        Some(check) => match &check.when {
            Some(when) => condition(&format!("`{}` decides when", check.id), &when.source)?,
            None => data(format!("  `{}` always decides", check.id))?,
        },
        None => data("  no check decided")?,
    }
    for fact in &explanation.definitions {
        condition(&format!("`{}` is", fact.name), &fact.source)?;
    }
    if !explanation.values.is_empty() {
        data("  what they saw")?;
    }
    for value in &explanation.values {
        let known = value.value.as_ref().map(|text| format!(" = {text}")).unwrap_or_default();
        data(format!("    {}{known}  ({})", value.name, value.origin.words()))?;
    }
    Ok(())
}

fn as_json(catalog: &Catalog, explanation: &Explanation<'_>) -> Value {
    let values: Vec<Value> = explanation
        .values
        .iter()
        .map(|value| json!({ "name": value.name, "value": value.value, "from": value.origin.words() }))
        .collect();
    let definitions = explanation.definitions.iter().map(|fact| (fact.name.clone(), Value::from(fact.source.as_str())));
    json!({
        "source": catalog.source,
        "changed": explanation.changed,
        "hook": explanation.hook.name,
        "fail_safe": explanation.fail_safe(),
        "hook_when": explanation.hook.when.as_ref().map(|when| &when.source),
        "check_when": explanation.check.and_then(|check| check.when.as_ref()).map(|when| &when.source),
        "definitions": definitions.collect::<serde_json::Map<_, _>>(),
        "values": values,
    })
}

/// A line under its title; nothing to say is left out.
fn row(title: &str, text: &str) -> anyhow::Result<()> {
    if text.is_empty() { Ok(()) } else { data(format!("{title:COLUMN$}{text}")) }
}
