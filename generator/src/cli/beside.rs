//! `hookgen install --plugin`: a catalog put to work inside a plugin that is there already.

use anyhow::{Context as _, bail};
use camino::Utf8Path;
use similar::TextDiff;

use super::args::InstallArgs;
use super::console::{data, talk};
use super::ship::{Making, contents};
use super::{Finish, build};
use crate::beside::{self, Change, Plan};
use crate::model::Catalog;
use crate::workspace::Loaded;

pub(super) fn run(args: &InstallArgs, plugin: &Utf8Path, loaded: &[Loaded<'_>]) -> anyhow::Result<Finish> {
    if !plugin.is_dir() {
        bail!("`{plugin}` is not a folder");
    }
    if plugin.join(crate::emit::record::FILE).exists() {
        bail!("`{plugin}` is a plugin that hookgen made; `hookgen ship` renews it");
    }
    let mut finish = Finish::Fine;
    for loaded in loaded {
        if args.remove {
            for catalog in &loaded.catalogs {
                if !remove(args, plugin, loaded, catalog)? {
                    finish = Finish::Findings;
                }
            }
        } else {
            install(args, plugin, loaded)?;
        }
    }
    Ok(finish)
}

fn install(args: &InstallArgs, plugin: &Utf8Path, loaded: &Loaded<'_>) -> anyhow::Result<()> {
    let outputs = loaded.catalogs.iter().map(|catalog| loaded.outputs(catalog)).collect::<Result<Vec<_>, _>>()?;
    // Showing what would change needs a program, but not the one that takes a compiler.
    let making = if args.dry_run { Making::Portable } else { Making::of(args.debug, args.portable) };
    if !args.dry_run {
        build::write(loaded)?;
    }
    for (catalog, items) in loaded.catalogs.iter().zip(contents(loaded, &outputs, making)?) {
        let plan = beside::install(plugin, catalog, &items)?;
        if carry_out(args, &plan)? {
            data(format!("installed {} in {plugin}", catalog.name))?;
        }
    }
    Ok(())
}

fn remove(args: &InstallArgs, plugin: &Utf8Path, loaded: &Loaded<'_>, catalog: &Catalog) -> anyhow::Result<bool> {
    let outputs = loaded.outputs(catalog)?;
    let fragment = outputs.get("hooks/hooks.json").unwrap_or("{}");
    let fragment = serde_json::from_str(fragment).context("the registration is not JSON")?;
    let Some(plan) = beside::remove(plugin, catalog, &fragment)? else {
        talk(format!("{} is not installed in `{plugin}`", catalog.name));
        return Ok(false);
    };
    if carry_out(args, &plan)? {
        data(format!("removed {} from {plugin}", catalog.name))?;
    }
    Ok(true)
}

/// Does it, or shows it; whether it was done.
fn carry_out(args: &InstallArgs, plan: &Plan) -> anyhow::Result<bool> {
    for note in &plan.notes {
        talk(note);
    }
    if args.dry_run {
        plan.changes.iter().try_for_each(show)?;
        return Ok(false);
    }
    plan.apply()?;
    Ok(true)
}

fn show(change: &Change) -> anyhow::Result<()> {
    let text = |bytes: &Option<Vec<u8>>| match bytes {
        Some(bytes) => String::from_utf8(bytes.clone()).ok(),
        None => Some(String::new()),
    };
    let name = change.path.as_str();
    match (text(&change.before), text(&change.after)) {
        (Some(before), Some(after)) if change.before.is_some() && change.after.is_some() => {
            data(TextDiff::from_lines(&before, &after).unified_diff().header(name, name).to_string().trim_end())
        }
        _ if change.after.is_none() => data(format!("would remove {name}")),
        _ => data(format!("would write {name}")),
    }
}
