//! What one process was started for: an event, some hooks, and exactly one answer.
//!
//! The unfinished answer is kept in one place. Whoever takes it out speaks, and nobody else can: the thread that does
//! the work, or the one that watches the clock.

use std::io::{Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::call::Call;
use crate::engine::panic_text;
use crate::event::Event;
use crate::failure::{Attempt, Failure};
use crate::json::{Json, Many};
use crate::node::{Node, Origin};
use crate::payload;
use crate::program::{Catalog, FailSafe, Hook, Start};
use crate::reply::{Reply, Running, reply};
use crate::turn::{Turn, is_heard};
use crate::verdict::Verdict;

/// No event is larger; more is refused before it is parsed.
const LARGEST_INPUT: u64 = 64 << 20;

/// Most events are smaller.
const ORDINARY_INPUT: usize = 64 << 10;

type Asked = (usize, &'static Hook);

/// The hooks of one process and the event that they are asked about.
pub(crate) struct Job {
    catalog: &'static Catalog,
    start: Start,
    asked: Vec<Asked>,
    event: &'static Event,
    began: Instant,
    unfinished: Mutex<Option<Unfinished>>,
}

/// An answer in the making.
struct Unfinished {
    /// Hooks that have not given their verdict, in catalog order.
    owed: Vec<Asked>,
    verdicts: Vec<Verdict>,
    /// What is known of the event, for whoever must speak without having read it.
    event: Json<'static>,
    /// The tool's input, once somebody wants it changed.
    input: Json<'static>,
}

impl Job {
    pub(crate) fn new(catalog: &'static Catalog, start: Start, asked: Vec<Asked>, event: &'static Event) -> Self {
        let owed = asked.iter().copied().filter(|(_, hook)| hook.event == event.name).collect();
        let unfinished = Unfinished { owed, verdicts: Vec::new(), event: empty(), input: Json::Null };
        Self { catalog, start, asked, event, began: Instant::now(), unfinished: Mutex::new(Some(unfinished)) }
    }

    /// How long the client waits. Hooks that share a process are registered with the sum of their times.
    pub(crate) fn timeout(&self) -> Duration {
        Duration::from_millis(self.asked.iter().map(|(_, hook)| u64::from(hook.timeout_ms)).sum())
    }

    /// Reads the event, runs the hooks and answers. The exit code, or `None` when the other thread has the floor.
    pub(crate) fn work(&self) -> Option<u8> {
        let mut input = read_input();
        // Parsing overwrites the input, and only the verbose log asks for it afterwards.
        let verbatim = match &input {
            Ok(bytes) if self.catalog.is_verbose() => String::from_utf8_lossy(bytes).into_owned(),
            _ => String::new(),
        };
        let parsed = match &mut input {
            Ok(bytes) => payload::parse(bytes, self.event),
            Err(failure) => Err(failure.clone()),
        };
        let (payload, broken) = match parsed {
            Ok(payload) => (payload, None),
            Err(failure) => (empty(), Some(failure)),
        };
        let call = Call::new(&self.catalog.name, self.event, &payload);
        if is_for_another_event(&call) {
            self.take()?;
            return Some(0);
        }
        let program = (self.start)(&call);
        let turn = Turn::new(self.catalog, &call, program.as_ref(), self.began);
        for (position, hook) in self.begin(&call)? {
            let verdict = turn.verdict(position, hook, broken.as_ref());
            if verdict.denies() {
                call.refuse();
            }
            self.settle(verdict, &call)?;
        }
        let heard = self.asked.iter().any(|(_, hook)| is_heard(self.event, hook));
        let mut aside = turn.asides(&self.asked, heard);
        let mut unfinished = self.take()?;
        if heard {
            unfinished.verdicts.push(Verdict { notices: std::mem::take(&mut aside), ..Verdict::default() });
        }
        Some(self.finish(&turn, unfinished.verdicts, call.payload().at("tool_input"), &verbatim, &aside))
    }

    /// Answers for every hook that still owes its verdict, as its `fail_safe` says. The exit code, or `None` when the
    /// answer is given already.
    pub(crate) fn give_up(&self, failure: &Failure) -> Option<u8> {
        let unfinished = self.take()?;
        let spoken = catch_unwind(AssertUnwindSafe(|| self.fail_safe(unfinished, failure)));
        Some(spoken.unwrap_or_else(|_| speak(&surely(|| self.bare(failure), |_| self.barest(), || self.barest()))))
    }

    fn fail_safe(&self, unfinished: Unfinished, failure: &Failure) -> u8 {
        let call = Call::new(&self.catalog.name, self.event, &unfinished.event);
        // The other thread may hold a lock, and will not let go of it.
        call.session().hurry();
        let program = (self.start)(&call);
        let turn = Turn::new(self.catalog, &call, program.as_ref(), self.began);
        let mut verdicts = unfinished.verdicts;
        verdicts.extend(unfinished.owed.into_iter().map(|(_, hook)| turn.unfinished(hook, failure)));
        self.finish(&turn, verdicts, Node::new(&unfinished.input, Origin::Payload), "", &[])
    }

    /// The answer when not even `fail_safe` could be worked out: it needs nothing but constants.
    fn bare(&self, failure: &Failure) -> Reply {
        let closed = self.asked.iter().filter(|(_, hook)| hook.fail_safe == FailSafe::Closed);
        let verdicts = closed.map(|(_, hook)| {
            let mut verdict = Verdict::default();
            verdict.deny("fail-safe", format!("{} could not check this: {failure}", hook.log_name));
            verdict
        });
        let nothing = Node::new(&Json::Null, Origin::Payload);
        reply(self.event, self.catalog.denial, self.running(), nothing, verdicts.collect())
    }

    /// The answer when nothing can be put into words.
    fn barest(&self) -> Reply {
        let closed = self.asked.iter().any(|(_, hook)| hook.fail_safe == FailSafe::Closed);
        Reply { stdout: String::new(), stderr: "the hook broke".to_owned(), exit: if closed { 2 } else { 0 } }
    }

    fn finish(
        &self,
        turn: &Turn<'_>,
        verdicts: Vec<Verdict>,
        tool_input: Node<'_>,
        input: &str,
        aside: &[String],
    ) -> u8 {
        // Nobody else can speak any more, so nothing from here on may end without an answer, or with a second one.
        let whole = || reply(self.event, self.catalog.denial, self.running(), tool_input, verdicts).with_aside(aside);
        let reply = surely(whole, |panic| self.bare(&Failure::Infrastructure(panic)), || self.barest());
        let exit = speak(&reply);
        let _ = catch_unwind(AssertUnwindSafe(|| {
            turn.log_exchange(&self.asked, input, &reply);
        }));
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

    /// Narrows the job to the hooks that the event concerns.
    fn begin(&self, call: &Call<'_>) -> Option<Vec<Asked>> {
        let mut unfinished = self.lock();
        let unfinished = unfinished.as_mut()?;
        unfinished.owed.retain(|(_, hook)| concerns(call, hook));
        unfinished.event = essentials(call);
        Some(unfinished.owed.clone())
    }

    /// Adds the verdict of the hook whose turn it was.
    fn settle(&self, verdict: Verdict, call: &Call<'_>) -> Option<()> {
        let mut unfinished = self.lock();
        let unfinished = unfinished.as_mut()?;
        if !verdict.rewrite.is_empty() && unfinished.input == Json::Null {
            unfinished.input = call.payload().at("tool_input").json().clone().into_owned();
        }
        if !unfinished.owed.is_empty() {
            unfinished.owed.remove(0);
        }
        unfinished.verdicts.push(verdict);
        Some(())
    }

    fn take(&self) -> Option<Unfinished> {
        self.lock().take()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Unfinished>> {
        // A panic in between left either the old list or the new one.
        self.unfinished.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What the first of them makes that does not panic. The second is told what the first one died of.
fn surely(first: impl FnOnce() -> Reply, second: impl FnOnce(String) -> Reply, last: impl FnOnce() -> Reply) -> Reply {
    catch_unwind(AssertUnwindSafe(first))
        .or_else(|panic| catch_unwind(AssertUnwindSafe(|| second(panic_text(panic.as_ref())))))
        .unwrap_or_else(|_| last())
}

/// Says it, and gives the exit code that goes with it.
pub(crate) fn speak(reply: &Reply) -> u8 {
    // A client that no longer listens has nothing to be told.
    if !reply.stdout.is_empty() {
        let _ = std::io::stdout().write_all(reply.stdout.as_bytes());
        let _ = std::io::stdout().flush();
    }
    if !reply.stderr.is_empty() {
        let _ = std::io::stderr().write_all(reply.stderr.as_bytes());
    }
    reply.exit
}

fn read_input() -> Attempt<Vec<u8>> {
    let mut bytes = Vec::with_capacity(ORDINARY_INPUT);
    let mut input = std::io::stdin().lock().take(LARGEST_INPUT + 1);
    let mut read = input.by_ref().take(ORDINARY_INPUT as u64).read_to_end(&mut bytes);
    if read.is_ok() && bytes.len() == ORDINARY_INPUT {
        // Room that is never written to costs nothing, and growing step by step would copy a large event again and
        // again. Where that much cannot be had, it grows all the same.
        let _ = bytes.try_reserve_exact(usize::try_from(LARGEST_INPUT).unwrap_or_default());
        read = input.read_to_end(&mut bytes);
    }
    read.map_err(|error| Failure::Payload(format!("the event cannot be read: {error}")))?;
    if bytes.len() as u64 > LARGEST_INPUT {
        return Err(Failure::Payload("the event is larger than 64 MiB".to_owned()));
    }
    Ok(bytes)
}

fn empty() -> Json<'static> {
    Json::Object(Many::Owned(Vec::new()))
}

/// Clients that read another client's registration may send what it is not for.
fn is_for_another_event(call: &Call<'_>) -> bool {
    matches!(call.payload().json().get("hook_event_name"), Some(Json::Text(name)) if name != call.event().name)
}

fn concerns(call: &Call<'_>, hook: &Hook) -> bool {
    let Some(subject) = call.event().subject else { return true };
    match call.payload().json().get(subject) {
        Some(Json::Text(subject)) => hook.matcher.takes(subject),
        // The client has matched already; what it did not send cannot speak against it.
        _ => true,
    }
}

/// The few fields of an event that state, settings and log depend on.
fn essentials(call: &Call<'_>) -> Json<'static> {
    let payload = call.payload().json();
    let fields = ["session_id", "cwd", "tool_name"];
    let known = fields.into_iter().filter_map(|name| Some((name.into(), payload.get(name)?.clone().into_owned())));
    Json::Object(Many::Owned(known.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_somebody_took_is_nobody_elses() {
        static CATALOG: Catalog = Catalog::empty("none");
        let (event, payload) = (Event::named("PreToolUse").expect("known"), empty());
        let job = Job::new(&CATALOG, &|_| unreachable!("nobody answers"), Vec::new(), event);
        assert!(job.take().is_some());
        assert!(job.take().is_none());
        assert_eq!(job.give_up(&Failure::Payload("late".to_owned())), None);
        let call = Call::new("none", event, &payload);
        assert!(job.begin(&call).is_none() && job.settle(Verdict::default(), &call).is_none());
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
