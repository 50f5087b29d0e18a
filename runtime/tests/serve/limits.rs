//! What the system does not give: files beyond a size, memory, threads.

use std::time::Duration;

use crate::world::{EVENT, Said, TIMEOUT, World, run};

fn limited(world: &World, limit: &str, hooks: &str, faults: &str) -> Said {
    run(&mut world.shell(limit, hooks, faults), EVENT.as_bytes())
}

pub(crate) fn a_file_size_limit_ends_no_hook_without_an_answer() {
    let world = World::new();
    for hooks in ["closed", "compact"] {
        let said = limited(&world, "ulimit -f 0", hooks, &format!("{hooks}=deny"));
        assert!(said.denies() && said.says(&format!("{hooks} says no")), "{said:?}");
    }
    let keyed = br#"{"session_id":"s","tool_name":"Bash","key":"a"}"#;
    let spend = |hook: &str| run(&mut world.shell("ulimit -f 0", hook, &format!("{hook}=spend")), keyed);
    let closed = spend("closed");
    assert!(closed.denies() && closed.says("could not check this"), "{closed:?}");
    let open = spend("open");
    assert!(!open.denies() && open.says("let it pass"), "{open:?}");
    assert!(limited(&world, "ulimit -f 0", "closed", "closed=fine").is_silent());
}

pub(crate) fn memory_that_cannot_be_had_lets_no_closed_hook_pass() {
    for way in ["hoard", "sink"] {
        for hook in ["closed", "stop"] {
            let said = World::new().run_with(hook, &format!("{hook}={way}"), r#"{"session_id":"s"}"#);
            assert_eq!(said.exit, Some(2), "{way} {hook}: {said:?}");
        }
        let open = World::new().run("open", &format!("open={way}"));
        assert_ne!(open.exit, Some(2), "{way}: {open:?}");
    }
}

pub(crate) fn an_event_that_memory_cannot_hold_is_a_failure() {
    let world = World::new();
    let many = format!(r#"{{"session_id":"s","list":[{}1]}}"#, "[],".repeat(5_000_000));
    let held = |hook: &str| run(&mut world.shell("ulimit -v 250000", hook, "-"), many.as_bytes());
    let closed = held("patient");
    assert!(closed.denies() && closed.says("more values than there is memory for"), "{closed:?}");
    let open = held("open");
    assert!(!open.denies(), "{open:?}");
}

/// Shells do not agree on the letter.
const NO_OTHERS: &str = "ulimit -u 1 2>/dev/null || ulimit -p 1";

/// A process that can start no other, and no thread either. No such limit holds for root, so it is somebody else.
fn alone(world: &World, hooks: &str, faults: &str) -> Said {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    use std::os::unix::process::CommandExt as _;

    let here = world.path(".");
    let binary = std::env::current_exe().expect("this test");
    if std::fs::metadata(&here).expect("there").uid() != 0 {
        return run(&mut world.shell_of(&binary, NO_OTHERS, hooks, faults), EVENT.as_bytes());
    }
    let copy = world.path("binary");
    std::fs::copy(binary, &copy).expect("copied");
    for path in [&here, &copy] {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o777)).expect("opened");
    }
    let mut command = world.shell_of(&copy, NO_OTHERS, hooks, faults);
    run(command.uid(65_534), EVENT.as_bytes())
}

pub(crate) fn without_a_thread_the_hooks_go_by_the_clock() {
    let world = World::new();
    let said = alone(&world, "closed", "closed=deny");
    assert!(said.denies() && said.says("closed says no"), "{said:?}");
    let fine = alone(&world, "closed", "closed=fine");
    assert!(fine.is_silent(), "{fine:?}");
    let late = alone(&world, "open closed", "open=pass after 2500000,closed=deny");
    assert!(late.denies() && late.says("closed could not check this"), "no other hook is begun: {late:?}");
    assert!(!late.says("open could not check"), "a watchdog would have spoken for both: {late:?}");
    assert!(late.took < 2 * TIMEOUT && late.took > Duration::from_secs(2), "{late:?}");
}
