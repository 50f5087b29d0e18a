//! What keeps hooks that are registered and trusted from being heard, or from being heard once: switches of the agent's, and
//! registrations beside the one that counts.

use camino::{Utf8Path, Utf8PathBuf};
use hookgen_runtime::client::{Client, Form, Program, named};
use serde_json::Value;

use super::text_of;
use crate::agents::program_folder;

/// The settings that switch every hook off for the agent, of the project and of the person.
pub(super) fn switched_off(into: &Utf8Path, client: &'static Client) -> Vec<String> {
    // Whoever runs what is registered for another agent goes by that one's settings too.
    let others = client.registration.also.iter().filter_map(|also| named(also.of));
    let switches = [client].into_iter().chain(others).flat_map(|client| client.registration.switches);
    let folders: Vec<Utf8PathBuf> = [into.to_owned()].into_iter().chain(home()).collect();
    let places = switches.flat_map(|switch| folders.iter().map(move |folder| (switch, folder.join(switch.file))));
    let off = places.filter(|(switch, path)| setting(&text_of(path), switch.key) == Some(switch.off));
    off.map(|(switch, path)| format!("`{} = {}` in {path} switches every hook off", switch.key, switch.off)).collect()
}

/// Files that start the same program as `own` does, in the folders in which the agent looks for hooks.
pub(super) fn registered_besides(
    into: &Utf8Path,
    client: &'static Client,
    catalog: &str,
    own: &Utf8Path,
) -> Vec<Utf8PathBuf> {
    let registration = &client.registration;
    let is_folder = matches!(registration.form, Form::Flat { own_file: Some(_), .. } | Form::Module);
    let beside = is_folder.then(|| into.join(registration.file));
    let further = registration.further.iter().filter_map(|place| match place.strip_prefix("~/") {
        Some(place) => Some(home()?.join(place)),
        None => Some(into.join(place)),
    });
    let inside = format!("/{}/bin/", program_folder(client, catalog));
    let starts = |text: &str| match registration.program {
        // What is found by a variable of the agent's is found from wherever it runs.
        Program::InProject(_) => text.contains(&inside),
        Program::Absolute | Program::Arguments => text.contains(&format!("{into}{inside}")),
    };
    let mut files: Vec<Utf8PathBuf> = beside.into_iter().chain(further).flat_map(|folder| files_of(&folder)).collect();
    files.sort();
    files.retain(|file| file != own && starts(&text_of(file)));
    files
}

fn files_of(folder: &Utf8Path) -> Vec<Utf8PathBuf> {
    let entries = folder.read_dir_utf8().into_iter().flatten().flatten();
    entries.map(|entry| entry.path().to_owned()).filter(|path| path.is_file()).collect()
}

fn home() -> Option<Utf8PathBuf> {
    std::env::var("HOME").ok().filter(|home| !home.is_empty()).map(Utf8PathBuf::from)
}

/// What a file in JSON or TOML says of a setting, given by its path with dots.
fn setting(text: &str, key: &str) -> Option<bool> {
    if let Ok(document) = serde_json::from_str::<Value>(text) {
        return document.pointer(&format!("/{}", key.replace('.', "/")))?.as_bool();
    }
    let mut table = String::new();
    text.lines().map(str::trim).find_map(|line| {
        if let Some((header, _)) = line.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            table = format!("{}.", header.trim());
        }
        let (name, value) = line.split_once('=')?;
        let is_it = format!("{table}{}", name.trim()) == key;
        value.split('#').next().filter(|_| is_it)?.trim().parse().ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_is_found_in_either_language() {
        for text in [r#"{"a": 1, "features": {"hooks": false}}"#, "x = 1\n[features] # y\nhooks = false # z\n"] {
            assert_eq!(setting(text, "features.hooks"), Some(false), "{text}");
        }
        assert_eq!(setting("features.hooks = true\n[other]\nhooks = false\n", "features.hooks"), Some(true));
        assert_eq!(setting(r#"{"disableAllHooks": true}"#, "disableAllHooks"), Some(true));
        for text in ["", "{}", "[other]\nhooks = false\n", r#"{"features": {"hooks": "no"}}"#] {
            assert_eq!(setting(text, "features.hooks"), None, "{text}");
        }
    }
}
