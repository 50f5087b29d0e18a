//! Registrations that belong to this binary, and others.

use std::time::Duration;

use crate::world::World;

fn event(name: &str) -> String {
    format!(r#"{{"session_id":"s","tool_name":"Bash","hook_event_name":"{name}"}}"#)
}

pub(crate) fn a_registration_of_this_binary_is_served() {
    let said = World::new().run("--closed=faulty@1.0.0 closed open", "closed=deny,open=deny");
    assert!(said.says("closed says no") && said.says("open says no"), "{said:?}");
    assert!(World::new().run("--open=faulty@1.0.0 open", "-").is_silent());
}

pub(crate) fn a_closed_registration_of_another_binary_is_refused_in_the_way_that_the_event_has() {
    for (arguments, why) in [
        ("--closed=faulty@1.0.0 closed elsewhere", "it has no hook `elsewhere`"),
        ("--closed=other@1.0.0 closed", "it is asked for hooks of other 1.0.0"),
        ("--closed=faulty@2.0.0 closed", "it is asked for hooks of faulty 2.0.0"),
        ("--closed=faulty@1.0.0 --agent=nobody closed", "it does not speak to `nobody`"),
        ("elsewhere", "it has no hook `elsewhere`"),
    ] {
        for name in ["PreToolUse", "PermissionRequest", "Stop", "PreCompact"] {
            let said = World::new().run_with(arguments, "-", &event(name));
            assert!(said.denies() && said.says(why), "{arguments} {name}: {said:?}");
            // Whoever is unknown has no tongue of its own: the exit code is what most of them understand.
            let in_json = name == "PermissionRequest" && !arguments.contains("--agent=");
            assert_eq!(in_json, said.says(r#""behavior":"deny""#), "{said:?}");
        }
    }
}

pub(crate) fn an_open_registration_of_another_binary_is_told_to_the_person() {
    for arguments in ["--open=faulty@1.0.0 elsewhere", "--open=other@1.0.0 open"] {
        let said = World::new().run_with(arguments, "open=deny", &event("PreToolUse"));
        assert!(!said.denies() && said.stdout.contains("systemMessage") && said.says("and let it pass"), "{said:?}");
    }
    let said = World::new().run_with("--open=other@1.0.0 compact", "-", &event("PreCompact"));
    assert_eq!((said.exit, said.stdout.as_str()), (Some(0), ""), "the client would read it as instructions: {said:?}");
}

pub(crate) fn a_closed_registration_is_refused_though_the_event_never_comes() {
    let said = World::new().run_unended("--closed=other@1.0.0 closed", "{");
    assert!(said.denies() && said.took < Duration::from_secs(1), "{said:?}");
    assert!(!World::new().run_unended("--open=other@1.0.0 open", "{").denies());
}
