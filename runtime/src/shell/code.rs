//! Interpreters: code on their command line or standard input, searched for calls that start a command.
//!
//! What the code itself says is read elsewhere (`calls`); here it is found among the words and followed.

use super::calls;
use super::field::{Field, shown};
use super::flow::Flow;
use super::programs::option_values;
use super::shells::is_input;
use super::walk::Walker;

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
    Interpreter { operand: true, ..interpreter("awk", "", "Fvf") },
];

impl Walker<'_> {
    /// Follows an interpreter; `false` if it is none.
    pub(super) fn interpreter(&mut self, name: &str, args: &[Field], index: usize) -> bool {
        let Some(interpreter) = INTERPRETERS.iter().find(|known| known.name == family(name)) else { return false };
        let Asked { mut codes, operand, module } = asked(interpreter, args);
        let files = if family(name) == "awk" { option_values(args, "f", &["file"]) } else { Vec::new() };
        for file in &files {
            codes.extend(self.code_in(&Field::known(*file), index).map(Field::known));
        }
        if interpreter.operand && files.is_empty() {
            codes.extend(operand.cloned());
        }
        if !codes.is_empty() {
            for code in codes {
                self.runs(index, "text", &code.origins);
                self.note_script(index, &code.text);
                self.given_code(name, &code.text, args, index);
            }
        } else if let (false, Some(file)) = (module, operand) {
            self.runs(index, "file", &file.origins);
            if let Some(code) = self.written_code(file, index) {
                self.given_code(name, &code, args, index);
            }
        } else if module {
            self.runs(index, "file", &[]);
        } else if !interpreter.operand && !args.iter().any(|arg| is_question(&arg.text)) {
            self.runs(index, "input", &[]);
            if let Some(input) = self.feed.input.clone() {
                self.note_script(index, &input);
                self.given_code(name, &input, args, index);
            }
        }
        true
    }

    pub(super) fn code(&mut self, name: &str, code: &str, variables: &[(String, String)]) -> Vec<&'static str> {
        self.shared.pay(code.len() * 8);
        let does = calls::read(family(name), &shown(code), variables);
        for call in does.starts {
            match call.as_slice() {
                [script] => drop(self.inner_script(name, script)),
                words => {
                    let fields: Vec<Field> = words.iter().map(Field::known).collect();
                    self.apart(|walker| walker.within(name, |walker| walker.run(fields, &Flow::default())));
                }
            }
        }
        does.runs
    }

    /// The code in a file that the line has written, or on standard input.
    fn code_in(&mut self, file: &Field, index: usize) -> Option<String> {
        if is_input(&file.text) { self.feed.input.clone() } else { self.written_code(file, index) }
    }

    /// Follows code that an interpreter is given, and notes where what it runs comes from.
    fn given_code(&mut self, name: &str, code: &str, args: &[Field], index: usize) {
        let variables: Vec<(String, String)> = option_values(args, "v", &["assign"])
            .into_iter()
            .filter(|_| family(name) == "awk")
            .filter_map(|value| value.split_once('='))
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        let runs = self.code(name, code, &variables);
        if let Some(command) = self.commands.get_mut(index) {
            command.code_from.extend(runs.into_iter().map(str::to_owned));
        }
    }
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
            asked.operand = rest.next().filter(|_| text == "--");
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

/// `python3.12` is python, `gawk` is awk.
fn family(name: &str) -> &str {
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    match bare {
        "gawk" | "mawk" | "nawk" => "awk",
        "pypy" => "python",
        "luajit" => "lua",
        bare => bare,
    }
}

/// Options that make an interpreter tell about itself.
fn is_question(arg: &str) -> bool {
    matches!(arg, "--version" | "-V" | "-v" | "--help" | "-h")
}
