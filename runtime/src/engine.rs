//! One call from arguments to exit code.
//!
//! Reads the event, runs the hooks that were asked for, and answers once. Whatever breaks on the way, a hook's
//! `fail_safe` decides; the process itself always ends with 0 or 2.

use std::io::{Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::time::Instant;

use crate::call::Call;
use crate::event::Event;
use crate::failure::{Attempt, Failure};
use crate::json::Json;
use crate::log::{self, Record};
use crate::program::{Catalog, FailSafe, FailureReport, Hook, Program, Start};
use crate::reply::{Reply, reply};
use crate::state;
use crate::verdict::{Decision, Verdict};
use crate::{export, payload};

/// No event is larger; more is refused before it is parsed.
const LARGEST_INPUT: u64 = 64 << 20;

/// The whole life of a generated binary.
pub fn serve(catalog: &'static Catalog, start: Start) -> ExitCode {
    // A panic is caught and becomes a failure; its message must not reach the client.
    std::panic::set_hook(Box::new(|_| {}));
    let arguments: Vec<String> = std::env::args_os().skip(1).map(|arg| arg.to_string_lossy().into_owned()).collect();
    let asked: Vec<(usize, &'static Hook)> =
        catalog.hooks.iter().enumerate().filter(|(_, hook)| arguments.iter().any(|id| id == hook.id)).collect();
    let reply = match asked.first() {
        Some((_, first)) => answer(catalog, start, &asked, first.event),
        None => unknown(catalog, &arguments),
    };
    speak(&reply)
}

/// A registration that names no hook of this binary is a broken installation: say so, stand in nobody's way.
fn unknown(catalog: &Catalog, arguments: &[String]) -> Reply {
    let asked = if arguments.is_empty() { "no hook".to_owned() } else { arguments.join(" ") };
    let ids: Vec<&str> = catalog.hooks.iter().map(|hook| hook.id).collect();
    Reply { stderr: format!("{}: asked for {asked}; it has {}", catalog.name, ids.join(" ")), ..Reply::default() }
}

fn speak(reply: &Reply) -> ExitCode {
    // A client that no longer listens has nothing to be told.
    if !reply.stdout.is_empty() {
        let _ = std::io::stdout().write_all(reply.stdout.as_bytes());
    }
    if !reply.stderr.is_empty() {
        let _ = std::io::stderr().write_all(reply.stderr.as_bytes());
    }
    ExitCode::from(reply.exit)
}

fn answer(catalog: &'static Catalog, start: Start, asked: &[(usize, &'static Hook)], event: &str) -> Reply {
    let Some(event) = Event::named(event) else { return Reply::default() };
    let began = Instant::now();
    let input = read_input();
    let parsed = input.as_deref().map_err(Clone::clone).and_then(|text| payload::parse(text, event));
    let (payload, broken) = match parsed {
        Ok(payload) => (payload, None),
        Err(failure) => (Json::Object(crate::json::Many::Owned(Vec::new())), Some(failure)),
    };
    let call = Call::new(catalog.name, event, &payload);
    let turn = Turn { catalog, call: &call, input: input.as_deref().unwrap_or_default(), began };
    if turn.is_for_another_event() {
        return Reply::default();
    }
    let program = start(&call);
    let verdicts: Vec<Verdict> = asked
        .iter()
        .filter(|(_, hook)| hook.event == event.name && turn.concerns(hook))
        .map(|(position, hook)| {
            let verdict = turn.verdict(*position, hook, program.as_ref(), broken.as_ref());
            if matches!(verdict.decision, Some(Decision::Deny(_))) {
                call.refuse();
            }
            verdict
        })
        .collect();
    let background = asked.iter().all(|(_, hook)| hook.background);
    reply(event, catalog.denial, background, call.payload().at("tool_input"), verdicts)
}

fn read_input() -> Attempt<String> {
    let mut bytes = Vec::new();
    std::io::stdin()
        .lock()
        .take(LARGEST_INPUT + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| Failure::Payload(format!("the event cannot be read: {error}")))?;
    if bytes.len() as u64 > LARGEST_INPUT {
        return Err(Failure::Payload("the event is larger than 64 MiB".to_owned()));
    }
    String::from_utf8(bytes).map_err(|_| Failure::Payload("the event is not UTF-8".to_owned()))
}

/// The hooks of one process at work on one event.
struct Turn<'t> {
    catalog: &'static Catalog,
    call: &'t Call<'t>,
    input: &'t str,
    began: Instant,
}

