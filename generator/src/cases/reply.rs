//! A hook's answer as the client understands it.
//!
//! The client drops a reply that breaks its rules, and the decision in it with it. Such a reply is a fault here:
//! whatever the case expected, a hook must never answer like that.

use hookgen_runtime::client::claude::words::{CONTINUE_ENDS, KEYS, PLAIN_TEXT, REASON_TO_PERSON, SPECIFIC};
use hookgen_runtime::{Context, Event, Notice, Refusal, Running};
use serde::Deserialize as _;
use serde_json::{Map, Value};

use super::process::{Answer, End};
use crate::catalog::Decision;

/// What becomes of an answer.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) decision: Decision,
    pub(super) said: Vec<Said>,
    /// The tool input that replaces the original.
    pub(super) updated: Option<Map<String, Value>>,
    /// Why the client would drop the reply, or count the hook as broken.
    pub(super) faults: Vec<String>,
}

/// Something said, and who hears it. What only a debug log shows is heard by nobody.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) text: String,
    pub(super) model: bool,
    pub(super) person: bool,
}

/// Who hears something.
#[derive(Clone, Copy)]
struct Hearers {
    model: bool,
    person: bool,
}

const NOBODY: Hearers = Hearers { model: false, person: false };
const MODEL: Hearers = Hearers { model: true, person: false };
const PERSON: Hearers = Hearers { model: false, person: true };
const BOTH: Hearers = Hearers { model: true, person: true };

impl Reply {
    /// Reads the answer of a hook on that event. A message of a background hook goes to the model, not to the person.
    pub(super) fn read(event: &Event, running: Running, answer: &Answer) -> Self {
        let mut reply = Self { decision: Decision::Pass, said: Vec::new(), updated: None, faults: Vec::new() };
        let stdout = reply.text(&answer.stdout, "standard output");
        let stderr = reply.text(&answer.stderr, "standard error");
        let fields = match read_output(event, stdout.trim()) {
            Ok(Output::Nothing) => None,
            Ok(Output::Text(text)) => {
                reply.say(text, if answer.end == End::Exited(0) { plain_text(event) } else { NOBODY });
                None
            }
            Ok(Output::Fields(fields)) => Some(fields),
            Err(fault) => {
                reply.faults.push(fault);
                None
            }
        };
        reply.judge_end(event, running, answer.end, stderr.trim(), fields.as_ref());
        if let Some(fields) = fields {
            reply.judge_fields(event, running, &fields);
        }
        reply
    }

    /// Everything said, to whomever, one piece per line.
    pub(super) fn all(&self) -> String {
        self.heard(|_| true)
    }

    pub(super) fn to_model(&self) -> String {
        self.heard(|said| said.model)
    }

    pub(super) fn to_person(&self) -> String {
        self.heard(|said| said.person)
    }

    fn heard(&self, by: impl Fn(&Said) -> bool) -> String {
        self.said.iter().filter(|said| by(said)).map(|said| said.text.as_str()).collect::<Vec<_>>().join("\n")
    }

    fn text(&mut self, bytes: &[u8], stream: &str) -> String {
        if let Err(error) = str::from_utf8(bytes) {
            self.faults.push(format!("{stream} is not UTF-8: {error}"));
        }
        String::from_utf8_lossy(bytes).into_owned()
    }

    fn say(&mut self, text: &str, to: Hearers) {
        if !text.is_empty() {
            self.said.push(Said { text: text.to_owned(), model: to.model, person: to.person });
        }
    }

    fn decide(&mut self, decision: Decision) {
        if strength(decision) > strength(self.decision) {
            self.decision = decision;
        }
    }

    /// The exit code, and what is said on standard error with it.
    fn judge_end(
        &mut self,
        event: &Event,
        running: Running,
        end: End,
        stderr: &str,
        fields: Option<&Map<String, Value>>,
    ) {
        let refuses = !matches!(event.refusal, Refusal::Never | Refusal::Behavior);
        match end {
            // The action has gone on, and the model is woken instead, on any event.
            End::Exited(2) if running == Running::Waking => {
                self.decide(Decision::Deny);
                self.say(stderr, MODEL);
            }
            End::Exited(2) if refuses => {
                self.decide(Decision::Deny);
                if fields.is_none_or(|fields| blocking_reason(fields).is_none()) {
                    self.say(stderr, reason(event));
                } else {
                    self.say(stderr, NOBODY);
                }
            }
            // Where nothing can be refused the client shows it to the person at most.
            End::Exited(2) => self.say(stderr, if event.refusal == Refusal::Never { PERSON } else { NOBODY }),
            End::Exited(0) => self.say(stderr, NOBODY),
            other => {
                self.faults.push(format!("the client takes the hook for broken: {other}"));
                self.say(stderr, NOBODY);
            }
        }
    }

