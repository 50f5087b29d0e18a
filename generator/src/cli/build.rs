//! `hookgen build`: everything generated, written.

use camino::{Utf8Path, Utf8PathBuf};

use super::args::BuildArgs;
use super::console::{count, data, talk};
use super::fold::fold;
use super::{Finish, load, projects};
use crate::disk::{self, Report};
use crate::emit::ROOT;
use crate::workspace::{Ignoring, Loaded, ignore_output};

pub(super) fn run(args: &BuildArgs) -> anyhow::Result<Finish> {
    let projects = projects(&args.which.catalogs)?;
    let loaded = load(&projects);
    for loaded in &loaded {
        let report = write(loaded)?;
        for (word, paths) in [("created", &report.created), ("updated", &report.updated), ("removed", &report.removed)]
        {
            let lists = [&report.created, &report.updated, &report.removed, &report.unchanged];
            let others: Vec<&Utf8Path> = lists
                .into_iter()
                .filter(|list| !std::ptr::eq(*list, paths))
                .flatten()
                .map(Utf8PathBuf::as_path)
                .collect();
            fold(paths, &others).into_iter().try_for_each(|path| data(format!("{word} {path}")))?;
        }
        let changed = report.created.len() + report.updated.len() + report.removed.len();
        talk(format!("{} changed, {} unchanged", count(changed, "file"), report.unchanged.len()));
    }
    Ok(Finish::of(loaded.iter().any(Loaded::has_errors)))
}

/// Makes the generated folders of a project what its catalogs say, and keeps what is shipped out of its history.
pub(super) fn write(loaded: &Loaded<'_>) -> anyhow::Result<Report> {
    let root = &loaded.project.root;
    let found = disk::snapshot(root)?;
    let mut report = disk::apply(root, &loaded.tree(&found)?, &found)?;
    for folder in loaded.left_over(&found) {
        // All that was generated in it has gone; what cargo built there for itself would keep it alive.
        disk::remove_folder(&root.join(ROOT).join(folder))?;
    }
    match ignore_output(root, false)? {
        (file, Ignoring::Created) => report.created.push(file),
        (file, Ignoring::Updated) => report.updated.push(file),
        (_, Ignoring::Unchanged) => {}
    }
    Ok(report)
}
