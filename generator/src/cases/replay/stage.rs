//! Recordings on their way to the hooks: one thread reads, several play, each its own sessions.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use anyhow::{Context as _, anyhow};
use camino::{Utf8Path, Utf8PathBuf};
use hookgen_runtime::evaluate::Stage;
use hookgen_runtime::{Client, Running};
use serde_json::Value;

use super::part::{Part, digest};
use super::record::Recorded;
use super::registered::{self, Registered};
use super::tape::Tape;
use super::{By, Heard, Moves, Played, by};
use crate::cases::audit;
use crate::cases::player::Player;
use crate::cases::reply::{Reply, strength};
use crate::cases::world::World;
use crate::catalog::{Decision, Given, map_text};
use crate::stats::Since;

/// Events that wait for a player, or for whoever hears the results.
const WAITING: usize = 256;

/// Sessions that a player has in mind. One that comes back after so many others begins anew.
const SESSIONS: usize = 32;

/// Whoever events are played to.
pub struct Cast {
    plugin: Utf8PathBuf,
    player: Player,
    registered: Vec<Registered>,
}

impl Cast {
    /// The plugin in that folder, whose programs are started.
    pub fn plugin(folder: Utf8PathBuf) -> anyhow::Result<Self> {
        let registered = registered::read(&folder)?;
        Ok(Self { player: Player::processes(folder.clone()), plugin: folder, registered })
    }

    /// A catalog, evaluated in this process; the folder holds its plugin without a program.
    pub fn catalog(folder: Utf8PathBuf, stage: Stage) -> anyhow::Result<Self> {
        let mut registered = registered::read(&folder)?;
        // Programs of others are theirs: nothing in this process can answer for them.
        registered.retain(|hook| hook.is_of(&folder));
        Ok(Self { player: Player::evaluated(folder.clone(), stage, None), plugin: folder, registered })
    }
}

/// Which events count.
#[derive(Clone)]
pub struct Choice {
    /// Whose payloads they are.
    pub client: &'static Client,
    /// Only those from then on; where a recording tells no time, all.
    pub since: Option<Since>,
    /// Only those in folders with this text.
    pub project: Option<String>,
    pub part: Option<Part>,
}

impl Choice {
    fn has(&self, event: &Recorded) -> bool {
        let timely =
            self.since.as_ref().is_none_or(|since| event.time.as_ref().is_none_or(|time| since.includes(time)));
        let here = self.project.as_ref().is_none_or(|text| event.folder().is_some_and(|folder| folder.contains(text)));
        timely && here && self.part.is_none_or(|part| part.has(event.session()))
    }
}

/// Plays what the files hold, and gives each event with what becomes of it to whoever hears, in the order in which they are
/// done; how many lines were no JSON. `read` is how much has been read, in KiB.
pub fn play(
    casts: (&Cast, Option<&Cast>),
    files: &[Utf8PathBuf],
    choice: &Choice,
    jobs: NonZeroUsize,
    read: &AtomicUsize,
    hear: &mut dyn FnMut(Heard),
) -> anyhow::Result<usize> {
    thread::scope(|scope| {
        let (done, results) = sync_channel::<anyhow::Result<Heard>>(WAITING);
        let mut players = Vec::new();
        for _ in 0..jobs.get() {
            let (give, take) = sync_channel::<(usize, Recorded)>(WAITING);
            players.push(give);
            let done = done.clone();
            scope.spawn(move || work(casts, &take, &done));
        }
        drop(done);
        let reader = scope.spawn(move || read_all(files, choice, &players, read));
        let mut failed = None;
        for result in results {
            match result {
                Ok(heard) => hear(heard),
                Err(error) => failed = failed.or(Some(error)),
            }
        }
        let broken = reader.join().map_err(|_| anyhow!("the reader of recordings panicked"))?;
        failed.map_or(broken, Err)
    })
}

fn read_all(
    files: &[Utf8PathBuf],
    choice: &Choice,
    players: &[SyncSender<(usize, Recorded)>],
    read: &AtomicUsize,
) -> anyhow::Result<usize> {
    let (mut position, mut broken, mut bytes) = (0, 0, 0);
    for file in files {
        let mut give = |event: Recorded| {
            if choice.has(&event) {
                let count = u64::try_from(players.len()).unwrap_or(1).max(1);
                let player = usize::try_from(digest(event.session()) % count).unwrap_or_default();
                // A player that has gone has failed, and says so.
                if let Some(player) = players.get(player) {
                    let _ = player.send((position, event));
                }
                position += 1;
            }
        };
        let mut count = |length: usize| {
            bytes += length;
            read.store(bytes / 1024, Ordering::Relaxed);
        };
        broken +=
            read_file(file, choice.client, &mut give, &mut count).with_context(|| format!("cannot read `{file}`"))?;
    }
    Ok(broken)
}

