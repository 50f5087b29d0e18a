//! A catalog inside the plugin of somebody else: its hooks, its binary, its documentation and the config keys that are
//! missing, beside what is there. Manifest, README and hooks of others stay to the byte, and all of it can be taken out.

mod config;
mod record;
#[cfg(test)]
mod tests;

use std::fs;

use anyhow::{Context as _, anyhow, bail};
use camino::{Utf8Path, Utf8PathBuf};
use serde_json::Value;

use crate::disk;
use crate::emit::SettingsTree;
use crate::install::{Ours, Settings, Unfit};
use crate::model::Catalog;
use crate::place::Item;
use record::Record;

const HOOKS: &str = "hooks/hooks.json";
const DOCS: &str = "docs/HOOKS.md";
const LIMIT: u64 = 64 * 1024 * 1024;

/// What a run changes in a plugin, worked out before anything is written.
#[derive(Debug, Default)]
pub struct Plan {
    pub changes: Vec<Change>,
    /// What the person should know.
    pub notes: Vec<String>,
    /// Folders that go when nothing is in them any more, the innermost first.
    folders: Vec<Utf8PathBuf>,
}

/// A file before and after; `None` where there is none.
#[derive(Debug)]
pub struct Change {
    pub path: Utf8PathBuf,
    pub before: Option<Vec<u8>>,
    pub after: Option<Vec<u8>>,
    executable: bool,
}

impl Plan {
    /// Makes the changes, the registration last when it comes and first when it goes, so that it never names a program
    /// that is not there.
    pub fn apply(&self) -> anyhow::Result<()> {
        let registers = |change: &&Change| change.path.ends_with(HOOKS);
        let goes = self.changes.iter().any(|change| change.after.is_none());
        let (first, last): (Vec<&Change>, Vec<&Change>) =
            self.changes.iter().partition(|change| registers(change) == goes);
        first.into_iter().chain(last).try_for_each(Change::apply)?;
        for folder in &self.folders {
            // One that somebody else uses is not empty, and stays.
            let _ = fs::remove_dir(folder);
        }
        Ok(())
    }

    fn file(
        &mut self,
        plugin: &Utf8Path,
        path: &Utf8Path,
        after: Option<Vec<u8>>,
        executable: bool,
    ) -> anyhow::Result<()> {
        let before = read(plugin, path)?;
        if before != after {
            self.changes.push(Change { path: plugin.join(path), before, after, executable });
        }
        Ok(())
    }
}

impl Change {
    fn apply(&self) -> anyhow::Result<()> {
        let path = &self.path;
        let Some(after) = &self.after else {
            return fs::remove_file(path).with_context(|| format!("cannot remove `{path}`"));
        };
        let folder = path.parent().with_context(|| format!("`{path}` has no folder"))?;
        fs::create_dir_all(folder).with_context(|| format!("cannot create `{folder}`"))?;
        // A link to the file stays a link, and whoever reads it meets the old text or the new one.
        let place = path.canonicalize_utf8().unwrap_or_else(|_| path.clone());
        let beside = place.with_file_name(format!(".{}.hookgen", place.file_name().unwrap_or_default()));
        let written =
            fs::write(&beside, after).and_then(|()| self.permit(&beside)).and_then(|()| fs::rename(&beside, &place));
        written.with_context(|| format!("cannot write `{path}`"))
    }

    #[cfg(unix)]
    fn permit(&self, file: &Utf8Path) -> std::io::Result<()> {
        use std::os::unix::fs::PermissionsExt as _;
        let before = fs::metadata(&self.path).map(|metadata| metadata.permissions()).ok();
        match before.filter(|_| !self.executable) {
            Some(permissions) => fs::set_permissions(file, permissions),
            None if self.executable => fs::set_permissions(file, fs::Permissions::from_mode(0o755)),
            None => Ok(()),
        }
    }

    #[cfg(not(unix))]
    fn permit(&self, _: &Utf8Path) -> std::io::Result<()> {
        Ok(())
    }
}

