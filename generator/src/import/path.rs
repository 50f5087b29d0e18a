//! One way through a script: what has been found to hold, and what the script knows and has said by then.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use hookgen_runtime::shell::syntax::Stage;

use super::value::{Condition, Text};
use crate::model::{Record, Type};

/// Why a script is left as it is, in words that follow "left as it is:".
pub(super) type Reason = String;

/// More ways than this are no pattern that a person would recognise.
const MOST_PATHS: usize = 96;

/// What a variable of the shell holds.
#[derive(Debug, Clone)]
pub(super) enum Variable {
    One(Text),
    Many(Vec<Text>),
}

/// What a command finds on standard input.
#[derive(Debug, Clone)]
pub(super) enum Input {
    /// The event, which nobody has read yet.
    Event,
    Text(Text),
}

/// One way through a script, up to a place in it.
#[derive(Debug, Clone)]
pub(super) struct Path {
    /// What must hold for the script to come this way, in the order in which it asks.
    pub(super) facts: Vec<Condition>,
    pub(super) variables: BTreeMap<String, Variable>,
    pub(super) functions: BTreeMap<String, Rc<Stage>>,
    pub(super) input: Input,
    pub(super) out: Text,
    pub(super) err: Text,
    /// The exit code of the last command.
    pub(super) status: u8,
    /// Set when the script, or the part of it that runs by itself, has ended.
    pub(super) ended: bool,
    /// It has ended by `return`.
    pub(super) returned: bool,
    /// `set -e`
    pub(super) strict: bool,
}

impl Path {
    pub(super) fn new() -> Self {
        Self {
            facts: Vec::new(),
            variables: BTreeMap::new(),
            functions: BTreeMap::new(),
            input: Input::Event,
            out: Text::default(),
            err: Text::default(),
            status: 0,
            ended: false,
            returned: false,
            strict: false,
        }
    }

    pub(super) fn at(mut self, status: u8) -> Self {
        self.status = status;
        self
    }

    /// The ways on from here: where the condition holds, and where it does not.
    pub(super) fn fork(self, condition: &Condition) -> (Option<Self>, Option<Self>) {
        if let Condition::Known(truth) = condition {
            return if *truth { (Some(self), None) } else { (None, Some(self)) };
        }
        let opposite = condition.clone().not();
        if self.facts.contains(condition) {
            return (Some(self), None);
        }
        if self.facts.contains(&opposite) {
            return (None, Some(self));
        }
        let (mut yes, mut no) = (self.clone(), self);
        yes.facts.push(condition.clone());
        no.facts.push(opposite);
        (Some(yes), Some(no))
    }

    /// The ways on from here as a test leaves them: exit code 0 where it holds, 1 where it does not.
    pub(super) fn tested(self, condition: &Condition) -> Vec<Self> {
        let (yes, no) = self.fork(condition);
        yes.map(|path| path.at(0)).into_iter().chain(no.map(|path| path.at(1))).collect()
    }
}

/// Joins the ways on from several places.
pub(super) fn onwards<T>(
    from: Vec<T>,
    mut step: impl FnMut(T) -> Result<Vec<Path>, Reason>,
) -> Result<Vec<Path>, Reason> {
    let mut all = Vec::new();
    for one in from {
        all.extend(step(one)?);
        bounded(all.len())?;
    }
    Ok(all)
}

pub(super) fn bounded(paths: usize) -> Result<(), Reason> {
    if paths > MOST_PATHS { Err("it has too many ways through it".to_owned()) } else { Ok(()) }
}

/// What a script is about: the event's fields, and the files beside the settings.
pub(super) struct Subject<'s> {
    pub(super) payload: &'s Record,
    /// The text of a script that a command names, if it is there to be read.
    pub(super) script: &'s dyn Fn(&str) -> Option<String>,
    /// What is asked of other programs: the expression, with the name that it is given.
    pub(super) asked: RefCell<Vec<(String, String)>>,
}

impl Subject<'_> {
    /// The type of a field, if the event has it.
    pub(super) fn kind(&self, path: &[String]) -> Option<Type> {
        let (first, rest) = path.split_first()?;
        let mut kind = self.payload.field(first)?.clone();
        for name in rest {
            kind = match kind {
                Type::Record(record) => record.field(name)?.clone(),
                Type::Map(inner) => *inner,
                Type::Any => Type::Any,
                _ => return None,
            };
        }
        Some(kind)
    }

    /// The name under which the answer of a program that only looks is known.
    pub(super) fn ask(&self, expression: String) -> String {
        let mut asked = self.asked.borrow_mut();
        if let Some((_, name)) = asked.iter().find(|(known, _)| *known == expression) {
            return name.clone();
        }
        let name = if asked.is_empty() { "asked".to_owned() } else { format!("asked_{}", asked.len() + 1) };
        asked.push((expression, name.clone()));
        name
    }
}
