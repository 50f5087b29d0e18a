//! What agents other than Claude Code make of an answer, as they were seen to: the oracle for what the engine writes.
//!
//! It reads bytes and exit codes, and shares nothing with the writers in the engine. A reply that the agent would ignore
//! is a fault here.

use hookgen_runtime::{CLAUDE, Client, Running};
use serde_json::{Map, Value};

use super::process::{Answer, End};
use super::reply::{Reply, Said};
use crate::catalog::Decision;

/// What one agent reads of a reply.
struct Heard<'h> {
    agent: &'static str,
    event: &'static str,
    /// What the agent itself calls the event.
    native: &'static str,
    status: i32,
    fields: Option<Map<String, Value>>,
    stdout: &'h str,
    stderr: &'h str,
}

/// Reads the answer of a hook as that agent would.
pub(super) fn read(client: &'static Client, event: &'static str, answer: &Answer) -> Reply {
    let mut reply = Reply { decision: Decision::Pass, said: Vec::new(), updated: None, faults: Vec::new() };
    let End::Exited(status) = answer.end else {
        reply.faults.push(answer.end.to_string());
        return reply;
    };
    let (stdout, stderr) = (String::from_utf8_lossy(&answer.stdout), String::from_utf8_lossy(&answer.stderr));
    let (stdout, stderr) = (stdout.trim(), stderr.trim());
    let fields = match serde_json::from_str::<Value>(stdout) {
        Ok(Value::Object(fields)) => Some(fields),
        _ => None,
    };
    if fields.is_none() && !stdout.is_empty() && !(client.name == "kimi-code" && event == "UserPromptSubmit") {
        reply.faults.push(format!("{} does not read this as a reply: {stdout}", client.title));
    }
    let native = client.event(event).map_or(event, |event| event.native());
    let heard = Heard { agent: client.name, event, native, status, fields, stdout, stderr };
    match client.name {
        "gemini" => gemini(&heard, &mut reply),
        "copilot" => copilot(&heard, &mut reply),
        "cline" => cline(&heard, &mut reply),
        "opencode" => opencode(&heard, &mut reply),
        "kimi-code" => kimi(&heard, &mut reply),
        "cursor" => cursor(&heard, &mut reply),
        _ => claude_like(&heard, &mut reply),
    }
    reply
}

/// What is wrong with an answer to a call that nobody minds: the agent would not let it pass, or not read the answer.
pub fn minds(
    client: &'static Client,
    event: &'static str,
    status: i32,
    stdout: &[u8],
    stderr: &[u8],
) -> Option<String> {
    let answer = Answer { end: End::Exited(status), stdout: stdout.to_vec(), stderr: stderr.to_vec() };
    let reply = match client.event(event) {
        Some(row) if client.name == CLAUDE.name => Reply::read(row, Running::Awaited, &answer),
        _ => read(client, event, &answer),
    };
    match reply.decision {
        Decision::Deny | Decision::Ask => Some(format!("it is refused: {}", reply.all())),
        Decision::Allow | Decision::Pass => reply.faults.into_iter().next(),
    }
}

/// Keys that Codex knows; any other loses the whole reply.
const CODEX: &[&str] =
    &["continue", "decision", "hookSpecificOutput", "reason", "stopReason", "suppressOutput", "systemMessage"];

fn tool_event(event: &str) -> bool {
    matches!(event, "PreToolUse")
}

fn say(reply: &mut Reply, text: &str, model: bool, person: bool) {
    if !text.is_empty() {
        reply.said.push(Said { text: text.to_owned(), model, person });
    }
}

impl Heard<'_> {
    fn text(&self, key: &str) -> Option<&str> {
        self.fields.as_ref()?.get(key)?.as_str()
    }

    fn specific(&self, key: &str) -> Option<&Value> {
        self.fields.as_ref()?.get("hookSpecificOutput")?.get(key)
    }

    /// Exit code 2 with a reason on standard error.
    fn refused_by_exit(&self, on: &[&str], reply: &mut Reply) -> bool {
        if self.status == 2 && on.contains(&self.event) {
            if self.stderr.is_empty() && matches!(self.agent, "codex" | "qwen" | "gemini") {
                reply.faults.push("exit code 2 without a reason is ignored".to_owned());
                return false;
            }
            reply.decision = Decision::Deny;
            say(reply, self.stderr, true, false);
            return true;
        }
        if self.status != 0 {
            reply.faults.push(format!("exit code {} on {} is ignored", self.status, self.event));
        }
        false
    }
}

