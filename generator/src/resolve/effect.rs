//! Effects: which the event can bring about, in the order in which they happen.

use hookgen_runtime::{Context, Event, Notice, Refusal};

use super::Resolver;
use super::typing::Scope;
use crate::catalog;
use crate::diagnostic::{Code, Diagnostic, did_you_mean};
use crate::document::Pointer;
use crate::model::{Decision, Effect, Template, Type};
use crate::source::Location;

/// Makes an effect of a text.
type Make = fn(Template) -> Effect;

/// A check that decides whatever happens, so that nothing after it is reached.
pub(super) struct Decided {
    pub(super) location: Location,
}

impl Resolver<'_> {
    pub(super) fn effects(
        &self,
        check: &catalog::Check,
        event: &'static Event,
        hook: &catalog::Hook,
        at: &Pointer,
        scope: &mut Scope,
    ) -> Option<Vec<Effect>> {
        let mut effects = Vec::new();
        self.session_effects(check, at, scope, &mut effects);
        self.document_effects(check, hook, at, scope, &mut effects);
        for (name, value) in &check.export {
            effects.push(self.export(name, value, event, &at.key("export"), scope));
        }
        if !check.notify.is_empty() {
            effects.push(self.notify(&check.notify, &at.key("notify"), scope));
        }
        self.spoken_effects(check, event, hook, at, scope, &mut effects);
        if !check.rewrite.is_empty() {
            let position = effects.iter().position(|effect| effect.as_ref().is_some_and(Effect::decides));
            let rewrite = self.rewrite(&check.rewrite, event, &at.key("rewrite"), scope);
            effects.insert(position.unwrap_or(effects.len()), rewrite);
        }
        if effects.is_empty() {
            self.report(
                Diagnostic::error(Code::NoEffect, format!("check `{}` brings about nothing", check.id))
                    .primary(self.document.at(&at.key("id")), "has no effect")
                    .help("add `deny`, `warn`, `inject`, `log` or another effect"),
            );
            return None;
        }
        effects.into_iter().collect()
    }

    /// What the check says, and to whom, in the order in which it takes effect.
    fn spoken_effects(
        &self,
        check: &catalog::Check,
        event: &'static Event,
        hook: &catalog::Hook,
        at: &Pointer,
        scope: &Scope,
        effects: &mut Vec<Option<Effect>>,
    ) {
        let spoken: [(&str, Option<&catalog::Template>, Make); 10] = [
            ("log", check.log.as_ref(), Effect::Log),
            ("advise", check.advise.as_ref(), Effect::Advise),
            ("warn", check.warn.as_ref(), Effect::Warn),
            ("inject", check.inject.as_ref(), Effect::Inject),
            ("feedback", check.feedback.as_ref(), Effect::Feedback),
            // `deny` and `block` are the same decision on different events.
            ("deny", check.deny.as_ref(), |reason| Effect::Decide(Decision::Deny, reason)),
            ("block", check.block.as_ref(), |reason| Effect::Decide(Decision::Deny, reason)),
            ("ask", check.ask.as_ref(), |reason| Effect::Decide(Decision::Ask, reason)),
            ("allow", check.allow.as_ref(), |reason| Effect::Decide(Decision::Allow, reason)),
            ("pass", check.pass.as_ref(), |reason| Effect::Decide(Decision::Pass, reason)),
        ];
        let mut decision: Option<&str> = None;
        for (key, text, make) in spoken {
            let Some(written) = text else { continue };
            let template = self.template(&written.0, &at.key(key), scope);
            let possible = self.possible(key, event, hook, at) && self.worth_saying(key, text, at);
            let template = template.filter(|_| possible);
            effects.push(template.map(make));
            if matches!(key, "deny" | "block" | "ask" | "allow" | "pass") {
                self.one_decision(&mut decision, key, at);
            }
        }
    }

    fn one_decision<'k>(&self, decision: &mut Option<&'k str>, key: &'k str, at: &Pointer) {
        if let Some(first) = decision {
            self.report(
                Diagnostic::error(Code::SeveralDecisions, format!("`{first}` and `{key}` in one check"))
                    .primary(self.document.key(&at.key(key)), "decides again")
                    .secondary(self.document.key(&at.key(*first)), "already decides")
                    .help("split the check in two, each with its own `when`"),
            );
        } else {
            *decision = Some(key);
        }
    }

    /// Whether the client can do that on this event; reports it if not.
    fn possible(&self, key: &str, event: &Event, hook: &catalog::Hook, at: &Pointer) -> bool {
        let name = event.name;
        let background = hook.background || hook.async_rewake;
        let word = match event.refusal {
            Refusal::Permission | Refusal::Behavior => "deny",
            Refusal::Block | Refusal::ExitCode => "block",
            Refusal::Feedback => "feedback",
            Refusal::Never => "",
        };
        let complaint = match key {
            "deny" | "block" | "ask" | "allow" | "feedback" if background && (key != word || !hook.async_rewake) => {
                Some(("a background hook decides nothing".to_owned(), background_help(hook, word)))
            }
            "deny" | "block" | "feedback" if word.is_empty() => {
                Some((format!("{name} cannot be refused"), "use `warn`, `inject` or `log`".to_owned()))
            }
            "deny" | "block" | "feedback" if word != key => {
                Some((format!("on {name} this is said with `{word}`"), format!("write `{word}:`")))
            }
            "ask" if !event.asks() => {
                Some((format!("on {name} nobody can be asked"), "use PreToolUse, or decide in the check".to_owned()))
            }
            "allow" if !event.permits() => {
                Some((format!("on {name} there is nothing to approve"), "use `pass`".to_owned()))
            }
            "inject" => inject_complaint(event, background),
            "advise" if background || event.notice == Notice::Never || event.context != Context::Additional => {
                Some((format!("on {name} one text does not reach both"), "use `warn`, `inject` or `log`".to_owned()))
            }
            "warn" if event.notice == Notice::Never => {
                Some((format!("on {name} the client shows the person nothing"), "use `log`".to_owned()))
            }
            "warn" if background => {
                Some(("what a background hook says goes to the model".to_owned(), "use `inject` or `log`".to_owned()))
            }
            _ => None,
        };
        let Some((message, help)) = complaint else { return true };
        self.report(
            Diagnostic::error(Code::EffectNotPossible, message)
                .primary(self.document.key(&at.key(key)), "not possible here")
                .help(help),
        );
        false
    }

    /// Whether there is a text; a refusal without a reason leaves the model to guess, and to try again.
    fn worth_saying(&self, key: &str, text: Option<&catalog::Template>, at: &Pointer) -> bool {
        let empty = text.is_some_and(|text| text.0.trim().is_empty()) && !matches!(key, "allow" | "pass");
        if empty {
            self.report(
                Diagnostic::error(Code::NoEffect, format!("`{key}` says nothing"))
                    .primary(self.document.key(&at.key(key)), "has no text")
                    .help("say what is wrong and what to do instead"),
            );
        }
        !empty
    }

    pub(super) fn typed(
        &self,
        expr: crate::model::Expr,
        ty: &Type,
        text: &str,
        at: &Pointer,
        scope: &Scope,
    ) -> Option<crate::model::Expr> {
        self.checker(at, scope).coerce(expr, ty, 0..text.len())
    }

    fn export(
        &self,
        name: &str,
        value: &catalog::Template,
        event: &Event,
        at: &Pointer,
        scope: &Scope,
    ) -> Option<Effect> {
        let place = at.key(name);
        let value = self.template(&value.0, &place, scope);
        if !event.exports {
            self.report(
                Diagnostic::error(Code::EffectNotPossible, format!("{} cannot export variables", event.name))
                    .primary(self.document.key(at), "not possible here")
                    .help("export them on SessionStart, CwdChanged or FileChanged"),
            );
            return None;
        }
        let first = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if !first || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            self.report(
                Diagnostic::error(Code::BadName, format!("`{name}` is not the name of a variable"))
                    .primary(self.document.key(&place), "")
                    .help("use letters, digits and `_`"),
            );
            return None;
        }
        Some(Effect::Export { name: name.to_owned(), value: value? })
    }

    /// The first word says which program it is, so a reader of the catalog must find it there.
    fn notify(&self, line: &[catalog::Template], at: &Pointer, scope: &Scope) -> Option<Effect> {
        let words = line.iter().enumerate().map(|(place, word)| self.template(&word.0, &at.index(place), scope));
        let words = words.collect::<Vec<_>>().into_iter().collect::<Option<Vec<Template>>>()?;
        if words.first().is_none_or(|program| program.source.trim().is_empty()) {
            self.report(
                Diagnostic::error(Code::NoEffect, "`notify` names no program")
                    .primary(self.document.key(at), "tells nobody")
                    .help("write the program and its arguments: `notify: [notify-send, \"…\"]`"),
            );
            return None;
        }
        Some(Effect::Notify(words))
    }

    fn rewrite(
        &self,
        fields: &catalog::Ordered<catalog::Template>,
        event: &Event,
        at: &Pointer,
        scope: &Scope,
    ) -> Option<Effect> {
        if !event.rewrites {
            self.report(
                Diagnostic::error(Code::EffectNotPossible, format!("{} cannot change a tool's input", event.name))
                    .primary(self.document.key(at), "not possible here")
                    .help("rewrite on PreToolUse"),
            );
            return None;
        }
        let mut templates = Vec::new();
        for (field, text) in fields {
            let place = at.key(field);
            if let Some(Type::Record(input)) = scope.payload.field("tool_input")
                && input.field(field) != Some(&Type::Text)
            {
                let texts = input.fields.iter().filter(|(_, ty)| *ty == Type::Text).map(|(name, _)| name.as_str());
                let help = did_you_mean(field, texts.clone()).map_or_else(
                    || format!("rewrite one of: {}", texts.collect::<Vec<_>>().join(", ")),
                    |near| format!("did you mean `{near}`?"),
                );
                self.report(
                    Diagnostic::error(Code::UnknownField, format!("{} has no text field `{field}`", input.name))
                        .primary(self.document.key(&place), "")
                        .help(help),
                );
            }
            templates.push(self.template(&text.0, &place, scope).map(|text| (field.clone(), text)));
        }
        Some(Effect::Rewrite(templates.into_iter().collect::<Option<_>>()?))
    }
}

/// What a hook in the background can do instead of deciding.
fn background_help(hook: &catalog::Hook, word: &str) -> String {
    if !hook.async_rewake {
        "take out `async`, or tell the model with `inject`".to_owned()
    } else if word.is_empty() {
        "tell the model with `inject`".to_owned()
    } else {
        format!("write `{word}:`, which wakes the model, or take out `async_rewake`")
    }
}

fn inject_complaint(event: &Event, background: bool) -> Option<(String, String)> {
    match event.context {
        // What a background hook says to the person reaches the model instead, on any event that takes it.
        _ if background && event.notice == Notice::SystemMessage => None,
        Context::Additional | Context::PlainText => None,
        Context::Continues => Some((
            format!("on {} added context makes the turn go on, as a block would", event.name),
            "use `block` if that is meant, else `warn`".to_owned(),
        )),
        Context::Never => Some((
            format!("on {} nothing reaches the model", event.name),
            "say it on another event; an `async` hook may speak to the model where a message is shown".to_owned(),
        )),
    }
}
