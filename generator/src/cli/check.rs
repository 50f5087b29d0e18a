//! `hookgen check`: are the catalogs valid, and is everything generated up to date? Never writes.

use serde_json::json;

use super::args::CheckArgs;
use super::console::{Gone, count, data, talk};
use super::fold::fold;
use super::{Finish, load, projects};
use crate::diagnostic::{self, Diagnostic};
use crate::disk;
use crate::drift::{self, Drift, Kind, Snapshot};
use crate::workspace::{Loaded, Project};

pub(super) fn run(args: &CheckArgs) -> anyhow::Result<Finish> {
    let projects = projects(&args.which.catalogs)?;
    let loaded = if args.json { load_as_json(&projects)? } else { load(&projects) };
    let mut drifts = Vec::new();
    let mut lines = Vec::new();
    let (mut files, mut catalogs) = (0, 0);
    for loaded in &loaded {
        let found = disk::snapshot(&loaded.project.root)?;
        let tree = loaded.tree(&found)?;
        files += tree.len();
        catalogs += loaded.catalogs.len();
        let here = drift::compare(&tree, &found);
        lines.extend(if args.json { here.iter().map(as_json).collect() } else { in_words(&here, &found) });
        drifts.extend(here);
    }
    // A reader who has seen enough does not make the drift go away.
    lines.iter().try_for_each(data).or_else(|error| if error.is::<Gone>() { Ok(()) } else { Err(error) })?;
    let diagnostics = || loaded.iter().flat_map(|loaded| &loaded.diagnostics);
    let invalid = diagnostics().any(|diagnostic| diagnostic.is_error() || args.deny_warnings);
    if !drifts.is_empty() {
        talk(format!("out of step with the catalogs: {}", count(drifts.len(), "generated file")));
        let first = if diagnostics().any(Diagnostic::is_error) { "mend the catalog, then " } else { "" };
        talk(format!("hint: {first}run `hookgen build` and commit the result"));
    } else if !invalid {
        talk(format!("{} and {} are up to date", count(catalogs, "catalog"), count(files, "generated file")));
    } else if !diagnostics().any(Diagnostic::is_error) {
        talk("warnings are denied");
    }
    Ok(Finish::of(invalid || !drifts.is_empty()))
}

fn load_as_json(projects: &[Project]) -> anyhow::Result<Vec<Loaded<'_>>> {
    let loaded: Vec<_> = projects.iter().map(Loaded::new).collect();
    let diagnostics: Vec<_> = loaded.iter().flat_map(|loaded| loaded.diagnostics.iter().cloned()).collect();
    diagnostic::json_lines(&diagnostics).lines().try_for_each(data)?;
    Ok(loaded)
}

fn as_json(drift: &Drift) -> String {
    json!({"file": drift.path.as_str(), "source": drift.source, "drift": drift.kind.word()}).to_string()
}

/// The drifts in the order of their paths; a folder that is missing altogether on one line.
fn in_words(drifts: &[Drift], found: &Snapshot) -> Vec<String> {
    let (missing, others): (Vec<&Drift>, Vec<&Drift>) = drifts.iter().partition(|drift| drift.kind == Kind::Missing);
    let missing: Vec<_> = missing.into_iter().map(|drift| drift.path.clone()).collect();
    let present: Vec<_> = found.files.keys().map(camino::Utf8PathBuf::as_path).collect();
    let missing = fold(&missing, &present).into_iter().map(|path| (path.clone(), format!("missing  {path}")));
    let others = others.into_iter().map(|drift| (drift.path.to_string(), drift.to_string()));
    let mut lines: Vec<(String, String)> = missing.chain(others).collect();
    lines.sort();
    lines.into_iter().map(|(_, line)| line).collect()
}
