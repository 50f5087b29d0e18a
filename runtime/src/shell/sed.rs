//! Scripts of sed: the command `e` and the flag of the same name run what they are given.

use super::field::Field;
use super::programs::option_values;
use super::walk::{Output, Walker};

impl Walker<'_> {
    pub(super) fn sed(&mut self, args: &[Field]) -> Output {
        let given = option_values(args, "e", &["expression"]);
        let operand = || args.iter().map(|arg| arg.text.as_str()).find(|arg| !arg.starts_with('-'));
        let scripts = if given.is_empty() { operand().into_iter().collect() } else { given };
        for code in scripts.iter().flat_map(|script| commands(script)) {
            self.inner_script("sed", &code);
        }
        self.printed("sed", args)
    }
}

/// The shell commands in a script.
fn commands(script: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = script;
    loop {
        rest = after_address(rest.trim_start_matches([' ', '\t', '\n', ';', '{', '}']));
        let Some(command) = rest.chars().next() else { return found };
        let arguments = rest.get(command.len_utf8()..).unwrap_or_default();
        let line = arguments.find('\n').unwrap_or(arguments.len());
        let (own, next) = arguments.split_at(line);
        rest = match command {
            'e' => {
                found.push(own.trim().to_owned());
                next
            }
            's' | 'y' => {
                let Some((replacement, flags)) = substitution(arguments) else { return found };
                let length = flags.bytes().take_while(u8::is_ascii_alphanumeric).count();
                let (own, next) = flags.split_at(length);
                if command == 's' && own.contains('e') {
                    found.push(replacement.replace('\\', ""));
                }
                next
            }
            // Text and file names go on to the end of the line.
            'a' | 'i' | 'c' | 'r' | 'R' | 'w' | 'W' | '#' => next,
            _ => arguments.find([';', '\n', '}']).and_then(|at| arguments.get(at..)).unwrap_or_default(),
        };
    }
}

/// What follows the lines that a command is for.
fn after_address(script: &str) -> &str {
    let mut rest = script;
    loop {
        rest = match rest.chars().next() {
            Some(c) if c.is_ascii_digit() || matches!(c, '$' | ',' | '!' | '+' | '~' | ' ' | '\t') => {
                rest.get(1..).unwrap_or_default()
            }
            Some('/') => after(rest.get(1..).unwrap_or_default(), '/').map_or("", |(_, rest)| rest),
            _ => return rest,
        };
    }
}

/// The second part of `/a/b/`, whatever the separator, and what follows.
fn substitution(text: &str) -> Option<(&str, &str)> {
    let separator = text.chars().next()?;
    let (_, rest) = after(text.get(separator.len_utf8()..)?, separator)?;
    after(rest, separator)
}

/// What stands before and after a separator that no backslash protects.
fn after(text: &str, separator: char) -> Option<(&str, &str)> {
    let mut escaped = false;
    for (at, character) in text.char_indices() {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if character == separator => return Some((text.get(..at)?, text.get(at + separator.len_utf8()..)?)),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_sed_runs_is_a_command() {
        assert_eq!(commands("1e ls -l"), ["ls -l"]);
        assert_eq!(commands("/x\\/y/,$!{p;e date\n};d"), ["date"]);
        assert_eq!(commands("s/a/echo \\/b/ge; s|c|d|p"), ["echo /b"]);
        assert_eq!(commands("s/e x/e y/; y/abe/xyz/; a e z\ni\\ e w"), [""; 0]);
        assert_eq!(commands("s/unfinished"), [""; 0]);
    }
}
