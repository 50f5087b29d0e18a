//! Commands that a recognisable hook is made of: those that print, look for something, or take the event apart.

#![expect(
    clippy::unused_self,
    clippy::unnecessary_wraps,
    reason = "commands are methods of one shape, whether they need all of it or not"
)]

use camino::Utf8Path;
use hookgen_runtime::client::claude::places::{PLUGIN_ROOT, PROJECT};
use hookgen_runtime::shell::syntax::Body;

use super::jq;
use super::path::{Input, Path, Reason, Variable};
use super::python;
use super::script::{Reader, stepped};
use super::value::{Condition, Read, Step, Test, Text, quoted};

/// Subcommands of git that only look.
const LOOKING: &[&str] = &[
    "diff",
    "status",
    "rev-parse",
    "ls-files",
    "show-ref",
    "check-ignore",
    "merge-base",
    "log",
    "diff-index",
    "rev-list",
];

/// How long a program that is asked may take, in seconds.
const PATIENCE: u32 = 10;

impl Reader<'_> {
    pub(super) fn command(&self, fields: &[Text], mut path: Path) -> Result<Vec<Path>, Reason> {
        let Some((program, args)) = fields.split_first() else { return Ok(vec![path.at(0)]) };
        let Some(name) = program.literal() else { return self.named_by_a_variable(program, args, path) };
        if let Some(body) = path.functions.get(name).cloned() {
            return self.call(&body, args, path);
        }
        match name.rsplit('/').next().unwrap_or(name) {
            ":" | "true" => Ok(vec![path.at(0)]),
            "false" => Ok(vec![path.at(1)]),
            "exit" | "return" => {
                let code =
                    args.first().map_or(Some(path.status), |code| code.literal().and_then(|code| code.parse().ok()));
                let mut path = path.at(code.ok_or("its exit code is not written in it")?);
                (path.ended, path.returned) = (true, name == "return");
                Ok(vec![path])
            }
            "set" => {
                path.strict |=
                    args.iter().filter_map(Text::literal).any(|option| option.starts_with('-') && option.contains('e'));
                Ok(vec![path.at(0)])
            }
            "export" | "local" | "declare" | "readonly" | "typeset" => self.declared(args, path),
            "echo" => self.echo(args, path),
            "printf" => self.printf(args, path),
            "cat" if args.iter().all(|arg| arg.literal() == Some("-")) => self.passed_on(path, Ok),
            "read" => self.read_line(args, path),
            "test" => Self::bracket(args, path),
            "[" => Self::bracket(args.split_last().map(|(_, args)| args).unwrap_or_default(), path),
            "grep" | "egrep" | "fgrep" | "rg" => Self::grep(name, args, path),
            "jq" => jq::command(self, args, path),
            "python" | "python3" => python::command(self, args, path),
            "bash" | "sh" | "zsh" => self.shell(args, path),
            "basename" => self.of_path(args, path, Step::Basename),
            "dirname" => self.of_path(args, path, Step::Dirname),
            "tr" => self.translate(args, path),
            "pwd" => self.print(&Text::read(Read::world("cwd")), path),
            "git" => self.git(args, path),
            "command" | "type" | "which" | "hash" => {
                if args.first().is_some_and(|arg| arg.literal() == Some("-v")) || name != "command" {
                    return Ok(vec![path.at(0)]);
                }
                self.command(args, path)
            }
            other if [".sh", ".py"].iter().any(|ending| other.ends_with(ending)) => self.file(name, args, path),
            other => Err(format!("it starts `{other}`")),
        }
    }

    /// `"$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.sh`
    fn named_by_a_variable(&self, program: &Text, args: &[Text], path: Path) -> Result<Vec<Path>, Reason> {
        let written = program.template();
        self.file(&written, args, path)
    }

    /// A script beside the settings, by the line that it begins with or by its name.
    pub(super) fn file(&self, name: &str, args: &[Text], path: Path) -> Result<Vec<Path>, Reason> {
        let text = (self.subject.script)(name).ok_or_else(|| format!("it starts `{}`", shown(name)))?;
        if !args.is_empty() {
            return Err(format!("it starts `{}` with arguments", shown(name)));
        }
        let first = text.lines().next().unwrap_or_default();
        if first.contains("python") || (!first.starts_with("#!") && Utf8Path::new(name).extension() == Some("py")) {
            return python::script(self, &text, path);
        }
        if first.starts_with("#!") && !first.contains("sh") {
            return Err(format!("it starts `{}`", shown(name)));
        }
        let reader = self.deeper()?;
        Ok(reader.script(&text, path)?.into_iter().map(|path| Path { ended: false, strict: false, ..path }).collect())
    }

    fn call(
        &self,
        body: &hookgen_runtime::shell::syntax::Stage,
        args: &[Text],
        mut path: Path,
    ) -> Result<Vec<Path>, Reason> {
        let reader = self.deeper()?;
        let outer = path.variables.clone();
        for (place, arg) in args.iter().enumerate() {
            path.variables.insert((place + 1).to_string(), Variable::One(arg.clone()));
        }
        path.variables.insert("@".to_owned(), Variable::Many(args.to_vec()));
        let Body::Group(list) = &body.body else { return Err("it has a function of an unusual kind".to_owned()) };
        let after = reader.list(list, path)?;
        Ok(after
            .into_iter()
            .map(|mut path| {
                // A `return` ends the function alone, an `exit` the script.
                path.ended &= !std::mem::take(&mut path.returned);
                for place in 1..=args.len() {
                    match outer.get(&place.to_string()) {
                        Some(before) => path.variables.insert(place.to_string(), before.clone()),
                        None => path.variables.remove(&place.to_string()),
                    };
                }
                path
            })
            .collect())
    }

    /// `local name=value`, of which the words have been joined already.
    fn declared(&self, args: &[Text], mut path: Path) -> Result<Vec<Path>, Reason> {
        for arg in args {
            let mut text = arg.clone();
            let Some(super::value::Piece::Known(first)) = text.0.first_mut() else {
                return Err("it sets a variable whose name is not written".to_owned());
            };
            if first.starts_with('-') {
                continue;
            }
            let Some((name, value)) = first.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()))
            else {
                continue;
            };
            *first = value;
            if first.is_empty() {
                text.0.remove(0);
            }
            path.variables.insert(name, Variable::One(text));
        }
        Ok(vec![path.at(0)])
    }

    pub(super) fn print(&self, text: &Text, mut path: Path) -> Result<Vec<Path>, Reason> {
        path.out.push(text);
        path.out = path.out.with("\n");
        Ok(vec![path.at(0)])
    }

    fn echo(&self, args: &[Text], mut path: Path) -> Result<Vec<Path>, Reason> {
        let options =
            args.iter().take_while(|arg| matches!(arg.literal(), Some("-n" | "-e" | "-E" | "-ne" | "-en"))).count();
        let (options, words) = args.split_at(options);
        let escapes = options.iter().filter_map(Text::literal).any(|option| option.contains('e'));
        for (place, word) in words.iter().enumerate() {
            path.out = path.out.with(if place > 0 { " " } else { "" });
            path.out.push(&if escapes { unescaped(word) } else { word.clone() });
        }
        if !options.iter().filter_map(Text::literal).any(|option| option.contains('n')) {
            path.out = path.out.with("\n");
        }
        Ok(vec![path.at(0)])
    }

    fn printf(&self, args: &[Text], mut path: Path) -> Result<Vec<Path>, Reason> {
        let Some((format, mut values)) = args.split_first() else { return Ok(vec![path.at(1)]) };
        let format = unescaped(format);
        let format = format.literal().ok_or("the form of its output is not written in it")?;
        loop {
            let before = values.len();
            let mut rest = format;
            while let Some(place) = rest.find('%') {
                path.out = path.out.with(&rest[..place]);
                rest = &rest[place + 1..];
                match rest.chars().next() {
                    Some('%') => path.out = path.out.with("%"),
                    Some('s' | 'b' | 'd') => {
                        if let Some((value, more)) = values.split_first() {
                            path.out.push(value);
                            values = more;
                        }
                    }
                    _ => return Err("the form of its output is unusual".to_owned()),
                }
                rest = &rest[1..];
            }
            path.out = path.out.with(rest);
            if values.is_empty() || values.len() == before {
                break;
            }
        }
        Ok(vec![path.at(0)])
    }

    /// What standard input holds, for whoever reads it first.
    pub(super) fn taken(path: &mut Path) -> Input {
        std::mem::replace(&mut path.input, Input::Text(Text::default()))
    }

    /// Prints what is read, changed.
    fn passed_on(&self, mut path: Path, change: impl Fn(Text) -> Result<Text, Reason>) -> Result<Vec<Path>, Reason> {
        match Self::taken(&mut path) {
            Input::Event => path.out.push(&event_text()),
            Input::Text(text) => path.out.push(&change(text)?),
        }
        Ok(vec![path.at(0)])
    }

    fn read_line(&self, args: &[Text], mut path: Path) -> Result<Vec<Path>, Reason> {
        let names: Vec<&str> =
            args.iter().filter_map(Text::literal).filter(|arg| !arg.starts_with('-') && !arg.is_empty()).collect();
        let [name] = names.as_slice() else { return Err("it reads several words at once".to_owned()) };
        let text = match Self::taken(&mut path) {
            Input::Event => event_text(),
            Input::Text(text) if text.literal().is_none() && !args.iter().any(|arg| arg.literal() == Some("-d")) => {
                return Err("it reads the first line of something".to_owned());
            }
            Input::Text(text) => text.trimmed(),
        };
        path.variables.insert((*name).to_owned(), Variable::One(text));
        Ok(vec![path.at(0)])
    }

    fn of_path(&self, args: &[Text], path: Path, step: Step) -> Result<Vec<Path>, Reason> {
        let [only] = args.iter().filter(|arg| arg.literal() != Some("--")).collect::<Vec<_>>()[..] else {
            return Err("it takes a path apart in an unusual way".to_owned());
        };
        self.print(&stepped(only, step)?, path)
    }

    fn translate(&self, args: &[Text], path: Path) -> Result<Vec<Path>, Reason> {
        let sets: Vec<&str> = args.iter().filter_map(Text::literal).collect();
        let step = match sets.as_slice() {
            ["A-Z" | "[:upper:]" | "[A-Z]", "a-z" | "[:lower:]" | "[a-z]"] => Step::Lower,
            ["a-z" | "[:lower:]" | "[a-z]", "A-Z" | "[:upper:]" | "[A-Z]"] => Step::Upper,
            _ => return Err("it starts `tr`".to_owned()),
        };
        self.passed_on(path, |text| stepped(&text.trimmed(), step))
    }

    fn shell(&self, args: &[Text], path: Path) -> Result<Vec<Path>, Reason> {
        match args {
            [option, script] if option.literal() == Some("-c") => {
                let text = script.literal().ok_or("it starts a script that is put together first")?;
                let before = path.clone();
                let after = self.deeper()?.script(text, path)?;
                Ok(after
                    .into_iter()
                    .map(|after| Path { variables: before.variables.clone(), ended: false, ..after })
                    .collect())
            }
            [file] => self.file(&file.template(), &[], path),
            _ => Err("it starts a shell with arguments".to_owned()),
        }
    }

    /// The branch is known to every expression; whatever else git only looks at is asked of git.
    fn git(&self, args: &[Text], mut path: Path) -> Result<Vec<Path>, Reason> {
        let mut words: Vec<&str> = Vec::new();
        for arg in args {
            words.push(arg.literal().ok_or("it starts `git` with what the event says")?);
        }
        if let ["branch", "--show-current"]
        | ["rev-parse", "--abbrev-ref", "HEAD"]
        | ["symbolic-ref", "--short", "HEAD"]
        | ["symbolic-ref", "--short", "-q", "HEAD"] = words.as_slice()
        {
            return self.print(&Text::read(Read::branch()), path);
        }
        let looks = words.iter().find(|word| !word.starts_with('-')).is_some_and(|word| LOOKING.contains(word));
        if !looks || words.iter().any(|word| matches!(*word, "-c" | "-C" | "--git-dir" | "--ext-diff" | "--output")) {
            return Err(format!("it starts `git {}`", words.join(" ")));
        }
        let line = std::iter::once("git").chain(words.iter().copied()).map(quoted).collect::<Vec<_>>().join(", ");
        let answer = self.subject.ask(format!("query([{line}], {PATIENCE})"));
        if !words.iter().any(|word| matches!(*word, "--quiet" | "-q" | "--exit-code")) {
            path.out.push(&Text::read(Read::world(format!("({answer}.ok ? {answer}.output.trim() : '')"))));
        }
        Ok(path.tested(&Condition::Test(Test::of(format!("{answer}.ok")))))
    }
}

/// The event as text, which only jq and Python can take apart.
pub(super) fn event_text() -> Text {
    Text::read(Read::world(EVENT))
}

const EVENT: &str = "\u{0}event";

pub(super) fn is_event(text: &Text) -> bool {
    text.clone().trimmed().only().is_some_and(|read| read.cel == EVENT)
}

/// `\n` and its like, where a command takes them for what they mean.
fn unescaped(text: &Text) -> Text {
    let pieces = text.0.iter().map(|piece| match piece {
        super::value::Piece::Known(text) => {
            super::value::Piece::Known(text.replace("\\n", "\n").replace("\\t", "\t").replace("\\\\", "\\"))
        }
        piece => piece.clone(),
    });
    Text(pieces.collect())
}

fn shown(name: &str) -> String {
    name.replace("${project_dir}", &format!("${PROJECT}")).replace("${plugin_root}", &format!("${PLUGIN_ROOT}"))
}
