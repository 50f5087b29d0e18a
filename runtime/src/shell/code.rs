//! Interpreters: code on their command line or standard input, searched for calls that start a command.
//!
//! What the code itself says is read elsewhere (`calls`); here it is found among the words and followed.

use std::sync::Arc;

use super::calls::{self, Does};
use super::field::{Field, doubted, shown};
use super::flow::Flow;
use super::programs::option_values;
use super::shells::is_input;
use super::walk::{Feed, Output, Walker};

/// How an interpreter is told what to run.
#[derive(Debug)]
struct Interpreter {
    name: &'static str,
    /// Letters of options that hold code.
    code: &'static str,
    code_longs: &'static [&'static str],
    /// Letters and names of other options with a value.
    valued: &'static str,
    valued_longs: &'static [&'static str],
    /// Options after which a program is named, which is not read here.
    module: &'static str,
    /// The first operand is code.
    operand: bool,
    /// Options with one dash and many letters that hold code.
    words: &'static [&'static str],
}

const fn interpreter(name: &'static str, code: &'static str, valued: &'static str) -> Interpreter {
    Interpreter { name, code, code_longs: &[], valued, valued_longs: &[], module: "", operand: false, words: &[] }
}

const NODE: Interpreter = Interpreter {
    code_longs: &["eval", "print"],
    valued_longs: &["require", "import", "loader", "experimental-loader", "conditions", "title", "env-file"],
    ..interpreter("node", "ep", "rC")
};

const INTERPRETERS: &[Interpreter] = &[
    Interpreter { module: "m", ..interpreter("python", "c", "WXQ") },
    interpreter("perl", "eE", "IMm"),
    interpreter("ruby", "e", "rICEFK"),
    NODE,
    Interpreter { name: "nodejs", ..NODE },
    Interpreter { name: "bun", ..NODE },
    Interpreter { code_longs: &["run"], ..interpreter("php", "rBRE", "dcz") },
    interpreter("lua", "e", "l"),
    interpreter("osascript", "e", "l"),
    interpreter("Rscript", "e", ""),
    interpreter("R", "e", "f"),
    Interpreter { code_longs: &["eval"], ..interpreter("jshell", "", "") },
    interpreter("ghc", "e", ""),
    Interpreter { words: &["-eval", "-s"], ..interpreter("erl", "", "") },
    Interpreter { words: &["-e", "-eval"], ..interpreter("elixir", "e", "") },
    interpreter("julia", "eE", "LpJ"),
    interpreter("tclsh", "", ""),
    Interpreter { words: &["eval"], ..interpreter("deno", "", "") },
    interpreter("groovy", "e", ""),
    interpreter("scala", "e", ""),
    Interpreter { words: &["--eval", "-eval", "--execute", "-execute"], ..interpreter("emacs", "", "fl") },
    Interpreter { operand: true, ..interpreter("awk", "", "Fvf") },
    Interpreter { code_longs: &["eval"], ..interpreter("octave", "", "") },
    interpreter("ghci", "e", ""),
    interpreter("runghc", "", ""),
    Interpreter { words: &["--eval"], ..interpreter("sbcl", "", "") },
    interpreter("guile", "c", "l"),
    interpreter("racket", "e", "lt"),
    interpreter("clojure", "e", ""),
    interpreter("bb", "e", ""),
    Interpreter { words: &["-e"], ..interpreter("kotlin", "", "") },
    Interpreter { words: &["eval"], ..interpreter("crystal", "", "") },
    interpreter("ocaml", "e", "I"),
    interpreter("swift", "e", "I"),
    interpreter("raku", "e", "IM"),
    interpreter("irb", "", "rI"),
    interpreter("pry", "e", "rI"),
    interpreter("ipython", "c", ""),
    interpreter("sage", "c", ""),
    Interpreter { code_longs: &["eval"], ..interpreter("emacsclient", "e", "s") },
    interpreter("gnuplot", "e", ""),
    Interpreter { code_longs: &["eval"], ..interpreter("mongosh", "", "") },
    Interpreter { name: "tsx", ..NODE },
    Interpreter { name: "ts-node", ..NODE },
    interpreter("m4", "", "DIU"),
    interpreter("java", "", ""),
];