/// What putting the catalog into the plugin changes there; `items` are the files of a plugin of its own.
pub fn install(plugin: &Utf8Path, catalog: &Catalog, items: &[Item]) -> anyhow::Result<Plan> {
    let before = Record::read(plugin, &catalog.name).unwrap_or_default();
    let mut plan = Plan::default();
    let mut record = Record {
        about: format!(
            "What hookgen put into this plugin for {}; `hookgen install --remove` goes by it.",
            catalog.name
        ),
        version: catalog.version.clone(),
        folders: before.folders.clone(),
        ..Record::default()
    };
    let fragment = items.iter().find(|item| item.path == HOOKS).map(|item| serde_json::from_slice(&item.content));
    let fragment: Value = fragment.context("the plugin registers no hooks")?.context("the registration is not JSON")?;
    for item in items.iter().filter(|item| is_shared(item)) {
        let path = free_path(plugin, catalog, item, &before)?;
        let there = read(plugin, &path)?;
        let edited = there.as_ref().is_some_and(|bytes| *bytes != item.content && !before.has(&path, bytes));
        record.note(&path, &item.content);
        if edited && !item.executable {
            plan.notes.push(format!("`{path}` was edited and stays as it is"));
            continue;
        }
        plan.file(plugin, &path, Some(item.content.clone()), item.executable)?;
    }
    register(plugin, catalog, &before, &fragment, &mut record, &mut plan)?;
    configure(plugin, catalog, &before, &mut record, &mut plan)?;
    let path = Record::path(&catalog.name);
    for change in &plan.changes {
        note_folders(plugin, &change.path, &mut record);
    }
    note_folders(plugin, &plugin.join(&path), &mut record);
    let text = serde_json::to_vec_pretty(&record).context("the record has no JSON form")?;
    plan.file(plugin, &path, Some(text), false)?;
    Ok(plan)
}

/// What taking the catalog out changes; `None` if nothing of it is there.
pub fn remove(plugin: &Utf8Path, catalog: &Catalog, fragment: &Value) -> anyhow::Result<Option<Plan>> {
    let record = Record::read(plugin, &catalog.name);
    let known = record.iter().map(|record| record.hooks.clone()).chain([fragment.clone()]);
    let ours = Ours::in_plugin(&catalog.binary, known);
    let mut plan = Plan::default();
    if let Some(before) = read(plugin, HOOKS.into())? {
        let mut settings = parse(plugin, &before)?;
        settings.remove(&ours).map_err(|unfit| refusal(plugin, &unfit))?;
        let made = record.as_ref().is_some_and(|record| record.claims(HOOKS.into()));
        let after = if made && !settings.has_any() { None } else { Some(settings.text().as_bytes().to_vec()) };
        plan.file(plugin, HOOKS.into(), after, false)?;
    }
    let Some(record) = record else {
        return Ok((!plan.changes.is_empty()).then_some(plan));
    };
    for path in record.files.keys().map(Utf8Path::new).filter(|path| *path != HOOKS) {
        match read(plugin, path)? {
            Some(bytes) if record.has(path, &bytes) => plan.file(plugin, path, None, false)?,
            Some(_) => plan.notes.push(format!("`{path}` was edited and stays; delete it if you no longer need it")),
            None => {}
        }
    }
    if let Some(path) = config_path(catalog).filter(|path| !record.claims(path) && !record.config.is_empty()) {
        let text = read(plugin, &path)?.map(text_of).transpose()?;
        match text.as_deref().map(|text| config::without(text, &record.config)) {
            Some(Some(text)) => plan.file(plugin, &path, Some(text.into_bytes()), false)?,
            Some(None) => plan.notes.push(format!("what was added to `{path}` was edited since, and stays")),
            None => {}
        }
    }
    plan.file(plugin, &Record::path(&catalog.name), None, false)?;
    plan.folders = record.folders.iter().rev().map(|folder| plugin.join(folder)).collect();
    Ok(Some(plan))
}

/// Whether a file of the catalog's own plugin belongs into another one: what names or describes the plugin does not.
fn is_shared(item: &Item) -> bool {
    ["bin", "docs", "config"].iter().any(|folder| item.path.starts_with(folder))
}

/// Where a file goes: where it is in a plugin of its own, unless somebody else has one there.
fn free_path(plugin: &Utf8Path, catalog: &Catalog, item: &Item, before: &Record) -> anyhow::Result<Utf8PathBuf> {
    let others = |path: &Utf8Path| {
        Ok::<_, anyhow::Error>(!before.claims(path) && read(plugin, path)?.is_some_and(|bytes| bytes != item.content))
    };
    if !others(&item.path)? {
        return Ok(item.path.clone());
    }
    let renamed = item.path.with_file_name(format!("{}-{}", catalog.name, item.path.file_name().unwrap_or_default()));
    if item.path == DOCS && !others(&renamed)? {
        return Ok(renamed);
    }
    bail!("`{}` is there already, and hookgen did not write it; move it away first", plugin.join(&item.path))
}

