//! What facts, documents and messages of the catalog may say about the event.
//!
//! They are written once and used by hooks on several events. So they are typed against everything that the catalog's
//! hooks can see, and every hook that uses one must have all the fields that it reads: a field that could only ever be
//! empty is a mistake.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::Resolver;
use super::uses::Uses;
use super::{hook, matcher};
use crate::diagnostic::{Code, Diagnostic};
use crate::document::Pointer;
use crate::model::{self, Expr, ExprKind, Record, Type};
use crate::protocol;

impl Resolver<'_> {
    /// The fields of all events that the catalog's hooks fire on; `None` when one of them is no event at all, so that
    /// nobody knows which fields there are.
    pub(super) fn shared_payload(&self) -> Option<Arc<Record>> {
        let payloads: Option<Vec<Arc<Record>>> = (self.written.hooks.iter())
            .map(|hook| {
                let event = hook::event_meant(&hook.event)?;
                let matcher = matcher::read(hook.matcher.as_deref(), event).unwrap_or_default();
                Some(protocol::payload(event, matcher.as_ref()))
            })
            .collect();
        Some(protocol::union("any event of this catalog's hooks", payloads?.into_iter()))
    }

    /// Reports what a hook uses although its event lacks the fields that it is made of.
    pub(super) fn check_shared(&self, catalog: &model::Catalog, hook: &model::Hook, uses: &Uses, place: &Pointer) {
        let payload = protocol::payload(hook.event, hook.matcher.as_ref());
        for (section, name, expressions) in definitions(catalog, uses) {
            let read: BTreeSet<Vec<&str>> = expressions.into_iter().flat_map(paths).collect();
            for path in read.into_iter().filter(|path| !has(&payload, path)) {
                let field = path.join(".");
                let definition = Pointer::root().key(section).key(name);
                self.report(
                    Diagnostic::error(
                        Code::UnknownField,
                        format!("hook `{}` uses `{name}`, which reads `{field}`: its event has no such field", hook.id),
                    )
                    .primary(self.document.at(&place.key("id")), format!("{} fires on {}", hook.id, hook.event.name))
                    .secondary(self.document.key(&definition), format!("reads `{field}`"))
                    .help("use it only in hooks whose event and matcher have the field"),
                );
            }
        }
    }
}

type Shared<'c> = (&'static str, &'c str, Vec<&'c Expr>);

/// The catalog's own definitions among what a hook uses, with the expressions that each is made of.
fn definitions<'c>(catalog: &'c model::Catalog, uses: &Uses) -> Vec<Shared<'c>> {
    let facts = catalog.facts.iter().filter(|fact| uses.facts.contains(&fact.name));
    let facts = facts.map(|fact| ("facts", fact.name.as_str(), vec![&fact.expr]));
    let documents = catalog.documents.iter().filter(|document| uses.documents.contains(&document.name));
    let documents = documents.map(|document| {
        let when = document.when.iter().map(|when| &when.expr);
        ("documents", document.name.as_str(), document.path.expressions().chain(when).collect())
    });
    let messages = catalog.messages.iter().filter(|message| uses.messages.contains(&message.name));
    let messages =
        messages.map(|message| ("messages", message.name.as_str(), message.template.expressions().collect()));
    facts.chain(documents).chain(messages).collect()
}

/// The ways into the payload that an expression takes, each as far as it is spelt out.
fn paths(expr: &Expr) -> Vec<Vec<&str>> {
    match path(expr) {
        Some(path) => vec![path],
        None => expr.children().into_iter().flat_map(paths).collect(),
    }
}

fn path(expr: &Expr) -> Option<Vec<&str>> {
    match &expr.kind {
        ExprKind::Payload => Some(Vec::new()),
        ExprKind::Field { of, name } | ExprKind::Has { of, name } => {
            let mut path = path(of)?;
            path.push(name);
            Some(path)
        }
        _ => None,
    }
}

/// Whether the payload has the field, or may have it for all that is known.
fn has(payload: &Record, path: &[&str]) -> bool {
    let Some((first, rest)) = path.split_first() else { return true };
    match payload.field(first) {
        None => false,
        Some(Type::Record(record)) => has(record, rest),
        Some(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use crate::compile::compile;

    /// The messages that a catalog with two hooks earns whose bodies are as given.
    fn messages(fact: &str, tool_hook: &str, stop_hook: &str) -> Vec<String> {
        let text = format!(
            "catalog: demo\nversion: 1.0.0\ndescription: Demo.\nfacts:\n  called: {fact}\nhooks:\n  - id: H01\n    \
             name: on-tool\n    event: PreToolUse\n    matcher: Task\n    timeout: 1s\n    fail_safe: open\n    why: Demo.\n    \
             checks: [{{ id: one, when: \"{tool_hook}\", deny: no }}]\n  - id: H02\n    name: on-stop\n    event: Stop\n    \
             timeout: 1s\n    fail_safe: open\n    why: Demo.\n    checks: [{{ id: one, when: \"{stop_hook}\", block: no }}]\n"
        );
        let compiled = compile("demo.yaml".into(), text.into_bytes());
        compiled.diagnostics.iter().filter(|found| found.is_error()).map(|found| found.message.clone()).collect()
    }

    #[test]
    fn a_fact_may_use_the_fields_of_the_hooks_that_use_it() {
        let found = messages("tool_input.subagent_type", "called == 'qa'", "stop_hook_active");
        assert_eq!(found, Vec::<String>::new());
    }

    #[test]
    fn a_hook_whose_event_lacks_the_field_cannot_use_the_fact() {
        let found = messages("tool_input.subagent_type", "called == 'qa'", "called == 'qa'");
        let expected = "hook `H02` uses `called`, which reads `tool_input.subagent_type`: its event has no such field";
        assert_eq!(found, [expected]);
    }

    #[test]
    fn a_field_that_no_hook_has_is_unknown() {
        let found = messages("tool_input.subagent_typ", "called == 'qa'", "stop_hook_active");
        assert_eq!(found, ["the input of Task has no field `subagent_typ`"]);
    }
}
