//! State under load and under fire.

use std::io::Write as _;
use std::time::{Duration, Instant};

use crate::world::{TIMEOUT, World, finish};

fn event(key: u32) -> String {
    format!(r#"{{"session_id":"s","tool_name":"Bash","key":"{key}"}}"#)
}

pub(crate) fn two_hundred_calls_at_once_are_admitted_exactly_as_often_as_the_limit_says() {
    for _ in 0..10 {
        let world = World::new();
        let started: Vec<_> = (0..200)
            .map(|key| {
                let mut child = world.start("patient", "patient=spend");
                child.stdin.take().expect("piped").write_all(event(key).as_bytes()).expect("read");
                (child, Instant::now())
            })
            .collect();
        let said: Vec<_> = started.into_iter().map(|(child, began)| finish(child, began)).collect();
        let admitted = said.iter().filter(|said| !said.denies()).count();
        assert_eq!(admitted, 25);
        assert_eq!(said.iter().filter(|said| said.says("used up")).count(), 175, "nobody was refused for lack of time");
    }
}

/// Kills so many processes: 500, or what `HOOKGEN_KILLS` says.
fn kills() -> u32 {
    std::env::var("HOOKGEN_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(500)
}

pub(crate) fn a_kill_at_any_moment_loses_no_admitted_call() {
    let world = World::new().with_config("limit: 1000000");
    let whole = world.run_with("patient", "patient=spend", &event(u32::MAX - 1));
    let mut admitted = used(&whole.stdout).expect("it says");
    // Somewhat longer than a call takes, so that some are killed at every stage and some are not.
    let longest = whole.took.mul_f64(1.5).as_micros().try_into().unwrap_or(u64::MAX).max(1);
    let (mut survived, mut killed) = (0, 0);
    let mut chance: u64 = 0x9e37_79b9_7f4a_7c15;
    for key in 0..kills() {
        let mut child = world.start("patient", "patient=spend");
        child.stdin.take().expect("piped").write_all(event(key).as_bytes()).expect("read");
        chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        std::thread::sleep(Duration::from_micros((chance >> 33) % longest));
        child.kill().expect("ours");
        let said = finish(child, Instant::now());
        match used(&said.stdout) {
            Some(used) => {
                assert!(used > admitted, "an admitted call was lost: {used} after {admitted}");
                admitted = used;
                survived += 1;
            }
            None => killed += 1,
        }
        assert!(!world.log().contains("is damaged"), "{}", world.log());
    }
    let last = world.run_with("patient", "patient=spend", &event(u32::MAX));
    assert!(!last.denies(), "{last:?}");
    let total = used(&last.stdout).expect("it says");
    assert!(total > admitted && total <= u64::from(kills()) + 2, "{total} of {}", kills());
    assert!(survived > 0 && killed > 0, "{survived} survived, {killed} were killed");
}

fn used(stdout: &str) -> Option<u64> {
    let rest = stdout.split_once("used ")?.1;
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

pub(crate) fn a_closed_hook_does_not_let_through_on_state_that_was_lost() {
    let world = World::new();
    assert!(!world.run_with("patient", "patient=spend", &event(1)).denies());
    let counters = world.path("data/sessions/s/counters.json");
    std::fs::write(&counters, "{\"counters\":{\"calls\":2").expect("damaged");
    let said = world.run_with("patient", "patient=spend", &event(2));
    assert!(said.denies() && said.says("is damaged"), "{said:?}");
    assert!(!world.run_with("patient", "patient=spend", &event(3)).denies(), "afresh from here on");
    std::fs::write(&counters, "{").expect("damaged");
    let open = world.run_with("open", "open=spend", &event(4));
    assert!(!open.denies() && open.says("used 1"), "an open hook goes on: {open:?}");
    std::fs::remove_file(&counters).expect("there");
    std::fs::create_dir(&counters).expect("created");
    assert!(world.run_with("patient", "patient=spend", &event(5)).denies());
    assert!(!world.run_with("open", "open=spend", &event(5)).denies());
    let spent = World::new().with_config("limit: 0");
    assert!(spent.run_with("patient", "patient=spend", &event(1)).denies());
    std::fs::write(spent.path("data/sessions/s/counters.json"), "{").expect("damaged");
    let said = spent.run_with("patient", "patient=spend", &event(1));
    assert!(said.says("used up") && !said.says("is damaged"), "a denial needs no other reason: {said:?}");
}

pub(crate) fn a_lock_that_somebody_holds_does_not_keep_a_late_answer() {
    let world = World::new();
    world.run("open", "open=fail").well_formed();
    let lock = std::fs::File::open(world.path("data/sessions/s/breaker.lock")).expect("there");
    lock.lock().expect("free");
    let said = world.run("closed", "closed=hang");
    assert!(said.denies() && said.took < TIMEOUT, "{said:?}");
}

pub(crate) fn an_event_is_refused_at_64_mebibytes_however_long_it_goes_on() {
    let whole = r#"{"session_id":"s"}"#;
    let padded = format!("{whole}{}", " ".repeat((64 << 20) + 1 - whole.len()));
    let said = World::new().run_unended("patient", &padded);
    assert!(said.denies() && said.says("larger than 64 MiB"), "{said:?}");
}
