//! Running the cases of a catalog, several at a time, with results in the order of the catalog.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use hookgen_runtime::{CLAUDE, Client, Context, Event, Json, Many, Notice, Refusal, Running};
use serde_json::{Map, Value};

use super::audit;
use super::compare::compare;
use super::encoding;
use super::native;
use super::player::Player;
use super::process::{Answer, Start};
use super::reply::Reply;
use super::report::{Outcome, Reaction, StepFailure};
use super::steps::steps_of;
use super::witnessed::Witnessed;
use super::world::World;
use crate::catalog::{Case, Decision, Expect, Ordered, Step, map_text};
use crate::model;
use crate::parallel;
use crate::proof::Seen;
use crate::resolve::past::seconds;

/// Every case has the same session, so that state which leaks between cases would show.
pub(super) const SESSION: &str = "6f0c2f4e-3f0d-4a53-9a55-1d6a3b1c7e90";

/// Hooks with the checks that decided.
type Decisions = BTreeSet<(String, String)>;

/// The cases of a catalog with what they need to know about it, free to move between threads.
#[derive(Debug)]
pub struct Suite {
    client: &'static Client,
    /// What becomes of a question where it cannot be asked.
    unasked: Decision,
    catalog: String,
    binary: String,
    hooks: BTreeMap<String, Target>,
    cases: Vec<Planned>,
}

/// A hook as far as running it goes.
#[derive(Debug)]
struct Target {
    event: &'static Event,
    timeout: Duration,
    running: Running,
}

#[derive(Debug)]
struct Planned {
    hook: String,
    hook_name: String,
    case: Case,
}

impl Suite {
    /// The cases whose hook or name holds the filter, without regard to case. Hooks without a binary have none.
    pub fn new(catalog: &model::Catalog, filter: &str) -> Self {
        Self::of(CLAUDE, catalog, filter)
    }

    /// The same as another agent sends and hears them. Hooks on events that it does not have are left out.
    pub fn of(client: &'static Client, catalog: &model::Catalog, filter: &str) -> Self {
        let filter = filter.to_lowercase();
        let has = |hook: &&model::Hook| hook.kind == model::Kind::Command && client.event(hook.event.name).is_some();
        let commands = || catalog.hooks.iter().filter(has);
        let hooks = commands().map(|hook| {
            let timeout = Duration::from_millis(hook.timeout_ms.into());
            (hook.id.clone(), Target { event: hook.event, timeout, running: hook.running() })
        });
        let cases = commands().flat_map(|hook| hook.cases.iter().map(move |case| (hook, case)));
        let cases = cases
            .filter(|(hook, case)| {
                format!("{} {} {}: {}", catalog.name, hook.id, hook.name, case.name).to_lowercase().contains(&filter)
            })
            .map(|(hook, case)| Planned { hook: hook.id.clone(), hook_name: hook.name.clone(), case: case.clone() });
        Self {
            client,
            unasked: if catalog.lets_unasked_pass() { Decision::Pass } else { Decision::Deny },
            catalog: catalog.name.clone(),
            binary: catalog.binary.clone(),
            hooks: hooks.collect(),
            cases: cases.collect(),
        }
    }

    /// How many cases there are.
    pub fn len(&self) -> usize {
        self.cases.len()
    }

    pub fn is_empty(&self) -> bool {
        self.cases.is_empty()
    }

    /// Has every case played.
    pub fn run(&self, player: &Player, jobs: NonZeroUsize) -> anyhow::Result<Vec<Outcome>> {
        player.is_ready(&self.binary)?;
        Ok(parallel::map(&self.cases, jobs, |planned| self.run_case(player, planned)))
    }

    /// Has one case played, by its place among them.
    pub fn run_one(&self, player: &Player, place: usize) -> Option<Outcome> {
        Some(self.run_case(player, self.cases.get(place)?))
    }

    /// Has a case played that is none of these, as one of that hook.
    pub fn run_as(&self, player: &Player, hook: &str, case: &Case) -> Outcome {
        self.run_case(player, &Planned { hook: hook.to_owned(), hook_name: String::new(), case: case.clone() })
    }

    /// The case at a place, and the hook whose it is.
    pub fn case(&self, place: usize) -> Option<(&str, &Case)> {
        self.cases.get(place).map(|planned| (planned.hook.as_str(), &planned.case))
    }

    fn run_case(&self, player: &Player, planned: &Planned) -> Outcome {
        let began = Instant::now();
        let mut noted = Noted::default();
        let (failures, decided) = self
            .steps(player, planned, &mut noted)
            .unwrap_or_else(|error| (vec![StepFailure::broken(&error)], BTreeSet::new()));
        let Noted { witnessed, reactions, seen } = noted;
        Outcome {
            catalog: self.catalog.clone(),
            hook: planned.hook.clone(),
            hook_name: planned.hook_name.clone(),
            case: planned.case.name.clone(),
            failures,
            todo: None,
            decided,
            witnessed,
            reactions,
            seen,
            took: began.elapsed(),
        }
        .known_to_fail(planned.case.todo.as_ref())
    }

