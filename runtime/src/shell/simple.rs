//! Simple commands: written down, then followed into whatever they start.

use std::rc::Rc;
use std::sync::Arc;

use super::command::Found;
use super::field::{Field, HOLE};
use super::flow::Flow;
use super::programs::COMMAND_VARIABLES;
use super::state::Value;
use super::syntax::{Assign, Part, Redirect, Value as Written, Word};
use super::walk::{Output, Walker};
use super::{effects, path, programs};

/// Calls of functions within functions that are followed.
const DEEPEST_CALL: usize = 24;

/// Searches of a line whose places are kept for what is done to what they find.
const MOST_SEARCHES: usize = 16;

impl Walker<'_> {
    pub(super) fn simple(&mut self, assigns: &[Assign], words: &[Word], redirects: &[Redirect]) -> Output {
        let fields = self.fields(words);
        let values: Vec<(String, Value)> = assigns.iter().map(|assign| self.assigned_value(assign)).collect();
        let mut flow = self.flow(redirects);
        if fields.first().is_some_and(|first| first.text == "exec") {
            self.opened.extend(flow.opened.drain(..));
            self.kept.extend(flow.files.drain(..));
        }
        for (name, value) in &values {
            self.command_variable(name, value);
        }
        let outer = flow.feed.clone().map(|feed| std::mem::replace(&mut self.feed, feed));
        let lasting = fields.first().is_none_or(|first| programs::DECLARING.contains(&first.text.as_str()));
        let before: Vec<_> = values.iter().map(|(name, _)| (name.clone(), self.state.slot(name))).collect();
        for (name, value) in values {
            if lasting { self.state.set(&name, value) } else { self.state.set_exported(&name, value) }
        }
        let env = before.iter().filter(|_| !lasting).map(|(name, _)| self.assignment_text(name)).collect();
        let outer_env = std::mem::replace(&mut self.env, env);
        let output = self.run(fields, &flow);
        self.env = outer_env;
        if !lasting {
            before.into_iter().rev().for_each(|(name, value)| self.state.restore(&name, value));
        }
        if let Some(outer) = outer {
            self.feed = outer;
        }
        output
    }

    fn assigned_value(&mut self, assign: &Assign) -> (String, Value) {
        let name = assign.name.clone();
        let old = if assign.append { self.state.get(&name).cloned() } else { None };
        let value = match &assign.value {
            Written::One(word) => {
                let field = self.whole(word);
                // After a colon a tilde counts in a value, and nowhere else.
                let tilde = word.parts.iter().any(|part| matches!(part, Part::Plain(text) if text.contains(":~")));
                let field = if tilde { field.doubted() } else { field };
                match old {
                    _ if assign.indexed => Value::One(Field::unresolved(&format!("${name}"))),
                    None if assign.append => Value::One(Field::unresolved(&format!("${name}"))),
                    Some(Value::One(mut before)) => {
                        before.join(&field);
                        Value::One(before)
                    }
                    _ => Value::One(field),
                }
            }
            Written::Many(words) => {
                let fields = self.fields(words);
                match old {
                    None if assign.append => Value::One(Field::unresolved(&format!("${name}"))),
                    Some(Value::Many(before)) => Value::Many([before, fields].concat()),
                    Some(Value::One(before)) => Value::Many([vec![before], fields].concat()),
                    _ => Value::Many(fields),
                }
            }
        };
        (name, value)
    }

    /// A variable as it is set for one command.
    fn assignment_text(&self, name: &str) -> String {
        format!("{name}={}", self.variable(name).unwrap_or_default().shown())
    }

    /// Variables such as `GIT_SSH_COMMAND` hold what a program will run.
    pub(super) fn command_variable(&mut self, name: &str, value: &Value) {
        let Value::One(field) = value else { return };
        match name {
            _ if COMMAND_VARIABLES.contains(&name) => drop(self.inner_script(name, &field.text)),
            "PS0" | "PS1" | "PS2" | "PS4" => self.prompt_text(name, &field.text),
            // Shells read this file before they do anything else.
            "BASH_ENV" | "ENV" => {
                if let Some(code) = self.written(field).and_then(|feed| feed.input.clone()) {
                    self.inner_script(name, &code);
                }
            }
            // What is read before anything else here is code of another language.
            "PYTHONSTARTUP" | "NODE_OPTIONS" => {
                let file = field.text.rsplit([' ', '=']).next().unwrap_or_default();
                let language = if name == "NODE_OPTIONS" { "node" } else { "python" };
                if let Some(code) = self.written(&Field::known(file)).and_then(|feed| feed.input.clone()) {
                    self.code(language, &code, &[]);
                }
            }
            "GIT_CONFIG_PARAMETERS" => {
                if let Some((_, code)) = field.text.split_once("=!") {
                    self.inner_script(name, code.trim_end_matches('\''));
                }
            }
            _ if name.starts_with("GIT_CONFIG_VALUE_") => {
                if let Some(code) = field.text.strip_prefix('!') {
                    self.inner_script(name, code);
                }
            }
            _ => {}
        }
    }

    /// Writes a command down and follows it.
    pub(super) fn run(&mut self, fields: Vec<Field>, flow: &Flow) -> Output {
        self.deeper(|walker| {
            let fields = with_known_shell(fields);
            let Some((program, args)) = fields.split_first() else {
                if !flow.reads.is_empty() || !flow.writes.is_empty() {
                    let index = walker.emit(String::new(), &fields, flow);
                    walker.note_sources(index, &flow.reads);
                }
                // `$(< file)` is what the file holds.
                let read = flow.feed.as_ref().filter(|_| flow.writes.is_empty() && !flow.reads.is_empty());
                return read.map_or(Some(String::new()), |feed| feed.input.clone());
            };
            let name = name_of(program);
            if walker.functions.contains_key(&name) {
                let output = walker.call(&name, fields, flow);
                return flow.remaining(output);
            }
            let index = walker.emit(name.clone(), &fields, flow);
            walker.with_nothing_for_unknown(&name, &fields, flow);
            if name.is_empty() {
                walker.runs(index, "text", &program.origins);
            }
            walker.note_sources(index, args);
            walker.builtin(&name, args);
            walker.subscripts(&name, args);
            walker.console(&name, args);
            walker.run_written(program, index);
            walker.run_copy(&fields);
            walker.run_pattern(&fields);
            if name == "cat" {
                for file in args {
                    walker.await_file(file);
                }
            }
            let output = walker.follow(&name, args, index);
            walker.fill_outlets(&name, output.as_ref());
            walker.note_files(flow, &name, args, output.as_ref());
            walker.note_saved(&name, args);
            walker.note_written(&name, args);
            walker.through_links(&name, &fields);
            walker.give_words(index, fields);
            walker.note_move(index);
            flow.remaining(output)
        })
    }

    /// A program that is named by a pattern: `/bin/[r]m`.
    fn run_pattern(&mut self, fields: &[Field]) {
        const MATTERING: &[&str] = &[
            "rm", "shred", "dd", "mkfs", "bash", "sh", "mv", "find", "chmod", "chown", "unlink", "tee", "cp", "git",
            "curl", "wget", "python3", "perl", "node",
        ];
        let Some((program, args)) = fields.split_first().filter(|(program, _)| program.glob) else { return };
        let name = name_of(program);
        let fits = |known: &&&str| crate::library::fits_name(name.as_bytes(), known.as_bytes());
        if let Some(known) = MATTERING.iter().find(fits).filter(|_| !name.bytes().all(|byte| byte == b'*')) {
            let words: Vec<Field> = std::iter::once(Field::known(*known)).chain(args.iter().cloned()).collect();
            self.inner_command(&program.shown(), &words);
        }
    }

    /// Subscripts of arrays are expanded even where a quoted text names them: `unset 'a[$(…)]'`.
    fn subscripts(&mut self, name: &str, args: &[Field]) {
        if matches!(
            name,
            "let" | "unset" | "read" | "printf" | "declare" | "typeset" | "test" | "[" | "export" | "local"
        ) {
            for arg in args.iter().filter(|arg| arg.text.contains("[$(") || arg.text.contains("[`")) {
                self.prompt_text(name, &arg.text);
            }
        }
    }

    /// Text in which substitutions are expanded once more.
    pub(super) fn prompt_text(&mut self, how: &str, text: &str) {
        if text.contains("$(") || text.contains('`') {
            self.later_script(how, &format!(": \"{}\"", text.replace('"', "\\\"")));
        }
    }

    /// What a command starts, and what it certainly prints.
    fn follow(&mut self, name: &str, args: &[Field], index: usize) -> Output {
        match name {
            "" => None,
            "xargs" => self.xargs(args),
            "parallel" => self.parallel(args, index),
            "find" | "fd" | "fdfind" => self.find(name, args),
            "git" | "hub" => self.git(args),
            "sed" | "gsed" => self.sed(args),
            "docker" | "podman" | "nerdctl" | "kubectl" | "docker-compose" => {
                self.container(name, args);
                None
            }
            // Behind `x` stands a program, and elsewhere a script.
            "bun" if args.first().is_some_and(|arg| arg.text == "x") => self.wrapper(name, args, index).flatten(),
            _ if self.shell(name, args, index) => None,
            _ => {
                if let Some(output) = self.interpreter(name, args, index) {
                    return output;
                }
                if let Some(output) = self.wrapper(name, args, index) {
                    return output;
                }
                self.options_that_run(name, args, index);
                self.runner(name, args, index);
                self.guess(name, args);
                self.printed(name, args)
            }
        }
    }

    /// Follows a function; one that calls itself is written down as a command of that name and not followed again.
    fn call(&mut self, name: &str, mut fields: Vec<Field>, flow: &Flow) -> Output {
        let function = self.functions.get_mut(name)?;
        function.called = true;
        let body = Rc::clone(&function.body);
        let how = format!("{name}()");
        if self.calls.len() >= DEEPEST_CALL || self.calls.iter().any(|caller| Rc::ptr_eq(caller, &body)) {
            let index = self.emit(name.to_owned(), &fields, flow);
            self.give_words(index, fields);
            return None;
        }
        let arguments = fields.split_off(1.min(fields.len()));
        let outer = self.positional.replace(Rc::new(arguments));
        let locals = std::mem::take(&mut self.locals);
        self.calls.push(Rc::clone(&body));
        let output = self.left_at_most(|walker| walker.within(&how, |walker| walker.stage(&body)));
        self.calls.pop();
        let locals = std::mem::replace(&mut self.locals, locals);
        for (name, value) in locals.into_iter().rev() {
            self.state.restore(&name, value);
        }
        self.positional = outer;
        output
    }

    /// A script that a command runs, in a shell of its own.
    pub(super) fn inner_script(&mut self, how: &str, text: &str) -> Output {
        self.state.level += 1;
        let output = self.later_script(how, text);
        self.state.level -= 1;
        output
    }

    /// A script that this shell runs at some other time.
    pub(super) fn later_script(&mut self, how: &str, text: &str) -> Output {
        self.apart(|walker| walker.within(how, |walker| walker.script(text)))
    }

    /// A command that a command runs.
    pub(super) fn inner_command(&mut self, how: &str, fields: &[Field]) -> Output {
        self.apart(|walker| walker.within(how, |walker| walker.run(fields.to_vec(), &Flow::default())))
    }

    /// Writes a command down, but for its words, which are moved there when nobody needs them any more.
    pub(super) fn emit(&mut self, name: String, fields: &[Field], flow: &Flow) -> usize {
        let shown = |fields: &[Field]| fields.iter().map(Field::shown).collect::<Vec<_>>();
        let words = || fields.iter().chain(&flow.reads).chain(&flow.writes);
        let command = Found {
            directory: self.folder_for(&name, fields.get(1..).unwrap_or_default()),
            name,
            base: Arc::clone(&self.base),
            inputs: shown(&flow.reads),
            outputs: shown(&flow.writes),
            piped_from: Arc::clone(&self.feed.from),
            input: self.feed.input.as_deref().map(super::field::shown).unwrap_or_default(),
            via: self.shared_via(),
            known: words().all(Field::is_known),
            unresolved: words().filter(|field| !field.is_resolved()).map(Field::shown).collect(),
            program: String::new(),
            args: Vec::new(),
            piped_into: Vec::new(),
            runs: "",
            code_from: Vec::new(),
            decides: self.decides,
            point: self.moves.here,
            guess: self.guess,
            env: self.env.clone(),
            user: Arc::clone(&self.user),
            place: Arc::clone(&self.place),
            redirects: flow.redirects.clone(),
            variables: self.unset_variables(words()),
            script: String::new(),
            sources: Vec::new(),
            searched: self.searched(words()),
            deleter: fields
                .first()
                .is_some_and(|program| self.world.declared.deleters.contains(&name_of(program).as_str())),
        };
        let length = words().map(|field| field.text.len() + 32).sum::<usize>();
        self.shared.pay(2 * (length + command.input.len()) + 3 * command.directory.len() + 256);
        let index = self.commands.len();
        self.commands.push(command);
        self.direct.push(index);
        index
    }

    /// Where the searches of the line have looked, if what they print is among these words.
    fn searched<'f>(&self, mut words: impl Iterator<Item = &'f Field>) -> Vec<String> {
        let from_search = |field: &Field| field.origins.iter().any(|name| effects::prints_places(name));
        if !words.any(|field| !field.is_resolved() && from_search(field)) {
            return Vec::new();
        }
        // What would be searched if something were empty counts for what would then be done, and for nothing else.
        let searches = self.commands.iter().filter(|command| effects::prints_places(&command.name));
        let searches = searches.filter(|command| command.guess.is_empty() || command.guess == self.guess);
        // The search that runs this very command has not got its words yet.
        let searches = searches.filter(|command| !command.program.is_empty());
        let searches = searches.take(MOST_SEARCHES).flat_map(|command| {
            let folder = path::join(&command.base, &command.directory);
            effects::printed(&command.name, &command.args, &folder)
        });
        searches.chain(self.searching.iter().cloned()).collect()
    }

    fn give_words(&mut self, index: usize, fields: Vec<Field>) {
        let mut words = fields.into_iter().map(Field::into_shown);
        if let Some(command) = self.commands.get_mut(index) {
            command.program = words.next().unwrap_or_default();
            command.args = words.collect();
        }
    }

    /// Notes what a command does to the branch of a work tree here; what ssh runs, runs elsewhere.
    fn note_move(&mut self, index: usize) {
        let Some(command) = self.commands.get(index) else { return };
        if !matches!(command.name.as_str(), "git" | "gh") || self.via.iter().any(|how| how == "ssh") {
            return;
        }
        let folder = path::join(&self.base, &command.directory);
        if let Some((folder, step)) = super::checkout::step(&command.name, &command.args, &folder) {
            self.moves.note(folder, step, self.shared);
        }
    }

    fn folder_for(&self, name: &str, args: &[Field]) -> String {
        let mut folder = self.state.folder();
        if !matches!(name, "git" | "make" | "ninja" | "gmake") {
            return folder;
        }
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let text = arg.shown();
            match text.strip_prefix("-C") {
                Some("") => folder = path::join(&folder, &args.next().map(Field::shown).unwrap_or_default()),
                Some(attached) => folder = path::join(&folder, attached),
                None if name == "git" && text == "-c" => drop(args.next()),
                None if name == "git" && !text.starts_with('-') => break,
                None => {}
            }
        }
        folder
    }
}

