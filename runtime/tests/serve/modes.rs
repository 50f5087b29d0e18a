//! Modes, and what reaches the log.

use crate::world::World;

pub(crate) fn a_mode_in_the_config_file_beats_the_catalog() {
    let world = World::new().with_config("modes: { open: warn }");
    let warned = world.run("open", "open=deny");
    assert!(!warned.denies() && warned.says("it would refuse this: open says no"), "{warned:?}");
    assert!(world.log().contains("open: WARN-ONLY DENY | open says no"), "{}", world.log());
    let changed = world.run("open", "open=rewrite");
    assert!(!changed.says("updatedInput") && changed.says("it would set `command` to `ls`"), "{changed:?}");

    let world = World::new().with_config("modes: { open: audit }");
    assert!(world.run("open", "open=deny").is_silent());
    assert!(world.run("open", "open=rewrite").is_silent());
    assert!(world.audit().contains(r#""decision":"DENY","mode":"audit","reason":"open says no""#), "{}", world.audit());

    let world = World::new().with_config("modes: { closed: audit }");
    assert!(world.run("open", "open=deny").denies(), "another hook's mode is another hook's");
}

pub(crate) fn a_closed_hook_that_is_only_watched_does_not_refuse_when_it_breaks() {
    let world = World::new().with_config("modes: { closed: warn, open: audit }");
    let said = world.run("closed", "closed=panic");
    assert!(!said.denies() && said.says("it would refuse this"), "{said:?}");
    assert!(world.run("open", "open=panic").is_silent());
    assert_eq!((world.logged("FAIL_CLOSED"), world.logged("FAIL_OPEN")), (1, 1));
    assert!(!world.run("closed", "closed=hang").denies());
}

pub(crate) fn what_is_odd_about_settings_and_state_reaches_the_log() {
    let world = World::new().with_config("limit: many\nmodes: { open: loud }");
    let input = r#"{"session_id":"s","key":"a"}"#;
    world.run_with("open", "open=spend", input).well_formed();
    std::fs::write(world.path("data/sessions/s/counters.json"), "{").expect("damaged");
    world.run_with("open", "open=spend", input).well_formed();
    let log = world.log();
    for note in ["NOTE | limit must be a whole number", "NOTE | modes.open must be", "is damaged"] {
        assert!(log.contains(note), "{note} in {log}");
    }
    let quiet = World::new().with_config("limit: 5");
    quiet.run_with("open", "open=spend", input).well_formed();
    assert!(!quiet.log().contains("NOTE"), "{}", quiet.log());
}

pub(crate) fn the_verbose_log_has_the_whole_answer() {
    let world = World::new().with("VERBOSE", "true");
    let said = world.run("open", "open=deny");
    let log = world.log();
    assert!(log.contains(&format!("OUTPUT | exit 0 stdout {}", said.stdout)), "{log}");
    assert!(log.contains(r#"INPUT | {"session_id":"s","tool_name":"Bash""#), "{log}");
    world.run("open", "-");
    assert!(world.log().contains("OUTPUT | exit 0\n"), "a hook with nothing to say is shown too: {}", world.log());
    let plain = World::new();
    plain.run("open", "open=deny");
    assert!(!plain.log().contains("INPUT"), "{}", plain.log());
}
