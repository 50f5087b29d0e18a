//! Scripts of sed: the command `e` and the flag of the same name run what they are given, and what is put into a file may
//! run later.

use super::field::{Field, doubted};
use super::programs::option_values;
use super::walk::{Feed, Output, Walker};

impl Walker<'_> {
    pub(super) fn sed(&mut self, args: &[Field]) -> Output {
        let mut scripts: Vec<String> =
            option_values(args, "e", &["expression"]).into_iter().map(str::to_owned).collect();
        let files = option_values(args, "f", &["file"]);
        scripts.extend(files.iter().filter_map(|file| self.written(&Field::known(*file))?.input.clone()));
        let mut operands = args.iter().filter(|arg| !arg.text.starts_with('-'));
        if scripts.is_empty() && files.is_empty() {
            scripts.extend(operands.next().map(|script| script.text.clone()));
        }
        let script = Script::of(&scripts);
        for code in &script.runs {
            self.inner_script("sed", code);
        }
        let edits = |arg: &Field| arg.text.starts_with("-i") || arg.text.starts_with("--in-place");
        if args.iter().any(edits) {
            self.put_into_files(&scripts, operands);
        }
        self.printed("sed", args)
    }

    /// Remembers what scripts put into the files that they edit.
    pub(super) fn put_into_files<'f>(&mut self, scripts: &[String], files: impl Iterator<Item = &'f Field>) {
        let texts = Script::of(scripts).texts;
        for file in files.map(Field::shown) {
            for text in &texts {
                let feed = Feed { input: Some(doubted(format!("{text}\n"))), ..Feed::default() };
                self.note_file(&file, feed, true);
            }
        }
    }
}

/// What a script of sed puts into the text, and what it runs.
#[derive(Debug, Default, PartialEq, Eq)]
struct Script {
    /// Lines for a shell.
    runs: Vec<String>,
    /// Replacements, and lines that are added.
    texts: Vec<String>,
}

impl Script {
    fn of(scripts: &[String]) -> Self {
        let mut script = Self::default();
        let mut runs_lines = false;
        for text in scripts {
            runs_lines |= script.read(text);
        }
        // What runs is the line as other commands have left it.
        if runs_lines {
            let texts = script.texts.iter().filter(|text| !script.runs.contains(text)).cloned().collect::<Vec<_>>();
            script.runs.extend(texts);
        }
        script
    }

    /// Reads one script, and tells whether it runs the lines that it works on.
    fn read(&mut self, script: &str) -> bool {
        let mut runs_lines = false;
        let mut rest = script;
        loop {
            rest = after_address(rest.trim_start_matches([' ', '\t', '\n', ';', '{', '}']));
            let Some(command) = rest.chars().next() else { return runs_lines };
            let arguments = rest.get(command.len_utf8()..).unwrap_or_default();
            let line = arguments.find('\n').unwrap_or(arguments.len());
            let (own, next) = arguments.split_at(line);
            rest = match command {
                'e' => {
                    runs_lines |= own.trim().is_empty();
                    self.runs.extend(Some(own.trim().to_owned()).filter(|code| !code.is_empty()));
                    next
                }
                's' | 'y' => {
                    let Some((replacement, flags)) = substitution(arguments) else { return runs_lines };
                    let length = flags.bytes().take_while(u8::is_ascii_alphanumeric).count();
                    let (own, next) = flags.split_at(length);
                    if command == 's' {
                        runs_lines |= own.contains('e');
                        self.texts.push(replacement.replace('\\', ""));
                    }
                    next
                }
                'a' | 'i' | 'c' => {
                    self.texts.push(own.trim_start_matches(['\\', ' ', '\t']).to_owned());
                    next
                }
                // File names go on to the end of the line.
                'r' | 'R' | 'w' | 'W' | '#' => next,
                _ => arguments.find([';', '\n', '}']).and_then(|at| arguments.get(at..)).unwrap_or_default(),
            };
        }
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
        let runs = |script: &str| Script::of(&[script.to_owned()]).runs;
        assert_eq!(runs("1e ls -l"), ["ls -l"]);
        assert_eq!(runs("/x\\/y/,$!{p;e date\n};d"), ["date"]);
        assert_eq!(runs("s/a/echo \\/b/ge; s|c|d|p"), ["echo /b", "d"]);
        assert_eq!(runs("s/.*/ls/; s/$//e"), ["ls", ""]);
        assert_eq!(runs("s/e x/e y/; y/abe/xyz/; a e z\ni\\ e w"), [""; 0]);
        assert_eq!(runs("s/unfinished"), [""; 0]);
    }

    #[test]
    fn what_is_put_into_the_text_is_known() {
        let texts = |script: &str| Script::of(&[script.to_owned()]).texts;
        assert_eq!(texts("s/a/b/; 1i ls -l"), ["b", "ls -l"]);
        assert_eq!(texts("$ a\\ ls"), ["ls"]);
        assert_eq!(texts("/x/d; p"), [""; 0]);
    }
}