    fn judge_fields(&mut self, event: &Event, running: Running, fields: &Map<String, Value>) {
        self.say(text_of(fields, "systemMessage"), if running == Running::Awaited { notice(event) } else { MODEL });
        self.say(text_of(fields, "stopReason"), PERSON);
        let blocked = text_of(fields, "decision") == "block";
        self.say(text_of(fields, "reason"), if blocked { reason(event) } else { NOBODY });
        if blocked && event.refusal != Refusal::Never {
            self.decide(Decision::Deny);
        }
        if fields.get("continue") == Some(&Value::Bool(false)) && CONTINUE_ENDS.contains(&event.name) {
            self.decide(Decision::Deny);
        }
        if let Some(Value::Object(specific)) = fields.get("hookSpecificOutput") {
            self.judge_permission(specific);
            self.judge_behavior(specific);
            self.judge_context(event, text_of(specific, "additionalContext"));
        }
    }

    fn judge_permission(&mut self, specific: &Map<String, Value>) {
        let said = text_of(specific, "permissionDecisionReason");
        match text_of(specific, "permissionDecision") {
            "deny" => {
                self.decide(Decision::Deny);
                self.say(said, BOTH);
            }
            "ask" | "defer" => {
                self.decide(Decision::Ask);
                self.say(said, BOTH);
            }
            "allow" => {
                self.decide(Decision::Allow);
                self.say(said, PERSON);
            }
            _ => self.say(said, NOBODY),
        }
        if let Some(Value::Object(input)) = specific.get("updatedInput") {
            self.updated = Some(input.clone());
        }
    }

    fn judge_behavior(&mut self, specific: &Map<String, Value>) {
        let Some(Value::Object(decision)) = specific.get("decision") else { return };
        match text_of(decision, "behavior") {
            "deny" => self.decide(Decision::Deny),
            "allow" => self.decide(Decision::Allow),
            _ => {}
        }
        self.say(text_of(decision, "message"), BOTH);
        if let Some(Value::Object(input)) = decision.get("updatedInput") {
            self.updated = Some(input.clone());
        }
    }

    fn judge_context(&mut self, event: &Event, context: &str) {
        let heard = matches!(event.context, Context::Additional | Context::Continues);
        self.say(context, if heard { MODEL } else { NOBODY });
        if event.context == Context::Continues && !context.is_empty() {
            self.decide(Decision::Deny);
        }
    }
}

/// What stands on standard output.
enum Output<'t> {
    Nothing,
    Text(&'t str),
    Fields(Map<String, Value>),
}

fn read_output<'t>(event: &Event, text: &'t str) -> Result<Output<'t>, String> {
    if text.is_empty() {
        return Ok(Output::Nothing);
    }
    if !text.starts_with('{') {
        return match text.lines().find(|line| looks_like_reply(line.trim())) {
            Some(_) => Err("the client reads this as plain text: there is text before the JSON".to_owned()),
            None => Ok(Output::Text(text)),
        };
    }
    if event.context == Context::PlainText || event.notice == Notice::PlainText {
        return Err(format!("JSON on {} reaches its reader as it stands", event.name));
    }
    let mut stream = serde_json::Deserializer::from_str(text);
    let value = Value::deserialize(&mut stream).map_err(|error| format!("the reply is no JSON: {error}"))?;
    stream.end().map_err(|_| "the client drops this reply: there is more after the JSON".to_owned())?;
    let Value::Object(fields) = value else {
        return Err("the reply is no JSON object".to_owned());
    };
    match fault(event, &fields) {
        Some(fault) => Err(format!("the client drops this reply: {fault}")),
        None => Ok(Output::Fields(fields)),
    }
}

