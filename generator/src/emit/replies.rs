//! What each reply looks like on the wire, per event. One page for all catalogs.

use hookgen_runtime::client::claude::places::ENV_FILE;
use hookgen_runtime::{
    Answering, CLAUDE, Context, EVENTS, Event, Json, Many, Node, Notice, Origin, Refusal, Running, Verdict, program,
};
use serde_json::Value;

use super::docs::markdown::fence;
use super::docs::words;
use super::{Output, banner};
use crate::model::Denial;

/// `reference/REPLIES.md`, relative to the root of everything generated.
pub fn replies_output() -> Output {
    Output::new("reference/REPLIES.md", page())
}

/// `reference/FAULTS.md`: what hooks do when something around them is broken.
pub fn faults_output() -> Output {
    let text = format!(
        "<!-- {} -->\n\n# Faults\n\n\"Denied\" holds on events that can be refused, for hooks in `enforce` mode that are \
         switched on. Every row is proved for every command hook by `hookgen test --faults`, against the binary that \
         ships.\n\n{}\n\nA panic in a check and a check that never returns end as unreadable input does: the process \
         answers by itself before the client gives up on it. The runtime's own tests prove that, since a shipped binary \
         has no switch for breaking it.\n",
        banner("the list of faults"),
        super::docs::failures::faults()
    );
    Output::new("reference/FAULTS.md", text)
}

/// One kind of reply: what it is called, what it does, and an example.
struct Reply {
    title: String,
    example: String,
}

fn page() -> String {
    let mut page = format!(
        "<!-- {} -->\n\n# Replies\n\nWhat hooks can answer on each event, as it goes over the wire: one JSON object or \
         nothing; fields without a value are left out. Each catalog's own hooks say only part of it. Where a denial is said \
         by exit code as well, `contract: {{ denial: exit_code }}` chooses that.\n",
        banner("the table of events")
    );
    for event in EVENTS {
        page.push_str(&format!("\n## {}\n", event.name));
        for reply in replies(event) {
            page.push_str(&format!("\n{}\n", reply.title));
            if !reply.example.is_empty() {
                page.push_str(&format!("\n{}\n", reply.example));
            }
        }
    }
    page
}

fn replies(event: &'static Event) -> Vec<Reply> {
    let mut replies = binary_replies(event, Denial::Json, &EVERYTHING);
    let by_code = binary_replies(event, Denial::ExitCode, &EVERYTHING);
    let other = by_code.into_iter().find(|reply| reply.title.starts_with("Denial") && reply.title.contains("code 2"));
    replies.extend(other.filter(|other| replies.iter().all(|known| known.title != other.title)));
    let title = format!("Background hook: {}.", words::LATER);
    let remark = |verdict: &mut Verdict| verdict.inject(CHECK, reason());
    replies.push(spoken(event, Denial::Json, Running::Background, &title, remark));
    if event.refusal != Refusal::Never {
        let title = "Waking hook: the action goes on, and the model is woken with the reason.";
        let remark = |verdict: &mut Verdict| verdict.deny(CHECK, reason());
        replies.push(spoken(event, Denial::Json, Running::Waking, title, remark));
    }
    if event.prompt_hooks || event.agent_hooks {
        replies.push(model_reply(event));
    }
    if event.http_hooks {
        let title = "HTTP and MCP tool hooks: the JSON of a command hook, as the answer's whole text.".to_owned();
        replies.push(Reply { title, example: String::new() });
    }
    replies
}

const EVERYTHING: Said =
    Said { deny: true, feedback: true, ask: true, allow: true, context: true, rewrite: true, export: true };

/// What the hooks that are waited for on an event can say.
#[expect(clippy::struct_excessive_bools, reason = "each is a kind of answer, and they combine freely")]
struct Said {
    deny: bool,
    feedback: bool,
    ask: bool,
    allow: bool,
    context: bool,
    rewrite: bool,
    export: bool,
}

/// The answers that the hooks of an event can give, spoken by the engine itself: the page cannot say anything else than
/// the binary does. A notice is always among them, since a failure is told by one.
fn binary_replies(event: &'static Event, denial: Denial, said: &Said) -> Vec<Reply> {
    let mut replies = vec![spoken(event, denial, Running::Awaited, "Nothing to say.", |_| {})];
    let mut say = |possible: bool, title: &str, remark: fn(&mut Verdict)| {
        if possible {
            replies.push(spoken(event, denial, Running::Awaited, title, remark));
        }
    };
    let refuses = said.deny && !matches!(event.refusal, Refusal::Never | Refusal::Feedback);
    let denial_title = format!("Denial: {}.", words::refusal(event));
    say(refuses, &denial_title, |verdict| verdict.deny(CHECK, reason()));
    let feedback_title = format!("Feedback: {}.", words::refusal(event));
    let feeds_back = said.feedback || said.deny;
    say(feeds_back && event.refusal == Refusal::Feedback, &feedback_title, |verdict| verdict.feedback(CHECK, reason()));
    say(said.ask && event.asks(), "Question: the person decides.", |verdict| verdict.ask(CHECK, reason()));
    let approval = "Approval: no permission prompt is shown.";
    say(said.allow && event.permits(), approval, |verdict| verdict.allow(CHECK, reason()));
    let tells = said.context && matches!(event.context, Context::Additional | Context::PlainText);
    say(tells, &format!("Context: {}.", words::context(event)), |verdict| verdict.inject(CHECK, reason()));
    let notices = event.notice != Notice::Never;
    say(notices, &format!("Notice: {}.", words::notice(event)), |verdict| verdict.warn(CHECK, reason()));
    let rewrites = said.rewrite && event.rewrites;
    let alone = event.refusal == Refusal::Permission;
    say(rewrites && alone, "Rewrite: the whole input, the rewritten fields replaced.", |verdict| {
        verdict.rewrite(CHECK, "field", "new value");
    });
    say(rewrites && (said.allow || !alone), "Rewrite with an approval.", |verdict| {
        verdict.rewrite(CHECK, "field", "new value");
        verdict.allow(CHECK, reason());
    });
    if said.export && event.exports {
        let title = format!("Export: a line in the file that `{ENV_FILE}` names.");
        replies.push(Reply { title, example: fence("sh", "export NAME='value'") });
    }
    replies
}

