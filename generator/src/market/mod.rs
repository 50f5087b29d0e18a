//! A marketplace of plugins that were shipped: the list that clients read, and an archive of each with its SHA-256.

mod zip;

use std::fs;
use std::io::ErrorKind;

use anyhow::{Context as _, bail};
use camino::{Utf8Path, Utf8PathBuf};
use serde_json::{Map, Value, json};

use crate::disk;
use crate::emit::record;
use crate::place::as_written;
use zip::zip;

/// The list, from the folder of the marketplace.
pub const LIST: &str = ".claude-plugin/marketplace.json";
/// The archives, and what tells whether they are whole.
const ARCHIVES: &str = "archives";
const SUMS: &str = "SHA256SUMS";
const MANIFEST: &str = ".claude-plugin/plugin.json";

/// A marketplace to be, in the folder that its plugins are in.
#[derive(Debug)]
pub struct Market<'m> {
    pub name: &'m str,
    pub folder: &'m Utf8Path,
    /// Where archives will be fetched from. Without it, clients take the folders beside the list.
    pub archives: Option<&'m str>,
}

/// What became of one plugin.
#[derive(Debug)]
pub struct Listed {
    pub archive: Utf8PathBuf,
    pub sha256: String,
}

/// A plugin as it goes to the marketplace.
struct Plugin {
    manifest: Map<String, Value>,
    archive: String,
    bytes: Vec<u8>,
}

impl Market<'_> {
    /// Whether it can be made at all, to be asked before anything is.
    pub fn check(&self) -> anyhow::Result<()> {
        check_name(self.name)?;
        if let Some(base) = self.archives.filter(|base| !base.starts_with("https://")) {
            bail!("clients fetch archives from addresses that begin with `https://`, not from `{base}`");
        }
        self.known().map(drop)
    }

    /// Lists these plugins, each a folder that hookgen has filled. Others that are listed stay. A version that was archived with
    /// other bytes is refused: who has it would never get the new ones.
    pub fn list(&self, plugins: &[Utf8PathBuf]) -> anyhow::Result<Vec<Listed>> {
        let mut list = self.known()?;
        let plugins = plugins.iter().map(|folder| plugin(folder)).collect::<anyhow::Result<Vec<_>>>()?;
        let archives = self.folder.join(ARCHIVES);
        for plugin in &plugins {
            let path = archives.join(&plugin.archive);
            if fs::read(&path).is_ok_and(|known| known != plugin.bytes) {
                bail!(
                    "`{path}` has other bytes, and whoever installed that version keeps them; raise `version` in the catalog"
                );
            }
        }
        let mut listed = Vec::new();
        for plugin in plugins {
            let sha256 = record::digest(&plugin.bytes);
            enter(&mut list, self.entry(&plugin, &sha256));
            let archive = archives.join(&plugin.archive);
            disk::write(&archive, &plugin.bytes)?;
            listed.push(Listed { archive, sha256 });
        }
        self.note_sums(&listed)?;
        self.describe(&mut list);
        let text = serde_json::to_string_pretty(&list).context("cannot write the list of plugins as JSON")?;
        disk::write(&self.folder.join(LIST), text + "\n")?;
        Ok(listed)
    }

    /// The list that is there, or a new one.
    fn known(&self) -> anyhow::Result<Map<String, Value>> {
        let path = self.folder.join(LIST);
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Map::new()),
            read => read.with_context(|| format!("cannot read `{path}`"))?,
        };
        let list: Map<String, Value> =
            serde_json::from_str(&text).with_context(|| format!("`{path}` is no list of plugins"))?;
        match list.get("name").and_then(Value::as_str) {
            Some(name) if name == self.name => Ok(list),
            Some(name) => bail!("`{path}` is the marketplace `{name}`; choose another folder with `--out`"),
            None => bail!("`{path}` is no list of plugins; move it away, or choose another folder with `--out`"),
        }
    }

    fn entry(&self, plugin: &Plugin, sha256: &str) -> Map<String, Value> {
        let name = plugin.name();
        let source = match self.archives {
            Some(base) => {
                let url = format!("{}/{}", base.trim_end_matches('/'), plugin.archive);
                json!({ "source": "archive", "url": url, "sha256": sha256 })
            }
            None => json!(format!("./{name}")),
        };
        let mut entry = Map::from_iter([("name".to_owned(), json!(name)), ("source".to_owned(), source)]);
        let known = ["version", "description", "author", "license"];
        let known = known.iter().filter_map(|key| Some(((*key).to_owned(), plugin.manifest.get(*key)?.clone())));
        entry.extend(known);
        entry
    }

    /// What the list says of itself, unless somebody has written it.
    fn describe(&self, list: &mut Map<String, Value>) {
        let entries = list.remove("plugins").unwrap_or_default();
        let author = entries.as_array().into_iter().flatten().find_map(|entry| entry.get("author").cloned());
        list.insert("name".to_owned(), json!(self.name));
        list.entry("owner").or_insert_with(|| author.unwrap_or_else(|| json!({ "name": self.name })));
        list.entry("description").or_insert_with(|| json!("Hooks that guard coding agents, made by hookgen."));
        list.insert("plugins".to_owned(), entries);
    }

    /// Sums of all archives that are there, old versions among them.
    fn note_sums(&self, listed: &[Listed]) -> anyhow::Result<()> {
        let path = self.folder.join(ARCHIVES).join(SUMS);
        let known = fs::read_to_string(&path).unwrap_or_default();
        let mut sums = record::digests(&known);
        sums.extend(listed.iter().filter_map(|one| Some((one.archive.file_name()?, one.sha256.as_str()))));
        let lines: String = sums.iter().map(|(name, digest)| record::line(Utf8Path::new(name), digest)).collect();
        disk::write(&path, lines)
    }
}

impl Plugin {
    fn name(&self) -> &str {
        self.manifest.get("name").and_then(Value::as_str).unwrap_or_default()
    }
}

/// A plugin by its folder, as hookgen filled it.
fn plugin(folder: &Utf8Path) -> anyhow::Result<Plugin> {
    let items = as_written(folder)?;
    let manifest = items.iter().find(|item| item.path == MANIFEST);
    let manifest = manifest.with_context(|| format!("`{folder}` has no `{MANIFEST}`"))?;
    let manifest: Map<String, Value> =
        serde_json::from_slice(&manifest.content).with_context(|| format!("`{folder}/{MANIFEST}` cannot be read"))?;
    let of = |key: &str| manifest.get(key).and_then(Value::as_str).with_context(|| format!("`{folder}` has no {key}"));
    let archive = format!("{}-{}.zip", of("name")?, of("version")?);
    let bytes = zip(&items).with_context(|| format!("`{folder}` is too large for an archive"))?;
    Ok(Plugin { manifest, archive, bytes })
}

/// Puts an entry in the place of the one of its name, or last.
fn enter(list: &mut Map<String, Value>, entry: Map<String, Value>) {
    let entries = list.entry("plugins").or_insert_with(|| json!([]));
    let Some(entries) = entries.as_array_mut() else { return };
    match entries.iter_mut().find(|known| known.get("name") == entry.get("name")) {
        Some(known) => *known = Value::Object(entry),
        None => entries.push(Value::Object(entry)),
    }
}

/// Clients name a plugin `plugin@marketplace`.
pub fn check_name(name: &str) -> anyhow::Result<()> {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if name.is_empty() || !name.chars().all(fits) || name.starts_with('-') {
        bail!("`{name}` is no name for a marketplace: take lower-case words and join them with hyphens");
    }
    Ok(())
}
