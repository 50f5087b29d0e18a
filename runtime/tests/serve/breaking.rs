//! Hooks that break.

use crate::world::{TIMEOUT, World};

pub(crate) fn a_panic_is_answered_as_fail_safe_says() {
    let world = World::new();
    let closed = world.run("closed", "closed=panic");
    assert!(closed.denies() && closed.says("a bug"), "{closed:?}");
    let open = world.run("open", "open=panic");
    assert!(!open.denies() && open.says("could not check this, and let it pass"), "{open:?}");
    assert!(world.run("open", "open=panic").is_silent(), "the person is told once");
    assert!(world.run("late", "late=panic").says("late could not check this"), "of each hook");
    assert_eq!((world.logged("FAIL_CLOSED"), world.logged("FAIL_OPEN")), (1, 3));
    assert!(!World::new().run("closed", "closed=fine").denies());
}

pub(crate) fn a_panic_before_any_check_is_answered_too() {
    let world = World::new();
    assert!(world.run("closed", "early=panic").denies());
    assert!(!world.run("open", "early=panic").denies());
}

pub(crate) fn a_check_that_never_returns_is_answered_before_the_client_gives_up() {
    for way in ["hang", "spin"] {
        let world = World::new();
        let closed = world.run("closed", &format!("closed={way}"));
        assert!(closed.denies() && closed.took < TIMEOUT, "{way}: {closed:?}");
        assert!(closed.says("did not come to an end"), "{closed:?}");
        let open = world.run("open", &format!("open={way}"));
        assert!(!open.denies() && open.says("let it pass") && open.took < TIMEOUT, "{way}: {open:?}");
        assert_eq!((world.logged("FAIL_CLOSED"), world.logged("FAIL_OPEN")), (1, 1));
    }
}

pub(crate) fn whoever_answers_late_knows_the_event() {
    let world = World::new().with("CONFIG", "hooks.yaml");
    std::fs::create_dir(world.path("project")).expect("created");
    let event = format!(
        r#"{{"session_id":"s","tool_name":"Bash","tool_use_id":"t1","tool_input":{{"command":"make"}},"cwd":"{}"}}"#,
        world.path("project").to_str().expect("UTF-8")
    );
    assert!(world.run_with("closed", "closed=hang", &event).denies());
    assert!(world.log().contains("closed: FAIL_CLOSED | it did not come to an end"), "{}", world.log());
    let expected =
        r#""event":"PreToolUse","tool":"Bash","tool_use_id":"t1","input":{"command":"make"},"decision":"FAIL_CLOSED""#;
    assert!(world.audit().contains(expected), "{}", world.audit());
    std::fs::write(world.path("project/hooks.yaml"), "modes: { closed: audit }").expect("written");
    assert!(world.run_with("closed", "closed=hang", &event).is_silent(), "the project's settings are its settings");
}

pub(crate) fn an_event_that_never_ends_is_answered_before_the_client_gives_up() {
    let world = World::new();
    let closed = world.run_unended("closed", "{");
    assert!(closed.denies() && closed.took < TIMEOUT, "{closed:?}");
    let open = world.run_unended("open", "");
    assert!(!open.denies() && open.says("let it pass") && open.took < TIMEOUT, "{open:?}");
}

pub(crate) fn no_reason_of_hooks_that_share_a_process_is_lost() {
    let said = World::new().run("open closed late", "open=deny,closed=deny,late=rewrite");
    assert!(said.denies() && said.says("open says no") && said.says("closed says no"), "{said:?}");
    assert!(!World::new().run("open closed late", "late=rewrite").denies());
    let heard = World::new().run("open late", "open=deny,late=heed");
    assert!(heard.says("open says no") && !heard.says("late says no"), "a refusal is known to those behind: {heard:?}");
    assert!(World::new().run("open late", "late=heed").says("late says no"));
    let watched = World::new().with_config("modes: { open: warn }").run("open late", "open=deny,late=heed");
    assert!(watched.denies() && watched.says("late says no"), "one that is only watched refuses nothing: {watched:?}");
}

pub(crate) fn a_panic_takes_no_other_hook_along() {
    let world = World::new();
    let said = world.run("open closed", "open=panic,closed=fine");
    assert!(!said.denies() && said.says("open could not check this, and let it pass"), "{said:?}");
    let said = world.run("open closed late", "open=deny,closed=panic,late=deny");
    assert!(said.says("open says no") && said.says("closed could not check") && said.says("late says no"), "{said:?}");
    assert_eq!((world.logged("FAIL_CLOSED"), world.logged("FAIL_OPEN")), (1, 1));
}