fn looks_like_reply(line: &str) -> bool {
    line.starts_with('{')
        && serde_json::from_str::<Map<String, Value>>(line)
            .is_ok_and(|fields| KEYS.iter().any(|key| fields.contains_key(*key)))
}

/// Why the client would drop the reply as a whole.
fn fault(event: &Event, fields: &Map<String, Value>) -> Option<String> {
    if let Some(path) = null_field(fields, "") {
        return Some(format!("`{path}` is null"));
    }
    let texts = ["reason", "systemMessage", "stopReason", "decision"];
    if let Some(name) = texts.iter().find(|name| fields.get(**name).is_some_and(|value| !value.is_string())) {
        return Some(format!("`{name}` is not a string"));
    }
    if !matches!(text_of(fields, "decision"), "" | "approve" | "block") {
        return Some(format!("`decision` is `{}`, and only `approve` and `block` exist", text_of(fields, "decision")));
    }
    match fields.get("hookSpecificOutput")? {
        Value::Object(specific) => specific_fault(event, specific),
        _ => Some("`hookSpecificOutput` is not an object".to_owned()),
    }
}

fn specific_fault(event: &Event, specific: &Map<String, Value>) -> Option<String> {
    if !SPECIFIC.contains(&event.name) {
        return Some(format!("`hookSpecificOutput` does not exist on {}", event.name));
    }
    match specific.get("hookEventName") {
        Some(Value::String(name)) if name == event.name => {}
        Some(other) => return Some(format!("`hookEventName` is {other} on {}", event.name)),
        None => return Some("`hookEventName` is missing".to_owned()),
    }
    let texts = ["permissionDecision", "permissionDecisionReason", "additionalContext"];
    if let Some(name) = texts.iter().find(|name| specific.get(**name).is_some_and(|value| !value.is_string())) {
        return Some(format!("`{name}` is not a string"));
    }
    let permission = text_of(specific, "permissionDecision");
    if !matches!(permission, "" | "allow" | "deny" | "ask" | "defer") {
        return Some(format!("`permissionDecision` is `{permission}`"));
    }
    if specific.get("updatedInput").is_some_and(|input| !input.is_object()) {
        return Some("`updatedInput` is not an object".to_owned());
    }
    match specific.get("decision") {
        Some(Value::Object(decision)) if matches!(text_of(decision, "behavior"), "allow" | "deny") => None,
        Some(_) => Some("`decision.behavior` is neither `allow` nor `deny`".to_owned()),
        None => None,
    }
}

/// The first null. The content of a rewritten input is the tool's own business.
fn null_field(fields: &Map<String, Value>, path: &str) -> Option<String> {
    fields.iter().find_map(|(name, value)| match value {
        Value::Null => Some(format!("{path}{name}")),
        Value::Object(inner) if name != "updatedInput" => null_field(inner, &format!("{path}{name}.")),
        _ => None,
    })
}

fn text_of<'f>(fields: &'f Map<String, Value>, name: &str) -> &'f str {
    fields.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// The reason in the JSON that takes the place of standard error.
fn blocking_reason(fields: &Map<String, Value>) -> Option<&str> {
    let permission = fields.get("hookSpecificOutput").and_then(|specific| specific.get("permissionDecisionReason"));
    fields.get("reason").or(permission).and_then(Value::as_str).filter(|reason| !reason.is_empty())
}

fn reason(event: &Event) -> Hearers {
    match event.refusal {
        Refusal::ExitCode => PERSON,
        _ if REASON_TO_PERSON.contains(&event.name) => PERSON,
        _ => BOTH,
    }
}

fn notice(event: &Event) -> Hearers {
    if event.notice == Notice::SystemMessage { PERSON } else { NOBODY }
}

fn plain_text(event: &Event) -> Hearers {
    if event.context == Context::PlainText || PLAIN_TEXT.contains(&event.name) {
        MODEL
    } else if event.notice == Notice::PlainText {
        PERSON
    } else {
        NOBODY
    }
}

/// Decisions in the order in which one gives way to another.
pub(super) fn strength(decision: Decision) -> u8 {
    match decision {
        Decision::Pass => 0,
        Decision::Allow => 1,
        Decision::Ask => 2,
        Decision::Deny => 3,
    }
}

#[cfg(test)]
#[path = "reply_tests.rs"]
mod tests;
