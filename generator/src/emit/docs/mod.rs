//! The pages that a reviewer reads instead of the YAML: one about the whole catalog, one for each hook, and all of it
//! as a single page for the browser.
//!
//! Each section makes its view from the catalog and fills one template. A section that has nothing to say about a
//! catalog is left out, so the pages are right for any catalog.

pub(super) mod agents;
mod background;
mod cases;
mod coordination;
mod effects;
pub(super) mod failures;
mod hook;
mod html;
mod interactions;
mod keeping;
mod leaving;
pub(super) mod markdown;
pub(super) mod moments;
mod needs;
mod overview;
mod powers;
mod reach;
mod reference;
mod settings;
mod site;
mod spoken;
mod switches;
pub(super) mod words;

pub(super) use powers::programs;

use serde::Serialize;

use super::{Bug, Emitter, Output, Target, banner};
use crate::model::{self, Hook};
use crate::template::Templates;

/// Makes `docs/HOOKS.md`, `docs/hooks/<id>.md` and `docs/index.html`.
pub(super) struct Docs;

impl Emitter for Docs {
    fn name(&self) -> &'static str {
        "documentation"
    }

    fn emit(&self, catalog: &model::Catalog, _: &Target) -> Result<Vec<Output>, Bug> {
        let templates = Templates::load()?;
        let page = page(&templates, catalog)?;
        let hooks = catalog.hooks.iter().map(|hook| hook_page(&templates, catalog, hook));
        let hooks: Vec<String> = hooks.collect::<Result<_, Bug>>()?;
        let site = site::page(&templates, catalog, &page, &hooks)?;
        let mut outputs = vec![Output::new("docs/HOOKS.md", page), Output::new("docs/index.html", site)];
        let paths = catalog.hooks.iter().map(|hook| format!("docs/hooks/{}.md", hook.id));
        outputs.extend(paths.zip(hooks).map(|(path, text)| Output::new(path, text)));
        Ok(outputs)
    }
}

/// The first line of a page. A comment ends at its first `-->`, wherever the catalog's file lies.
fn comment(catalog: &model::Catalog) -> String {
    format!("<!-- {} -->", banner(&catalog.source))
}

fn hook_page(templates: &Templates, catalog: &model::Catalog, hook: &Hook) -> Result<String, Bug> {
    Ok(format!("{}\n\n{}", comment(catalog), templates.render("docs/hook", &hook::view(catalog, hook))?))
}

#[derive(Serialize)]
struct PowersView {
    powers: String,
    absent: String,
    leaving: String,
    unknown: String,
    background: String,
}

fn page(templates: &Templates, catalog: &model::Catalog) -> Result<String, Bug> {
    let leaving = leaving::of(catalog)?;
    let powers = powers::of(catalog)?;
    let powers = PowersView {
        powers: powers.table,
        absent: powers.absent,
        leaving: leaving.table(),
        unknown: leaving.unknown.clone(),
        background: background::table(catalog),
    };
    let mut sections = vec![
        comment(catalog),
        templates.render("docs/overview", &overview::view(catalog, &leaving))?,
        templates.render("docs/interactions", &interactions::view(catalog))?,
        templates.render("docs/powers", &powers)?,
        templates.render("docs/failures", &failures::view(catalog))?,
        templates.render("docs/agents", &agents::view(catalog))?,
        templates.render("docs/settings", &settings::view(catalog))?,
        templates.render("docs/switches", &switches::view(catalog))?,
        templates.render("docs/reach", &reach::view(catalog))?,
        templates.render("docs/coordination", &coordination::view(catalog))?,
        templates.render("docs/keeping", &keeping::view(catalog))?,
        templates.render("docs/needs", &needs::view(catalog))?,
    ];
    sections.retain(|section| !section.trim().is_empty());
    Ok(sections.iter().map(|section| section.trim_matches('\n')).collect::<Vec<_>>().join("\n\n"))
}

#[cfg(test)]
mod tests;
