//! The circuit breaker.

use crate::world::World;

fn fail(world: &World, hook: &str, fault: &str, times: usize) {
    for _ in 0..times {
        world.run(hook, &format!("{hook}={fault}")).well_formed();
    }
}

pub(crate) fn an_open_hook_is_bypassed_after_its_failures_and_the_person_is_told_once() {
    let world = World::new();
    fail(&world, "open", "fail", 3);
    let skipped = world.run("open", "open=deny");
    assert!(!skipped.denies() && skipped.says("failed 3 times and is skipped"), "{skipped:?}");
    assert!(world.run("open", "open=deny").is_silent());
    assert_eq!((world.logged("FAIL_OPEN"), world.logged("BREAKER_OPEN")), (3, 2));
    let other = r#"{"session_id":"another","tool_name":"Bash"}"#;
    assert!(world.run_with("open", "open=deny", other).denies(), "each session has its own");
    assert!(world.run("closed", "closed=deny").denies(), "each hook has its own");
    let patient = World::new().with_config("strikes: 5");
    fail(&patient, "open", "fail", 4);
    assert!(patient.run("open", "open=deny").denies(), "the config file sets the threshold");
}

pub(crate) fn a_success_starts_the_count_again() {
    for success in ["fine", "deny"] {
        let world = World::new();
        fail(&world, "open", "fail", 2);
        fail(&world, "open", success, 1);
        fail(&world, "open", "fail", 2);
        assert!(world.run("open", "open=deny").denies(), "{success}");
    }
}

pub(crate) fn a_closed_hook_is_never_bypassed() {
    let world = World::new();
    fail(&world, "closed", "fail", 6);
    let said = world.run("closed", "closed=fail");
    assert!(said.denies(), "{said:?}");
    assert_eq!(world.logged("BREAKER_OPEN"), 0);
}

pub(crate) fn a_closed_hook_is_bypassed_where_the_catalog_says_so() {
    let world = World::new().with("LENIENT", "1");
    fail(&world, "closed", "fail", 3);
    let said = world.run("closed", "closed=fail");
    assert!(!said.denies() && said.says("is skipped"), "the person is told even where failures are not: {said:?}");
}

pub(crate) fn bad_documents_bad_input_and_denials_do_not_count() {
    let world = World::new();
    fail(&world, "open", "document", 4);
    fail(&world, "open", "deny", 4);
    for _ in 0..4 {
        world.run_with("open", "-", r#"{"session_id":"s""#).well_formed();
        world.run_with("open", "open=spend", r#"{"session_id":"s","key":1}"#).well_formed();
    }
    assert_eq!(world.logged("FAIL_OPEN"), 12);
    assert!(world.run("open", "open=deny").denies());
    assert!(world.run_with("open", "open=deny", "{}").denies(), "nor where the session is not known");
}

pub(crate) fn a_check_that_panics_or_never_returns_counts() {
    for way in ["panic", "hang"] {
        let world = World::new().with_config("strikes: 1");
        fail(&world, "open", way, 1);
        let skipped = world.run("open", "open=deny");
        assert!(!skipped.denies() && skipped.says("is skipped"), "{way}: {skipped:?}");
    }
}
