//! What a command does to files, as far as its own words tell.
//!
//! One table says it of each program (`programs`), in terms of a few acts (`act`); what needs more than a line is beside
//! it (`copy`, `git`, `archive`, …). Paths are resolved as `paths` are. Where only running would tell which files below a
//! folder are meant, the folder stands there with `/**`. Nothing is guessed from the disk: a place that may be meant is
//! listed, since guards must see what could happen.

mod act;
mod archive;
mod code;
mod container;
mod copy;
mod fetch;
mod git;
mod programs;
mod search;
mod words;

pub(super) use code::Code;
pub(super) use search::{printed, prints_places};

use super::options::Shape;
use super::wrappers;
use words::Words;

/// Whether what the program does to files is known.
pub(super) fn is_known(name: &str) -> bool {
    programs::named(name).is_some() || wrappers::is_known(name)
}

/// The places that a program writes, as far as its words tell.
pub(super) fn written_by(name: &str, args: &[String], folder: &str) -> Vec<String> {
    Effects::of(&Subject { name, args, folder, ..Subject::default() }).writes
}

/// Whether the program is known to change files.
pub(super) fn changes_something(name: &str) -> bool {
    programs::named(name).is_some_and(|program| program.acts.iter().any(act::Act::changes))
}

/// Ends a path that stands for everything below the folder before it.
pub const WHOLE: &str = "/**";

/// What becomes of files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Effects {
    /// Looked into.
    pub(super) reads: Vec<String>,
    /// Created, or given another content as a whole.
    pub(super) writes: Vec<String>,
    /// Changed where they are.
    pub(super) modifies: Vec<String>,
    /// Gone from where they were.
    pub(super) deletes: Vec<String>,
    /// Whether it is known what the program does with the files that it is given.
    pub(super) known: bool,
}

/// What an effect is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Reads,
    Writes,
    Modifies,
    Deletes,
}

use Kind::{Deletes, Modifies, Reads, Writes};

/// What is known of a command that has effects.
#[derive(Default)]
pub(super) struct Subject<'c> {
    pub(super) name: &'c str,
    pub(super) args: &'c [String],
    /// The same by role, if somebody has sorted them.
    pub(super) shape: Option<&'c Shape>,
    /// The folder that it runs in.
    pub(super) folder: &'c str,
    /// Files that it is redirected from.
    pub(super) inputs: &'c [String],
    /// Files that it is redirected to.
    pub(super) outputs: &'c [String],
    /// Where a shell or an interpreter takes its code from.
    pub(super) runs: &'static str,
    pub(super) input: &'c str,
    /// The catalog says that it deletes what it is given.
    pub(super) deleter: bool,
    /// Its words that only running would tell, and the places where a search has found them.
    pub(super) unresolved: &'c [String],
    pub(super) searched: &'c [String],
}

impl Effects {
    /// The effects of a command.
    pub(super) fn of(subject: &Subject<'_>) -> Self {
        let mut effects = Self::default();
        let words = Words::new(subject);
        // `<(…)` is no file.
        for input in subject.inputs.iter().filter(|input| !input.starts_with("<(")) {
            effects.add(Reads, words.path(input));
        }
        for output in subject.outputs {
            effects.add(Writes, words.path(output));
        }
        effects.program(&words);
        if subject.deleter {
            words.operands().iter().for_each(|operand| effects.add(Deletes, words.path(operand)));
        }
        match subject.runs {
            "text" => effects.code(&words, Code::of_words(subject.name, subject.args)),
            "input" => effects.code(&words, Code::of(subject.name, subject.input)),
            "file" => {
                effects.known = false;
                archive::module(&words, &mut effects);
            }
            _ => {}
        }
        if !subject.searched.is_empty() {
            effects.reach(&words, subject);
        }
        effects
    }

    /// What is done to a word that a search has found is done where it searched.
    fn reach(&mut self, words: &Words<'_>, subject: &Subject<'_>) {
        let found: Vec<String> = subject.unresolved.iter().map(|word| words.path(word)).collect();
        for places in [&mut self.writes, &mut self.modifies, &mut self.deletes] {
            if places.iter().any(|place| found.contains(place)) {
                places.extend_from_slice(subject.searched);
            }
        }
    }

