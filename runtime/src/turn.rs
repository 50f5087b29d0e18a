//! The hooks of one process at work on one event.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use crate::act::{self, Act};
use crate::call::Call;
use crate::engine::panic_text;
use crate::event::{Event, Notice, Refusal};
use crate::failure::{Attempt, Failure};
use crate::json::Json;
use crate::log::{self, Record};
use crate::program::{Catalog, FailSafe, Hook, Mode, Program};
use crate::reply::Reply;
use crate::state;
use crate::verdict::{Decision, Verdict};

/// What is around every event, and always text.
const ENVELOPE: [&str; 6] = ["session_id", "transcript_path", "cwd", "hook_event_name", "permission_mode", "tool_name"];

pub(crate) struct Turn<'t> {
    catalog: &'static Catalog,
    call: &'t Call<'t>,
    program: &'t dyn Program,
    /// When the work began that the next line in the log is about.
    since: Cell<Instant>,
}

impl<'t> Turn<'t> {
    pub(crate) fn new(catalog: &'static Catalog, call: &'t Call<'t>, program: &'t dyn Program, began: Instant) -> Self {
        Self { catalog, call, program, since: Cell::new(began) }
    }

    /// What a hook has to say; `broken` is what is wrong with the event, if something is.
    pub(crate) fn verdict(&self, position: usize, hook: &'static Hook, broken: Option<&Failure>) -> Verdict {
        let verdict = self.skipped(hook).unwrap_or_else(|| self.run(position, hook, broken));
        self.since.set(Instant::now());
        verdict
    }

    /// What a hook has to say that did not come to an end.
    pub(crate) fn unfinished(&self, hook: &'static Hook, failure: &Failure) -> Verdict {
        self.skipped(hook).unwrap_or_else(|| self.failed(hook, failure))
    }

