//! `hookgen lsp`: what editors ask.

use std::fs;
use std::num::NonZeroUsize;

use anyhow::{Context as _, bail};
use camino::Utf8Path;

use super::Finish;
use super::test::evaluated;
use crate::cases::{Outcome, Player, Suite};
use crate::lsp::serve;
use crate::workspace::{self, Loaded, SPECS};

pub(super) fn run() -> anyhow::Result<Finish> {
    serve(&ran)?;
    Ok(Finish::Fine)
}

/// Runs the cases of a catalog as it is being edited whose names hold a text, and says what came of them.
fn ran(path: &Utf8Path, text: &str, filter: &str) -> anyhow::Result<String> {
    let folder = tempfile::Builder::new().prefix("hookgen-lsp-").tempdir().context("cannot create a folder")?;
    let folder = Utf8Path::from_path(folder.path()).context("the folder for temporary files is not UTF-8")?;
    let spec = folder.join(SPECS).join(path.file_name().context("the catalog has no name")?);
    fs::create_dir_all(folder.join(SPECS)).with_context(|| format!("cannot create `{folder}`"))?;
    fs::write(&spec, text).with_context(|| format!("cannot write `{spec}`"))?;
    let mut outcomes: Vec<Outcome> = Vec::new();
    for project in &workspace::find(folder, &[])? {
        let loaded = Loaded::new(project);
        if loaded.has_errors() {
            bail!("the catalog has errors, so no case can run");
        }
        for (catalog, plugin) in loaded.catalogs.iter().zip(evaluated(&loaded, &folder.join("plugins"))?) {
            let suite = Suite::new(catalog, filter);
            if !suite.is_empty() {
                outcomes.extend(suite.run(&Player::processes(plugin), NonZeroUsize::MIN)?);
            }
        }
    }
    let failed: Vec<String> = outcomes.iter().filter(|outcome| !outcome.passed()).map(ToString::to_string).collect();
    Ok(match (outcomes.len(), failed.len()) {
        (0, _) => "no such case".to_owned(),
        (all, 0) => format!("{all} passed"),
        (all, some) => format!("{some} of {all} failed\n{}", failed.join("\n")),
    })
}
