//! Programs that act and programs that only look, in hooks that enforce and in hooks that only watch.

use super::portable::Portable;
use crate::support::write;

const CATALOG: &str = "catalog: demo
version: 1.0.0
description: A program that acts, and one that looks.
config: { file: '${project_dir}/hooks.yaml' }
hooks:
  - id: ACTS
    name: acts
    event: PreToolUse
    matcher: Bash
    timeout: 5s
    fail_safe: closed
    why: It needs a program that may do anything.
    checks:
      - id: settled
        when: tool_input.command == 'settled' || run(['touch', 'acted'], 3).code == 99
        deny: It was settled without a program.
      - id: acted
        when: run(['touch', 'acted'], 3).ok
        deny: The program ran.
  - id: ENDS
    name: ends
    event: PreToolUse
    matcher: Bash
    timeout: 5s
    fail_safe: closed
    why: It ends what runs.
    checks:
      - { id: ended, when: endLatest('some.lock'), deny: Nothing is left. }
  - id: LOOKS
    name: looks
    event: PreToolUse
    matcher: Bash
    timeout: 5s
    fail_safe: closed
    why: It needs a program that only looks.
    checks:
      - { id: looked, when: \"query(['touch', 'looked'], 3).ok\", deny: The program looked. }
";

fn in_mode(mode: &str) -> Portable {
    let demo = Portable::of(CATALOG);
    write(&demo.path("project/hooks.yaml"), format!("modes: {{ ACTS: {mode}, LOOKS: {mode}, ENDS: {mode} }}"));
    demo
}

#[test]
fn both_run_for_a_hook_that_enforces() {
    let demo = in_mode("enforce");
    assert!(demo.asked(&["ACTS"], "ls").exits(0).stdout.contains("The program ran."));
    assert!(demo.asked(&["LOOKS"], "ls").exits(0).stdout.contains("The program looked."));
    assert!(demo.asked(&["ENDS"], "ls").exits(0).stdout.contains("Nothing is left."));
    assert!(demo.path("project/acted").exists() && demo.path("project/looked").exists());
}

#[test]
fn one_that_warns_looks_but_does_not_act_and_says_that_it_cannot_tell() {
    let demo = in_mode("warn");
    let told = demo.asked(&["ACTS"], "ls").exits(0);
    assert!(
        told.stdout.contains("only warns, and cannot tell what it would do") && !told.stdout.contains("deny"),
        "{told:?}"
    );
    assert!(told.stdout.contains("`touch`"), "{told:?}");
    assert!(!demo.path("project/acted").exists());
    assert_eq!(demo.asked(&["ACTS"], "ls").exits(0).stdout, "", "the person hears of it once");
    let looked = demo.asked(&["LOOKS"], "ls").exits(0);
    assert!(looked.stdout.contains("LOOKS_looks only warns; it would refuse this: The program looked."), "{looked:?}");
    assert!(demo.asked(&["ENDS"], "ls").exits(0).stdout.contains("cannot tell"));
    let log = demo.log();
    assert!(log.contains("CANNOT_TELL") && !log.contains("FAIL_CLOSED"), "{log}");
}

#[test]
fn one_that_is_audited_leaves_it_to_the_log() {
    let demo = in_mode("audit");
    assert_eq!(demo.asked(&["ACTS"], "ls").exits(0).stdout, "");
    assert!(!demo.path("project/acted").exists());
    assert!(demo.log().contains(r#""decision":"CANNOT_TELL","mode":"audit""#), "{}", demo.log());
    assert_eq!(demo.asked(&["LOOKS"], "ls").exits(0).stdout, "");
    assert!(
        demo.log().contains(r#""decision":"DENY","mode":"audit","reason":"The program looked.""#),
        "{}",
        demo.log()
    );
}

#[test]
fn what_can_be_told_without_the_program_is_told() {
    let demo = in_mode("warn");
    let told = demo.asked(&["ACTS"], "settled").exits(0);
    assert!(told.stdout.contains("it would refuse this: It was settled without a program."), "{told:?}");
    assert!(!demo.path("project/acted").exists());
}

#[test]
fn one_that_is_off_does_nothing() {
    let demo = in_mode("off");
    for hook in ["ACTS", "LOOKS", "ENDS"] {
        assert_eq!(demo.asked(&[hook], "ls").exits(0).stdout, "", "{hook}");
    }
    assert!(!demo.path("project/acted").exists() && !demo.path("project/looked").exists());
}
