//! Where output goes: into files that the line may run later, and into `>(…)`.

use std::sync::Arc;

use super::field::{Field, doubted, remember, shown};
use super::flow::Flow;
use super::programs::option_values;
use super::recipes::run_by_itself;
use super::shells::is_input;
use super::walk::{Feed, Output, Walker};
use super::{options, path};

impl Walker<'_> {
    /// Walks what reads from the command that was just followed.
    pub(super) fn fill_outlets(&mut self, name: &str, output: Option<&String>) {
        for list in std::mem::take(&mut self.outlets) {
            let feed = self.output_of(name, output);
            let outer = std::mem::replace(&mut self.feed, feed);
            // Inside, the descriptors still lead to where they led before.
            let opened = std::mem::take(&mut self.opened);
            self.deciding(false, |walker| {
                walker.apart(|walker| walker.within("process substitution", |walker| walker.list(&list)))
            });
            self.opened = opened;
            self.feed = outer;
        }
    }

    /// Remembers what a redirection puts into files.
    pub(super) fn note_files(&mut self, flow: &Flow, name: &str, args: &[Field], output: Option<&String>) {
        if !flow.diverted {
            return;
        }
        for (nth, target) in flow.writes.iter().enumerate() {
            if let ("cat", [file]) = (name, args) {
                self.note_program(&file.text, &target.shown());
            }
            let mut feed = self.output_of(name, output);
            // `cat a > b`: whoever made the one has made the other.
            for made in args.iter().filter_map(|arg| self.written(arg)) {
                remember(Arc::make_mut(&mut feed.from), made.from.iter().cloned());
            }
            self.note_file(&target.shown(), feed, flow.added.contains(&nth));
        }
    }

    /// Remembers what a program writes into files that its own words name.
    pub(super) fn note_saved(&mut self, name: &str, args: &[Field]) {
        let operands = || args.iter().filter(|arg| !arg.text.starts_with('-')).map(Field::shown);
        let last_part = |url: String| url.rsplit('/').next().unwrap_or_default().to_owned();
        let named = |letter, long| option_values(args, letter, &[long]).into_iter().map(shown).collect();
        let files: Vec<String> = match name {
            "cp" | "mv" | "ln" | "install" => return self.note_copies(name, args),
            "gunzip" | "unxz" | "bunzip2" | "unzstd" => return self.note_unpacked(args),
            "tee" => operands().collect(),
            "curl" => {
                let mut files: Vec<String> = named("o", "output");
                let by_url = |arg: &Field| arg.text == "--remote-name" || is_cluster_with(&arg.text, 'O');
                files.extend(operands().filter(|_| args.iter().any(by_url)).map(last_part));
                files
            }
            "axel" | "http" | "https" | "xh" | "httpie" => named("o", "output"),
            _ => return,
        };
        let input = self.feed.input.clone().filter(|_| name == "tee");
        let added = name == "tee" && args.iter().any(|arg| arg.text == "--append" || is_cluster_with(&arg.text, 'a'));
        for file in files {
            let feed = self.output_of(name, input.as_ref());
            self.note_file(&file, feed, added);
        }
    }

    /// Notes what the files that a command reads were made by.
    pub(super) fn note_sources(&mut self, index: usize, words: &[Field]) {
        if self.files.is_empty() {
            return;
        }
        let mut sources = Vec::new();
        for word in words {
            remember(&mut sources, self.written(word).map(|feed| feed.from.to_vec()).unwrap_or_default());
        }
        if let Some(command) = self.commands.get_mut(index) {
            remember(&mut command.sources, sources);
        }
    }

    /// Remembers what other programs write, by the table of what they do.
    pub(super) fn note_written(&mut self, name: &str, args: &[Field]) {
        const NOTED: &[&str] = &[
            "scp", "rsync", "gh", "aws", "gsutil", "split", "dd", "sponge", "sed", "awk", "gawk", "sftp", "rclone",
            "wget", "wget2", "aria2c", "docker", "podman",
        ];
        if !NOTED.contains(&name) {
            return;
        }
        let words: Vec<String> = args.iter().map(Field::shown).collect();
        if name == "rsync" && !words.iter().any(|word| word.contains(':')) {
            return;
        }
        let given = |key: &str| words.iter().find_map(|word| word.strip_prefix(key));
        if let ("dd", Some(from), Some(to)) = (name, given("if="), given("of=")) {
            self.note_program(from, to);
        }
        // The names that other commands of the line would use are those from where it begins.
        let base = format!("{}/", self.base.trim_end_matches('/'));
        let folder = path::join(&self.base, &self.state.folder());
        let places = super::effects::written_by(name, &words, &folder);
        let places = places.into_iter().map(|place| place.strip_prefix(&base).map(str::to_owned).unwrap_or(place));
        let input = self.feed.input.clone();
        for place in places.filter(|place| !place.ends_with(super::WHOLE)).collect::<Vec<_>>() {
            let feed = self.output_of(name, input.as_ref());
            self.note_path(place, feed, false);
        }
    }

    /// A command that is given a link which the line has made reaches what that leads to.
    pub(super) fn through_links(&mut self, name: &str, fields: &[Field]) {
        if name == "ln" {
            let operands: Vec<String> =
                fields.iter().skip(1).filter(|field| !field.text.starts_with('-')).map(Field::shown).collect();
            if let [target, link] = operands.as_slice() {
                let folder = self.state.folder();
                self.links.insert(path::join(&folder, link), path::join(&folder, target));
            }
            return;
        }
        if self.links.is_empty() || !self.guess.is_empty() {
            return;
        }
        let folder = self.state.folder();
        let led = |field: &Field| {
            let path = path::join(&folder, &field.shown());
            self.links.iter().find_map(|(link, target)| {
                // A link that is itself removed leaves what it leads to alone.
                let rest = path.strip_prefix(link.as_str())?.strip_prefix('/')?;
                Some(Field { text: format!("{}/{rest}", target.trim_end_matches('/')), ..field.clone() })
            })
        };
        let words: Vec<Option<Field>> = fields.iter().map(led).collect();
        if words.iter().any(Option::is_some) {
            let words = fields.iter().zip(words).map(|(field, led)| led.unwrap_or_else(|| field.clone())).collect();
            self.possibly("link", |walker| drop(walker.apart(|walker| walker.run(words, &Flow::default()))));
        }
    }

    /// What the line has written is also in the copies of it.
    fn note_copies(&mut self, name: &str, args: &[Field]) {
        let folder = option_values(args, "t", &["target-directory"]).first().map(|folder| shown(folder));
        let words: Vec<String> = args.iter().map(Field::shown).collect();
        let mut files = options::shape(name, &words).operands;
        let Some(target) = folder.or_else(|| files.pop()) else { return };
        for file in files {
            let name = file.rsplit('/').next().unwrap_or_default();
            // Whether the target is a folder is not known: what is copied may lie at either place.
            self.note_program(&file, &target);
            self.note_program(&file, &format!("{target}/{name}"));
            let content = if is_input(&file) { Some(self.feed.clone()) } else { self.content(&file).cloned() };
            let Some(feed) = content else { continue };
            self.note_file(&format!("{target}/{name}"), feed.clone(), false);
            self.note_file(&target, feed, false);
        }
    }

    /// `gunzip a.gz` leaves `a`, which is from whoever made the archive.
    fn note_unpacked(&mut self, args: &[Field]) {
        for file in args.iter().map(Field::shown) {
            let Some((unpacked, _)) = file.rsplit_once('.') else { continue };
            if let Some(from) = self.content(&file).map(|feed| Arc::clone(&feed.from)) {
                self.note_file(unpacked, Feed { input: None, from }, false);
            }
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
        self.content(&file.shown())
    }

    fn content(&self, file: &str) -> Option<&Feed> {
        if self.files.is_empty() {
            return None;
        }
        self.files.get(&path::join(&self.state.folder(), file))
    }

    /// Notes that a file is read which the line may write later: a pipe with a name, a loop, a job in the background.
    pub(super) fn await_file(&mut self, file: &Field) {
        const MOST: usize = 16;
        let waits = file.is_known() && !path::is_device(&file.text) && self.written(file).is_none();
        if waits && self.awaited.len() < MOST {
            let path = path::join(&self.state.folder(), &file.text);
            if !self.awaited.contains(&path) {
                self.awaited.push(path);
            }
        }
    }

    /// What was written after a shell had begun to read it.
    pub(super) fn run_awaited(&mut self) {
        if !self.commands.iter().any(|command| matches!(command.runs, "input" | "file")) {
            return;
        }
        for path in std::mem::take(&mut self.awaited) {
            if let Some(code) = self.files.get(&path).and_then(|feed| feed.input.clone()) {
                self.deciding(false, |walker| drop(walker.inner_script(&path, &doubted(code))));
            }
        }
    }

    /// Remembers that a file is a program under another name.
    pub(super) fn note_program(&mut self, file: &str, copy: &str) {
        const FOLDERS: &[&str] = &["/bin/", "/sbin/", "/usr/bin/", "/usr/sbin/", "/usr/local/bin/"];
        let file = shown(file);
        let named =
            FOLDERS.iter().find_map(|folder| file.strip_prefix(folder)).or((!file.contains('/')).then_some(&*file));
        if let Some(program) = named.filter(|program| super::effects::is_known(program)) {
            self.copies.insert(path::join(&self.state.folder(), copy), program.to_owned());
        }
    }

    /// Follows a program that the line has put under another name.
    pub(super) fn run_copy(&mut self, fields: &[Field]) {
        let Some((program, args)) = fields.split_first().filter(|_| !self.copies.is_empty()) else { return };
        if let Some(name) = self.copies.get(&path::join(&self.state.folder(), &program.shown())).cloned() {
            let words: Vec<Field> = std::iter::once(Field::known(name)).chain(args.iter().cloned()).collect();
            self.inner_command(&program.shown(), &words);
        }
    }

    /// Follows a program that is itself a file which the line has written.
    pub(super) fn run_written(&mut self, program: &Field, index: usize) {
        if program.text.contains('/')
            && let Some(code) = self.written_code(program, index)
        {
            let outer = self.zeroth.replace(program.clone());
            self.inner_script(&program.shown(), &code);
            self.zeroth = outer;
        }
    }

    /// Remembers what is written into a file, instead of what it holds or after that.
    pub(super) fn note_file(&mut self, file: &str, feed: Feed, added: bool) {
        self.note_path(path::join(&self.state.folder(), file), feed, added);
    }

    fn note_path(&mut self, path: String, mut feed: Feed, added: bool) {
        if path::is_device(&path) {
            return;
        }
        if let Some(text) = feed.input.as_ref() {
            for code in run_by_itself(&path, text) {
                self.inner_script(&path, &doubted(code));
            }
        }
        self.shared.pay(path.len() + feed.input.as_ref().map_or(0, String::len));
        let sure = self.branches == 0;
        let before = self.files.remove(&path).filter(|_| added || !sure);
        // In a branch it may never be written, and what is added to a file is not all that is in it.
        if !sure || added && before.is_none() {
            feed.input = feed.input.map(doubted);
        }
        let now = match before {
            Some(before) => together(before, feed),
            None => feed,
        };
        self.files.insert(path, now);
    }

    /// What a command prints, as another one would read it.
    fn output_of(&self, name: &str, output: Option<&String>) -> Feed {
        let mut from = self.feed.from.to_vec();
        remember(&mut from, Some(name.to_owned()).filter(|name| !name.is_empty()));
        let input: Output = output.cloned();
        self.shared.pay(input.as_ref().map_or(0, String::len));
        Feed { input, from: Arc::new(from) }
    }
}

/// What two commands have put into one file.
fn together(before: Feed, more: Feed) -> Feed {
    let input = match (before.input, more.input) {
        (Some(mut all), Some(more)) => {
            all.push_str(&more);
            Some(all)
        }
        // What is known of a file is followed, even if that is not all.
        (known, None) | (None, known) => known.map(doubted),
    };
    let mut from = before.from;
    remember(Arc::make_mut(&mut from), more.from.iter().cloned());
    Feed { input, from }
}

fn is_cluster_with(text: &str, letter: char) -> bool {
    text.strip_prefix('-').is_some_and(|cluster| !cluster.starts_with('-') && cluster.contains(letter))
}
