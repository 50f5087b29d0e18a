//! Code of other languages: calls, texts and the few expressions that make one text of several.
//!
//! One reader for all languages, since guards ask the same of each: which command lines a piece of code starts, which
//! folders it deletes, and whether it runs what it has just fetched. Names are read with their dots, texts with the
//! quotes of the language; variables that are given a text keep it. Everything else is skipped, and the work is bounded.

mod outcome;
#[cfg(test)]
mod tests;
mod text;
mod values;

use std::collections::HashMap;

pub(super) use text::quoted;
use text::{bracketed, is_name_start, last_part, lisp, name_at, names_in, printed_before, span, without_texts};

use super::tables::functions::{
    DECODING, DELETING, FETCHING, GOING_THROUGH, HOMES, MOVING, PASSING, RUNNING, SENDING, STARTING, WITH_BACKTICKS,
};

/// Calls that are looked at in one piece of code.
const MOST_CALLS: usize = 64;
/// Stands for whoever made what the program reads.
pub(super) const ARRIVING: &str = "arriving";
/// Mark variables that hold a function: one that starts commands, or one that deletes.
const STARTER: &str = "\u{0}starts";
const DELETER: &str = "\u{0}deletes";
/// Arguments of one call, and how deep expressions are followed.
const MOST_ARGUMENTS: usize = 32;
const DEEPEST: usize = 12;
/// How deep code that is a text in other code is read.
const DEEPEST_CODE: usize = 3;

/// What a piece of code does.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Does {
    /// Commands that it starts: one text is a command line, several are words.
    pub(super) starts: Vec<Vec<String>>,
    /// Where code that it runs comes from: `fetched`, `decoded`, `socket`.
    pub(super) runs: Vec<&'static str>,
    /// Texts that it prints.
    pub(super) prints: Vec<String>,
    /// Where other things that it prints come from: `fetched`, `decoded`.
    pub(super) prints_from: Vec<&'static str>,
    /// Files that it fetches from elsewhere.
    pub(super) fetched: Vec<String>,
    /// Files that it writes, with their texts.
    pub(super) writes: Vec<(String, String)>,
}

/// Reads a piece of code; what variables hold already is given.
pub(super) fn read(language: &str, code: &str, variables: &[(String, String)]) -> Does {
    read_within(language, code, variables.iter().cloned().collect(), 0)
}

fn read_within(language: &str, code: &str, variables: HashMap<String, String>, depth: usize) -> Does {
    let code = if language == "emacs" { &lisp(code) } else { code };
    let mut reader = Reader {
        code,
        language,
        depth,
        variables,
        lists: HashMap::new(),
        sources: HashMap::new(),
        through: Vec::new(),
        opened: None,
        starts_unknown: false,
        deletes_unknown: false,
        function: None,
        folder: None,
        does: Does::default(),
        names: Vec::new(),
    };
    reader.read();
    reader.does
}

struct Reader<'c> {
    code: &'c str,
    language: &'c str,
    /// How many texts that are run as code surround this one.
    depth: usize,
    /// Texts that variables hold.
    variables: HashMap<String, String>,
    /// Words that variables hold.
    lists: HashMap<&'c str, Vec<String>>,
    /// Where the values of other variables come from.
    sources: HashMap<&'c str, &'static str>,
    /// Folders that the code goes through.
    through: Vec<String>,
    /// The file that was opened last.
    opened: Option<String>,
    /// Whether it starts something that no text tells.
    starts_unknown: bool,
    /// Whether it deletes something that no text tells.
    deletes_unknown: bool,
    /// The function whose body was reached last.
    function: Option<&'c str>,
    /// The folder that it goes to, and how many commands it had started before.
    folder: Option<(String, usize)>,
    does: Does,
    names: Vec<&'c str>,
}

