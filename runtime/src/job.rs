//! What one process was started for: an event, some hooks, and exactly one answer.
//!
//! The unfinished answer is kept in one place. Whoever takes it out speaks, and nobody else can: the thread that does
//! the work, or those that watch the clock. What is only written down comes after the answer.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use crate::books::Entry;
use crate::call::Call;
use crate::client::{Reading, Tool};
use crate::engine::panic_text;
use crate::event::{Event, Refusal};
use crate::failure::Failure;
use crate::input;
use crate::json::{Json, Many};
use crate::log;
use crate::node::{Node, Origin};
use crate::payload;
use crate::program::{Catalog, Hook, Matcher, Program, Start};
use crate::registration::{Caller, Registered};
use crate::reply::{Answering, Reply, Running, reply};
use crate::signals;
use crate::speech::speak;
use crate::surroundings;
use crate::tool;
use crate::turn::{Means, Turn, is_heard, plainly_failed, refuses};
use crate::verdict::{Decision, Verdict};
use crate::watchdog::{self, Watch};

pub(crate) type Asked = (usize, &'static Hook);

/// The hooks of one process and the event that they are asked about.
pub(crate) struct Job {
    catalog: &'static Catalog,
    start: Start,
    asked: Vec<Asked>,
    caller: Caller,
    event: &'static Event,
    began: Instant,
    floor: Mutex<Floor>,
    /// Who looks at the clock, once there is something to watch.
    watch: OnceLock<Watch>,
}

/// Who has the word.
enum Floor {
    /// The hooks, which are at work.
    Unfinished(Unfinished),
    /// Their time is up: whoever knows first what `fail_safe` comes to.
    Late(Unfinished),
    /// Somebody who is about to speak. If that never happens, this exit code is all that is said.
    Taken(u8),
    /// Nobody any more: this was the exit code.
    Spoken(u8),
}

/// An answer in the making.
#[derive(Clone)]
pub(crate) struct Unfinished {
    /// Hooks that have not given their verdict, in catalog order.
    owed: Vec<Asked>,
    verdicts: Vec<Verdict>,
    /// What the hooks that have given their verdict left to be written down, each with the number of its call.
    entries: Vec<(usize, Entry)>,
    /// What is known of the event, for whoever must speak without having read it.
    event: Json<'static>,
    /// The tool's input, once somebody wants it changed.
    input: Json<'static>,
    /// The tool, if the client calls it otherwise than catalogs do.
    tool: Option<&'static Tool>,
    /// Whether the input of the call can be replaced.
    rewritable: bool,
}

impl Job {
    pub(crate) fn new(catalog: &'static Catalog, start: Start, asked: Registered, event: &'static Event) -> Self {
        let Registered { hooks: asked, caller } = asked;
        let owed = asked.iter().copied().filter(|(_, hook)| hook.event == event.name).collect();
        let floor = Mutex::new(Floor::Unfinished(Unfinished { owed, ..Unfinished::nothing() }));
        Self { catalog, start, asked, caller, event, began: Instant::now(), floor, watch: OnceLock::new() }
    }

    /// Has somebody look at the clock from now on.
    pub(crate) fn watch(self: &Arc<Self>) -> Watch {
        *self.watch.get_or_init(|| if surroundings::are_placed() { Watch::Nobody } else { watchdog::start(self) })
    }

    /// Who looks at the clock.
    pub(crate) fn watching(&self) -> Watch {
        self.watch.get().copied().unwrap_or(Watch::Nobody)
    }

    /// How long the process has been at it.
    pub(crate) fn age(&self) -> Duration {
        self.began.elapsed()
    }

    /// How long the client waits. Hooks that share a process are registered with the sum of their times.
    pub(crate) fn timeout(&self) -> Duration {
        Duration::from_millis(self.asked.iter().map(|(_, hook)| u64::from(hook.timeout_ms)).sum())
    }

    /// Whether one of the hooks stands in the way of the action when it breaks.
    pub(crate) fn is_closed(&self) -> bool {
        self.asked.iter().any(|(_, hook)| refuses(self.event, hook))
    }

    /// Reads the event, runs the hooks and answers. The exit code, or `None` when another thread has the floor.
    pub(crate) fn work(self: &Arc<Self>) -> Option<u8> {
        let Ok(mut input) = input::read(
            || self.time_left(),
            || {
                self.watch();
            },
        ) else {
            return if self.watch() == Watch::Watchdog { None } else { self.give_up(&self.late()) };
        };
        // Parsing overwrites the input, and only the verbose log asks for it afterwards.
        let verbatim = match &input {
            Ok(bytes) if self.catalog.is_verbose() => String::from_utf8_lossy(bytes).into_owned(),
            _ => String::new(),
        };
        let parsed = match &mut input {
            Ok(bytes) => {
                if self.catalog.bang_escapes {
                    payload::undo_bang_escapes(bytes);
                }
                payload::parse_where(self.caller.client, bytes, self.event, |event| self.caller.is_here(event))
            }
            Err(failure) => Err(failure.clone()),
        };
        let (reading, broken) = match parsed {
            Ok(reading) => (reading, None),
            Err(failure) => (Reading { calls: vec![Vec::new()], tool: None, whole: false }, Some(failure)),
        };
        let rewritable = reading.whole && reading.calls.len() == 1;
        let payloads: Vec<Json<'_>> = reading.calls.into_iter().map(|call| Json::Object(Many::Owned(call))).collect();
        let calls: Vec<Call<'_>> = payloads.iter().map(|payload| self.call(payload)).collect();
        let (Some(first), false) = (calls.first(), payloads.iter().any(|payload| self.is_for_another(payload))) else {
            self.take()?;
            return Some(0);
        };
        let programs: Vec<_> = calls.iter().map(self.start).collect();
        let turns: Vec<Turn<'_>> =
            calls.iter().zip(&programs).map(|(call, program)| self.turn(call, program.as_ref(), rewritable)).collect();
        let owed = self.begin(&calls, reading.tool, rewritable)?;
        // Whom the event does not concern has nothing to look at that could hang.
        let watch = if owed.iter().all(Vec::is_empty) { Watch::Nobody } else { self.watch() };
        let (unfinished, aside) = self.ask_all(&turns, owed, broken.as_ref(), watch)?;
        Some(self.finish(&turns, unfinished, first.payload().at("tool_input"), &verbatim, &aside))
    }

    /// Goes through the hooks that a call concerns without a word to the client: what would be said, and what is to be
    /// written down, which is done only if asked for. Nobody looks at the clock.
    #[cfg(feature = "evaluate")]
    pub(crate) fn rehearse(
        &self,
        call: &Call<'_>,
        program: &dyn Program,
        broken: Option<&Failure>,
        write_down: bool,
    ) -> Option<(Reply, Vec<Entry>)> {
        let turns = [self.turn(call, program, true)];
        let owed = self.begin(std::slice::from_ref(call), None, true)?;
        let (unfinished, aside) = self.ask_all(&turns, owed, broken, Watch::Watchdog)?;
        let Unfinished { verdicts, entries, tool, .. } = unfinished;
        let reply = self.reply(verdicts, call.payload().at("tool_input"), tool).with_aside(&aside);
        let entries: Vec<Entry> = entries.into_iter().map(|(_, entry)| entry).collect();
        if write_down {
            for turn in &turns {
                turn.write_down(&entries);
            }
        }
        Some((reply, entries))
    }

    /// Asks the hooks about every call: all that they have to say, and what is said beside it.
    fn ask_all(
        &self,
        turns: &[Turn<'_>],
        owed: Vec<Vec<Asked>>,
        broken: Option<&Failure>,
        watch: Watch,
    ) -> Option<(Unfinished, Vec<String>)> {
        let heard = self.asked.iter().any(|(_, hook)| is_heard(self.event, hook));
        let mut aside = Vec::new();
        for (number, (turn, owed)) in turns.iter().zip(owed).enumerate() {
            // Whom the event does not concern has asked for no settings, and has nothing to tell.
            if !owed.is_empty() {
                self.ask(number, turn, owed, broken, watch)?;
                aside.extend(turn.asides(&self.asked, heard));
            }
        }
        let mut unfinished = self.take()?;
        for (number, turn) in turns.iter().enumerate() {
            unfinished.entries.extend(turn.entries().into_iter().map(|entry| (number, entry)));
        }
        if heard {
            unfinished.verdicts.push(Verdict { notices: std::mem::take(&mut aside), ..Verdict::default() });
        }
        Some((unfinished, aside))
    }

    /// Asks the hooks about one of the calls that the event is about.
    fn ask(
        &self,
        number: usize,
        turn: &Turn<'_>,
        owed: Vec<Asked>,
        broken: Option<&Failure>,
        watch: Watch,
    ) -> Option<()> {
        let call = turn.call();
        for (position, hook) in owed {
            if watch == Watch::Nobody {
                let Some(left) = self.time_left() else {
                    self.give_up(&self.late());
                    return None;
                };
                call.session().wait_at_most(left);
            }
            let verdict = turn.verdict(position, hook, broken);
            if verdict.denies() {
                call.refuse();
            }
            self.settle(verdict, turn.entries().into_iter().map(|entry| (number, entry)), call)?;
        }
        Some(())
    }

    fn call<'p>(&self, payload: &'p Json<'p>) -> Call<'p> {
        Call::by(self.caller.client, &self.catalog.name, self.event, payload)
    }

    fn turn<'t>(&self, call: &'t Call<'t>, program: &'t dyn Program, rewritable: bool) -> Turn<'t> {
        let means = Means { unasked: self.caller.unasked, rewritable };
        Turn::new(self.catalog, call, program, means, self.began)
    }

    /// Clients that read another client's registration may send what it is not for.
    fn is_for_another(&self, payload: &Json<'_>) -> bool {
        matches!(payload.get("hook_event_name"), Some(Json::Text(name)) if name != self.event.name)
    }

    /// Ends the time of the hooks: what they leave unfinished, for whoever works out what `fail_safe` says. `None` when
    /// it has ended before.
    pub(crate) fn expire(&self) -> Option<Unfinished> {
        let mut floor = self.lock();
        match std::mem::replace(&mut *floor, Floor::Taken(0)) {
            Floor::Unfinished(unfinished) => {
                *floor = Floor::Late(unfinished.clone());
                Some(unfinished)
            }
            other => {
                *floor = other;
                None
            }
        }
    }

    /// Answers for every hook that still owes its verdict, as its `fail_safe` says. The exit code, or `None` when
    /// somebody else has the floor.
    pub(crate) fn give_up(&self, failure: &Failure) -> Option<u8> {
        self.expire().and_then(|unfinished| self.answer_late(&unfinished, failure))
    }

    /// The answer after the hooks' time. Settings may switch a hook off, and whether it was told decides what is said,
    /// so both are asked; if that takes too long as well, somebody else concludes.
    pub(crate) fn answer_late(&self, unfinished: &Unfinished, failure: &Failure) -> Option<u8> {
        let answered = catch_unwind(AssertUnwindSafe(|| self.fail_safe(unfinished, failure)));
        answered.unwrap_or_else(|_| self.conclude(failure))
    }

    /// The answer when there is no time left to ask anybody: it needs nothing but constants, and touches no file.
    pub(crate) fn conclude(&self, failure: &Failure) -> Option<u8> {
        let unfinished = self.take_late()?;
        let plain = || self.plain(unfinished, failure);
        Some(self.say(&surely(plain, |_| self.barest(), || self.barest())))
    }

    /// The exit code of an answer that was given; `Err` has that of one that may be on its way.
    pub(crate) fn spoken(&self) -> Result<u8, u8> {
        match &*self.lock() {
            Floor::Spoken(exit) => Ok(*exit),
            Floor::Taken(exit) => Err(*exit),
            Floor::Unfinished(unfinished) | Floor::Late(unfinished) => Err(self.wordless(unfinished)),
        }
    }

    fn fail_safe(&self, unfinished: &Unfinished, failure: &Failure) -> Option<u8> {
        let call = self.call(&unfinished.event);
        // The other thread may hold a lock, and will not let go of it.
        call.session().hurry();
        let program = (self.start)(&call);
        let turn = self.turn(&call, program.as_ref(), unfinished.rewritable);
        let failed: Vec<Verdict> = unfinished.owed.iter().map(|(_, hook)| turn.unfinished(hook, failure)).collect();
        let mut unfinished = self.take_late()?;
        unfinished.verdicts.extend(failed);
        unfinished.entries.extend(turn.entries().into_iter().map(|entry| (0, entry)));
        let input = std::mem::replace(&mut unfinished.input, Json::Null);
        Some(self.finish(&[turn], unfinished, Node::new(&input, Origin::Payload), "", &[]))
    }

    /// What the hooks said so far, and what `fail_safe` says for the others as far as constants tell.
    fn plain(&self, unfinished: Unfinished, failure: &Failure) -> Reply {
        let mut verdicts = unfinished.verdicts;
        let failed = unfinished.owed.iter().map(|(_, hook)| plainly_failed(self.catalog, self.event, hook, failure));
        verdicts.extend(failed);
        let input = Node::new(&unfinished.input, Origin::Payload);
        self.reply(verdicts, input, unfinished.tool)
    }

    /// The answer when nothing can be put into words.
    fn barest(&self) -> Reply {
        Reply { stderr: "the hook broke".to_owned(), exit: if self.is_closed() { 2 } else { 0 }, ..Reply::default() }
    }

    /// Speaks first and writes down after. From here on nothing may end without an answer, or with a second one:
    /// nobody else can speak any more.
    fn finish(
        &self,
        turns: &[Turn<'_>],
        unfinished: Unfinished,
        tool_input: Node<'_>,
        input: &str,
        aside: &[String],
    ) -> u8 {
        let Unfinished { verdicts, entries, tool, .. } = unfinished;
        let whole = || self.reply(verdicts, tool_input, tool).with_aside(aside);
        let broken = |panic| {
            let none = Unfinished { owed: self.asked.clone(), ..Unfinished::nothing() };
            self.plain(none, &Failure::Unfinished(panic))
        };
        let reply = surely(whole, broken, || self.barest());
        let exit = self.say(&reply);
        let _ = catch_unwind(AssertUnwindSafe(|| {
            for (number, turn) in turns.iter().enumerate() {
                turn.write_down(&entries_of(number, turns.len(), &entries));
            }
            if let Some(turn) = turns.first() {
                turn.log_exchange(&self.asked, input, &reply);
            }
        }));
        exit
    }

    /// The reply. A question and a change are what a closed hook lets an action through on, so it is not let through
    /// when they cannot be said.
    fn reply(&self, verdicts: Vec<Verdict>, tool_input: Node<'_>, tool: Option<&'static Tool>) -> Reply {
        let depends = self.is_closed()
            && verdicts
                .iter()
                .any(|said| matches!(said.decision, Some((Decision::Ask, _))) || !said.rewrite.is_empty());
        let (client, event, denial) = (self.caller.client, self.event, self.catalog.denial);
        let to = Answering { client, event, denial, running: self.running(), tool };
        let mut reply = reply(to, tool_input, verdicts);
        if depends && reply.unheard.is_none() {
            reply.unheard = Some("what the hooks decided could not be said, so this is refused".to_owned());
        }
        reply
    }

    fn say(&self, reply: &Reply) -> u8 {
        let exit = speak(reply);
        if !surroundings::are_placed() {
            signals::answered(exit);
        }
        *self.lock() = Floor::Spoken(exit);
        exit
    }

    /// Hooks that share a process are run alike.
    fn running(&self) -> Running {
        if self.asked.iter().all(|(_, hook)| hook.rewakes) {
            Running::Waking
        } else if self.asked.iter().all(|(_, hook)| hook.background) {
            Running::Background
        } else {
            Running::Awaited
        }
    }

    /// What is left of the hooks' time.
    fn time_left(&self) -> Option<Duration> {
        watchdog::patience(self.timeout()).checked_sub(self.began.elapsed()).filter(|left| !left.is_zero())
    }

    pub(crate) fn late(&self) -> Failure {
        let patience = watchdog::patience(self.timeout());
        Failure::Unfinished(format!("it did not come to an end within {} ms", patience.as_millis()))
    }

    /// Narrows the job to the hooks that each call concerns.
    fn begin(&self, calls: &[Call<'_>], tool: Option<&'static Tool>, rewritable: bool) -> Option<Vec<Vec<Asked>>> {
        let mut floor = self.lock();
        let Floor::Unfinished(unfinished) = &mut *floor else { return None };
        let concerned = |call| unfinished.owed.iter().copied().filter(|(_, hook)| concerns(call, hook)).collect();
        let owed: Vec<Vec<Asked>> = calls.iter().map(concerned).collect();
        unfinished.owed = owed.concat();
        unfinished.event = calls.first().map_or_else(empty, essentials);
        (unfinished.tool, unfinished.rewritable) = (tool, rewritable);
        Some(owed)
    }

    /// Adds the verdict of the hook whose turn it was.
    fn settle(&self, verdict: Verdict, entries: impl Iterator<Item = (usize, Entry)>, call: &Call<'_>) -> Option<()> {
        let mut floor = self.lock();
        let Floor::Unfinished(unfinished) = &mut *floor else { return None };
        if !verdict.rewrite.is_empty() && unfinished.input == Json::Null {
            unfinished.input = call.payload().at("tool_input").json().clone().into_owned();
        }
        if !unfinished.owed.is_empty() {
            unfinished.owed.remove(0);
        }
        unfinished.verdicts.push(verdict);
        unfinished.entries.extend(entries);
        Some(())
    }

    /// Takes the floor in the hooks' time.
    fn take(&self) -> Option<Unfinished> {
        self.take_if(|floor| matches!(floor, Floor::Unfinished(_)))
    }

    /// Takes the floor after it.
    fn take_late(&self) -> Option<Unfinished> {
        self.take_if(|floor| matches!(floor, Floor::Late(_)))
    }

    fn take_if(&self, is_free: impl FnOnce(&Floor) -> bool) -> Option<Unfinished> {
        let mut floor = self.lock();
        if !is_free(&floor) {
            return None;
        }
        match std::mem::replace(&mut *floor, Floor::Taken(0)) {
            Floor::Unfinished(unfinished) | Floor::Late(unfinished) => {
                *floor = Floor::Taken(self.wordless(&unfinished));
                Some(unfinished)
            }
            Floor::Taken(_) | Floor::Spoken(_) => None,
        }
    }

    /// What the exit code alone can say of an answer.
    fn wordless(&self, unfinished: &Unfinished) -> u8 {
        let refused = unfinished.verdicts.iter().any(Verdict::denies) && self.event.refusal != Refusal::Never;
        let broken = unfinished.owed.iter().any(|(_, hook)| refuses(self.event, hook));
        if refused || broken { 2 } else { 0 }
    }

    fn lock(&self) -> MutexGuard<'_, Floor> {
        // A panic in between left either the old state or the new one.
        self.floor.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Unfinished {
    fn nothing() -> Self {
        Self {
            owed: Vec::new(),
            verdicts: Vec::new(),
            entries: Vec::new(),
            event: empty(),
            input: Json::Null,
            tool: None,
            rewritable: true,
        }
    }
}

/// What the first of them makes that does not panic. The second is told what the first one died of.
fn surely(first: impl FnOnce() -> Reply, second: impl FnOnce(String) -> Reply, last: impl FnOnce() -> Reply) -> Reply {
    catch_unwind(AssertUnwindSafe(first))
        .or_else(|panic| catch_unwind(AssertUnwindSafe(|| second(panic_text(panic.as_ref())))))
        .unwrap_or_else(|_| last())
}

fn empty() -> Json<'static> {
    Json::Object(Many::Owned(Vec::new()))
}

/// The entries about one call. An answer in the hooks' place has one turn for all of them.
fn entries_of(number: usize, turns: usize, entries: &[(usize, Entry)]) -> Vec<Entry> {
    entries.iter().filter(|(of, _)| *of == number || turns == 1).map(|(_, entry)| entry.clone()).collect()
}

pub(crate) fn concerns(call: &Call<'_>, hook: &Hook) -> bool {
    let Some(subject) = call.event().subject else { return true };
    let payload = call.payload().json();
    match payload.get(subject) {
        Some(Json::Text(_)) if matches!(hook.matcher, Matcher::All) => true,
        Some(Json::Text(name)) if subject == "tool_name" => {
            let carries = |field: &str| payload.get("tool_input").and_then(|input| input.get(field)).is_some();
            tool::names(name, call.event(), carries).into_iter().any(|name| hook.matcher.takes(name))
        }
        Some(Json::Text(subject)) => hook.matcher.takes(subject),
        // The client has matched already; what it did not send cannot speak against it.
        _ => true,
    }
}

/// The few fields of an event that state, settings and log depend on.
fn essentials(call: &Call<'_>) -> Json<'static> {
    let payload = call.payload().json();
    let fields = ["session_id", "cwd", "tool_name", "tool_use_id", "agent_type", "agent_id"];
    let known = fields.into_iter().filter_map(|name| Some((name.into(), payload.get(name)?.clone().into_owned())));
    let input = payload.get("tool_input").and_then(log::kept);
    Json::Object(Many::Owned(known.chain(input.map(|input| ("tool_input".into(), input))).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_somebody_took_is_nobody_elses() {
        static CATALOG: Catalog = Catalog::empty("none");
        let (event, payload) = (Event::named("PreToolUse").expect("known"), empty());
        let asked = Registered { hooks: Vec::new(), caller: Caller::claude() };
        let job = Job::new(&CATALOG, &|_| unreachable!("nobody answers"), asked, event);
        assert!(job.take().is_some());
        assert!(job.take().is_none());
        let late = Failure::Payload("late".to_owned());
        assert_eq!((job.give_up(&late), job.conclude(&late)), (None, None));
        let call = Call::new("none", event, &payload);
        let entries = std::iter::empty();
        assert!(job.settle(Verdict::default(), entries, &call).is_none());
        assert!(job.begin(&[call], None, true).is_none());
        assert_eq!(job.spoken(), Err(0));
    }

    #[test]
    fn a_panic_while_the_answer_is_put_into_words_is_answered_more_plainly() {
        let said = |text: &str| Reply { stdout: text.to_owned(), ..Reply::default() };
        let broken = || -> Reply { panic!("out of words") };
        let panicking = |_: String| -> Reply { panic!("still") };
        assert_eq!(surely(|| said("whole"), |_| said("bare"), || said("barest")), said("whole"));
        assert_eq!(surely(broken, |why| said(&why), || said("barest")), said("the check panicked: out of words"));
        assert_eq!(surely(broken, panicking, || said("barest")), said("barest"));
    }
}
