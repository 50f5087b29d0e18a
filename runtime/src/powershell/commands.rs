//! Commands: cmdlets by their full names with their places as operands, programs as they are, and texts that are code.

use super::cmdlets::{self, Cmdlet, Parameter};
use super::reader::{Reader, Trouble};
use super::words::Word;

/// Texts within texts beyond this are not followed.
const MOST_NESTED: usize = 6;

/// What is given to a command.
#[derive(Debug, Default)]
struct Given {
    words: Vec<Word>,
    /// The places of those that stand behind a comma, and belong to what the word before belongs to.
    listed: Vec<usize>,
    /// Blocks of code among them.
    blocks: Vec<String>,
    /// Redirections, as the other shell writes them.
    redirections: String,
}

impl Reader<'_> {
    /// One element of a pipeline.
    pub(super) fn element(&mut self, piped: bool) -> String {
        self.blanks(false);
        if self.take("&") || self.rest.starts_with(". ") && self.take(".") {
            self.blanks(false);
            return self.invoked(piped);
        }
        if self.peek() == Some('{') {
            return format!("{{ {}\n}}", self.block());
        }
        if let Some(value) = self.expression() {
            let given = self.given();
            let code = given.blocks.iter().map(|block| format!("; {{ {block}\n}}")).collect::<String>();
            return format!("echo {}{}{code}", value.quoted(), given.redirections);
        }
        let Some(name) = self.word() else { return String::new() };
        let given = self.given();
        self.command(&name, &given, piped)
    }

    /// What `&` is given: a block, a name, or something that turns out to be code.
    fn invoked(&mut self, piped: bool) -> String {
        if self.peek() == Some('{') {
            return format!("{{ {}\n}}", self.block());
        }
        let is_made = self.peek() == Some('(');
        let Some(name) = self.word() else { return String::new() };
        let given = self.given();
        // A place may have blanks in it; any other text that has some is code.
        let is_code = |text: &str| text.contains(char::is_whitespace) && !crate::path::windows::is_absolute(text);
        if is_made && name.known().is_none_or(is_code) {
            return format!("{}{}", run_text(&name, self.nested), given.redirections);
        }
        self.command(&name, &given, piped)
    }

    /// The words behind a name, up to the end of the command.
    fn given(&mut self) -> Given {
        let mut given = Given::default();
        loop {
            self.blanks(false);
            match self.peek() {
                None | Some('\n' | '\r' | ';' | '|' | ')' | '}') => return given,
                Some('&') => {
                    if !self.rest.starts_with("&1") {
                        return given;
                    }
                    self.next();
                }
                Some(',') => {
                    self.next();
                    self.blanks(true);
                    given.listed.push(given.words.len());
                }
                Some('{') => {
                    self.next();
                    given.blocks.push(self.statements(Some('}')));
                }
                Some('@') if self.rest.starts_with("@{") => {
                    self.take("@{");
                    given.words.push(Word::printed(&self.statements(Some('}'))));
                }
                Some('<') => drop(self.next()),
                _ if self.redirection(&mut given) => {}
                _ => match self.word() {
                    Some(word) => given.words.push(word),
                    None => drop(self.next()),
                },
            }
        }
    }

    /// `> file`, `2>> file`, `*> file`, `2>&1`.
    fn redirection(&mut self, given: &mut Given) -> bool {
        let start = self.rest;
        let stream = self.rest.strip_prefix(['1', '2', '3', '4', '5', '6', '*']).filter(|rest| rest.starts_with('>'));
        if let Some(rest) = stream {
            self.rest = rest;
        }
        if !self.take(">") {
            self.rest = start;
            return false;
        }
        let sign = if self.take(">") { ">>" } else { ">" };
        if self.take("&1") || self.take("&2") {
            return true;
        }
        self.blanks(false);
        if let Some(file) = self.word() {
            given.redirections.push_str(&format!(" {sign}{}", file.as_path().quoted()));
        }
        true
    }

    fn command(&mut self, name: &Word, given: &Given, piped: bool) -> String {
        let Some(known) = name.known() else { return program(name, given) };
        let bare = known.rsplit(['\\', '/']).next().unwrap_or(known).to_ascii_lowercase();
        match bare.strip_suffix(".exe").unwrap_or(&bare) {
            "powershell" | "pwsh" => return Self::powershell(given),
            "cmd" => return Self::console(given),
            _ => {}
        }
        match cmdlets::named(known) {
            Some(cmdlet) => {
                let is_other = cmdlet.is_called_alike(known) && !given.words.iter().all(|word| fits(cmdlet, word));
                if is_other { program(name, given) } else { self.cmdlet(cmdlet, given, piped) }
            }
            None => program(name, given),
        }
    }

    fn cmdlet(&mut self, cmdlet: &'static Cmdlet, given: &Given, piped: bool) -> String {
        let sorted = Sorted::of(cmdlet, given);
        let blocks = |given: &Given| given.blocks.iter().map(|block| format!("; {{ {block}\n}}")).collect::<String>();
        let redirections = &given.redirections;
        match cmdlet.name {
            "Write-Output" => {
                let words: Vec<String> = given.words.iter().map(Word::quoted).collect();
                format!("echo {}{redirections}", words.join(" "))
            }
            "Set-Location" | "Push-Location" => {
                let folder = sorted.places.first().map(Word::quoted).unwrap_or_default();
                format!("cd {folder}{redirections}")
            }
            "Invoke-Expression" => match sorted.all().first() {
                Some(text) => format!("{}{redirections}", run_text(text, self.nested)),
                None => format!("Invoke-Expression{redirections}"),
            },
            "ForEach-Object" | "Where-Object" if !given.blocks.is_empty() => {
                let body = given.blocks.join("\n");
                if piped { format!("while read -r PSItem; do {body}\ndone") } else { format!("{{ {body}\n}}") }
            }
            "Start-Process" => {
                let words = sorted.places.iter().chain(&sorted.values).map(split);
                let line = words.collect::<Vec<_>>().join(" ");
                format!("{line}{}", blocks(given))
            }
            "New-Item" if sorted.is_link => {
                let place = sorted.places.iter().map(Word::quoted).rev().collect::<Vec<_>>().join(" ");
                format!("ln -s {place}{redirections}")
            }
            name => {
                let words: Vec<String> = sorted.switches.iter().map(|switch| format!("-{switch}")).collect();
                let places = sorted.places.iter().map(Word::quoted);
                let places: Vec<String> = match name {
                    "Invoke-WebRequest" | "Invoke-RestMethod" | "Start-BitsTransfer" => {
                        let files = places.flat_map(|place| ["-OutFile".to_owned(), place]);
                        sorted.values.iter().map(Word::quoted).chain(files).collect()
                    }
                    "Format-Volume" | "Clear-Disk" | "Initialize-Disk" | "Remove-Partition" => {
                        sorted.values.iter().map(Word::quoted).collect()
                    }
                    // What comes through the pipe is what it is done to.
                    "Remove-Item" | "Clear-Content" | "Move-Item" if sorted.places.is_empty() && piped => {
                        return format!(
                            "while read -r PSItem; do {name} {} \"${{PSItem}}\"{redirections}\ndone",
                            words.join(" ")
                        );
                    }
                    _ => places.collect(),
                };
                let words: Vec<String> = [name.to_owned()].into_iter().chain(words).chain(places).collect();
                format!("{}{redirections}{}", words.join(" "), blocks(given))
            }
        }
    }

    /// PowerShell itself, with a text that is code, or with one in disguise. The reader of the script knows what such a
    /// text is, and asks here again.
    fn powershell(given: &Given) -> String {
        let mut words = given.words.iter();
        while let Some(word) = words.next() {
            let Some(option) = word.known().and_then(|word| word.strip_prefix(['-', '/'])) else {
                // The first word that is no option is the code.
                let rest: Vec<&Word> = std::iter::once(word).chain(words).collect();
                return format!("powershell -Command {}", joined(&rest).quoted());
            };
            let option = option.to_ascii_lowercase();
            if option.is_empty() {
                continue;
            }
            if "command".starts_with(&option) {
                let rest: Vec<&Word> = words.collect();
                return format!("powershell -Command {}", joined(&rest).quoted());
            }
            if "encodedcommand".starts_with(&option) || option == "ec" {
                let text = words.next();
                let decoded = text.and_then(Word::known).and_then(decoded);
                return match decoded {
                    Some(text) => {
                        format!("powershell -Command \"$(decoded)\"\npowershell -Command {}", Word::text(text).quoted())
                    }
                    None => {
                        let text = text.map(Word::quoted).unwrap_or_default();
                        format!("powershell -Command \"$(decoded {text})\"")
                    }
                };
            }
            if "file".starts_with(&option) {
                let rest: Vec<String> = words.map(|word| word.as_path().quoted()).collect();
                return format!("powershell -File {}", rest.join(" "));
            }
            let valued =
                ["executionpolicy", "windowstyle", "version", "inputformat", "outputformat", "workingdirectory"];
            if valued.iter().any(|name| name.starts_with(&option)) || matches!(option.as_str(), "ep" | "ex" | "w") {
                words.next();
            }
        }
        match given.blocks.first() {
            Some(block) => format!("{{ {block}\n}}"),
            None => format!("powershell -Command -{}", given.redirections),
        }
    }

    /// The older console and its own commands: `cmd /c rd /s /q x`.
    fn console(given: &Given) -> String {
        let texts: Vec<String> =
            given.words.iter().map(|word| word.known().map_or_else(|| word.quoted(), str::to_owned)).collect();
        let Some(from) = texts.iter().position(|text| matches!(text.to_ascii_lowercase().as_str(), "/c" | "/k" | "/r"))
        else {
            return format!("cmd {}", given.redirections);
        };
        let line = texts[from + 1..].join(" ");
        let commands = line.split(['&', '|', '\n']).filter_map(console_command);
        commands.collect::<Vec<_>>().join("\n")
    }
}