/// Programs that do many things, one of which is to run code: the word before it, and its language.
const RUNNERS: &[(&str, &str, &str)] = &[
    ("rails", "runner", "ruby"),
    ("rake", "-e", "ruby"),
    ("mix", "-e", "elixir"),
    ("mix", "--eval", "elixir"),
    ("scala-cli", "-e", "scala"),
    ("matlab", "-batch", "octave"),
    ("matlab", "-r", "octave"),
];

impl Walker<'_> {
    /// Follows the code that one of several subcommands or options is given.
    pub(super) fn runner(&mut self, name: &str, args: &[Field], index: usize) {
        for (_, before, language) in RUNNERS.iter().filter(|(runner, ..)| *runner == name) {
            if let Some(code) = args.iter().skip_while(|arg| arg.text != *before).nth(1) {
                self.runs(index, "text", &code.origins);
                drop(self.given_code(language, &code.text, &[], index));
            }
        }
    }

    /// Follows an interpreter, and tells what it prints; `None` if it is none.
    pub(super) fn interpreter(&mut self, name: &str, args: &[Field], index: usize) -> Option<Output> {
        let interpreter = INTERPRETERS.iter().find(|known| known.name == family(name))?;
        // Its other subcommands are those of a runner.
        if name == "deno" && args.first().is_none_or(|arg| arg.text != "eval") {
            return None;
        }
        if interpreter.name == "ruby" && args.iter().any(|arg| arg.text == "-run") {
            return Some(self.ruby_command(args));
        }
        let Asked { mut codes, operand, module } = asked(interpreter, args);
        let mut prints = Vec::new();
        let files = if family(name) == "awk" { option_values(args, "f", &["file"]) } else { Vec::new() };
        for file in &files {
            if is_input(file) {
                self.runs(index, "input", &[]);
            }
            codes.extend(self.code_in(&Field::known(*file), index).map(Field::known));
        }
        if family(name) == "node" {
            for file in option_values(args, "r", &["require", "import", "loader"]) {
                codes.extend(self.code_in(&Field::known(file), index).map(Field::known));
            }
        }
        if matches!(name, "node" | "bun") && args.iter().any(|arg| matches!(arg.text.as_str(), "--run" | "run")) {
            self.package_scripts(name, "package.json", "scripts");
        }
        if interpreter.operand && files.is_empty() {
            codes.extend(operand.cloned());
        }
        if !codes.is_empty() {
            for code in codes {
                self.runs(index, "text", &code.origins);
                self.note_script(index, &code.text);
                for module in imported(&code.text) {
                    self.module(name, module, index, &mut prints);
                }
                prints.extend(self.given_code(name, &code.text, args, index));
            }
        } else if let Some(code) = operand.filter(|code| code.text.starts_with('(') && interpreter.name == "bb") {
            prints.extend(self.given_code(name, &code.text, args, index));
        } else if let (false, Some(file)) = (module, operand) {
            self.runs(index, "file", &file.origins);
            if let Some(code) = self.written_code(file, index) {
                prints.extend(self.given_code(name, &code, args, index));
            } else if family(name) == "node" {
                self.module(name, &file.text, index, &mut prints);
            }
        } else if module {
            self.runs(index, "file", &[]);
            for module in option_values(args, interpreter.module, &[]) {
                self.module(name, module, index, &mut prints);
            }
            if args.iter().any(|arg| arg.text == "timeit") {
                for code in args.iter().filter(|arg| arg.text.contains('(')) {
                    prints.extend(self.given_code(name, &code.text, &[], index));
                }
            }
        } else if !interpreter.operand && !args.iter().any(|arg| is_question(&arg.text)) {
            self.runs(index, "input", &[]);
            if let Some(input) = self.feed.input.clone() {
                self.note_script(index, &input);
                prints.extend(self.given_code(name, &input, args, index));
            }
        }
        if family(name) == "perl" {
            self.edited_in_place(args);
        }
        // Whether it is printed, and whether nothing else is, only running would tell.
        Some((!prints.is_empty()).then(|| doubted(prints.concat())))
    }

    /// `ruby -run -e rm -- -r FOLDER`: a command of the shell, in Ruby's own words.
    fn ruby_command(&mut self, args: &[Field]) -> Output {
        let words = args.iter().skip_while(|arg| arg.text != "-e").skip(1).filter(|arg| arg.text != "--");
        let words: Vec<Field> = words.cloned().collect();
        self.inner_command("ruby", &words)
    }

    /// `perl -pi -e s/a/b/ FILE`: what is put into the file may run later.
    fn edited_in_place(&mut self, args: &[Field]) {
        let cluster =
            |arg: &Field| arg.text.strip_prefix('-').is_some_and(|letters| letters.starts_with(['p', 'i', 'n']));
        if !args.iter().any(|arg| cluster(arg) && arg.text.contains('i')) {
            return;
        }
        let mut operands = args.iter().filter(|arg| !arg.text.starts_with('-'));
        let script = operands.next().map(|script| script.text.clone());
        self.put_into_files(&script.into_iter().collect::<Vec<_>>(), operands);
    }

    /// Follows what a piece of code does.
    pub(super) fn code(&mut self, name: &str, code: &str, variables: &[(String, String)]) -> Does {
        self.shared.pay(code.len() * 8);
        let language = match family(name) {
            "tsx" | "ts-node" => "node",
            "irb" | "pry" => "ruby",
            "ipython" | "sage" => "python",
            "emacsclient" | "sbcl" | "guile" | "racket" | "clojure" | "bb" => "emacs",
            language => language,
        };
        let mut does = calls::read(language, &shown(code), variables);
        for (file, text) in std::mem::take(&mut does.writes) {
            let feed = Feed { input: Some(doubted(text)), from: Arc::new(vec![name.to_owned()]) };
            self.note_file(&file, feed, false);
        }
        for file in std::mem::take(&mut does.fetched) {
            let feed = Feed { input: None, from: Arc::new(vec!["fetched".to_owned()]) };
            self.note_file(&file, feed, false);
        }
        for call in std::mem::take(&mut does.starts) {
            match call.as_slice() {
                [script] => drop(self.inner_script(name, script)),
                words => {
                    let fields: Vec<Field> = words.iter().map(Field::known).collect();
                    self.apart(|walker| walker.within(name, |walker| walker.run(fields, &Flow::default())));
                }
            }
        }
        does
    }

    /// A module by its name, if the line has written its file.
    fn module(&mut self, name: &str, module: &str, index: usize, prints: &mut Vec<String>) {
        let ending = if family(name) == "python" { "py" } else { "js" };
        if let Some(code) = self.written_code(&Field::known(format!("{module}.{ending}")), index) {
            prints.extend(self.given_code(name, &code, &[], index));
        }
    }

    /// The code in a file that the line has written, or on standard input.
    fn code_in(&mut self, file: &Field, index: usize) -> Option<String> {
        if is_input(&file.text) { self.feed.input.clone() } else { self.written_code(file, index) }
    }

    /// Follows code that an interpreter is given, and notes where what it runs comes from; gives what it prints.
    fn given_code(&mut self, name: &str, code: &str, args: &[Field], index: usize) -> Vec<String> {
        let mut variables: Vec<(String, String)> = Vec::new();
        if family(name) == "awk" {
            let assigned = option_values(args, "v", &["assign"]).into_iter().filter_map(|value| value.split_once('='));
            variables.extend(assigned.map(|(name, value)| (name.to_owned(), value.to_owned())));
            variables.extend(record(self.feed.input.as_deref()));
        }
        let does = self.code(name, code, &variables);
        if does.runs.contains(&calls::ARRIVING) {
            let feed = self.feed.clone();
            self.takes_code(index, &feed);
        }
        if let Some(command) = self.commands.get_mut(index) {
            let others = does.runs.into_iter().filter(|source| *source != calls::ARRIVING);
            command.code_from.extend(others.map(str::to_owned));
            command.sources.extend(does.prints_from.into_iter().map(str::to_owned));
        }
        does.prints
    }
}

