//! Programs that run another command, which follows in their own words.

use super::field::{Field, shown};
use super::flow::Flow;
use super::place::Place;
use super::programs::option_values;
use super::tables;
use super::tables::usage::{Usage, skip_to as skip};
use super::tables::wrappers::Runs;
use super::walk::{Feed, Output, Walker};

/// What `env` takes values for.
const ENV_LETTERS: &str = "uCSPa";
const ENV_LONGS: &[&str] = &["unset", "chdir", "split-string", "argv0"];

/// Programs that fetch a package and run what it is named after: `npx rimraf@5`, `deno run npm:rimraf`.
const PACKAGE_RUNNERS: &[&str] = &["npx", "bunx", "npm", "pnpm", "yarn", "bun", "deno", "uvx", "pipx"];

/// Settings of ssh whose value is run.
const SSH_COMMANDS: &[&str] = &["proxycommand", "localcommand", "knownhostscommand"];

impl Walker<'_> {
    /// Follows a wrapper; `None` if it is none.
    pub(super) fn wrapper(&mut self, name: &str, args: &[Field], index: usize) -> Option<Output> {
        match name {
            "flock" => return Some(self.flock(args)),
            "start-stop-daemon" => return Some(self.daemon(args)),
            "tmux" | "screen" => return Some(self.multiplexer(name, args)),
            // These print what would run.
            "command" if args.first().is_some_and(|arg| is_cluster_with(&arg.text, &['v', 'V'])) => {
                return Some(self.printed(name, args));
            }
            "newgrp" | "sg" if option_values(args, "c", &["command"]).is_empty() => {
                self.code_from_input(name, index);
                return Some(None);
            }
            "su" if option_values(args, "c", &["command", "session-command"]).is_empty() => {
                self.code_from_input(name, index);
                return Some(None);
            }
            _ => {}
        }
        let (runs, own, inner) = self.declared_or_known(name, args)?;
        self.options_that_run(name, args, index);
        if name == "env" {
            return Some(self.env(args.to_vec()));
        }
        let (outer_user, outer_place) = (self.user.clone(), self.place.clone());
        self.note_user_and_host(name, &own);
        let folder =
            option_values(&own, "D", &["chdir"]).first().filter(|_| name == "sudo").map(|folder| shown(folder));
        let output = match folder {
            Some(folder) => self.apart(|walker| {
                walker.state.enter(&folder);
                walker.wrapped(name, args, index, (runs, own, inner))
            }),
            None => self.wrapped(name, args, index, (runs, own, inner)),
        };
        (self.user, self.place) = (outer_user, outer_place);
        Some(output)
    }

    /// Who runs what is wrapped, and where.
    fn note_user_and_host(&mut self, name: &str, own: &[Field]) {
        match name {
            "sudo" | "doas" | "runuser" | "pkexec" => {
                let user =
                    option_values(own, "u", &["user"]).first().map_or_else(|| "root".to_owned(), |user| shown(user));
                self.user = user.into();
            }
            "ssh" | "rsh" | "mosh" => {
                let host = own.iter().rev().find(|arg| arg.text != "--").map(Field::shown).unwrap_or_default();
                self.place = Place { host, ..Place::default() }.into();
            }
            _ => {}
        }
    }

    fn wrapped(
        &mut self,
        name: &str,
        args: &[Field],
        index: usize,
        (runs, own, mut inner): (Runs, Vec<Field>, Vec<Field>),
    ) -> Output {
        if inner.is_empty() {
            if matches!(runs, Runs::WordsOrShell | Runs::LineOrShell) && !reads_settings(name, &own)
                || is_own_shell(name, args)
            {
                self.code_from_input(name, index);
            }
            return None;
        }
        let exact = name == "watch" && own.iter().any(|arg| is_cluster_with(&arg.text, &['x']));
        if matches!(runs, Runs::Line | Runs::LineOrShell) && !exact {
            let script = inner.iter().map(|field| field.text.as_str()).collect::<Vec<_>>().join(" ");
            return self.inner_script(name, &script);
        }
        // `sudo -s 'ls a'`: the shell that it starts is given the line.
        let own_shell = || is_own_shell(name, &own);
        if let [line] = inner.as_slice()
            && (runs == Runs::Either || own_shell() && line.text.contains(' '))
        {
            return self.inner_script(name, &line.text);
        }
        let assigns = matches!(name, "sudo" | "cross-env" | "cross-env-shell" | "dotenv");
        let from = if assigns { inner.iter().position(|arg| !is_assignment(&arg.text)).unwrap_or(0) } else { 0 };
        let mut inner = inner.split_off(from.min(inner.len()));
        if PACKAGE_RUNNERS.contains(&name) {
            if inner.first().is_some_and(|program| program.text == "-") {
                self.code_from_input(name, index);
                return None;
            }
            inner = without_package(inner);
        }
        if matches!(name, "command" | "builtin") {
            // These run in this very shell, so that a `cd` behind them lasts.
            return self.within(name, |walker| walker.run(inner, &Flow::default()));
        }
        self.inner_command(name, &inner)
    }

    /// How these words are run, the program's own ones, and those of the command.
    fn declared_or_known(&self, name: &str, args: &[Field]) -> Option<(Runs, Vec<Field>, Vec<Field>)> {
        let declared = self.world.declared.wrappers.iter().filter(|usage| Usage::is_of(usage, name));
        let declared = declared.map(|usage| (Runs::Words, *usage));
        let known = tables::wrappers::named(name).map(|wrapper| (wrapper.runs, wrapper.usage));
        for (runs, usage) in declared.chain(known) {
            if let Some((own, inner)) = Usage::read(usage).apart(args) {
                return Some((runs, own.to_vec(), inner.to_vec()));
            }
        }
        None
    }

    fn env(&mut self, mut args: Vec<Field>) -> Output {
        // `-S` gives words of its own, which may hold options again; each round removes one.
        for _ in 0..8 {
            let from = skip(&args, ENV_LETTERS, ENV_LONGS);
            let own = args.get(..from).unwrap_or_default();
            let Some(text) = option_values(own, "S", &["split-string"]).first().map(ToString::to_string) else {
                break;
            };
            let words = super::inputs::quoted_words(&text, false);
            args = words.into_iter().chain(args.into_iter().skip(from)).collect();
        }
        let from = skip(&args, ENV_LETTERS, ENV_LONGS);
        let (own, rest) = args.split_at(from);
        let folder = option_values(own, "C", &["chdir"]).first().map(|folder| super::field::shown(folder));
        let start = rest.iter().position(|arg| !is_assignment(&arg.text) && arg.text != "-").unwrap_or(rest.len());
        self.apart(|walker| {
            if let Some(folder) = folder {
                walker.state.enter(&folder);
            }
            for assign in rest.iter().take(start) {
                if let Some((name, value)) = assign.text.split_once('=') {
                    let value = super::state::Value::One(Field::known(value));
                    walker.command_variable(name, &value);
                    walker.state.set_exported(name, value);
                }
            }
            match rest.get(start..) {
                Some(inner) if !inner.is_empty() => walker.inner_command("env", inner),
                _ => None,
            }
        })
    }

    fn flock(&mut self, args: &[Field]) -> Output {
        let from = skip(args, "wEn", &["timeout", "wait", "conflict-exit-code"]) + 1;
        match args.get(from..).unwrap_or_default() {
            [] => None,
            [option, code, ..] if matches!(option.text.as_str(), "-c" | "--command") => {
                self.inner_script("flock", &code.text)
            }
            inner => self.inner_command("flock", inner),
        }
    }

    /// `start-stop-daemon -S -x PROGRAM -- ARGUMENTS`
    fn daemon(&mut self, args: &[Field]) -> Output {
        let program = option_values(args, "xa", &["exec", "startas"]).last().copied().map(Field::known)?;
        let from = args.iter().position(|arg| arg.text == "--").map_or(args.len(), |at| at + 1);
        let words: Vec<Field> = std::iter::once(program).chain(args.iter().skip(from).cloned()).collect();
        self.inner_command("start-stop-daemon", &words)
    }

    /// The last word of `tmux new-session`, `send-keys` and their like is a command line.
    fn multiplexer(&mut self, name: &str, args: &[Field]) -> Output {
        const STARTING: &[&str] = &[
            "new-session",
            "new",
            "new-window",
            "neww",
            "split-window",
            "splitw",
            "respawn-pane",
            "respawn-window",
            "send-keys",
            "send",
            "run-shell",
            "run",
            "popup",
            "display-popup",
            "if-shell",
            "pipe-pane",
        ];
        let begin = match name {
            "screen" => Some(0),
            _ => args.iter().position(|arg| STARTING.contains(&arg.text.as_str())).map(|at| at + 1),
        };
        let rest = begin.and_then(|begin| args.get(begin..)).unwrap_or_default();
        for arg in rest.iter().filter(|arg| arg.text.contains(' ')) {
            self.inner_script(name, &arg.text.clone());
        }
        let words = rest.get(skip(rest, "ScTtehpsOnxydlLF", &[])..).unwrap_or_default();
        if let [_, _, ..] = words {
            self.inner_command(name, words);
        }
        None
    }

    /// Code that is compiled is run soon after.
    fn compiler(&mut self, name: &str, args: &[Field]) {
        if let Some(words) = args.iter().skip_while(|arg| arg.text != "-wrapper").nth(1) {
            let words: Vec<Field> = words.text.split(',').map(Field::known).collect();
            self.inner_command(name, &words);
        }
        let from_input = args.iter().any(|arg| super::shells::is_input(&arg.text));
        let mut codes: Vec<String> = self.feed.input.clone().filter(|_| from_input).into_iter().collect();
        codes.extend(args.iter().filter_map(|arg| self.written(arg)?.input.clone()));
        for code in codes {
            self.code(name, &code, &[]);
        }
        // What is made of code from elsewhere is from there as well.
        let from_input = from_input.then(|| std::sync::Arc::clone(&self.feed.from));
        let from = args.iter().find_map(|arg| self.written(arg).map(|feed| std::sync::Arc::clone(&feed.from)));
        if let Some(from) = from.or(from_input) {
            let stem = args.iter().find_map(|arg| arg.text.strip_suffix(".rs")).filter(|_| name == "rustc");
            let made = option_values(args, "o", &[]).first().copied().or(stem).unwrap_or("a.out").to_owned();
            self.note_file(&made, Feed { input: None, from }, false);
        }
    }

    /// Follows what runs in a container, with the folders that it is given.
    pub(super) fn container(&mut self, name: &str, args: &[Field]) {
        const LETTERS: &str = "vewumplhacnf";
        const LONGS: &[&str] = &[
            "volume",
            "env",
            "workdir",
            "user",
            "name",
            "network",
            "mount",
            "entrypoint",
            "memory",
            "publish",
            "label",
            "hostname",
            "add-host",
            "cap-add",
            "cap-drop",
            "device",
            "env-file",
            "gpus",
            "ipc",
            "pid",
            "platform",
            "restart",
            "security-opt",
            "shm-size",
            "tmpfs",
            "ulimit",
            "userns",
            "volumes-from",
            "container",
            "namespace",
            "context",
            "file",
            "project-name",
            "profile",
            "cpus",
            "log-driver",
            "pull",
            "runtime",
            "net",
            "link",
            "log-opt",
            "index",
        ];
        let from = skip(args, LETTERS, LONGS);
        let mut rest = args.get(from..).unwrap_or_default();
        if rest.first().is_some_and(|arg| arg.text == "compose") {
            rest = rest.get(1..).unwrap_or_default();
            rest = rest.get(skip(rest, LETTERS, LONGS)..).unwrap_or_default();
        }
        let Some((subcommand, rest)) = rest.split_first() else { return };
        if subcommand.text == "unshare" {
            self.inner_command(name, rest);
            return;
        }
        if !matches!(subcommand.text.as_str(), "run" | "exec") {
            return;
        }
        let own = skip(rest, LETTERS, LONGS);
        let (own, rest) = rest.split_at(own.min(rest.len()));
        let Some((image, command)) = rest.split_first() else { return };
        let command = command.strip_prefix(&[Field::known("--")]).unwrap_or(command);
        let entry = option_values(own, "", &["entrypoint"]).first().map(Field::known_ref);
        let words: Vec<Field> = entry.into_iter().chain(command.iter().cloned()).collect();
        if words.is_empty() {
            return;
        }
        let folder = super::path::join(&self.base, &self.state.folder());
        let place = super::place::Place::of_container(&image.shown(), own, &folder);
        let outer = std::mem::replace(&mut self.place, place.into());
        self.inner_command(name, &words);
        self.place = outer;
    }

    /// Options and operands of other programs that are command lines.
    pub(super) fn options_that_run(&mut self, name: &str, args: &[Field], index: usize) {
        let usage = tables::options::Usage::of(name);
        let (letters, longs) = usage.running();
        for value in option_values(args, &letters, &longs) {
            self.inner_script(name, value);
        }
        match name {
            "tar" | "gtar" => {
                for action in option_values(args, "", &["checkpoint-action"]) {
                    if let Some(code) = action.strip_prefix("exec=") {
                        self.inner_script(name, code);
                    }
                }
            }
            "ssh" | "scp" | "sftp" => {
                for option in option_values(args, "o", &[]) {
                    if let Some((key, code)) = option.split_once('=')
                        && SSH_COMMANDS.contains(&key.to_ascii_lowercase().as_str())
                    {
                        self.inner_script(name, code);
                    }
                }
            }
            "apt" | "apt-get" => {
                for option in option_values(args, "o", &["option"]) {
                    if let Some((key, code)) = option.split_once('=')
                        && key.contains("Invoke")
                    {
                        self.inner_script(name, code);
                    }
                }
            }
            "zip" => {
                let after = args.iter().skip_while(|arg| arg.text != "-TT").nth(1);
                after.map(|code| code.text.clone()).iter().for_each(|code| drop(self.inner_script(name, code)));
            }
            "npm" | "pnpm" | "yarn" => {
                for code in args.iter().filter_map(|arg| arg.text.strip_prefix("scripts.")?.split_once('=')) {
                    self.inner_script(name, code.1);
                }
                self.package_scripts(name, "package.json", "scripts");
            }
            "gh" => {
                // `gh alias set x '!ls'`
                let code = args.last().filter(|_| args.first().is_some_and(|first| first.text == "alias"));
                let shell = args.iter().any(|arg| matches!(arg.text.as_str(), "--shell" | "-s"));
                let code = code.filter(|code| shell || code.text.starts_with('!')).map(|code| code.text.clone());
                if let Some(code) = code {
                    self.inner_script(name, code.trim_start_matches('!'));
                }
            }
            "ansible" => {
                for arguments in
                    option_values(args, "a", &["args"]).into_iter().filter(|all| all.contains("state=absent"))
                {
                    let path = arguments.split_ascii_whitespace().find_map(|word| word.strip_prefix("path="));
                    let words = ["rm", "-rf"].into_iter().chain(path).map(Field::known).collect::<Vec<_>>();
                    self.inner_command(name, &words);
                }
            }
            "gcc" | "cc" | "clang" | "g++" | "c++" | "clang++" | "tcc" | "c99" | "rustc" | "go" | "dart" | "javac"
            | "kotlinc" | "zig" | "nim" | "swiftc" => {
                self.compiler(name, args);
            }
            "make" | "gmake" | "bmake" | "just" => self.recipes(name, args, index),
            "deno" => self.package_scripts(name, "deno.json", "tasks"),
            "crontab" => self.crontab(name, args, index),
            "vim" | "vi" | "nvim" | "ex" | "view" | "less" | "more" | "vimdiff" | "gvim" => {
                let commands = args.iter().filter_map(|arg| arg.text.strip_prefix('+'));
                for command in commands.chain(option_values(args, "c", &["cmd"])) {
                    let command = command.trim_start_matches(':').trim_start_matches("silent ");
                    if ["system(", "execute(", "delete("].iter().any(|call| command.contains(call)) {
                        self.code("vim", command, &[]);
                    }
                    if let Some(code) = command.strip_prefix('!') {
                        self.inner_script(name, code);
                    }
                }
            }
            "socat" => {
                for text in args.iter().map(|arg| arg.text.as_str()) {
                    let prefix = text.get(..text.find(':').map_or(0, |at| at + 1)).unwrap_or_default();
                    if ["EXEC:", "SYSTEM:", "SHELL:"].contains(&prefix.to_ascii_uppercase().as_str()) {
                        let code = text.get(prefix.len()..).unwrap_or_default().replace("\\ ", " ");
                        self.inner_script(name, &code);
                    }
                }
            }
            _ if usage.lines => {
                for text in args.iter().map(|arg| arg.text.as_str()).filter(|text| !text.starts_with('-')) {
                    self.inner_script(name, text);
                }
            }
            _ => {}
        }
    }
}