    /// The first step that falls short ends the case: what comes after it would be about another world.
    fn steps(
        &self,
        player: &Player,
        planned: &Planned,
        noted: &mut Noted,
    ) -> anyhow::Result<(Vec<StepFailure>, Decisions)> {
        let world = World::make(player.plugin(), &planned.case.given)?;
        let mut failures = Vec::new();
        for (number, step) in steps_of(&planned.case) {
            if !self.can_send(&world, &planned.hook, &step) {
                break;
            }
            let (runs, failure) = self.step(player, &world, &planned.hook, &step)?;
            noted.step(&world, number, &runs);
            if let Some(failure) = failure {
                failures.push(StepFailure { step: Some(number), ..failure });
                break;
            }
        }
        // Of several calls at once, the one that comes first is another each time.
        if steps_of(&planned.case).iter().all(|(_, step)| step.parallel.is_none()) {
            noted.witnessed.world(&world);
        }
        let decided = audit::decisions(&world.data);
        Ok((failures, decided.into_iter().filter_map(|line| Some((line.hook, line.check?))).collect()))
    }

    fn step(
        &self,
        player: &Player,
        world: &World,
        hook: &str,
        step: &Step,
    ) -> anyhow::Result<(Vec<Run>, Option<StepFailure>)> {
        world.delete(&step.delete)?;
        if step.corrupt_state {
            world.corrupt_state()?;
        }
        if let Some(seconds) = step.later.as_deref().and_then(seconds) {
            world.age_history(seconds)?;
        }
        world.write_project_files(&step.files)?;
        world.write_plugin_files(&step.plugin_files)?;
        let hook = step.hook.as_deref().unwrap_or(hook);
        let target = self.target(hook)?;
        let logged = audit::decisions(&world.data).len();
        let runs = self.runs(player, world, hook, step)?;
        let replies: Vec<_> = runs.iter().map(|run| &run.reply).collect();
        let problems = compare(world, &self.expected(target, &step.expect), &replies);
        let broken = runs.iter().find(|run| !run.reply.faults.is_empty());
        let Some(shown) = broken.or(runs.last()).filter(|run| !problems.is_empty() || !run.reply.faults.is_empty())
        else {
            return Ok((runs, None));
        };
        let decided = audit::decisions(&world.data).into_iter().skip(logged).last();
        let failure = StepFailure::new(hook, shown, runs.len(), problems, decided).map(|text| world.hide(text));
        Ok((runs, Some(failure)))
    }

    fn target(&self, hook: &str) -> anyhow::Result<&Target> {
        self.hooks.get(hook).with_context(|| format!("no command hook has the id `{hook}`"))
    }

    fn runs(&self, player: &Player, world: &World, hook: &str, step: &Step) -> anyhow::Result<Vec<Run>> {
        let target = self.target(hook)?;
        let program = world.plugin.join("bin").join(&self.binary);
        let env = world.env(target.event);
        let mut timeout = target.timeout;
        let mut args = Vec::new();
        for earlier in &step.after {
            timeout += self.target(earlier)?.timeout;
            args.push(earlier.as_str());
        }
        args.push(hook);
        let home = world.home_argument();
        args.push(&home);
        let agent = format!("--agent={}", self.client.name);
        let unasked = "--unasked=pass";
        if self.client.name != CLAUDE.name {
            args.push(&agent);
            if self.unasked == Decision::Pass {
                args.push(unasked);
            }
        }
        let start = Start { program: &program, args: &args, folder: &world.project, env: &env, timeout, user: None };
        let one = |number: u32| -> anyhow::Result<Run> {
            let input = self.input(world, target.event, step, number).unwrap_or_default();
            self.check_encoding(world, target.event, step, number)?;
            let (answer, seen) = player.call(&start, input.as_bytes())?;
            let reply = if self.client.name == CLAUDE.name {
                Reply::read(target.event, target.running, &answer)
            } else {
                native::read(self.client, target.event.name, &answer)
            };
            Ok(Run { number, input, answer, reply, seen })
        };
        let (rounds, width) = (step.repeat.unwrap_or(1), step.parallel.unwrap_or(1));
        let mut runs = Vec::new();
        for round in 0..rounds {
            let first = round * width + 1;
            runs.extend(at_once(first..first + width, &one)?);
        }
        Ok(runs)
    }
}

impl Suite {
    /// Whether the agent could send the event of a step at all.
    fn can_send(&self, world: &World, hook: &str, step: &Step) -> bool {
        let hook = step.hook.as_deref().unwrap_or(hook);
        if self.client.name == CLAUDE.name {
            return true;
        }
        let target = self.hooks.get(hook).filter(|_| step.raw.is_none());
        target.is_some_and(|target| self.input(world, target.event, step, 1).is_some())
    }

    /// What the hook reads on standard input, in the agent's words.
    fn input(&self, world: &World, event: &Event, step: &Step, number: u32) -> Option<String> {
        if self.client.name == CLAUDE.name {
            return Some(input(world, event, step, number));
        }
        let canonical = Value::Object(event_fields(world, event, step, number)).to_string();
        let Ok(Json::Object(fields)) = Json::parse(&canonical) else { return None };
        let native = (self.client.encode)(fields.into_vec(), event)?;
        Some(Json::Object(Many::Owned(native)).to_string())
    }

