//! One hook under one fault: the world is broken, and what the hook does is held against what it promised.

use std::fs;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use camino::{Utf8Path, Utf8PathBuf};
use hookgen_runtime::client::claude::places::PROJECT;
use hookgen_runtime::{ENVELOPE, Refusal};
use serde_json::{Map, Value};

use super::damage::{self, Damage, Done, damage};
use super::judge::{Observed, problems};
use super::matrix::Matrix;
use super::report::{Evidence, Failure};
use super::somebody::give_away;
use super::subject::{Scene, Subject};
use super::{Effect, Fault, Kind, Preparation, input};
use crate::cases::audit;
use crate::cases::process::{self, Feed, Start};
use crate::cases::run::{SESSION, event_fields};
use crate::cases::world::World;
use crate::catalog::{Decision, Given};

/// What hooks keep in a session on purpose.
const KEPT_FILES: &[&str] = &["counters.json", "memory.json", "notes.json", "history.json"];

/// What the runtime keeps there for itself.
const OWN_FILES: &[&str] = &["once.json", "breaker.json", "untold.json"];

/// A world in which a hook takes longer, because what it runs does, is not run a hundred times.
const PATIENCE: Duration = Duration::from_secs(2);

/// The same for a fault that is tried in many shapes, where a hook has quicker worlds.
const QUICK: Duration = Duration::from_millis(300);

/// The longest deadline that is worth waiting for.
const LONGEST_WAIT: Duration = Duration::from_mins(1);

/// One hook under one fault.
pub(super) struct Trial<'a> {
    pub(super) matrix: &'a Matrix,
    pub(super) plugin: &'a Utf8Path,
    pub(super) hook: &'a Subject,
    pub(super) fault: &'static Fault,
    pub(super) runs: usize,
    pub(super) skipped: Option<&'static str>,
    pub(super) failures: Vec<Failure>,
}

/// How a process is started under a fault.
#[derive(Default)]
struct Around {
    env: Vec<(String, String)>,
    /// What a shell does to itself before it becomes the hook.
    shell: Option<&'static str>,
    /// Locks of the session's state, held as long as this lives.
    held: Vec<fs::File>,
    unending: bool,
    user: Option<u32>,
    /// How long it is waited for, where that is not the hook's own time.
    patience: Option<Duration>,
}

/// What a hook does when nothing is broken.
#[derive(Debug, Default)]
pub(super) struct Usual {
    decisions: Vec<Decision>,
    took: Duration,
    /// Whether the same event once more changes what the session remembers, so that a hook that cannot write cannot do
    /// its work.
    changes_state: bool,
}

/// What the session remembers: the text of each file that hooks change on purpose.
fn state_of(world: &World) -> Vec<Option<String>> {
    KEPT_FILES.iter().map(|name| fs::read_to_string(session_of(world).join(name)).ok()).collect()
}

fn session_of(world: &World) -> Utf8PathBuf {
    world.data.join("sessions").join(SESSION)
}