/// Codex, Qwen, Droid, Auggie and VS Code, which read parts of Claude Code's JSON.
fn claude_like(heard: &Heard<'_>, reply: &mut Reply) {
    let by_exit: &[&str] = match heard.agent {
        "auggie" => &["PreToolUse", "PostToolUse", "PostToolUseFailure"],
        "qwen" => &["PreToolUse", "UserPromptSubmit", "Stop"],
        _ => &["PreToolUse", "PostToolUse", "UserPromptSubmit", "Stop", "SubagentStop", "PermissionRequest"],
    };
    if heard.refused_by_exit(by_exit, reply) {
        return;
    }
    let Some(fields) = &heard.fields else { return };
    if heard.agent == "codex"
        && let Some(stray) = fields.keys().find(|key| !CODEX.contains(&key.as_str()))
    {
        reply.faults.push(format!("Codex drops a reply with `{stray}`"));
        return;
    }
    if let Some(name) = heard.specific("hookEventName").and_then(Value::as_str).filter(|name| *name != heard.native) {
        reply.faults.push(format!("the reply is about another event: {name}"));
    }
    permission(heard, reply);
    if let Some(behavior) =
        heard.specific("decision").and_then(|decision| decision.get("behavior")).and_then(Value::as_str)
    {
        reply.decision = if behavior == "deny" { Decision::Deny } else { Decision::Allow };
    }
    if heard.text("decision") == Some("block") {
        let blocks: &[&str] = match heard.agent {
            "codex" => &["PostToolUse", "UserPromptSubmit", "Stop", "SubagentStop"],
            "qwen" | "droid" => &["UserPromptSubmit", "Stop", "SubagentStop"],
            "vscode" => &["PostToolUse", "Stop", "SubagentStop"],
            _ => &[],
        };
        if blocks.contains(&heard.event) {
            reply.decision = Decision::Deny;
            say(
                reply,
                heard.text("reason").unwrap_or_default(),
                heard.event != "UserPromptSubmit",
                heard.event == "UserPromptSubmit",
            );
        } else {
            reply.faults.push(format!("`decision: block` is ignored on {}", heard.event));
        }
    }
    let context: &[&str] = match heard.agent {
        "codex" => &["PreToolUse", "PostToolUse", "UserPromptSubmit", "SessionStart", "SubagentStart"],
        "qwen" => &["PostToolUse", "UserPromptSubmit", "SessionStart", "SubagentStart"],
        "droid" => &["PostToolUse", "UserPromptSubmit", "SessionStart"],
        "auggie" => &["PostToolUse", "PostToolUseFailure"],
        _ => &["PreToolUse", "PostToolUse", "SessionStart", "SubagentStart"],
    };
    if let Some(text) = heard.specific("additionalContext").and_then(Value::as_str) {
        say(reply, text, context.contains(&heard.event), false);
    }
    if let Some(text) = heard.text("systemMessage") {
        say(reply, text, false, matches!(heard.agent, "codex" | "qwen" | "vscode"));
    }
}

