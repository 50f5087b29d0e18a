use super::*;
use crate::client::CLAUDE;
use crate::event::EVENTS;
use crate::json::Json;
use crate::node::Origin;

fn say(event: &str, denial: Denial, verdicts: Vec<Verdict>) -> Reply {
    let input = Json::parse(r#"{"command":"git push --force","timeout":5}"#).expect("valid");
    let event = Event::named(event).expect("known");
    let to = Answering { client: CLAUDE, event, denial, running: Running::Awaited, tool: None };
    reply(to, Node::new(&input, Origin::Payload), verdicts)
}

fn verdict(change: impl FnOnce(&mut Verdict)) -> Verdict {
    let mut verdict = Verdict::default();
    change(&mut verdict);
    verdict
}

fn denial(reason: &str) -> Verdict {
    verdict(|verdict| verdict.decision = Some((Decision::Deny, reason.to_owned())))
}

#[test]
fn to_approve_is_to_say_nothing() {
    for event in EVENTS {
        let passed = verdict(|verdict| verdict.decision = Some((Decision::Pass, "fine".to_owned())));
        assert_eq!(say(event.name, Denial::Json, vec![passed, Verdict::default()]), Reply::default());
    }
}

#[test]
fn feedback_reaches_the_model_beside_the_result_and_nowhere_else() {
    let remark = || verdict(|verdict| verdict.feedback("a", "run the tests".to_owned()));
    let reply = say("PostToolUse", Denial::Json, vec![remark(), remark()]);
    assert_eq!(reply.stdout, r#"{"decision":"block","reason":"run the tests\nrun the tests"}"#);
    assert_eq!(say("PreToolUse", Denial::Json, vec![remark()]), Reply::default());
}

#[test]
fn a_denial_has_the_form_of_its_event() {
    for (event, stdout) in [
        (
            "PreToolUse",
            r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}"#,
        ),
        ("Stop", r#"{"decision":"block","reason":"no"}"#),
        ("UserPromptSubmit", r#"{"decision":"block","reason":"no"}"#),
        (
            "PermissionRequest",
            r#"{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"no"}}}"#,
        ),
        ("SessionStart", ""),
    ] {
        let reply = say(event, Denial::Json, vec![denial("no")]);
        assert_eq!((reply.stdout.as_str(), reply.exit), (stdout, 0), "{event}");
    }
    assert_eq!(
        say("PreCompact", Denial::Json, vec![denial("no")]),
        Reply { stderr: "no".into(), exit: 2, ..Reply::default() }
    );
}

#[test]
fn a_denial_by_exit_code_keeps_what_is_for_others() {
    let mut refused = denial("no");
    refused.notices.push("look".to_owned());
    let reply = say("PreToolUse", Denial::ExitCode, vec![refused]);
    assert_eq!((reply.stderr.as_str(), reply.exit), ("no", 2));
    assert_eq!(reply.stdout, r#"{"systemMessage":"look"}"#);
    assert_eq!(say("PermissionRequest", Denial::ExitCode, vec![denial("no")]).exit, 0);
}

#[test]
fn words_that_the_client_takes_for_a_missing_script_are_spoken_as_json() {
    let reply = say("Stop", Denial::ExitCode, vec![denial("No such file: plan.md")]);
    assert_eq!((reply.exit, reply.stdout.as_str()), (0, r#"{"decision":"block","reason":"No such file: plan.md"}"#));
}

#[test]
fn all_reasons_of_several_denials_are_given() {
    let reply = say("PreToolUse", Denial::ExitCode, vec![denial("one"), denial("two")]);
    assert_eq!(reply.stderr, "one\ntwo");
}

#[test]
fn a_denial_beats_a_question_and_a_question_an_approval() {
    let ask = || verdict(|verdict| verdict.decision = Some((Decision::Ask, "sure?".to_owned())));
    let allow = || verdict(|verdict| verdict.decision = Some((Decision::Allow, "ok".to_owned())));
    assert!(say("PreToolUse", Denial::Json, vec![allow(), ask()]).stdout.contains(r#""permissionDecision":"ask""#));
    let denied = say("PreToolUse", Denial::Json, vec![allow(), denial("no"), ask()]).stdout;
    assert!(denied.contains(r#""permissionDecision":"deny""#) && !denied.contains("sure?"));
}

#[test]
fn a_rewrite_keeps_the_other_fields() {
    let changed = verdict(|verdict| verdict.rewrite("force", "command", "git push".to_owned()));
    assert_eq!(
        say("PreToolUse", Denial::Json, vec![changed]).stdout,
        r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"git push","timeout":5}}}"#
    );
}

#[test]
fn context_goes_to_the_model_the_way_the_event_takes_it() {
    let context = || verdict(|verdict| verdict.inject("state", "phase: X".to_owned()));
    assert_eq!(say("PreCompact", Denial::Json, vec![context()]).stdout, "phase: X");
    assert!(
        say("UserPromptSubmit", Denial::Json, vec![context()]).stdout.contains(r#""additionalContext":"phase: X""#)
    );
}

#[test]
fn a_background_hook_speaks_to_the_model_through_its_message() {
    let context = verdict(|verdict| verdict.inject("verify", "check it".to_owned()));
    let event = Event::named("TaskCompleted").expect("known");
    let reply = reply(
        Answering { client: CLAUDE, event, denial: Denial::Json, running: Running::Background, tool: None },
        Node::new(&Json::Null, Origin::Payload),
        vec![context],
    );
    assert_eq!(reply.stdout, r#"{"systemMessage":"check it"}"#);
}

#[test]
fn a_refusal_that_wakes_the_model_is_always_spoken_by_exit_code() {
    let said = |event: &str, running, reason: &str| {
        let event = Event::named(event).expect("known");
        let to = Answering { client: CLAUDE, event, denial: Denial::Json, running, tool: None };
        reply(to, Node::new(&Json::Null, Origin::Payload), vec![denial(reason)])
    };
    for event in ["PreToolUse", "Stop", "PermissionRequest", "PreCompact"] {
        let woken = said(event, Running::Waking, "no such file: plan.md");
        assert_eq!((woken.exit, woken.stderr.as_str()), (2, "no file of that name: plan.md"), "{event}");
        assert_eq!(woken.stdout, "", "{event}");
    }
    assert_eq!(said("Stop", Running::Background, "late").exit, 0);
    assert_eq!(said("SessionStart", Running::Waking, "late"), Reply::default(), "nothing to refuse");
}

#[test]
fn output_is_bounded_and_free_of_control_characters() {
    let long = verdict(|verdict| verdict.inject("x", format!("\u{1b}[31m\0{}", "x".repeat(50_000))));
    let reply = say("SessionStart", Denial::Json, vec![long]);
    assert!(reply.stdout.len() < 10_200);
    assert!(!reply.stdout.contains('\u{1b}') && !reply.stdout.contains("\\u00"));
}

#[test]
fn where_only_the_exit_code_refuses_no_reason_is_taken_for_a_missing_script() {
    let stderr = |reason: &str| say("PreCompact", Denial::Json, vec![denial(reason)]).stderr;
    assert_eq!(
        stderr("cannot read x: No such file or directory (os error 2)"),
        "cannot read x: no file of that name or directory (os error 2)"
    );
    assert_eq!(stderr("sh: CAN'T OPEN x"), "sh: cannot open x");
    assert_eq!(stderr("no such luck"), "no such luck");
    assert_eq!(stderr("\u{1b}"), "refused");
}

#[test]
fn every_text_is_bounded_on_every_event_and_says_nothing_unseen() {
    let hostile = format!("\u{1b}[31m\u{202e}x\u{e0041}\0\r\u{2028}{}", "é".repeat(50_000));
    for event in EVENTS {
        for denial in [Denial::Json, Denial::ExitCode] {
            let all = verdict(|verdict| {
                verdict.warn("x", hostile.clone());
                verdict.inject("x", hostile.clone());
                verdict.feedback("x", hostile.clone());
                verdict.decision = Some((Decision::Deny, hostile.clone()));
            });
            let reply = say(event.name, denial, vec![all]);
            let bare = reply.stdout.replace("\\n", "\n");
            for text in [bare.as_str(), reply.stderr.as_str()] {
                assert!(!text.chars().any(|c| invisible::steers(c) && c != '\n'), "{}", event.name);
                assert!(!text.contains("\\u"), "{}", event.name);
            }
            assert!(reply.stderr.chars().count() < 10_000, "{}", event.name);
            let longest = bare.split('"').map(|part| part.chars().count()).max().unwrap_or_default();
            assert!(longest < 10_000, "{}", event.name);
        }
    }
}

#[test]
fn what_nobody_is_shown_goes_to_standard_error_unless_a_reason_stands_there() {
    let quiet = say("PreCompact", Denial::Json, Vec::new()).with_aside(&["a must be b".to_owned()]);
    assert_eq!((quiet.stdout.as_str(), quiet.stderr.as_str(), quiet.exit), ("", "a must be b", 0));
    let hostile = format!("\u{1b}[2Ja\u{202e} {}", "é".repeat(50_000));
    let bounded = say("PreCompact", Denial::Json, Vec::new()).with_aside(&[hostile]).stderr;
    assert!(bounded.starts_with("[2Ja é") && bounded.chars().count() < 10_000);
    let denied = say("PreCompact", Denial::Json, vec![denial("no")]).with_aside(&["a must be b".to_owned()]);
    assert_eq!((denied.stderr.as_str(), denied.exit), ("no", 2));
}
