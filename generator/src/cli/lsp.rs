//! `hookgen lsp`: what editors ask.

use std::fs;
use std::num::NonZeroUsize;

use anyhow::{Context as _, bail};
use camino::Utf8Path;

use super::Finish;
use super::test::standing;
use crate::cases::Outcome;
use crate::lsp::serve;
use crate::scratch;
use crate::workspace::{self, Loaded, SPECS};

pub(super) fn run() -> anyhow::Result<Finish> {
    serve(&ran)?;
    Ok(Finish::Fine)
}

/// Runs the cases of a catalog as it is being edited whose names hold a text, and says what came of them.
fn ran(path: &Utf8Path, text: &str, filter: &str) -> anyhow::Result<String> {
    let folder = scratch::folder("lsp")?;
    let folder = Utf8Path::from_path(folder.path()).context("the folder for temporary files is not UTF-8")?;
    let specs = folder.join(SPECS);
    let spec = specs.join(path.file_name().context("the catalog has no name")?);
    fs::create_dir_all(&specs).with_context(|| format!("cannot create `{folder}`"))?;
    // What it uses or extends lies beside it.
    let beside = path.parent().and_then(|parent| parent.read_dir_utf8().ok()).into_iter().flatten().flatten();
    for file in beside.filter(|file| file.path().extension() == Some("yaml") && file.path().is_file()) {
        let copy = specs.join(file.file_name());
        fs::copy(file.path(), &copy).with_context(|| format!("cannot write `{copy}`"))?;
    }
    fs::write(&spec, text).with_context(|| format!("cannot write `{spec}`"))?;
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