impl<'c> Reader<'c> {
    fn read(&mut self) {
        let mut at = 0;
        let mut previous = "";
        while at < self.code.len() && self.does.starts.len() < MOST_CALLS {
            let rest = self.code.get(at..).unwrap_or_default();
            let Some(first) = rest.chars().next() else { break };
            if is_name_start(first) {
                let name = name_at(rest);
                let after = at + name.len();
                // The end of a quotation is no call, and the prefix of one is no name.
                if matches!(self.code.as_bytes().get(after), Some(b'"' | b'\'')) && name.len() <= 2 && name != "do" {
                    at = after;
                    self.skip_text(&mut at, previous);
                    continue;
                }
                // Whatever a name leads to, reading goes on behind it.
                at = self.named(name, at, after).max(after);
                previous = name;
            } else if first == '`' && WITH_BACKTICKS.contains(&self.language) {
                let mut end = at;
                if let Some(script) = quoted(self.code, &mut end) {
                    self.does.starts.push(vec![self.filled(script, rest)]);
                }
                at = end.max(at + 1);
            } else if matches!(first, '"' | '\'' | '`') {
                self.skip_text(&mut at, previous);
            } else if rest.starts_with("$`") {
                // A template of the shell, as bun and zx have them.
                let mut end = at + 1;
                self.does.starts.extend(quoted(self.code, &mut end).map(|script| vec![script]));
                at = end.max(at + 2);
            } else if rest.starts_with("%x") {
                at += 2;
                self.does.starts.extend(bracketed(self.code, &mut at).map(|script| vec![script]));
            } else if first == '[' {
                at = self.indexed(at + 1).unwrap_or(at + 1);
            } else {
                at += first.len_utf8();
            }
        }
        self.conclude();
    }

    /// A text that nobody asked for, unless it is one that perl or awk opens as a pipe.
    fn skip_text(&mut self, at: &mut usize, previous: &str) {
        let from = *at;
        let Some(text) = quoted(self.code, at) else {
            *at = from + 1;
            return;
        };
        *at = (*at).max(from + 1);
        let before = self.code.get(..from).unwrap_or_default().trim_end();
        let after = self.code.get(*at..).unwrap_or_default().trim_start();
        let read = is_read_from(after.trim_start_matches([')', ' ']));
        let piped = before.ends_with('|') && !before.ends_with("||") || before.ends_with("|&");
        let of_awk = self.language == "awk" && (piped || read);
        let of_perl = matches!(self.language, "perl" | "ruby")
            && (text.ends_with('|') || text.starts_with('|'))
            && text.len() > 2
            && (previous == "open" || before.ends_with([',', '(']));
        if of_awk && matches!(text.rsplit('/').next(), Some("sh" | "bash" | "dash" | "zsh")) && piped {
            match printed_before(before) {
                Some(script) => self.does.starts.push(vec![script]),
                None => self.does.runs.push(ARRIVING),
            }
        }
        if of_awk || of_perl {
            self.does.starts.push(vec![text.trim_matches('|').to_owned()]);
        }
        if self.language == "awk" && before.ends_with('>') {
            self.does.writes.extend(printed_before(before).map(|written| (text.clone(), written)));
        }
        if matches!(self.language, "groovy" | "scala") && (after.starts_with(".execute") || after.starts_with(".!")) {
            self.does.starts.push(vec![text]);
        }
    }

    /// `object['exec' + 'Sync'](…)` and `getattr(object, 'system')(…)`: a function by a text that names it. `at` is where the
    /// text begins; gives where reading goes on, if there is such a call.
    fn indexed(&mut self, mut at: usize) -> Option<usize> {
        let name = self.expression(&mut at, 0)?;
        self.blanks(&mut at);
        let rest = self.code.get(at..)?.strip_prefix([']', ')'])?;
        at += 1;
        let blank = rest.len() - rest.trim_start().len();
        if !rest.trim_start().starts_with('(') {
            return None;
        }
        at += blank;
        if STARTING.contains(&name.as_str()) {
            return self.start(&name, &mut at).then_some(at);
        }
        DELETING.contains(&name.as_str()).then(|| self.delete(at, at))
    }

    /// What is assigned to a name, or added to what it holds: where that begins.
    fn assigned(&mut self, name: &'c str, next: &'c str) -> Option<usize> {
        let value = next.strip_prefix('=').or_else(|| next.strip_prefix(":="));
        if let Some(value) = value.filter(|value| !value.starts_with(['=', '>', '~'])) {
            let at = self.code.len() - value.len();
            self.assign(name, at);
            return Some(at);
        }
        let value = next.strip_prefix("+=").or_else(|| next.strip_prefix(".="))?;
        let mut at = self.code.len() - value.len();
        if let (Some(more), Some(held)) = (self.expression(&mut at, 0), self.variables.get_mut(name)) {
            held.push_str(&more);
        }
        Some(at)
    }