/// `$0` and `/proc/$$/exe` are the shell that reads the line.
fn with_known_shell(mut fields: Vec<Field>) -> Vec<Field> {
    if let Some(program) = fields.first_mut()
        && (program.text.starts_with(HOLE) || program.text.starts_with("/proc/"))
        && matches!(program.shown().as_str(), "$0" | "${0}" | "/proc/$$/exe" | "/proc/self/exe")
    {
        *program = Field::known("bash").doubted();
    }
    fields
}

/// The program's name without folders and without the ending that Windows gives it; empty if part of it is unknown.
pub(super) fn name_of(program: &Field) -> String {
    if program.text.contains(HOLE) {
        return String::new();
    }
    let last = program.text.rsplit(['/', '\\']).next().unwrap_or_default();
    // `=rm` is what zsh calls the path of a program.
    let last = last.strip_prefix('=').filter(|name| name.starts_with(|c: char| c.is_ascii_lowercase())).unwrap_or(last);
    let bare = last.len().checked_sub(4).and_then(|end| last.split_at_checked(end));
    match bare.filter(|(name, ending)| !name.is_empty() && ending.eq_ignore_ascii_case(".exe")) {
        // Windows finds its programs whatever the case of their letters.
        Some((name, _)) => super::field::shown(name).to_ascii_lowercase(),
        None => super::field::shown(last),
    }
}