impl Turn<'_> {
    /// Clients that read another client's registration may send what it is not for.
    fn is_for_another_event(&self) -> bool {
        matches!(self.call.payload().json().get("hook_event_name"), Some(Json::Text(name)) if name != self.call.event().name)
    }

    fn concerns(&self, hook: &Hook) -> bool {
        let Some(subject) = self.call.event().subject else { return true };
        match self.call.payload().json().get(subject) {
            Some(Json::Text(subject)) => hook.matcher.takes(subject),
            // The client has matched already; what it did not send cannot speak against it.
            _ => true,
        }
    }

    fn verdict(
        &self,
        position: usize,
        hook: &'static Hook,
        program: &dyn Program,
        broken: Option<&Failure>,
    ) -> Verdict {
        if let Some(skipped) = self.skipped(hook, program) {
            return skipped;
        }
        let mut verdict = Verdict::default();
        let outcome = match broken {
            Some(failure) => Err(failure.clone()),
            None => catch_unwind(AssertUnwindSafe(|| {
                program.run(position, &mut verdict)?;
                export::write(self.call.event(), &verdict.exports)
            }))
            .unwrap_or_else(|panic| Err(Failure::Infrastructure(panic_text(panic.as_ref())))),
        };
        match outcome {
            Ok(()) => {
                self.healthy(hook);
                if let Some((word, detail)) = verdict.summary() {
                    self.log(hook, verdict.check, word, &detail);
                }
                verdict
            }
            Err(failure) => self.failed(hook, &failure, verdict),
        }
    }

    /// Reasons not to run a hook at all: development mode, its flag, its breaker.
    fn skipped(&self, hook: &'static Hook, program: &dyn Program) -> Option<Verdict> {
        if program.dev_mode().unwrap_or(false) {
            self.log(hook, None, "DEV_SKIP", "development mode is on");
            return Some(Verdict::default());
        }
        if hook.flag.is_some_and(|flag| !program.config().flag(flag)) {
            return Some(Verdict::default());
        }
        let limit = self.catalog.breaker.filter(|_| hook.fail_safe == FailSafe::Open)?;
        let failures = state::breaker::failures(self.call.session(), hook.id);
        if failures == 0 || failures < program.config().int(limit) {
            return None;
        }
        let text = format!("{} failed {failures} times and is skipped for the rest of the session", hook.log_name);
        self.log(hook, None, "BREAKER_OPEN", &text);
        let mut verdict = Verdict::default();
        self.tell_once(hook, "breaker", text, &mut verdict);
        Some(verdict)
    }

    /// A success closes the breaker again, as long as it has not opened.
    fn healthy(&self, hook: &Hook) {
        if self.catalog.breaker.is_some() {
            // A breaker that cannot be closed stays as it is; the hook has answered all the same.
            let _ = state::breaker::reset(self.call.session(), hook.id);
        }
    }

    fn failed(&self, hook: &'static Hook, failure: &Failure, partial: Verdict) -> Verdict {
        if failure.counts() && self.catalog.breaker.is_some() {
            // If even this cannot be recorded, the log line below still can.
            let _ = state::breaker::record(self.call.session(), hook.id);
        }
        let mut verdict = Verdict::default();
        match hook.fail_safe {
            FailSafe::Open => {
                self.log(hook, None, "FAIL_OPEN", &failure.to_string());
                let text = format!("{} could not check this, and let it pass: {failure}", hook.log_name);
                match self.catalog.failure {
                    FailureReport::Person => self.tell_once(hook, "fail-open", text, &mut verdict),
                    FailureReport::StandardError => verdict.asides.push(text),
                }
                verdict
            }
            FailSafe::Closed => {
                self.log(hook, None, "FAIL_CLOSED", &failure.to_string());
                drop(partial);
                let reason = format!("{} could not check this, so it is refused: {failure}", hook.log_name);
                let _ = verdict.deny("fail-safe", reason);
                verdict
            }
        }
    }

    /// The person hears of it once a session; the log every time.
    fn tell_once(&self, hook: &Hook, what: &str, text: String, verdict: &mut Verdict) {
        if !hook.background && state::once::first_time(self.call.session(), &format!("{what} {}", hook.id)) {
            verdict.notices.push(text);
        }
    }

    fn log(&self, hook: &Hook, check: Option<&str>, decision: &str, reason: &str) {
        let payload = self.call.payload().json();
        let field = |name: &str| match payload.get(name) {
            Some(Json::Text(text)) => Some(text.as_ref()),
            _ => None,
        };
        let record = Record {
            time: &self.call.now().iso(),
            catalog: self.catalog.name,
            version: self.catalog.version,
            digest: self.catalog.digest,
            hook: hook.id,
            log_name: hook.log_name,
            check,
            event: self.call.event().name,
            tool: field("tool_name"),
            decision,
            reason,
            duration_us: u64::try_from(self.began.elapsed().as_micros()).unwrap_or(u64::MAX),
            session: field("session_id").unwrap_or_default(),
        };
        let verbose = self.catalog.verbose_env.is_some_and(|name| std::env::var(name).is_ok_and(|on| on == "true"));
        if verbose {
            log::write_verbose(self.call.store(), self.call.session(), &record, self.input, reason);
        } else {
            log::write(self.call.store(), self.call.session(), &record);
        }
    }
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    format!("the check panicked: {}", text.unwrap_or_else(|| "no message".to_owned()))
}