    /// What the person must hear besides the verdicts: what was kept for them from events on which nobody is shown
    /// anything, and what is wrong with the settings that the hooks asked for. The log, which also hears what was odd
    /// about the state, has it every time.
    pub(crate) fn asides(&self, asked: &[(usize, &'static Hook)], heard: bool) -> Vec<String> {
        let mut asides = self.complaints(asked);
        if !heard {
            for text in &asides {
                self.tell_later(text);
            }
        } else if self.call.session().is_in_use() {
            // A folder that no hook has looked at is not worth a look for this alone.
            asides.extend(state::untold::take(self.call.session()).unwrap_or_default());
        }
        asides
    }

    /// What is wrong with the settings: once a session, and again when the file was edited and is still wrong.
    fn complaints(&self, asked: &[(usize, &'static Hook)]) -> Vec<String> {
        let mut notes = self.program.config().notes();
        if let Some((_, hook)) = asked.first() {
            for note in notes.iter().chain(&self.call.session().notes()) {
                self.log(hook, None, "NOTE", note, Mode::Enforce);
            }
        }
        if !notes.is_empty() {
            let file = self.program.config().fingerprint();
            notes.retain(|note| state::once::first_time(self.call.session(), &format!("config {file} {note}")));
        }
        notes.iter().map(|note| format!("{}: {note}", self.catalog.name)).collect()
    }

    /// In verbose mode, shows the log all that was read and written.
    pub(crate) fn log_exchange(&self, asked: &[(usize, &'static Hook)], input: &str, reply: &Reply) {
        let Some((_, hook)) = asked.first().filter(|_| self.catalog.is_verbose()) else { return };
        let mut output = format!("exit {}", reply.exit);
        for (stream, text) in [("stdout", &reply.stdout), ("stderr", &reply.stderr)] {
            if !text.is_empty() {
                output.extend([" ", stream, " ", text.as_str()]);
            }
        }
        self.with_record(hook, None, "", "", Mode::Enforce, |record| {
            log::write_exchange(self.call.session(), record, input, &output);
        });
    }

    fn run(&self, position: usize, hook: &'static Hook, broken: Option<&Failure>) -> Verdict {
        if let Some(failure) = broken {
            return self.failed(hook, failure);
        }
        let mut verdict = Verdict::default();
        let ran = catch_unwind(AssertUnwindSafe(|| self.check(position, hook, &mut verdict)));
        match ran.unwrap_or_else(|panic| Err(Failure::Infrastructure(panic_text(panic.as_ref())))) {
            Ok(()) => self.decided(hook, verdict),
            Err(failure) => self.failed(hook, &failure),
        }
    }

    fn check(&self, position: usize, hook: &Hook, verdict: &mut Verdict) -> Attempt<()> {
        let known = self.call.session().notes().len();
        self.program.run(position, verdict)?;
        if verdict.approves() {
            self.envelope_is_sound()?;
        }
        // State that was lost and started afresh cannot be what a closed hook lets an action through on.
        let lost = self.call.session().notes().into_iter().nth(known);
        match lost.filter(|_| hook.fail_safe == FailSafe::Closed && !verdict.denies()) {
            Some(note) => Err(Failure::Infrastructure(note)),
            None => Ok(()),
        }
    }

    /// An approval takes a person's look away, so nobody approves an event that no client sends.
    fn envelope_is_sound(&self) -> Attempt<()> {
        let payload = self.call.payload();
        match ENVELOPE.iter().find(|field| payload.has(field) && !payload.at(field).is_text()) {
            Some(field) => Err(Failure::Payload(format!("`{field}` is not a string"))),
            None => Ok(()),
        }
    }

    /// A verdict on its way out: as far as the hook's mode lets it.
    fn decided(&self, hook: &'static Hook, mut verdict: Verdict) -> Verdict {
        let said = verdict.summary(self.call.event().refusal);
        if said.is_none() && verdict.acts.is_empty() {
            self.healthy(hook);
            return verdict;
        }
        let mode = self.mode(hook);
        if mode == Mode::Enforce
            && let Err(failure) = act::perform(&verdict.acts, self.call)
        {
            return self.failed(hook, &failure);
        }
        self.healthy(hook);
        if let Some((word, detail)) = said.filter(|_| mode != Mode::Off) {
            self.log(hook, verdict.check.as_deref(), word, &detail, mode);
        }
        verdict.restrain(mode, &hook.log_name);
        verdict
    }

    /// Reasons not to run a hook at all: development mode, its flag, its breaker.
    fn skipped(&self, hook: &'static Hook) -> Option<Verdict> {
        if self.program.dev_mode().unwrap_or(false) {
            self.log(hook, None, "DEV_SKIP", "development mode is on", Mode::Enforce);
            return Some(Verdict::default());
        }
        if hook.flag.is_some_and(|flag| !self.program.config().flag(flag)) {
            return Some(Verdict::default());
        }
        if hook.acts {
            let mode = self.mode(hook);
            if mode == Mode::Off {
                return Some(Verdict::default());
            }
            self.call.withhold(mode != Mode::Enforce);
        } else {
            self.call.withhold(false);
        }
        let breaker = self.catalog.breaker.as_ref()?;
        if hook.fail_safe == FailSafe::Closed && !breaker.closed_hooks {
            return None;
        }
        let failures = state::breaker::failures(self.call.session(), &hook.id);
        if failures == 0 || failures < self.program.config().int(breaker.after) {
            return None;
        }
        let text = format!("{} failed {failures} times and is skipped for the rest of the session", hook.log_name);
        self.log(hook, None, "BREAKER_OPEN", &text, Mode::Enforce);
        let mut verdict = Verdict::default();
        self.tell_once(hook, "breaker", text, &mut verdict);
        Some(verdict)
    }

    /// A success closes the breaker again, as long as it has not opened.
    fn healthy(&self, hook: &Hook) {
        if self.catalog.breaker.is_some() {
            // A breaker that cannot be closed stays as it is; the hook has answered all the same.
            let _ = state::breaker::reset(self.call.session(), &hook.id);
        }
    }

    fn failed(&self, hook: &'static Hook, failure: &Failure) -> Verdict {
        if let Failure::Withheld(_) = failure {
            return self.cannot_tell(hook, failure);
        }
        if failure.counts() && self.catalog.breaker.is_some() {
            // If even this cannot be recorded, the log line below still can.
            let _ = state::breaker::record(self.call.session(), &hook.id);
        }
        let mode = self.mode(hook);
        let mut verdict = Verdict::default();
        if mode == Mode::Off {
            return verdict;
        }
        // Where nothing can be refused, a closed hook is an open one and says so.
        if hook.fail_safe == FailSafe::Closed && self.call.event().refusal != Refusal::Never {
            self.log(hook, None, "FAIL_CLOSED", &failure.to_string(), mode);
            let reason = format!("{} could not check this, so it is refused: {failure}", hook.log_name);
            verdict.deny("fail-safe", reason);
        } else {
            self.log(hook, None, "FAIL_OPEN", &failure.to_string(), mode);
            if self.catalog.fail_open_notice && mode != Mode::Audit {
                let text = format!("{} could not check this, and let it pass: {failure}", hook.log_name);
                self.tell_once(hook, "fail-open", text, &mut verdict);
            }
        }
        verdict.restrain(mode, &hook.log_name);
        verdict
    }

    /// A hook that only watches does not start the programs that it decides by, so nobody knows what it would have done.
    fn cannot_tell(&self, hook: &'static Hook, failure: &Failure) -> Verdict {
        let mode = self.mode(hook);
        let mut verdict = Verdict::default();
        self.log(hook, None, "CANNOT_TELL", &failure.to_string(), mode);
        if mode == Mode::Warn {
            let text = format!("{} only warns, and cannot tell what it would do: {failure}", hook.log_name);
            self.tell_once(hook, "cannot-tell", text, &mut verdict);
        }
        verdict
    }

    /// The config file is asked only about hooks that have something to say.
    fn mode(&self, hook: &Hook) -> Mode {
        self.program.config().mode(&hook.id, hook.mode)
    }

    /// The person hears of it once a session; the log every time.
    fn tell_once(&self, hook: &Hook, what: &str, text: String, verdict: &mut Verdict) {
        if !state::once::first_time(self.call.session(), &format!("{what} {}", hook.id)) {
            return;
        }
        if is_heard(self.call.event(), hook) {
            verdict.notices.push(text);
        } else {
            self.tell_later(&text);
        }
    }

    /// Where the client passes nothing on to the person, another event of the session will.
    fn tell_later(&self, text: &str) {
        // State that cannot be written leaves the log.
        let _ = state::untold::keep(self.call.session(), text);
    }

    fn log(&self, hook: &Hook, check: Option<&str>, decision: &str, reason: &str, mode: Mode) {
        self.with_record(hook, check, decision, reason, mode, |record| {
            log::write(self.call.store(), self.call.session(), record);
        });
    }

    fn with_record(
        &self,
        hook: &Hook,
        check: Option<&str>,
        decision: &str,
        reason: &str,
        mode: Mode,
        write: impl FnOnce(&Record<'_>),
    ) {
        let payload = self.call.payload().json();
        let field = |name: &str| match payload.get(name) {
            Some(Json::Text(text)) => Some(text.as_ref()),
            _ => None,
        };
        write(&Record {
            time: &self.call.now().iso(),
            catalog: &self.catalog.name,
            version: &self.catalog.version,
            digest: &self.catalog.digest,
            hook: &hook.id,
            log_name: &hook.log_name,
            check,
            event: self.call.event().name,
            tool: field("tool_name"),
            decision,
            mode: (mode != Mode::Enforce).then(|| mode.name()),
            reason,
            duration_us: u64::try_from(self.since.get().elapsed().as_micros()).unwrap_or(u64::MAX),
            session: field("session_id").unwrap_or_default(),
        });
    }
}

/// Whether the client shows the person what this hook says on that event.
pub(crate) fn is_heard(event: &Event, hook: &Hook) -> bool {
    event.notice != Notice::Never && !hook.background
}

impl Verdict {
    pub(crate) fn denies(&self) -> bool {
        matches!(self.decision, Some((Decision::Deny, _)))
    }

    fn approves(&self) -> bool {
        matches!(self.decision, Some((Decision::Allow, _)))
    }

    /// Takes out what the mode does not let through. In `warn`, the person is told what it was.
    fn restrain(&mut self, mode: Mode, hook: &str) {
        if mode == Mode::Enforce {
            return;
        }
        let whole = std::mem::take(self);
        if mode != Mode::Warn {
            return;
        }
        let mut would: Vec<String> = Vec::new();
        match whole.decision {
            Some((Decision::Deny, reason)) => would.push(format!("refuse this: {reason}")),
            Some((Decision::Ask, reason)) => would.push(format!("ask about this: {reason}")),
            Some((Decision::Allow, reason)) => would.push(format!("approve this: {reason}")),
            Some((Decision::Pass, _)) | None => {}
        }
        would.extend(whole.rewrite.iter().map(|(field, value)| format!("set `{field}` to `{value}`")));
        would.extend(whole.feedback.iter().chain(&whole.context).map(|text| format!("tell the model: {text}")));
        would.extend(whole.acts.iter().map(Act::described));
        self.check = whole.check;
        self.notices = whole.notices;
        self.notices.extend(would.iter().map(|what| format!("{hook} only warns; it would {what}")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn everything() -> Verdict {
        let mut verdict = Verdict::default();
        verdict.warn("a", "careful");
        verdict.inject("a", "phase: X");
        verdict.feedback("a", "run the tests");
        verdict.rewrite("a", "command", "ls");
        verdict.export("SEEN", "1");
        verdict.deny("a", "no");
        verdict
    }

    #[test]
    fn a_hook_that_warns_tells_the_person_and_does_nothing() {
        let mut verdict = everything();
        verdict.restrain(Mode::Warn, "H1");
        let expected = [
            "careful",
            "H1 only warns; it would refuse this: no",
            "H1 only warns; it would set `command` to `ls`",
            "H1 only warns; it would tell the model: run the tests",
            "H1 only warns; it would tell the model: phase: X",
            "H1 only warns; it would set the variable SEEN",
        ];
        assert_eq!(verdict.notices, expected);
        assert!(verdict.decision.is_none() && verdict.context.is_empty() && verdict.feedback.is_empty());
        assert!(verdict.rewrite.is_empty() && verdict.acts.is_empty());
    }

    #[test]
    fn questions_and_approvals_are_held_back_too() {
        for decision in [Decision::Ask, Decision::Allow] {
            let mut verdict = Verdict { decision: Some((decision, "known".to_owned())), ..Verdict::default() };
            verdict.restrain(Mode::Warn, "H1");
            assert_eq!((verdict.decision, verdict.notices.len()), (None, 1), "{decision:?}");
        }
        let mut passed = Verdict { decision: Some((Decision::Pass, "fine".to_owned())), ..Verdict::default() };
        passed.restrain(Mode::Warn, "H1");
        assert!(passed.notices.is_empty());
    }

    #[test]
    fn an_audited_hook_is_silent_and_an_enforced_one_is_whole() {
        let mut verdict = everything();
        verdict.restrain(Mode::Enforce, "H1");
        assert!(verdict.denies() && verdict.acts.len() == 1 && verdict.notices == ["careful"]);
        verdict.restrain(Mode::Audit, "H1");
        assert!(verdict.decision.is_none() && verdict.notices.is_empty() && verdict.acts.is_empty());
    }
}
