//! Values: words of commands, strings, variables, and what methods of .NET do to files, to the network and with code.

use super::reader::{Reader, Trouble};
use super::words::Word;

/// Methods and functions, by the ends of their names, with the command that does the same.
const METHODS: &[(&[&str], &str)] = &[
    (
        &[
            "writealltext",
            "writealllines",
            "writeallbytes",
            "appendalltext",
            "appendalllines",
            "createtext",
            "appendtext",
            "openwrite",
        ],
        "Set-Content",
    ),
    (&["readalltext", "readalllines", "readallbytes", "opentext"], "Get-Content"),
    (&["downloadstring", "downloaddata", "getstringasync", "downloadstringtaskasync", "getasync"], "Invoke-WebRequest"),
    (&["frombase64string"], "decoded"),
];

impl Reader<'_> {
    /// A word of a command; `None` where none begins.
    pub(super) fn word(&mut self) -> Option<Word> {
        if !self.goes_on() {
            return None;
        }
        let mut word = Word::default();
        let mut begun = false;
        while let Some(c) = self.peek() {
            if c.is_whitespace() || ";|&){},<>".contains(c) {
                break;
            }
            begun = true;
            match c {
                '\'' | '"' | '\u{2018}'..='\u{201f}' => word.push(self.string()),
                '`' => {
                    self.next();
                    if let Some(c) = self.next() {
                        word.push_char(c);
                    }
                }
                '$' => {
                    let variable = self.variable();
                    word.push(self.members(variable));
                }
                '@' if self.rest.starts_with("@'") || self.rest.starts_with("@\"") => word.push(self.here_string()),
                '(' | '@' if c == '(' || self.rest.starts_with("@(") => {
                    self.take("@");
                    let value = self.bracket();
                    word.push(self.members(value));
                }
                '[' if word.is_empty() && self.is_type() => word.push(self.type_member()),
                _ => {
                    self.next();
                    word.push_char(c);
                }
            }
        }
        begun.then_some(word)
    }

    /// A value that is no command; `None` if a command begins here.
    pub(super) fn expression(&mut self) -> Option<Word> {
        let c = self.peek()?;
        let is_value = matches!(c, '\'' | '"' | '$' | '(' | '@' | '\u{2018}'..='\u{201f}')
            || c.is_ascii_digit()
            || c == '[' && self.is_type()
            || c == '-' && self.rest[1..].starts_with(|c: char| c.is_ascii_digit() || "'\"$(".contains(c))
            || self.rest.starts_with('!') && !self.rest.starts_with("!=");
        if !is_value {
            return None;
        }
        let mut value = Word::default();
        loop {
            let before = self.rest.len();
            if self.rest.starts_with("@{") {
                self.take("@{");
                value.push(Word::printed(&self.statements(Some('}'))));
            } else if let Some(word) = self.word() {
                value.push(word);
            }
            self.blanks(false);
            // Operators: what they make of their sides is not worked out, but both sides count.
            let rest = self.rest;
            if self.take("+") || self.take(",") || self.take("*") || self.take("/") || self.take("..") {
                self.blanks(true);
            } else if self.rest.starts_with('-') && self.rest[1..].starts_with(|c: char| c.is_ascii_alphabetic()) {
                self.next();
                self.name();
                self.blanks(true);
            } else if !self.rest.starts_with(['\'', '"', '$', '(']) || self.rest.len() == before {
                return Some(value);
            } else if self.rest.len() == rest.len() {
                // A second value without an operator is none of this one.
                return Some(value);
            }
            if self.rest.is_empty() {
                return Some(value);
            }
        }
    }

    /// `[Type]` or `[Type]::…`, as opposed to a pattern of names.
    fn is_type(&self) -> bool {
        let Some(end) = self.rest.find(']') else { return false };
        let inner = &self.rest[1..end];
        !inner.is_empty()
            && inner.chars().all(|c| c.is_alphanumeric() || "._[,`".contains(c))
            && inner.starts_with(|c: char| c.is_alphabetic())
    }

    /// `[Type]::Member(…)` and `[Type]value`.
    fn type_member(&mut self) -> Word {
        let end = self.rest.find(']').unwrap_or(0);
        let name = self.rest[1..end].to_ascii_lowercase();
        self.rest = &self.rest[end + 1..];
        if self.take("::") {
            let member = self.name().to_ascii_lowercase();
            if self.peek() == Some('(') {
                let given = self.arguments();
                let value = called(&name, &member, &Word::default(), &given);
                return self.members(value);
            }
            return self.members(Word::default());
        }
        // A value that is made one of that type.
        match self.peek() {
            Some('\'' | '"' | '$' | '(' | '@' | '[') => self.word().unwrap_or_default(),
            _ => Word::default(),
        }
    }

    /// `.Property`, `.Method(…)`, `::Static(…)` and `[index]` behind a value.
    fn members(&mut self, mut value: Word) -> Word {
        loop {
            let start = self.rest;
            if self.take(".") || self.take("::") {
                let name = self.name().to_ascii_lowercase();
                if name.is_empty() {
                    self.rest = start;
                    return value;
                }
                if self.peek() == Some('(') {
                    let given = self.arguments();
                    value = called("", &name, &value, &given);
                } else if value.known().is_some() {
                    value = Word::code("\"${PSMember}\"");
                }
            } else if self.peek() == Some('[') {
                self.next();
                self.statements(Some(']'));
            } else {
                return value;
            }
        }
    }

    /// What stands in brackets behind a method.
    fn arguments(&mut self) -> Vec<Word> {
        self.take("(");
        self.depth += 1;
        let mut given = Vec::new();
        loop {
            self.blanks(true);
            let ends = self.take(")");
            if !ends && self.peek().is_none() {
                self.note(Trouble::Open("a bracket does not end"));
            }
            if ends || self.peek().is_none() {
                self.depth -= 1;
                return given;
            }
            let before = self.rest.len();
            match self.argument() {
                Some(word) => given.push(word),
                None => drop(self.take(",")),
            }
            if self.rest.len() == before {
                self.next();
            }
        }
    }

    /// One of them; what is added to a text is part of it.
    fn argument(&mut self) -> Option<Word> {
        let mut whole = self.word()?;
        loop {
            self.blanks(true);
            if !self.take("+") {
                return Some(whole);
            }
            self.blanks(true);
            whole.push(self.word()?);
        }
    }

    /// What `( … )` comes to.
    fn bracket(&mut self) -> Word {
        self.take("(");
        self.depth += 1;
        self.blanks(true);
        let start = self.rest;
        let value = if self.goes_on() { self.expression() } else { None };
        self.blanks(true);
        let value = match value {
            Some(value) if self.take(")") => value,
            _ => {
                self.rest = start;
                Word::printed(&self.statements(Some(')')))
            }
        };
        self.depth -= 1;
        value
    }

    /// `$name`, `$env:NAME`, `${name}`, `$(…)`.
    fn variable(&mut self) -> Word {
        self.next();
        if self.take("(") {
            return Word::printed(&self.statements(Some(')')));
        }
        if self.take("{") {
            let end = self.rest.find('}').unwrap_or(self.rest.len());
            let name = self.rest[..end].to_ascii_lowercase();
            self.rest = self.rest.get(end + 1..).unwrap_or_default();
            return variable(&name);
        }
        let start = self.rest;
        if self.take("env:") {
            let name = self.name();
            return variable(&format!("env:{}", name.to_ascii_lowercase()));
        }
        let _ = self.take("script:") || self.take("global:") || self.take("local:") || self.take("using:");
        if self.take("_") {
            let more = self.name();
            return if more.is_empty() { Word::variable("PSItem") } else { Word::variable(&format!("_{more}")) };
        }
        let name = self.name();
        if name.is_empty() {
            self.rest = start;
            // `$$`, `$?`, `$^`.
            self.next();
            return Word::code("\"${PSItem}\"");
        }
        variable(name)
    }

    /// A string in quotes, of whatever kind.
    fn string(&mut self) -> Word {
        let open = self.next().unwrap_or('"');
        let plain = matches!(open, '\'' | '\u{2018}'..='\u{201b}');
        let is_end = |c: char| {
            if plain { matches!(c, '\'' | '\u{2018}'..='\u{201b}') } else { matches!(c, '"' | '\u{201c}'..='\u{201f}') }
        };
        let mut word = Word::text("");
        loop {
            match self.peek() {
                None => {
                    self.note(Trouble::Open("a quote does not end"));
                    return word;
                }
                Some(c) if is_end(c) => {
                    self.next();
                    // A doubled quote is one.
                    if !self.peek().is_some_and(is_end) {
                        return word;
                    }
                    self.next();
                    word.push_char(c);
                }
                Some('`') if !plain => {
                    self.next();
                    let c = self.next().unwrap_or('`');
                    word.push_char(match c {
                        'n' => '\n',
                        't' => '\t',
                        'r' => '\r',
                        '0' => ' ',
                        c => c,
                    });
                }
                Some('$')
                    if !plain && self.rest[1..].starts_with(|c: char| c.is_alphanumeric() || "_{(".contains(c)) =>
                {
                    word.push(self.variable());
                }
                Some(c) => {
                    self.next();
                    word.push_char(c);
                }
            }
        }
    }

    fn here_string(&mut self) -> Word {
        self.next();
        let quote = self.next().unwrap_or('"');
        let end = format!("\n{quote}@");
        let start = self.rest.find('\n').map_or(self.rest.len(), |at| at + 1);
        let text = self.rest.get(start..).unwrap_or_default();
        match self.rest.find(&end) {
            Some(at) => {
                let text = self.rest.get(start..at.max(start)).unwrap_or_default();
                self.rest = &self.rest[at + end.len()..];
                if quote == '\'' { Word::text(text) } else { interpolated(text, self) }
            }
            None => {
                self.note(Trouble::Open("a quote does not end"));
                self.rest = "";
                Word::text(text)
            }
        }
    }
}

