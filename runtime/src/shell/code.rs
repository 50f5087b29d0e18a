//! Interpreters: code on their command line or standard input, searched for calls that start a command.
//!
//! No language is parsed. A call of one of the usual functions with text as its first argument is taken for what it
//! says; everything else that a program may do is beyond what a line tells.

use super::field::Field;
use super::flow::Flow;
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
}

const fn interpreter(name: &'static str, code: &'static str, valued: &'static str) -> Interpreter {
    Interpreter { name, code, code_longs: &[], valued, valued_longs: &[], module: "", operand: false }
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
    interpreter("julia", "eE", "LpJ"),
    interpreter("tclsh", "", ""),
    Interpreter { operand: true, ..interpreter("awk", "", "Fvf") },
];

/// Functions that start a command, in whichever language.
const STARTING: &[&str] = &[
    "system",
    "popen",
    "exec",
    "execSync",
    "execFile",
    "execFileSync",
    "spawn",
    "spawnSync",
    "shell_exec",
    "passthru",
    "proc_open",
    "run",
    "call",
    "check_call",
    "check_output",
    "Popen",
    "getoutput",
    "getstatusoutput",
    "execl",
    "execlp",
    "execv",
    "execvp",
    "execute",
    "script",
    "shell",
];

/// Functions that delete a folder with all that is in it, and need its name.
const DELETING: &[&str] =
    &["rmtree", "remove_tree", "rm_rf", "rm_r", "rm", "rmSync", "rmdirSync", "removeSync", "rimraf"];

/// Languages in which text in backticks is a command; elsewhere it is only text.
const WITH_BACKTICKS: &[&str] = &["perl", "ruby", "php"];

/// Calls that are looked at in one piece of code.
const MOST_CALLS: usize = 64;