/// Words that are code together.
fn joined(words: &[&Word]) -> Word {
    let mut whole = Word::default();
    for (nth, word) in words.iter().enumerate() {
        if nth > 0 {
            whole.push_char(' ');
        }
        whole.push((*word).clone());
    }
    whole
}

/// A command of the older console.
fn console_command(line: &str) -> Option<String> {
    let mut words = line.split_ascii_whitespace().map(|word| word.trim_matches('"'));
    let name = words.next()?.to_ascii_lowercase();
    let (switches, others): (Vec<&str>, Vec<&str>) = words.partition(|word| word.starts_with('/'));
    let has = |switch: &str| switches.iter().any(|found| found.eq_ignore_ascii_case(switch));
    let places: Vec<String> = others.iter().map(|word| Word::text(*word).as_path().quoted()).collect();
    let places = places.join(" ");
    Some(match name.strip_suffix(".exe").or_else(|| name.strip_suffix(".com")).unwrap_or(&name) {
        "rd" | "rmdir" | "del" | "erase" => {
            let recurse = if has("/s") { " -Recurse" } else { "" };
            format!("Remove-Item{recurse} -Force {places}")
        }
        "format" => format!("Format-Volume {places}"),
        "copy" | "xcopy" | "robocopy" => format!("Copy-Item {places}"),
        "move" | "ren" | "rename" => format!("Move-Item {places}"),
        "cd" | "chdir" => format!("cd {places}"),
        name => {
            let words: Vec<String> =
                line.split_ascii_whitespace().skip(1).map(|word| Word::text(word).quoted()).collect();
            format!("{} {}", Word::text(name).quoted(), words.join(" "))
        }
    })
}

