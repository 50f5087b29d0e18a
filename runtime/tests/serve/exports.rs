//! Variables for the rest of a session.

use crate::world::{Said, World};

const WRITTEN: &str = "export BRANCH='feature/$(touch pwned)'\n";

fn world() -> World {
    let world = World::new();
    let file = world.path("env.sh");
    world.with("CLAUDE_ENV_FILE", file.to_str().expect("UTF-8"))
}

fn export(world: &World, hook: &str) -> Said {
    world.run_with(hook, &format!("{hook}=export"), r#"{"session_id":"s"}"#)
}

fn exported(world: &World) -> Option<String> {
    std::fs::read_to_string(world.path("env.sh")).ok()
}

pub(crate) fn a_variable_is_written_where_the_event_exports() {
    let world = world();
    assert!(export(&world, "start").is_silent());
    assert_eq!(exported(&world).as_deref(), Some(WRITTEN));
    assert!(export(&world, "start").is_silent());
    assert_eq!(exported(&world), Some(WRITTEN.repeat(2)), "what is there stays");
    let elsewhere = self::world();
    assert!(export(&elsewhere, "open").is_silent());
    assert_eq!(exported(&elsewhere), None, "this event exports nothing");
}

pub(crate) fn a_client_without_a_file_wants_no_variables() {
    for world in [World::new(), World::new().with("CLAUDE_ENV_FILE", "")] {
        assert!(export(&world, "start").is_silent());
        assert_eq!((world.logged("EXPORT"), world.logged("FAIL_OPEN")), (1, 0));
    }
}

pub(crate) fn a_hook_that_is_only_watched_exports_nothing() {
    let warned = world().with_config("modes: { start: warn }");
    assert!(export(&warned, "start").says("it would set the variable BRANCH"));
    let audited = world().with_config("modes: { start: audit }");
    assert!(export(&audited, "start").is_silent());
    assert_eq!((exported(&warned), exported(&audited)), (None, None));
}

pub(crate) fn a_file_that_cannot_be_written_is_a_failure() {
    let world = World::new();
    let folder = world.path(".");
    let world = world.with("CLAUDE_ENV_FILE", folder.to_str().expect("UTF-8"));
    let said = export(&world, "start");
    assert!(said.says("the environment file cannot be written"), "{said:?}");
    // What the hook meant to do is on record, and that it could not.
    assert_eq!((world.logged("EXPORT"), world.logged("FAIL_OPEN")), (1, 1));
}
