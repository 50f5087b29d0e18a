//! Programs that run another command, which follows in their own words.

use super::field::Field;
use super::flow::Flow;
use super::programs::{RUNNING_OPERANDS, RUNNING_OPTIONS, option_values};
use super::walk::{Output, Walker};

/// How a wrapper's own words end.
#[derive(Debug)]
struct Wrapper {
    name: &'static str,
    /// Letters of options that take a value.
    letters: &'static str,
    /// Long names of options that take a value.
    longs: &'static [&'static str],
    /// Words of its own before the command.
    operands: usize,
    /// The words are joined and given to a shell.
    joined: bool,
    /// Without a command, it starts a shell.
    shell: bool,
}

const fn plain(name: &'static str, letters: &'static str, longs: &'static [&'static str], operands: usize) -> Wrapper {
    Wrapper { name, letters, longs, operands, joined: false, shell: false }
}

/// One that starts a shell unless it is told what else.
const fn shell(name: &'static str, letters: &'static str, longs: &'static [&'static str], operands: usize) -> Wrapper {
    Wrapper { shell: true, ..plain(name, letters, longs, operands) }
}

const fn joined(name: &'static str, letters: &'static str, longs: &'static [&'static str], operands: usize) -> Wrapper {
    Wrapper { joined: true, ..plain(name, letters, longs, operands) }
}

const SUDO: &[&str] =
    &["user", "group", "prompt", "close-from", "host", "chdir", "chroot", "role", "type", "other-user"];

const WRAPPERS: &[Wrapper] = &[
    plain("sudo", "ugpChTRDrtU", SUDO, 0),
    plain("doas", "uC", &[], 0),
    plain("env", "uCSP", &["unset", "chdir", "split-string"], 0),
    plain("nohup", "", &[], 0),
    plain("timeout", "sk", &["signal", "kill-after"], 1),
    plain("gtimeout", "sk", &["signal", "kill-after"], 1),
    plain("nice", "n", &["adjustment"], 0),
    plain("ionice", "cnpPu", &["class", "classdata", "pid"], 0),
    plain("chrt", "TPD", &[], 1),
    plain("taskset", "", &[], 1),
    plain("setsid", "", &[], 0),
    plain("stdbuf", "ioe", &["input", "output", "error"], 0),
    plain("time", "fo", &["format", "output"], 0),
    plain("command", "", &[], 0),
    plain("builtin", "", &[], 0),
    plain("exec", "a", &[], 0),
    plain("noglob", "", &[], 0),
    plain("strace", "abeEIoOpPsSuUX", &["trace", "output", "attach", "user", "string-limit", "env"], 0),
    plain("ltrace", "aeFlnopsuwx", &["output"], 0),
    shell("unshare", "RGSw", &["root", "wd", "setuid", "setgid", "map-user", "map-group", "propagation"], 0),
    shell("nsenter", "tSGrw", &["target", "setuid", "setgid", "wd", "root"], 0),
    shell("chroot", "", &["userspec", "groups"], 1),
    plain("busybox", "", &[], 0),
    plain("toybox", "", &[], 0),
    plain("setpriv", "", &["reuid", "regid", "groups"], 0),
    plain("caffeinate", "tw", &[], 0),
    plain("fakeroot", "lsib", &[], 0),
    plain("unbuffer", "", &[], 0),
    plain("dbus-run-session", "", &["config-file"], 0),
    plain("systemd-run", "pEuMHt", &["property", "setenv", "unit", "uid", "gid", "slice", "machine", "host"], 0),
    plain("proxychains", "f", &[], 0),
    plain("proxychains4", "f", &[], 0),
    plain("torsocks", "", &[], 0),
    plain("faketime", "f", &[], 1),
    plain("valgrind", "", &[], 0),
    plain("prlimit", "", &[], 0),
    plain("xvfb-run", "enps", &["server-num", "server-args"], 0),
    plain("rlwrap", "", &[], 0),
    plain("firejail", "", &[], 0),
    plain("pkexec", "", &["user"], 0),
    shell("runuser", "ugGcsw", &["user", "group", "supp-group", "command", "session-command", "shell"], 0),
    plain("setarch", "", &[], 1),
    plain("linux32", "", &[], 0),
    plain("linux64", "", &[], 0),
    plain("coproc", "", &[], 0),
    plain("entr", "", &[], 0),
    joined("watch", "nq", &["interval"], 0),
    Wrapper { shell: true, ..joined("ssh", "bcDEeFIiJLlmOopQRSWwB", &[], 1) },
];

/// Programs with a subcommand that runs the command after it,
/// and the number of their own words between the two.
const RUNNERS: &[(&str, &[&str], usize)] = &[
    ("uv", &["run"], 0),
    ("poetry", &["run"], 0),
    ("pipenv", &["run"], 0),
    ("pdm", &["run"], 0),
    ("hatch", &["run"], 0),
    ("rye", &["run"], 0),
    ("bundle", &["exec"], 0),
    ("direnv", &["exec"], 1),
    ("pnpm", &["exec"], 0),
    ("mise", &["exec", "x"], 0),
    ("asdf", &["exec"], 0),
];

/// Settings of ssh whose value is run.
const SSH_COMMANDS: &[&str] = &["proxycommand", "localcommand", "knownhostscommand"];

