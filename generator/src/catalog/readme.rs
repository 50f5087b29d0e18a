//! What a catalog adds to the README of its plugin.

use schemars::JsonSchema;
use serde::Deserialize;

use super::Ordered;

/// What the plugin's README says beyond what the hooks tell by themselves.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Readme {
    /// What must be there beside the plugin: the workflow that it guards, programs, services. One phrase or sentence
    /// each; backticks make code. The client, and the programs that checks start by name, are listed anyway.
    #[serde(default)]
    pub needs: Vec<String>,
    /// Lines for a project's `.gitignore`: what the hooks, or the workflow that they guard, leave in a project and
    /// nobody should commit.
    #[serde(default)]
    pub ignore: Vec<String>,
    /// Sections by their heading, in this order, between the table of hooks and how the plugin is used. Markdown as it
    /// is, with headings from `###` on: the shape of a file, an example, a recipe, what was left out and why.
    #[serde(default)]
    pub sections: Ordered<String>,
}
