//! A catalog whose checks break on demand.

use std::time::Duration;

use hookgen_runtime::config::Config;
use hookgen_runtime::library::turn_refused;
use hookgen_runtime::program::{Breaker, Catalog, Denial, FailSafe, Flag, Hook, Matcher, Mode, Program, Threshold};
use hookgen_runtime::{Attempt, Call, Failure, Limit, Verdict};

static STRIKES: Threshold = Threshold { config: &["strikes"], default: 3.0, range: Some((1.0, 9.0)), whole: true };
static LIMIT: Threshold = Threshold { config: &["limit"], default: 25.0, range: None, whole: true };
static SWITCH: Flag = Flag { config: &["switch"], default: true, requires: &[] };

const fn hook(id: &'static str, event: &'static str, fail_safe: FailSafe, timeout_ms: u32) -> Hook {
    Hook {
        id,
        log_name: id,
        event,
        matcher: Matcher::All,
        fail_safe,
        timeout_ms,
        mode: Mode::Enforce,
        flag: Some(&SWITCH),
        background: false,
        rewakes: false,
    }
}

static HOOKS: &[Hook] = &[
    hook("open", "PreToolUse", FailSafe::Open, 1500),
    hook("closed", "PreToolUse", FailSafe::Closed, 1500),
    hook("hasty", "PreToolUse", FailSafe::Closed, 100),
    hook("stop", "Stop", FailSafe::Closed, 1500),
    hook("start", "SessionStart", FailSafe::Closed, 1500),
    hook("compact", "PreCompact", FailSafe::Closed, 1500),
    hook("permission", "PermissionRequest", FailSafe::Closed, 1500),
    hook("after", "PostToolUse", FailSafe::Closed, 1500),
    hook("patient", "PreToolUse", FailSafe::Closed, 60_000),
    hook("end", "SessionEnd", FailSafe::Open, 1500),
    hook("late", "PreToolUse", FailSafe::Open, 1500),
    Hook { matcher: Matcher::Names(&["Write"]), ..hook("picky", "PreToolUse", FailSafe::Closed, 1500) },
    Hook { matcher: Matcher::Names(&["Bash"]), ..hook("shell", "PreToolUse", FailSafe::Closed, 1500) },
    Hook { matcher: Matcher::Names(&["KillShell"]), ..hook("killing", "PreToolUse", FailSafe::Closed, 1500) },
    Hook { mode: Mode::Warn, ..hook("watched", "PreToolUse", FailSafe::Closed, 1500) },
    Hook { background: true, ..hook("aside", "PostToolUse", FailSafe::Open, 1500) },
    Hook { background: true, ..hook("background", "PostToolUse", FailSafe::Closed, 1500) },
    Hook { background: true, rewakes: true, ..hook("waking", "PostToolUse", FailSafe::Closed, 1500) },
];

const STRICT: Catalog = Catalog {
    name: "faulty",
    version: "1.0.0",
    digest: "00",
    denial: Denial::Json,
    bang_escapes: false,
    breaker: Some(Breaker { after: &STRIKES }),
    fail_open_notice: true,
    verbose_env: Some("VERBOSE"),
    settings: &[&["strikes"], &["limit"], &["switch"], &["limits", "calls"]],
    hooks: HOOKS,
};

static CATALOG: Catalog = STRICT;
static QUIET: Catalog = Catalog { fail_open_notice: false, ..STRICT };
/// Without a closed hook, the environment is believed.
static OPEN: Catalog = Catalog { hooks: &[hook("open", "PreToolUse", FailSafe::Open, 1500)], ..STRICT };

pub(crate) fn catalog() -> &'static Catalog {
    match std::env::var("CATALOG").as_deref() {
        Ok("quiet") => &QUIET,
        Ok("open") => &OPEN,
        _ => &CATALOG,
    }
}

/// What the hook does: `FAULTS` is a list of `hook=behaviour`.
fn behaviour(hook: &str) -> String {
    let faults = std::env::var("FAULTS").unwrap_or_default();
    let own = faults.split(',').filter_map(|fault| fault.split_once('=')).find(|(name, _)| *name == hook);
    own.map_or_else(String::new, |(_, behaviour)| behaviour.to_owned())
}

