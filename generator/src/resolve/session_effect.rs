//! Effects on what a session knows: counters, what is remembered and noted, what has happened.

use hookgen_runtime::representation::{Limit, Named};

use super::Resolver;
use super::typing::Scope;
use crate::catalog::{self, Keyed};
use crate::diagnostic::{Code, Diagnostic};
use crate::document::Pointer;
use crate::model::{Condition, Effect, Type};

/// What names stand for that may be counted or recorded apart for each key.
struct Kept<'n> {
    /// What such a name is called.
    kind: &'static str,
    names: Vec<&'n String>,
    /// The words for what each is kept apart for; `None` where it is not.
    apart: &'n dyn Fn(&str) -> Option<&'n str>,
    /// How the declaration says so.
    declared: &'static str,
    /// Whether one that is kept apart can be meant as a whole.
    whole: bool,
}

impl Resolver<'_> {
    pub(super) fn session_effects(
        &self,
        check: &catalog::Check,
        at: &Pointer,
        scope: &mut Scope,
        effects: &mut Vec<Option<Effect>>,
    ) {
        if let Some(spend) = &check.spend {
            effects.push(self.spend(spend, &at.key("spend"), scope));
        }
        let written = self.written;
        let per = |name: &str| written.counters.get(name).and_then(|counter| counter.per.as_deref());
        let names = written.counters.keys().collect();
        let counters = Kept { kind: "counter", names, apart: &per, declared: "per", whole: true };
        if let Some(reset) = self.keyed(&check.reset, &counters, &at.key("reset"), scope) {
            effects.push(reset.map(Effect::Reset));
        }
        if let Some(forget) = &check.forget {
            effects.push(self.forget(forget, &at.key("forget"), scope));
        }
        if let Some(text) = &check.remember {
            effects.push(self.template(&text.0, &at.key("remember"), scope).map(Effect::Remember));
        }
        for (name, text) in &check.note {
            let text = self.template(&text.0, &at.key("note").key(name), scope);
            effects.push(text.map(|text| Effect::Note { name: name.clone(), text }));
        }
        let of = |name: &str| written.history.get(name).and_then(|recorded| recorded.of.as_deref());
        let names = written.history.keys().collect();
        let history = Kept { kind: "history", names, apart: &of, declared: "of", whole: false };
        if let Some(record) = self.keyed(&check.record, &history, &at.key("record"), scope) {
            effects.push(record.map(Effect::Record));
        }
    }

    fn spend(&self, spend: &catalog::Spend, at: &Pointer, scope: &mut Scope) -> Option<Effect> {
        let key = spend.key.as_ref().map(|key| self.text_of(key, &at.key("key"), scope));
        let per = spend.per.as_ref().map(|per| self.text_of(per, &at.key("per"), scope));
        let mut from = Vec::new();
        let mut declared = true;
        for (counter, limit) in &spend.from {
            let place = at.key("from").key(counter);
            declared &= self.known("counter", counter, self.written.counters.keys(), self.document.key(&place));
            let apart = self.written.counters.get(counter).is_some_and(|counter| counter.per.is_some());
            let expr = self.expression(&limit.0, &place, scope);
            let expr = expr.and_then(|expr| self.typed(expr, &Type::Int, &limit.0, &place, scope));
            let limit = expr.map(|expr| Condition { source: limit.0.clone(), expr });
            from.push(limit.map(|limit| Limit { counter: counter.clone(), apart, limit }));
        }
        scope.spends.push((spend.name.clone(), declared.then(|| spend.from.keys().cloned().collect())));
        let sound = !declared || self.per_fits(spend, at);
        let (key, per) = (super::transpose(key)?, super::transpose(per)?);
        let from = from.into_iter().collect::<Option<_>>()?;
        sound.then(|| Effect::Spend { spend: spend.name.clone(), key, per, from })
    }

    /// Whether `per` is there if and only if one of the counters asks for it; reports it if not.
    fn per_fits(&self, spend: &catalog::Spend, at: &Pointer) -> bool {
        let apart = spend.from.keys().find_map(|name| Some((name, self.written.counters.get(name)?.per.as_deref()?)));
        match (&spend.per, apart) {
            (None, Some((counter, per))) => {
                let message = format!("`{counter}` has a count of its own for {per}, and `per` does not say for which");
                self.report(
                    Diagnostic::error(Code::KeyMismatch, message)
                        .primary(self.document.key(&at.key("from").key(counter)), "for which?")
                        .help("add `per: tool_input.command` or the like"),
                );
                false
            }
            (Some(_), None) => {
                self.report(
                    Diagnostic::error(Code::KeyMismatch, "none of these counters counts apart")
                        .primary(self.document.key(&at.key("per")), "changes nothing")
                        .help("declare it on the counter: `per: the command`, or leave it out"),
                );
                false
            }
            _ => true,
        }
    }

    /// Names as a whole or for one key each; `None` where there are none.
    fn keyed(
        &self,
        keyed: &Keyed,
        kept: &Kept<'_>,
        at: &Pointer,
        scope: &Scope,
    ) -> Option<Option<Vec<Named<Condition>>>> {
        let names: Vec<Option<Named<Condition>>> = match keyed {
            Keyed::Whole(names) => names
                .iter()
                .enumerate()
                .map(|(place, name)| self.kept(name, None, kept, &at.index(place)).then(|| name.clone()))
                .map(|name| name.map(|name| Named { name, per: None }))
                .collect(),
            Keyed::One(keys) => keys
                .iter()
                .map(|(name, key)| {
                    let place = at.key(name);
                    let per = self.text_of(key, &place, scope);
                    let fits = self.kept(name, Some(&place), kept, &place);
                    per.filter(|_| fits).map(|per| Named { name: name.clone(), per: Some(per) })
                })
                .collect(),
        };
        (!names.is_empty()).then(|| names.into_iter().collect())
    }

    /// Whether the name is declared, and with a key if and only if it is kept apart; reports it if not.
    fn kept(&self, name: &str, keyed: Option<&Pointer>, kept: &Kept<'_>, place: &Pointer) -> bool {
        let location = if keyed.is_some() { self.document.key(place) } else { self.document.at(place) };
        if !self.known(kept.kind, name, kept.names.iter().copied(), location.clone()) {
            return false;
        }
        let (declared, verb) = (kept.declared, if kept.whole { "counted" } else { "recorded" });
        let problem = match ((kept.apart)(name), keyed) {
            (None, Some(_)) => (
                Code::KeyMismatch,
                format!("`{name}` is not {verb} apart"),
                format!("declare it with `{declared}: the command` or the like, or write `[{name}]`"),
            ),
            (Some(words), None) if !kept.whole => (
                Code::KeyMismatch,
                format!("`{name}` is {verb} for {words}, and nothing says for which"),
                format!("write `{{ {name}: tool_input.command }}` or the like"),
            ),
            _ => return true,
        };
        let (code, message, help) = problem;
        self.report(Diagnostic::error(code, message).primary(location, "").help(help));
        false
    }

    fn forget(&self, forget: &catalog::Forget, at: &Pointer, scope: &Scope) -> Option<Effect> {
        let remembered = forget.remembered.as_ref();
        let remembered = remembered.map(|text| self.template(&text.0, &at.key("remembered"), scope));
        let noted: Vec<String> =
            forget.noted.iter().flat_map(catalog::Names::iter).map(|(_, name)| name.clone()).collect();
        if remembered.is_none() && noted.is_empty() {
            self.report(
                Diagnostic::error(Code::NoEffect, "`forget` names nothing")
                    .primary(self.document.key(at), "forgets nothing")
                    .help("say `remembered: …`, `noted: …`, or both"),
            );
            return None;
        }
        Some(Effect::Forget { remembered: super::transpose(remembered)?, noted })
    }

    /// An expression that is a text.
    fn text_of(&self, written: &catalog::Expression, at: &Pointer, scope: &Scope) -> Option<Condition> {
        let expr = self.expression(&written.0, at, scope)?;
        let expr = self.typed(expr, &Type::Text, &written.0, at, scope)?;
        Some(Condition { source: written.0.trim_end().to_owned(), expr })
    }
}
