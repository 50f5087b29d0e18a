//! Where output goes: into files that the line may run later, and into `>(…)`.

use std::sync::Arc;

use super::field::Field;
use super::flow::Flow;
use super::path;
use super::programs::option_values;
use super::walk::{Feed, Output, Walker};

/// Files that are remembered.
const MOST_FILES: usize = 64;

impl Walker<'_> {
    /// Walks what reads from the command that was just followed.
    pub(super) fn fill_outlets(&mut self, name: &str, output: Option<&String>) {
        for list in std::mem::take(&mut self.outlets) {
            let feed = self.output_of(name, output);
            let outer = std::mem::replace(&mut self.feed, feed);
            // Inside, the descriptors still lead to where they led before.
            let opened = std::mem::take(&mut self.opened);
            self.apart(|walker| walker.within("process substitution", |walker| walker.list(&list)));
            self.opened = opened;
            self.feed = outer;
        }
    }

    /// Remembers what a redirection puts into files.
    pub(super) fn note_files(&mut self, flow: &Flow, name: &str, output: Option<&String>) {
        if !flow.diverted {
            return;
        }
        for target in &flow.writes {
            let feed = self.output_of(name, output);
            self.note_file(&target.shown(), feed);
        }
    }

    /// Remembers what a program writes into files that its own words name.
    pub(super) fn note_saved(&mut self, name: &str, args: &[Field]) {
        let operands = || args.iter().filter(|arg| !arg.text.starts_with('-')).map(Field::shown);
        let last_part = |url: String| url.rsplit('/').next().unwrap_or_default().to_owned();
        let named = |letter, long| option_values(args, letter, &[long]).into_iter().map(super::field::shown).collect();
        let files: Vec<String> = match name {
            "tee" => operands().collect(),
            "curl" => {
                let mut files: Vec<String> = named("o", "output");
                let by_url = |arg: &Field| arg.text == "--remote-name" || is_cluster_with(&arg.text, 'O');
                files.extend(operands().filter(|_| args.iter().any(by_url)).map(last_part));
                files
            }
            "wget" => {
                let files: Vec<String> = named("O", "output-document");
                if files.is_empty() { operands().map(last_part).collect() } else { files }
            }
            _ => return,
        };
        let input = self.feed.input.clone().filter(|_| name == "tee");
        for file in files {
            let feed = self.output_of(name, input.as_ref());
            self.note_file(&file, feed);
        }
    }

    /// The code in a file that the line has written; whose output it is is noted at the command that runs it.
    pub(super) fn written_code(&mut self, file: &Field, index: usize) -> Option<String> {
        let written = self.written(file)?.clone();
        self.runs(index, "file", &written.from);
        written.input
    }

    /// What a file holds that the line has written, or a substitution in the place of one.
    pub(super) fn written(&self, file: &Field) -> Option<&Feed> {
        if self.files.is_empty() {
            return None;
        }
        self.files.get(&path::join(&self.state.folder(), &file.shown()))
    }

    /// Follows a program that is itself a file which the line has written.
    pub(super) fn run_written(&mut self, program: &Field, index: usize) {
        if program.text.contains('/')
            && let Some(code) = self.written_code(program, index)
        {
            self.inner_script(&program.shown(), &code);
        }
    }

    pub(super) fn note_file(&mut self, file: &str, feed: Feed) {
        let path = path::join(&self.state.folder(), file);
        if self.files.len() >= MOST_FILES || path.starts_with("/dev/") {
            return;
        }
        self.shared.pay(path.len() + feed.input.as_ref().map_or(0, String::len));
        self.files.insert(path, feed);
    }

    /// What a command prints, as another one would read it.
    fn output_of(&self, name: &str, output: Option<&String>) -> Feed {
        let mut from = self.feed.from.to_vec();
        from.extend(Some(name.to_owned()).filter(|name| !name.is_empty()));
        let input: Output = output.cloned();
        self.shared.pay(input.as_ref().map_or(0, String::len));
        Feed { input, from: Arc::new(from) }
    }
}

fn is_cluster_with(text: &str, letter: char) -> bool {
    text.strip_prefix('-').is_some_and(|cluster| !cluster.starts_with('-') && cluster.contains(letter))
}
