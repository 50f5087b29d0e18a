//! The page that a reviewer reads instead of the YAML.
//!
//! Each section makes its view from the catalog and fills one template. A section that has nothing to say about a
//! catalog is left out, so the page is right for any catalog.

mod cases;
mod contracts;
mod coordination;
mod effects;
mod failures;
mod hook;
mod interactions;
mod keeping;
mod lifecycle;
pub(super) mod markdown;
mod overview;
mod powers;
mod reach;
mod reference;
mod settings;
mod switches;
mod uses;
mod words;

use super::{Bug, Emitter, Output, Target, banner};
use crate::model;
use crate::template::Templates;

/// Makes `docs/HOOKS.md`.
pub(super) struct Docs;

impl Emitter for Docs {
    fn name(&self) -> &'static str {
        "documentation"
    }

    fn emit(&self, catalog: &model::Catalog, _: &Target) -> Result<Vec<Output>, Bug> {
        Ok(vec![Output::new("docs/HOOKS.md", page(catalog)?)])
    }
}

/// How the sections of the hooks are to be read.
fn reading(catalog: &model::Catalog) -> String {
    let sections = [
        (!catalog.facts.is_empty(), "[Facts](#facts)"),
        (!catalog.documents.is_empty(), "[Documents](#documents)"),
        (true, "[Settings](#settings)"),
        (!catalog.data.is_empty(), "[Constants](#constants)"),
    ];
    let names: Vec<&str> = sections.into_iter().filter_map(|(there, name)| there.then_some(name)).collect();
    format!(
        "## Hooks\n\nThe checks of a hook are tried in order. One that decides ends the hook; the others go on to the \
         next. Expressions are CEL: they use the fields of the event, what is defined below the checks, and the names \
         in {}. `${{…}}` in a text stands for the value of what is in it.",
        names.join(", ")
    )
}

fn page(catalog: &model::Catalog) -> Result<String, Bug> {
    let templates = Templates::load()?;
    // A comment ends at its first `-->`, wherever the catalog's file lies.
    let mut sections = vec![format!("<!-- {} -->", banner(&catalog.source))];
    sections.push(templates.render("docs/overview", &overview::view(catalog)?)?);
    sections.push(templates.render("docs/lifecycle", &lifecycle::view(catalog))?);
    sections.push(reading(catalog));
    for hook in &catalog.hooks {
        sections.push(templates.render("docs/hook", &hook::view(catalog, hook))?);
    }
    sections.push(templates.render("docs/contracts", &contracts::view(catalog))?);
    sections.push(templates.render("docs/failures", &failures::view(catalog))?);
    sections.push(templates.render("docs/switches", &switches::view(catalog))?);
    sections.push(templates.render("docs/reach", &reach::view(catalog))?);
    sections.push(templates.render("docs/keeping", &keeping::view(catalog))?);
    sections.push(templates.render("docs/interactions", &interactions::view(catalog))?);
    sections.push(templates.render("docs/coordination", &coordination::view(catalog))?);
    sections.push(templates.render("docs/settings", &settings::view(catalog))?);
    sections.push(templates.render("docs/reference", &reference::view(catalog))?);
    sections.push(templates.render("docs/cases", &cases::view(catalog))?);
    sections.retain(|section| !section.trim().is_empty());
    Ok(sections.iter().map(|section| section.trim_matches('\n')).collect::<Vec<_>>().join("\n\n"))
}

#[cfg(test)]
mod tests;
