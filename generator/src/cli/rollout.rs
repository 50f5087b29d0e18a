//! `hookgen rollout`: what brings plugins to every machine of a company.

use anyhow::Context as _;
use camino::Utf8Path;
use hookgen_runtime::managed::{ON_LINUX, ON_MACOS, ON_WINDOWS};
use serde_json::json;

use super::args::RolloutArgs;
use super::console::{count, data, talk};
use super::{Finish, current_folder, load, projects};
use crate::disk;
use crate::market::check_name;
use crate::model::Catalog;
use crate::rollout::{Rollout, conflicts};
use crate::template::Templates;
use crate::workspace::Loaded;

pub(super) fn run(args: &RolloutArgs) -> anyhow::Result<Finish> {
    check_name(&args.marketplace)?;
    let projects = projects(&args.which.catalogs)?;
    let loaded = load(&projects);
    if loaded.iter().any(Loaded::has_errors) {
        return Ok(Finish::Findings);
    }
    let catalogs: Vec<&Catalog> = loaded.iter().flat_map(|loaded| &loaded.catalogs).collect();
    let rollout = Rollout {
        marketplace: &args.marketplace,
        source: &args.source,
        only_hooks: !args.allow_other_hooks,
        only_marketplace: args.only_marketplace,
    };
    let found = conflicts(&catalogs);
    for conflict in &found {
        talk(format!("conflict: {conflict}"));
    }
    let settings = serde_json::to_string_pretty(&rollout.settings(&catalogs)).context("cannot write the settings")?;
    match &args.out {
        Some(out) => write(&current_folder()?.join(out), out, &rollout, &catalogs, &settings)?,
        None => data(settings)?,
    }
    if !found.is_empty() {
        talk(format!("{} between catalogs", count(found.len(), "conflict")));
    }
    Ok(Finish::of(!found.is_empty()))
}

/// The settings, a config per catalog to be cut down, and a page on where all of them go.
fn write(
    folder: &Utf8Path,
    shown: &Utf8Path,
    rollout: &Rollout<'_>,
    catalogs: &[&Catalog],
    settings: &str,
) -> anyhow::Result<()> {
    let file = format!("50-{}.json", rollout.marketplace);
    let configured = catalogs.iter().filter(|catalog| catalog.config_file.is_some());
    let configured: Vec<String> = configured.map(|catalog| format!("`{}`", catalog.name)).collect();
    let plugins: Vec<_> = catalogs
        .iter()
        .map(|catalog| {
            json!({
                "name": rollout.plugin(catalog),
                "version": catalog.version,
                "description": catalog.description.trim(),
                "hooks": catalog.hooks.len(),
            })
        })
        .collect();
    let view = json!({
        "marketplace": rollout.marketplace,
        "file": file,
        "plugins": plugins,
        "configured": configured.join(", "),
        "linux": ON_LINUX,
        "macos": ON_MACOS,
        "windows": ON_WINDOWS,
        "only_hooks": rollout.only_hooks,
        "only_marketplace": rollout.only_marketplace,
        "settings": settings,
    });
    let page = Templates::load()?.render("rollout", &view)? + "\n";
    for (path, text) in
        [(format!("managed-settings.d/{file}"), format!("{settings}\n")), ("ROLLOUT.md".to_owned(), page)]
    {
        disk::write(&folder.join(&path), text)?;
        data(shown.join(path))?;
    }
    Ok(())
}
