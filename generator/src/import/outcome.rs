//! What the ways through a script come to: for each in which it says something, a check.

use hookgen_runtime::{Context, Event, Notice, Refusal};
use serde_json::Value;

use super::commands::is_event;
use super::jq::UNSEEN;
use super::path::{Path, Reason};
use super::value::{Condition, Piece, Test, Text};

/// A check, before it has a name.
#[derive(Debug, Clone)]
pub(super) struct Draft {
    pub(super) when: Condition,
    /// Effects and what they say.
    pub(super) effects: Vec<(&'static str, String)>,
}

impl Draft {
    /// Whether it ends the hook.
    pub(super) fn decides(&self) -> bool {
        self.effects.iter().any(|(effect, _)| matches!(*effect, "deny" | "block" | "ask" | "allow"))
    }
}

/// Effects and what they say.
type Effects = Vec<(&'static str, String)>;

/// A refusal needs words; these are for a script that has none.
const WORDLESS: &str = "This is refused by a hook of the project.";

/// The checks that stand for all ways through a script.
pub(super) fn checks(event: &Event, paths: &[Path]) -> Result<Vec<Draft>, Reason> {
    let mut found: Vec<(Vec<Condition>, Effects)> = Vec::new();
    for path in paths {
        let effects = effects(event, path)?;
        if !effects.is_empty() {
            found.push((path.facts.clone(), effects));
        }
    }
    let decides = |effects: &[(&'static str, String)]| {
        Draft { when: Condition::Known(true), effects: effects.to_vec() }.decides()
    };
    // Of a way that begins like an earlier one and differs in its last turn, that turn need not be said again: had it been
    // taken, the earlier check would have decided.
    let mut short: Vec<(Vec<Condition>, Effects)> = Vec::new();
    for (place, (facts, effects)) in found.iter().enumerate() {
        let needed = facts.iter().enumerate().filter(|(turn, fact)| {
            let other = (*fact).clone().not();
            !found[..place].iter().any(|(earlier, said)| {
                decides(said)
                    && earlier.split_last().is_some_and(|(last, before)| *last == other && before == &facts[..*turn])
            })
        });
        let needed: Vec<Condition> = needed.map(|(_, fact)| fact.clone()).collect();
        match short.last_mut() {
            Some((before, said)) if said == effects && differ_in_the_end(before, &needed) => {
                if let (Some(last), Some(other)) = (before.pop(), needed.last()) {
                    before.push(Condition::any(vec![last, other.clone()]));
                }
            }
            _ => short.push((needed, effects.clone())),
        }
    }
    Ok(short
        .into_iter()
        .map(|(facts, effects)| Draft { when: Condition::all(without_the_obvious(facts)), effects })
        .collect())
}

fn differ_in_the_end(one: &[Condition], two: &[Condition]) -> bool {
    match (one.split_last(), two.split_last()) {
        (Some((_, one)), Some((_, two))) => one == two,
        _ => false,
    }
}

/// That something is not empty goes without saying where it is said what it holds.
fn without_the_obvious(facts: Vec<Condition>) -> Vec<Condition> {
    let filled = |fact: &Condition| -> Option<String> {
        let Condition::Not(inner) = fact else { return None };
        let Condition::Test(Test { cel, .. }) = inner.as_ref() else { return None };
        cel.strip_suffix(" == ''").map(str::to_owned)
    };
    let said: Vec<Condition> = facts.iter().filter(|fact| filled(fact).is_none()).cloned().collect();
    facts
        .into_iter()
        .filter(|fact| filled(fact).is_none_or(|what| !said.iter().any(|other| implies_filled(other, &what))))
        .collect()
}

fn implies_filled(fact: &Condition, what: &str) -> bool {
    match fact {
        Condition::Test(Test { cel, .. }) => {
            let holds = |function: &str| cel.strip_prefix(what).is_some_and(|rest| rest.starts_with(function));
            holds(".endsWith(")
                || holds(".startsWith(")
                || holds(".contains(")
                || (holds(" == '") && !cel.ends_with(" == ''"))
        }
        Condition::Any(parts) => parts.iter().all(|part| implies_filled(part, what)),
        Condition::All(parts) => parts.iter().any(|part| implies_filled(part, what)),
        Condition::Known(_) | Condition::Not(_) => false,
    }
}

/// What the client does at the end of one way.
fn effects(event: &Event, path: &Path) -> Result<Vec<(&'static str, String)>, Reason> {
    match path.status {
        2 => {
            let said = sayable(&path.err)?;
            Ok(refusal(event, said))
        }
        0 => printed(event, &path.out),
        // Any other code is a complaint that stops nothing.
        _ => Ok(Vec::new()),
    }
}

fn refusal(event: &Event, said: String) -> Vec<(&'static str, String)> {
    let reason = if said.is_empty() { WORDLESS.to_owned() } else { said.clone() };
    match event.refusal {
        Refusal::Permission => vec![("deny", reason)],
        Refusal::Block | Refusal::ExitCode => vec![("block", reason)],
        Refusal::Feedback => vec![("feedback", reason)],
        Refusal::Never if event.notice != Notice::Never && !said.is_empty() => vec![("warn", said)],
        Refusal::Never | Refusal::Behavior => Vec::new(),
    }
}

/// A text that can be said: nothing in it but what is written and what expressions can read.
fn sayable(text: &Text) -> Result<String, Reason> {
    if has_unseen(text) {
        return Err("it passes on the event as a whole".to_owned());
    }
    Ok(text.template().trim().to_owned())
}

fn has_unseen(text: &Text) -> bool {
    is_event(text)
        || text.0.iter().any(|piece| match piece {
            Piece::Known(_) => false,
            Piece::Read(read) => read.cel == UNSEEN || read.cel.starts_with('\u{0}'),
            Piece::Json(text) | Piece::Lines(text, _) => has_unseen(text),
        })
}

/// What standard output means where the exit code is 0.
fn printed(event: &Event, out: &Text) -> Result<Vec<(&'static str, String)>, Reason> {
    let begins = matches!(out.0.first(), Some(Piece::Known(text)) if text.trim_start().starts_with('{'));
    if begins {
        return spoken(event, out);
    }
    let heard = matches!(event.name, "UserPromptSubmit" | "UserPromptExpansion" | "SessionStart" | "PreCompact");
    if !heard || out.literal().is_some_and(|text| text.trim().is_empty()) {
        return Ok(Vec::new());
    }
    let text = sayable(out)?;
    Ok(if text.is_empty() || event.context == Context::Never { Vec::new() } else { vec![("inject", text)] })
}

/// JSON that the client reads. What the event says is put aside while the rest is read. Where it was put between quotes as
/// it is, one with a quote in it makes the whole no JSON, and the client would hear nothing.
fn spoken(event: &Event, out: &Text) -> Result<Vec<(&'static str, String)>, Reason> {
    if has_unseen(out) {
        return Err("it passes on the event as a whole".to_owned());
    }
    let mut reads = Vec::new();
    let mut aside = |cel: String| {
        reads.push(cel);
        format!("\u{1}{}\u{2}", reads.len() - 1)
    };
    let mut text = String::new();
    for piece in &out.0 {
        match piece {
            Piece::Known(known) => text.push_str(known),
            Piece::Read(read) if read.is_one_plain_word() => text.push_str(&aside(read.cel.clone())),
            Piece::Read(_) | Piece::Lines(..) => {
                return Err("quotes in the event would break the JSON of it".to_owned());
            }
            Piece::Json(inner) => {
                let whole: String = inner
                    .0
                    .iter()
                    .map(|piece| if let Piece::Known(known) = piece { known.clone() } else { aside(piece.cel()) })
                    .collect();
                text.push_str(&Value::from(whole).to_string());
            }
        }
    }
    let text = text.replace('\u{1}', "\\u0001").replace('\u{2}', "\\u0002");
    let value: Value = serde_json::from_str(text.trim()).map_err(|_| "what it prints is no JSON".to_owned())?;
    let filled = |text: &str| {
        let text = text.replace("${", "$${");
        reads
            .iter()
            .enumerate()
            .fold(text, |text, (place, cel)| text.replace(&format!("\u{1}{place}\u{2}"), &format!("${{{cel}}}")))
    };
    let mut said = Said::default();
    said.read(&value, &filled)?;
    said.effects(event)
}

/// What is said in the client's JSON.
#[derive(Debug, Default)]
struct Said {
    decision: Option<String>,
    reason: Option<String>,
    context: Option<String>,
    message: Option<String>,
}

impl Said {
    fn read(&mut self, value: &Value, filled: &impl Fn(&str) -> String) -> Result<(), Reason> {
        for (key, value) in value.as_object().into_iter().flatten() {
            match (key.as_str(), value) {
                ("hookSpecificOutput", inner) => self.read(inner, filled)?,
                ("permissionDecision" | "decision", Value::String(word)) => self.decision = Some(word.clone()),
                ("permissionDecisionReason" | "reason", Value::String(text)) => self.reason = Some(filled(text)),
                ("additionalContext", Value::String(text)) => self.context = Some(filled(text)),
                ("systemMessage", Value::String(text)) => self.message = Some(filled(text)),
                ("hookEventName" | "suppressOutput", _) | ("continue", Value::Bool(true)) => {}
                (key, _) => return Err(format!("it says `{key}` to the client")),
            }
        }
        Ok(())
    }

    fn effects(self, event: &Event) -> Result<Vec<(&'static str, String)>, Reason> {
        let mut effects = Vec::new();
        effects.extend(self.message.filter(|text| !text.is_empty()).map(|text| ("warn", text)));
        effects.extend(self.context.filter(|text| !text.is_empty()).map(|text| ("inject", text)));
        let reason = self.reason.unwrap_or_default();
        match self.decision.as_deref() {
            Some("deny" | "block") => effects.extend(refusal(event, reason)),
            Some("ask") if event.asks => {
                effects.push(("ask", if reason.is_empty() { "Is this meant?".to_owned() } else { reason }));
            }
            Some("allow" | "approve") if event.approves => {
                effects.push((
                    "allow",
                    if reason.is_empty() { "Approved by a hook of the project.".to_owned() } else { reason },
                ));
            }
            None | Some("defer" | "approve" | "allow") => {}
            Some(other) => return Err(format!("it decides `{other}`")),
        }
        Ok(effects)
    }
}
