//! `hookgen check`: are the catalogs valid, and is everything generated up to date? Never writes.

use serde_json::json;

use super::args::{CheckArgs, Format};
use super::console::{Gone, count, data, talk};
use super::fold::fold;
use super::{Finish, formats, load, projects};
use crate::diagnostic::{self, Diagnostic};
use crate::disk;
use crate::drift::{self, Drift, Kind, Snapshot};
use crate::findings::{Finding, Level, Place, Test};
use crate::workspace::{Loaded, Project};

pub(super) fn run(args: &CheckArgs) -> anyhow::Result<Finish> {
    let projects = projects(&args.which.catalogs)?;
    let format = Format::chosen(args.format, args.json);
    let loaded = match format {
        Format::Human => load(&projects),
        Format::Json => load_as_json(&projects)?,
        Format::Github | Format::Sarif | Format::Junit => projects.iter().map(Loaded::new).collect(),
    };
    let mut drifts = Vec::new();
    let mut lines = Vec::new();
    let (mut files, mut catalogs) = (0, 0);
    for loaded in &loaded {
        let found = disk::snapshot(&loaded.project.root)?;
        let tree = loaded.tree(&found)?;
        files += tree.len();
        catalogs += loaded.catalogs.len();
        let here = drift::compare(&tree, &found);
        match format {
            Format::Human => lines.extend(in_words(&here, &found)),
            Format::Json => lines.extend(here.iter().map(as_json)),
            Format::Github | Format::Sarif | Format::Junit => {}
        }
        drifts.extend(here);
    }
    let diagnostics = || loaded.iter().flat_map(|loaded| &loaded.diagnostics);
    let findings: Vec<Finding> = diagnostics().map(Finding::from).chain(drifts.iter().map(drifted)).collect();
    let names = || loaded.iter().flat_map(|loaded| &loaded.catalogs).map(|catalog| catalog.name.as_str());
    lines.extend(formats::text(format, &findings, || tests(&findings, names()))?);
    // A reader who has seen enough does not make the drift go away.
    lines.iter().try_for_each(data).or_else(|error| if error.is::<Gone>() { Ok(()) } else { Err(error) })?;
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

/// A generated file that is out of step.
fn drifted(drift: &Drift) -> Finding {
    Finding {
        rule: "drift".to_owned(),
        about: "a generated file is out of step with its catalog".to_owned(),
        level: Level::Error,
        message: format!("{}: {}; run `hookgen build`", drift.path, drift.kind.word()),
        place: Some(Place::file(drift.path.as_str())),
    }
}

/// Each finding is a test that failed, and each catalog without one is a test that passed.
fn tests<'n>(findings: &[Finding], catalogs: impl Iterator<Item = &'n str>) -> Vec<Test> {
    let failed = findings.iter().map(|finding| Test {
        suite: "check".to_owned(),
        class: finding.place.as_ref().map(|place| place.file.clone()).unwrap_or_default(),
        name: format!("{} {}", finding.rule, finding.place.as_ref().map_or(0, |place| place.line)),
        failure: finding.message.clone(),
        ..Test::default()
    });
    let passed = catalogs.filter(|_| findings.is_empty()).map(|name| Test {
        suite: "check".to_owned(),
        class: name.to_owned(),
        name: "is valid, and what is generated is up to date".to_owned(),
        ..Test::default()
    });
    failed.chain(passed).collect()
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
