//! The answer, whatever becomes of the places that it and its log go to.

use std::io::{Read as _, Write as _};
use std::process::Stdio;
use std::time::Instant;

use crate::world::{EVENT, Said, TIMEOUT, World, run};

/// Hooks whose output goes where nobody reads it.
fn unheard(hooks: &str, faults: &str) -> Vec<(&'static str, Said)> {
    let world = World::new();
    let places = [
        ("closed", "exec >&-"),
        ("full", "exec >/dev/full"),
        ("null", "exec >/dev/null"),
        ("neither", "exec >&- 2>&-"),
        ("both full", "exec >/dev/full 2>/dev/full"),
    ];
    let mut said: Vec<_> = places
        .into_iter()
        .filter(|(name, _)| !name.contains("full") || std::path::Path::new("/dev/full").exists())
        .map(|(name, place)| (name, run(&mut world.shell(place, hooks, faults), EVENT.as_bytes())))
        .collect();
    let mut command = world.shell(":", hooks, faults);
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    said.push(("broken pipe", run(command.stdout(Stdio::from(writer)), EVENT.as_bytes())));
    said
}

pub(crate) fn a_denial_that_cannot_be_written_is_an_exit_code() {
    for (hooks, faults, reason) in [
        ("closed", "closed=deny", "closed says no"),
        ("open", "open=deny", "open says no"),
        ("closed", "closed=panic", "closed could not check this"),
        ("closed", "closed=hang", "closed could not check this"),
    ] {
        for (place, said) in unheard(hooks, faults) {
            assert_eq!(said.exit, Some(2), "{faults} {place}: {said:?}");
            let mute = matches!(place, "neither" | "both full");
            assert!(mute || said.stderr.contains(reason), "{faults} {place}: {said:?}");
        }
    }
    assert_eq!(World::new().run("closed", "closed=deny").exit, Some(0), "and only then");
}

pub(crate) fn what_a_closed_hook_lets_through_on_must_be_heard() {
    for fault in ["ask", "rewrite"] {
        for (place, said) in unheard("closed", &format!("closed={fault}")) {
            assert_eq!(said.exit, Some(2), "{fault} {place}: {said:?}");
        }
        for (place, said) in unheard("open", &format!("open={fault}")) {
            assert_eq!(said.exit, Some(0), "{fault} {place}: {said:?}");
        }
    }
}

pub(crate) fn an_answer_with_nothing_to_say_needs_no_output() {
    for (hooks, faults) in [("closed", "closed=fine"), ("open", "open=fail")] {
        for (place, said) in unheard(hooks, faults) {
            assert_eq!(said.exit, Some(0), "{faults} {place}: {said:?}");
        }
    }
}

pub(crate) fn the_answer_is_out_before_anything_is_written_down() {
    let world = World::new();
    world.run("open", "open=fail").well_formed();
    let lock = std::fs::File::open(world.path("data/sessions/s/breaker.lock")).expect("there");
    lock.lock().expect("free");
    let began = Instant::now();
    let mut child = world.start("closed", "closed=fail");
    child.stdin.take().expect("piped").write_all(EVENT.as_bytes()).expect("read");
    let mut first = [0; 1];
    child.stdout.as_mut().expect("piped").read_exact(&mut first).expect("an answer");
    let answered = began.elapsed();
    assert!(answered < TIMEOUT / 2, "the breaker's lock is held, and nobody waits for it to speak: {answered:?}");
    let said = crate::world::finish(child, began);
    assert!(said.exit == Some(0) && said.took < TIMEOUT, "nor does the process outlive its time: {said:?}");
    assert_eq!(world.logged("FAIL_CLOSED"), 1, "what was decided is written down first");
}

pub(crate) fn settings_that_cannot_be_read_in_time_do_not_keep_a_late_answer() {
    for settings in ["hang", "hang late"] {
        let world = World::new();
        let closed = world.run("closed", &format!("settings={settings},closed=hang"));
        assert!(closed.denies() && closed.says("did not come to an end") && closed.took < TIMEOUT, "{closed:?}");
        let open = world.run("open", &format!("settings={settings},open=hang"));
        assert!(!open.denies() && open.says("let it pass") && open.took < TIMEOUT, "{open:?}");
        let watched = world.run("watched", &format!("settings={settings},watched=hang"));
        assert!(!watched.denies() && watched.says("it would refuse this"), "its mode is a constant: {watched:?}");
    }
}

pub(crate) fn what_was_decided_before_is_not_lost_when_settings_hang() {
    let said = World::new().run("open late", "open=deny,late=hang,settings=hang late");
    assert!(said.denies() && said.says("open says no") && said.says("late could not check this"), "{said:?}");
    let said = World::new().run("open late", "open=rewrite,late=hang,settings=hang late");
    assert!(said.says(r#""updatedInput":{"command":"ls","n":1}"#) && said.took < 2 * TIMEOUT, "{said:?}");
}

pub(crate) fn half_a_surrogate_pair_and_a_stray_byte_switch_no_hook_off() {
    let world = World::new();
    for tail in [&b"\\ud83d"[..], b"\\udc00\\ud83d", b"\xff", b"\xc3"] {
        let event =
            [br#"{"session_id":"s","tool_name":"Bash","tool_input":{"command":"rm -rf / #"#, tail, b"\"}}"].concat();
        let said = run(&mut world.shell(":", "open", "open=deny"), &event);
        assert!(said.denies() && said.says("open says no"), "{tail:?}: {said:?}");
    }
    assert_eq!(world.logged("FAIL_OPEN"), 0);
}
