//! What a command line does, as far as the line itself tells.
//!
//! A hand-written reader of bash (`parser`), a walk through the script that runs nothing (`walk`), and tables of what
//! programs do with their words (`options`, `wrappers`, …). The result is a flat list of commands: rules ask whether
//! any of them is of a kind, and need not know where it was hidden.
//!
//! Work is bounded: text over 1 MiB and nesting over some two hundred levels are not followed but reported, the stack
//! is never at risk, and every byte that is read, copied or read again as a script within a script is paid for from
//! one purse, so that no line costs more than a constant factor of its length.

mod ansi;
mod assignment;
mod braces;
mod builtins;
mod calls;
mod checkout;
mod code;
mod command;
mod compound;
mod consoles;
mod cursor;
mod effects;
mod expand;
mod field;
mod flow;
mod git;
mod here;
mod inputs;
mod located;
mod memo;
mod moves;
mod options;
mod output;
mod parser;
mod path;
mod place;
mod possible;
mod prints;
mod problem;
mod programs;
mod recipes;
mod redirection;
mod sed;
mod shared;
mod shells;
mod simple;
mod state;
mod success;
pub mod syntax;
mod tables;
mod trim;
mod walk;
mod words;
mod wrappers;
mod written;

pub use command::{COMMAND, Command};
pub use effects::WHOLE;
pub use located::{Located, located};
pub use moves::{Point, Step};
pub(crate) use output::base64_bytes;
pub use problem::{PROBLEM, Problem};
pub use redirection::{REDIRECTION, Redirection};

use std::cell::Cell;
use std::sync::Arc;
use std::thread;

use shared::{Depth, Shared, TOO_DEEP};
use walk::Walker;

/// Longer lines are not read.
const LONGEST: usize = 1 << 20;
/// Bytes of work per byte of the line, and for any line.
const WORK_PER_BYTE: usize = 64;
const LEAST_WORK: usize = 4 << 20;

/// How deep people nest, and how deep anything is followed.
const ORDINARY: Depth = Depth { levels: 40, steps: 200 };
const DEEPEST: Depth = Depth { levels: 250, steps: 1600 };
/// Virtual memory; only what is used is ever taken.
const STACK: usize = 64 << 20;

/// Where a line is going to run.
#[derive(Debug, Clone, Copy, Default)]
pub struct World<'w> {
    /// The home folder; empty if there is none.
    pub home: &'w str,
    /// The folder where the line starts.
    pub cwd: &'w str,
    /// What the catalog declares.
    pub declared: Declared<'w>,
}

/// Programs that a catalog says something about.
#[derive(Debug, Clone, Copy, Default)]
pub struct Declared<'w> {
    /// Lines of usage of wrappers.
    pub wrappers: &'w [&'w str],
    /// Names of shells.
    pub shells: &'w [&'w str],
    /// Names of programs that delete what they are given.
    pub deleters: &'w [&'w str],
}

/// The commands of a line, and what kept it from being understood.
#[derive(Debug, Clone, Default)]
pub struct Analysis {
    pub commands: Vec<Command>,
    /// What it may run besides: words of programs that nobody knows, and commands whose unknown parts are empty.
    pub possible: Vec<Command>,
    pub problem: Problem,
    /// Bytes that were looked at or copied, which is what bounds the time that reading takes.
    pub work: usize,
}

/// Reads a line. Never fails: what is broken or too much is said in `problem`, beside the commands that were found.
pub fn analyse(line: &str, world: World<'_>) -> Analysis {
    if line.len() > LONGEST {
        return Analysis { problem: Problem::excess("the line is too long"), ..Analysis::default() };
    }
    let analysis = read(line, world, ORDINARY);
    if analysis.problem.text() != TOO_DEEP {
        return analysis;
    }
    // How much stack the caller has left is unknown, so what is nested deeply gets a stack of its own.
    thread::scope(|scope| {
        let reader = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || read(line, world, DEEPEST));
        reader.ok().and_then(|reader| reader.join().ok()).unwrap_or(analysis)
    })
}

/// The script as written, or why it cannot be read whole.
pub fn script(text: &str) -> Result<syntax::List, String> {
    if text.len() > LONGEST {
        return Err("the line is too long".to_owned());
    }
    let purse = Cell::new(LEAST_WORK.max(text.len() * WORK_PER_BYTE));
    let shared = Shared { depth: ORDINARY, purse, ..Shared::default() };
    let list = parser::parse(text, &shared);
    match shared.problem.take() {
        Some(problem) => Err(problem.text().to_owned()),
        None => Ok(list),
    }
}

fn read(line: &str, world: World<'_>, depth: Depth) -> Analysis {
    let means = LEAST_WORK.max(line.len() * WORK_PER_BYTE);
    let shared = Shared { depth, purse: Cell::new(means), ..Shared::default() };
    let mut walker = Walker::new(world, &shared);
    walker.line(&field::shown(line));
    let points: Arc<[Point]> = Arc::from(walker.moves.points);
    let (commands, possible): (Vec<_>, Vec<_>) = walker.commands.into_iter().partition(|found| found.guess.is_empty());
    let told = |found: Vec<_>| found.into_iter().map(|found| Command::new(found, Arc::clone(&points))).collect();
    let (commands, possible) = (told(commands), told(possible));
    let problem = shared.problem.take().unwrap_or_default();
    Analysis { commands, possible, problem, work: means - shared.purse.get() }
}

#[cfg(test)]
mod differential;
#[cfg(test)]
mod followed;
#[cfg(test)]
mod tests;
