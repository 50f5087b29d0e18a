//! The plugin's own README: what it does and how to run it, for whoever finds it in a marketplace or a project.

use serde::Serialize;

use super::docs::markdown::{Table, code, paragraphs, text};
use super::{Bug, Emitter, Output, Target, banner};
use crate::model;
use crate::template::Templates;

/// Makes `README.md`.
pub(super) struct Readme;

#[derive(Serialize)]
struct View {
    banner: String,
    title: String,
    description: String,
    hooks: Table,
    plugin: String,
    settings: String,
    config: String,
}

impl Emitter for Readme {
    fn name(&self) -> &'static str {
        "plugin README"
    }

    fn emit(&self, catalog: &model::Catalog, _: &Target) -> Result<Vec<Output>, Bug> {
        let rows = catalog.hooks.iter().map(|hook| [text(&hook.id), code(hook.event.name), text(&hook.why)]);
        let flags = format!("config/{}-flags.yaml", catalog.name);
        let view = View {
            banner: banner(&catalog.source),
            title: text(&catalog.name),
            description: paragraphs(&catalog.description),
            hooks: Table::new(["hook", "on", "why"], rows.collect()),
            plugin: code("claude --plugin-dir <this folder>"),
            settings: code(&format!(".claude/hooks/{}", catalog.name)),
            config: match &catalog.config_file {
                Some(file) => format!(
                    "Flags and thresholds are read from {} at every call. {} has all of them with their documentation, \
                     ready to paste.",
                    code(&file.source),
                    code(&flags)
                ),
                None => format!("There is nothing to configure; {} lists what is fixed.", code(&flags)),
            },
        };
        Ok(vec![Output::new("README.md", Templates::load()?.render("readme", &view)?)])
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;

    #[test]
    fn every_hook_is_named_with_its_reason() {
        let catalog = fixture::full();
        let outputs = Readme.emit(&catalog, &fixture::target()).expect("emits");
        for hook in &catalog.hooks {
            assert!(outputs[0].text.contains(&format!("| {} |", hook.id)), "{}", hook.id);
        }
        assert!(outputs[0].text.split_whitespace().count() > 40);
    }
}
