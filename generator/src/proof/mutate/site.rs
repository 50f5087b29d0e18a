//! The texts of a catalog, each with its place in the representation and in the YAML.

use hookgen_runtime::representation::{Archive, Definition, Document as File, Message, Patch, Text};

use super::super::atlas::{Owner, effect_pointer, effect_texts, gone};
use super::Outline;
use crate::document::{Document, Pointer};

/// A place of a text in the representation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Site {
    Gate(usize),
    Definition(usize, usize),
    When(usize, usize),
    Effect { hook: usize, check: usize, effect: usize, text: usize },
    Fact(usize),
    Message(usize),
    File(usize),
}

/// A text and where it is.
#[derive(Debug, Clone)]
pub(super) struct Sited {
    pub(super) site: Site,
    pub(super) owner: Owner,
    pub(super) pointer: Pointer,
    pub(super) text: &'static Text,
}

/// Every text of the catalog.
pub(super) fn sites(outline: &Outline, archive: &'static Archive, document: &Document) -> anyhow::Result<Vec<Sited>> {
    let root = Pointer::root();
    let mut sites = Vec::new();
    let mut add = |site, owner, pointer, text| sites.push(Sited { site, owner, pointer, text });
    for place in 0..archive.facts() {
        let fact = archive.fact(place).map_err(gone)?;
        add(Site::Fact(place), Owner::Shared, root.key("facts").key(&fact.name), &fact.text);
    }
    for place in 0..archive.messages() {
        let message = archive.message(place).map_err(gone)?;
        add(Site::Message(place), Owner::Shared, root.key("messages").key(&message.name), &message.text);
    }
    for place in 0..archive.documents() {
        let file = archive.document(place).map_err(gone)?;
        let (owner, above) = match file.owner {
            None => (Owner::Shared, root.clone()),
            Some(hook) => (Owner::Hook(hook), outline.pointer(hook)),
        };
        add(Site::File(place), owner, above.key("documents").key(&*file.spec.name).key("path"), &file.path);
    }
    for hook in 0..archive.hooks() {
        let (owner, pointer) = (Owner::Hook(hook), outline.pointer(hook));
        let parts = archive.hook(hook).map_err(gone)?;
        if let Some(gate) = parts.gate() {
            add(Site::Gate(hook), owner, pointer.key("when"), gate);
        }
        for place in 0..parts.definitions() {
            let definition = archive.definition(hook, place).map_err(gone)?;
            let at = pointer.key("let").key(&definition.name);
            add(Site::Definition(hook, place), owner, at, &definition.text);
        }
        for check in 0..parts.checks() {
            let (at, written) = (pointer.key("checks").index(check), archive.check(hook, check).map_err(gone)?);
            if let Some(when) = &written.when {
                add(Site::When(hook, check), owner, at.key("when"), when);
            }
            for (effect, what) in written.effects.iter().enumerate() {
                let texts = effect_texts(&effect_pointer(document, &at, what), what);
                for (number, (at, text)) in texts.into_iter().enumerate() {
                    add(Site::Effect { hook, check, effect, text: number }, owner, at, text);
                }
            }
        }
    }
    Ok(sites)
}

impl Site {
    /// The catalog with another text here.
    pub(super) fn change(self, archive: &'static Archive, text: Text) -> Option<Patch> {
        Some(match self {
            Self::Gate(hook) => Patch::Gate(hook, Some(text)),
            Self::Definition(hook, place) => {
                let name = archive.definition(hook, place).ok()?.name.clone();
                Patch::Definition(hook, place, Definition { name, text })
            }
            Self::When(hook, place) => {
                let mut check = archive.check(hook, place).ok()?.clone();
                check.when = Some(text);
                Patch::Checks(hook, vec![(place, check)])
            }
            Self::Effect { hook, check: place, effect, text: number } => {
                let mut check = archive.check(hook, place).ok()?.clone();
                let effect = check.effects.get_mut(effect)?;
                *effect.texts_mut().into_iter().nth(number)? = text;
                Patch::Checks(hook, vec![(place, check)])
            }
            Self::Fact(place) => {
                let name = archive.fact(place).ok()?.name.clone();
                Patch::Fact(place, Definition { name, text })
            }
            Self::Message(place) => {
                let name = archive.message(place).ok()?.name.clone();
                Patch::Message(place, Message { name, text })
            }
            Self::File(place) => {
                let file = archive.document(place).ok()?.clone();
                Patch::Document(place, File { path: text, ..file })
            }
        })
    }
}
