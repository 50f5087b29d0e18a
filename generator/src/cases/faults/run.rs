//! Running every hook of a catalog under every fault.

use std::fs;
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::Context as _;
use camino::{Utf8Path, Utf8PathBuf};
use hookgen_runtime::{Event, Running};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::damage::{self, Damage, Done, damage};
use super::judge::{Observed, Promise, problems};
use super::somebody::give_away;
use super::{Effect, FAULTS, Fault, Kind, input};
use crate::cases::audit;
use crate::cases::process::{self, End, Feed, Start};
use crate::cases::reply::Reply;
use crate::cases::run::{SESSION, event_fields};
use crate::cases::steps::steps_of;
use crate::cases::world::World;
use crate::catalog::{Decision, Given, Step};
use crate::model;

/// The files in which a session's state is kept.
const STATE_FILES: &[&str] = &["counters.json", "memory.json", "once.json", "breaker.json"];

/// How many of a hook's own cases lend their world to the faults.
const MOST_WORLDS: usize = 4;

/// A world in which a hook takes longer, because what it runs does, is not run a hundred times.
const PATIENCE: Duration = Duration::from_secs(2);

/// The longest deadline that is worth waiting for.
const LONGEST_WAIT: Duration = Duration::from_mins(1);

/// Writes go nowhere, as on a full disk; what is already open, such as the pipes to the client, is not concerned.
const FULL_DISK: &str = "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\"";

/// The hooks of a catalog, ready to be broken.
#[derive(Debug)]
pub struct Matrix {
    catalog: String,
    binary: String,
    config: Option<String>,
    out_of_range: Value,
    hooks: Vec<Subject>,
}

/// A hook as far as breaking it goes.
#[derive(Debug)]
struct Subject {
    id: String,
    event: &'static Event,
    timeout: Duration,
    running: Running,
    promise: Promise,
    worlds: Vec<(Given, Step)>,
}

/// What one hook did under one fault.
#[derive(Debug, Clone, Serialize)]
pub struct Finding {
    pub catalog: String,
    pub hook: String,
    pub fault: &'static str,
    pub runs: usize,
    /// Why the fault could not be brought about on this machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skipped: Option<&'static str>,
    pub problems: Vec<String>,
}

impl Matrix {
    /// The command hooks of a catalog.
    pub fn new(catalog: &model::Catalog) -> Self {
        let commands = catalog.hooks.iter().filter(|hook| hook.kind == model::Kind::Command);
        Self {
            catalog: catalog.name.clone(),
            binary: catalog.binary.clone(),
            config: catalog.config_file.as_ref().map(|file| file.source.clone()),
            out_of_range: out_of_range(catalog),
            hooks: commands.map(|hook| subject(catalog, hook)).collect(),
        }
    }

