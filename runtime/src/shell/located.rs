//! Commands where they stand: which bytes of a line are the words of which command, for whoever changes one of them.
//!
//! Only what is certain counts. A word is that of a command if it stands in the line as one: in lists, pipes, loops and
//! `$(…)`, behind wrappers that take the rest of their words for a command, but not in text that some shell is given, in a
//! here-document, in backquotes or in a variable.

use std::cell::Cell;
use std::ops::Range;
use std::rc::Rc;

use super::parser::{End, Parser};
use super::shared::Shared;
use super::{Command, LEAST_WORK, LONGEST, ORDINARY, WORK_PER_BYTE, World, analyse, field, options};

/// Wrappers that take the rest of their words for a command, word by word.
const PLAIN: &[&str] =
    &["command", "doas", "env", "exec", "ionice", "nice", "nohup", "setsid", "stdbuf", "sudo", "time", "timeout"];

/// A word of the text, and what it says if it is nothing but text.
type Spanned = (Range<usize>, Option<String>);

/// What a reader of a text has met.
#[derive(Debug, Default)]
pub(super) struct Written {
    commands: Vec<Vec<Spanned>>,
    functions: Vec<String>,
}

impl Written {
    /// A simple command was read.
    pub(super) fn command(&mut self, words: Vec<Spanned>) {
        if !words.is_empty() {
            self.commands.push(words);
        }
    }

    /// A function was defined: whoever calls it by its name calls no program.
    pub(super) fn function(&mut self, name: &str) {
        self.functions.push(name.to_owned());
    }
}

/// A command and where its words are.
#[derive(Debug)]
pub struct Located {
    /// The command.
    pub command: Command,
    /// Its program, then its arguments.
    pub words: Vec<Spanned>,
}

impl Located {
    /// Whether the word at that place is an option or an operand, and no value of the option before it. What stands
    /// behind a word that may be none or several is not known to be either.
    pub fn stands_alone(&self, line: &str, place: usize) -> bool {
        let one = |(span, text): &Spanned| match text {
            Some(text) => Some(text.clone()),
            None => {
                let written = line.get(span.clone()).unwrap_or_default();
                // In quotes, a variable is one word; a list of them need not be.
                (written.starts_with('"') && written.ends_with('"') && !written.contains('@')).then(|| "x".to_owned())
            }
        };
        let words = self.words.iter().skip(1).take(place).map(one).collect::<Option<Vec<String>>>();
        let Some((_, before)) = words.as_deref().and_then(<[String]>::split_last) else { return false };
        let count = |args: &[String]| {
            let shape = options::shape(self.command.name(), args);
            shape.options.len() + shape.operands.len()
        };
        words.as_deref().is_some_and(|all| count(all) > count(before))
    }
}

/// The commands of a line whose words can be told to the byte; none of a line that is not understood as a whole.
pub fn located(line: &str, world: World<'_>) -> Vec<Located> {
    if line.len() > LONGEST || field::shown(line) != line {
        return Vec::new();
    }
    let purse = Cell::new(LEAST_WORK.max(line.len() * WORK_PER_BYTE));
    let shared = Shared { depth: ORDINARY, purse, ..Shared::default() };
    let mut parser = Parser::new(line, 0, &shared, &Rc::default());
    parser.written = Some(Written::default());
    parser.list(End::Input);
    let Written { mut commands, functions } = parser.written.take().unwrap_or_default();
    // What is read twice, as arithmetic and then as commands, counts once.
    commands.sort_by_key(|words| words.first().map(|(span, _)| span.start));
    commands.dedup_by_key(|words| words.first().map(|(span, _)| span.start));
    let renames = |words: &Vec<Spanned>| words.first().is_some_and(|(_, text)| text.as_deref() == Some("alias"));
    if shared.problem.take().is_some() || commands.iter().any(renames) {
        return Vec::new();
    }
    let is_program = |one: &Located| !functions.iter().any(|name| name == one.command.name());
    commands.iter().flat_map(|words| of_words(line, words, world)).filter(is_program).collect()
}

/// The command of these words, and those that it wraps.
fn of_words(line: &str, words: &[Spanned], world: World<'_>) -> Vec<Located> {
    let (Some((first, _)), Some((last, _))) = (words.first(), words.last()) else { return Vec::new() };
    let Some(text) = line.get(first.start..last.end) else { return Vec::new() };
    let analysis = analyse(text, world);
    if !analysis.problem.text().is_empty() {
        return Vec::new();
    }
    let literal = words.iter().all(|(_, text)| text.is_some());
    let located = analysis.commands.into_iter().filter_map(|command| {
        let place = match command.via() {
            [] => 0,
            via if literal && via.iter().all(|wrapper| PLAIN.contains(&wrapper.as_str())) => {
                words.len().checked_sub(command.args().len() + 1)?
            }
            _ => return None,
        };
        let words = words.get(place..)?;
        let is_program = words.first().is_some_and(|(_, text)| text.as_deref() == Some(command.program()));
        is_program.then(|| Located { command, words: words.to_vec() })
    });
    located.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(line: &str) -> Vec<String> {
        let all = located(line, World::default()).into_iter();
        let shown = all.map(|one| {
            let words: Vec<&str> = one.words.iter().filter_map(|(span, _)| line.get(span.clone())).collect();
            words.join("_")
        });
        shown.collect()
    }

    #[test]
    fn words_of_commands_are_found_where_they_stand() {
        assert_eq!(found("python x && echo \"python\""), ["python_x", "echo_\"python\""]);
        assert_eq!(found("A=1 python x | { ls; }"), ["python_x", "ls"]);
        assert_eq!(found("for f in *.py; do python \"$f\"; done"), ["python_\"$f\""]);
        assert_eq!(found("sudo -u me python x"), ["sudo_-u_me_python_x", "python_x"]);
        assert_eq!(found("echo $(python x)"), ["echo_$(python x)", "python_x"]);
        assert_eq!(found("((python)); (python x)"), ["python_x"]);
        assert_eq!(found("'python' x >out -v"), ["'python'_x_-v"]);
    }

    #[test]
    fn what_only_running_would_tell_is_not_found() {
        for line in [
            "$PY x",
            "python() { ls; }; python x",
            "alias python=ls; python x",
            "echo python x | bash",
            "`python x`",
            "cat <<E\npython x\nE",
            "python 'x",
            "eval python x",
        ] {
            assert!(!found(line).iter().any(|words| words.starts_with("python")), "{line}: {:?}", found(line));
        }
        assert_eq!(found("bash -c 'python x' python x"), ["bash_-c_'python x'_python_x"]);
        assert_eq!(found("xargs python < list"), ["xargs_python"]);
        assert_eq!(found("sudo python $x"), ["sudo_python_$x"]);
    }
}