/// A text in which variables count.
fn interpolated(text: &str, around: &mut Reader<'_>) -> Word {
    let mut inner =
        Reader { rest: text, depth: around.depth, nested: around.nested, trouble: Trouble::None, means: around.means };
    let mut word = Word::text("");
    while let Some(c) = inner.peek() {
        if c == '$' && inner.rest[1..].starts_with(|c: char| c.is_alphanumeric() || "_{(".contains(c)) {
            word.push(inner.variable());
        } else {
            inner.next();
            word.push_char(c);
        }
    }
    around.note(inner.trouble);
    around.means = inner.means;
    word
}

/// A variable, by what is the same on every machine if there is such.
fn variable(name: &str) -> Word {
    match name.to_ascii_lowercase().as_str() {
        "true" => Word::text("True"),
        "false" => Word::text("False"),
        "null" => Word::text("/dev/null"),
        "home" | "env:userprofile" | "env:home" => Word::variable("HOME"),
        "pwd" => Word::variable("PWD"),
        "psitem" => Word::variable("PSItem"),
        "env:systemroot" | "env:windir" => Word::text("C:/Windows"),
        "env:systemdrive" | "env:homedrive" => Word::text("C:"),
        "env:programfiles" => Word::text("C:/Program Files"),
        "env:programdata" => Word::text("C:/ProgramData"),
        "env:public" => Word::text("C:/Users/Public"),
        _ => {
            let bare = name.rsplit(':').next().unwrap_or(name);
            let is_name = !bare.is_empty() && bare.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            Word::variable(if is_name && !bare.starts_with(|c: char| c.is_ascii_digit()) { bare } else { "PSOther" })
        }
    }
}

