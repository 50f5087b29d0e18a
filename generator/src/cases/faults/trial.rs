//! One hook under one fault: the world is broken, and what the hook does is held against what it promised.

use std::fs;
use std::time::Duration;

use anyhow::Context as _;
use camino::{Utf8Path, Utf8PathBuf};
use serde_json::Value;

use super::damage::{self, Damage, Done, damage};
use super::judge::{Observed, problems};
use super::matrix::Matrix;
use super::somebody::give_away;
use super::subject::Subject;
use super::{Effect, Fault, Kind, input};
use crate::cases::audit;
use crate::cases::process::{self, End, Feed, Start};
use crate::cases::reply::Reply;
use crate::cases::run::{SESSION, event_fields};
use crate::cases::world::World;
use crate::catalog::{Decision, Given, Step};

/// The files in which a session's state is kept.
const STATE_FILES: &[&str] = &["counters.json", "memory.json", "once.json", "breaker.json"];

/// A world in which a hook takes longer, because what it runs does, is not run a hundred times.
const PATIENCE: Duration = Duration::from_secs(2);

/// The longest deadline that is worth waiting for.
const LONGEST_WAIT: Duration = Duration::from_mins(1);

/// Writes go nowhere, as on a full disk; what is already open, such as the pipes to the client, is not concerned.
const FULL_DISK: &str = "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\"";

/// One hook under one fault.
pub(super) struct Trial<'a> {
    pub(super) matrix: &'a Matrix,
    pub(super) plugin: &'a Utf8Path,
    pub(super) hook: &'a Subject,
    pub(super) fault: &'static Fault,
    pub(super) runs: usize,
    pub(super) skipped: Option<&'static str>,
    pub(super) problems: Vec<String>,
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
    pub(super) fn run(&mut self) -> anyhow::Result<()> {
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
            Kind::Odd(kind) => {
                let Some(odd) = input::odd(kind, &event) else {
                    self.skipped = Some("the event has no such field");
                    return Ok(());
                };
                let Some(usual) = self.usual(world, &bytes, &plain)? else { return Ok(()) };
                self.judged(world, odd.to_string().as_bytes(), &plain, &self.held_to(usual))?;
            }
            Kind::Records(text) => {
                let Some(usual) = self.usual(world, &bytes, &plain)? else { return Ok(()) };
                damage::overwrite_records(&world.project, text)?;
                self.judged(world, &bytes, &plain, &self.held_to(usual))?;
            }
            Kind::Home => {
                let Some(usual) = self.usual(world, &bytes, &plain)? else { return Ok(()) };
                let elsewhere = world.root.join("elsewhere").into_string();
                let moved = Around { env: vec![("HOME".to_owned(), elsewhere)], ..Around::default() };
                self.judged(world, &bytes, &moved, &self.held_to(usual))?;
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
            Kind::Breaker => {
                fs::create_dir_all(&session).context("cannot create a folder")?;
                let forged = serde_json::json!({ self.hook.id.as_str(): 99 });
                fs::write(session.join("breaker.json"), forged.to_string()).context("cannot write")?;
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
            _ => around.env.push(("PATH".to_owned(), self.matrix.without_git.path(&world.env(self.hook.event))?)),
        }
        if done == Done::NotHere {
            self.skipped = Some("this user may read and write everything");
            return Ok(());
        }
        self.judged(world, bytes, &around, &usual).map(drop)
    }

    /// A closed hook does not let pass what it would have stopped. What an open one then makes of the event is its own
    /// affair: it may refuse what it cannot follow, or find less to refuse.
    fn held_to(&self, usual: Usual) -> Usual {
        if self.hook.promise.refuses { usual } else { Usual { decisions: Vec::new(), ..usual } }
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
        let home = world.home_argument();
        let direct = [self.hook.id.as_str(), &home];
        let wrapped = ["-c", FULL_DISK, program.as_str(), self.hook.id.as_str(), &home];
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
