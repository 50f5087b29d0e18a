//! Code of other languages: calls, texts and the few expressions that make one text of several.
//!
//! One reader for all languages, since guards ask the same of each: which command lines a piece of code starts, which
//! folders it deletes, and whether it runs what it has just fetched. Names are read with their dots, texts with the
//! quotes of the language; variables that are given a text keep it. Everything else is skipped, and the work is bounded.

mod text;

use std::collections::HashMap;

pub(super) use text::quoted;
use text::{bracketed, is_name_start, last_part, name_at, names_in, printed_before, span, without_texts};

use super::tables::functions::{
    DECODING, DELETING, FETCHING, GOING_THROUGH, HOMES, PASSING, RUNNING, STARTING, WITH_BACKTICKS,
};

/// Calls that are looked at in one piece of code.
const MOST_CALLS: usize = 64;
/// Arguments of one call, and how deep expressions are followed.
const MOST_ARGUMENTS: usize = 32;
const DEEPEST: usize = 12;

/// What a piece of code does.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Does {
    /// Commands that it starts: one text is a command line, several are words.
    pub(super) starts: Vec<Vec<String>>,
    /// Where code that it runs comes from: `fetched`, `decoded`, `socket`.
    pub(super) runs: Vec<&'static str>,
}

/// Reads a piece of code; what variables hold already is given.
pub(super) fn read(language: &str, code: &str, variables: &[(String, String)]) -> Does {
    let mut reader = Reader {
        code,
        language,
        variables: variables.iter().cloned().collect(),
        sources: HashMap::new(),
        through: Vec::new(),
        does: Does::default(),
        names: Vec::new(),
    };
    reader.read();
    reader.does
}

