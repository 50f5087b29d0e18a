//! What else is at work beside the catalogs of a project: each other, plugins of the same name, and the administrator's word.

use camino::{Utf8Path, Utf8PathBuf};
use hookgen_runtime::client::CLAUDE;
use hookgen_runtime::client::claude::places::{ADMINISTRATORS, SETTINGS_FILES};
use hookgen_runtime::managed::Managed;
use serde_json::Value;

use super::doctor::programs;
use super::install::LIMIT;
use crate::disk;
use crate::emit::READ_FROM;

/// Something worth knowing.
pub(super) struct Neighbour {
    pub(super) fine: bool,
    pub(super) told: String,
}

pub(super) fn look(into: &Utf8Path, catalogs: &[String]) -> Vec<Neighbour> {
    let mut found = shared_configs(into, catalogs);
    let files = settings(into);
    for catalog in catalogs {
        for file in files.iter().filter(|file| enables(file, catalog)) {
            let what = "enables a plugin of that name as well, so every event is answered twice; take one out";
            found.push(Neighbour { fine: false, told: format!("claude {catalog}: {file} {what}") });
        }
        found.extend(match Managed::of(catalog) {
            Managed::Nobody => None,
            Managed::File(file) => {
                let told = format!("claude {catalog}: {} has the last word on its settings", file.display());
                Some(Neighbour { fine: true, told })
            }
            Managed::Doubtful(why) => Some(Neighbour { fine: false, told: format!("claude {catalog}: {why}") }),
        });
    }
    found
}

/// Catalogs that take each other's settings for slips.
fn shared_configs(into: &Utf8Path, catalogs: &[String]) -> Vec<Neighbour> {
    let configs: Vec<(&String, String)> =
        catalogs.iter().filter_map(|catalog| Some((catalog, config(into, catalog)?))).collect();
    let mut found = Vec::new();
    for (place, (one, file)) in configs.iter().enumerate() {
        for (other, _) in configs.iter().skip(place + 1).filter(|(_, theirs)| theirs == file) {
            let told =
                format!("claude {one}, {other}: both read {file}, and each takes the other's settings for slips");
            found.push(Neighbour { fine: false, told });
        }
    }
    found
}

/// The config file that an installed catalog reads, as it says in its file of defaults.
fn config(into: &Utf8Path, catalog: &str) -> Option<String> {
    let folder = programs(into, CLAUDE).join(catalog).join("config");
    let files = folder.read_dir_utf8().ok()?.flatten();
    files.into_iter().find_map(|file| {
        let text = text_of(file.path())?;
        let (_, after) = text.split_once(READ_FROM)?;
        after.split('`').nth(1).map(str::to_owned)
    })
}

fn settings(into: &Utf8Path) -> Vec<Utf8PathBuf> {
    let home = std::env::var("HOME").map(Utf8PathBuf::from).ok();
    let own = [Some(into.to_owned()), home]
        .into_iter()
        .flatten()
        .flat_map(|place| SETTINGS_FILES.iter().map(move |file| place.join(file)));
    let managed = ADMINISTRATORS.iter().flat_map(|folder| {
        let folder = Utf8Path::new(folder);
        let parts = folder.join("managed-settings.d").read_dir_utf8().into_iter().flatten().flatten();
        std::iter::once(folder.join("managed-settings.json")).chain(parts.map(|part| part.path().to_owned()))
    });
    let mut files: Vec<Utf8PathBuf> = own.chain(managed).filter(|file| file.is_file()).collect();
    files.sort();
    files.dedup();
    files
}

fn enables(file: &Utf8Path, catalog: &str) -> bool {
    let settings: Value = text_of(file).and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    let plugins = settings.get("enabledPlugins").and_then(Value::as_object).into_iter().flatten();
    plugins
        .filter(|(_, enabled)| **enabled != Value::Bool(false))
        .any(|(plugin, _)| plugin.split('@').next() == Some(catalog))
}

fn text_of(file: &Utf8Path) -> Option<String> {
    String::from_utf8(disk::read(file, LIMIT).ok()?).ok()
}
