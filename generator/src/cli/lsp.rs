//! `hookgen lsp`: what editors ask.

use std::fs;
use std::num::NonZeroUsize;

use anyhow::{Context as _, bail};
use camino::Utf8Path;

use super::Finish;
use super::test::standing;
use crate::cases::Outcome;
use crate::lsp::{Part, serve};
use crate::scratch;
use crate::workspace::{self, Loaded, SPECS};

/// Folders in folders that a catalog's files may lie in.
const DEEPEST: usize = 4;

pub(super) fn run() -> anyhow::Result<Finish> {
    serve(&ran)?;
    Ok(Finish::Fine)
}

/// Runs the cases of a catalog as it is being edited whose names hold a text, and says what came of them.
fn ran(part: &Part, filter: &str) -> anyhow::Result<String> {
    let folder = scratch::folder("lsp")?;
    let folder = Utf8Path::from_path(folder.path()).context("the folder for temporary files is not UTF-8")?;
    // What it uses or extends lies among the catalogs of the project, or beside it.
    if part.main.starts_with(SPECS) {
        copy(&part.root.join(SPECS), &folder.join(SPECS), DEEPEST)?;
    } else {
        copy(&part.root, folder, 0)?;
    }
    for (path, text) in &part.open {
        let place = folder.join(path);
        fs::create_dir_all(place.parent().unwrap_or(folder)).with_context(|| format!("cannot create `{folder}`"))?;
        fs::write(&place, text).with_context(|| format!("cannot write `{place}`"))?;
    }
    let spec = folder.join(&part.main);
    let mut outcomes: Vec<Outcome> = Vec::new();
    for project in &workspace::find(folder, &[spec.into_string()])? {
        let loaded = Loaded::new(project);
        if loaded.has_errors() {
            bail!("the catalog has errors, so no case can run");
        }
        outcomes.extend(standing(&loaded, &folder.join("plugins"), filter, &|_| true, NonZeroUsize::MIN)?);
    }
    let failed: Vec<String> = outcomes.iter().filter(|outcome| !outcome.passed()).map(ToString::to_string).collect();
    Ok(match (outcomes.len(), failed.len()) {
        (0, _) => "no such case".to_owned(),
        (all, 0) => format!("{all} passed"),
        (all, some) => format!("{some} of {all} failed\n{}", failed.join("\n")),
    })
}

/// Copies the YAML files of a folder, and of those in it so many deep.
fn copy(from: &Utf8Path, to: &Utf8Path, deep: usize) -> anyhow::Result<()> {
    fs::create_dir_all(to).with_context(|| format!("cannot create `{to}`"))?;
    for file in from.read_dir_utf8().into_iter().flatten().flatten() {
        let (place, copied) = (file.path(), to.join(file.file_name()));
        if place.is_dir() && deep > 0 {
            copy(place, &copied, deep - 1)?;
        } else if matches!(place.extension(), Some("yaml" | "yml")) && place.is_file() {
            fs::copy(place, &copied).with_context(|| format!("cannot write `{copied}`"))?;
        }
    }
    Ok(())
}