impl Trial<'_> {
    pub(super) fn run(&mut self) -> anyhow::Result<()> {
        if self.fault.effect == Effect::Breaks {
            return self.breaks();
        }
        if self.fault.kind.waits() && self.hook.timeout > LONGEST_WAIT {
            self.skipped = Some("its deadline is minutes away");
            return Ok(());
        }
        for (nth, scene) in self.hook.scenes.iter().enumerate() {
            let before = self.failures.len();
            let tried = self.in_scene(nth, scene)?;
            self.failures.iter_mut().skip(before).for_each(|failure| failure.case.clone_from(&scene.case));
            // One deadline is enough to wait for.
            if tried && self.fault.kind.waits() {
                break;
            }
        }
        Ok(())
    }

    /// A fault that no hook can work under: tried in a plain world, twice, since the person is told once.
    fn breaks(&mut self) -> anyhow::Result<()> {
        let world = World::make(self.plugin, &Given::default())?;
        let scene = self.hook.scenes.first().context("a hook without a world")?;
        let event = Value::Object(self.event(&world, scene)).to_string();
        let (bytes, unending) = match self.fault.kind {
            Kind::Input(broken) => (input::broken(broken, &event), false),
            Kind::UnknownHook if !self.hook.promise.on => {
                self.skipped = Some("it is switched off, which a binary without it cannot know");
                return Ok(());
            }
            Kind::UnknownHook => (event.into_bytes(), false),
            _ if self.hook.timeout > LONGEST_WAIT => {
                self.skipped = Some("its deadline is minutes away");
                return Ok(());
            }
            _ => (event.into_bytes(), true),
        };
        let around = Around { unending, ..Around::default() };
        let first = self.judged(&world, &bytes, &around, Effect::Breaks, &[])?;
        // A refusal and a broken installation are told every time, and one deadline is enough to wait for.
        if !self.hook.promise.on || self.hook.promise.refuses || unending || self.fault.kind == Kind::UnknownHook {
            return Ok(());
        }
        let second = self.judged(&world, &bytes, &around, Effect::Breaks, &[])?;
        if (first.told(), second.told()) != (self.hook.promise.tells, false) {
            let problem = format!(
                "told the person {} the first time and {} the second, though once is enough",
                said(first.told()),
                said(second.told())
            );
            self.blame(&world, &bytes, &second, &[problem]);
        }
        Ok(())
    }

    /// The hook in a world with the fault, held against what it does in a twin of that world without it. In both it has
    /// seen the event once before, so that what it remembers, and what is left of a budget, is the same.
    /// Tells whether it was tried at all.
    fn in_scene(&mut self, nth: usize, scene: &Scene) -> anyhow::Result<bool> {
        let Some(usual) = self.usual(nth, scene)? else { return Ok(false) };
        if self.fault.kind == Kind::Fields && !self.is_quick_enough(nth, &usual)? {
            return Ok(false);
        }
        let world = self.world(scene)?;
        let Some(mut around) = self.prepared(&world)? else { return Ok(false) };
        let event = self.event(&world, scene);
        if self.fault.kind == Kind::Fields {
            return self.mistyped(&world, &event, &around, &usual).map(|()| true);
        }
        let mut bytes = Value::Object(event).to_string().into_bytes();
        self.observed(&world, &bytes, &around)?;
        if self.broken(&world, &mut bytes, &mut around)? == Done::NotHere {
            self.skipped = Some("this cannot be brought about on this machine, or not for this user");
            return Ok(false);
        }
        let effect = match self.fault.effect_on(self.hook.starts_programs) {
            Effect::BreaksUsers if self.fault.kind.keeps_from_writing() && usual.changes_state => Effect::Breaks,
            Effect::BreaksUsers if self.finds_otherwise() => Effect::FoundOtherwise,
            effect => effect,
        };
        self.judged(&world, &bytes, &around, effect, &usual.decisions).map(|_| true)
    }

    fn world(&self, scene: &Scene) -> anyhow::Result<World> {
        let world = World::make(self.plugin, &scene.given)?;
        world.delete(&scene.step.delete)?;
        world.write_project_files(&scene.step.files)?;
        world.write_plugin_files(&scene.step.plugin_files)?;
        Ok(world)
    }

    fn event(&self, world: &World, scene: &Scene) -> Map<String, Value> {
        event_fields(world, self.hook.event, &scene.step, 1)
    }

    /// What must be so before the fault as well, for a comparison to mean something. `None` when the fault does not
    /// concern this catalog.
    fn prepared(&mut self, world: &World) -> anyhow::Result<Option<Around>> {
        let mut around = Around::default();
        match self.fault.kind {
            _ if self.fault.kind.preparation() == Preparation::NoConfig => {
                let Some(config) = self.config_file(world) else { return Ok(None) };
                damage(&config, Damage::Missing, None)?;
            }
            // Where an open hook believes `HOME`, the settings of another home are none.
            Kind::Home if !self.hook.promise.refuses => {
                let home = world.root.join("home");
                if let Some(config) = self.config_of(world).filter(|config| config.starts_with(home)) {
                    damage(&config, Damage::Missing, None)?;
                }
            }
            Kind::ClosedOutput | Kind::FullOutput if self.hook.event.refusal == Refusal::Behavior => {
                self.skipped = Some("on this event the client listens to nothing but standard output");
                return Ok(None);
            }
            _ if self.fault.kind.preparation() == Preparation::GivenAway => {
                around.user = give_away(&world.root, &world.plugin)?;
            }
            _ => {}
        }
        Ok(Some(around))
    }

    /// Breaks the world, the event or what is around the process.
    fn broken(&mut self, world: &World, bytes: &mut Vec<u8>, around: &mut Around) -> anyhow::Result<Done> {
        let session = session_of(world);
        match self.fault.kind {
            // These are the whole trial: there is no world to break.
            Kind::Input(_) | Kind::Unending | Kind::UnknownHook | Kind::Fields => {}
            Kind::Odd(kind) => *bytes = input::odd(kind, &String::from_utf8_lossy(bytes)),
            Kind::Config(kind) => {
                let Some(config) = self.config_file(world) else { return Ok(Done::NotHere) };
                return damage(&config, kind, None);
            }
            Kind::ConfigOutOfRange => {
                let Some(config) = self.config_file(world) else { return Ok(Done::NotHere) };
                fs::create_dir_all(config.parent().unwrap_or(&config)).context("cannot create a folder")?;
                fs::write(&config, self.matrix.out_of_range.to_string()).context("cannot write the config file")?;
            }
            Kind::Shaped(kind) => {
                let event = serde_json::from_slice::<Map<String, Value>>(bytes).context("the event is an object")?;
                let Some(shaped) = input::shaped(kind, &event) else { return Ok(Done::NotHere) };
                *bytes = shaped.to_string().into_bytes();
            }
            Kind::Records(text) => damage::overwrite_records(&world.project, text)?,
            Kind::Home => around.env.push(("HOME".to_owned(), world.root.join("elsewhere").into_string())),
            Kind::State(kind) => {
                let mut done = Done::Yes;
                for name in KEPT_FILES.iter().chain(OWN_FILES) {
                    done = damage(&session.join(name), kind, around.user)?;
                }
                return Ok(done);
            }
            Kind::Breaker => {
                fs::create_dir_all(&session).context("cannot create a folder")?;
                let forged = serde_json::json!({ self.hook.id.as_str(): 99 });
                fs::write(session.join("breaker.json"), forged.to_string()).context("cannot write")?;
            }
            Kind::Log(kind) => {
                damage(&world.data.join("audit.jsonl"), kind, None)?;
                return damage(&session.join("hooks.log"), kind, None);
            }
            Kind::HeldState => {
                fs::create_dir_all(&session).context("cannot create a folder")?;
                for name in KEPT_FILES.iter().chain(OWN_FILES) {
                    let lock = fs::File::create(session.join(name).with_extension("lock")).context("cannot create")?;
                    lock.lock().context("cannot lock")?;
                    around.held.push(lock);
                }
            }
            Kind::NoStore => return damage(&world.data, Damage::Corrupt, None),
            Kind::ReadOnlyStore => {
                let mut done = Done::Yes;
                fs::create_dir_all(&session).context("cannot create a folder")?;
                for folder in [&session, &world.data.join("sessions"), &world.data] {
                    done = damage::forbid(folder, around.user)?;
                }
                return Ok(done);
            }
            Kind::FullOutput if !Utf8Path::new("/dev/full").exists() => return Ok(Done::NotHere),
            Kind::FullDisk | Kind::FileSizeLimit | Kind::ClosedOutput | Kind::FullOutput if cfg!(unix) => {
                around.shell = self.fault.kind.shell();
            }
            Kind::FullDisk | Kind::FileSizeLimit | Kind::ClosedOutput | Kind::FullOutput => return Ok(Done::NotHere),
            Kind::NoGit => {
                let path = self.matrix.without_git.path(&world.env(self.hook.event))?;
                around.env.push(("PATH".to_owned(), path));
            }
        }
        Ok(Done::Yes)
    }

    /// A closed hook does not let pass what it would have stopped. What an open one makes of an odd event is its own affair:
    /// it may refuse what it cannot follow, or find less to refuse. So it is with a longer line, which is another text.
    fn finds_otherwise(&self) -> bool {
        match self.fault.kind {
            Kind::Shaped(input::Shape::Line) => true,
            Kind::Shaped(_) | Kind::Records(_) | Kind::Home => !self.hook.promise.refuses,
            _ => false,
        }
    }

    /// What the hook does in a world when nothing is broken, the first time and the second. `None` when something
    /// is broken in the world of the case itself, from which nothing can be told, or when it takes too long. It is the same
    /// for most faults, and found out once.
    fn usual(&mut self, nth: usize, scene: &Scene) -> anyhow::Result<Option<Arc<Usual>>> {
        let key = (self.hook.id.clone(), nth, self.fault.kind.preparation());
        if let Some(known) = self.matrix.usual.known(&key) {
            return Ok(known);
        }
        let twin = self.world(scene)?;
        let Some(around) = self.prepared(&twin)? else { return Ok(None) };
        let usual = self.usual_in(&twin, scene, &around)?.map(Arc::new);
        self.matrix.usual.note(key, usual.clone());
        Ok(usual)
    }

    fn usual_in(&self, world: &World, scene: &Scene, around: &Around) -> anyhow::Result<Option<Usual>> {
        let bytes = Value::Object(self.event(world, scene)).to_string().into_bytes();
        let impatient = Around { patience: Some(PATIENCE), user: around.user, ..Around::default() };
        let first = self.observed(world, &bytes, &impatient)?;
        if first.timed_out() || first.failed() {
            return Ok(None);
        }
        let before = state_of(world);
        let start = Instant::now();
        let second = self.observed(world, &bytes, around)?;
        let took = start.elapsed();
        let decisions = vec![first.reply.decision, second.reply.decision];
        Ok((!second.failed()).then(|| Usual { decisions, took, changes_state: state_of(world) != before }))
    }

    /// Whether a world is worth running a hundred times: it is quick, or the hook has no quicker one.
    fn is_quick_enough(&mut self, nth: usize, usual: &Usual) -> anyhow::Result<bool> {
        if usual.took <= QUICK {
            return Ok(true);
        }
        for (other, scene) in self.hook.scenes.iter().enumerate().filter(|(other, _)| *other != nth) {
            if self.usual(other, scene)?.is_some_and(|other| other.took < usual.took) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The event with every field in turn of every other type. What is around every event is always looked at before an
    /// approval; what else is looked at is the hook's own affair.
    fn mistyped(
        &mut self,
        world: &World,
        event: &Map<String, Value>,
        around: &Around,
        usual: &Usual,
    ) -> anyhow::Result<()> {
        for (what, event) in input::mistyped(event) {
            let field = what.path.strip_prefix('/').unwrap_or_default();
            let known: &[Decision] = if ENVELOPE.contains(&field) { &[] } else { &usual.decisions };
            let before = self.failures.len();
            self.judged(world, event.to_string().as_bytes(), around, Effect::FoundOtherwise, known)?;
            let problems = self.failures.iter_mut().skip(before).flat_map(|failure| &mut failure.problems);
            problems.for_each(|problem| *problem = format!("{what}: {problem}"));
        }
        Ok(())
    }

    fn judged(
        &mut self,
        world: &World,
        bytes: &[u8],
        around: &Around,
        effect: Effect,
        usual: &[Decision],
    ) -> anyhow::Result<Observed> {
        let seen = self.observed(world, bytes, around)?;
        self.runs += 1;
        let found = problems(effect, &self.hook.promise, &seen, usual);
        if !found.is_empty() {
            self.blame(world, bytes, &seen, &found);
        }
        Ok(seen)
    }

    fn blame(&mut self, world: &World, bytes: &[u8], seen: &Observed, problems: &[String]) {
        let hide = |text: &str| world.hide(text);
        let problems = problems.iter().map(|problem| hide(problem)).collect();
        self.failures.push(Failure { problems, case: None, run: Some(Evidence::of(bytes, seen, &hide)) });
    }

    fn observed(&self, world: &World, bytes: &[u8], around: &Around) -> anyhow::Result<Observed> {
        let program = world.plugin.join("bin").join(&self.matrix.binary);
        let mut env = world.env(self.hook.event);
        env.extend(around.env.iter().cloned());
        let timeout = around.patience.unwrap_or(self.hook.timeout).min(self.hook.timeout);
        let shell = Utf8PathBuf::from("/bin/sh");
        let asked = [self.asked(), vec![world.home_argument()]].concat();
        let script = around.shell.map(|first| format!("{first}; exec \"$0\" \"$@\""));
        let wrapped = script.as_ref().map_or_else(Vec::new, |script| vec!["-c", script.as_str(), program.as_str()]);
        let args: Vec<&str> = wrapped.into_iter().chain(asked.iter().map(String::as_str)).collect();
        let program: &Utf8Path = if script.is_some() { &shell } else { &program };
        let start = Start { program, args: &args, folder: &world.project, env: &env, timeout, user: around.user };
        let logged = audit::decisions(&world.data).len();
        let feed = if around.unending { Feed::Unending(bytes) } else { Feed::Whole(bytes) };
        let seen = Observed::read(self.hook.event, self.hook.running, process::run(&start, feed)?);
        let lines = audit::decisions(&world.data).into_iter().skip(logged);
        Ok(Observed { logged: lines.filter(|line| line.hook == self.hook.id).collect(), ..seen })
    }

    /// What the registration asks of the binary.
    fn asked(&self) -> Vec<String> {
        if self.fault.kind != Kind::UnknownHook {
            return vec![self.hook.id.clone()];
        }
        let word = if self.hook.promise.refuses { "closed" } else { "open" };
        vec![format!("--{word}={}", self.matrix.of), format!("{}-of-another-binary", self.hook.id)]
    }

    /// Where the config file of this world is, if that can be told without running anything.
    fn config_file(&mut self, world: &World) -> Option<Utf8PathBuf> {
        let path = self.config_of(world);
        if path.is_none() {
            self.skipped = Some("the catalog has no config file, or it is elsewhere in every call");
        }
        path
    }

    fn config_of(&self, world: &World) -> Option<Utf8PathBuf> {
        let named = format!("${{env.{PROJECT}}}");
        let folders = [
            ("${plugin_root}", world.plugin.as_str()),
            ("${project_dir}", world.project.as_str()),
            (named.as_str(), world.project.as_str()),
            ("${home}", &world.root.join("home").into_string()),
        ];
        let source = self.matrix.config.as_ref()?;
        let path = folders.iter().fold(source.clone(), |path, (name, folder)| path.replace(name, folder));
        (!path.contains("${")).then(|| world.project.join(path))
    }
}

fn said(told: bool) -> &'static str {
    if told { "something" } else { "nothing" }
}