pub(crate) fn a_denial_is_not_lost_when_a_later_hook_never_returns() {
    let world = World::new();
    let said = world.run("open closed", "open=deny,closed=hang");
    assert!(said.denies() && said.says("open says no") && said.says("closed could not check"), "{said:?}");
    assert!(!said.says("open could not check") && world.logged("FAIL_OPEN") == 0, "it has answered: {said:?}");
    // Hooks that share a process share the sum of their times.
    assert!(said.took > TIMEOUT && said.took < 2 * TIMEOUT, "{said:?}");
}

pub(crate) fn a_rewrite_is_not_lost_when_a_later_open_hook_never_returns() {
    let said = World::new().run("open late", "open=rewrite,late=hang");
    assert!(!said.denies() && said.says(r#""updatedInput":{"command":"ls","n":1}"#), "{said:?}");
    let said = World::new().run("open hasty", "open=rewrite,hasty=hang");
    assert!(said.denies() && !said.says("updatedInput"), "{said:?}");
}

pub(crate) fn exactly_one_answer_leaves_a_process_that_finishes_at_its_deadline() {
    let world = World::new();
    for round in 0..80_u64 {
        let said = world.run("hasty", &format!("hasty=deny after {}", 46_000 + round * 100));
        assert!(said.denies() && said.says("hasty says no") != said.says("hasty could not check this"), "{said:?}");
    }
}

pub(crate) fn a_hook_that_is_switched_off_denies_nothing_however_broken() {
    let world = World::new().with_config("switch: false");
    assert!(world.run("closed", "closed=panic").is_silent());
    assert!(world.run_with("closed", "-", "not an event").is_silent());
    assert!(world.run_unended("closed", "{").is_silent());
    assert!(World::new().run_with("closed", "-", "not an event").denies());
}

pub(crate) fn a_closed_hook_that_cannot_refuse_says_so() {
    let world = World::new();
    let said = world.run_with("start", "start=panic", r#"{"session_id":"s"}"#);
    assert!(!said.denies() && said.says("systemMessage") && said.says("let it pass"), "{said:?}");
    assert_eq!((world.logged("FAIL_CLOSED"), world.logged("FAIL_OPEN")), (0, 1));
}

pub(crate) fn what_fails_where_nobody_is_shown_anything_is_told_on_the_next_event_that_is() {
    let world = World::new();
    assert!(world.run_with("end", "end=panic", r#"{"session_id":"s"}"#).is_silent());
    assert!(world.run_with("end", "end=panic", r#"{"session_id":"s"}"#).is_silent());
    let next = world.run("open", "open=deny");
    assert!(next.denies() && next.stdout.matches("end could not check this, and let it pass").count() == 1, "{next:?}");
    assert!(!world.run("open", "open=deny").says("end could not"), "once");
    assert_eq!(world.logged("FAIL_OPEN"), 2);
    assert!(world.run("aside", "aside=panic").is_silent(), "the client tells the model, not the person");
    assert!(world.run("open", "open=deny").says("aside could not check this, and let it pass"));
}

pub(crate) fn what_is_wrong_with_settings_is_told_later_too() {
    let world = World::new().with_config("modes: { end: loud, open: warn }");
    let end = world.run_with("end", "end=fail", r#"{"session_id":"s"}"#);
    assert_eq!((end.exit, end.stdout.as_str()), (Some(0), ""));
    assert!(
        end.stderr.contains("modes.end must be enforce, warn, audit or off"),
        "for the client's debug log: {end:?}"
    );
    assert!(world.run("open", "open=deny").says("modes.end must be enforce, warn, audit or off"));
    assert!(!world.run("open", "open=deny").says("modes.end"), "once");
}

pub(crate) fn every_way_of_refusing_works_for_a_broken_hook() {
    for hook in ["closed", "stop", "compact", "permission", "after"] {
        for fault in ["panic", "fail", "document"] {
            let said = World::new().run_with(hook, &format!("{hook}={fault}"), r#"{"session_id":"s"}"#);
            assert!(said.denies(), "{hook} {fault}: {said:?}");
            // The client takes these words on standard error for a missing script, and lets the action through.
            assert!(!said.stderr.to_lowercase().contains("no such file"), "{said:?}");
        }
        assert!(!World::new().run_with(hook, "-", r#"{"session_id":"s"}"#).denies(), "{hook}");
    }
}

pub(crate) fn a_catalog_may_keep_failures_to_the_log() {
    let world = World::new().with("CATALOG", "quiet");
    assert!(world.run("open", "open=panic").is_silent());
    assert_eq!(world.logged("FAIL_OPEN"), 1);
}

pub(crate) fn an_event_that_a_hook_is_not_for_is_none_of_its_business() {
    let event = |name: &str| format!(r#"{{"session_id":"s","tool_name":"Bash","hook_event_name":"{name}"}}"#);
    assert!(World::new().run_with("open", "open=deny", &event("PostToolUse")).is_silent());
    assert!(World::new().run_with("open", "open=deny", &event("PreToolUse")).denies());
    assert!(World::new().run_with("open stop", "stop=deny", &event("PreToolUse")).is_silent());
}

pub(crate) fn a_tool_that_a_hook_is_not_for_is_none_of_its_business() {
    let world = World::new();
    assert!(world.run("picky", "picky=deny").is_silent());
    assert!(world.run("picky open", "picky=hang,open=deny").denies(), "nor does it hold up the others");
    assert!(world.run_with("picky", "picky=deny", r#"{"session_id":"s","tool_name":"Write"}"#).denies());
    assert!(world.run_with("picky", "picky=deny", r#"{"session_id":"s"}"#).denies(), "the client has matched already");
}

pub(crate) fn every_name_of_a_tool_reaches_the_hook_that_names_it() {
    let world = World::new();
    let denies = |hook: &str, event: &str| world.run_with(hook, &format!("{hook}=deny"), event).denies();
    assert!(denies("shell", r#"{"session_id":"s","tool_name":"Monitor","tool_input":{"command":"tail -f x"}}"#));
    assert!(!denies("shell", r#"{"session_id":"s","tool_name":"Monitor","tool_input":{"ws":"wss://x"}}"#));
    for tool in ["TaskStop", "KillShell", "KillBash"] {
        assert!(denies("killing", &format!(r#"{{"session_id":"s","tool_name":"{tool}"}}"#)), "{tool}");
    }
    assert!(!denies("killing", r#"{"session_id":"s","tool_name":"TaskOutput"}"#));
}

pub(crate) fn a_refusal_in_the_background_wakes_the_model_by_exit_code_where_it_can() {
    let world = World::new();
    let woken = world.run("waking", "waking=deny");
    assert_eq!((woken.exit, woken.stdout.as_str(), woken.stderr.as_str()), (Some(2), "", "waking says no"));
    let reworded = world.run("waking", "waking=missing");
    assert_eq!((reworded.exit, reworded.stderr.as_str()), (Some(2), "no file of that name: plan.md"));
    assert!(world.run("waking", "-").is_silent());
    let plain = world.run("background", "background=deny");
    assert_eq!((plain.exit, plain.stderr.as_str()), (Some(0), ""), "nobody is woken: {plain:?}");
}

pub(crate) fn a_hook_that_wakes_the_model_does_so_when_it_breaks_too() {
    for way in ["panic", "fail", "hang"] {
        let said = World::new().run("waking", &format!("waking={way}"));
        assert_eq!((said.exit, said.stdout.as_str()), (Some(2), ""), "{way}: {said:?}");
        assert!(said.says("could not check this") && !said.says("No such file"), "{way}: {said:?}");
    }
}

pub(crate) fn nobody_approves_an_event_that_no_client_sends() {
    let world = World::new();
    let event = |fields: &str| format!(r#"{{"session_id":"s","tool_name":"Bash"{fields}}}"#);
    let approved = world.run_with("open", "open=allow", &event(r#","cwd":"/""#));
    assert!(approved.says(r#""permissionDecision":"allow""#), "{approved:?}");
    for broken in [r#","cwd":7"#, r#","hook_event_name":null"#, r#","permission_mode":[]"#] {
        let said = world.run_with("open", "open=allow", &event(broken));
        assert!(!said.says(r#""allow""#), "{broken}: {said:?}");
    }
    assert_eq!(world.logged("FAIL_OPEN"), 3);
    assert!(world.run_with("closed", "closed=allow", &event(r#","cwd":7"#)).denies());
}
