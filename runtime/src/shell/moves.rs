//! Which branch the work trees are on at each point of a line.
//!
//! Work trees are on disk: unlike variables and the folder, what a subshell has checked out stays so when it ends. A
//! line may go several ways, so this is no list but a history: a point has what moved last, or two points before it.
//! Which folders belong to one work tree, only the disk tells; so the history is kept here and followed in the library.

use super::shared::Shared;
use super::walk::Walker;

/// The point that nothing goes on from: behind `exit`.
const NOWHERE: usize = usize::MAX;
/// Moves of one line that are followed.
const MOST: usize = 1024;

/// Commands that ask: to fail is an answer, not an accident.
const ASKING: &[&str] = &["[", "test", "[[", "grep", "egrep", "rg", "which", "type", "command", "false", "cmp", "diff"];
const ASKING_GIT: &[&str] = &["rev-parse", "show-ref", "diff", "diff-index", "ls-remote", "cat-file", "merge-base"];

/// What leads to a point of the line.
#[derive(Debug, Clone)]
pub enum Point {
    /// Where the line begins.
    Start,
    /// After one command, which changed the work tree around a folder.
    After { before: usize, folder: String, step: Step },
    /// Where two ways meet.
    Either(usize, usize),
}

/// What a command does to the work tree that it runs in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Checks a branch out.
    To(String),
    /// The same, unless the word is a file and no branch: then that is what is restored.
    Word(String),
    /// Goes back to the branch before this one.
    Previous,
    /// Leaves the branch, and is on none.
    Detached,
    /// Goes to a branch that the line does not tell.
    Unknown,
    /// Gives the branch another name; if one is given, only that one.
    Renamed { from: Option<String>, to: String },
    /// Makes the folder a work tree, if it is none.
    Made { on: String },
}

/// The points of a line.
#[derive(Debug)]
pub(super) struct Moves {
    pub(super) points: Vec<Point>,
    /// Where the walk is.
    pub(super) here: usize,
    /// Where it would be, had the last pipeline failed.
    failed: usize,
    /// Where `exit`, `return`, `break` and `continue` left what is being walked.
    left: Vec<usize>,
}

/// Where pipelines joined by `&&` and `||` have led so far.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ways {
    succeeded: usize,
    failed: usize,
    /// Failed, and nobody need be surprised.
    declined: usize,
}

impl Default for Moves {
    fn default() -> Self {
        Self { points: vec![Point::Start], here: 0, failed: 0, left: Vec::new() }
    }
}

impl Moves {
    pub(super) fn note(&mut self, folder: String, step: Step, shared: &Shared) {
        if self.here != NOWHERE {
            let before = self.here;
            self.here = self.add(Point::After { before, folder, step }, shared);
        }
    }

    fn add(&mut self, point: Point, shared: &Shared) -> usize {
        if self.points.len() >= MOST {
            shared.stop("too many changes of the branch");
            return self.here;
        }
        self.points.push(point);
        self.points.len() - 1
    }

    fn join(&mut self, a: usize, b: usize, shared: &Shared) -> usize {
        match (a, b) {
            _ if a == b || b == NOWHERE => a,
            (NOWHERE, _) => b,
            _ => self.add(Point::Either(a, b), shared),
        }
    }

    /// Nothing behind this runs, as far as the shell or loop around it goes.
    pub(super) fn leave(&mut self) {
        if self.here != NOWHERE {
            self.left.push(self.here);
        }
        self.here = NOWHERE;
    }
}

impl Walker<'_> {
    /// Walks what `exit` and its like leave, and no more than that.
    pub(super) fn left_at_most<T>(&mut self, walk: impl FnOnce(&mut Self) -> T) -> T {
        let mark = self.moves.left.len();
        let result = walk(self);
        for left in self.moves.left.split_off(mark.min(self.moves.left.len())) {
            self.moves.here = self.moves.join(self.moves.here, left, self.shared);
        }
        result
    }

    /// Walks what may have happened or not for whatever comes after it.
    pub(super) fn maybe_moving<T>(&mut self, walk: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.moves.here;
        let result = walk(self);
        self.moves.here = self.moves.join(before, self.moves.here, self.shared);
        result
    }

    /// Walks one way of several, each from the same point; gives where all of them so far have led.
    pub(super) fn one_way<T>(&mut self, from: usize, ends: &mut Option<usize>, walk: impl FnOnce(&mut Self) -> T) -> T {
        self.moves.here = from;
        let result = walk(self);
        let here = self.moves.here;
        *ends = Some(ends.map_or(here, |end| self.moves.join(end, here, self.shared)));
        result
    }

    /// The point where one of the ways ends.
    pub(super) fn meet(&mut self, ends: Option<usize>, other: usize) {
        self.moves.here = ends.map_or(other, |end| self.moves.join(end, other, self.shared));
    }

    /// Takes the point where the condition that was walked last has failed; an empty one cannot.
    pub(super) fn refused(&self, is_empty: bool) -> usize {
        if is_empty { NOWHERE } else { self.moves.failed }
    }

    pub(super) fn ways(&self) -> Ways {
        Ways { succeeded: self.moves.here, failed: NOWHERE, declined: NOWHERE }
    }

    /// Goes to where the next pipeline starts.
    pub(super) fn take_way(&mut self, ways: Ways, otherwise: bool) {
        self.moves.here = if otherwise { ways.failed } else { ways.succeeded };
    }

    /// Where things stand after a pipeline that started at `before`.
    pub(super) fn ways_after(&mut self, ways: Ways, before: usize, pipeline: &super::syntax::Pipeline) -> Ways {
        let here = self.moves.here;
        let failed = match pipeline.stages.as_slice() {
            _ if here == NOWHERE => NOWHERE,
            [stage] if stage.is_simple() => before,
            _ => self.moves.join(before, here, self.shared),
        };
        let (succeeded, failed) = if pipeline.negated { (failed, here) } else { (here, failed) };
        let declined = if pipeline.negated || self.asks(pipeline) { failed } else { NOWHERE };
        if pipeline.otherwise {
            return Ways { succeeded: self.moves.join(ways.succeeded, succeeded, self.shared), failed, declined };
        }
        Ways {
            succeeded,
            failed: self.moves.join(ways.failed, failed, self.shared),
            declined: self.moves.join(ways.declined, declined, self.shared),
        }
    }

    /// Goes on behind the pipelines. That a command fails which does not ask is not expected, unless nothing else leads
    /// further.
    pub(super) fn end_ways(&mut self, ways: Ways) {
        let expected = self.moves.join(ways.succeeded, ways.declined, self.shared);
        self.moves.here = if expected == NOWHERE { ways.failed } else { expected };
        self.moves.failed = ways.failed;
    }

    fn asks(&self, pipeline: &super::syntax::Pipeline) -> bool {
        if pipeline.stages.last().is_some_and(super::syntax::Stage::is_test) {
            return true;
        }
        let Some(command) = self.direct.last().and_then(|index| self.commands.get(*index)) else { return false };
        let subcommand = || super::checkout::subcommand(&command.args).map_or("", |(name, _)| name);
        ASKING.contains(&command.name.as_str()) || (command.name == "git" && ASKING_GIT.contains(&subcommand()))
    }
}