/// `permissionDecision` before a tool.
fn permission(heard: &Heard<'_>, reply: &mut Reply) {
    let Some(word) = heard.specific("permissionDecision").and_then(Value::as_str) else {
        if let Some(Value::Object(updated)) = heard.specific("updatedInput") {
            match heard.agent {
                "droid" | "auggie" | "vscode" => reply.updated = Some(updated.clone()),
                _ => reply.faults.push("a change of the input is ignored without an approval".to_owned()),
            }
        }
        return;
    };
    let reason = heard.specific("permissionDecisionReason").and_then(Value::as_str).unwrap_or_default();
    let updated = heard.specific("updatedInput").and_then(Value::as_object).cloned();
    match word {
        _ if !tool_event(heard.event) => {
            reply.faults.push(format!("`permissionDecision` is ignored on {}", heard.event));
        }
        "deny" if reason.is_empty() && heard.agent == "codex" => {
            reply.faults.push("a denial without a reason is ignored".to_owned());
        }
        "deny" => reply.decision = Decision::Deny,
        "ask" if matches!(heard.agent, "qwen" | "vscode") => reply.decision = Decision::Ask,
        "ask" => reply.faults.push("a question runs the command".to_owned()),
        "allow" if heard.agent == "codex" && updated.is_some() => reply.updated = updated,
        "allow" if heard.agent == "codex" => reply.faults.push("an approval is rejected".to_owned()),
        "allow" if heard.agent == "droid" => reply.faults.push("an approval overrules what others refuse".to_owned()),
        "allow" => {
            reply.decision = Decision::Allow;
            reply.updated = updated;
        }
        other => reply.faults.push(format!("nobody knows the decision `{other}`")),
    }
    say(reply, reason, true, false);
}

fn gemini(heard: &Heard<'_>, reply: &mut Reply) {
    let Some(_) = &heard.fields else {
        heard.refused_by_exit(&["PreToolUse", "PostToolUse", "UserPromptSubmit", "Stop"], reply);
        return;
    };
    if matches!(heard.text("decision"), Some("deny" | "block")) {
        reply.decision = Decision::Deny;
        say(
            reply,
            heard.text("reason").unwrap_or_default(),
            heard.event != "UserPromptSubmit",
            heard.event == "UserPromptSubmit",
        );
    }
    say(reply, heard.text("systemMessage").unwrap_or_default(), false, true);
    if let Some(text) = heard.specific("additionalContext").and_then(Value::as_str) {
        say(
            reply,
            text,
            matches!(heard.event, "PostToolUse" | "PostToolUseFailure" | "UserPromptSubmit" | "SessionStart"),
            false,
        );
    }
    reply.updated = heard.specific("tool_input").and_then(Value::as_object).cloned();
}

fn copilot(heard: &Heard<'_>, reply: &mut Reply) {
    if heard.status != 0 {
        if tool_event(heard.event) {
            reply.decision = Decision::Deny;
        } else {
            reply.faults.push(format!("exit code {} on {} is ignored", heard.status, heard.event));
        }
        return;
    }
    match heard.text("permissionDecision") {
        Some("deny") => reply.decision = Decision::Deny,
        Some("ask") => reply.decision = Decision::Ask,
        Some("allow") => reply.decision = Decision::Allow,
        _ => {}
    }
    say(reply, heard.text("permissionDecisionReason").unwrap_or_default(), true, false);
    match heard.text("behavior") {
        Some("deny") => reply.decision = Decision::Deny,
        Some("allow") => reply.decision = Decision::Allow,
        _ => {}
    }
    if heard.text("decision") == Some("block") {
        if matches!(heard.event, "PostToolUse" | "UserPromptSubmit" | "Stop" | "SubagentStop") {
            reply.decision = Decision::Deny;
        } else {
            reply.faults.push(format!("`decision: block` is ignored on {}", heard.event));
        }
        say(reply, heard.text("reason").unwrap_or_default(), true, false);
    }
    say(reply, heard.text("additionalContext").unwrap_or_default(), true, false);
    reply.updated = heard.fields.as_ref().and_then(|fields| fields.get("modifiedArgs")?.as_object().cloned());
}

fn kimi(heard: &Heard<'_>, reply: &mut Reply) {
    if heard.refused_by_exit(&["PreToolUse", "UserPromptSubmit", "Stop"], reply) {
        return;
    }
    match heard.event {
        "UserPromptSubmit" => say(reply, heard.stdout, true, false),
        _ if !heard.stdout.is_empty() => reply.faults.push("nothing but a refusal is heard here".to_owned()),
        _ => {}
    }
}

