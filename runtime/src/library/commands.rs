//! The commands that a line would run.

use std::cell::RefCell;

use super::home;
use crate::call::Call;
use crate::shell::{Analysis, Command, Problem, World, analyse};
use crate::signature::function;

/// Every simple command anywhere in the line, in the order in which they are met.
pub fn commands(call: &Call<'_>, line: &str) -> Vec<Command> {
    read(call, line).commands
}

/// Why the line was not understood, if so.
pub fn shell_problem(call: &Call<'_>, line: &str) -> Problem {
    read(call, line).problem
}

thread_local! {
    /// The line that was read last: rules ask about the same one again and again.
    static LAST: RefCell<Option<(String, Analysis)>> = const { RefCell::new(None) };
}

fn read(call: &Call<'_>, line: &str) -> Analysis {
    let (home, cwd) = (home(call), call.cwd().to_string_lossy());
    let key = [home.as_str(), &cwd, line].join("\0");
    LAST.with_borrow_mut(|last| match last {
        Some((read, analysis)) if *read == key => analysis.clone(),
        _ => {
            let analysis = analyse(line, World { home: &home, cwd: &cwd });
            *last = Some((key, analysis.clone()));
            analysis
        }
    })
}

function! {
    COMMANDS: commands,
    name: "commands",
    receiver: Text,
    params: {},
    result: List<Object<Command>>,
    powers: [Environment],
    doc: "Every command that the shell line runs, wherever it stands: in lists, pipes, loops, functions and \
           substitutions, in text that a shell or an interpreter is given, and behind `sudo`, `env`, `xargs`, \
           `find -exec` and other wrappers, which are listed too. Text that is only data is no command. What the line \
           does not tell stays as it is written.",
    example: "'cd /x && sudo env A=1 /bin/rm -rf \"$D\" y'.commands().map(c, c.name) == ['cd', 'sudo', 'env', 'rm']",
}

function! {
    SHELL_PROBLEM: shell_problem,
    name: "shellProblem",
    receiver: Text,
    params: {},
    result: Object<Problem>,
    powers: [Environment],
    doc: "Why the shell line could not be understood as a whole: a quote that does not end, too long, nested too \
           deeply. `commands()` lists what was found all the same.",
    example: "'ls -l'.shellProblem().kind == '' && '(ls \"-l'.shellProblem().kind == 'syntax'",
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Event;
    use crate::json::Json;

    #[test]
    fn a_line_is_read_in_the_folder_of_the_call() {
        let call = Call::new("test", Event::named("PreToolUse").expect("known"), &Json::Null);
        let found = commands(&call, "rm a");
        assert_eq!(found[0].paths(), [format!("{}/a", call.cwd().display())]);
        assert_eq!(shell_problem(&call, "rm a").kind(), "");
        assert_eq!(shell_problem(&call, "rm 'a").kind(), "syntax");
    }
}