    /// The folder that a function goes through.
    fn gone_through(&mut self, last: &str, from: usize, after: usize) -> Option<String> {
        let mut at = after;
        if matches!(last, "rglob" | "iterdir") {
            let pattern = self.arguments(&mut at).into_iter().flatten().next();
            let pattern = pattern.filter(|pattern| !matches!(pattern.as_str(), "*" | "**" | "**/*"));
            let named = |folder: String| match pattern {
                Some(pattern) => format!("{folder}/**/{pattern}"),
                None => folder,
            };
            self.receiver(from).map(named)
        } else {
            // Perl names what is done to each file before the folders.
            let each = self.code.get(after..).and_then(|rest| rest.find("},"));
            at += each.filter(|_| self.language == "perl").map_or(0, |end| end + 2);
            self.arguments(&mut at).into_iter().flatten().next()
        }
    }

    /// Something that begins with a name: an assignment, a call, or nothing of interest.
    fn named(&mut self, name: &'c str, from: usize, after: usize) -> usize {
        let last = last_part(name);
        self.names.push(last);
        let rest = self.code.get(after..).unwrap_or_default();
        let blank = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        let next = rest.get(blank..).unwrap_or_default();
        if let Some(at) = self.assigned(name, next) {
            return at;
        }
        if self.language == "awk"
            && (is_read_from(next) || self.code.get(..from).is_some_and(|before| before.trim_end().ends_with('|')))
            && let Some(script) = self.variables.get(name)
        {
            self.does.starts.push(vec![script.clone()]);
        }
        if matches!(name, "def" | "function" | "sub") && blank > 0 {
            self.function = Some(name_at(next));
        }
        if matches!(last, "chdir" | "setwd") && self.folder.is_none() {
            let mut at = after;
            let folder = self.arguments(&mut at).into_iter().flatten().next();
            self.folder = folder.map(|folder| (folder, self.does.starts.len()));
        }
        if name.ends_with("Command::new") {
            return self.built(after);
        }
        if name == "qx" {
            let mut at = after;
            self.does.starts.extend(bracketed(self.code, &mut at).map(|script| vec![script]));
            return at.max(after);
        }
        if GOING_THROUGH.contains(&last) {
            let folder = self.gone_through(last, from, after);
            self.through.extend(folder);
        }
        // `const {execSync: x} = …` and `import rmtree as r` give the function another name.
        let alias = next.strip_prefix(':').or_else(|| next.strip_prefix("as "));
        if let Some((alias, function)) = alias.zip(function_kind(last)) {
            self.variables.insert(name_at(alias.trim_start()).to_owned(), function.to_owned());
        }
        if last == "getattr" {
            let open = after + blank;
            let last_argument = span(self.code, open).rfind(',').map(|comma| open + comma + 1);
            return last_argument.and_then(|at| self.indexed(at)).unwrap_or(after);
        }
        if SENDING.contains(&last)
            && let Some((function, rest)) = next.trim_start_matches(['(', ' ', ':', '\'', '"']).split_once(',')
            && STARTING.contains(&function.trim_end_matches(['\'', '"']))
        {
            let mut at = self.code.len() - rest.len();
            self.start(function, &mut at);
            return at;
        }
        if let Some(at) = self.own_way(last, after) {
            return at;
        }
        self.output(name, from, after);
        let of_lua = self.language == "lua" && last == "load";
        if RUNNING.contains(&last) || STARTING.contains(&last) || next.starts_with(':') && last == "eval" || of_lua {
            self.runs_text(last, after);
        }
        self.loads(last, after);
        if RUNNING.contains(&last) && self.runs_own_code(last, after) {
            return after;
        }
        if STARTING.contains(&last) || name == "Sys.command" {
            let mut at = after;
            // `(system* "ls")`
            at += usize::from(self.language == "emacs" && rest.starts_with('*'));
            // `Thread(target=os.system, args=('ls',))`, `map(os.system, ['ls'])`: the function is given, not called.
            if name != last && next.starts_with(',') {
                at += blank + 1;
            }
            if self.start(last, &mut at) {
                return at;
            }
            if let Some(function) = self.in_function(from) {
                self.variables.insert(function.to_owned(), STARTER.to_owned());
            }
            return after;
        }
        if MOVING.contains(&last) {
            return self.moved(after);
        }
        match self.variables.get(name).map(String::as_str) {
            Some(STARTER) => {
                let mut at = after;
                return if self.start(name, &mut at) { at } else { after };
            }
            Some(DELETER) => return self.delete(from, after),
            _ => {}
        }
        let is_deleter =
            DELETING.contains(&last) || self.is_own_deleter(name) || last == "sync" && self.code.contains("rimraf");
        if is_deleter && !self.is_method_of_text(from) {
            return self.delete(from, after);
        }
        if self.language == "tclsh" && name == "delete" {
            let folder = rest.split_ascii_whitespace().find(|word| !word.starts_with('-')).unwrap_or_default();
            self.does.starts.push(vec!["rm".to_owned(), "-rf".to_owned(), folder.to_owned()]);
        }
        after
    }

