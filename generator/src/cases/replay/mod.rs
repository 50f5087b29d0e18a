//! Events that a client has recorded, played to a plugin again: what would it decide?
//!
//! The plugin is run by its own registration, as the client would run it, so any plugin can be asked, whoever made it.
//! Every session has a world of its own and its events come in their order, since hooks remember. Nothing of the real
//! project is there: paths below it lead into the world, where nothing is lost.

mod record;
mod registered;

pub use record::{Recorded, native, read};

use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use camino::Utf8Path;
use hookgen_runtime::Running;
use serde::Serialize;
use serde_json::Value;

use registered::Registered;

use super::audit::{self, Decided};
use super::reply::{Reply, strength};
use super::world::World;
use crate::catalog::{Decision, Given, map_text};

/// What becomes of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Played {
    pub decision: Decision,
    /// What is said with the decision.
    pub reason: String,
    /// The hooks and checks that decided so, where they leave a trail, as those made by hookgen do.
    pub by: Vec<By>,
    /// The tool's input that takes the place of the original.
    pub updated: Option<Value>,
    /// Why the client would drop a reply, and with it what it decides.
    pub fault: Option<String>,
}

/// Who decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct By {
    pub hook: String,
    /// Absent where a hook decided because it broke.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check: Option<String>,
}

/// Plays all events to the plugin in that folder; the results are in the order of the events.
pub fn play(plugin: &Utf8Path, events: &[Recorded], jobs: NonZeroUsize) -> anyhow::Result<Vec<Played>> {
    let registered = registered::read(plugin)?;
    let sessions = sessions(events);
    let next = AtomicUsize::new(0);
    let finished = Mutex::new(Vec::with_capacity(events.len()));
    thread::scope(|scope| {
        for _ in 0..jobs.get().min(sessions.len()) {
            scope.spawn(|| {
                while let Some(session) = sessions.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let played = play_session(plugin, &registered, events, session);
                    finished.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(played);
                }
            });
        }
    });
    let finished = finished.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let mut played = finished.into_iter().collect::<anyhow::Result<Vec<_>>>()?.concat();
    played.sort_by_key(|(position, _)| *position);
    Ok(played.into_iter().map(|(_, played)| played).collect())
}

/// The positions of every session's events, in the order in which sessions begin.
fn sessions(events: &[Recorded]) -> Vec<Vec<usize>> {
    let mut sessions: Vec<(&str, Vec<usize>)> = Vec::new();
    for (position, event) in events.iter().enumerate() {
        match sessions.iter_mut().find(|(id, _)| *id == event.session) {
            Some((_, positions)) => positions.push(position),
            None => sessions.push((&event.session, vec![position])),
        }
    }
    sessions.into_iter().map(|(_, positions)| positions).collect()
}

fn play_session(
    plugin: &Utf8Path,
    registered: &[Registered],
    events: &[Recorded],
    positions: &[usize],
) -> anyhow::Result<Vec<(usize, Played)>> {
    let world = World::make(plugin, &Given::default())?;
    let events = || positions.iter().filter_map(|position| Some((*position, events.get(*position)?)));
    let folder = events().find_map(|(_, event)| event.folder()).map(str::to_owned);
    let home = std::env::var("HOME").ok();
    let moves = Moves {
        project: folder.filter(|folder| folder.len() > 1).map(|folder| (folder, world.project.to_string())),
        home: home.filter(|home| home.len() > 1).map(|home| (home, world.root.join("home").to_string())),
    };
    let mut place = 0;
    events()
        .map(|(position, event)| Ok((position, play_event(&world, registered, event, &moves, &mut place)?)))
        .collect()
}

/// Plays one event; `place` is how far the world's trail has been read.
fn play_event(
    world: &World,
    registered: &[Registered],
    event: &Recorded,
    moves: &Moves,
    place: &mut u64,
) -> anyhow::Result<Played> {
    let mut payload = map_text(&Value::Object(event.payload.clone()), &|text| moves.apply(text));
    if let Some(payload) = payload.as_object_mut() {
        payload.insert("transcript_path".to_owned(), world.transcript.as_str().into());
        payload.insert("cwd".to_owned(), world.project.as_str().into());
    }
    let input = payload.to_string();
    let mut played =
        Played { decision: Decision::Pass, reason: String::new(), by: Vec::new(), updated: None, fault: None };
    let mut lines = Vec::new();
    for hook in registered.iter().filter(|hook| hook.fires(event)) {
        let env = world.env(event.event);
        let answer = hook.start(world, &env).run(&input)?;
        let reply = Reply::read(event.event, Running::Awaited, &answer);
        if strength(reply.decision) > strength(played.decision) {
            played.decision = reply.decision;
            played.reason = world.hide(&reply.all());
        }
        played.fault = played.fault.or_else(|| reply.faults.first().map(|fault| world.hide(fault)));
        let updated = reply.updated.map(|input| map_text(&Value::Object(input), &|text| world.hide(text)));
        played.updated = updated.or(played.updated);
        lines.extend(audit::decisions_after(&world.data, place));
    }
    // A refusal stands, whatever else was to be changed.
    played.updated = played.updated.filter(|_| played.decision != Decision::Deny);
    played.by = by(&lines, &played);
    Ok(played)
}

