//! What becomes of code beside the commands that it starts: what it prints, saves, moves, fetches and runs.

use super::text::{is_what_arrives, last_part, name_at, names_in, quoted, span, without_texts};
use super::{ARRIVING, DEEPEST_CODE, Reader, read_within, source_of};
use crate::shell::tables::functions::{LOADING, PRINTING, RUNNING, SAVING, SAVING_FETCHED, STARTING, WITH_BACKTICKS};

impl<'c> Reader<'c> {
    /// What one language alone has: lists that Perl opens, quotes of m4. Gives where reading goes on.
    pub(super) fn own_way(&mut self, last: &str, after: usize) -> Option<usize> {
        if self.language == "perl" && last == "open" {
            let call = span(self.code, after);
            let mode =
                ["\"-|\",", "'-|',", "\"|-\",", "'|-',"].iter().find_map(|mode| Some(call.find(mode)? + mode.len()));
            if let Some(mode) = mode {
                let mut at = self.code.len() - self.code.get(after..).map_or(0, |rest| rest.trim_start().len()) + mode;
                return self.start("spawn", &mut at).then_some(at);
            }
        }
        if self.language == "m4" && STARTING.contains(&last) {
            let code = span(self.code, after).trim_matches(['(', '`', '\'', ' ']);
            self.does.starts.push(vec![code.to_owned()]);
            return Some(after);
        }
        None
    }

    /// Code at an address that is run by its name: `include 'https://…'`.
    pub(super) fn loads(&mut self, last: &str, after: usize) {
        if LOADING.contains(&last) {
            let mut at = after;
            let first = self.arguments(&mut at).into_iter().next().flatten();
            let loaded = || matches!(last, "include" | "source").then(|| source_of(span(self.code, after))).flatten();
            if let Some(source) = loaded() {
                self.does.runs.push(source);
            } else if first.is_some_and(|place| place.starts_with("http://") || place.starts_with("https://")) {
                self.does.runs.push("fetched");
            }
        }
    }

    /// What a call prints, or puts into a file.
    pub(super) fn output(&mut self, name: &str, from: usize, after: usize) {
        let last = last_part(name);
        let mut at = after;
        if SAVING_FETCHED.contains(&last) {
            let mut at = after;
            let texts: Vec<String> = self.arguments(&mut at).into_iter().map_while(|argument| argument).collect();
            if let [address, file, ..] = texts.as_slice()
                && address.contains("://")
            {
                self.does.fetched.push(file.clone());
            }
        }
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
            ([], opened) => {
                let span = span(self.code, after);
                if let (false, Some(path), Some(_)) = (printing, opened, source_of(span)) {
                    self.does.fetched.push(path.clone());
                }
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

    /// A call that takes the first path away: `os.rename(a, b)`.
    pub(super) fn moved(&mut self, after: usize) -> usize {
        let mut at = after;
        let paths: Vec<String> = self.arguments(&mut at).into_iter().map_while(|argument| argument).collect();
        if let [from, to] = paths.as_slice() {
            self.does.starts.push(vec!["mv".to_owned(), "--".to_owned(), from.clone(), to.clone()]);
            return at.max(after);
        }
        after
    }

    /// Code of the same language in a text: `exec('…')`, `eval "…"`.
    pub(super) fn runs_own_code(&mut self, name: &str, after: usize) -> bool {
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

    /// What only the whole of the code tells.
    pub(super) fn conclude(&mut self) {
        let has = |names: &[&str]| self.names.iter().any(|name| names.contains(name));
        // `array_map('unlink', glob('…'))`
        let named = || ["'unlink'", "\"unlink\""].iter().any(|name| self.code.contains(name));
        if let Some((folder, before)) = self.folder.take() {
            for words in self.does.starts.iter_mut().skip(before) {
                let line = words.len() == 1;
                let shell = line.then(|| ["sh", "-c"].map(str::to_owned)).into_iter().flatten();
                let there = ["env".to_owned(), "-C".to_owned(), folder.clone()];
                *words = there.into_iter().chain(shell).chain(std::mem::take(words)).collect();
            }
        }
        // What is asked first whether it is meant is not all that there is.
        let all_of_it = self.deletes_unknown && !self.code.contains("if ");
        if all_of_it || has(&["unlink", "remove", "rmdir", "unlinkSync", "rmSync", "delete"]) || named() {
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
        // `r => r.text().then(t => execSync(t))`
        let handed_on = || {
            let mut functions = self.code.split("=>");
            let mut before = functions.next().unwrap_or_default();
            functions.any(|body| {
                let parameter =
                    before.trim_end().trim_end_matches(')').rsplit(['(', ' ', ',']).next().unwrap_or_default();
                before = body;
                !parameter.is_empty()
                    && ["eval", "exec", "execSync", "Function"]
                        .iter()
                        .any(|function| body.contains(&format!("{function}({parameter})")))
            })
        };
        if (given("eval") || given("exec") || called() || handed_on())
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
        let listens = [
            "TCPSocket",
            "IO::Socket",
            "/inet/tcp/",
            "fsockopen",
            "socket.tcp",
            "(\"net\").connect",
            "('net').connect",
        ];
        let from_afar = listens.iter().any(|name| self.code.contains(name));
        if (connects || from_afar) && self.does.starts.iter().any(is_shell) || from_afar && self.starts_unknown {
            self.does.runs.push("socket");
        }
    }

    /// Whether text that is run as code was fetched or decoded.
    pub(super) fn runs_text(&mut self, name: &'c str, after: usize) {
        let span = span(self.code, after);
        let bare = without_texts(span);
        let from_variable = || names_in(&bare).find_map(|name| self.sources.get(name).copied());
        // What a command in backticks prints is code here.
        let loads = |text: &str| names_in(text).any(|name| matches!(name, "curl" | "wget"));
        let quoted_command =
            || (WITH_BACKTICKS.contains(&self.language) && span.contains('`') && loads(span)).then_some("fetched");
        let arrives = || is_what_arrives(span).then_some(ARRIVING);
        let source = source_of(span).or_else(from_variable).or_else(quoted_command).or_else(arrives);
        let Some(source) = source else { return };
        // A program may be given what was fetched as data; only its own code counts.
        let is_code = RUNNING.contains(&name)
            || name == "load"
            || STARTING.contains(&name)
                && (!span.trim_start().trim_start_matches('(').trim_start().starts_with('[')
                    || ["'-c'", "\"-c\""].iter().any(|option| span.contains(option)));
        if is_code && !self.does.runs.contains(&source) {
            self.does.runs.push(source);
        }
    }
}