    /// A call that deletes the folders that it is given, or the one that it is called on.
    fn delete(&mut self, from: usize, after: usize) -> usize {
        let mut at = after + usize::from(self.code.as_bytes().get(after) == Some(&b'!'));
        let folders: Vec<String> = self.arguments(&mut at).into_iter().map_while(|argument| argument).collect();
        let folders: Vec<String> = folders.into_iter().filter(|folder| !folder.is_empty()).collect();
        if !folders.is_empty() {
            let words = ["rm".to_owned(), "-rf".to_owned()].into_iter().chain(folders).collect();
            self.does.starts.push(words);
            return at.max(after);
        }
        // `Path.home().rmtree()`
        if let Some(folder) = self.receiver(from) {
            self.does.starts.push(vec!["rm".to_owned(), "-rf".to_owned(), folder]);
            return after;
        }
        self.deletes_unknown = true;
        if let Some(function) = self.in_function(from) {
            self.variables.insert(function.to_owned(), DELETER.to_owned());
        }
        after
    }

    /// Names that delete in one language, and mean something else in others.
    fn is_own_deleter(&self, name: &str) -> bool {
        matches!(
            (self.language, name),
            (_, "Deno.remove") | ("vim", "delete") | ("octave" | "matlab", "rmdir") | ("scala", "os.remove.all")
        )
    }

    /// `Command::new("ls").arg("-l").args(["a"])`
    fn built(&mut self, after: usize) -> usize {
        let mut at = after;
        let mut words: Vec<String> = Vec::new();
        loop {
            words.extend(self.arguments(&mut at).into_iter().flatten());
            let rest = self.code.get(at..).unwrap_or_default();
            let next = rest.trim_start_matches([')', ']', ' ', '\n']);
            at = self.code.len() - next.len();
            match next.strip_prefix(".args").or_else(|| next.strip_prefix(".arg")) {
                Some(more) if words.len() < MOST_ARGUMENTS => at = self.code.len() - more.len(),
                _ => break,
            }
        }
        if !words.is_empty() {
            self.does.starts.push(words);
        }
        at.max(after)
    }

