//! Programs with commands of their own, one of which hands the rest of the line to a shell.

use super::field::Field;
use super::walk::Walker;
use crate::powershell;

/// How a program is given commands, and which of them start a shell.
#[derive(Debug)]
struct Console {
    /// Options, as they are written, that are followed by commands.
    options: &'static [&'static str],
    /// Operands may be commands too.
    operands: bool,
    /// What a command begins with that is for a shell.
    escapes: &'static [&'static str],
}

const fn console(options: &'static [&'static str], escapes: &'static [&'static str]) -> Console {
    Console { options, operands: false, escapes }
}

fn console_of(name: &str) -> Option<Console> {
    Some(match name {
        "gdb" => console(&["-ex", "--ex", "-eval-command", "--eval-command"], &["shell ", "!"]),
        "lldb" => console(&["-o", "--one-line"], &["platform shell ", "shell "]),
        "tclsh" | "expect" | "wish" => console(&["-c"], &["exec ", "spawn ", "system "]),
        "psql" => console(&["-c", "--command"], &["\\!", "copy "]),
        "mysql" | "mariadb" => console(&["-e", "--execute"], &["\\!", "system "]),
        "ed" | "ex" | "ftp" | "sftp" | "telnet" | "sqlplus" => console(&[], &["!"]),
        "gnuplot" | "dc" | "lftp" => console(&["-e", "-c"], &["!"]),
        "ipython" => console(&["-c"], &["!", "%sx "]),
        "duckdb" => Console { operands: true, ..console(&["-c", "-cmd"], &[".shell ", ".system "]) },
        "ansible-console" | "kak" => console(&["-e"], &["", "nop %sh{", "%sh{"]),
        "sqlite3" => Console { operands: true, ..console(&["-cmd"], &[".shell ", ".system "]) },
        _ => return None,
    })
}

impl Walker<'_> {
    /// Follows commands of a console into the shell that they start.
    pub(super) fn console(&mut self, name: &str, args: &[Field]) {
        if matches!(name, "pwsh" | "powershell") {
            return self.powershell(name, args);
        }
        let Some(console) = console_of(name) else { return };
        let mut given: Vec<String> = self.feed.input.clone().into_iter().collect();
        let mut after_option = false;
        for arg in args {
            if after_option || console.operands && !arg.text.starts_with('-') {
                given.push(arg.text.clone());
            }
            after_option = console.options.contains(&arg.text.as_str());
        }
        for line in given.iter().flat_map(|text| text.split(['\n', ';'])) {
            let line = line.trim_start();
            let starts =
                |escape: &&str| line.get(..escape.len()).is_some_and(|start| start.eq_ignore_ascii_case(escape));
            let escape =
                console.escapes.iter().find(|escape| starts(escape)).and_then(|escape| line.get(escape.len()..));
            let Some(code) = escape else { continue };
            if name == "psql" && !line.starts_with('\\') {
                // `copy … from program 'ls'`
                let program = code.to_ascii_lowercase().find(" program ").and_then(|at| code.get(at..));
                let quoted = program.and_then(|program| program.split('\'').nth(1));
                if let Some(code) = quoted {
                    self.inner_script(name, code);
                }
            } else {
                let code = code.trim_start().trim_end_matches('}');
                let quoted = code.strip_prefix('"').and_then(|code| code.strip_suffix('"'));
                self.inner_script(name, quoted.unwrap_or(code));
            }
        }
    }

    /// PowerShell has its options in any case and any length, and a language of its own.
    fn powershell(&mut self, name: &str, args: &[Field]) {
        let is_command = |arg: &Field| {
            let option = arg.text.trim_start_matches(['-', '/']).to_ascii_lowercase();
            arg.text.starts_with(['-', '/']) && !option.is_empty() && "command".starts_with(&option)
        };
        let code = match args.iter().position(is_command) {
            Some(at) => {
                let words: Vec<&str> = args.iter().skip(at + 1).map(|arg| arg.text.as_str()).collect();
                Some(words.join(" ")).filter(|code| code != "-").or_else(|| self.feed.input.clone())
            }
            // A file is not read here, and what it is given is its own affair.
            None => self.feed.input.clone().filter(|_| args.iter().all(|arg| arg.text.starts_with('-'))),
        };
        if let Some(code) = code {
            self.inner_script(name, &powershell::translated(&code).0);
        }
    }
}
