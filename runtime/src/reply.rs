//! Verdicts to what the client reads: standard output, standard error and the exit code.
//!
//! The client drops a reply with a null field, a wrong event name, a second line or a word around it, and the denial
//! with it. Everything that is ever printed is built here, and only here.

use std::borrow::Cow;

use crate::event::{Context, Event, Notice, Refusal};
use crate::invisible;
use crate::json::{Json, Many};
use crate::node::Node;
use crate::program::{Denial, Str};
use crate::verdict::{Decision, Verdict};

/// The client cuts off anything longer and puts a file name in its place.
const LONGEST: usize = 9_900;

/// What one process says.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// Standard output: nothing, one JSON object, or plain text where the event takes it.
    pub stdout: String,
    /// Standard error: the reason of a denial that is spoken by exit code.
    pub stderr: String,
    /// 0, or 2 for a denial.
    pub exit: u8,
    /// The reason of a denial on standard output, for standard error and exit code 2 where that cannot be written.
    pub unheard: Option<String>,
}

impl Reply {
    /// Adds what nobody is shown on this event to standard error, which the client's debug log keeps. The reason of a
    /// denial is left alone: the client would read both as one.
    #[must_use]
    pub(crate) fn with_aside(mut self, texts: &[String]) -> Self {
        if self.stderr.is_empty() && self.exit == 0 {
            self.stderr = clean(&texts.join("\n"), LONGEST);
        }
        self
    }
}

/// How the client runs the process: what it listens to depends on that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Running {
    /// The client waits for the answer.
    Awaited,
    /// In the background: nothing is decided, and messages go to the model.
    Background,
    /// In the background, where exit code 2, and nothing else, wakes the model with the reason.
    Waking,
}

/// What several verdicts on one event come to.
#[derive(Debug, Default)]
struct Merged {
    deny: Vec<String>,
    ask: Vec<String>,
    allow: Vec<String>,
    notices: Vec<String>,
    context: Vec<String>,
    rewrite: Vec<(Str, String)>,
}

/// The reply to an event. A denial beats a question, a question an approval; no reason is lost.
pub fn reply(event: &Event, denial: Denial, running: Running, input: Node<'_>, verdicts: Vec<Verdict>) -> Reply {
    let merged = merge(event, running, verdicts);
    let refused = !merged.deny.is_empty() && event.refusal != Refusal::Never;
    let reason = clean(&merged.deny.join("\n"), LONGEST);
    if refused && (running == Running::Waking || by_exit_code(event, denial, &reason)) {
        let stdout = if plain_stdout(event) { String::new() } else { object(event, &merged, None, input) };
        return Reply { stdout, stderr: unmistakable(reason), exit: 2, unheard: None };
    }
    let unheard = refused.then(|| unmistakable(reason.clone()));
    let stdout = match (event.context, event.notice) {
        (Context::PlainText, _) => clean(&merged.context.join("\n"), LONGEST),
        (_, Notice::PlainText) => clean(&merged.notices.join("\n"), LONGEST),
        _ => object(event, &merged, refused.then_some(reason), input),
    };
    Reply { stdout, stderr: String::new(), exit: 0, unheard }
}

fn merge(event: &Event, running: Running, verdicts: Vec<Verdict>) -> Merged {
    let mut merged = Merged::default();
    for verdict in verdicts {
        match verdict.decision {
            Some((Decision::Deny, reason)) => merged.deny.push(reason),
            Some((Decision::Ask, reason)) => merged.ask.push(reason),
            Some((Decision::Allow, reason)) => merged.allow.push(reason),
            Some((Decision::Pass, _)) | None => {}
        }
        merged.notices.extend(verdict.notices);
        merged.context.extend(verdict.context);
        merged.rewrite.extend(verdict.rewrite);
        if event.refusal == Refusal::Feedback {
            merged.deny.extend(verdict.feedback);
        }
    }
    // The client hands a background hook's message to the model, and its context nowhere on most events.
    if running != Running::Awaited && event.context != Context::Additional {
        merged.notices.append(&mut merged.context);
    }
    merged
}

