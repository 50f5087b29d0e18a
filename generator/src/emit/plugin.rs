//! The plugin's manifest. The client finds `hooks/hooks.json` by itself, so the manifest does not name it.

use serde::Serialize;

use super::{Bug, Emitter, Output, Target, pretty_json};
use crate::model;

/// Makes `.claude-plugin/plugin.json`.
pub(super) struct Plugin;

#[derive(Serialize)]
struct Manifest<'a> {
    name: &'a str,
    version: &'a str,
    description: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<Author<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    license: Option<&'a str>,
}

#[derive(Serialize)]
struct Author<'a> {
    name: &'a str,
}

impl Emitter for Plugin {
    fn name(&self) -> &'static str {
        "plugin manifest"
    }

    fn emit(&self, catalog: &model::Catalog, _: &Target) -> Result<Vec<Output>, Bug> {
        let manifest = Manifest {
            name: &catalog.name,
            version: &catalog.version,
            description: catalog.description.trim(),
            author: catalog.author.as_deref().map(|name| Author { name }),
            license: catalog.license.as_deref(),
        };
        Ok(vec![Output::new(".claude-plugin/plugin.json", pretty_json(&manifest)?)])
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::fixture;
    use super::*;

    fn manifest(catalog: &model::Catalog) -> Value {
        let outputs = Plugin.emit(catalog, &fixture::target()).expect("emits");
        assert_eq!(outputs[0].path, ".claude-plugin/plugin.json");
        serde_json::from_str(&outputs[0].text).expect("JSON")
    }

    #[test]
    fn the_manifest_holds_what_the_catalog_says() {
        let expected = json!({
            "name": "demo", "version": "1.2.3", "description": "Guards | a \"demo\".", "author": { "name": "The Team" },
            "license": "MIT"
        });
        assert_eq!(manifest(&fixture::full()), expected);
    }

    #[test]
    fn what_the_catalog_does_not_say_is_left_out() {
        let keys: Vec<_> = manifest(&fixture::smallest()).as_object().expect("object").keys().cloned().collect();
        assert_eq!(keys, ["name", "version", "description"]);
    }
}
