use super::*;
use crate::event::EVENTS;
use crate::node::Origin;

fn say(event: &str, denial: Denial, verdicts: Vec<Verdict>) -> Reply {
    let input = Json::parse(r#"{"command":"git push --force","timeout":5}"#).expect("valid");
    let event = Event::named(event).expect("known");
    reply(event, denial, false, Node::new(&input, Origin::Payload), verdicts)
}

fn verdict(change: impl FnOnce(&mut Verdict)) -> Verdict {
    let mut verdict = Verdict::default();
    change(&mut verdict);
    verdict
}

fn denial(reason: &str) -> Verdict {
    verdict(|verdict| verdict.decision = Some(Decision::Deny(reason.to_owned())))
}

#[test]
fn to_approve_is_to_say_nothing() {
    for event in EVENTS {
        let passed = verdict(|verdict| verdict.decision = Some(Decision::Pass("fine".to_owned())));
        assert_eq!(say(event.name, Denial::Json, vec![passed, Verdict::default()]), Reply::default());
    }
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
    let ask = || verdict(|verdict| verdict.decision = Some(Decision::Ask("sure?".to_owned())));
    let allow = || verdict(|verdict| verdict.decision = Some(Decision::Allow("ok".to_owned())));
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
    let reply = reply(event, Denial::Json, true, Node::new(&Json::Null, Origin::Payload), vec![context]);
    assert_eq!(reply.stdout, r#"{"systemMessage":"check it"}"#);
}

#[test]
fn output_is_bounded_and_free_of_control_characters() {
    let long = verdict(|verdict| verdict.inject("x", format!("\u{1b}[31m\0{}", "x".repeat(50_000))));
    let reply = say("SessionStart", Denial::Json, vec![long]);
    assert!(reply.stdout.len() < 10_200);
    assert!(!reply.stdout.contains('\u{1b}') && !reply.stdout.contains("\\u00"));
}

#[test]
fn what_is_for_the_debug_log_stays_off_standard_output() {
    let broken = || verdict(|verdict| verdict.asides.push("the state is not JSON".to_owned()));
    let reply = say("PreToolUse", Denial::Json, vec![broken()]);
    assert_eq!(reply, Reply { stdout: String::new(), stderr: "the state is not JSON".to_owned(), exit: 0 });
    assert_eq!(say("PreToolUse", Denial::ExitCode, vec![broken(), denial("no")]).stderr, "no");
}
