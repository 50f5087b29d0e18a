//! What each reply looks like on the wire, per event that the catalog uses.

use hookgen_runtime::{Context, EVENTS, Event, Json, Many, Node, Notice, Origin, Refusal, Running, Verdict, program};
use serde::Serialize;
use serde_json::Value;

use super::markdown::fence;
use super::words;
use crate::model::{Catalog, Denial, Effect, FailSafe, Hook, Kind};

#[derive(Serialize)]
pub(super) struct ContractsView {
    events: Vec<EventView>,
}

#[derive(Serialize)]
struct EventView {
    name: &'static str,
    replies: Vec<Reply>,
}

/// One kind of reply: what it is called, what it does, and an example.
#[derive(Serialize)]
struct Reply {
    title: String,
    example: String,
}

pub(super) fn view(catalog: &Catalog) -> ContractsView {
    let used = EVENTS.iter().filter(|event| catalog.hooks.iter().any(|hook| hook.event.name == event.name));
    let events = used.map(|event| {
        let any = |is: fn(&Hook) -> bool| catalog.hooks.iter().any(|hook| hook.event.name == event.name && is(hook));
        let mut replies = Vec::new();
        if any(|hook| hook.kind == Kind::Command && !hook.background) {
            replies.extend(binary_replies(event, catalog.denial, &said(catalog, event)));
        }
        if any(|hook| hook.kind == Kind::Command && hook.background) {
            let title = format!("Background hook: {}.", words::LATER);
            let remark = |verdict: &mut Verdict| verdict.inject(CHECK, reason());
            replies.push(spoken(event, catalog.denial, Running::Background, &title, remark));
        }
        if any(|hook| hook.async_rewake) && event.refusal != Refusal::Never {
            let title = "Waking hook: the action goes on, and the model is woken with the reason.";
            let remark = |verdict: &mut Verdict| verdict.deny(CHECK, reason());
            replies.push(spoken(event, catalog.denial, Running::Waking, title, remark));
        }
        if any(|hook| matches!(hook.kind, Kind::Prompt | Kind::Agent)) {
            replies.push(model_reply(event));
        }
        if any(|hook| hook.service.is_some()) {
            let title = "HTTP and MCP tool hooks: the JSON of a command hook, as the answer's whole text.".to_owned();
            replies.push(Reply { title, example: String::new() });
        }
        EventView { name: event.name, replies }
    });
    ContractsView { events: events.collect() }
}

/// What the hooks that are waited for on an event can say.
#[derive(Default)]
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

fn said(catalog: &Catalog, event: &Event) -> Said {
    let awaited = |hook: &&Hook| hook.event.name == event.name && hook.kind == Kind::Command && !hook.background;
    let mut said = Said::default();
    for hook in catalog.hooks.iter().filter(awaited) {
        // A hook that breaks speaks as its fail-safe says.
        said.deny |= hook.fail_safe == FailSafe::Closed;
        for effect in hook.checks.iter().flat_map(|check| &check.effects) {
            match effect {
                Effect::Deny(_) => said.deny = true,
                Effect::Feedback(_) => said.feedback = true,
                Effect::Ask(_) => said.ask = true,
                Effect::Allow(_) => said.allow = true,
                Effect::Inject(_) | Effect::Advise(_) => said.context = true,
                Effect::Rewrite { .. } => said.rewrite = true,
                Effect::Export { .. } => said.export = true,
                _ => {}
            }
        }
    }
    said
}

/// The answers that the hooks of an event can give, spoken by the engine itself: the page cannot say anything else than
/// the binary does. A notice is always among them, since a failure is told by one.
fn binary_replies(event: &Event, denial: Denial, said: &Said) -> Vec<Reply> {
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
        let title = "Export: a line in the file that `CLAUDE_ENV_FILE` names.".to_owned();
        replies.push(Reply { title, example: fence("sh", "export NAME='value'") });
    }
    replies
}

/// The check that the examples come from; it is never shown.
const CHECK: &str = "example";

fn reason() -> String {
    "…".to_owned()
}

fn spoken(event: &Event, denial: Denial, running: Running, title: &str, remark: impl FnOnce(&mut Verdict)) -> Reply {
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
    let said = hookgen_runtime::reply(event, denial, running, Node::new(&input, Origin::Payload), vec![verdict]);
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
    use crate::emit::fixture;

    const EVERYTHING: Said =
        Said { deny: true, feedback: true, ask: true, allow: true, context: true, rewrite: true, export: true };

    fn examples(event: &Event, denial: Denial) -> String {
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
    fn only_what_the_hooks_can_say_is_shown() {
        let event = Event::named("PreToolUse").expect("event");
        let silent = binary_replies(event, Denial::Json, &Said::default());
        let titles: Vec<&str> = silent.iter().filter_map(|reply| reply.title.split([':', '.']).next()).collect();
        assert_eq!(titles, ["Nothing to say", "Notice"]);
        let mut catalog = fixture::smallest();
        catalog.hooks[0].checks.clear();
        catalog.hooks[0].fail_safe = FailSafe::Closed;
        assert!(said(&catalog, catalog.hooks[0].event).deny);
    }

    #[test]
    fn what_a_background_hook_says_is_shown_as_it_reaches_the_model() {
        let mut catalog = fixture::smallest();
        catalog.hooks[0].event = Event::named("TaskCompleted").expect("event");
        catalog.hooks[0].background = true;
        let titles: Vec<String> =
            view(&catalog).events.remove(0).replies.into_iter().map(|reply| reply.title).collect();
        assert_eq!(titles.len(), 1, "{titles:?}");
        assert!(titles[0].contains("the model reads the text with its next request"), "{titles:?}");
    }

    #[test]
    fn a_refusal_that_wakes_the_model_is_shown_with_its_exit_code() {
        let mut catalog = fixture::smallest();
        let hook = &mut catalog.hooks[0];
        hook.event = Event::named("PostToolUse").expect("event");
        (hook.background, hook.async_rewake) = (true, true);
        let titles = |catalog: &Catalog| view(catalog).events.remove(0).replies.into_iter().map(|reply| reply.title);
        assert!(titles(&catalog).any(|title| title.starts_with("Waking hook") && title.contains("Exit code 2")));
        catalog.hooks[0].async_rewake = false;
        assert!(!titles(&catalog).any(|title| title.starts_with("Waking hook")));
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