    /// Gives places of a container the names that they have outside.
    pub(super) fn seen_from(&mut self, place: &super::place::Place) {
        if place.image.is_empty() {
            return;
        }
        let changed = self.writes.iter_mut().chain(&mut self.modifies).chain(&mut self.deletes);
        for path in changed.chain(&mut self.reads) {
            *path = place.here(path);
        }
    }

    fn program(&mut self, words: &Words<'_>) {
        match programs::named(words.name) {
            Some(program) => {
                self.known = true;
                program.acts.iter().for_each(|act| act.perform(words, self));
            }
            None => {
                self.known = wrappers::is_known(words.name);
                if !self.known {
                    for act in programs::UNKNOWN {
                        act.perform(words, self);
                    }
                }
            }
        }
    }

    /// What an interpreter's code does; a code that changes nothing leaves its arguments alone, too.
    fn code(&mut self, words: &Words<'_>, code: Code) {
        self.known = true;
        for place in code.changed {
            self.add(Modifies, words.path(&place));
            if code.below {
                self.add_whole(Modifies, &words.path(&place));
            }
            if code.deletes {
                self.add(Deletes, words.path(&place));
            }
        }
    }

    fn add(&mut self, kind: Kind, path: String) {
        let places = match kind {
            Reads => &mut self.reads,
            Writes => &mut self.writes,
            Modifies => &mut self.modifies,
            Deletes => &mut self.deletes,
        };
        if !path.is_empty() && !places.contains(&path) {
            places.push(path);
        }
    }

    /// Everything below the folder.
    fn add_whole(&mut self, kind: Kind, folder: &str) {
        self.add(kind, format!("{}{WHOLE}", folder.trim_end_matches('/')));
    }
}

#[cfg(test)]
mod tests {
    use crate::shell::{World, analyse};

    /// What the commands of a line do in `/w`, as one would say it.
    pub(super) fn told(line: &str) -> String {
        let analysis = analyse(line, World { home: "/home/u", cwd: "/w", ..World::default() });
        let all = |part: fn(&crate::shell::Command) -> &[String]| {
            let places = analysis.commands.iter().flat_map(part).map(|path| path.strip_prefix("/w/").unwrap_or(path));
            places.collect::<Vec<_>>().join(" ")
        };
        let kinds = [
            ("reads", all(crate::shell::Command::reads)),
            ("writes", all(crate::shell::Command::writes)),
            ("modifies", all(crate::shell::Command::modifies)),
            ("deletes", all(crate::shell::Command::deletes)),
        ];
        let said =
            kinds.iter().filter(|(_, places)| !places.is_empty()).map(|(kind, places)| format!("{kind} {places}"));
        said.collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn redirections_count_wherever_the_command_stands() {
        assert_eq!(told("echo x > a"), "writes a");
        assert_eq!(told("cd d && sudo sh -c 'echo x >> a' 2> /dev/null"), "writes /dev/null d/a");
        assert_eq!(told("{ echo x; } > a"), "writes a");
        assert_eq!(told("cat < a"), "reads a");
    }

    #[test]
    fn a_program_that_nobody_knows_writes_what_it_is_told_to() {
        assert_eq!(told("mystery --output=a b"), "writes a");
        assert_eq!(told("mystery -o a b"), "writes a");
        assert_eq!(told("mystery a"), "");
    }

    #[test]
    fn it_is_said_whether_the_program_is_known() {
        let known = |line: &str| analyse(line, World::default()).commands.iter().all(crate::shell::Command::understood);
        for line in
            ["cat a", "sudo cat a", "rm a", "git status", "python3 -c 'print(1)' a", "env A=1 ls", "find . -name a"]
        {
            assert!(known(line), "{line}");
        }
        for line in ["mystery a", "python3 mystery.py a", "bash mystery.sh a", "sudo mystery a"] {
            assert!(!known(line), "{line}");
        }
    }
}
