//! One hook: its registration, its gate, its definitions and its checks.

use std::collections::BTreeSet;

use hookgen_runtime::{EVENTS, Event};

use super::Resolver;
use super::effect::Decided;
use super::handler::service;
use super::typing::Scope;
use super::uses;
use crate::catalog::{self, Kind};
use crate::diagnostic::{Code, Diagnostic, did_you_mean};
use crate::document::Pointer;
use crate::model::{self, Condition};
use crate::protocol;

/// The longest time that the client gives a command hook.
const LONGEST_MS: f64 = 600_000.0;

impl Resolver<'_> {
    pub(super) fn hook(&self, position: usize, written: &catalog::Hook) -> Option<model::Hook> {
        let place = Pointer::root().key("hooks").index(position);
        let timeout_ms = self.timeout(&written.timeout, &place);
        if let Some(flag) = &written.flag {
            self.known("flag", flag, self.written.flags.keys(), self.document.at(&place.key("flag")));
        }
        self.handler_fields(written, &place);
        self.failure_modes(written, &place);
        self.cases(written, &place);
        let event = self.event(&written.event, &place)?;
        self.event_fields(written, event, &place);
        let matcher = self.matcher(written.matcher.as_deref(), event, &place.key("matcher"));
        let narrowed = matcher.as_ref().and_then(Option::as_ref);
        let mut scope = Scope { payload: protocol::payload(event, narrowed), ..Scope::common() };
        let (mut bindings, documents) = self.definitions(written, &place, &mut scope);
        let when = written.when.as_ref().map(|when| self.condition(&when.0, &place.key("when"), &scope));
        let (checks, found) = self.checks(written, event, &place, &mut scope);
        bindings = bindings.and_then(|all| Some(all.into_iter().chain(found?).collect()));
        if let Some(asked) = self.asked.filter(|asked| asked.hook.as_deref() == Some(&written.id)) {
            let fact = self.asked_fact(asked, &scope);
            bindings = bindings.and_then(|all| Some(all.into_iter().chain([fact?]).collect()));
        }
        Some(model::Hook {
            id: written.id.clone(),
            name: written.name.clone(),
            log_name: written
                .log_name
                .clone()
                .unwrap_or_else(|| format!("{}_{}", written.id, written.name).replace('-', "_")),
            origin: self.document.elsewhere(&place).map(ToString::to_string),
            event,
            matcher: matcher?,
            kind: written.kind,
            timeout_ms: timeout_ms?,
            fail_safe: written.fail_safe,
            mode: written.mode.unwrap_or_default(),
            flag: written.flag.clone(),
            why: written.why.trim().to_owned(),
            sends: written.sends.as_deref().map(|text| text.trim().to_owned()).unwrap_or_default(),
            priority: written.priority,
            status_message: written.status_message.clone(),
            condition: written.condition.clone(),
            background: written.background || written.async_rewake,
            async_rewake: written.async_rewake,
            once: written.once,
            prompt: written.prompt.as_deref().map(|prompt| prompt.trim().to_owned()),
            model: written.model.clone(),
            continue_on_block: written.continue_on_block,
            service: service(written),
            when: match when {
                Some(when) => Some(when?),
                None => None,
            },
            bindings: bindings?,
            callables: self.callables(&written.bindings, &place.key("let")),
            documents: documents?,
            checks: checks?,
            failure_modes: written.failure_modes.iter().map(failure_mode).collect(),
            reads: Vec::new(),
            writes: Vec::new(),
            choices: Vec::new(),
            thresholds: Vec::new(),
            cases: self.played(written, &place),
        })
    }

    /// The event, or the one that was probably meant: the rest of the hook is checked against it.
    fn event(&self, name: &str, place: &Pointer) -> Option<&'static Event> {
        let meant = event_meant(name);
        if Event::named(name).is_none() {
            let help = meant.map_or_else(
                || format!("the client has: {}", EVENTS.iter().map(|event| event.name).collect::<Vec<_>>().join(", ")),
                |near| format!("did you mean `{}`?", near.name),
            );
            self.report(
                Diagnostic::error(Code::UnknownEvent, format!("the client has no event `{name}`"))
                    .primary(self.document.at(&place.key("event")), "not an event")
                    .help(help),
            );
        }
        meant
    }

    fn timeout(&self, written: &str, place: &Pointer) -> Option<u32> {
        let digits = written.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(written.len());
        let factor = match &written[digits..] {
            "ms" => 1.0,
            "s" => 1000.0,
            _ => 60_000.0,
        };
        let milliseconds = written[..digits].parse::<f64>().unwrap_or(0.0) * factor;
        if (1.0..=LONGEST_MS).contains(&milliseconds) {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range was just checked")]
            return Some(milliseconds.round() as u32);
        }
        self.report(
            Diagnostic::error(Code::BadTimeout, format!("a timeout of {written} is not possible"))
                .primary(self.document.at(&place.key("timeout")), "")
                .help("choose between 1ms and 10m: the client refuses 0, and kills a hook after ten minutes"),
        );
        None
    }

    fn failure_modes(&self, hook: &catalog::Hook, place: &Pointer) {
        for (number, mode) in hook.failure_modes.iter().enumerate() {
            if let Some(case) = &mode.case {
                let at = self.document.at(&place.key("failure_modes").index(number).key("case"));
                let names = hook.cases.iter().flat_map(super::cases::names).collect::<Vec<_>>();
                self.known("case", case, names.iter().map(|(name, _)| *name), at);
            }
        }
    }

    /// The hook's own documents, placed by the event and the facts, and its definitions, each of which sees the
    /// documents and the definitions before it.
    fn definitions(
        &self,
        hook: &catalog::Hook,
        place: &Pointer,
        scope: &mut Scope,
    ) -> (Option<Vec<model::Fact>>, Option<Vec<model::Document>>) {
        let mut documents = Vec::new();
        for (name, written) in &hook.documents {
            let document = self.document_written(name, written, &place.key("documents").key(name), scope);
            documents.push((name.clone(), document));
        }
        let fields = |document: &Option<model::Document>| document.as_ref().map(|document| document.fields.clone());
        scope.documents = documents.iter().map(|(name, document)| (name.clone(), fields(document))).collect();
        let mut facts = Vec::new();
        for (position, (name, source)) in hook.bindings.iter().enumerate() {
            if super::defined::signature(name).is_some() {
                let before = Some((scope.bindings.len(), scope.callables.len()));
                let (key, source, at) = (name.clone(), source.0.clone(), place.key("let").key(name));
                let callable = super::defined::Callable { key, source, at, before };
                scope.callables.push(callable.clone());
                self.callable(&callable, scope);
                continue;
            }
            scope.later = hook.bindings.keys().skip(position + 1).cloned().collect();
            let expr = self.expression(&source.0, &place.key("let").key(name), scope);
            scope.bindings.push((name.clone(), expr.as_ref().map(|expr| expr.ty.clone())));
            facts.push(expr.map(|expr| model::Fact {
                name: name.clone(),
                source: source.0.trim_end().to_owned(),
                expr,
            }));
        }
        let documents = documents.into_iter().map(|(_, document)| document).collect();
        (facts.into_iter().collect(), documents)
    }

    fn checks(
        &self,
        hook: &catalog::Hook,
        event: &'static Event,
        place: &Pointer,
        scope: &mut Scope,
    ) -> (Option<Vec<model::Check>>, Option<Vec<model::Fact>>) {
        let mut checks = Vec::new();
        let mut found = Vec::new();
        let mut decided: Option<Decided> = None;
        for (number, check) in hook.checks.iter().enumerate() {
            let at = place.key("checks").index(number);
            if let Some(decided) = &decided {
                self.report(
                    Diagnostic::error(Code::UnreachableCheck, format!("check `{}` is never reached", check.id))
                        .primary(self.document.at(&at.key("id")), "comes too late")
                        .secondary(decided.location.clone(), "always decides")
                        .help("move it up, or give the check before it a `when`"),
                );
            }
            let (when, effects) = if let Some(list) = &check.each {
                let over = self.over_list(list, check, &at, scope);
                let mut inner = over.as_ref().map_or_else(|| scope.clone(), |(_, _, inner)| inner.clone());
                let effects = over.as_ref().and_then(|_| self.effects(check, event, hook, &at, &mut inner));
                scope.spends = inner.spends;
                let (fact, condition) = over.map(|(fact, condition, _)| (fact, condition)).unzip();
                found.push(fact);
                (Some(condition), effects)
            } else {
                let when = check.when.as_ref().map(|when| self.condition(&when.0, &at.key("when"), scope));
                (when, self.effects(check, event, hook, &at, scope))
            };
            if check.when.is_none()
                && check.each.is_none()
                && effects.as_ref().is_some_and(|effects| effects.iter().any(model::Effect::decides))
            {
                decided.get_or_insert(Decided { location: self.document.at(&at.key("id")) });
            }
            checks.push(build_check(check, when, effects));
        }
        (checks.into_iter().collect(), found.into_iter().collect())
    }

    /// Fills in what each hook reads and writes, and compares it with what the catalog declares.
    pub(super) fn fill_uses(&self, catalog: &mut model::Catalog) {
        let found: Vec<uses::Uses> = catalog.hooks.iter().map(|hook| uses::of_hook(catalog, hook)).collect();
        for (position, (hook, found)) in catalog.hooks.iter().zip(&found).enumerate() {
            self.check_shared(catalog, hook, found, &Pointer::root().key("hooks").index(position));
        }
        let hooks = catalog.hooks.iter_mut().zip(&self.written.hooks).zip(found).enumerate();
        for (position, ((hook, written), found)) in hooks {
            let place = Pointer::root().key("hooks").index(position);
            hook.choices = self.written.choices.keys().filter(|name| found.choices.contains(*name)).cloned().collect();
            hook.thresholds =
                self.written.thresholds.keys().filter(|name| found.thresholds.contains(*name)).cloned().collect();
            hook.reads = self.uses("reads", written.reads.as_deref(), found.reads, hook.kind, &place);
            hook.writes = self.uses("writes", written.writes.as_deref(), found.writes, hook.kind, &place);
        }
    }

    /// What a command hook does is derived; what a model does can only be declared.
    fn uses(
        &self,
        key: &str,
        declared: Option<&[String]>,
        derived: BTreeSet<String>,
        kind: Kind,
        place: &Pointer,
    ) -> Vec<String> {
        let Some(declared) = declared else { return derived.into_iter().collect() };
        let own = self.written.hooks.iter().flat_map(|hook| hook.documents.keys());
        let state: Vec<&String> = self
            .written
            .documents
            .keys()
            .chain(self.written.counters.keys())
            .chain(self.written.history.keys())
            .chain(own)
            .collect();
        let mut sound = true;
        for (number, name) in declared.iter().enumerate() {
            let at = self.document.at(&place.key(key).index(number));
            sound &= self.known("document, counter or history", name, state.iter().copied(), at);
        }
        let declared: BTreeSet<String> = declared.iter().cloned().collect();
        if kind != Kind::Command {
            return declared.into_iter().collect();
        }
        if sound {
            self.compare_uses(key, &declared, &derived, place);
        }
        derived.into_iter().collect()
    }

    fn compare_uses(&self, key: &str, declared: &BTreeSet<String>, derived: &BTreeSet<String>, place: &Pointer) {
        let derived: Vec<&str> = derived.iter().map(String::as_str).filter(|name| *name != "config").collect();
        if !declared.iter().map(String::as_str).eq(derived.iter().copied()) {
            self.report(
                Diagnostic::error(Code::ReadsWritesDiffer, format!("the hook's checks say otherwise about `{key}`"))
                    .primary(self.document.at(&place.key(key)), "declared here")
                    .help(format!("write `{key}: [{}]`, or leave it out: it is derived", derived.join(", "))),
            );
        }
    }
}

/// The event of that name, or else the one whose name is near enough to be meant.
pub(super) fn event_meant(name: &str) -> Option<&'static Event> {
    Event::named(name).or_else(|| Event::named(did_you_mean(name, EVENTS.iter().map(|event| event.name))?))
}

fn failure_mode(written: &catalog::FailureMode) -> model::FailureMode {
    model::FailureMode {
        when: written.when.clone(),
        then: written.then,
        because: written.because.clone(),
        case: written.case.clone(),
    }
}

fn build_check(
    written: &catalog::Check,
    when: Option<Option<Condition>>,
    effects: Option<Vec<model::Effect>>,
) -> Option<model::Check> {
    let when = match when {
        Some(when) => Some(when?),
        None => None,
    };
    Some(model::Check { id: written.id.clone(), when, effects: effects? })
}