impl Walker<'_> {
    /// Follows a wrapper; `None` if it is none.
    pub(super) fn wrapper(&mut self, name: &str, args: &[Field], index: usize) -> Option<Output> {
        match name {
            "flock" => return Some(self.flock(args)),
            "tmux" | "screen" => return Some(self.multiplexer(name, args)),
            // These print what would run.
            "command" if args.first().is_some_and(|arg| is_cluster_with(&arg.text, &['v', 'V'])) => {
                return Some(self.printed(name, args));
            }
            "su" if option_values(args, "c", &["command", "session-command"]).is_empty() => {
                self.code_from_input(name, index);
                return Some(None);
            }
            _ => {}
        }
        if let Some((_, words, operands)) = RUNNERS.iter().find(|(runner, ..)| *runner == name) {
            let at = args.iter().position(|arg| !arg.text.starts_with('-'))?;
            let run = args.get(at).is_some_and(|arg| words.contains(&arg.text.as_str()));
            let rest = args.get(at + 1..).unwrap_or_default();
            let from = rest.iter().position(|arg| !arg.text.starts_with('-'))? + operands;
            return run.then(|| self.inner_command(name, rest.get(from..).unwrap_or_default()));
        }
        let wrapper = WRAPPERS.iter().find(|wrapper| wrapper.name == name)?;
        self.options_that_run(name, args);
        if name == "env" {
            return Some(self.env(wrapper, args.to_vec()));
        }
        let from = skip_options(args, wrapper);
        let inner = args.get(from + wrapper.operands..).unwrap_or_default();
        if inner.is_empty() {
            if wrapper.shell || is_own_shell(name, args) {
                self.code_from_input(name, index);
            }
            return Some(None);
        }
        let exact = name == "watch"
            && args.get(..from).unwrap_or_default().iter().any(|arg| is_cluster_with(&arg.text, &['x']));
        if wrapper.joined && !exact {
            let script = inner.iter().map(|field| field.text.as_str()).collect::<Vec<_>>().join(" ");
            return Some(self.inner_script(name, &script));
        }
        let from = if name == "sudo" { inner.iter().position(|arg| !is_assignment(&arg.text)).unwrap_or(0) } else { 0 };
        let inner = inner.get(from..).unwrap_or_default();
        if matches!(name, "command" | "builtin") {
            // These run in this very shell, so that a `cd` behind them lasts.
            return Some(self.within(name, |walker| walker.run(inner.to_vec(), &Flow::default())));
        }
        Some(self.inner_command(name, inner))
    }

    fn env(&mut self, wrapper: &Wrapper, mut args: Vec<Field>) -> Output {
        // `-S` gives words of its own, which may hold options again; each round removes one.
        for _ in 0..8 {
            let from = skip_options(&args, wrapper);
            let own = args.get(..from).unwrap_or_default();
            let Some(text) = option_values(own, "S", &["split-string"]).first().map(ToString::to_string) else {
                break;
            };
            let words = super::inputs::quoted_words(&text, false);
            args = words.into_iter().chain(args.into_iter().skip(from)).collect();
        }
        let from = skip_options(&args, wrapper);
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
        let wrapper = plain("flock", "wEn", &["timeout", "wait", "conflict-exit-code"], 1);
        let from = skip_options(args, &wrapper) + 1;
        match args.get(from..).unwrap_or_default() {
            [] => None,
            [option, code, ..] if matches!(option.text.as_str(), "-c" | "--command") => {
                self.inner_script("flock", &code.text)
            }
            inner => self.inner_command("flock", inner),
        }
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
        let starts = name == "screen" || args.iter().any(|arg| STARTING.contains(&arg.text.as_str()));
        for arg in args.iter().filter(|arg| starts && arg.text.contains(' ')) {
            self.inner_script(name, &arg.text.clone());
        }
        None
    }

    /// Options and operands of other programs that are command lines.
    pub(super) fn options_that_run(&mut self, name: &str, args: &[Field]) {
        for (_, letters, longs) in RUNNING_OPTIONS.iter().filter(|(program, ..)| *program == name) {
            for value in option_values(args, letters, longs) {
                self.inner_script(name, value);
            }
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
            "vim" | "vi" | "nvim" | "ex" | "view" => {
                let commands = args.iter().filter_map(|arg| arg.text.strip_prefix('+'));
                for command in commands.chain(option_values(args, "c", &["cmd"])) {
                    if let Some(code) = command.trim_start_matches(':').strip_prefix('!') {
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
            _ if RUNNING_OPERANDS.contains(&name) => {
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
    matches!(name, "flock" | "tmux" | "screen" | "xargs" | "parallel")
        || WRAPPERS.iter().any(|wrapper| wrapper.name == name)
        || RUNNERS.iter().any(|(runner, ..)| *runner == name)
}

/// Where the wrapper's own options end.
fn skip_options(args: &[Field], wrapper: &Wrapper) -> usize {
    skip(args, wrapper.letters, wrapper.longs)
}

/// Where options end, if those with these letters and names take a value.
pub(super) fn skip(args: &[Field], letters: &str, longs: &[&str]) -> usize {
    let mut at = 0;
    while let Some(arg) = args.get(at) {
        let text = arg.text.as_str();
        if text == "--" {
            return at + 1;
        }
        if let Some(long) = text.strip_prefix("--") {
            let valued = !long.contains('=') && longs.iter().any(|known| known.starts_with(long));
            at += if valued { 2 } else { 1 };
        } else if let Some(cluster) = text.strip_prefix('-').filter(|cluster| !cluster.is_empty()) {
            let valued = cluster.find(|letter| letters.contains(letter));
            let needs_next = valued.is_some_and(|at| at + 1 == cluster.len());
            at += if needs_next { 2 } else { 1 };
        } else {
            break;
        }
    }
    at.min(args.len())
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
