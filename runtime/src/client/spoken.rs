//! The JSON that Claude Code reads, and that several clients read as far as their tables say.

use std::borrow::Cow;

use super::fields::encode_input;
use super::{Fields, Tool};
use crate::event::{Context, Notice, Refusal};
use crate::json::{Json, Many};
use crate::node::Node;
use crate::program::Str;
use crate::reply::{LONGEST, Reply, Said, clean};

/// The answer as one JSON object, or nothing at all when there is nothing to say.
pub(super) fn nested(said: &Said<'_>) -> Reply {
    let unheard = said.refusal.clone().map(some_reason);
    Reply { stdout: object(said, unheard.clone()), unheard, ..Reply::default() }
}

/// The answer by exit code, with the reason on standard error and nothing beside it.
pub(super) fn by_exit_code(reason: &str) -> Reply {
    Reply { stderr: some_reason(reason.to_owned()), exit: 2, ..Reply::default() }
}

/// A refusal without a word is none to several clients.
pub(super) fn some_reason(reason: String) -> String {
    if reason.trim().is_empty() { "refused".to_owned() } else { reason }
}

/// One JSON object, or nothing at all when there is nothing to say. A reason that is spoken by exit code is not in it.
pub(super) fn object(said: &Said<'_>, denied: Option<String>) -> String {
    let mut top: Fields<'_> = Vec::new();
    let mut specific: Fields<'_> = Vec::new();
    let event = said.event;
    if let Some(reason) = denied {
        refuse(event.refusal, reason, &mut top, &mut specific);
    } else if said.refusal.is_none() {
        permit(said, &mut specific);
    }
    if event.context == Context::Additional
        && let Some(context) = said.context()
    {
        put(&mut specific, "additionalContext", text(context));
    }
    if event.notice == Notice::SystemMessage
        && let Some(notices) = said.notices()
    {
        put(&mut top, "systemMessage", text(notices));
    }
    if !specific.is_empty() {
        specific.insert(0, (Cow::Borrowed("hookEventName"), Json::text(event.native())));
        put(&mut top, "hookSpecificOutput", Json::Object(Many::Owned(specific)));
    }
    if top.is_empty() { String::new() } else { Json::Object(Many::Owned(top)).to_string() }
}

fn refuse<'a>(refusal: Refusal, reason: String, top: &mut Fields<'a>, specific: &mut Fields<'a>) {
    match refusal {
        Refusal::Permission => {
            put(specific, "permissionDecision", Json::text("deny"));
            put(specific, "permissionDecisionReason", text(reason));
        }
        Refusal::Behavior => {
            let decision =
                vec![(Cow::Borrowed("behavior"), Json::text("deny")), (Cow::Borrowed("message"), text(reason))];
            put(specific, "decision", Json::Object(Many::Owned(decision)));
        }
        Refusal::Block | Refusal::Feedback => {
            put(top, "decision", Json::text("block"));
            put(top, "reason", text(reason));
        }
        Refusal::Never | Refusal::ExitCode => {}
    }
}

fn permit<'a>(said: &Said<'a>, specific: &mut Fields<'a>) {
    let merged = &said.merged;
    let updated = said.rewrites().then(|| updated_input(said));
    match said.event.refusal {
        Refusal::Permission => {
            let permission = match (merged.ask.as_slice(), merged.allow.as_slice()) {
                ([], []) => None,
                ([], reasons) => Some(("allow", reasons)).filter(|_| said.event.approves),
                (reasons, _) => Some(("ask", reasons)).filter(|_| said.event.asks),
            };
            if let Some((word, reasons)) = permission {
                put(specific, "permissionDecision", Json::text(word));
                put(specific, "permissionDecisionReason", text(clean(&reasons.join("\n"), LONGEST)));
            }
            if let Some(updated) = updated {
                put(specific, "updatedInput", updated);
            }
        }
        Refusal::Behavior if !merged.allow.is_empty() => {
            let mut decision: Fields<'a> = vec![(Cow::Borrowed("behavior"), Json::text("allow"))];
            if let Some(updated) = updated {
                put(&mut decision, "updatedInput", updated);
            }
            put(specific, "decision", Json::Object(Many::Owned(decision)));
        }
        _ => {}
    }
}

/// The whole input with the new values in place, under the client's names: the client replaces, it does not merge.
pub(super) fn updated_input<'a>(said: &Said<'a>) -> Json<'a> {
    updated(said.input, &said.merged.rewrite, said.tool)
}

fn updated<'a>(input: Node<'a>, rewrite: &[(Str, String)], tool: Option<&'static Tool>) -> Json<'a> {
    let mut fields: Fields<'a> = match input.json() {
        Json::Object(fields) => fields.to_vec(),
        _ => Vec::new(),
    };
    for (field, value) in rewrite {
        match fields.iter_mut().find(|(name, _)| name == field) {
            Some((_, old)) => *old = text(value.clone()),
            None => fields.push((field.clone(), text(value.clone()))),
        }
    }
    if let Some(tool) = tool {
        encode_input(tool, &mut fields);
    }
    Json::Object(Many::Owned(fields))
}

pub(super) fn put<'a>(fields: &mut Fields<'a>, name: &'static str, value: Json<'a>) {
    fields.push((Cow::Borrowed(name), value));
}

pub(super) fn text(text: String) -> Json<'static> {
    Json::Text(Cow::Owned(text))
}

/// An object in one line, or nothing if it is empty.
pub(super) fn line(fields: Fields<'_>) -> String {
    if fields.is_empty() { String::new() } else { Json::Object(Many::Owned(fields)).to_string() }
}
