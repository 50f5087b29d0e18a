//! What runs beside the session: one at a time, nothing left behind, whoever is killed.

use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use super::world::{World, begin};
use crate::support::feed;

const LONG: Duration = Duration::from_mins(1);

/// Says so when it finds another one at work.
const ALONE: &str = "other=$(cat \"$HOME/busy\" 2>&1)\n\
                     if grep -q pytest \"/proc/$other/cmdline\" 2>/dev/null; then touch \"$HOME/overlap\"; fi\n\
                     echo $$ >\"$HOME/busy\"\n";

/// Moments that look random and are the same every time.
struct Moments(u64);

impl Moments {
    fn up_to(&mut self, milliseconds: u64) -> Duration {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        Duration::from_millis((self.0 >> 33) % milliseconds)
    }
}

fn kill(mut child: Child) {
    // One that has ended already is a moment too.
    let _ = child.kill();
    child.wait().expect("ended");
}

/// Whether it comes true in time.
fn eventually(limit: Duration, holds: impl Fn() -> bool) -> bool {
    let deadline = Instant::now() + limit;
    while !holds() {
        if Instant::now() >= deadline {
            return false;
        }
        thread::sleep(Duration::from_millis(10));
    }
    true
}

#[track_caller]
fn nothing_runs(world: &World) {
    let quiet = eventually(Duration::from_secs(20), || world.processes().is_empty());
    assert!(quiet, "{:#?}", world.processes());
}

/// A Python project whose tests are this script.
fn tested_by(script: &str) -> World {
    let world = World::new();
    world.write("project/pytest.ini", "[pytest]\n");
    world.write("project/src/a.py", "x = 1\n");
    world.write("home/.claude/guardian.yaml", "thresholds:\n  test_debounce: 100\n  test_cooldown: 0\n");
    world.program("pytest", &format!("#!/bin/sh\n{ALONE}{script}"));
    world
}

fn test_runner(world: &World) -> Child {
    begin(world.hooks(&["test-runner"]), &world.written("src/a.py"))
}

const LOCK: &str = "project/.claude/.test-runner.lock";

#[test]
fn ten_writes_at_once_never_run_two_tests_at_once() {
    let world = tested_by("sleep 0.3\necho 3 passed\n");
    let mut children: Vec<Child> = (0..10).map(|_| test_runner(&world)).collect();
    for child in &mut children {
        assert!(child.wait().expect("ended").success());
    }
    assert!(world.path("home/busy").exists() && !world.path("home/overlap").exists());
    assert!(world.read("project/.claude/.test-status").starts_with("pass|0|"));
    assert!(!world.path(LOCK).exists());
    nothing_runs(&world);
}

#[test]
fn a_killed_test_run_leaves_nothing_that_lives_or_blocks() {
    let world = tested_by("(sleep 50) &\nif [ -e \"$HOME/quick\" ]; then exit 0; fi\nwhile :; do sleep 0.02; done\n");
    let mut moments = Moments(6);
    for _ in 0..12 {
        let child = test_runner(&world);
        thread::sleep(moments.up_to(350));
        kill(child);
    }
    nothing_runs(&world);
    assert!(!world.path("home/overlap").exists(), "a run began before the one before it was gone");
    world.write("home/quick", "");
    let run = feed(&mut world.hooks(&["test-runner"]), &world.written("src/a.py")).exits(0);
    assert!(run.stdout.contains("tests pass"), "{run:?}");
    assert!(!world.path(LOCK).exists());
    nothing_runs(&world);
}

#[test]
fn no_test_run_outlives_the_session() {
    for stubborn in ["", "trap '' TERM\n"] {
        let world =
            tested_by(&format!("{stubborn}(sleep 50) &\ntouch \"$HOME/begun\"\nwhile :; do sleep 0.02; done\n"));
        let child = test_runner(&world);
        assert!(eventually(LONG, || world.path("home/begun").exists()));
        world.end_session();
        assert!(!world.path(LOCK).exists());
        nothing_runs(&world);
        let run = child.wait_with_output().expect("ended");
        assert!(run.status.success() && !world.path("project/.claude/.test-status").exists());
    }
}

#[test]
fn a_killed_run_does_not_outlive_the_session_either() {
    let world = tested_by("trap '' TERM\ntouch \"$HOME/begun\"\nwhile :; do sleep 0.02; done\n");
    let child = test_runner(&world);
    assert!(eventually(LONG, || world.path("home/begun").exists()));
    kill(child);
    world.end_session();
    nothing_runs(&world);
    assert!(!world.path(LOCK).exists());
}

