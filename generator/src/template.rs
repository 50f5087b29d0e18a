//! The templates, and the one way to fill them.
//!
//! Templates hold layout. What they print is text made in Rust: a missing name is an error, and nothing is escaped,
//! reordered or computed here.

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, Value};
use minijinja::{AutoEscape, Environment, UndefinedBehavior};
use serde::Serialize;

use crate::emit::Bug;

/// Every template by name.
const TEMPLATES: &[(&str, &str)] = &[
    ("catalog", include_str!("../../templates/catalog.yaml.j2")),
    ("opencode", include_str!("../../templates/opencode.js.j2")),
    ("guard", include_str!("../../templates/guard.yaml.j2")),
    ("readme", include_str!("../../templates/readme.md.j2")),
    ("rollout", include_str!("../../templates/rollout.md.j2")),
    ("workflow", include_str!("../../templates/workflow.yml.j2")),
    ("report", include_str!("../../templates/report.html.j2")),
    ("docs/overview", include_str!("../../templates/docs/overview.md.j2")),
    ("docs/interactions", include_str!("../../templates/docs/interactions.md.j2")),
    ("docs/powers", include_str!("../../templates/docs/powers.md.j2")),
    ("docs/agents", include_str!("../../templates/docs/agents.md.j2")),
    ("docs/failures", include_str!("../../templates/docs/failures.md.j2")),
    ("docs/settings", include_str!("../../templates/docs/settings.md.j2")),
    ("docs/switches", include_str!("../../templates/docs/switches.md.j2")),
    ("docs/reach", include_str!("../../templates/docs/reach.md.j2")),
    ("docs/coordination", include_str!("../../templates/docs/coordination.md.j2")),
    ("docs/keeping", include_str!("../../templates/docs/keeping.md.j2")),
    ("docs/needs", include_str!("../../templates/docs/needs.md.j2")),
    ("docs/hook", include_str!("../../templates/docs/hook.md.j2")),
    ("docs/index", include_str!("../../templates/docs/index.html.j2")),
];

/// The templates, parsed.
pub(crate) struct Templates {
    environment: Environment<'static>,
}

impl Templates {
    pub(crate) fn load() -> Result<Self, Bug> {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_auto_escape_callback(|_| AutoEscape::None);
        let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
        environment.set_syntax(syntax.map_err(|error| Bug::new(format!("template syntax: {error}")))?);
        for (name, text) in TEMPLATES {
            environment
                .add_template(name, text)
                .map_err(|error| Bug::new(format!("template `{name}` does not parse: {error:#}")))?;
        }
        Ok(Self { environment })
    }

    /// A template, filled in. The text ends without a line break.
    pub(crate) fn render(&self, name: &str, view: &impl Serialize) -> Result<String, Bug> {
        let filled = self.environment.get_template(name).and_then(|found| found.render(Value::from(Serde(view))));
        match filled {
            Ok(text) => Ok(text.trim_end_matches('\n').to_owned()),
            Err(error) => Err(Bug::new(format!("template `{name}` cannot be filled: {error:#}"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_the_view_lacks_is_a_bug() {
        #[derive(Serialize)]
        struct Empty {}
        let templates = Templates::load().expect("templates");
        for (name, _) in TEMPLATES {
            assert!(templates.render(name, &Empty {}).is_err(), "{name}");
        }
        assert!(templates.render("docs/unknown", &Empty {}).is_err());
    }

    #[test]
    fn templates_hold_layout_and_no_thought() {
        for (name, text) in TEMPLATES {
            let mut depth = 0_usize;
            for tag in text.split("{%").skip(1).filter_map(|rest| rest.split("%}").next()) {
                match tag.trim().split(' ').next() {
                    Some("if") => depth += 1,
                    Some("endif") => depth -= 1,
                    _ => {}
                }
                assert!(depth <= 1, "{name}: an `if` inside an `if`");
            }
        }
    }
}
