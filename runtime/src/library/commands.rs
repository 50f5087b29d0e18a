//! The commands that a line would run.

use std::cell::RefCell;

use crate::call::Call;
use crate::failure::{Attempt, Failure};
use crate::home;
use crate::path;
use crate::powershell;
use crate::shell::{Analysis, Command, Declared, Problem, World, analyse};
use crate::signature::function;

/// Every simple command anywhere in the line, in the order in which they are met. A list that may lack the one that
/// matters is no list: of a line that is too much to follow, it is a failure.
pub fn commands(call: &Call<'_>, line: &str) -> Attempt<Vec<Command>> {
    let Analysis { commands, problem, .. } = read(call, line, Declared::default());
    if problem.is_excess() {
        return Err(Failure::Payload(format!("the shell line cannot be followed: {}", problem.text())));
    }
    Ok(commands)
}

/// The same, with programs that the catalog declares: lines of usage of wrappers, names of shells and of deleters.
pub fn commands_with(
    call: &Call<'_>,
    line: &str,
    wrappers: &[impl AsRef<str>],
    shells: &[impl AsRef<str>],
    deleters: &[impl AsRef<str>],
) -> Attempt<Vec<Command>> {
    let wrappers: Vec<&str> = wrappers.iter().map(AsRef::as_ref).collect();
    let shells: Vec<&str> = shells.iter().map(AsRef::as_ref).collect();
    let deleters: Vec<&str> = deleters.iter().map(AsRef::as_ref).collect();
    let declared = Declared { wrappers: &wrappers, shells: &shells, deleters: &deleters };
    let Analysis { commands, problem, .. } = read(call, line, declared);
    if problem.is_excess() {
        return Err(Failure::Payload(format!("the shell line cannot be followed: {}", problem.text())));
    }
    Ok(commands)
}

/// What the line may run besides its commands.
pub fn possible_commands(call: &Call<'_>, line: &str) -> Vec<Command> {
    read(call, line, Declared::default()).possible
}

/// Why the line was not understood, if so.
pub fn shell_problem(call: &Call<'_>, line: &str) -> Problem {
    read(call, line, Declared::default()).problem
}

/// The commands of a line of PowerShell, likewise.
pub fn powershell_commands(call: &Call<'_>, line: &str) -> Attempt<Vec<Command>> {
    let Analysis { commands, problem, .. } = read_powershell(call, line);
    if problem.is_excess() {
        return Err(Failure::Payload(format!("the line of PowerShell cannot be followed: {}", problem.text())));
    }
    Ok(commands)
}

/// Why the line of PowerShell was not understood, if so.
pub fn powershell_problem(call: &Call<'_>, line: &str) -> Problem {
    read_powershell(call, line).problem
}

thread_local! {
    /// The line that was read last: rules ask about the same one again and again.
    static LAST: RefCell<Option<(String, Analysis)>> = const { RefCell::new(None) };
}

fn read(call: &Call<'_>, line: &str, declared: Declared<'_>) -> Analysis {
    read_by(analyse, "", call, line, declared)
}

fn read_powershell(call: &Call<'_>, line: &str) -> Analysis {
    read_by(powershell::analyse, "powershell", call, line, Declared::default())
}