/// The check that the examples come from; it is never shown.
const CHECK: &str = "example";

fn reason() -> String {
    "…".to_owned()
}

fn spoken(
    event: &'static Event,
    denial: Denial,
    running: Running,
    title: &str,
    remark: impl FnOnce(&mut Verdict),
) -> Reply {
    let mut verdict = Verdict::default();
    remark(&mut verdict);
    let denial = match denial {
        Denial::Json => program::Denial::Json,
        Denial::ExitCode => program::Denial::ExitCode,
    };
    let input = Json::Object(Many::Owned(vec![
        ("field".into(), Json::text("old value")),
        ("other".into(), Json::text("as it was")),
    ]));
    let to = Answering { client: CLAUDE, event, denial, running, tool: None };
    let said = hookgen_runtime::reply(to, Node::new(&input, Origin::Payload), vec![verdict]);
    let (channel, text) = match (said.stdout.as_str(), said.stderr.as_str()) {
        ("", "") => (", and no output.", String::new()),
        ("", error) => (", standard error:", fence("text", error)),
        (output, _) => (", standard output:", shown(output)),
    };
    Reply { title: format!("{title} Exit code {}{channel}", said.exit), example: text }
}

/// A JSON reply with line breaks for the reader; plain text as it is.
fn shown(output: &str) -> String {
    match serde_json::from_str::<Value>(output) {
        Ok(body @ Value::Object(_)) => fence("json", &format!("{body:#}")),
        _ => fence("text", output),
    }
}

fn model_reply(event: &Event) -> Reply {
    let title = format!("Prompt and agent hooks: the model's answer. On a no, {}.", words::model_refusal(event));
    Reply { title, example: fence("json", "{\n  \"ok\": false,\n  \"reason\": \"…\"\n}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn examples(event: &'static Event, denial: Denial) -> String {
        let replies = binary_replies(event, denial, &EVERYTHING).into_iter();
        replies.map(|reply| format!("{}\n{}", reply.title, reply.example)).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn the_catalog_s_contract_decides_how_a_denial_is_spoken_where_both_ways_work() {
        let event = Event::named("PreToolUse").expect("event");
        assert!(examples(event, Denial::Json).contains("\"permissionDecision\": \"deny\""));
        assert!(examples(event, Denial::ExitCode).contains("Exit code 2"));
        assert!(!examples(event, Denial::ExitCode).contains("\"deny\""));
    }

    #[test]
    fn every_event_is_on_the_page_with_both_ways_to_deny() {
        let page = page();
        for event in EVENTS {
            assert!(page.contains(&format!("\n## {}\n", event.name)), "{}", event.name);
        }
        let before = page.split("\n## ").find(|section| section.starts_with("PreToolUse\n")).expect("a section");
        assert!(before.contains("\"permissionDecision\": \"deny\"") && before.contains("Exit code 2"), "{before}");
        assert!(before.contains("Waking hook") && before.contains("with its next request"), "{before}");
    }

    #[test]
    fn events_on_which_one_way_works_use_that_one() {
        let compact = examples(Event::named("PreCompact").expect("event"), Denial::Json);
        assert!(compact.contains("Exit code 2") && !compact.contains('{'), "{compact}");
        let request = examples(Event::named("PermissionRequest").expect("event"), Denial::ExitCode);
        assert!(request.contains("\"updatedInput\""), "{request}");
        assert!(request.contains("\"behavior\": \"deny\"") && !request.contains("Exit code 2"), "{request}");
    }

    #[test]
    fn every_json_example_names_its_event_and_holds_no_null() {
        for event in EVENTS {
            for reply in binary_replies(event, Denial::Json, &EVERYTHING) {
                let Some(body) = reply.example.strip_prefix("```json\n") else { continue };
                let body: Value = serde_json::from_str(body.trim_end_matches('`')).expect("JSON");
                if let Some(specific) = body.get("hookSpecificOutput") {
                    assert_eq!(specific["hookEventName"], event.name);
                }
                assert!(!body.to_string().contains("null"));
            }
        }
    }
}
