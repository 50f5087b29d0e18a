//! The same registration for a project's settings, which know no plugin root.

use hookgen_runtime::client::CLAUDE;
use hookgen_runtime::client::claude::places::{PROJECT, in_braces};
use indexmap::IndexMap;
use serde::Serialize;

use super::hooks::{Group, registration};
use super::{Bug, Emitter, Output, Target, pretty_json};
use crate::agents::program_folder;
use crate::model;

/// Makes `settings.fragment.json`.
pub(super) struct Settings;

#[derive(Serialize)]
struct Fragment {
    hooks: IndexMap<&'static str, Vec<Group>>,
}

impl Emitter for Settings {
    fn name(&self) -> &'static str {
        "settings fragment"
    }

    fn emit(&self, catalog: &model::Catalog, _: &Target) -> Result<Vec<Output>, Bug> {
        let folder = program_folder(CLAUDE, &catalog.name);
        let command = format!("{}/{folder}/bin/{}", in_braces(PROJECT), catalog.binary);
        let fragment = Fragment { hooks: registration(catalog, &command) };
        Ok(vec![Output::new("settings.fragment.json", pretty_json(&fragment)?)])
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::super::fixture;
    use super::super::hooks::Hooks;
    use super::*;

    #[test]
    fn only_the_binary_has_another_place_than_in_the_plugin() {
        let catalog = fixture::full();
        let text = |emitter: &dyn Emitter| emitter.emit(&catalog, &fixture::target()).expect("emits").remove(0).text;
        let settings: Value = serde_json::from_str(&text(&Settings)).expect("JSON");
        let plugin =
            text(&Hooks).replace("${CLAUDE_PLUGIN_ROOT}/bin/", "${CLAUDE_PROJECT_DIR}/.claude/hooks/demo/bin/");
        let plugin: Value = serde_json::from_str(&plugin).expect("JSON");
        assert_eq!(settings["hooks"], plugin["hooks"]);
        assert!(!text(&Settings).contains("CLAUDE_PLUGIN_ROOT"));
        assert_eq!(settings.as_object().expect("object").len(), 1);
    }
}