/// What a method gives, as something that the other shell runs; one that nobody knows passes on what it is given.
fn called(of: &str, method: &str, receiver: &Word, given: &[Word]) -> Word {
    let first = given.first().cloned().unwrap_or_default();
    let command = |name: &str, words: &[&Word]| {
        let words: Vec<String> = words.iter().map(|word| word.as_path().quoted()).collect();
        Word::printed(&format!("{name} {}", words.join(" ")))
    };
    if let Some((_, name)) = METHODS.iter().find(|(methods, _)| methods.contains(&method)) {
        return if *name == "Invoke-WebRequest" || *name == "decoded" {
            Word::printed(&format!("{name} {}", first.quoted()))
        } else {
            command(name, &[&first])
        };
    }
    let second = given.get(1).cloned().unwrap_or_default();
    let is_of = |name: &str| of.rsplit('.').next() == Some(name);
    match method {
        "downloadfile" | "downloadfileasync" => {
            Word::printed(&format!("Invoke-WebRequest {} -OutFile {}", first.quoted(), second.as_path().quoted()))
        }
        "delete" if is_of("directory") && given.len() > 1 => command("Remove-Item -Recurse", &[&first]),
        "delete" if is_of("file") || is_of("directory") => command("Remove-Item", &[&first]),
        "delete" if given.is_empty() || first.known() == Some("True") => command("Remove-Item -Recurse", &[receiver]),
        "move" | "replace" if is_of("file") || is_of("directory") => command("Move-Item", &[&first, &second]),
        "copy" if is_of("file") => command("Copy-Item", &[&first, &second]),
        "create" if is_of("file") => command("Set-Content", &[&first]),
        "createdirectory" => command("New-Item", &[&first]),
        "invokescript" | "invokecommand" => Word::printed(&super::commands::run_text(&first, 0)),
        "invoke" | "invokereturnasis" | "getnewclosure" if !receiver.is_empty() => {
            Word::printed(&super::commands::run_text(receiver, 0))
        }
        "start" if is_of("process") => {
            Word::printed(&format!("{} {}", first.quoted(), super::commands::split(&second)))
        }
        _ => {
            let mut whole = receiver.clone();
            for word in given {
                whole.push(word.clone());
            }
            whole
        }
    }
}
