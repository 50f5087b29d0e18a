//! All pages of a catalog as one page for the browser, which needs nothing else.

use serde::Serialize;

use super::html::{Converter, escaped};
use super::{comment, effects};
use crate::bug::Bug;
use crate::model::Catalog;
use crate::template::Templates;

#[derive(Serialize)]
struct SiteView {
    comment: String,
    title: String,
    overview: String,
    events: Vec<String>,
    powers: Vec<String>,
    hooks: Vec<HookArticle>,
}

#[derive(Serialize)]
struct HookArticle {
    id: String,
    event: String,
    /// Words with `|` between them.
    powers: String,
    html: String,
}

pub(super) fn page(templates: &Templates, catalog: &Catalog, overview: &str, hooks: &[String]) -> Result<String, Bug> {
    let own = |target: &str| match target.strip_prefix("hooks/").and_then(|page| page.strip_suffix(".md")) {
        Some(id) => format!("#hook-{id}"),
        None => target.to_owned(),
    };
    // Pages of hooks lie one folder deeper.
    let from_hook = |target: &str| match target {
        "../HOOKS.md" => "#top".to_owned(),
        other => other.strip_prefix("../").unwrap_or(other).to_owned(),
    };
    let article = Converter { deeper: 1, anchors: false, target: &from_hook };
    let articles = catalog.hooks.iter().zip(hooks).map(|(hook, page)| HookArticle {
        id: escaped(&hook.id),
        event: hook.event.name.to_owned(),
        powers: effects::powers(hook).replace(", ", "|"),
        html: article.page(page),
    });
    let hooks: Vec<HookArticle> = articles.collect();
    let powers = hooks.iter().flat_map(|hook| hook.powers.split('|')).filter(|power| *power != "–");
    let view = SiteView {
        comment: comment(catalog),
        title: escaped(&catalog.name),
        overview: Converter { deeper: 0, anchors: true, target: &own }.page(overview),
        events: each_once(hooks.iter().map(|hook| hook.event.as_str())),
        powers: each_once(powers),
        hooks,
    };
    templates.render("docs/index", &view)
}

fn each_once<'w>(words: impl Iterator<Item = &'w str>) -> Vec<String> {
    let mut once: Vec<String> = Vec::new();
    for word in words {
        if !once.iter().any(|known| known == word) {
            once.push(word.to_owned());
        }
    }
    once
}
