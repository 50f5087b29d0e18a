//! Executables that several catalogs share: each has its own lines, between marks.

use hookgen_runtime::client::{Client, Form};
use serde_json::Value;

use super::{Entry, Place, line, native_event};
use crate::model::Catalog;

/// How a script begins that hookgen made. Each catalog's lines hear the event; a refusal is said at once, the rest last.
const HEAD: &str =
    "#!/bin/sh\n# Made by hookgen: catalogs have their lines here, and nothing else does.\ninput=$(cat)\nsaid=\n";
const TAIL: &str = "printf %s \"$said\"\n";

/// The lines of the catalog, by the name of the executable.
pub(super) fn scripts(
    catalog: &Catalog,
    client: &'static Client,
    place: &Place,
    entries: &[Entry],
) -> Vec<(&'static str, String)> {
    let mut scripts: Vec<(&'static str, String)> = Vec::new();
    for entry in entries {
        let lines = lines(catalog, client, place, entry);
        let name = native_event(client, entry.event);
        match scripts.iter_mut().find(|(known, _)| *known == name) {
            Some((_, text)) => text.push_str(&lines),
            None => scripts.push((name, lines)),
        }
    }
    scripts
}

fn lines(catalog: &Catalog, client: &'static Client, place: &Place, entry: &Entry) -> String {
    let call =
        line(catalog, client, place, &Entry { closed: false, arguments: entry.arguments.clone(), ..copy(entry) });
    let Form::Executables { refused, reason, .. } = client.registration.form else { return String::new() };
    let mut lines = format!("out=$(printf %s \"$input\" | {call} 2>/dev/null); s=$?\n");
    if entry.closed {
        let silent = format!(
            "The hooks of {} did not answer, so this is refused. Install them again with hookgen.",
            catalog.name
        );
        let why = Value::from(silent);
        lines.push_str(&format!("[ $s = 0 ] || {{ printf %s '{refused},\"{reason}\":{why}}}'; exit 0; }}\n"));
    }
    lines.push_str(&format!("case $out in '{refused}'*) printf %s \"$out\"; exit 0 ;; ?*) said=$out ;; esac\n"));
    lines
}

fn copy(entry: &Entry) -> Entry {
    Entry {
        event: entry.event,
        matcher: entry.matcher.clone(),
        arguments: Vec::new(),
        timeout_ms: entry.timeout_ms,
        closed: entry.closed,
    }
}

fn marks(catalog: &str) -> [String; 2] {
    [format!("# hookgen: {catalog}\n"), format!("# hookgen: end of {catalog}\n")]
}

/// A script with the catalog's lines in it, in the place of those that it had. `None` if somebody else made it.
pub fn with_lines(script: &str, catalog: &str, lines: &str) -> Option<String> {
    let script = if script.is_empty() { format!("{HEAD}{TAIL}") } else { without_lines(script, catalog)? };
    let before = script.strip_suffix(TAIL)?;
    let [begin, end] = marks(catalog);
    Some(format!("{before}{begin}{lines}{end}{TAIL}"))
}

/// A script without the catalog's lines; empty if there are no others. `None` if somebody else made it.
pub fn without_lines(script: &str, catalog: &str) -> Option<String> {
    if !script.starts_with(HEAD) || !script.ends_with(TAIL) {
        return None;
    }
    let [begin, end] = marks(catalog);
    let Some((before, rest)) = script.split_once(&begin) else { return Some(script.to_owned()) };
    let (_, after) = rest.split_once(&end)?;
    Some(format!("{before}{after}"))
}

/// Whether nothing of any catalog is in it.
pub fn is_idle(script: &str) -> bool {
    script == format!("{HEAD}{TAIL}")
}

/// Whether the catalog has lines in it.
pub fn has_lines(script: &str, catalog: &str) -> bool {
    script.contains(&marks(catalog)[0])
}