/// Whether code that the program is given is read.
pub(super) fn is_interpreter(name: &str) -> bool {
    INTERPRETERS.iter().any(|known| known.name == family(name))
}

/// Modules that a short piece of code loads by name: `import a`.
fn imported(code: &str) -> impl Iterator<Item = &str> {
    let statements = code.split([';', '\n']).map(str::trim);
    statements.filter_map(|statement| statement.strip_prefix("import ")).filter(|module| !module.contains(' '))
}

/// What an interpreter is asked to run.
#[derive(Debug, Default)]
struct Asked<'a> {
    /// Code in options.
    codes: Vec<Field>,
    /// The first word that is no option.
    operand: Option<&'a Field>,
    /// Whether a module is named instead.
    module: bool,
}

fn asked<'a>(interpreter: &Interpreter, args: &'a [Field]) -> Asked<'a> {
    let mut asked = Asked::default();
    let special = [interpreter.code, interpreter.valued, interpreter.module].concat();
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        let text = arg.text.as_str();
        if text == "--" || text == "-" {
            // `php -- --install`: what follows are its arguments, and the code arrives.
            asked.operand = rest.next().filter(|next| text == "--" && !next.text.starts_with('-'));
            break;
        }
        if interpreter.words.contains(&text) {
            asked.codes.extend(rest.next().cloned());
            continue;
        }
        if let Some(long) = text.strip_prefix("--") {
            let (option, value) = long.split_once('=').map_or((long, None), |(a, b)| (a, Some(Field::known(b))));
            if interpreter.code_longs.contains(&option) {
                asked.codes.extend(value.or_else(|| rest.next().cloned()));
            } else if interpreter.valued_longs.contains(&option) && value.is_none() {
                rest.next();
            }
            continue;
        }
        let Some(cluster) = text.strip_prefix('-') else {
            asked.operand = Some(arg);
            break;
        };
        let Some(at) = cluster.find(|letter| special.contains(letter)) else { continue };
        let letter = cluster.get(at..=at).unwrap_or_default();
        let attached = cluster.get(at + 1..).unwrap_or_default();
        // `node -pe CODE`: both letters are about the one that follows.
        let both = interpreter.code.contains(letter) && attached.len() == 1 && interpreter.code.contains(attached);
        let attached = if both { "" } else { attached };
        let value = if attached.is_empty() { rest.next().cloned() } else { Some(Field::known(attached)) };
        if interpreter.code.contains(letter) {
            asked.codes.extend(value);
        } else if interpreter.module.contains(letter) {
            asked.module = true;
            break;
        }
    }
    asked
}

/// The first line of the input as awk names it: `$0`, and its words from `$1` on.
fn record(input: Option<&str>) -> Vec<(String, String)> {
    let Some(line) = input.and_then(|input| input.lines().next()) else { return Vec::new() };
    let line = shown(line);
    let words = line.split_ascii_whitespace().take(16).map(str::to_owned);
    let named = std::iter::once(line.clone()).chain(words).enumerate();
    named.map(|(number, text)| (number.to_string(), text)).collect()
}

/// `python3.12` is python, `gawk` is awk.
fn family(name: &str) -> &str {
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    match bare {
        "m" if name == "m4" => name,
        "gawk" | "mawk" | "nawk" | "original-awk" | "goawk" | "frawk" => "awk",
        "pypy" | "py" => "python",
        "luajit" | "texlua" => "lua",
        "clj" => "clojure",
        bare => bare,
    }
}

/// Options that make an interpreter tell about itself.
fn is_question(arg: &str) -> bool {
    matches!(arg, "--version" | "-V" | "-v" | "--help" | "-h")
}
