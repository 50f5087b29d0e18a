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

pub(crate) fn the_person_is_told_of_an_open_breaker_even_where_failures_are_not_told() {
    let world = World::new().with("CATALOG", "quiet");
    fail(&world, "open", "fail", 3);
    assert!(world.run("open", "open=deny").says("is skipped"));
}

pub(crate) fn a_breaker_file_that_somebody_wrote_opens_nothing() {
    let world = World::new();
    fail(&world, "open", "fail", 1);
    for text in [r#"{"open":3,"closed":3}"#, r#"{"open":{"failures":3}}"#] {
        std::fs::write(world.state("breaker.json"), text).expect("written");
        assert!(world.run("open", "open=deny").denies(), "{text}");
        assert!(world.run("closed", "closed=deny").denies(), "{text}");
    }
    assert_eq!(world.logged("BREAKER_OPEN"), 0);
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

pub(crate) fn what_the_agent_can_bring_about_does_not_count() {
    for way in ["panic", "hang", "divide", "number", "index"] {
        let world = World::new().with_config("strikes: 1");
        fail(&world, "open", way, 1);
        assert!(world.run("open", "open=deny").denies(), "{way}");
        assert_eq!((world.logged("FAIL_OPEN"), world.logged("BREAKER_OPEN")), (1, 0), "{way}");
    }
}

pub(crate) fn nor_does_what_the_agent_can_do_to_the_state() {
    let world = World::new().with_config("strikes: 1");
    fail(&world, "open", "spend", 1);
    let counters = world.state("counters.json");
    let lock = std::fs::File::open(world.state("counters.lock")).expect("there");
    lock.lock().expect("free");
    fail(&world, "open", "spend", 1);
    lock.unlock().expect("held");
    std::fs::remove_file(&counters).expect("there");
    std::fs::create_dir(&counters).expect("created");
    fail(&world, "open", "spend", 1);
    assert_eq!(world.logged("FAIL_OPEN"), 2);
    assert!(world.run("open", "open=deny").denies());
}