#[test]
fn a_killed_linter_ends_and_ten_at_once_are_heard() {
    let world = World::new();
    world.write("project/ruff.toml", "x = 1\n");
    world.write("project/src/a.py", "x = 1\n");
    world.program("ruff", "#!/bin/sh\n(sleep 50) &\nif [ -e \"$HOME/quick\" ]; then echo E999; exit 1; fi\nsleep 50\n");
    let lint = |world: &World| begin(world.hooks(&["lint"]), &world.written("src/a.py"));
    let mut moments = Moments(7);
    for _ in 0..8 {
        let child = lint(&world);
        thread::sleep(moments.up_to(120));
        kill(child);
    }
    nothing_runs(&world);
    world.write("home/quick", "");
    let mut children: Vec<Child> = (0..10).map(|_| lint(&world)).collect();
    for child in &mut children {
        assert!(child.wait().expect("ended").code().is_some());
    }
    let run = feed(&mut world.hooks(&["lint"]), &world.written("src/a.py"));
    assert!(format!("{run:?}").contains("E999"), "{run:?}");
    assert_eq!(world.read("project/.claude/.lint-cache").trim(), "ruff");
    nothing_runs(&world);
}

/// Real git, without what belongs to whoever runs the tests.
fn git(world: &World, folder: &str, arguments: &[&str]) -> bool {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=t", "-c", "user.email=t@example.org", "-C"]).arg(world.path(folder)).args(arguments);
    command.env("HOME", world.path("home")).env("GIT_CONFIG_NOSYSTEM", "1");
    command.output().is_ok_and(|output| output.status.success())
}

/// A harness in the person's folder that is one version behind.
fn outdated() -> World {
    let world = World::new();
    world.write("origin/VERSION", "1.0.0\n");
    for arguments in [&["init", "-q", "-b", "main"][..], &["add", "."], &["commit", "-qm", "One"]] {
        assert!(git(&world, "origin", arguments), "{arguments:?}");
    }
    let (origin, home) = (world.path("origin"), world.path("home/.claude"));
    assert!(git(&world, ".", &["clone", "-q", origin.to_str().expect("UTF-8"), home.to_str().expect("UTF-8")]));
    release(&world, "1.1.0\n");
    world
}

fn release(world: &World, version: &str) {
    world.write("origin/VERSION", version);
    assert!(git(world, "origin", &["commit", "-qam", version]));
}

fn update_check(world: &World) -> Child {
    begin(world.hooks(&["update-check"]), &world.event("SessionStart", &json!({ "source": "startup" })))
}

fn locks(world: &World) -> Vec<String> {
    let mut files: Vec<String> = crate::support::files(&world.path("home/.claude/.git")).into_keys().collect();
    files.retain(|file| std::path::Path::new(file).extension().is_some_and(|extension| extension == "lock"));
    if world.path("project/.claude/.update-check.lock").exists() {
        files.push(".update-check.lock".to_owned());
    }
    files
}

#[test]
fn killed_updates_leave_nothing_that_keeps_the_next_one_from_being_applied() {
    let world = outdated();
    let mut moments = Moments(8);
    for version in 1..=10 {
        release(&world, &format!("1.1.{version}\n"));
        let child = update_check(&world);
        thread::sleep(moments.up_to(100));
        kill(child);
        nothing_runs(&world);
    }
    release(&world, "1.2.0\n");
    assert!(update_check(&world).wait().expect("ended").success());
    let status = world.read("project/.claude/.update-status");
    assert!(status.starts_with("updated|") && status.split('|').nth(2) == Some("1.2.0"), "{status}");
    assert_eq!(world.read("home/.claude/VERSION"), "1.2.0\n");
    assert_eq!(locks(&world), Vec::<String>::new());
    nothing_runs(&world);
}

#[test]
fn ten_starts_at_once_update_once() {
    let world = outdated();
    let mut children: Vec<Child> = (0..10).map(|_| update_check(&world)).collect();
    for child in &mut children {
        assert!(child.wait().expect("ended").success());
    }
    // On a busy machine the one that was left may have run out of time; the next start makes up for it.
    assert!(eventually(LONG, || {
        world.read("home/.claude/VERSION") == "1.1.0\n" || !update_check(&world).wait().expect("ended").success()
    }));
    assert_eq!(world.read("home/.claude/VERSION"), "1.1.0\n");
    assert_eq!(world.read("project/.claude/.update-status").lines().count(), 1);
    assert_eq!(locks(&world), Vec::<String>::new());
    nothing_runs(&world);
}

#[test]
fn no_update_outlives_the_session() {
    let world = outdated();
    let slow = "#!/bin/sh\ncase \" $* \" in *' fetch '*) touch \"$HOME/begun\"; sleep 50;; esac\n";
    world.program("git", &format!("{slow}PATH=${{PATH#*:}} exec git \"$@\"\n"));
    let child = update_check(&world);
    assert!(eventually(LONG, || world.path("home/begun").exists()));
    world.end_session();
    nothing_runs(&world);
    assert!(child.wait_with_output().expect("ended").status.success());
    assert_eq!((world.read("home/.claude/VERSION").as_str(), locks(&world).len()), ("1.0.0\n", 0));
}
