//! The hooks of one process at work on one event.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use crate::act::{self, Act};
use crate::books::{Entry, Line};
use crate::call::Call;
use crate::engine::panic_text;
use crate::event::{Event, Notice, Refusal};
use crate::failure::{Attempt, Failure};
use crate::home;
use crate::library::notify;
use crate::log::{self, Record};
use crate::program::{Catalog, FailSafe, Hook, Mode, Program, Str};
use crate::registration::Unasked;
use crate::reply::Reply;
use crate::state;
use crate::verdict::{Decision, Verdict};

/// What is around every event, and always text.
pub const ENVELOPE: [&str; 6] =
    ["session_id", "transcript_path", "cwd", "hook_event_name", "permission_mode", "tool_name"];

/// What the client lets be said about the calls of one event.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Means {
    /// What becomes of a question that cannot be asked.
    pub(crate) unasked: Unasked,
    /// Whether the input of the call can be replaced.
    pub(crate) rewritable: bool,
}

impl Means {
    /// Turns what the client cannot be told into what it can: a question into a refusal, unless the catalog lets it pass;
    /// and a change that a closed hook depends on into a refusal.
    fn fit(self, call: &Call<'_>, hook: &Hook, verdict: &mut Verdict) {
        let event = call.event();
        let cannot = |what: &str| format!("{} cannot {what} here, so this is refused", call.client().title);
        if !event.asks
            && event.refusal != Refusal::Never
            && let Some((decision @ Decision::Ask, reason)) = &mut verdict.decision
        {
            match self.unasked {
                Unasked::Refused => {
                    *decision = Decision::Deny;
                    *reason = format!("{reason} ({})", cannot("ask the person"));
                }
                Unasked::Passes => *decision = Decision::Pass,
            }
        }
        let replaces = event.rewrites && self.rewritable;
        if !replaces && !verdict.rewrite.is_empty() {
            verdict.rewrite.clear();
            if refuses(event, hook) && !verdict.denies() {
                verdict.deny("rewrite", cannot("replace the input"));
            }
        }
    }
}

pub(crate) struct Turn<'t> {
    catalog: &'static Catalog,
    call: &'t Call<'t>,
    program: &'t dyn Program,
    answering: Means,
    /// When the work began that the next line in the log is about.
    since: Cell<Instant>,
    /// What the breaker has on record of the hook at work, once it was asked.
    failures: Cell<Option<i64>>,
    /// What is to be written down after the answer.
    entries: RefCell<Vec<Entry>>,
}

impl<'t> Turn<'t> {
    pub(crate) fn new(
        catalog: &'static Catalog,
        call: &'t Call<'t>,
        program: &'t dyn Program,
        answering: Means,
        began: Instant,
    ) -> Self {
        let since = Cell::new(began);
        Self { catalog, call, program, answering, since, failures: Cell::new(None), entries: RefCell::default() }
    }

    /// The call that it is about.
    pub(crate) fn call(&self) -> &'t Call<'t> {
        self.call
    }

    /// What the last hooks left to be written down.
    pub(crate) fn entries(&self) -> Vec<Entry> {
        self.entries.take()
    }

    /// Writes down what was left for after the answer, what was decided first. Nobody waits for any of it.
    pub(crate) fn write_down(&self, entries: &[Entry]) {
        for entry in entries {
            if let Entry::Line(line) = entry {
                self.with_record(line, |record| log::write(self.call.store(), self.call.session(), record));
            }
        }
        let session = self.call.session();
        for entry in entries {
            // What cannot be written here is in the log, if anything is.
            let _ = match entry {
                Entry::Line(_) => Ok(()),
                Entry::Broke(hook) => state::breaker::record(session, &hook.id).map(drop),
                Entry::Recovered(hook) => state::breaker::reset(session, &hook.id),
                Entry::Untold(text) => state::untold::keep(session, text),
                Entry::Notify(line) => {
                    notify(self.call, line);
                    Ok(())
                }
            };
        }
    }