fn read_by(
    analyse: fn(&str, World<'_>) -> Analysis,
    language: &str,
    call: &Call<'_>,
    line: &str,
    declared: Declared<'_>,
) -> Analysis {
    // The shell believes the environment, whomever the hook believes.
    let home = home::of_environment().map(|home| path::text(&home)).unwrap_or_default();
    let cwd = path::text(call.cwd());
    let own = [declared.wrappers, declared.shells, declared.deleters].map(|names| names.join("\n")).join("\x01");
    let key = [language, home.as_str(), &cwd, &own, line].join("\0");
    LAST.with_borrow_mut(|last| match last {
        Some((read, analysis)) if *read == key => analysis.clone(),
        _ => {
            let analysis = analyse(line, World { home: &home, cwd: &cwd, declared });
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
    fallible: true,
    powers: [Environment],
    doc: "Every command that the shell line runs, wherever it stands: in lists, pipes, loops, functions and \
           substitutions, in text that a shell or an interpreter is given, and behind `sudo`, `env`, `xargs`, \
           `find -exec` and other wrappers, which are listed too. Text that is only data is no command. What the line \
           does not tell stays as it is written. A line that is too long or nested too deeply is a failure of the hook, \
           unless `shellProblem()` is asked first and decides.",
    example: "'cd /x && sudo env A=1 /bin/rm -rf \"$D\" y'.commands().map(c, c.name) == ['cd', 'sudo', 'env', 'rm']",
}

function! {
    WITH: commands_with,
    name: "commandsWith",
    receiver: Text,
    params: { wrappers: List<Text>, shells: List<Text>, deleters: List<Text> },
    result: List<Object<Command>>,
    fallible: true,
    powers: [Environment],
    doc: "The commands of the line as `commands()` gives them, with programs that only this catalog knows. A wrapper or \
           runner is declared by its line of usage: name, subcommands that run something (`run|exec`), options that take \
           a value (`-n=`, `--name=`), its own words in capitals, and, where the command stands behind a certain word, \
           that word after `…`. Shells and deleters are declared by name: shells take code as `sh` does, and deleters \
           delete their operands.",
    example: "'ourrun -e prod exec rm x; zap y'.commandsWith(['ourrun exec -e='], [''], ['zap']).filter(c, c.deletes.size() > 0).map(c, c.name) == ['rm', 'zap']",
}

function! {
    POSSIBLE: possible_commands,
    name: "possibleCommands",
    receiver: Text,
    params: {},
    result: List<Object<Command>>,
    powers: [Environment],
    doc: "What the line may run besides its commands, each with a `guess` that says why: `wrapper` where the later words \
           of a program that nobody knows are a command, `text` where one of its words is a command line, and `empty` \
           where a part that the line does not tell is taken for nothing, or for its default.",
    example: "'mystery -x rm -rf /'.possibleCommands().map(c, c.text) == ['rm -rf /'] && 'rm -rf \"$P/usr\"'.possibleCommands().exists(c, c.paths == ['/usr'])",
}

function! {
    SHELL_PROBLEM: shell_problem,
    name: "shellProblem",
    receiver: Text,
    params: {},
    result: Object<Problem>,
    powers: [Environment],
    doc: "Why the shell line could not be understood as a whole: a quote that does not end, too long, nested too \
           deeply. With a problem of the kind `syntax`, `commands()` lists what was found all the same; with one of the \
           kind `excess` it fails.",
    example: "'ls -l'.shellProblem().kind == '' && '(ls \"-l'.shellProblem().kind == 'syntax'",
}

function! {
    POWERSHELL: powershell_commands,
    name: "powershellCommands",
    receiver: Text,
    params: {},
    result: List<Object<Command>>,
    fallible: true,
    powers: [Environment],
    doc: "Every command that the line of PowerShell runs, as `commands()` gives those of other shells: cmdlets by their full \
           names, whatever alias or abbreviation was written, with switches as `-Recurse` and places as operands in the \
           spelling `C:/x`; programs as everywhere; what `Invoke-Expression`, `powershell -EncodedCommand`, `cmd /c` and methods \
           of .NET that touch files, the network or code come to. A line that is too much is a failure of the hook, unless \
           `powershellProblem()` is asked first and decides.",
    example: "'rm -r -fo C:\\\\Windows'.powershellCommands().map(c, c.text) == ['Remove-Item -Recurse -Force C:/Windows']",
}

function! {
    POWERSHELL_PROBLEM: powershell_problem,
    name: "powershellProblem",
    receiver: Text,
    params: {},
    result: Object<Problem>,
    powers: [Environment],
    doc: "Why the line of PowerShell could not be understood as a whole, as `shellProblem()` says it of other shells.",
    example: "'dir'.powershellProblem().kind == '' && 'dir \"x'.powershellProblem().kind == 'syntax'",
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Event;
    use crate::json::Json;

    #[test]
    fn a_line_is_read_in_the_folder_of_the_call() {
        let call = Call::new("test", Event::named("PreToolUse").expect("known"), &Json::Null);
        let found = commands(&call, "rm a").expect("understood");
        assert_eq!(found[0].paths(), [format!("{}/a", call.cwd().display())]);
        assert_eq!(shell_problem(&call, "rm a").kind(), "");
        assert_eq!(shell_problem(&call, "rm 'a").kind(), "syntax");
        assert!(commands(&call, "ls; rm 'a").is_ok_and(|found| !found.is_empty()));
    }

    #[test]
    fn a_line_that_is_too_much_to_follow_has_no_list_of_commands() {
        let call = Call::new("test", Event::named("PreToolUse").expect("known"), &Json::Null);
        let nested = format!("{}ls{}", "{ ".repeat(500), "; }".repeat(500));
        let long = format!("{}ls", ":;".repeat(1 << 20));
        let many = format!("{}ls", ":;".repeat(14_000));
        for line in [&nested, &long, &many] {
            let failed = commands(&call, line);
            assert_eq!(failed.is_err(), shell_problem(&call, line).kind() == "excess", "{}", line.len());
            assert!(failed.is_err_and(|failure| !failure.counts()), "{}", line.len());
        }
        let usual = format!("{}ls", ":;".repeat(100));
        assert!(commands(&call, &usual).is_ok_and(|found| found.len() == 101));
    }
}