    /// Whether this stands in the body of a function, as far as its line tells.
    fn in_function(&self, at: usize) -> Option<&'c str> {
        let line = self.code.get(..at)?.rsplit('\n').next()?;
        self.function.filter(|_| line.starts_with([' ', '\t']) || line.contains(['{', '(']))
    }

    /// `text.rm` is no call of a function that deletes: what stands before the dot is a text.
    fn is_method_of_text(&self, from: usize) -> bool {
        let before = self.code.get(..from).unwrap_or_default();
        before.ends_with("'.") || before.ends_with("\".")
    }

    /// The folder that a method is called on.
    fn receiver(&self, from: usize) -> Option<String> {
        let before = self.code.get(..from)?.strip_suffix('.')?;
        let start = before.rfind([';', '\n', '=', '{', '}', ' ', '[', ',']).map_or(0, |at| at + 1);
        let mut at = start + (before.len() - start - before.get(start..)?.trim_start().len());
        self.expression(&mut at, 0)
    }

    fn assign(&mut self, name: &'c str, from: usize) {
        let mut at = from;
        let value = self.code.get(from..).unwrap_or_default();
        let is_list = value.trim_start().starts_with(if self.language == "perl" { '(' } else { '[' });
        if !is_list && let Some(value) = self.expression(&mut at, 0) {
            self.variables.insert(name.to_owned(), value);
            return;
        }
        if is_list {
            let words: Vec<String> = self.arguments(&mut at).into_iter().map_while(|argument| argument).collect();
            if !words.is_empty() {
                self.lists.insert(name, words);
            }
            return;
        }
        let value = value.get(..value.find([';', '\n']).unwrap_or(value.len())).unwrap_or_default();
        if let Some(source) = source_of(value) {
            self.sources.insert(name, source);
        } else if let Some(function) = function_kind(last_part(name_at(value.trim_start())))
            && !value.contains('(')
        {
            self.variables.insert(name.to_owned(), function.to_owned());
        }
    }

    /// Reads a call that starts a command.
    fn start(&mut self, name: &str, at: &mut usize) -> bool {
        let rest = self.code.get(*at..).unwrap_or_default();
        let opened = rest.trim_start();
        let inner = opened.trim_start_matches('(').trim_start().trim_start_matches('@');
        let held = self.lists.get(name_at(inner));
        let listed = held.is_some() || inner.strip_prefix("args=").unwrap_or(inner).starts_with('[');
        // `os.spawnlp(os.P_WAIT, 'ls', …)`: how to wait comes first.
        if let Some(mode) = inner.find("P_WAIT").or_else(|| inner.find("P_NOWAIT")).filter(|at| *at < 4) {
            let comma = inner.get(mode..).and_then(|rest| rest.find(',')).unwrap_or_default();
            *at += rest.len() - inner.len() + mode + comma + 1;
        }
        let words: Vec<String> = match held {
            Some(words) => words.clone(),
            None => self.arguments(at).into_iter().map_while(|argument| argument).collect(),
        };
        match words.split_first() {
            None => {
                self.starts_unknown = true;
                return false;
            }
            Some((line, more)) => {
                let named = ["execFile", "spawn", "execl", "execa", "system2", "pcntl_exec", "sh"];
                let as_words = listed || named.iter().any(|start| name.starts_with(start));
                // These are given the program twice: the second is its own idea of its name.
                let is_exec = name.starts_with("execl") || name.starts_with("spawnl");
                let is_line = more.is_empty() || !as_words && line.contains(char::is_whitespace);
                let words = if is_line {
                    vec![line.clone()]
                } else if is_exec || name.starts_with("execv") && !listed && words.len() > 2 {
                    std::iter::once(line.clone()).chain(words.get(2..).unwrap_or_default().iter().cloned()).collect()
                } else {
                    words
                };
                self.does.starts.push(words);
            }
        }
        true
    }
}

/// `"ls" | getline` of awk, behind the command.
fn is_read_from(after: &str) -> bool {
    after.strip_prefix('|').is_some_and(|rest| rest.trim_start_matches(['&', ' ']).starts_with("getline"))
}

/// What a variable holds that is given this function.
fn function_kind(function: &str) -> Option<&'static str> {
    let starts = STARTING.contains(&function).then_some(STARTER);
    starts.or_else(|| DELETING.contains(&function).then_some(DELETER))
}

fn source_of(text: &str) -> Option<&'static str> {
    let mut fetched = None;
    let bare = without_texts(text);
    for name in names_in(&bare) {
        if DECODING.contains(&name) {
            return Some("decoded");
        }
        if FETCHING.contains(&name)
            && (text.contains("://")
                || !matches!(name, "get" | "request" | "http" | "https" | "open" | "readLines" | "download"))
        {
            fetched = Some("fetched");
        }
    }
    fetched
}

/// Whether the home folder is named here: by a function, or by the variable of the environment.
fn is_home(rest: &str) -> bool {
    let bare = rest.trim_start_matches('$');
    let name = name_at(bare);
    if HOMES.contains(&name)
        || last_part(name) == "homedir"
        || bare.starts_with("require('os').userInfo().homedir")
        || bare.starts_with("require(\"os\").userInfo().homedir")
        || last_part(name) == "home" && bare.get(name.len()..).is_some_and(|rest| rest.starts_with("()"))
    {
        return true;
    }
    if name == "require" {
        return bare.split_once(").").is_some_and(|(before, after)| before.len() < 24 && after.starts_with("homedir"));
    }
    let asks = matches!(
        last_part(name),
        "environ" | "getenv" | "get" | "ENV" | "env" | "fetch" | "GetEnvironmentVariable" | "ENVIRON" | "_SERVER"
    );
    let behind = bare.get(name.len()..).unwrap_or_default().trim_start_matches(['(', '[', '{', '.', '\'', '"', ' ']);
    asks && behind.starts_with("HOME")
}