fn cline(heard: &Heard<'_>, reply: &mut Reply) {
    if heard.status != 0 && heard.fields.is_none() {
        reply.faults.push(format!("exit code {} is ignored", heard.status));
    }
    let Some(fields) = &heard.fields else { return };
    if fields.get("cancel") == Some(&Value::Bool(true)) {
        reply.decision = Decision::Deny;
        say(reply, heard.text("errorMessage").unwrap_or_default(), false, true);
    }
    say(reply, heard.text("contextModification").unwrap_or_default(), heard.event.ends_with("ToolUse"), false);
    reply.updated = fields.get("overrideInput").and_then(Value::as_object).cloned();
}

/// What the module that hookgen writes does with an answer.
fn opencode(heard: &Heard<'_>, reply: &mut Reply) {
    if heard.refused_by_exit(&["PreToolUse", "PostToolUse"], reply) {
        return;
    }
    say(
        reply,
        heard.text("context").unwrap_or_default(),
        matches!(heard.event, "PostToolUse" | "UserPromptSubmit" | "SessionStart"),
        false,
    );
    reply.updated = heard.fields.as_ref().and_then(|fields| fields.get("args")?.as_object().cloned());
}

fn cursor(heard: &Heard<'_>, reply: &mut Reply) {
    if heard.refused_by_exit(&["PreToolUse", "UserPromptSubmit"], reply) {
        return;
    }
    let denied = heard.text("permission") == Some("deny");
    let stopped = heard.fields.as_ref().and_then(|fields| fields.get("continue")) == Some(&Value::Bool(false));
    if denied || stopped || heard.text("followup_message").is_some() {
        reply.decision = Decision::Deny;
    }
    for (key, model) in
        [("agent_message", true), ("user_message", false), ("followup_message", true), ("additional_context", true)]
    {
        say(reply, heard.text(key).unwrap_or_default(), model, !model);
    }
    reply.updated = heard.fields.as_ref().and_then(|fields| fields.get("updated_input")?.as_object().cloned());
}

#[cfg(test)]
mod tests {
    use hookgen_runtime::program::Denial;
    use hookgen_runtime::{Answering, CLIENTS, Event, Json, Node, Origin, Refusal, Verdict, reply};

    use super::*;

    /// What the engine says to an agent, as the agent hears it.
    fn heard(client: &'static Client, event: &'static Event, verdict: Verdict) -> Reply {
        heard_of(client, event, Denial::Json, vec![verdict])
    }

