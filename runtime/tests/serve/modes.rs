//! Modes, and what reaches the log.

use hookgen_runtime::Json;

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
    let expected = r#""input":{"command":"rm","n":1},"decision":"DENY","mode":"audit","reason":"open says no""#;
    assert!(world.audit().contains(expected), "what would have been refused can be judged: {}", world.audit());

    let world = World::new().with_config("modes: { closed: audit }");
    assert!(world.run("open", "open=deny").denies(), "another hook's mode is another hook's");
}

pub(crate) fn a_slip_in_the_config_file_is_told_once() {
    let world = World::new().with_config("modes: { opne: warn }\nlimits: { cals: 3 }");
    let first = world.run("open", "open=deny");
    assert!(
        first.denies() && first.says("modes.opne has no effect") && first.says("limits.cals has no effect"),
        "{first:?}"
    );
    assert!(!world.run("open", "open=deny").says("has no effect"), "once a session");
    assert_eq!(world.logged("NOTE"), 4, "the log has it every time");
}

pub(crate) fn a_mode_in_the_catalog_counts_where_the_config_file_has_none() {
    let warned = World::new().run("watched", "watched=deny");
    assert!(!warned.denies() && warned.says("watched only warns; it would refuse this"), "{warned:?}");
    assert!(World::new().with_config("modes: { watched: enforce }").run("watched", "watched=deny").denies());
}

pub(crate) fn nothing_is_checked_in_development_mode() {
    let world = World::new();
    let first = world.run("closed", "dev=on,closed=deny");
    assert!(!first.denies() && first.says("development mode is on"), "the person is told: {first:?}");
    assert!(world.run("closed", "dev=on,closed=panic").is_silent(), "once a session");
    assert!(world.run("open", "dev=on,open=deny").is_silent(), "for all hooks");
    assert_eq!((world.logged("DEV_SKIP"), world.logged("DENY"), world.logged("FAIL_CLOSED")), (3, 0, 0));
    assert!(world.run("closed", "dev=off,closed=deny").denies());
    assert!(world.run("closed", "dev=fail,closed=deny").denies(), "a switch that cannot be read is off");
}

pub(crate) fn a_closed_hook_that_is_only_watched_does_not_refuse_when_it_breaks() {
    let world = World::new().with_config("modes: { closed: warn, open: audit }");
    let said = world.run("closed", "closed=panic");
    assert!(!said.denies() && said.says("it would refuse this"), "{said:?}");
    assert!(world.run("open", "open=panic").is_silent());
    assert_eq!((world.logged("FAIL_CLOSED"), world.logged("FAIL_OPEN")), (1, 1));
    assert!(!world.run("closed", "closed=hang").denies());
    let world = World::new().with_config("modes: { end: audit }");
    assert!(world.run_with("end", "end=panic", r#"{"session_id":"s"}"#).is_silent());
    assert!(!world.run("open", "open=deny").says("end could not"), "nor is anything kept to be told later");
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
    let complains = |world: &World| world.run_with("open", "open=spend", input).says("limit must be a whole number");
    let world = world.with_config("limit: many # still");
    assert!(complains(&world), "a file that was edited and is still wrong");
    assert!(!complains(&world), "the person is told once");
    let quiet = World::new().with_config("limit: 5");
    quiet.run_with("open", "open=spend", input).well_formed();
    assert!(!quiet.log().contains("NOTE"), "{}", quiet.log());
}

pub(crate) fn a_line_of_the_audit_trail_says_who_decided_what_and_when() {
    let world = World::new().with_config("modes: { late: audit }");
    world.run("open late", "open=deny after 300000,late=deny").well_formed();
    let audit = world.audit();
    let lines: Vec<Json<'_>> = audit.lines().map(|line| Json::parse(line).expect("JSON")).collect();
    let [open, late] = lines.as_slice() else { panic!("two decisions: {audit}") };
    for (field, expected) in [
        ("catalog", "faulty"),
        ("version", "1.0.0"),
        ("digest", "00"),
        ("hook", "open"),
        ("check", "check"),
        ("event", "PreToolUse"),
        ("tool", "Bash"),
        ("decision", "DENY"),
        ("reason", "open says no"),
        ("session", "s"),
    ] {
        assert_eq!(open.get(field), Some(&Json::text(expected)), "{field}: {audit}");
    }
    assert!(matches!(open.get("time"), Some(Json::Text(time)) if time.ends_with('Z')), "{audit}");
    assert_eq!((open.get("mode"), late.get("mode")), (None, Some(&Json::text("audit"))));
    let took = |line: &Json<'_>| if let Some(Json::Int(took)) = line.get("duration_us") { *took } else { -1 };
    assert!(took(open) >= 300_000 && (0..300_000).contains(&took(late)), "each hook has its own time: {audit}");
}

pub(crate) fn settings_that_cannot_be_read_never_loosen_what_a_closed_hook_goes_by() {
    let strict = World::new().with_config("limit: 5");
    assert!(strict.run("closed", "closed=limit").says("beyond the limit"));
    let broken = World::new().with_config("limit: 5\n: [");
    let said = broken.run("closed", "closed=limit");
    assert!(said.denies() && said.says("a setting that it goes by cannot be read"), "{said:?}");
    assert!(said.says("systemMessage") && said.says("the defaults count instead"), "the person is told: {said:?}");
    let open = broken.run("open", "open=limit");
    assert!(!open.denies(), "an open hook goes by the default: {open:?}");
    assert!(!broken.run("closed", "closed=fine").denies(), "one that asks for no setting is not concerned");
    assert!(broken.run("closed", "closed=deny").says("closed says no"), "and a denial needs no setting");
    let missing = World::new().with("CONFIG", "none.yaml");
    assert!(!missing.run("closed", "closed=limit").denies(), "no file is no setting");
    assert_eq!(broken.logged("BREAKER_OPEN"), 0);
}

pub(crate) fn the_verbose_log_has_the_whole_answer() {
    let world = World::new().with("VERBOSE", "true");
    let said = world.run("open", "open=deny");
    let log = world.log();
    assert!(log.contains(&format!("OUTPUT | exit 0 stdout {}", said.stdout)), "{log}");
    assert!(log.contains(r#"INPUT | {"session_id":"s","tool_name":"Bash""#), "{log}");
    world.run_with("compact", "compact=deny", r#"{"session_id":"s"}"#);
    assert!(world.log().contains("OUTPUT | exit 2 stderr compact says no\n"), "{}", world.log());
    world.run("open", "-");
    assert!(world.log().contains("OUTPUT | exit 0\n"), "a hook with nothing to say is shown too: {}", world.log());
    for plain in [World::new(), World::new().with("VERBOSE", "false"), World::new().with("VERBOSE", "")] {
        plain.run("open", "open=deny");
        assert!(plain.log().contains("DENY") && !plain.log().contains("INPUT"), "{}", plain.log());
    }
}