/// The hooks whose words in the trail are what became of the event.
fn by(lines: &[Decided], played: &Played) -> Vec<By> {
    let words: &[&str] = match played.decision {
        Decision::Deny => &["DENY", "BLOCK", "FEEDBACK", "FAIL_CLOSED"],
        Decision::Ask => &["ASK"],
        Decision::Allow => &["APPROVE"],
        Decision::Pass => &[],
    };
    let rewritten: &[&str] = if played.updated.is_some() { &["REWRITE"] } else { &[] };
    let is_it =
        |line: &&Decided| line.mode.is_none() && words.iter().chain(rewritten).any(|word| *word == line.decision);
    lines.iter().filter(is_it).map(|line| By { hook: line.hook.clone(), check: line.check.clone() }).collect()
}

/// Where the folders of a recording lie in the world.
#[derive(Debug)]
struct Moves {
    project: Option<(String, String)>,
    home: Option<(String, String)>,
}

impl Moves {
    /// The project first: it often lies in the home.
    fn apply(&self, text: &str) -> String {
        let moved = |text: String, pair: &Option<(String, String)>| match pair {
            Some((from, to)) => with_folder_moved(&text, from, to),
            None => text,
        };
        moved(moved(text.to_owned(), &self.project), &self.home)
    }
}

/// The text with a folder in the place of another; `/p` is no part of `/pq`.
fn with_folder_moved(text: &str, from: &str, to: &str) -> String {
    let mut moved = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(from) {
        let (before, after) = (rest.get(..at).unwrap_or_default(), rest.get(at + from.len()..).unwrap_or_default());
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
        let goes_on = after.starts_with(is_name) || before.ends_with(|c: char| is_name(c) || c == '/');
        moved.push_str(before);
        moved.push_str(if goes_on { from } else { to });
        rest = after;
    }
    moved.push_str(rest);
    moved
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_who_decided_so_are_named_and_no_others() {
        let line = |hook: &str, decision: &str, mode: Option<&str>| Decided {
            hook: hook.to_owned(),
            check: Some("c".to_owned()),
            decision: decision.to_owned(),
            mode: mode.map(str::to_owned),
            reason: String::new(),
        };
        let lines = [
            line("H1", "DENY", None),
            line("H2", "DENY", Some("audit")),
            line("H3", "ASK", None),
            line("H4", "REWRITE", None),
            line("H5", "FAIL_CLOSED", None),
        ];
        let hooks = |decision: Decision, updated: bool| {
            let updated = updated.then_some(Value::Null);
            let played = Played { decision, reason: String::new(), by: Vec::new(), updated, fault: None };
            by(&lines, &played).iter().map(|by| by.hook.clone()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(hooks(Decision::Deny, false), "H1 H5");
        assert_eq!(hooks(Decision::Ask, true), "H3 H4");
        assert_eq!((hooks(Decision::Pass, true), hooks(Decision::Pass, false)), ("H4".to_owned(), String::new()));
    }

    #[test]
    fn only_whole_names_of_folders_are_moved() {
        let moved = |text: &str| with_folder_moved(text, "/home/me/p", "/w");
        assert_eq!(moved("cd /home/me/p && cat /home/me/p/a"), "cd /w && cat /w/a");
        assert_eq!(moved("/home/me/pq /x/home/me/p /home/me/p-1"), "/home/me/pq /x/home/me/p /home/me/p-1");
        assert_eq!(moved("'/home/me/p'"), "'/w'");
    }

    #[test]
    fn a_project_in_the_home_is_not_taken_for_the_home() {
        let pair = |from: &str, to: &str| Some((from.to_owned(), to.to_owned()));
        let moves = Moves { project: pair("/home/me/p", "/w/project"), home: pair("/home/me", "/w/home") };
        assert_eq!(moves.apply("/home/me/p/a /home/me/b"), "/w/project/a /w/home/b");
    }

    #[test]
    fn sessions_keep_their_own_order() {
        let line = |session: &str| {
            format!("{{\"hook_event_name\":\"PreToolUse\",\"session_id\":\"{session}\",\"tool_name\":\"Bash\"}}\n")
        };
        let text: String = ["a", "b", "a", "c", "b"].map(line).concat();
        let (events, _) = read("x".into(), &text, hookgen_runtime::CLAUDE);
        assert_eq!(sessions(&events), [vec![0, 2], vec![1, 4], vec![3]]);
    }
}