/// What a text does that is run as code.
pub(super) fn run_text(text: &Word, nested: usize) -> String {
    let code = match text.known() {
        Some(known) => Word::text(translated(known, nested + 1).0),
        None => text.clone(),
    };
    format!("Invoke-Expression -c {}", code.quoted())
}

/// The script of a text within a text.
pub(super) fn translated(text: &str, nested: usize) -> (String, Trouble) {
    if nested > MOST_NESTED {
        return (String::new(), Trouble::Deep);
    }
    let mut reader = Reader::new(text, nested);
    let script = reader.statements(None);
    (script, reader.trouble)
}

/// A text that holds several words.
pub(super) fn split(word: &Word) -> String {
    match word.known() {
        Some(text) => {
            let words: Vec<String> = text
                .split_ascii_whitespace()
                .map(|word| Word::text(word.trim_matches('"')).as_path().quoted())
                .collect();
            words.join(" ")
        }
        None => word.quoted(),
    }
}

/// A program of its own; paths of this machine are brought to one spelling.
fn program(name: &Word, given: &Given) -> String {
    let place = |word: &Word| match word.known() {
        Some(text) if text.starts_with(['\\', '.', '~']) || crate::path::windows::drive(text).is_some() => {
            word.as_path()
        }
        Some(_) => word.clone(),
        None => word.as_path(),
    };
    let words: Vec<String> =
        std::iter::once(place(name)).chain(given.words.iter().map(place)).map(|word| word.quoted()).collect();
    let blocks: String = given.blocks.iter().map(|block| format!("; {{ {block}\n}}")).collect();
    format!("{}{}{blocks}", words.join(" "), given.redirections)
}

