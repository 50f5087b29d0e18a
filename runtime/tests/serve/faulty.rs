//! A catalog whose checks break on demand.

use std::sync::OnceLock;
use std::time::Duration;

use hookgen_runtime::config::Config;
use hookgen_runtime::library::turn_refused;
use hookgen_runtime::program::{Breaker, Catalog, FailSafe, Flag, Hook, Matcher, Mode, Program, Str, Strs, Threshold};
use hookgen_runtime::{Attempt, Call, Failure, Limit, Many, Verdict};

const STRIKES: usize = 0;
const LIMIT: usize = 1;
const SWITCH: usize = 0;

fn hook(id: &'static str, event: &'static str, fail_safe: FailSafe, timeout_ms: u32) -> Hook {
    Hook {
        id: Str::Borrowed(id),
        log_name: Str::Borrowed(id),
        event: Str::Borrowed(event),
        matcher: Matcher::All,
        fail_safe,
        timeout_ms,
        mode: Mode::Enforce,
        flag: Some(SWITCH),
        acts: false,
        background: false,
        rewakes: false,
    }
}

fn hooks() -> Vec<Hook> {
    vec![
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
        Hook { matcher: Matcher::Names(key("Write")), ..hook("picky", "PreToolUse", FailSafe::Closed, 1500) },
        Hook { matcher: Matcher::Names(key("Bash")), ..hook("shell", "PreToolUse", FailSafe::Closed, 1500) },
        Hook { matcher: Matcher::Names(key("KillShell")), ..hook("killing", "PreToolUse", FailSafe::Closed, 1500) },
        Hook { mode: Mode::Warn, ..hook("watched", "PreToolUse", FailSafe::Closed, 1500) },
        Hook { background: true, ..hook("aside", "PostToolUse", FailSafe::Open, 1500) },
        Hook { background: true, ..hook("background", "PostToolUse", FailSafe::Closed, 1500) },
        Hook { background: true, rewakes: true, ..hook("waking", "PostToolUse", FailSafe::Closed, 1500) },
    ]
}

/// The catalog that the environment asks for.
pub(crate) fn catalog() -> &'static Catalog {
    static CATALOG: OnceLock<Catalog> = OnceLock::new();
    CATALOG.get_or_init(|| {
        let strict = Catalog {
            version: Str::Borrowed("1.0.0"),
            digest: Str::Borrowed("00"),
            breaker: Some(Breaker { after: STRIKES }),
            verbose_env: Some(Str::Borrowed("VERBOSE")),
            flags: Many::Owned(vec![Flag { config: key("switch"), default: true, requires: Many::EMPTY }]),
            thresholds: Many::Owned(vec![
                Threshold { config: key("strikes"), default: 3.0, range: Some((1.0, 9.0)), whole: true },
                Threshold { config: key("limit"), default: 25.0, range: None, whole: true },
                Threshold {
                    config: Many::Owned(vec![Str::Borrowed("limits"), Str::Borrowed("calls")]),
                    default: 25.0,
                    range: None,
                    whole: true,
                },
            ]),
            hooks: Many::Owned(hooks()),
            ..Catalog::empty("faulty")
        };
        match std::env::var("CATALOG").as_deref() {
            Ok("quiet") => Catalog { fail_open_notice: false, ..strict },
            // Without a closed hook, the environment is believed.
            Ok("open") => {
                let open = hook("open", "PreToolUse", FailSafe::Open, 1500);
                Catalog { hooks: Many::Owned(vec![open]), ..strict }
            }
            _ => strict,
        }
    })
}

fn key(name: &'static str) -> Strs {
    Many::Owned(vec![Str::Borrowed(name)])
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
        none if none.is_empty() => Config::defaults(catalog()),
        path => Config::from_file(catalog(), call.project_path(&path)),
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
        let id = &*catalog().hooks[hook].id;
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
            "missing" => {
                verdict.deny("check", "no such file: plan.md".to_owned());
                Ok(())
            }
            "document" => Err(Failure::Document("nonsense".to_owned())),
            "rewrite" => {
                verdict.rewrite("check", "command", "ls".to_owned());
                Ok(())
            }
            "spend" => self.spend(verdict),
            "heed" if turn_refused(self.call) => Ok(()),
            "ask" => {
                verdict.ask("check", "sure?".to_owned());
                Ok(())
            }
            "limit" => {
                self.limit(verdict);
                Ok(())
            }
            "hoard" => {
                hoard();
                Ok(())
            }
            "sink" => {
                verdict.warn("check", sink(u64::MAX).to_string());
                Ok(())
            }
            "allow" => {
                verdict.allow("check", "fine".to_owned());
                Ok(())
            }
            "deny" | "heed" => {
                verdict.deny("check", format!("{id} says no"));
                Ok(())
            }
            "export" => {
                verdict.export("BRANCH", "feature/$(touch pwned)".to_owned());
                Ok(())
            }
            other => {
                let Some((what, time)) = other.split_once(" after ") else { return Ok(()) };
                std::thread::sleep(Duration::from_micros(time.parse().unwrap_or_default()));
                if what == "deny" {
                    verdict.deny("check", format!("{id} says no"));
                }
                Ok(())
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
    fn limit(&self, verdict: &mut Verdict) {
        if self.config.int(LIMIT) < 25 {
            verdict.deny("limit", "beyond the limit");
        }
    }

    fn spend(&self, verdict: &mut Verdict) -> Attempt<()> {
        let key = self.call.payload().at("key").text()?.into_owned();
        let limits = [Limit { counter: "calls", per: None, limit: self.config.int(LIMIT) }];
        let spent = self.call.spend(Some(&key), &limits)?;
        if spent.refused() {
            verdict.deny("budget", "used up");
            return Ok(());
        }
        verdict.warn("budget", format!("used {}", spent.used("calls")));
        Ok(())
    }
}