fn read_file(
    file: &Utf8Path,
    client: &'static Client,
    give: &mut dyn FnMut(Recorded),
    count: &mut dyn FnMut(usize),
) -> std::io::Result<usize> {
    let mut reader = BufReader::new(File::open(file)?);
    let mut tape = Tape::new(file.as_str(), client);
    let (mut number, mut broken) = (0, 0);
    let mut line = Vec::new();
    loop {
        line.clear();
        if reader.read_until(b'\n', &mut line)? == 0 {
            return Ok(broken);
        }
        number += 1;
        // An object over several lines is a whole recording.
        if number == 1 && serde_json::from_slice::<Value>(&line).is_err() && line.trim_ascii_start().starts_with(b"{") {
            let mut rest = line.clone();
            reader.read_to_end(&mut rest)?;
            count(rest.len());
            if let Some(events) = tape.line(1, &rest) {
                events.into_iter().for_each(give);
                return Ok(0);
            }
            for (number, line) in rest.split(|byte| *byte == b'\n').enumerate().filter(|(_, line)| !line.is_empty()) {
                match tape.line(number + 1, line) {
                    Some(events) => events.into_iter().for_each(&mut *give),
                    None => broken += 1,
                }
            }
            return Ok(broken);
        }
        count(line.len());
        if line.trim_ascii().is_empty() {
            continue;
        }
        match tape.line(number, &line) {
            Some(events) => events.into_iter().for_each(&mut *give),
            None => broken += 1,
        }
    }
}

fn work(
    (cast, other): (&Cast, Option<&Cast>),
    events: &Receiver<(usize, Recorded)>,
    done: &SyncSender<anyhow::Result<Heard>>,
) {
    let mut sessions = (Sessions::default(), Sessions::default());
    for (position, event) in events {
        let played = sessions.0.play(cast, &event).and_then(|now| {
            let before = other.map(|other| sessions.1.play(other, &event)).transpose()?;
            Ok(Heard { position, event, now, before })
        });
        let failed = played.is_err();
        if done.send(played).is_err() || failed {
            return;
        }
    }
}

/// The worlds of sessions, the one that was asked for last at the end.
#[derive(Default)]
struct Sessions(Vec<Session>);

struct Session {
    id: String,
    world: World,
    moves: Moves,
    /// How far the world's trail has been read.
    place: u64,
}

impl Sessions {
    fn play(&mut self, cast: &Cast, event: &Recorded) -> anyhow::Result<Played> {
        let known = self.0.iter().position(|session| session.id == event.session());
        let mut session = match known {
            Some(place) => self.0.remove(place),
            None => Session::new(cast, event)?,
        };
        let played = session.play(cast, event);
        self.0.push(session);
        if self.0.len() > SESSIONS {
            drop(self.0.remove(0));
        }
        played
    }
}

impl Session {
    fn new(cast: &Cast, event: &Recorded) -> anyhow::Result<Self> {
        let world = World::make(&cast.plugin, &Given::default())?;
        let home = std::env::var("HOME").ok();
        let folder = event.folder().map(str::to_owned);
        let moves = Moves {
            project: folder.filter(|folder| folder.len() > 1).map(|folder| (folder, world.project.to_string())),
            home: home.filter(|home| home.len() > 1).map(|home| (home, world.root.join("home").to_string())),
        };
        Ok(Self { id: event.session().to_owned(), world, moves, place: 0 })
    }

    fn play(&mut self, cast: &Cast, event: &Recorded) -> anyhow::Result<Played> {
        let world = &self.world;
        let mut played = Played {
            decision: Decision::Pass,
            reason: String::new(),
            by: Vec::new(),
            told: Vec::new(),
            updated: None,
            fault: None,
        };
        let mut fires = cast.registered.iter().filter(|hook| hook.fires(event)).peekable();
        if fires.peek().is_none() {
            return Ok(played);
        }
        let mut payload = map_text(&Value::Object(event.payload.clone()), &|text| self.moves.apply(text));
        if let Some(payload) = payload.as_object_mut() {
            payload.insert("transcript_path".to_owned(), world.transcript.as_str().into());
            payload.insert("cwd".to_owned(), world.project.as_str().into());
        }
        let input = payload.to_string();
        let env = world.env(event.event);
        let mut lines = Vec::new();
        for hook in fires {
            let answer = hook.start(world, &env).run(&cast.player, &input)?;
            let reply = Reply::read(event.event, Running::Awaited, &answer);
            let said = world.hide(&reply.all());
            if strength(reply.decision) > strength(played.decision) {
                played.decision = reply.decision;
                played.reason = said;
            } else if played.decision == Decision::Pass && !said.is_empty() {
                played.reason =
                    [played.reason, said].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n");
            }
            played.fault = played.fault.or_else(|| reply.faults.first().map(|fault| world.hide(fault)));
            let updated = reply.updated.map(|input| map_text(&Value::Object(input), &|text| world.hide(text)));
            played.updated = updated.or(played.updated);
            lines.extend(audit::decisions_after(&world.data, &mut self.place));
        }
        // A refusal stands, whatever else was to be changed.
        played.updated = played.updated.filter(|_| played.decision != Decision::Deny);
        played.by = by(&lines, &played);
        played.told = lines.iter().map(|line| (By::of(line), line.decision.clone())).collect();
        Ok(played)
    }
}