    /// What a hook has to say; `broken` is what is wrong with the event, if something is.
    pub(crate) fn verdict(&self, position: usize, hook: &'static Hook, broken: Option<&Failure>) -> Verdict {
        self.failures.set(None);
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
            self.entries.borrow_mut().extend(asides.iter().cloned().map(Entry::Untold));
        } else if self.call.session().is_in_use() {
            // A folder that no hook has looked at is not worth a look for this alone.
            asides.extend(state::untold::take(self.call.session()).unwrap_or_default());
        }
        asides
    }

    /// What is wrong with the settings: once a session, and again when the file was edited and is still wrong.
    fn complaints(&self, asked: &[(usize, &'static Hook)]) -> Vec<String> {
        let config = self.program.config();
        let mut notes = [config.notes(), config.slips()].concat();
        if let Some((_, hook)) = asked.first() {
            for note in notes.iter().chain(&self.call.session().notes()) {
                self.log(hook, None, "NOTE", note.clone(), Mode::Enforce);
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
        self.with_record(&self.line(hook, None, "", String::new(), Mode::Enforce), |record| {
            log::write_exchange(self.call.session(), record, input, &output);
        });
    }

    fn run(&self, position: usize, hook: &'static Hook, broken: Option<&Failure>) -> Verdict {
        if let Some(failure) = broken {
            return self.failed(hook, failure);
        }
        let mut verdict = Verdict::default();
        let ran = catch_unwind(AssertUnwindSafe(|| self.check(position, hook, &mut verdict)));
        match ran.unwrap_or_else(|panic| Err(Failure::Unfinished(panic_text(panic.as_ref())))) {
            Ok(()) => self.decided(hook, verdict),
            Err(failure) => self.failed(hook, &failure),
        }
    }

    fn check(&self, position: usize, hook: &Hook, verdict: &mut Verdict) -> Attempt<()> {
        let (known, doubts) = (self.call.session().notes().len(), self.program.config().doubts());
        self.program.run(position, verdict)?;
        if verdict.approves() {
            self.envelope_is_sound()?;
        }
        if hook.fail_safe == FailSafe::Open || verdict.denies() {
            return Ok(());
        }
        // Neither state that was lost and started afresh nor a default in place of what an operator may have said more
        // strictly can be what a closed hook lets an action through on.
        if let Some(note) = self.call.session().notes().into_iter().nth(known) {
            return Err(Failure::State(note));
        }
        let refuses = refuses(self.call.event(), hook) && hook.mode == Mode::Enforce;
        if refuses && self.program.config().doubts() > doubts {
            let why = self.program.config().notes().join("; ");
            return Err(Failure::Document(format!("a setting that it goes by cannot be read: {why}")));
        }
        Ok(())
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
        self.answering.fit(self.call, hook, &mut verdict);
        let said = verdict.summary(self.call.event().refusal);
        if said.is_none() && verdict.acts.is_empty() {
            self.healthy(hook);
            return verdict;
        }
        let mode = self.mode(hook);
        let performs = mode == Mode::Enforce && !self.call.is_rehearsed();
        if performs {
            self.entries.borrow_mut().extend(verdict.acts.iter().filter_map(Act::after_the_answer));
        }
        if performs && let Err(failure) = act::perform(&verdict.acts, self.call) {
            if refuses(self.call.event(), hook) || verdict.approves() {
                return self.failed(hook, &failure);
            }
            self.undone(hook, &failure, &mut verdict);
        } else {
            self.healthy(hook);
        }
        if let Some((word, detail)) = said.filter(|_| mode != Mode::Off) {
            self.log(hook, verdict.check.clone(), word, detail, mode);
        }
        verdict.restrain(mode, &hook.log_name);
        if mode != hook.mode {
            self.tell_of_a_moved_home(hook, &format!("in {} mode", mode.name()), &mut verdict);
        }
        verdict
    }

    /// Reasons not to run a hook at all: development mode, its flag, its breaker.
    fn skipped(&self, hook: &'static Hook) -> Option<Verdict> {
        if self.program.dev_mode().unwrap_or(false) {
            self.log(hook, None, "DEV_SKIP", "development mode is on".to_owned(), Mode::Enforce);
            let mut verdict = Verdict::default();
            let text = format!("{}: development mode is on, no hook decides anything", self.catalog.name);
            self.tell_once("development mode", hook, text, &mut verdict);
            return Some(verdict);
        }
        if hook.flag.is_some_and(|flag| !self.program.config().flag(flag)) && !self.is_in_doubt(hook) {
            let mut verdict = Verdict::default();
            self.tell_of_a_moved_home(hook, "switched off", &mut verdict);
            return Some(verdict);
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
        if hook.fail_safe == FailSafe::Closed {
            return None;
        }
        let failures = self.failures(hook);
        if failures == 0 || failures < self.program.config().int(breaker.after) || self.is_in_doubt(hook) {
            return None;
        }
        let text = format!("{} failed {failures} times and is skipped for the rest of the session", hook.log_name);
        self.log(hook, None, "BREAKER_OPEN", text.clone(), Mode::Enforce);
        let mut verdict = Verdict::default();
        self.tell_once(&format!("breaker {}", hook.id), hook, text, &mut verdict);
        Some(verdict)
    }

    /// Whether a closed hook would be left out by a default alone, since the config file cannot be read.
    fn is_in_doubt(&self, hook: &Hook) -> bool {
        hook.fail_safe == FailSafe::Closed && self.program.config().doubts() > 0
    }

    /// A success closes the breaker again, as long as it has not opened.
    fn healthy(&self, hook: &'static Hook) {
        if self.catalog.breaker.is_some() && self.failures(hook) > 0 {
            self.entries.borrow_mut().push(Entry::Recovered(hook));
        }
    }

    /// How often in a row the hook at work has failed, as far as the breaker knows: asked once per hook.
    fn failures(&self, hook: &Hook) -> i64 {
        let known = self.failures.get();
        let failures = known.unwrap_or_else(|| state::breaker::failures(self.call.session(), &hook.id));
        self.failures.set(Some(failures));
        failures
    }

    /// An open hook goes on without what it could not do: what it has found out, and what it says, stays true.
    fn undone(&self, hook: &'static Hook, failure: &Failure, verdict: &mut Verdict) {
        self.count(hook, failure);
        self.log(hook, None, "FAIL_OPEN", failure.to_string(), Mode::Enforce);
        if self.catalog.fail_open_notice {
            let text = format!("{} could not do all that goes with its answer: {failure}", hook.log_name);
            self.tell_once(&format!("fail-open {}", hook.id), hook, text, verdict);
        }
    }

    /// Tells the breaker of a failure that is one for it.
    fn count(&self, hook: &'static Hook, failure: &Failure) {
        if failure.counts() && self.catalog.breaker.is_some() {
            self.entries.borrow_mut().push(Entry::Broke(hook));
        }
    }

    fn failed(&self, hook: &'static Hook, failure: &Failure) -> Verdict {
        if let Failure::Withheld(_) = failure {
            return self.cannot_tell(hook, failure);
        }
        self.count(hook, failure);
        let mode = self.mode(hook);
        let mut verdict = Verdict::default();
        if mode == Mode::Off {
            return verdict;
        }
        if refuses(self.call.event(), hook) {
            self.log(hook, None, "FAIL_CLOSED", failure.to_string(), mode);
            verdict.deny("fail-safe", refused(&hook.log_name, failure));
        } else {
            self.log(hook, None, "FAIL_OPEN", failure.to_string(), mode);
            if self.catalog.fail_open_notice && mode != Mode::Audit {
                self.tell_once(
                    &format!("fail-open {}", hook.id),
                    hook,
                    let_pass(&hook.log_name, failure),
                    &mut verdict,
                );
            }
        }
        verdict.restrain(mode, &hook.log_name);
        verdict
    }

    /// A hook that only watches does not start the programs that it decides by, so nobody knows what it would have done.
    fn cannot_tell(&self, hook: &'static Hook, failure: &Failure) -> Verdict {
        let mode = self.mode(hook);
        let mut verdict = Verdict::default();
        self.log(hook, None, "CANNOT_TELL", failure.to_string(), mode);
        if mode == Mode::Warn {
            let text = format!("{} only warns, and cannot tell what it would do: {failure}", hook.log_name);
            self.tell_once(&format!("cannot-tell {}", hook.id), hook, text, &mut verdict);
        }
        verdict
    }

    /// The config file is asked only about hooks that have something to say.
    fn mode(&self, hook: &Hook) -> Mode {
        self.program.config().mode(&hook.id, hook.mode)
    }

    /// Settings count that lie where the environment has moved the home folder to, but not without a word to the person.
    /// A catalog with closed hooks does not believe the environment in the first place.
    fn tell_of_a_moved_home(&self, hook: &'static Hook, how: &str, verdict: &mut Verdict) {
        let Some(home) = home::moved().filter(|home| self.program.config().is_within(home)) else { return };
        let text = format!(
            "{} is {how} by the settings in {}, where HOME points to; that is not the home folder of this user",
            hook.log_name,
            home.display()
        );
        self.log(hook, None, "NOTE", text.clone(), Mode::Enforce);
        self.tell_once(&format!("home {} {how}", hook.id), hook, text, verdict);
    }

    /// The person hears of it once a session; the log every time.
    fn tell_once(&self, what: &str, hook: &Hook, text: String, verdict: &mut Verdict) {
        if !state::once::first_time(self.call.session(), what) {
            return;
        }
        if is_heard(self.call.event(), hook) {
            verdict.notices.push(text);
        } else {
            self.entries.borrow_mut().push(Entry::Untold(text));
        }
    }

    fn log(&self, hook: &'static Hook, check: Option<Str>, decision: &'static str, reason: String, mode: Mode) {
        let line = self.line(hook, check, decision, reason, mode);
        self.entries.borrow_mut().push(Entry::Line(line));
    }

    fn line(
        &self,
        hook: &'static Hook,
        check: Option<Str>,
        decision: &'static str,
        reason: String,
        mode: Mode,
    ) -> Line {
        Line { hook, check, decision, reason, mode, took: self.since.get().elapsed() }
    }

    fn with_record(&self, line: &Line, write: impl FnOnce(&Record<'_>)) {
        write(&Record {
            time: &self.call.now().iso(),
            catalog: &self.catalog.name,
            version: &self.catalog.version,
            digest: &self.catalog.digest,
            hook: &line.hook.id,
            log_name: &line.hook.log_name,
            check: line.check.as_deref(),
            event: self.call.event().name,
            payload: self.call.payload().json(),
            project: &self.call.project_dir().to_string_lossy(),
            client: self.call.client().name,
            settings: &self.program.config().settings(),
            decision: line.decision,
            mode: (line.mode != Mode::Enforce).then(|| line.mode.name()),
            reason: &line.reason,
            duration_us: u64::try_from(line.took.as_micros()).unwrap_or(u64::MAX),
        });
    }
}

/// What becomes of the action when a hook broke and there is no time to ask settings, state or log about it.
pub(crate) fn plainly_failed(catalog: &Catalog, event: &Event, hook: &'static Hook, failure: &Failure) -> Verdict {
    let mut verdict = Verdict::default();
    if refuses(event, hook) {
        verdict.deny("fail-safe", refused(&hook.log_name, failure));
    } else if catalog.fail_open_notice && is_heard(event, hook) {
        verdict.notices.push(let_pass(&hook.log_name, failure));
    }
    verdict.restrain(hook.mode, &hook.log_name);
    verdict
}

/// Whether the action is refused when the hook breaks. Where nothing can be refused, a closed hook is an open one and
/// says so.
pub(crate) fn refuses(event: &Event, hook: &Hook) -> bool {
    hook.fail_safe == FailSafe::Closed && event.refusal != Refusal::Never
}

pub(crate) fn refused(who: &str, why: impl std::fmt::Display) -> String {
    format!("{who} could not check this, so it is refused: {why}")
}

pub(crate) fn let_pass(who: &str, why: impl std::fmt::Display) -> String {
    format!("{who} could not check this, and let it pass: {why}")
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