    /// How many pairs of a hook and a fault there are.
    pub fn len(&self) -> usize {
        self.hooks.len() * FAULTS.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Runs all of them against the plugin in that folder.
    pub fn run(&self, plugin: &Utf8Path, jobs: NonZeroUsize) -> anyhow::Result<Vec<Finding>> {
        let binary = plugin.join("bin").join(&self.binary);
        fs::metadata(&binary).with_context(|| format!("`{binary}` is not there"))?;
        let pairs: Vec<(&Subject, &'static Fault)> =
            self.hooks.iter().flat_map(|hook| FAULTS.iter().map(move |fault| (hook, fault))).collect();
        // Hooks that wait for their deadline need a place, not a processor.
        let (waiting, working): (Vec<_>, Vec<_>) =
            pairs.into_iter().partition(|(_, fault)| matches!(fault.kind, Kind::Unending));
        let mut findings = self.at_once(plugin, &working, jobs);
        findings.extend(self.at_once(plugin, &waiting, jobs.saturating_mul(NonZeroUsize::MIN.saturating_add(7))));
        let place = |finding: &Finding| {
            let hook = self.hooks.iter().position(|hook| hook.id == finding.hook);
            (hook, FAULTS.iter().position(|fault| fault.id == finding.fault))
        };
        findings.sort_by_key(place);
        Ok(findings)
    }

    fn at_once(&self, plugin: &Utf8Path, pairs: &[(&Subject, &'static Fault)], jobs: NonZeroUsize) -> Vec<Finding> {
        let next = AtomicUsize::new(0);
        let findings = Mutex::new(Vec::with_capacity(pairs.len()));
        thread::scope(|scope| {
            for _ in 0..jobs.get().min(pairs.len()) {
                scope.spawn(|| {
                    while let Some((hook, fault)) = pairs.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let finding = self.finding(plugin, hook, fault);
                        findings.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(finding);
                    }
                });
            }
        });
        findings.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn finding(&self, plugin: &Utf8Path, hook: &Subject, fault: &'static Fault) -> Finding {
        let mut trial = Trial { matrix: self, plugin, hook, fault, runs: 0, skipped: None, problems: Vec::new() };
        if let Err(error) = trial.run() {
            trial.problems.push(format!("could not be tried: {error:#}"));
        }
        Finding {
            catalog: self.catalog.clone(),
            hook: hook.id.clone(),
            fault: fault.id,
            runs: trial.runs,
            skipped: trial.skipped,
            problems: trial.problems,
        }
    }
}

fn subject(catalog: &model::Catalog, hook: &model::Hook) -> Subject {
    let own = hook.cases.iter().filter_map(|case| {
        let (_, step) = steps_of(case).into_iter().next()?;
        (step.raw.is_none() && step.hook.is_none() && step.after.is_empty()).then(|| (case.given.clone(), step))
    });
    // Cases that end in a decision first: they reach the most.
    let mut worlds: Vec<(Given, Step)> = own.collect();
    worlds.sort_by_key(|(_, step)| step.expect.decision != Some(Decision::Deny));
    let half = MOST_WORLDS / 2;
    if worlds.len() > MOST_WORLDS {
        let last = worlds.split_off(worlds.len() - half);
        worlds.truncate(half);
        worlds.extend(last);
    }
    if worlds.is_empty() {
        worlds.push((Given::default(), Step { input: Some(plain_event(hook)), ..empty_step() }));
    }
    Subject {
        id: hook.id.clone(),
        event: hook.event,
        timeout: Duration::from_millis(hook.timeout_ms.into()),
        running: hook.running(),
        promise: Promise::of(catalog, hook),
        worlds,
    }
}

fn empty_step() -> Step {
    serde_json::from_value(json!({})).unwrap_or_else(|_| unreachable!("every field of a step is optional"))
}

/// The least that an event of a hook without cases has: its subject.
fn plain_event(hook: &model::Hook) -> crate::catalog::Ordered<Value> {
    let mut fields = crate::catalog::Ordered::new();
    if let (Some(subject), Some(model::Matcher::Names { names, .. })) = (hook.event.subject, &hook.matcher)
        && let Some(name) = names.first()
    {
        fields.insert(subject.to_owned(), Value::from(name.clone()));
    }
    fields
}

/// Every setting of the catalog with a value that it cannot have.
fn out_of_range(catalog: &model::Catalog) -> Value {
    let mut file = Value::Object(Map::new());
    let thresholds = catalog.thresholds.iter().map(|threshold| {
        let value = threshold.range.as_ref().map_or_else(|| json!("many"), |_| json!(-1e300));
        (threshold.config.clone(), value)
    });
    let flags = catalog.flags.iter().map(|flag| (flag.config.clone(), json!("perhaps")));
    let modes = catalog.hooks.iter().map(|hook| (vec!["modes".to_owned(), hook.id.clone()], json!("loud")));
    for (key, value) in thresholds.chain(flags).chain(modes) {
        let Some((last, above)) = key.split_last() else { continue };
        let mut place = &mut file;
        for step in above {
            if !place.is_object() {
                *place = Value::Object(Map::new());
            }
            place = &mut place[step.as_str()];
        }
        if place.is_null() {
            *place = Value::Object(Map::new());
        }
        if let Value::Object(fields) = place {
            fields.insert(last.clone(), value);
        }
    }
    file
}

/// One hook under one fault.
struct Trial<'a> {
    matrix: &'a Matrix,
    plugin: &'a Utf8Path,
    hook: &'a Subject,
    fault: &'static Fault,
    runs: usize,
    skipped: Option<&'static str>,
    problems: Vec<String>,
}

/// How a process is started under a fault.
#[derive(Default)]
struct Around {
    env: Vec<(String, String)>,
    full_disk: bool,
    unending: bool,
    user: Option<u32>,
    /// How long it is waited for, where that is not the hook's own time.
    patience: Option<Duration>,
}

/// What a hook does when nothing is broken.
#[derive(Debug, Default)]
struct Usual {
    /// Empty where the fault changes what the event means.
    decisions: Vec<Decision>,
    /// Whether the same event once more changes what the session remembers, so that a hook that cannot write cannot do
    /// its work.
    changes_state: bool,
}

/// What the session remembers: the text of each file that hooks change on purpose.
fn state_of(world: &World) -> Vec<Option<String>> {
    let session = world.data.join("sessions").join(SESSION);
    ["counters.json", "memory.json", "notes.json"]
        .iter()
        .map(|name| fs::read_to_string(session.join(name)).ok())
        .collect()
}

impl Trial<'_> {
    fn run(&mut self) -> anyhow::Result<()> {
        if self.fault.effect == Effect::Breaks {
            return self.breaks();
        }
        for (given, step) in &self.hook.worlds {
            if self.is_slow(&self.world(given, step)?, step)? {
                continue;
            }
            self.in_world(&self.world(given, step)?, step)?;
        }
        Ok(())
    }

    fn world(&self, given: &Given, step: &Step) -> anyhow::Result<World> {
        let world = World::make(self.plugin, given)?;
        world.write_project_files(&step.files)?;
        world.write_plugin_files(&step.plugin_files)?;
        Ok(world)
    }

    fn is_slow(&self, world: &World, step: &Step) -> anyhow::Result<bool> {
        let event = Value::Object(event_fields(world, self.hook.event, step, 1)).to_string();
        let around = Around { patience: Some(PATIENCE), ..Around::default() };
        Ok(self.observed(world, event.as_bytes(), &around)?.timed_out)
    }

    /// A fault that no hook can work under: tried in a plain world, twice, since the person is told once.
    fn breaks(&mut self) -> anyhow::Result<()> {
        let world = World::make(self.plugin, &Given::default())?;
        let (_, step) = self.hook.worlds.first().context("a hook without a world")?;
        let event = Value::Object(event_fields(&world, self.hook.event, step, 1)).to_string();
        let (bytes, unending) = match self.fault.kind {
            Kind::Input(broken) => (input::broken(broken, &event), false),
            _ if self.hook.timeout > LONGEST_WAIT => {
                self.skipped = Some("its deadline is minutes away");
                return Ok(());
            }
            _ => (event.into_bytes(), true),
        };
        let around = Around { unending, ..Around::default() };
        let first = self.judged(&world, &bytes, &around, &Usual::default())?;
        // A refusal is told every time, and one deadline is enough to wait for.
        if !self.hook.promise.on || self.hook.promise.refuses || unending {
            return Ok(());
        }
        let second = self.judged(&world, &bytes, &around, &Usual::default())?;
        if (first.told(), second.told()) != (self.hook.promise.tells, false) {
            self.problems.push("the person is not told exactly once".to_owned());
        }
        Ok(())
    }

    fn in_world(&mut self, world: &World, step: &Step) -> anyhow::Result<()> {
        let event = event_fields(world, self.hook.event, step, 1);
        let bytes = Value::Object(event.clone()).to_string().into_bytes();
        let plain = Around::default();
        match self.fault.kind {
            Kind::Config(kind) => {
                let Some(config) = self.config_file(world) else { return Ok(()) };
                damage(&config, Damage::Missing, None)?;
                let Some(usual) = self.usual(world, &bytes, &plain)? else { return Ok(()) };
                if damage(&config, kind, None)? == Done::NotHere {
                    self.skipped = Some("the file cannot be made so on this machine");
                    return Ok(());
                }
                self.judged(world, &bytes, &plain, &usual)?;
            }
            Kind::ConfigOutOfRange => {
                let Some(config) = self.config_file(world) else { return Ok(()) };
                damage(&config, Damage::Missing, None)?;
                let Some(usual) = self.usual(world, &bytes, &plain)? else { return Ok(()) };
                fs::create_dir_all(config.parent().unwrap_or(&config)).context("cannot create a folder")?;
                fs::write(&config, self.matrix.out_of_range.to_string()).context("cannot write the config file")?;
                self.judged(world, &bytes, &plain, &usual)?;
            }
            Kind::Fields => {
                for (what, event) in input::mistyped(&event) {
                    let before = self.problems.len();
                    self.judged(world, event.to_string().as_bytes(), &plain, &Usual::default())?;
                    self.problems.iter_mut().skip(before).for_each(|problem| *problem = format!("{what}: {problem}"));
                }
            }
            Kind::Large => {
                let Some(usual) = self.usual(world, &bytes, &plain)? else { return Ok(()) };
                self.judged(world, &input::large(&Value::Object(event).to_string()), &plain, &usual)?;
            }
            _ => self.in_state(world, &bytes)?,
        }
        Ok(())
    }

    /// Faults of the state folder and the process's surroundings, after two runs without them.
    fn in_state(&mut self, world: &World, bytes: &[u8]) -> anyhow::Result<()> {
        let mut around = Around::default();
        if matches!(self.fault.kind, Kind::State(Damage::Unreadable) | Kind::ReadOnlyStore) {
            around.user = give_away(&world.root, &world.plugin)?;
        }
        let Some(usual) = self.usual(world, bytes, &around)? else { return Ok(()) };
        let session = world.data.join("sessions").join(SESSION);
        let mut done = Done::Yes;
        match self.fault.kind {
            Kind::State(kind) => {
                for name in STATE_FILES {
                    done = damage(&session.join(name), kind, around.user)?;
                }
            }
            Kind::NoLog => {
                damage(&world.data.join("audit.jsonl"), Damage::Folder, None)?;
                damage(&session.join("hooks.log"), Damage::Folder, None)?;
            }
            Kind::NoStore => {
                damage(&world.data, Damage::Corrupt, None)?;
            }
            Kind::ReadOnlyStore => {
                fs::create_dir_all(&session).context("cannot create a folder")?;
                for folder in [&session, &world.data.join("sessions"), &world.data] {
                    done = damage::forbid(folder, around.user)?;
                }
            }
            Kind::FullDisk => {
                around.full_disk = cfg!(unix);
                done = if cfg!(unix) { Done::Yes } else { Done::NotHere };
            }
            _ => around.env.push(("PATH".to_owned(), world.project.join("nowhere").to_string())),
        }
        if done == Done::NotHere {
            self.skipped = Some("this user may read and write everything");
            return Ok(());
        }
        self.judged(world, bytes, &around, &usual).map(drop)
    }

    /// What the hook does in this world when nothing is broken, the first time and the second. `None` when something
    /// is broken in the world of the case itself: nothing can be told from that.
    fn usual(&mut self, world: &World, bytes: &[u8], around: &Around) -> anyhow::Result<Option<Usual>> {
        let first = self.observed(world, bytes, around)?;
        let before = state_of(world);
        let second = self.observed(world, bytes, around)?;
        let whole = !first.failed() && !second.failed();
        let decisions = vec![first.reply.decision, second.reply.decision];
        Ok(whole.then(|| Usual { decisions, changes_state: state_of(world) != before }))
    }

    fn judged(&mut self, world: &World, bytes: &[u8], around: &Around, usual: &Usual) -> anyhow::Result<Observed> {
        let seen = self.observed(world, bytes, around)?;
        let unwritable = self.fault.kind.keeps_from_writing() && usual.changes_state;
        let effect = if unwritable { Effect::Breaks } else { self.fault.effect };
        let found = problems(effect, &self.hook.promise, &seen, &usual.decisions);
        self.problems.extend(found.iter().map(|problem| world.hide(problem)));
        self.runs += 1;
        Ok(seen)
    }

    fn observed(&self, world: &World, bytes: &[u8], around: &Around) -> anyhow::Result<Observed> {
        let program = world.plugin.join("bin").join(&self.matrix.binary);
        let mut env = world.env(self.hook.event);
        env.extend(around.env.iter().cloned());
        let timeout = around.patience.unwrap_or(self.hook.timeout).min(self.hook.timeout);
        let shell = Utf8PathBuf::from("/bin/sh");
        let direct = [self.hook.id.as_str()];
        let wrapped = ["-c", FULL_DISK, program.as_str(), self.hook.id.as_str()];
        let (program, args): (&Utf8Path, &[&str]) =
            if around.full_disk { (&shell, &wrapped) } else { (&program, &direct) };
        let start = Start { program, args, folder: &world.project, env: &env, timeout, user: around.user };
        let logged = audit::decisions(&world.data).len();
        let feed = if around.unending { Feed::Unending(bytes) } else { Feed::Whole(bytes) };
        let answer = process::run(&start, feed)?;
        let reply = Reply::read(self.hook.event, self.hook.running, &answer);
        let lines = audit::decisions(&world.data).into_iter().skip(logged);
        let timed_out = answer.end == End::TimedOut;
        Ok(Observed { reply, timed_out, logged: lines.filter(|line| line.hook == self.hook.id).collect() })
    }

    /// Where the config file of this world is, if that can be told without running anything.
    fn config_file(&mut self, world: &World) -> Option<Utf8PathBuf> {
        let path = self.matrix.config.as_ref().map(|source| {
            source.replace("${plugin_root}", world.plugin.as_str()).replace("${project_dir}", world.project.as_str())
        });
        let path = path.filter(|path| !path.contains("${"));
        if path.is_none() {
            self.skipped = Some("the catalog has no config file, or it is elsewhere in every call");
        }
        Some(world.project.join(path?))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::emit::fixture;

    fn findings(script: &str, faults: &[&str]) -> Vec<Finding> {
        let folder = tempfile::tempdir().expect("a folder");
        let plugin = Utf8PathBuf::try_from(folder.path().to_path_buf()).expect("UTF-8");
        fs::create_dir(plugin.join("bin")).expect("created");
        // The shell as the binary: it runs the project's file that is named like the hook.
        std::os::unix::fs::symlink("/bin/sh", plugin.join("bin/demo-hooks")).expect("linked");
        let mut matrix = Matrix::new(&fixture::full());
        matrix.hooks.truncate(1);
        matrix.hooks[0].promise.on = true;
        let given = json!({ "files": { "H01": script } });
        matrix.hooks[0].worlds = vec![(serde_json::from_value(given).expect("a world"), empty_step())];
        let faults = FAULTS.iter().filter(|fault| faults.contains(&fault.id));
        faults.map(|fault| matrix.finding(&plugin, &matrix.hooks[0], fault)).collect()
    }

    #[test]
    fn a_binary_that_is_not_there_to_answer_is_found_out() {
        for finding in findings("exit 0", &["empty-input", "truncated-input", "not-utf-8"]) {
            // The plain world has no script, so the shell ends with an error of its own.
            assert!(!finding.problems.is_empty() && finding.runs > 0, "{finding:?}");
        }
    }

    #[test]
    fn an_answer_that_depends_on_what_should_not_matter_is_found_out() {
        let curious = "test -d \"$CLAUDE_PLUGIN_DATA/audit.jsonl\" && echo no >&2 && exit 2; exit 0";
        assert!(!findings(curious, &["no-log"])[0].problems.is_empty());
        assert_eq!(findings("exit 0", &["no-log"])[0].problems, Vec::<String>::new());
        let crashing = "test -d \"$CLAUDE_PLUGIN_DATA/sessions\" && exit 1; exit 0";
        assert!(!findings(crashing, &["state-loop"])[0].problems.is_empty());
        assert_eq!(findings("exit 0", &["state-loop"])[0].problems, Vec::<String>::new());
    }

    #[test]
    fn a_hook_that_remembers_nothing_and_says_nothing_of_it_is_found_out() {
        let folder = format!("$CLAUDE_PLUGIN_DATA/sessions/{SESSION}");
        let counting = format!("mkdir -p {folder}; echo x >> {folder}/counters.json; exit 0");
        for fault in ["full-disk", "no-state-folder", "read-only-state", "state-directory"] {
            assert!(!findings(&counting, &[fault])[0].problems.is_empty(), "{fault}");
            assert_eq!(findings("exit 0", &[fault])[0].problems, Vec::<String>::new(), "{fault}");
        }
    }

    #[test]
    fn settings_out_of_range_are_out_of_range() {
        let file = out_of_range(&fixture::full());
        assert_eq!(file["feature_flags"]["hooks_guard"]["limit"], json!(-1e300));
        assert_eq!(file["feature_flags"]["hooks_guard"]["enabled"], json!("perhaps"));
        assert_eq!(file["quality"]["share"], json!("many"));
        assert_eq!(file["modes"]["H01"], json!("loud"));
    }
}
