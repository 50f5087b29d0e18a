//! Shells, and builtins that run text: where their code comes from, and what it does.

use std::rc::Rc;

use super::field::{Field, HOLE, remember};
use super::programs::{SHELLS, option_values};
use super::walk::{Feed, Walker};

/// How a shell was started.
#[derive(Debug, Default)]
struct Started {
    /// `-c`: the first operand is the code.
    code: bool,
    /// `-s`: operands are arguments, the code comes in on standard input.
    input: bool,
    /// `-n`: reads and does not run.
    idle: bool,
    /// What `set` would be told as well.
    options: Vec<Field>,
    /// Files that are read before anything else.
    start_up: Vec<Field>,
    /// Code in options of its own, as fish has them.
    inline: Vec<String>,
    operands: Vec<Field>,
}

/// Shells to which `((…))` may be a shell in a shell and no arithmetic.
const WITHOUT_ARITHMETIC: &[&str] = &["sh", "dash", "ash", "posh"];

impl Walker<'_> {
    /// What stands in `((…))`: commands, if the shell that reads it knows no arithmetic there.
    pub(super) fn in_parentheses(&mut self, text: &str) {
        let shell = self.via.iter().rev().find(|how| SHELLS.contains(&how.as_str()));
        if shell.is_some_and(|shell| WITHOUT_ARITHMETIC.contains(&shell.as_str())) {
            self.perhaps(|walker| walker.apart(|walker| drop(walker.script(text))));
        }
    }

    /// Follows a shell, `eval` or `source`; `false` if it is none.
    pub(super) fn shell(&mut self, name: &str, args: &[Field], index: usize) -> bool {
        match name {
            "eval" => {
                let mut all = Field::default();
                for (nth, arg) in args.iter().filter(|arg| arg.text != "--").enumerate() {
                    if nth > 0 {
                        all.text.push(' ');
                    }
                    all.join(arg);
                }
                self.runs(index, "text", &all.origins);
                self.note_script(index, &all.text);
                self.within("eval", |walker| walker.script(&all.text));
            }
            "source" | "." => match args.iter().find(|arg| arg.text != "--") {
                Some(file) if is_input(&file.text) => self.code_from_input(name, index),
                Some(file) if self.descriptor_text(&file.text).is_some() => {
                    let code = self.descriptor_text(&file.text).unwrap_or_default();
                    self.runs(index, "text", &[]);
                    self.within(name, |walker| walker.script(&code));
                }
                Some(file) => {
                    self.runs(index, "file", &file.origins);
                    match self.written_code(file, index) {
                        Some(code) => drop(self.within(name, |walker| walker.script(&code))),
                        None => self.await_file(file),
                    }
                }
                None => {}
            },
            "at" | "batch" => match option_values(args, "f", &["file"]).first().map(Field::known_ref) {
                Some(file) if !is_input(&file.text) => {
                    if let Some(code) = self.written_code(&file, index) {
                        self.inner_script(name, &code);
                    }
                }
                _ => self.code_from_input(name, index),
            },
            _ if SHELLS.contains(&name)
                || name == crate::powershell::RUNNING
                || self.world.declared.shells.contains(&name) =>
            {
                self.started_shell(name, args, index);
            }
            _ => return false,
        }
        true
    }

    /// What can be read at `/dev/fd/…`, or from the descriptor with that number.
    pub(super) fn descriptor_text(&self, file: &str) -> Option<String> {
        let folders = ["/dev/fd/", "/proc/self/fd/"];
        let number = folders.iter().find_map(|folder| file.strip_prefix(folder)).unwrap_or(file);
        let number = if number.starts_with(HOLE) { -1 } else { number.parse().ok()? };
        self.descriptors.get(&number).cloned()
    }

    fn started_shell(&mut self, name: &str, args: &[Field], index: usize) {
        let started = if name == "fish" { fish(args) } else { posix(args) };
        if started.idle {
            return;
        }
        let mark = self.state.mark();
        self.state.level += 1;
        self.switch(&started.options);
        self.state.level -= 1;
        self.run_started(name, &started, index);
        self.state.roll_back(mark);
    }

    fn run_started(&mut self, name: &str, started: &Started, index: usize) {
        for file in &started.start_up {
            if let Some(code) = self.written_code(file, index) {
                self.inner_script(name, &code);
            }
        }
        for code in &started.inline {
            self.runs(index, "text", &[]);
            self.inner_script(name, code);
        }
        let mut operands = started.operands.iter();
        if started.code {
            if let Some(code) = operands.next() {
                self.runs(index, "text", &code.origins);
                self.note_script(index, &code.text);
                // Nushell marks programs that are none of its own.
                let plain = code.text.replace('^', "");
                let text = if name == "nu" { &plain } else { &code.text };
                let zeroth = operands.next().cloned();
                let arguments = operands.cloned().collect();
                self.with_arguments(zeroth, arguments, |walker| drop(walker.inner_script(name, text)));
            }
            return;
        }
        if !started.inline.is_empty() {
            return;
        }
        match operands.next() {
            Some(file) if !started.input && !is_input(&file.text) => {
                self.runs(index, "file", &file.origins);
                let held = self.descriptor_text(&file.text).filter(|_| file.text.starts_with('/'));
                match self.written_code(file, index).or(held) {
                    Some(code) => {
                        self.with_arguments(Some(file.clone()), operands.clone().cloned().collect(), |walker| {
                            drop(walker.inner_script(name, &code));
                        });
                    }
                    None => self.await_file(file),
                }
                // An option that cannot be known may well be the one that makes the next word code.
                if let (false, Some(code)) = (file.is_resolved(), operands.next())
                    && code.text.contains(' ')
                {
                    self.inner_script(name, &code.text);
                }
            }
            first => {
                let skip = usize::from(first.is_some() && !started.input);
                let arguments = started.operands.get(skip..).unwrap_or_default().to_vec();
                self.with_arguments(None, arguments, |walker| walker.code_from_input(name, index));
            }
        }
    }

    fn with_arguments(&mut self, zeroth: Option<Field>, arguments: Vec<Field>, walk: impl FnOnce(&mut Self)) {
        let outer_zeroth = std::mem::replace(&mut self.zeroth, zeroth);
        let outer = self.positional.replace(Rc::new(arguments));
        walk(self);
        self.positional = outer;
        self.zeroth = outer_zeroth;
    }

    /// Code that arrives on standard input.
    pub(super) fn code_from_input(&mut self, name: &str, index: usize) {
        self.runs(index, "input", &[]);
        if let Some(input) = self.feed.input.clone() {
            let feed = std::mem::take(&mut self.feed);
            self.note_script(index, &input);
            self.inner_script(name, &input);
            self.feed = feed;
        }
    }

    /// Notes the code that a command is given.
    pub(super) fn note_script(&mut self, index: usize, code: &str) {
        self.shared.pay(code.len());
        if let Some(command) = self.commands.get_mut(index) {
            command.script = super::field::shown(code);
        }
    }

    /// Notes who made the code that a command takes from files or pipes, if the line tells.
    pub(super) fn takes_code(&mut self, index: usize, feed: &Feed) {
        if let Some(command) = self.commands.get_mut(index) {
            remember(&mut command.code_from, feed.from.iter().cloned());
        }
    }

    /// Notes where a command takes code from, and whose output that code is.
    pub(super) fn runs(&mut self, index: usize, from: &'static str, origins: &[String]) {
        if let Some(command) = self.commands.get_mut(index) {
            command.runs = from;
            let piped = if from == "input" { command.piped_from.as_slice() } else { &[] };
            for origin in origins.iter().chain(piped) {
                if !command.code_from.contains(origin) {
                    command.code_from.push(origin.clone());
                }
            }
        }
    }
}

