//! What a case leaves for others to compare: everything that was said, and the world as it is in the end.

use std::fs;

use camino::{Utf8Path, Utf8PathBuf};

use super::audit;
use super::run::Run;
use super::world::World;

/// All that a case brought about, without what is different in every run: folders, times, and the ids of log lines.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Witnessed {
    facts: Vec<String>,
}

impl Witnessed {
    /// What the runs of a step said; those that ran at once, in no order.
    pub(super) fn step(&mut self, world: &World, number: usize, runs: &[Run]) {
        let mut said: Vec<String> = runs
            .iter()
            .map(|run| {
                let text = |bytes: &[u8]| masked(&world.hide(&String::from_utf8_lossy(bytes)));
                let (stdout, stderr) = (text(&run.answer.stdout), text(&run.answer.stderr));
                format!("step {number}: {}, stdout {stdout:?}, stderr {stderr:?}", run.answer.end)
            })
            .collect();
        said.sort();
        self.facts.extend(said);
    }

    /// The world at the end of the case: files of the project, state, exports and decisions.
    pub(super) fn world(&mut self, world: &World) {
        let mut files = Vec::new();
        for folder in [&world.project, &world.data] {
            list(folder, &mut files);
        }
        files.push(world.env_file.clone());
        files.sort();
        for file in files.iter().filter(|file| is_compared(file)) {
            let Ok(bytes) = fs::read(file) else { continue };
            let text = masked(&world.hide(&String::from_utf8_lossy(&bytes)));
            self.facts.push(format!("file {}: {text:?}", masked(&world.hide(file.as_str()))));
        }
        let mut decisions: Vec<String> = audit::decisions(&world.data)
            .iter()
            .map(|decided| format!("log: {}", masked(&world.hide(&decided.to_string()))))
            .collect();
        decisions.sort();
        self.facts.extend(decisions);
    }

    /// What one has and the other has not.
    pub(super) fn differences(&self, other: &Self, names: [&str; 2]) -> Vec<String> {
        let only = |one: &Self, other: &Self, name: &str| -> Vec<String> {
            let lacking = one.facts.iter().filter(|fact| !other.facts.contains(fact));
            lacking.map(|fact| format!("{name} only: {fact}")).collect()
        };
        [only(self, other, names[0]), only(other, self, names[1])].concat()
    }
}

/// Logs are compared by what they decided; locks and git's own files hold nothing that a hook says.
fn is_compared(file: &Utf8Path) -> bool {
    let in_git = file.components().any(|part| part.as_str() == ".git");
    !in_git && !matches!(file.extension(), Some("log" | "lock" | "jsonl"))
}

fn list(folder: &Utf8Path, files: &mut Vec<Utf8PathBuf>) {
    let Ok(entries) = folder.read_dir_utf8() else { return };
    for entry in entries.flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => list(entry.path(), files),
            Ok(kind) if kind.is_file() => files.push(entry.into_path()),
            _ => {}
        }
    }
}

/// The text with every number of more than three digits, and every part of a date or a time of day, made alike.
fn masked(text: &str) -> String {
    let mut masked = String::new();
    let mut digits = String::new();
    for letter in text.chars().chain(['\0']) {
        if letter.is_ascii_digit() {
            digits.push(letter);
            continue;
        }
        let ends = |end: &str| masked.ends_with(end);
        let clock = digits.len() == 2 && (letter == ':' || ends("#:") || ends("#-"));
        let fraction = !digits.is_empty() && ends("#.");
        masked.push_str(if digits.len() > 3 || clock || fraction { "#" } else { &digits });
        digits.clear();
        if letter != '\0' {
            masked.push(letter);
        }
    }
    masked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_alike_and_counts_are_not() {
        assert_eq!(masked("at 2026-02-12T10:11:12.5Z"), masked("at 2027-03-13T20:31:59.123Z"));
        assert_ne!(masked("used 3 of 5"), masked("used 4 of 5"));
        assert_ne!(masked("{\"used\":3}"), masked("{\"used\":4}"));
    }

    #[test]
    fn what_only_one_has_is_named() {
        let of = |facts: &[&str]| Witnessed { facts: facts.iter().map(|fact| (*fact).to_owned()).collect() };
        assert_eq!(of(&["a", "b"]).differences(&of(&["a", "b"]), ["one", "two"]), Vec::<String>::new());
        assert_eq!(of(&["a"]).differences(&of(&["b"]), ["one", "two"]), ["one only: a", "two only: b"]);
    }
}
