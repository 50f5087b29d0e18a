//! `hookgen install`: a catalog put to work in a project, by its settings, without the client's plugins.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;

use anyhow::{Context as _, bail};
use camino::{Utf8Path, Utf8PathBuf};
use serde_json::Value;
use similar::TextDiff;

use super::args::InstallArgs;
use super::console::data;
use super::ship::ship;
use super::{Finish, current_folder, load, projects};
use crate::disk;
use crate::install::{Ours, merged};
use crate::model::Catalog;
use crate::workspace::Loaded;

const FRAGMENT: &str = "settings.fragment.json";

pub(super) fn run(args: &InstallArgs) -> anyhow::Result<Finish> {
    let projects = projects(&args.which.catalogs)?;
    let loaded = load(&projects);
    if loaded.iter().any(Loaded::has_errors) {
        return Ok(Finish::Findings);
    }
    let into = current_folder()?.join(args.into.as_deref().unwrap_or(Utf8Path::new("")));
    if !into.is_dir() {
        bail!("`{into}` is not a folder");
    }
    for loaded in &loaded {
        let site = Site { into: &into, args, loaded };
        if args.remove { site.remove()? } else { site.install()? }
    }
    Ok(Finish::Fine)
}

/// The project that a catalog is installed in.
struct Site<'s> {
    into: &'s Utf8Path,
    args: &'s InstallArgs,
    loaded: &'s Loaded<'s>,
}

impl Site<'_> {
    fn install(&self) -> anyhow::Result<()> {
        // All settings are worked out before anything is written: a file that cannot be merged stops everything.
        for catalog in &self.loaded.catalogs {
            let fragment = self.fragment(catalog)?;
            self.settings(catalog, Some(&fragment), |text, merged| self.show(text, merged))?;
        }
        if self.args.dry_run {
            return Ok(());
        }
        let kept: Vec<_> = self.loaded.catalogs.iter().map(|catalog| configuration(&self.folder(catalog))).collect();
        let old: Vec<_> = self.loaded.catalogs.iter().map(|catalog| self.installed(catalog)).collect();
        ship(self.loaded, &self.hooks(), self.args.debug)?;
        for ((catalog, kept), old) in self.loaded.catalogs.iter().zip(kept).zip(old) {
            restore(&kept?)?;
            let fragment = self.fragment(catalog)?;
            self.merge(catalog, old.as_ref(), Some(&fragment), |_, merged| write(&self.file(), merged))?;
            data(format!("installed {} in {}", catalog.name, self.file()))?;
        }
        Ok(())
    }

    fn remove(&self) -> anyhow::Result<()> {
        for catalog in &self.loaded.catalogs {
            let folder = self.folder(catalog);
            if self.args.dry_run {
                self.settings(catalog, None, |text, merged| self.show(text, merged))?;
                continue;
            }
            self.settings(
                catalog,
                None,
                |text, merged| if text == merged { Ok(()) } else { write(&self.file(), merged) },
            )?;
            // Only what was put there as a whole is removed as a whole.
            if folder.join(FRAGMENT).is_file() && folder.join("bin").join(&catalog.binary).is_file() {
                fs::remove_dir_all(&folder).with_context(|| format!("cannot remove `{folder}`"))?;
            }
            data(format!("removed {} from {}", catalog.name, self.file()))?;
        }
        Ok(())
    }

    fn hooks(&self) -> Utf8PathBuf {
        self.into.join(".claude/hooks")
    }

    fn folder(&self, catalog: &Catalog) -> Utf8PathBuf {
        self.hooks().join(&catalog.name)
    }

    fn file(&self) -> Utf8PathBuf {
        self.into.join(if self.args.local { ".claude/settings.local.json" } else { ".claude/settings.json" })
    }

    fn fragment(&self, catalog: &Catalog) -> anyhow::Result<Value> {
        let outputs = self.loaded.outputs(catalog)?;
        serde_json::from_str(outputs.get(FRAGMENT).unwrap_or("{}")).context("the settings fragment is not JSON")
    }

    /// What an earlier installation registered. Without it, handlers are still known by their command.
    fn installed(&self, catalog: &Catalog) -> Option<Value> {
        serde_json::from_str(&fs::read_to_string(self.folder(catalog).join(FRAGMENT)).ok()?).ok()
    }

    fn settings(
        &self,
        catalog: &Catalog,
        fragment: Option<&Value>,
        then: impl FnOnce(&str, &str) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        self.merge(catalog, self.installed(catalog).as_ref(), fragment, then)
    }

    fn merge(
        &self,
        catalog: &Catalog,
        installed: Option<&Value>,
        fragment: Option<&Value>,
        then: impl FnOnce(&str, &str) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let file = self.file();
        let text = match fs::read_to_string(&file) {
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            read => read.with_context(|| format!("cannot read `{file}`"))?,
        };
        let folder = format!("/.claude/hooks/{}/bin/", catalog.name);
        let merged = merged(&text, &Ours { folder: &folder, installed }, fragment)
            .with_context(|| format!("`{file}` is left alone"))?;
        then(&text, &merged)
    }

    /// What would change, where that is all that was asked for.
    fn show(&self, text: &str, merged: &str) -> anyhow::Result<()> {
        if !self.args.dry_run || text == merged {
            return Ok(());
        }
        let name = self.file().to_string();
        let diff = TextDiff::from_lines(text, merged).unified_diff().header(&name, &name).to_string();
        data(diff.trim_end())
    }
}

/// The files that operators may have edited, as they are.
fn configuration(plugin: &Utf8Path) -> anyhow::Result<BTreeMap<Utf8PathBuf, Vec<u8>>> {
    let folder = plugin.join("config");
    let mut files = BTreeMap::new();
    let entries = match folder.read_dir_utf8() {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(files),
        entries => entries.with_context(|| format!("cannot list `{folder}`"))?,
    };
    for entry in entries {
        let path = entry.with_context(|| format!("cannot list `{folder}`"))?.into_path();
        if path.is_file() {
            let bytes = fs::read(&path).with_context(|| format!("cannot read `{path}`"))?;
            files.insert(path, bytes);
        }
    }
    Ok(files)
}

fn restore(files: &BTreeMap<Utf8PathBuf, Vec<u8>>) -> anyhow::Result<()> {
    for (path, bytes) in files {
        fs::write(path, bytes).with_context(|| format!("cannot write `{path}`"))?;
    }
    Ok(())
}

/// Replaces the settings in one step: the client may be reading them. A link to them stays a link.
fn write(file: &Utf8Path, text: &str) -> anyhow::Result<()> {
    let place = file.canonicalize_utf8().unwrap_or_else(|_| file.to_owned());
    disk::write(&place, text)
}