fn register(
    plugin: &Utf8Path,
    catalog: &Catalog,
    before: &Record,
    fragment: &Value,
    record: &mut Record,
    plan: &mut Plan,
) -> anyhow::Result<()> {
    let ours = Ours::in_plugin(&catalog.binary, [before.hooks.clone(), fragment.clone()]);
    let there = read(plugin, HOOKS.into())?;
    let made = there.is_none() || before.claims(HOOKS.into());
    let mut settings = parse(plugin, there.as_deref().unwrap_or_default())?;
    settings.renew(&ours, fragment).map_err(|unfit| refusal(plugin, &unfit))?;
    let text = settings.text().as_bytes().to_vec();
    if made {
        record.note(HOOKS.into(), &text);
    }
    record.hooks = fragment.clone();
    plan.file(plugin, HOOKS.into(), Some(text), false)
}

/// Adds the keys that the plugin's config file does not have. Where there is none, the defaults hold without one.
fn configure(
    plugin: &Utf8Path,
    catalog: &Catalog,
    before: &Record,
    record: &mut Record,
    plan: &mut Plan,
) -> anyhow::Result<()> {
    let Some(path) = config_path(catalog) else { return Ok(()) };
    let Some(bytes) = read(plugin, &path)? else { return Ok(()) };
    let text = text_of(bytes)?;
    // Keys of an earlier version are renewed, unless somebody changed them: then they are kept in mind as they were.
    let (text, kept) = match config::without(&text, &before.config) {
        Some(text) => (text, Vec::new()),
        None => (text, before.config.clone()),
    };
    match config::complete(path.as_str(), &text, &SettingsTree::of(catalog), &catalog.name) {
        Ok(completed) => {
            record.config = [kept, completed.added].concat();
            if !completed.left_out.is_empty() {
                let keys = completed.left_out.join(", ");
                plan.notes.push(format!("not added to `{path}`, because of the braces around its place: {keys}"));
            }
            plan.file(plugin, &path, Some(completed.text.into_bytes()), false)
        }
        Err(why) => {
            record.config = kept;
            plan.notes.push(format!("`{path}` is left alone: {why}; the defaults hold"));
            Ok(())
        }
    }
}

/// The config file, if it lies in the plugin and is YAML.
fn config_path(catalog: &Catalog) -> Option<Utf8PathBuf> {
    let path = Utf8PathBuf::from(catalog.config_file.as_ref()?.source.strip_prefix("${plugin_root}/")?);
    (!path.as_str().contains("${") && matches!(path.extension(), Some("yaml" | "yml"))).then_some(path)
}

/// Notes the folders above a file that are not there yet.
fn note_folders(plugin: &Utf8Path, file: &Utf8Path, record: &mut Record) {
    let Ok(path) = file.strip_prefix(plugin) else { return };
    let mut folders: Vec<&Utf8Path> = path.ancestors().skip(1).filter(|folder| !folder.as_str().is_empty()).collect();
    folders.reverse();
    for folder in folders {
        if !plugin.join(folder).exists() && !record.folders.iter().any(|known| folder == known.as_str()) {
            record.folders.push(folder.to_string());
        }
    }
}

fn read(plugin: &Utf8Path, path: &Utf8Path) -> anyhow::Result<Option<Vec<u8>>> {
    match disk::read(&plugin.join(path), LIMIT) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        read => read.map(Some).with_context(|| format!("cannot read `{}`", plugin.join(path))),
    }
}

fn text_of(bytes: Vec<u8>) -> anyhow::Result<String> {
    String::from_utf8(bytes).context("the config file is not UTF-8")
}

fn parse(plugin: &Utf8Path, bytes: &[u8]) -> anyhow::Result<Settings> {
    let text = std::str::from_utf8(bytes).with_context(|| format!("`{}` is not UTF-8", plugin.join(HOOKS)))?;
    Settings::parse(text).map_err(|unfit| refusal(plugin, &unfit))
}

fn refusal(plugin: &Utf8Path, unfit: &Unfit) -> anyhow::Error {
    anyhow!("{}:{}:{}: {}; the plugin is left alone", plugin.join(HOOKS), unfit.line, unfit.column, unfit.what)
}
