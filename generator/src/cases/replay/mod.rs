//! Events that an agent has recorded, played to a plugin or to a catalog again: what would it decide?
//!
//! A plugin is run by its own registration, as the client would run it, so any plugin can be asked, whoever made it; a catalog
//! is evaluated in this process. Recordings are read while they are played, so that their length does not matter.
//! Every session has a world of its own and its events come in their order, since hooks remember. Nothing of the real
//! project is there: paths below it lead into the world, where nothing is lost.

mod part;
mod record;
mod registered;
mod stage;
mod tally;
mod tape;

pub use part::Part;
pub use record::{Recorded, native};
pub use stage::{Cast, Choice, play};
pub use tally::{Change, Tally};
pub use tape::Tape;

use serde::Serialize;
use serde_json::Value;

use super::audit::Decided;
use crate::catalog::Decision;

/// What becomes of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Played {
    pub decision: Decision,
    /// What is said, with the decision or without one.
    pub reason: String,
    /// The hooks and checks that decided so, where they leave a trail, as those made by hookgen do.
    pub by: Vec<By>,
    /// What each hook decided, said or did, in the words of the trail.
    pub told: Vec<(By, String)>,
    /// The tool's input that takes the place of the original.
    pub updated: Option<Value>,
    /// Why the client would drop a reply, and with it what it decides.
    pub fault: Option<String>,
}

/// An event with what becomes of it: as things are, and as they were if that was asked for.
#[derive(Debug)]
pub struct Heard {
    /// Its place among all events.
    pub position: usize,
    pub event: Recorded,
    pub now: Played,
    pub before: Option<Played>,
}

/// Who decided.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct By {
    pub hook: String,
    /// Absent where a hook decided because it broke.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check: Option<String>,
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
    lines.iter().filter(is_it).map(By::of).collect()
}

impl By {
    fn of(line: &Decided) -> Self {
        Self { hook: line.hook.clone(), check: line.check.clone() }
    }
}

/// Where the folders of a recording lie in the world.
#[derive(Debug)]
pub(super) struct Moves {
    pub(super) project: Option<(String, String)>,
    pub(super) home: Option<(String, String)>,
}

impl Moves {
    /// The project first: it often lies in the home.
    pub(super) fn apply(&self, text: &str) -> String {
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
            let played =
                Played { decision, reason: String::new(), by: Vec::new(), told: Vec::new(), updated, fault: None };
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
}
