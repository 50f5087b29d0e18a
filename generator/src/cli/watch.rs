//! `hookgen watch`: on every save, what is wrong with the catalogs, which cases fail and what has drifted.

use std::collections::BTreeMap;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use anyhow::Context as _;
use camino::{Utf8Path, Utf8PathBuf};

use super::args::WatchArgs;
use super::console::{count, data};
use super::test::standing;
use super::{Finish, current_folder, projects};
use crate::cases::Outcome;
use crate::diagnostic::render;
use crate::disk;
use crate::drift;
use crate::model::Catalog;
use crate::parallel;
use crate::scratch;
use crate::workspace::{Loaded, SPECS};

/// How often files are looked at. Asking for the times of a handful of files costs next to nothing, works on every file
/// system and needs no crate.
const PAUSE: Duration = Duration::from_millis(150);

pub(super) fn run(args: &WatchArgs) -> anyhow::Result<Finish> {
    let mut seen = None;
    loop {
        let now = times(&args.which.catalogs)?;
        if seen.as_ref() != Some(&now) {
            let well = look(args, seen.as_ref(), &now)?;
            seen = Some(now);
            if args.once {
                return Ok(Finish::of(!well));
            }
        }
        thread::sleep(PAUSE);
    }
}

type Times = BTreeMap<Utf8PathBuf, Option<SystemTime>>;

/// When the catalogs and what lies beside them were last changed.
fn times(catalogs: &[String]) -> anyhow::Result<Times> {
    let mut files: Vec<Utf8PathBuf> = Vec::new();
    // A catalog that is being replaced is not there for a moment.
    for project in projects(catalogs).unwrap_or_default() {
        files.extend(project.specs.into_iter().map(|spec| spec.path));
    }
    let mut folders = vec![current_folder()?.join(SPECS)];
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir_utf8().into_iter().flatten().flatten() {
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if is_folder { &mut folders } else { &mut files }.push(entry.path().to_owned());
        }
    }
    let changed = |file: &Utf8PathBuf| file.metadata().and_then(|about| about.modified()).ok();
    Ok(files.into_iter().map(|file| (file.clone(), changed(&file))).collect())
}

/// Says how things stand; whether all is well.
fn look(args: &WatchArgs, before: Option<&Times>, now: &Times) -> anyhow::Result<bool> {
    let began = Instant::now();
    let projects = projects(&args.which.catalogs)?;
    let mut well = true;
    let mut lines = Vec::new();
    for project in &projects {
        let loaded = Loaded::new(project);
        let text = render(&loaded.diagnostics, true);
        if !text.is_empty() {
            lines.push(text.trim_end().to_owned());
        }
        well &= !loaded.has_errors();
        let changed = |catalog: &Catalog| {
            let mut files = catalog.files.iter().chain([&catalog.source]).map(|file| project.root.join(file));
            before.is_none_or(|before| files.any(|file| before.get(&file) != now.get(&file)))
        };
        let (passed, failed) = cases(&loaded, &changed)?;
        lines.extend(failed.iter().map(ToString::to_string));
        well &= failed.is_empty();
        if !loaded.has_errors() {
            let drifts = drifts(&loaded)?;
            well &= drifts == 0;
            let stale = if drifts == 0 {
                "generated files up to date".to_owned()
            } else {
                format!("{} out of step, run `hookgen build`", count(drifts, "generated file"))
            };
            lines.push(format!("{passed} passed, {} failed; {stale}", failed.len()));
        }
    }
    for line in lines {
        data(line)?;
    }
    data(format!("── {} ── {} ms", if well { "fine" } else { "not yet" }, began.elapsed().as_millis()))?;
    Ok(well)
}

/// The cases of catalogs that have changed: how many pass, and those that do not.
fn cases(loaded: &Loaded<'_>, changed: &dyn Fn(&Catalog) -> bool) -> anyhow::Result<(usize, Vec<Outcome>)> {
    let folder = scratch::folder("watch")?;
    let folder = Utf8Path::from_path(folder.path()).context("the folder for temporary files is not UTF-8")?;
    if loaded.has_errors() || !loaded.catalogs.iter().any(changed) {
        return Ok((0, Vec::new()));
    }
    let jobs = parallel::waiting();
    let (passed, failed): (Vec<_>, Vec<_>) =
        standing(loaded, folder, "", changed, jobs)?.into_iter().partition(Outcome::passed);
    Ok((passed.len(), failed))
}

fn drifts(loaded: &Loaded<'_>) -> anyhow::Result<usize> {
    let found = disk::snapshot(&loaded.project.root)?;
    Ok(drift::compare(&loaded.tree(&found)?, &found).len())
}
