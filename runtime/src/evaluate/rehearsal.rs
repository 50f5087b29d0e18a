//! One process of the client, gone through for somebody who wants to see what it would do.

use std::cell::RefCell;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::{Evaluator, Observer};
use crate::act::Act;
use crate::books::Entry;
use crate::call::Call;
use crate::client::CLAUDE;
use crate::config::Config;
use crate::event::Event;
use crate::failure::{Attempt, Failure};
use crate::home;
use crate::job::{Asked, Job, concerns};
use crate::json::{Json, Many};
use crate::payload;
use crate::program::{Mode, Program, Start};
use crate::registration::{Caller, Registered};
use crate::reply::Reply;
use crate::representation::Archive;
use crate::state::Store;
use crate::surroundings::Surroundings;
use crate::verdict::Verdict;

/// Hooks that share a process, and the world that they would find.
pub struct Rehearsal {
    /// The catalog.
    pub archive: &'static Archive,
    /// The event that the process is registered for.
    pub event: &'static Event,
    /// The places of its hooks in the catalog.
    pub hooks: Vec<usize>,
    /// The plugin's folder.
    pub plugin: PathBuf,
    /// The folder of the state; where hooks keep theirs if there is none.
    pub state: Option<PathBuf>,
    /// Whether hooks do what they say, to documents, state, variables and by programs.
    pub perform: bool,
}

/// What came of it.
pub struct Rehearsed {
    /// What became of each hook.
    pub hooks: Vec<Account>,
    /// What the client would hear.
    pub reply: Reply,
}

/// What became of a hook.
#[derive(Debug)]
pub struct Account {
    /// Its place in the catalog.
    pub hook: usize,
    /// Whether its matcher takes the event.
    pub concerned: bool,
    /// The mode that it is in, by the catalog or by the settings.
    pub mode: Mode,
    /// Whether the flag that it depends on is on.
    pub flag: bool,
    /// How its checks came to an end; `None` where they were not asked.
    pub ran: Option<Attempt<()>>,
    /// What it would do, in order.
    pub acts: Vec<String>,
    /// What the log would say of it.
    pub said: Vec<Said>,
    /// How long its checks took.
    pub took: Duration,
}

/// A line of the log.
#[derive(Debug)]
pub struct Said {
    /// The decision, in the words of the log.
    pub decision: &'static str,
    /// The check that it comes from.
    pub check: Option<String>,
    /// Why.
    pub reason: String,
}

impl Rehearsal {
    /// Goes through it with these bytes as the event.
    pub fn go(&self, mut input: Vec<u8>, observer: &dyn Observer) -> Rehearsed {
        let catalog = self.archive.catalog();
        home::settle(catalog);
        if catalog.bang_escapes {
            payload::undo_bang_escapes(&mut input);
        }
        let (fields, broken) = match payload::parse(CLAUDE, &mut input, self.event) {
            Ok(reading) => (reading.calls.into_iter().next().unwrap_or_default(), None),
            Err(failure) => (Vec::new(), Some(failure)),
        };
        let payload = Json::Object(Many::Owned(fields));
        let store = self.state.clone().map_or_else(|| Store::open(&catalog.name), Store::at);
        let call = Call::within(CLAUDE, store, self.event, &payload).rehearsed(!self.perform, self.plugin.clone());
        self.on(&call, broken.as_ref(), observer)
    }

    /// The same in other surroundings than those of this process.
    pub fn go_in(&self, around: Surroundings, input: Vec<u8>, observer: &dyn Observer) -> Option<Rehearsed> {
        let mut rehearsed = None;
        around.around(|| {
            rehearsed = Some(self.go(input, observer));
            0
        });
        rehearsed
    }

    fn on(&self, call: &Call<'_>, broken: Option<&Failure>, observer: &dyn Observer) -> Rehearsed {
        let catalog = self.archive.catalog();
        let asked = self.hooks.iter().filter_map(|place| Some((*place, catalog.hooks.get(*place)?)));
        let asked: Vec<Asked> = asked.collect();
        let witness =
            Witness { evaluator: Evaluator::new(call, self.archive).observed(observer), seen: RefCell::default() };
        let registered = Registered { hooks: asked.clone(), caller: Caller::claude() };
        let job = Job::new(catalog, start(self.archive), registered, self.event);
        let (reply, entries) = job.rehearse(call, &witness, broken, self.perform).unwrap_or_default();
        let accounts = asked.into_iter().map(|(place, hook)| {
            let seen = witness.take(place);
            Account {
                hook: place,
                concerned: concerns(call, hook),
                mode: witness.config().mode(&hook.id, hook.mode),
                flag: hook.flag.is_none_or(|flag| witness.config().flag(flag)),
                took: seen.as_ref().map(|seen| seen.took).unwrap_or_default(),
                acts: seen.as_ref().map(|seen| seen.acts.iter().map(Act::described).collect()).unwrap_or_default(),
                ran: seen.map(|seen| seen.ran),
                said: entries.iter().filter_map(|entry| said(entry, &hook.id)).collect(),
            }
        });
        Rehearsed { hooks: accounts.collect(), reply }
    }
}

/// How the process would start its catalog for a call.
fn start(archive: &'static Archive) -> Start {
    fn any<S: for<'c> Fn(&'c Call<'c>) -> Box<dyn Program + 'c>>(start: S) -> S {
        start
    }
    Box::leak(Box::new(any(move |call| Box::new(Evaluator::new(call, archive)))))
}

fn said(entry: &Entry, hook: &str) -> Option<Said> {
    match entry {
        Entry::Line(line) if line.hook.id == hook => Some(Said {
            decision: line.decision,
            check: line.check.as_ref().map(ToString::to_string),
            reason: line.reason.clone(),
        }),
        _ => None,
    }
}

/// The catalog at work, with somebody who takes notes.
struct Witness<'c> {
    evaluator: Evaluator<'c>,
    seen: RefCell<Vec<Seen>>,
}

struct Seen {
    hook: usize,
    ran: Attempt<()>,
    acts: Vec<Act>,
    took: Duration,
}

impl Witness<'_> {
    fn take(&self, hook: usize) -> Option<Seen> {
        let mut seen = self.seen.borrow_mut();
        let place = seen.iter().position(|seen| seen.hook == hook)?;
        Some(seen.remove(place))
    }
}

impl Program for Witness<'_> {
    fn config(&self) -> &Config {
        self.evaluator.config()
    }

    fn dev_mode(&self) -> Attempt<bool> {
        self.evaluator.dev_mode()
    }

    fn run(&self, hook: usize, verdict: &mut Verdict) -> Attempt<()> {
        let began = Instant::now();
        let ran = self.evaluator.run(hook, verdict);
        let seen = Seen { hook, ran: ran.clone(), acts: verdict.acts.clone(), took: began.elapsed() };
        self.seen.borrow_mut().push(seen);
        ran
    }
}
