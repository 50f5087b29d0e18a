//! What came of many events: counts by hook and check, with a few examples of each, however many there are.

use std::collections::BTreeMap;

use super::{By, Heard, Played};
use crate::catalog::Decision;

/// Examples that are kept of each thing.
const EXAMPLES: usize = 3;

/// Events that are kept whole; of more, only their number.
const MOST: usize = 10_000;

/// What another plugin makes of an event, seen from the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    NewlyDenied,
    NewlyAllowed,
    /// Asked instead of passed, approved instead of asked, rewritten in another way.
    Otherwise,
    OtherWords,
}

impl Change {
    /// In words, as a heading.
    pub fn name(self) -> &'static str {
        match self {
            Self::NewlyDenied => "newly denied",
            Self::NewlyAllowed => "newly allowed",
            Self::Otherwise => "decided otherwise",
            Self::OtherWords => "other words",
        }
    }

    /// What changed, if anything did.
    pub fn between(before: &Played, now: &Played) -> Option<Self> {
        if before.decision != now.decision {
            return Some(match (before.decision, now.decision) {
                (_, Decision::Deny) => Self::NewlyDenied,
                (Decision::Deny | Decision::Ask, Decision::Pass | Decision::Allow) => Self::NewlyAllowed,
                _ => Self::Otherwise,
            });
        }
        if before.updated != now.updated {
            return Some(Self::Otherwise);
        }
        (before.reason != now.reason).then_some(Self::OtherWords)
    }
}

/// What one hook's check did.
#[derive(Debug, Default)]
pub struct Count {
    pub count: usize,
    /// Places and what they were about.
    pub examples: Vec<(String, String)>,
}

/// The count of all.
#[derive(Debug, Default)]
pub struct Tally {
    pub events: usize,
    pub passed: usize,
    pub allowed: usize,
    pub asked: usize,
    pub denied: usize,
    pub rewritten: usize,
    /// Passed, with something said.
    pub told: usize,
    pub faults: usize,
    /// By hook, check and the word of the trail.
    pub by: BTreeMap<(By, String), Count>,
    pub changes: BTreeMap<Change, usize>,
    /// Events that did not simply pass, or that changed: the first so many, in the order of the recordings.
    pub kept: Vec<Heard>,
    pub left_out: usize,
}

impl Tally {
    /// Takes in an event.
    pub fn add(&mut self, heard: Heard) {
        let now = &heard.now;
        self.events += 1;
        *match now.decision {
            Decision::Pass => &mut self.passed,
            Decision::Allow => &mut self.allowed,
            Decision::Ask => &mut self.asked,
            Decision::Deny => &mut self.denied,
        } += 1;
        self.rewritten += usize::from(now.updated.is_some());
        self.told += usize::from(now.decision == Decision::Pass && !now.reason.is_empty());
        self.faults += usize::from(now.fault.is_some());
        for (by, word) in now.told.iter().filter(|(_, word)| word != "ALLOW" && word != "LOG") {
            let count = self.by.entry((by.clone(), word.clone())).or_default();
            count.count += 1;
            if count.examples.len() < EXAMPLES {
                count.examples.push((heard.event.place.clone(), heard.event.about()));
            }
        }
        let change = heard.before.as_ref().and_then(|before| Change::between(before, now));
        if let Some(change) = change {
            *self.changes.entry(change).or_default() += 1;
        }
        let is_worth = match &heard.before {
            Some(_) => change.is_some(),
            None => {
                now.decision != Decision::Pass || now.updated.is_some() || now.fault.is_some() || !now.reason.is_empty()
            }
        };
        if is_worth && self.kept.len() < MOST {
            self.kept.push(heard);
        } else if is_worth {
            self.left_out += 1;
        }
    }

    /// In the order of the recordings, whoever was done first.
    pub fn sort(&mut self) {
        self.kept.sort_by_key(|heard| heard.position);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_what_the_agent_would_notice_first() {
        let played = |decision: Decision, reason: &str| Played {
            decision,
            reason: reason.to_owned(),
            by: Vec::new(),
            told: Vec::new(),
            updated: None,
            fault: None,
        };
        let between = |before: (Decision, &str), now: (Decision, &str)| {
            Change::between(&played(before.0, before.1), &played(now.0, now.1))
        };
        let (pass, ask, deny) = (Decision::Pass, Decision::Ask, Decision::Deny);
        assert_eq!(between((pass, ""), (deny, "no")), Some(Change::NewlyDenied));
        assert_eq!(between((ask, "?"), (pass, "")), Some(Change::NewlyAllowed));
        assert_eq!(between((pass, ""), (ask, "?")), Some(Change::Otherwise));
        assert_eq!(between((deny, "no"), (deny, "never")), Some(Change::OtherWords));
        assert_eq!(between((deny, "no"), (deny, "no")), None);
    }
}