/// Exit code 2 is spoken where the catalog wants it and the client hears it.
fn by_exit_code(event: &Event, denial: Denial, reason: &str) -> bool {
    match event.refusal {
        Refusal::ExitCode => true,
        Refusal::Never | Refusal::Behavior => false,
        Refusal::Permission | Refusal::Block | Refusal::Feedback => {
            denial == Denial::ExitCode && !is_mistakable(&reason.to_lowercase()) && !reason.trim().is_empty()
        }
    }
}

/// On these words the client takes the hook for a missing script and lets the action through.
const MISTAKABLE: &[(&str, &str)] = &[("no such file", "no file of that name"), ("can't open", "cannot open")];

fn is_mistakable(lower: &str) -> bool {
    MISTAKABLE.iter().any(|(words, _)| lower.contains(words))
}

/// The reason in words that the client takes for one, for where there is no other way to say it.
fn unmistakable(reason: String) -> String {
    if reason.trim().is_empty() {
        return "refused".to_owned();
    }
    // ASCII only, so that the places found are places in the reason itself.
    let mut reason = reason;
    for (words, instead) in MISTAKABLE {
        while let Some(place) = reason.to_ascii_lowercase().find(words) {
            reason.replace_range(place..place + words.len(), instead);
        }
    }
    reason
}

fn plain_stdout(event: &Event) -> bool {
    event.context == Context::PlainText || event.notice == Notice::PlainText
}

type Fields<'a> = Vec<(Cow<'a, str>, Json<'a>)>;

/// One JSON object, or nothing at all when there is nothing to say.
fn object(event: &Event, merged: &Merged, denied: Option<String>, input: Node<'_>) -> String {
    let mut top: Fields<'_> = Vec::new();
    let mut specific: Fields<'_> = Vec::new();
    let refused = !merged.deny.is_empty() && event.refusal != Refusal::Never;
    if let Some(reason) = denied {
        refuse(event, reason, &mut top, &mut specific);
    } else if !refused {
        permit(event, merged, input, &mut specific);
    }
    if event.context == Context::Additional && !merged.context.is_empty() {
        put(&mut specific, "additionalContext", text(clean(&merged.context.join("\n"), LONGEST)));
    }
    if event.notice == Notice::SystemMessage && !merged.notices.is_empty() {
        put(&mut top, "systemMessage", text(clean(&merged.notices.join("\n"), LONGEST)));
    }
    if !specific.is_empty() {
        specific.insert(0, (Cow::Borrowed("hookEventName"), Json::text(event.name)));
        put(&mut top, "hookSpecificOutput", Json::Object(Many::Owned(specific)));
    }
    if top.is_empty() { String::new() } else { Json::Object(Many::Owned(top)).to_string() }
}

fn refuse<'a>(event: &Event, reason: String, top: &mut Fields<'a>, specific: &mut Fields<'a>) {
    match event.refusal {
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

fn permit<'a>(event: &Event, merged: &Merged, input: Node<'a>, specific: &mut Fields<'a>) {
    let updated = (!merged.rewrite.is_empty() && event.rewrites).then(|| updated_input(input, &merged.rewrite));
    match event.refusal {
        Refusal::Permission => {
            let permission = match (merged.ask.as_slice(), merged.allow.as_slice()) {
                ([], []) => None,
                ([], reasons) => Some(("allow", reasons)),
                (reasons, _) => Some(("ask", reasons)),
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

/// The whole input with the new values in place: the client replaces, it does not merge.
fn updated_input<'a>(input: Node<'a>, rewrite: &[(Str, String)]) -> Json<'a> {
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
    Json::Object(Many::Owned(fields))
}

fn put<'a>(fields: &mut Fields<'a>, name: &'static str, value: Json<'a>) {
    fields.push((Cow::Borrowed(name), value));
}

fn text(text: String) -> Json<'static> {
    Json::Text(Cow::Owned(text))
}

/// Without characters that nobody sees, and no longer than the client passes on.
fn clean(text: &str, longest: usize) -> String {
    let visible = |c: char| match c {
        '\n' | '\t' => Some(c),
        '\u{85}' | '\u{2028}' | '\u{2029}' => Some('\n'),
        other => (!invisible::steers(other)).then_some(other),
    };
    let kept: String = text.chars().filter_map(visible).collect::<String>().trim().to_owned();
    if kept.chars().count() <= longest {
        return kept;
    }
    let mut short: String = kept.chars().take(longest).collect();
    short.push_str("\n… (cut)");
    short
}

#[cfg(test)]
mod tests;
