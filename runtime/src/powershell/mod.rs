//! What a line of PowerShell runs, by way of the other shell.
//!
//! A line is translated (`reader`, `values`, `commands`): each cmdlet by its full name with its places as operands
//! (`cmdlets`), programs as they are, code within code as code within code. What comes out is a script for the reader of
//! shell lines, which follows variables, folders, pipes, files and programs; so a rule asks the same questions of both.

mod cmdlets;
mod commands;
mod reader;
mod values;
mod words;

#[cfg(test)]
mod tests;

use crate::shell::{self, Analysis, Declared, Problem, World};
use reader::Trouble;

/// A shell, to the reader of the translated line.
pub(crate) const RUNNING: &str = "Invoke-Expression";

/// The line in the words of the other shell, and what kept it from being read.
pub(crate) fn translated(line: &str) -> (String, Problem) {
    let (script, trouble) = commands::translated(line, 0);
    let problem = match trouble {
        Trouble::None => Problem::default(),
        Trouble::Open(what) => Problem::syntax(what),
        Trouble::Deep => Problem::excess("the line is nested too deeply"),
    };
    (script, problem)
}

/// The commands of a line of PowerShell. Never fails, as `shell::analyse` does not.
pub fn analyse(line: &str, world: World<'_>) -> Analysis {
    let (script, problem) = translated(line);
    let shells: Vec<&str> = world.declared.shells.iter().copied().chain([RUNNING]).collect();
    let declared = Declared { shells: &shells, ..world.declared };
    let analysis = shell::analyse(&script, World { declared, ..world });
    // What PowerShell itself would not accept comes first: the script is only made of what was read.
    let problem = if problem.kind().is_empty() { analysis.problem.clone() } else { problem };
    Analysis { problem, ..analysis }
}
