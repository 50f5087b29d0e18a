//! What a project can say by the environment of the client.

use crate::world::World;

pub(crate) fn no_variable_moves_the_state_of_a_closed_hook() {
    let world = World::new();
    let (own, elsewhere) = (world.path("own"), world.path("elsewhere"));
    let text = |path: &std::path::Path| path.to_str().expect("UTF-8").to_owned();
    let moved = text(&elsewhere);
    let world = world.with("CLAUDE_PLUGIN_DATA", "").with("HOME", &moved).with("XDG_STATE_HOME", &moved);
    let said = world.run(&format!("closed --home={}", text(&own)), "closed=spend");
    assert!(!said.denies() && said.says("used 1"), "{said:?}");
    assert!(!elsewhere.exists());
    assert!(own.read_dir().expect("the state is at home").next().is_some());
}

pub(crate) fn a_home_that_was_moved_switches_an_open_hook_off_only_with_a_word() {
    if !user_is_known() {
        return;
    }
    for settings in ["switch: false", "modes: { open: audit }"] {
        let world = World::new().with("CATALOG", "open").with_config(settings);
        let home = world.path("").to_str().expect("UTF-8").to_owned();
        assert!(world.run("open", "open=deny").is_silent(), "settings elsewhere are the operator's: {settings}");
        let world = world.with("HOME", &home);
        let first = world.run("open", "open=deny");
        assert!(!first.denies() && first.says("where HOME points to"), "{settings}: {first:?}");
        assert!(world.run("open", "open=deny").is_silent(), "once a session: {settings}");
        assert_eq!(world.logged("NOTE"), 2, "the log has it every time: {settings}");
    }
}

/// Whether the user database is a file that has an entry for whoever runs this test: otherwise no home is a moved one.
#[cfg(target_os = "linux")]
fn user_is_known() -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let user = std::fs::metadata("/proc/self").expect("a process").uid().to_string();
    let users = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    users.lines().any(|line| line.split(':').nth(2) == Some(user.as_str()))
}

#[cfg(not(target_os = "linux"))]
fn user_is_known() -> bool {
    false
}
