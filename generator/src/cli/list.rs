//! `hookgen list`: the hooks, as a table or as JSON.

use anyhow::Context as _;
use serde_json::{Map, Value, json};

use super::args::ListArgs;
use super::console::data;
use super::{Finish, load, projects};
use crate::model::{self, Matcher};
use crate::workspace::Loaded;

const HEADER: [&str; 10] =
    ["catalog", "id", "name", "event", "matcher", "type", "timeout", "fail-safe", "flag", "cases"];

pub(super) fn run(args: &ListArgs) -> anyhow::Result<Finish> {
    let projects = projects(&args.which.catalogs)?;
    let loaded = load(&projects);
    let catalogs: Vec<_> = loaded.iter().flat_map(|loaded| &loaded.catalogs).collect();
    let hooks = || catalogs.iter().flat_map(|catalog| catalog.hooks.iter().map(|hook| (catalog.name.as_str(), hook)));
    if args.json {
        let hooks: Vec<_> = hooks().map(|(catalog, hook)| as_json(catalog, hook)).collect();
        data(serde_json::to_string_pretty(&hooks).context("cannot write the list as JSON")?)?;
    } else {
        let rows = hooks().map(|(catalog, hook)| row(catalog, hook));
        let rows: Vec<_> = std::iter::once(HEADER.map(str::to_owned)).chain(rows).collect();
        // With a single catalog its name would only repeat what was asked for.
        let skip = usize::from(catalogs.len() == 1);
        table(&rows.iter().filter_map(|row| row.get(skip..)).collect::<Vec<_>>()).iter().try_for_each(data)?;
    }
    Ok(Finish::of(loaded.iter().any(Loaded::has_errors)))
}

fn row(catalog: &str, hook: &model::Hook) -> [String; 10] {
    let or_dash = |text: Option<&str>| text.unwrap_or("-").to_owned();
    [
        catalog.to_owned(),
        hook.id.clone(),
        hook.name.clone(),
        hook.event.name.to_owned(),
        or_dash(hook.matcher.as_ref().map(Matcher::written)),
        hook.kind.word().to_owned(),
        duration(hook.timeout_ms),
        hook.fail_safe.name().to_owned(),
        or_dash(hook.flag.as_deref()),
        hook.cases.len().to_string(),
    ]
}

fn as_json(catalog: &str, hook: &model::Hook) -> Value {
    let mut fields = Map::new();
    let mut add = |name: &str, value: Value| drop(fields.insert(name.to_owned(), value));
    add("catalog", catalog.into());
    add("id", hook.id.as_str().into());
    add("name", hook.name.as_str().into());
    add("event", hook.event.name.into());
    if let Some(matcher) = &hook.matcher {
        add("matcher", matcher.written().into());
    }
    add("type", hook.kind.word().into());
    add("timeout_ms", hook.timeout_ms.into());
    add("fail_safe", hook.fail_safe.name().into());
    add("mode", hook.mode.name().into());
    if let Some(flag) = &hook.flag {
        add("flag", flag.as_str().into());
    }
    add("cases", json!(hook.cases.iter().map(|case| &case.name).collect::<Vec<_>>()));
    Value::Object(fields)
}

/// Lines with aligned columns, without blanks at their ends.
pub(super) fn table(rows: &[&[String]]) -> Vec<String> {
    let columns = rows.iter().map(|row| row.len()).max().unwrap_or_default();
    let cells = |column: usize| rows.iter().filter_map(move |row| row.get(column));
    let widths: Vec<_> =
        (0..columns).map(|column| cells(column).map(|cell| cell.chars().count()).max().unwrap_or_default()).collect();
    let line = |row: &&[String]| {
        let cells: Vec<_> = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        cells.join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

fn duration(milliseconds: u32) -> String {
    if milliseconds.is_multiple_of(1000) { format!("{}s", milliseconds / 1000) } else { format!("{milliseconds}ms") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_by_characters() {
        let rows = [["id", "name", "x"], ["H1", "é", ""], ["H100", "long-name", "y"]];
        let rows: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(ToString::to_string).collect()).collect();
        let rows: Vec<&[String]> = rows.iter().map(Vec::as_slice).collect();
        assert_eq!(table(&rows), ["id    name       x", "H1    é", "H100  long-name  y"]);
    }

    #[test]
    fn durations_read_as_catalogs_write_them() {
        assert_eq!((duration(3000), duration(1500)), ("3s".to_owned(), "1500ms".to_owned()));
    }
}