pub(super) fn is_input(file: &str) -> bool {
    matches!(file, "-" | "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0")
}

fn posix(args: &[Field]) -> Started {
    let mut started = Started::default();
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        let text = arg.text.as_str();
        match text {
            "--" | "-" if text == "--" || started.code => {
                started.operands.extend(rest.by_ref().cloned());
                break;
            }
            "--rcfile" | "--init-file" => started.start_up.extend(rest.next().cloned()),
            _ if text.starts_with("--") => {}
            _ if text.len() > 1 && text.starts_with(['-', '+']) => {
                let on = text.starts_with('-');
                let cluster = text.get(1..).unwrap_or_default();
                let flags = cluster.split(['o', 'O']).next().unwrap_or_default();
                started.code |= on && flags.contains('c');
                started.input |= on && flags.contains('s');
                if flags.contains('n') {
                    started.idle = on;
                }
                started.options.push(arg.clone());
                if cluster.ends_with(['o', 'O']) {
                    started.options.extend(rest.next().cloned());
                }
            }
            _ => {
                started.operands.push(arg.clone());
                started.operands.extend(rest.by_ref().cloned());
            }
        }
    }
    started
}

fn fish(args: &[Field]) -> Started {
    let mut started = Started::default();
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        let text = arg.text.as_str();
        if let Some(long) = text.strip_prefix("--") {
            let (name, value) =
                long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value.to_owned())));
            if !name.is_empty() && ["command", "init-command"].iter().any(|known| known.starts_with(name)) {
                started.inline.extend(value.or_else(|| rest.next().map(|next| next.text.clone())));
            } else if name == "no-execute" {
                started.idle = true;
            }
        } else if let Some(cluster) = text.strip_prefix('-').filter(|cluster| !cluster.is_empty()) {
            match cluster.split_once(['c', 'C']) {
                Some((_, "")) => started.inline.extend(rest.next().map(|next| next.text.clone())),
                Some((_, code)) => started.inline.push(code.to_owned()),
                None => started.idle |= cluster.contains('n'),
            }
        } else {
            started.operands.push(arg.clone());
            started.operands.extend(rest.by_ref().cloned());
        }
    }
    started
}