    fn heard_of(client: &'static Client, event: &'static Event, denial: Denial, verdicts: Vec<Verdict>) -> Reply {
        let to = Answering { client, event, denial, running: Running::Awaited, tool: None };
        let input = Json::parse(r#"{"command":"ls"}"#).expect("valid");
        let said = reply(to, Node::new(&input, Origin::Payload), verdicts);
        let answer = Answer {
            end: End::Exited(said.exit.into()),
            stdout: said.stdout.into_bytes(),
            stderr: said.stderr.into_bytes(),
        };
        if client.name == CLAUDE.name {
            return Reply::read(event, Running::Awaited, &answer);
        }
        read(client, event.name, &answer)
    }

    /// Everything that a hook may do on an event besides, by the bits of a number.
    fn besides(bits: u8, event: &Event, verdict: &mut Verdict) {
        let has = |bit: u8| bits & (1 << bit) != 0;
        if has(0) {
            verdict.warn("a", "TO THE PERSON");
        }
        if has(1) {
            verdict.inject("a", "TO THE MODEL");
        }
        if has(2) {
            verdict.rewrite("a", "command", "pwd");
        }
        if has(3) {
            verdict.feedback("a", "WRONG");
        }
        if has(4) && event.asks {
            verdict.ask("b", "SURE?");
        }
        if has(5) && event.approves {
            verdict.allow("c", "FINE");
        }
    }

    #[test]
    fn no_agent_ignores_a_refusal_whatever_is_said_beside_it() {
        let reasons = ["NO WAY", "", "No such file or directory", "two\nlines", "{\"decision\":\"approve\"}"];
        for client in CLIENTS.iter().copied() {
            for (event, denial) in
                client.events.iter().flat_map(|event| [(event, Denial::Json), (event, Denial::ExitCode)])
            {
                for (bits, reason) in (0..64).flat_map(|bits| reasons.map(|reason| (bits, reason))) {
                    let refused = verdict(|verdict| verdict.deny("a", reason));
                    let said = verdict(|verdict| besides(bits, event, verdict));
                    let heard = heard_of(client, event, denial, vec![said, refused]);
                    let place = format!("{} {} {denial:?} {bits:b} {reason:?}", client.name, event.name);
                    assert!(heard.faults.is_empty(), "{place}: {:?}", heard.faults);
                    let expected = if event.refusal == Refusal::Never { Decision::Pass } else { Decision::Deny };
                    assert_eq!(heard.decision, expected, "{place}");
                }
            }
        }
    }

    #[test]
    fn no_agent_takes_anything_but_a_refusal_for_one() {
        for client in CLIENTS.iter().copied() {
            for (event, bits) in client.events.iter().flat_map(|event| (0..64).map(move |bits| (event, bits))) {
                // A hook decides one thing, so what asks and what approves are two hooks.
                let said = [bits & !32, bits & 32].map(|bits| verdict(|verdict| besides(bits, event, verdict)));
                let heard = heard_of(client, event, Denial::Json, said.into());
                let place = format!("{} {} {bits:b}", client.name, event.name);
                assert!(heard.faults.is_empty(), "{place}: {:?}", heard.faults);
                let wrong = bits & 8 != 0 && event.refusal == Refusal::Feedback;
                assert_eq!(heard.decision == Decision::Deny, wrong, "{place}: {:?}", heard.said);
                // Only who hears both can be asked and told no: a question is never taken for a yes.
                let asked = bits & 16 != 0 && event.asks && !wrong;
                assert_eq!(heard.decision == Decision::Ask, asked, "{place}");
            }
        }
    }

    fn verdict(change: impl FnOnce(&mut Verdict)) -> Verdict {
        let mut verdict = Verdict::default();
        change(&mut verdict);
        verdict
    }

    fn others() -> impl Iterator<Item = &'static Client> {
        CLIENTS.iter().copied().filter(|client| client.name != "claude")
    }

    #[test]
    fn no_agent_ignores_a_refusal_where_its_table_says_that_it_refuses() {
        for client in others() {
            for event in client.events {
                let refused = heard(client, event, verdict(|verdict| verdict.deny("a", "NO WAY")));
                assert!(refused.faults.is_empty(), "{} {}: {:?}", client.name, event.name, refused.faults);
                let expected = if event.refusal == Refusal::Never { Decision::Pass } else { Decision::Deny };
                assert_eq!(refused.decision, expected, "{} {}", client.name, event.name);
                if event.refusal != Refusal::Never {
                    assert!(
                        refused.all().contains("NO WAY") || event.refusal == Refusal::Behavior,
                        "{} {}",
                        client.name,
                        event.name
                    );
                }
            }
        }
    }

    #[test]
    fn no_agent_is_told_what_it_would_drop() {
        for client in others() {
            for event in client.events {
                let whole = heard(
                    client,
                    event,
                    verdict(|verdict| {
                        verdict.advise("a", "CONTEXT");
                        verdict.rewrite("a", "command", "pwd");
                        if event.asks {
                            verdict.ask("a", "SURE?");
                        }
                    }),
                );
                assert!(whole.faults.is_empty(), "{} {}: {:?}", client.name, event.name, whole.faults);
                assert_eq!(whole.decision == Decision::Ask, event.asks, "{} {}", client.name, event.name);
                let tells = event.context != hookgen_runtime::Context::Never;
                assert_eq!(whole.to_model().contains("CONTEXT"), tells, "{} {}", client.name, event.name);
                assert_eq!(
                    whole.to_person().contains("CONTEXT"),
                    event.notice != hookgen_runtime::Notice::Never,
                    "{} {}",
                    client.name,
                    event.name
                );
            }
        }
    }

    #[test]
    fn silence_is_no_objection_to_anybody() {
        for client in others() {
            for event in client.events {
                let quiet = heard(client, event, Verdict::default());
                assert!(
                    quiet.faults.is_empty() && quiet.said.is_empty() && quiet.decision == Decision::Pass,
                    "{}",
                    client.name
                );
            }
        }
    }
}