impl Walker<'_> {
    /// Follows an interpreter; `false` if it is none.
    pub(super) fn interpreter(&mut self, name: &str, args: &[Field], index: usize) -> bool {
        let Some(interpreter) = INTERPRETERS.iter().find(|known| known.name == family(name)) else { return false };
        let Asked { mut codes, operand, module } = asked(interpreter, args);
        if interpreter.operand {
            codes.extend(operand.cloned());
        }
        if !codes.is_empty() {
            for code in codes {
                self.runs(index, "text", &code.origins);
                self.code(name, &code.text);
            }
        } else if let (false, Some(file)) = (module, operand) {
            self.runs(index, "file", &file.origins);
            if let Some(code) = self.written_code(file, index) {
                self.code(name, &code);
            }
        } else if module {
            self.runs(index, "file", &[]);
        } else if !interpreter.operand && !args.iter().any(|arg| is_question(&arg.text)) {
            self.runs(index, "input", &[]);
            if let Some(input) = self.feed.input.clone() {
                self.code(name, &input);
            }
        }
        true
    }

    pub(super) fn code(&mut self, name: &str, code: &str) {
        self.shared.pay(code.len() * 4);
        let piped = if family(name) == "awk" { pipes(code) } else { Vec::new() };
        for call in calls(code, WITH_BACKTICKS.contains(&family(name))).into_iter().chain(piped) {
            match call.as_slice() {
                [script] => drop(self.inner_script(name, script)),
                words => {
                    let fields: Vec<Field> = words.iter().map(Field::known).collect();
                    self.apart(|walker| walker.within(name, |walker| walker.run(fields, &Flow::default())));
                }
            }
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

/// The texts that calls in the code start with: one text is a command line, several are words.
fn calls(code: &str, backticks: bool) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let bytes = code.as_bytes();
    let mut at = 0;
    while at < bytes.len() && found.len() < MOST_CALLS {
        let byte = bytes.get(at).copied().unwrap_or_default();
        if byte.is_ascii_alphabetic() || byte == b'_' {
            let length = code
                .get(at..)
                .unwrap_or_default()
                .bytes()
                .take_while(|b| b.is_ascii_alphanumeric() || *b == b'_')
                .count();
            let word = code.get(at..at + length).unwrap_or_default();
            at += length;
            let words = match word {
                // The end of a quotation is no call.
                _ if matches!(bytes.get(at), Some(b'"' | b'\'')) => continue,
                "qx" => delimited(code, &mut at).into_iter().collect(),
                _ if STARTING.contains(&word) => arguments(code, &mut at),
                _ if DELETING.contains(&word) => deletion(code, &mut at),
                _ => continue,
            };
            if !words.is_empty() {
                found.push(words);
            }
        } else if code.get(at..).is_some_and(|rest| ["%x(", "%x{", "%x["].iter().any(|open| rest.starts_with(open))) {
            at += 2;
            found.extend(delimited(code, &mut at).map(|script| vec![script]));
        } else if byte == b'`' && backticks {
            let rest = code.get(at + 1..).unwrap_or_default();
            match rest.find('`') {
                Some(end) => {
                    found.push(vec![rest.get(..end).unwrap_or_default().to_owned()]);
                    at += end + 2;
                }
                None => break,
            }
        } else {
            at += 1;
        }
    }
    found
}

/// The command lines that awk writes to or reads from: `print | "sort"`, `"date" | getline`.
fn pipes(code: &str) -> Vec<Vec<String>> {
    let (mut found, mut at) = (Vec::new(), 0);
    let mut piped = false;
    while at < code.len() && found.len() < MOST_CALLS {
        match code.as_bytes().get(at).copied().unwrap_or_default() {
            b'"' => {
                let Some(script) = literal(code, &mut at) else { break };
                let next = code.get(at..).unwrap_or_default().trim_start();
                let read = next.strip_prefix('|').is_some_and(|rest| rest.trim_start().starts_with("getline"));
                if piped || read {
                    found.push(vec![script]);
                }
                piped = false;
            }
            byte => {
                let alone = byte == b'|' && !code.get(..at).unwrap_or_default().ends_with('|');
                piped = alone || piped && matches!(byte, b' ' | b'\t' | b'&' | b'(');
                at += 1;
            }
        }
    }
    found
}

/// The texts between a call's parentheses, up to the first thing that is none.
fn arguments(code: &str, at: &mut usize) -> Vec<String> {
    let mut words = Vec::new();
    let blanks = |at: &mut usize, also: &[u8]| {
        while code.as_bytes().get(*at).is_some_and(|byte| byte.is_ascii_whitespace() || also.contains(byte)) {
            *at += 1;
        }
    };
    blanks(at, b"([{");
    if code.get(*at..).is_some_and(|rest| rest.starts_with("qw")) {
        *at += 2;
        let words = delimited(code, at).unwrap_or_default();
        return words.split_ascii_whitespace().map(str::to_owned).collect();
    }
    while let Some(text) = literal(code, at) {
        words.push(text);
        blanks(at, b"]),[");
    }
    words
}

/// A call that deletes a folder, as the command that does the same; empty if the folder is not named by a text.
fn deletion(code: &str, at: &mut usize) -> Vec<String> {
    let rest = code.get(*at..).unwrap_or_default();
    // The text may be wrapped: `os.path.expanduser('~')`, `Path("x")`.
    let wrapping = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.:( ".contains(byte);
    *at += rest.bytes().take_while(|byte| wrapping(byte)).count();
    if !rest.trim_start().starts_with(['(', '\'', '"']) {
        return Vec::new();
    }
    literal(code, at).map(|folder| vec!["rm".to_owned(), "-rf".to_owned(), folder]).unwrap_or_default()
}

/// A text between brackets, as `qx{…}`, `%x(…)` and `qw(…)` have them.
fn delimited(code: &str, at: &mut usize) -> Option<String> {
    let rest = code.get(*at..)?;
    let close = match rest.chars().next()? {
        '(' => ')',
        '[' => ']',
        '{' => '}',
        slash @ ('/' | '|' | '!') => slash,
        _ => return None,
    };
    let inner = rest.get(1..)?;
    let length = inner.find(close).unwrap_or(inner.len());
    *at += length + 2;
    inner.get(..length).map(str::to_owned)
}

/// A text in quotes.
pub(super) fn literal(code: &str, at: &mut usize) -> Option<String> {
    let rest = code.get(*at..)?;
    let prefix = rest.bytes().take_while(|byte| matches!(byte, b'f' | b'r' | b'b' | b'u')).count();
    let quote = rest.as_bytes().get(prefix).copied().filter(|byte| matches!(byte, b'\'' | b'"' | b'`'))?;
    let mut text = String::new();
    let mut escaped = false;
    for (offset, character) in rest.get(prefix + 1..)?.char_indices() {
        if escaped {
            text.push(character);
            escaped = false;
        } else if character == '\\' {
            escaped = true;
        } else if character == char::from(quote) {
            *at += prefix + 1 + offset + 1;
            return Some(text);
        } else {
            text.push(character);
        }
    }
    *at = code.len();
    Some(text)
}
