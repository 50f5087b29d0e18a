//! The plugin's own README: what it does and how to run it, for whoever finds it in a marketplace or a project.

use serde::Serialize;

use super::docs::markdown::{Table, code, paragraphs, text};
use super::flags::is_json;
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
            config: config(catalog, &code(&flags)),
        };
        Ok(vec![Output::new("README.md", Templates::load()?.render("readme", &view)?)])
    }
}

/// Where the config is, and what of the list of flags can be taken over into it.
fn config(catalog: &model::Catalog, flags: &str) -> String {
    let Some(file) = &catalog.config_file else {
        return format!("There is nothing to configure; {flags} lists what is fixed.");
    };
    let (pasting, help) = match catalog.flags.first() {
        Some(flag) if is_json(file) => {
            let switched = !flag.default;
            let nested = flag.config.iter().rfold(switched.to_string(), |value, key| format!("{{\"{key}\": {value}}}"));
            let state = if switched { "on" } else { "off" };
            ("", format!(" The config file is JSON: {} switches {} {state}.", code(&nested), code(&flag.name)))
        }
        None if is_json(file) => ("", " The config file has the same keys in JSON.".to_owned()),
        _ => (", ready to paste", String::new()),
    };
    format!(
        "Flags and thresholds are read from {} at every call. {flags} has all of them with their documentation\
         {pasting}.{help}",
        code(&file.source)
    )
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

    #[test]
    fn yaml_is_ready_to_paste_into_yaml_but_not_into_json() {
        let mut catalog = fixture::full();
        for (file, pastes) in [("conf/hooks.yaml", true), ("settings.json", false)] {
            catalog.config_file = Some(fixture::template(file));
            let text = config(&catalog, "`flags.yaml`");
            assert_eq!((text.contains("ready to paste"), text.contains("{\"")), (pastes, !pastes), "{file}: {text}");
        }
    }
}
