//! Effects on documents: replaced, added to, deleted.

use hookgen_runtime::representation::Sum;

use super::Resolver;
use super::typing::Scope;
use crate::catalog::{self, Format};
use crate::diagnostic::{Code, Diagnostic};
use crate::document::Pointer;
use crate::model::{Condition, Effect, Template, Type};

/// The way to the document itself: no keys. A literal empty list would have no type.
pub const NO_WAY: &str = "''.words()";

impl Resolver<'_> {
    pub(super) fn document_effects(
        &self,
        check: &catalog::Check,
        hook: &catalog::Hook,
        at: &Pointer,
        scope: &Scope,
        effects: &mut Vec<Option<Effect>>,
    ) {
        let names: Vec<&String> =
            self.written.documents.keys().chain(scope.documents.iter().map(|(name, _)| name)).collect();
        let known =
            |name: &str, at: &Pointer| self.known("document", name, names.iter().copied(), self.document.at(at));
        if let Some(write) = &check.write {
            let place = at.key("write");
            let text = self.template(&write.text.0, &place.key("text"), scope);
            let sound = known(&write.to, &place.key("to"));
            effects.push(text.filter(|_| sound).map(|text| Effect::Write { document: write.to.clone(), text }));
        }
        if let Some(append) = &check.append {
            let place = at.key("append");
            let line = self.template(&append.line.0, &place.key("line"), scope);
            let sound = known(&append.to, &place.key("to"));
            let sound = sound && self.fits("append", &append.to, hook, &place.key("to"));
            let unless = match &append.unless {
                Some(unless) => self.template(&unless.0, &place.key("unless"), scope).map(Some),
                None => Some(None),
            };
            effects.push(line.zip(unless).filter(|_| sound).map(|(line, unless)| Effect::Append {
                document: append.to.clone(),
                line,
                unless,
            }));
        }
        if let Some(tally) = &check.tally {
            let place = at.key("tally");
            let sound = known(&tally.to, &place.key("to"));
            let sound = sound && self.fits("tally", &tally.to, hook, &place.key("to"));
            effects.push(self.tally(tally, &place, scope).filter(|_| sound));
        }
        for (place, document) in check.delete.iter().flat_map(catalog::Names::iter) {
            let sound = known(document, &place.map_or(at.key("delete"), |place| at.key("delete").index(place)));
            effects.push(sound.then(|| Effect::Delete { document: document.clone() }));
        }
    }

    fn tally(&self, tally: &catalog::Tally, at: &Pointer, scope: &Scope) -> Option<Effect> {
        let typed = |text: &str, at: &Pointer, ty: &Type| {
            let expr = self.expression(text, at, scope)?;
            let expr = self.typed(expr, ty, text, at, scope)?;
            Some(Condition { source: text.trim_end().to_owned(), expr })
        };
        let place = tally.at.as_ref().map_or(NO_WAY, |place| &place.0);
        let place = typed(place, &at.key("at"), &Type::List(Box::new(Type::Text)));
        let add: Vec<Option<Sum<Condition>>> = tally
            .add
            .iter()
            .map(|(name, more)| {
                Some(Sum { name: name.clone(), more: typed(&more.0, &at.key("add").key(name), &Type::Int)? })
            })
            .collect();
        let set: Vec<Option<(String, Template)>> = tally
            .set
            .iter()
            .map(|(name, value)| Some((name.clone(), self.template(&value.0, &at.key("set").key(name), scope)?)))
            .collect();
        if tally.add.is_empty() && tally.set.is_empty() {
            self.report(
                Diagnostic::error(Code::BadValue, "a tally that changes nothing")
                    .primary(self.document.at(at), "neither `add` nor `set` names anything")
                    .help("say what is added or set, or leave the tally out"),
            );
            return None;
        }
        Some(Effect::Tally {
            document: tally.to.clone(),
            at: place?,
            add: add.into_iter().collect::<Option<_>>()?,
            set: set.into_iter().collect::<Option<_>>()?,
        })
    }

    /// Whether a document can still be read after the effect; reports it if not.
    fn fits(&self, effect: &str, name: &str, hook: &catalog::Hook, at: &Pointer) -> bool {
        let document = hook.documents.get(name).or_else(|| self.written.documents.get(name));
        let Some(format) = document.map(|document| document.format) else { return true };
        let (message, help) = match (effect, format) {
            ("append", Format::Json) => {
                ("a JSON document ends with its last bracket", "declare it as `text`, or use `write` or `tally`")
            }
            ("tally", other) if other != Format::Json => {
                ("numbers are added in JSON documents only", "declare it as `json`, or use `write`")
            }
            _ => return true,
        };
        self.report(
            Diagnostic::error(Code::DocumentFormat, message)
                .primary(self.document.at(at), format!("`{effect}` does not fit this document"))
                .help(help),
        );
        false
    }
}