/// Whether what the program does is told by the commands that it runs.
pub(super) fn is_known(name: &str) -> bool {
    matches!(name, "flock" | "tmux" | "screen" | "xargs" | "parallel" | "start-stop-daemon")
        || tables::wrappers::named(name).next().is_some()
}

pub(super) fn is_assignment(text: &str) -> bool {
    text.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}

/// Whether these options ask for a shell.
fn is_own_shell(name: &str, args: &[Field]) -> bool {
    let asks = |text: &str| is_cluster_with(text, &['s', 'i']) || matches!(text, "--shell" | "--login");
    matches!(name, "sudo" | "doas") && args.iter().any(|arg| asks(&arg.text))
}

fn is_cluster_with(text: &str, letters: &[char]) -> bool {
    text.strip_prefix('-').is_some_and(|cluster| !cluster.starts_with('-') && cluster.contains(letters))
}

/// The words with the name of the program in the place of that of the package.
fn without_package(mut words: Vec<Field>) -> Vec<Field> {
    if let Some(first) = words.first_mut() {
        let name = first.text.strip_prefix("npm:").unwrap_or(&first.text);
        let end = name.char_indices().skip(1).find(|(_, letter)| *letter == '@').map_or(name.len(), |(at, _)| at);
        first.text = name.get(..end).unwrap_or_default().to_owned();
    }
    words
}

/// `ssh -F /dev/stdin`: what arrives is no code.
fn reads_settings(name: &str, own: &[Field]) -> bool {
    name == "ssh" && option_values(own, "F", &[]).iter().any(|file| super::shells::is_input(file))
}
