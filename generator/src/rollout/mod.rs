//! From catalogs to every machine of a company: the client's managed settings, and what catalogs do to each other there.

mod conflicts;
mod source;

pub use conflicts::{Conflict, conflicts};
pub use source::Source;

use serde_json::{Map, Value, json};

use crate::model::Catalog;

/// What a company wants.
#[derive(Debug)]
pub struct Rollout<'r> {
    pub marketplace: &'r str,
    pub source: &'r Source,
    /// Hooks of persons, projects and plugins that are not enabled here do not run.
    pub only_hooks: bool,
    /// No other marketplace can be added.
    pub only_marketplace: bool,
}

impl Rollout<'_> {
    /// The settings, as the client reads them from a place of the administrator's.
    pub fn settings(&self, catalogs: &[&Catalog]) -> Value {
        let source = self.source.settings();
        let enabled: Map<String, Value> =
            catalogs.iter().map(|catalog| (self.plugin(catalog), Value::Bool(true))).collect();
        let mut settings = json!({
            "extraKnownMarketplaces": { self.marketplace: { "source": source } },
            "enabledPlugins": enabled,
        });
        if self.only_marketplace {
            settings["strictKnownMarketplaces"] = json!([source]);
        }
        if self.only_hooks {
            settings["allowManagedHooksOnly"] = Value::Bool(true);
        }
        settings
    }

    /// A plugin as the client calls it.
    pub fn plugin(&self, catalog: &Catalog) -> String {
        format!("{}@{}", catalog.name, self.marketplace)
    }
}