    /// What an agent is made to send must be read as the event that it stands for, or the case is about something else.
    fn check_encoding(&self, world: &World, event: &Event, step: &Step, number: u32) -> anyhow::Result<()> {
        if self.client.name == CLAUDE.name || step.raw.is_some() {
            return Ok(());
        }
        match encoding::difference(self.client, event, &event_fields(world, event, step, number)) {
            Some(difference) => anyhow::bail!("{} would be read as another event: {difference}", self.client.title),
            None => Ok(()),
        }
    }

    /// What must come of a step where the agent cannot do all of it: what is lost is not asked for, and what takes its
    /// place is.
    fn expected(&self, target: &Target, expect: &Expect) -> Expect {
        let mut expect = expect.clone();
        let Some(event) = self.client.event(target.event.name).filter(|_| self.client.name != CLAUDE.name) else {
            return expect;
        };
        let of = |decision: Decision| match decision {
            Decision::Ask if !event.asks && event.refusal != Refusal::Never => self.unasked,
            Decision::Allow if !event.approves => Decision::Pass,
            Decision::Deny if event.refusal == Refusal::Never => Decision::Pass,
            other => other,
        };
        let lost = |decision: Decision| of(decision) != decision && of(decision) == Decision::Pass;
        let unheard = event.context == Context::Never || event.notice == Notice::Never;
        if expect.decision.is_some_and(lost) || unheard && expect.decision != Some(Decision::Deny) {
            (expect.says, expect.model, expect.person) = (Vec::new(), Vec::new(), Vec::new());
        }
        // Who hears a reason differs from agent to agent; that it is said does not.
        (expect.model, expect.person) = (Vec::new(), Vec::new());
        expect.decision = expect.decision.map(of);
        let mut tally: Ordered<u32> = Ordered::new();
        for (word, count) in &expect.tally {
            let decision = serde_json::from_value(Value::from(word.as_str())).map_or(Decision::Pass, of);
            *tally.entry(super::compare::word(decision).to_owned()).or_default() += count;
        }
        expect.tally = tally;
        // The names of fields are the agent's own, and the reader of replies does not turn them back.
        expect.updated = Ordered::new();
        if !event.exports {
            expect.exports = Ordered::new();
        }
        expect
    }
}

/// What is noted of a case beside whether it passes.
#[derive(Debug, Default)]
struct Noted {
    witnessed: Witnessed,
    reactions: Vec<Reaction>,
    seen: Seen,
}

impl Noted {
    fn step(&mut self, world: &World, number: usize, runs: &[Run]) {
        self.witnessed.step(world, number, runs);
        for run in runs {
            self.seen.add(&run.seen);
        }
        self.reactions.extend(runs.iter().map(|run| Reaction {
            step: number,
            decision: super::compare::word(run.reply.decision).to_owned(),
            said: run.reply.said.iter().map(|said| world.hide(&said.text)).collect(),
            updated: run.reply.updated.clone().map(Value::Object),
        }));
    }
}

/// One run of a step.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) number: u32,
    pub(super) input: String,
    pub(super) answer: Answer,
    pub(super) reply: Reply,
    pub(super) seen: Seen,
}

fn at_once(
    numbers: std::ops::Range<u32>,
    one: &(impl Fn(u32) -> anyhow::Result<Run> + Sync),
) -> anyhow::Result<Vec<Run>> {
    if numbers.len() == 1 {
        return numbers.map(one).collect();
    }
    thread::scope(|scope| {
        let threads: Vec<_> = numbers.map(|number| scope.spawn(move || one(number))).collect();
        let ended = |_| anyhow::anyhow!("a thread of the case runner panicked");
        threads.into_iter().map(|thread| thread.join().map_err(ended)?).collect()
    })
}

/// What the hook reads on standard input.
fn input(world: &World, event: &Event, step: &Step, number: u32) -> String {
    if let Some(raw) = &step.raw {
        return world.names.fill(raw);
    }
    Value::Object(event_fields(world, event, step, number)).to_string()
}

/// The event of a step: complete, with what the step says laid over it.
pub(super) fn event_fields(world: &World, event: &Event, step: &Step, number: u32) -> Map<String, Value> {
    let mut fields = Map::new();
    for (name, value) in [
        ("session_id", SESSION),
        ("transcript_path", world.transcript.as_str()),
        ("cwd", world.project.as_str()),
        ("hook_event_name", event.name),
        ("permission_mode", "default"),
    ] {
        fields.insert(name.to_owned(), value.into());
    }
    let number = number.to_string();
    for (name, value) in step.input.iter().flatten() {
        match value {
            Value::Null => drop(fields.shift_remove(name)),
            value => {
                let numbered = map_text(value, &|text| text.replace("{n}", &number));
                fields.insert(name.clone(), world.names.fill_value(&numbered));
            }
        }
    }
    fields
}

#[cfg(all(test, unix))]
#[path = "run_tests.rs"]
mod tests;