/// Whether a word could be given to the cmdlet.
fn fits(cmdlet: &Cmdlet, word: &Word) -> bool {
    match word.known().and_then(|word| word.strip_prefix('-')) {
        Some(option) if !option.is_empty() && !option.starts_with(|c: char| c.is_ascii_digit()) => {
            cmdlet.parameter(option.split(':').next().unwrap_or(option)).is_some()
        }
        _ => true,
    }
}

/// What a cmdlet is given, by role.
#[derive(Debug, Default)]
struct Sorted {
    switches: Vec<&'static str>,
    places: Vec<Word>,
    values: Vec<Word>,
    is_link: bool,
}

impl Sorted {
    fn of(cmdlet: &Cmdlet, given: &Given) -> Self {
        let mut sorted = Self::default();
        let mut awaited: Option<Parameter> = None;
        let mut named_values = Vec::new();
        let mut last = None;
        for (nth, word) in given.words.iter().enumerate() {
            if let (Some(parameter), true) = (last, given.listed.contains(&nth)) {
                sorted.take(parameter, word, &mut named_values);
                continue;
            }
            let option = word.known().and_then(|word| word.strip_prefix('-')).filter(|option| !option.is_empty());
            if let (Some(option), None) = (option, awaited) {
                let (name, value) = option.split_once(':').map_or((option, None), |(name, value)| (name, Some(value)));
                match cmdlet.parameter(name) {
                    Some(Parameter::Switch(name)) if value != Some("False") => sorted.switches.push(name),
                    Some(Parameter::Switch(_)) => {}
                    Some(parameter) => match value {
                        Some(value) => sorted.take(parameter, &Word::text(value), &mut named_values),
                        None => awaited = Some(parameter),
                    },
                    None => sorted.values.push(word.clone()),
                }
                continue;
            }
            last = awaited;
            match awaited.take() {
                Some(parameter) => sorted.take(parameter, word, &mut named_values),
                None if cmdlet.takes_places() && sorted.places.len() < cmdlet.unnamed_places().max(1)
                    || cmdlet.name == "Remove-Item" =>
                {
                    sorted.places.push(word.as_path());
                }
                None => sorted.values.push(word.clone()),
            }
        }
        sorted.values.extend(named_values);
        sorted
    }

    fn take(&mut self, parameter: Parameter, word: &Word, values: &mut Vec<Word>) {
        match parameter {
            Parameter::Place(_) => self.places.push(word.as_path()),
            Parameter::Value("ItemType") => {
                let kind = word.known().unwrap_or_default().to_ascii_lowercase();
                self.is_link = matches!(kind.as_str(), "symboliclink" | "hardlink" | "junction");
            }
            Parameter::Value(
                "ArgumentList" | "Uri" | "Source" | "Command" | "DriveLetter" | "Number" | "Path" | "DiskNumber"
                | "Process",
            ) => {
                values.push(word.clone());
            }
            Parameter::Value(_) | Parameter::Switch(_) => {}
        }
    }

    fn all(&self) -> Vec<Word> {
        self.values.iter().chain(&self.places).cloned().collect()
    }
}

/// What `-EncodedCommand` holds: UTF-16 in base 64.
fn decoded(text: &str) -> Option<String> {
    let bytes = crate::shell::base64_bytes(text)?;
    let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
    Some(String::from_utf16_lossy(&units))
}
