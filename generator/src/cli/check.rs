//! `hookgen check`: are the catalogs valid, and is everything generated up to date? Never writes.

use serde_json::json;

use super::args::CheckArgs;
use super::console::{Gone, count, data, talk};
use super::{Finish, load, projects};
use crate::diagnostic::{self, Diagnostic};
use crate::disk;
use crate::drift::{self, Drift};
use crate::workspace::{Loaded, Project};

pub(super) fn run(args: &CheckArgs) -> anyhow::Result<Finish> {
    let projects = projects(&args.which.catalogs)?;
    let loaded = if args.json { load_as_json(&projects)? } else { load(&projects) };
    let mut drifts = Vec::new();
    let (mut files, mut catalogs) = (0, 0);
    for loaded in &loaded {
        let found = disk::snapshot(&loaded.project.root)?;
        let tree = loaded.tree(&found)?;
        files += tree.len();
        catalogs += loaded.catalogs.len();
        drifts.extend(drift::compare(&tree, &found));
    }
    // A reader who has seen enough does not make the drift go away.
    show(&drifts, args.json).or_else(|error| if error.is::<Gone>() { Ok(()) } else { Err(error) })?;
    let diagnostics = || loaded.iter().flat_map(|loaded| &loaded.diagnostics);
    let invalid = diagnostics().any(|diagnostic| diagnostic.is_error() || args.deny_warnings);
    if !drifts.is_empty() {
        talk(format!("out of step with the catalogs: {}", count(drifts.len(), "generated file")));
        talk("hint: run `hookgen build` and commit the result");
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

fn show(drifts: &[Drift], as_json: bool) -> anyhow::Result<()> {
    drifts.iter().try_for_each(|drift| {
        if as_json {
            data(json!({"file": drift.path.as_str(), "source": drift.source, "drift": drift.kind.word()}))
        } else {
            data(drift)
        }
    })
}