struct Faulty<'c> {
    call: &'c Call<'c>,
    config: Config,
}

pub(crate) fn start<'c>(call: &'c Call<'c>) -> Box<dyn Program + 'c> {
    let config = match call.env("CONFIG") {
        none if none.is_empty() => Config::defaults(),
        path => Config::from_file(call.project_path(&path)),
    };
    Box::new(Faulty { call, config })
}

impl Program for Faulty<'_> {
    fn config(&self) -> &Config {
        // As on a file system that has come to a halt, from the beginning or by the time that the answer is due.
        match behaviour("settings").as_str() {
            "hang" => hang(),
            "hang late" if std::thread::current().name() != Some("main") => hang(),
            _ => &self.config,
        }
    }

    fn dev_mode(&self) -> Attempt<bool> {
        assert!(behaviour("early") != "panic", "before anything");
        match behaviour("dev").as_str() {
            "fail" => Err(Failure::Document("nonsense".to_owned())),
            switch => Ok(switch == "on"),
        }
    }

    fn run(&self, hook: usize, verdict: &mut Verdict) -> Attempt<()> {
        let id = HOOKS[hook].id;
        match behaviour(id).as_str() {
            "panic" => panic!("a bug"),
            "hang" => hang(),
            "spin" => loop {
                std::hint::spin_loop();
            },
            "fail" => Err(Failure::Infrastructure("Input/output error".to_owned())),
            "divide" => hookgen_runtime::operators::divide(1, 0).map(drop),
            "number" => hookgen_runtime::operators::text_to_int("x").map(drop),
            "index" => hookgen_runtime::operators::element(&[1], 7).map(drop),
            "missing" => verdict.deny("check", "no such file: plan.md".to_owned()),
            "document" => Err(Failure::Document("nonsense".to_owned())),
            "rewrite" => {
                verdict.rewrite("check", "command", "ls".to_owned());
                Ok(())
            }
            "spend" => self.spend(verdict),
            "heed" if turn_refused(self.call) => Ok(()),
            "ask" => verdict.ask("check", "sure?".to_owned()),
            "limit" => self.limit(verdict),
            "hoard" => {
                hoard();
                Ok(())
            }
            "sink" => {
                verdict.warn("check", sink(u64::MAX).to_string());
                Ok(())
            }
            "allow" => verdict.allow("check", "fine".to_owned()),
            "deny" | "heed" => verdict.deny("check", format!("{id} says no")),
            "export" => {
                verdict.export("BRANCH", "feature/$(touch pwned)".to_owned());
                Ok(())
            }
            other => {
                let Some((what, time)) = other.split_once(" after ") else { return Ok(()) };
                std::thread::sleep(Duration::from_micros(time.parse().unwrap_or_default()));
                if what == "deny" { verdict.deny("check", format!("{id} says no")) } else { Ok(()) }
            }
        }
    }
}

fn hang() -> ! {
    loop {
        std::thread::park();
    }
}

/// Wants more memory than any machine has.
fn hoard() {
    std::hint::black_box(Vec::<u8>::with_capacity(isize::MAX.unsigned_abs()));
}

/// Needs more of the stack than there is.
#[expect(unconditional_recursion, reason = "that is the point")]
fn sink(depth: u64) -> u64 {
    let below = [depth; 512];
    below[std::hint::black_box(7)] + sink(std::hint::black_box(depth - 1))
}

impl Faulty<'_> {
    /// Refuses by a setting alone.
    fn limit(&self, verdict: &mut Verdict) -> Attempt<()> {
        if self.config.int(&LIMIT) < 25 { verdict.deny("limit", "beyond the limit".to_owned()) } else { Ok(()) }
    }

    fn spend(&self, verdict: &mut Verdict) -> Attempt<()> {
        let key = self.call.payload().at("key").text()?.into_owned();
        let limits = [Limit { counter: "calls", limit: self.config.int(&LIMIT) }];
        let spent = self.call.spend(Some(&key), &limits)?;
        if spent.refused() {
            return verdict.deny("budget", "used up".to_owned());
        }
        verdict.warn("budget", format!("used {}", spent.used("calls")));
        Ok(())
    }
}