struct Reader<'c> {
    code: &'c str,
    language: &'c str,
    /// Texts that variables hold.
    variables: HashMap<String, String>,
    /// Where the values of other variables come from.
    sources: HashMap<&'c str, &'static str>,
    /// Folders that the code goes through.
    through: Vec<String>,
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
        let of_awk = self.language == "awk" && (before.ends_with('|') && !before.ends_with("||") || read);
        let of_perl = matches!(self.language, "perl" | "ruby")
            && (text.ends_with('|') || text.starts_with('|'))
            && text.len() > 2
            && (previous == "open" || before.ends_with([',', '(']));
        if of_awk && matches!(text.rsplit('/').next(), Some("sh" | "bash" | "dash" | "zsh")) && before.ends_with('|') {
            self.does.starts.extend(printed_before(before).map(|script| vec![script]));
        }
        if of_awk || of_perl {
            self.does.starts.push(vec![text.trim_matches('|').to_owned()]);
        }
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
        // `const {execSync: x} = …` gives the function another name.
        if let Some(alias) = next.strip_prefix(':').filter(|_| STARTING.contains(&last)) {
            self.variables.insert(name_at(alias.trim_start()).to_owned(), "\u{0}starts".to_owned());
        }
        if RUNNING.contains(&last) || STARTING.contains(&last) || next.starts_with(':') && last == "eval" {
            self.runs_text(last, after);
        }
        if STARTING.contains(&last) {
            let mut at = after;
            return if self.start(last, &mut at) { at } else { after };
        }
        if self.variables.get(name).is_some_and(|value| value == "\u{0}starts") {
            let mut at = after;
            return if self.start(name, &mut at) { at } else { after };
        }
        if DELETING.contains(&last) && !self.is_method_of_text(from) {
            let mut at = after;
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
        }
        if self.language == "tclsh" && name == "delete" {
            let folder = rest.split_ascii_whitespace().find(|word| !word.starts_with('-')).unwrap_or_default();
            self.does.starts.push(vec!["rm".to_owned(), "-rf".to_owned(), folder.to_owned()]);
        }
        after
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
        let value = value.get(..value.find([';', '\n']).unwrap_or(value.len())).unwrap_or_default();
        if let Some(source) = source_of(value) {
            self.sources.insert(name, source);
        } else if STARTING.contains(&last_part(name_at(value.trim_start()))) && !value.contains('(') {
            self.variables.insert(name.to_owned(), "\u{0}starts".to_owned());
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
        let listed = opened.trim_start_matches('(').trim_start().starts_with('[');
        let arguments = self.arguments(at);
        let words: Vec<String> = arguments.into_iter().map_while(|argument| argument).collect();
        match words.split_first() {
            None => return false,
            Some((line, more)) => {
                let as_words =
                    listed || name.starts_with("execFile") || name.starts_with("spawn") || name.starts_with("execl");
                let is_line = more.is_empty() || !as_words && line.contains(char::is_whitespace);
                let words = if is_line {
                    vec![line.clone()]
                } else if name.starts_with("execl") || name.starts_with("execv") && !listed && words.len() > 2 {
                    // The second word is the program's own idea of its name.
                    std::iter::once(line.clone()).chain(words.get(2..).unwrap_or_default().iter().cloned()).collect()
                } else {
                    words
                };
                self.does.starts.push(words);
            }
        }
        true
    }

    /// The texts that a call is given; `None` for what is none.
    fn arguments(&self, at: &mut usize) -> Vec<Option<String>> {
        let mut found = Vec::new();
        self.blanks(at);
        let open = self.code.as_bytes().get(*at).copied() == Some(b'(');
        if open {
            *at += 1;
        }
        while found.len() < MOST_ARGUMENTS {
            self.blanks(at);
            while self.code.as_bytes().get(*at).is_some_and(|byte| matches!(byte, b'[' | b'{' | b'(')) {
                *at += 1;
                self.blanks(at);
            }
            if self.code.get(*at..).is_some_and(|rest| rest.starts_with("qw")) {
                *at += 2;
                let words = bracketed(self.code, at).unwrap_or_default();
                found.extend(words.split_ascii_whitespace().map(|word| Some(word.to_owned())));
            } else {
                match self.expression(at, 0) {
                    Some(text) => found.push(Some(text)),
                    None => break,
                }
            }
            self.blanks(at);
            while self.code.as_bytes().get(*at).is_some_and(|byte| matches!(byte, b']' | b'}')) {
                *at += 1;
                self.blanks(at);
            }
            if self.code.as_bytes().get(*at).copied() != Some(b',') {
                break;
            }
            *at += 1;
        }
        found
    }

    /// A text, or several that are put together.
    fn expression(&self, at: &mut usize, depth: usize) -> Option<String> {
        let mut text = self.operand(at, depth)?;
        loop {
            let mut ahead = *at;
            self.blanks(&mut ahead);
            let rest = self.code.get(ahead..).unwrap_or_default();
            let (joint, width) = match rest.as_bytes() {
                [b'+', b'=' | b'+', ..] => break,
                [b'.', b'.', ..] | [b'<', b'>', ..] => ("", 2),
                [b'+', ..] | [b'.', b' ' | b'"' | b'\'' | b'$', ..] => ("", 1),
                [b'/', next, ..] if *next != b'/' && *next != b'*' => ("/", 1),
                [b'"' | b'\'', ..] if self.language != "tclsh" => ("", 0),
                _ => break,
            };
            ahead += width;
            self.blanks(&mut ahead);
            let Some(more) = self.operand(&mut ahead, depth + 1) else { break };
            text.push_str(joint);
            text.push_str(&more);
            *at = ahead;
        }
        Some(text)
    }

    fn operand(&self, at: &mut usize, depth: usize) -> Option<String> {
        if depth > DEEPEST {
            return None;
        }
        self.blanks(at);
        let rest = self.code.get(*at..)?;
        if rest.starts_with('(') {
            let mut ahead = *at + 1;
            let inner = self.expression(&mut ahead, depth + 1)?;
            self.blanks(&mut ahead);
            *at = ahead + usize::from(self.code.as_bytes().get(ahead) == Some(&b')'));
            self.methods(at);
            return Some(inner);
        }
        if let Some(text) = quoted(self.code, at) {
            self.methods(at);
            return Some(text);
        }
        if is_home(rest) {
            let name = name_at(rest.trim_start_matches('$'));
            *at += rest.len() - rest.trim_start_matches('$').len() + name.len();
            self.methods(at);
            return Some("~".to_owned());
        }
        let bare = rest.trim_start_matches(['$', '@']);
        let name = name_at(bare);
        if name.is_empty() {
            return None;
        }
        let after = *at + (rest.len() - bare.len()) + name.len();
        let last = last_part(name);
        if matches!(name, "q" | "qq" | "qw") && self.language == "perl" {
            *at = after;
            return bracketed(self.code, at);
        }
        if let Some(value) = self.variables.get(name).filter(|value| !value.starts_with('\u{0}')) {
            *at = after;
            self.methods(at);
            return Some(value.clone());
        }
        // `os.path.join(a, b)`, `Path(a)`, `new URL(a)`, `glob a`
        if PASSING.contains(&last) || matches!(last, "join" | "joinpath" | "catfile" | "catdir") {
            let mut ahead = after;
            let parts: Vec<String> = self.arguments(&mut ahead).into_iter().map_while(|part| part).collect();
            if parts.is_empty() {
                return None;
            }
            self.blanks(&mut ahead);
            *at = ahead + usize::from(self.code.as_bytes().get(ahead) == Some(&b')'));
            self.methods(at);
            return Some(parts.join("/"));
        }
        None
    }

    /// Skips indices, empty calls and methods behind a value: `["HOME"]`, `()`, `.resolve()`, `.text`.
    fn methods(&self, at: &mut usize) {
        for _ in 0..8 {
            let rest = self.code.get(*at..).unwrap_or_default();
            if let Some(end) = rest.strip_prefix(['(', '[', '{']).and_then(|inner| {
                let end = inner.find([')', ']', '}'])?;
                let inner = inner.get(..end)?;
                (inner.trim().is_empty() || inner.contains("HOME")).then_some(end + 2)
            }) {
                *at += end;
            } else if let Some(name) = rest.strip_prefix('.').map(name_at).filter(|name| {
                matches!(
                    last_part(name),
                    "resolve"
                        | "expanduser"
                        | "absolute"
                        | "as_posix"
                        | "toString"
                        | "homedir"
                        | "decode"
                        | "encode"
                        | "strip"
                        | "trim"
                )
            }) {
                *at += name.len() + 1;
            } else {
                break;
            }
        }
    }

    fn blanks(&self, at: &mut usize) {
        while self.code.as_bytes().get(*at).is_some_and(u8::is_ascii_whitespace) {
            *at += 1;
        }
    }

    /// What only the whole of the code tells.
    fn conclude(&mut self) {
        let has = |names: &[&str]| self.names.iter().any(|name| names.contains(name));
        if has(&["unlink", "remove", "rmdir", "unlinkSync", "rmSync", "delete"]) {
            for folder in std::mem::take(&mut self.through) {
                self.does.starts.push(vec!["rm".to_owned(), "-rf".to_owned(), folder]);
            }
        }
        let given = |function: &str| {
            ["then(", "pipe(", "map("].iter().any(|call| self.code.contains(&format!("{call}{function}")))
        };
        if (given("eval") || given("exec"))
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
        || last_part(name) == "home" && bare.get(name.len()..).is_some_and(|rest| rest.starts_with("()"))
    {
        return true;
    }
    if name == "require" {
        return bare.split_once(").").is_some_and(|(before, after)| before.len() < 24 && after.starts_with("homedir"));
    }
    let asks =
        matches!(last_part(name), "environ" | "getenv" | "get" | "ENV" | "env" | "fetch" | "GetEnvironmentVariable");
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
            ("python", "getattr(os, 'sys' + 'tem')('ls')", ""),
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
