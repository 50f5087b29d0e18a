//! From the text of a line to a script of the other shell: statements, pipelines, blocks, and the words of commands.
//!
//! What PowerShell nests, the script nests; what it only computes becomes something that prints. Every way is taken:
//! conditions, loops and blocks are written one after the other, since guards ask what could run.

use super::words::Word;

/// Nesting beyond this is not followed.
const DEEPEST: usize = 40;

/// So many words any line may have.
const LEAST_WORDS: usize = 20_000;

/// A reader somewhere in a line.
#[derive(Debug)]
pub(super) struct Reader<'t> {
    pub(super) rest: &'t str,
    pub(super) depth: usize,
    /// How deep texts that are code stand in one another.
    pub(super) nested: usize,
    pub(super) trouble: Trouble,
    /// How many words may still be read: what is read twice is paid twice.
    pub(super) means: usize,
}

/// What kept the line from being read whole.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Trouble {
    #[default]
    None,
    /// A quote or a bracket has no end.
    Open(&'static str),
    /// It is nested too deeply.
    Deep,
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str, nested: usize) -> Self {
        Self { rest: text, depth: 0, nested, trouble: Trouble::None, means: LEAST_WORDS + text.len() }
    }

    /// One level down, or one word further; whether that is followed.
    pub(super) fn goes_on(&mut self) -> bool {
        self.means = self.means.saturating_sub(1);
        if self.depth > DEEPEST || self.means == 0 {
            self.note(Trouble::Deep);
        }
        if self.trouble == Trouble::Deep {
            self.rest = "";
        }
        self.trouble != Trouble::Deep
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.rest = &self.rest[c.len_utf8()..];
        Some(c)
    }

    pub(super) fn take(&mut self, text: &str) -> bool {
        match self.rest.get(..text.len()) {
            Some(found) if found.eq_ignore_ascii_case(text) => {
                self.rest = &self.rest[text.len()..];
                true
            }
            _ => false,
        }
    }

    pub(super) fn note(&mut self, trouble: Trouble) {
        self.trouble = self.trouble.max(trouble);
    }

    /// A word of letters, if one begins here.
    pub(super) fn name(&mut self) -> &'t str {
        let end = self.rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        self.rest = rest;
        name
    }

    /// Passes over blanks, comments and continued lines; also over ends of lines where they mean nothing.
    pub(super) fn blanks(&mut self, lines: bool) {
        loop {
            match self.peek() {
                Some('\n' | '\r') if lines => drop(self.next()),
                Some(c) if c.is_whitespace() && c != '\n' && c != '\r' => drop(self.next()),
                Some('`') if self.rest[1..].starts_with(['\n', '\r']) => {
                    self.next();
                    self.take("\r");
                    self.take("\n");
                }
                Some('#') => self.rest = self.rest.find('\n').map_or("", |end| &self.rest[end..]),
                Some('<') if self.rest.starts_with("<#") => {
                    self.rest = self.rest.find("#>").map_or("", |end| &self.rest[end + 2..]);
                }
                _ => return,
            }
        }
    }

    /// Statements up to the bracket that ends them, or to the end of the text.
    pub(super) fn statements(&mut self, end: Option<char>) -> String {
        self.depth += 1;
        self.goes_on();
        let mut script = String::new();
        loop {
            self.blanks(true);
            match self.peek() {
                None => {
                    if end.is_some() {
                        self.note(Trouble::Open("a bracket does not end"));
                    }
                    break;
                }
                Some(c) if Some(c) == end => {
                    self.next();
                    break;
                }
                // A bracket that was never opened ends nothing.
                Some(';' | ')' | '}') => drop(self.next()),
                Some(_) => {
                    let before = self.rest.len();
                    let statement = self.pipeline();
                    if !statement.is_empty() {
                        script.push_str(&statement);
                        script.push_str(&self.separator());
                    }
                    if self.rest.len() == before {
                        self.next();
                    }
                }
            }
        }
        self.depth -= 1;
        let script = script.trim_end_matches(['\n', ' ', '&', '|']);
        if script.is_empty() { ":".to_owned() } else { script.to_owned() }
    }

    fn separator(&mut self) -> String {
        self.blanks(false);
        for operator in ["&&", "||"] {
            if self.take(operator) {
                return format!(" {operator} ");
            }
        }
        if self.peek() == Some('&') {
            self.next();
            return " &\n".to_owned();
        }
        "\n".to_owned()
    }

    fn pipeline(&mut self) -> String {
        if let Some(statement) = self.keyword() {
            return statement;
        }
        if let Some(statement) = self.assignment() {
            return statement;
        }
        let mut script = self.element(false);
        loop {
            self.blanks(false);
            // Lines of a pipeline may begin with its sign.
            if !self.rest.starts_with('|') || self.rest.starts_with("||") {
                return script;
            }
            self.next();
            self.blanks(true);
            let element = self.element(true);
            script = format!("{script} | {element}");
        }
    }

    /// A block in braces, as a group.
    pub(super) fn block(&mut self) -> String {
        self.blanks(true);
        if self.take("{") { self.statements(Some('}')) } else { ":".to_owned() }
    }

    fn condition(&mut self) -> String {
        self.blanks(true);
        if self.take("(") { self.statements(Some(')')) } else { ":".to_owned() }
    }

    fn keyword(&mut self) -> Option<String> {
        let start = self.rest;
        let word = self.name().to_ascii_lowercase();
        // A name that goes on is a command.
        let ends = self.peek().is_none_or(|c| c.is_whitespace() || "({;".contains(c));
        let statement = match word.as_str() {
            _ if !ends => None,
            "if" | "elseif" | "while" | "switch" | "until" => {
                let condition = self.condition();
                let block = self.block();
                Some(format!("{{ {condition}\n}}; {{ {block}\n}}"))
            }
            "for" => {
                let condition = self.condition();
                let block = self.block();
                Some(format!("while {condition}\ndo {block}\ndone"))
            }
            "foreach" => self.foreach(),
            "else" | "do" | "try" | "catch" | "finally" | "trap" | "begin" | "process" | "end" => {
                self.blanks(true);
                // Which failure is caught does not matter.
                while self.take("[") {
                    self.rest = self.rest.find(']').map_or("", |end| &self.rest[end + 1..]);
                    self.blanks(true);
                }
                (self.peek() == Some('{')).then(|| format!("{{ {}\n}}", self.block()))
            }
            "function" | "filter" => {
                self.blanks(false);
                let end = self.rest.find(|c: char| c.is_whitespace() || "({".contains(c)).unwrap_or(self.rest.len());
                let (name, rest) = self.rest.split_at(end);
                self.rest = rest;
                self.blanks(true);
                if self.peek() == Some('(') {
                    self.condition();
                }
                Some(format!("{name}() {{ {}\n}}", self.block()))
            }
            "param" => Some(format!("{{ {}\n}}", self.condition())),
            "return" | "throw" | "exit" => {
                self.blanks(false);
                let ends = self.peek().is_none_or(|c| ";}\n\r".contains(c));
                Some(if ends { ":".to_owned() } else { self.pipeline() })
            }
            _ => None,
        };
        if statement.is_none() {
            self.rest = start;
        }
        statement
    }

    /// `foreach ($x in …) { … }`; the command of that name has no bracket before a variable.
    fn foreach(&mut self) -> Option<String> {
        self.blanks(true);
        if !self.take("(") {
            return None;
        }
        self.blanks(true);
        self.take("$");
        let name = self.name().to_owned();
        self.blanks(true);
        self.take("in");
        let list = self.statements(Some(')'));
        let block = self.block();
        let name = if name.is_empty() { "PSItem".to_owned() } else { name };
        Some(format!("for {name} in $({list}); do {block}\ndone"))
    }

    /// `$x = …`.
    fn assignment(&mut self) -> Option<String> {
        let start = self.rest;
        while self.take("[") {
            self.rest = self.rest.find(']').map_or("", |end| &self.rest[end + 1..]);
            self.blanks(false);
        }
        if !self.take("$") {
            self.rest = start;
            return None;
        }
        let environment = self.take("env:");
        if !environment {
            let _ = self.take("script:") || self.take("global:") || self.take("local:");
        }
        let name = self.name();
        self.blanks(false);
        let is_one = ["=", "+=", "??="]
            .iter()
            .any(|sign| self.rest.starts_with(sign) && !self.rest.starts_with("==") && self.take(sign));
        if name.is_empty() || !is_one {
            self.rest = start;
            return None;
        }
        self.blanks(true);
        let before = self.rest;
        let value = self.expression();
        self.blanks(false);
        let ends = self.peek().is_none_or(|c| ";}\n\r)".contains(c));
        if let (Some(value), true) = (value, ends) {
            return Some(format!("{name}={}", value.quoted()));
        }
        self.rest = before;
        Some(format!("{name}={}", Word::printed(&self.pipeline()).quoted()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(text: &str) -> String {
        Reader::new(text, 0).statements(None)
    }

    #[test]
    fn statements_keep_their_order_and_their_signs() {
        assert_eq!(script("git a; git b # c"), "git a\ngit b");
        assert_eq!(script("git a && git b || git c"), "git a && git b || git c");
        assert_eq!(script("git a |\n git b"), "git a | git b");
        assert_eq!(script("<# x #> git `\n a"), "git a");
        assert_eq!(script(""), ":");
    }

    #[test]
    fn every_branch_and_block_is_there() {
        let text = script("if (git a) { git b } else { git c }; foreach ($f in git d) { git $f }");
        for part in ["git a", "git b", "git c", "for f in $(git d); do git \"${f}\""] {
            assert!(text.contains(part), "{text}");
        }
        assert_eq!(script("function go { git a }; go"), "go() { git a\n}\ngo");
        assert_eq!(script("$x = 'a b'; git $x"), "x='a b'\ngit \"${x}\"");
    }

    #[test]
    fn what_does_not_end_is_noted_and_depth_is_bounded() {
        let mut open = Reader::new("if (git a { git b", 0);
        open.statements(None);
        assert_eq!(open.trouble, Trouble::Open("a bracket does not end"));
        let text = "(".repeat(5000);
        let mut deep = Reader::new(&text, 0);
        deep.statements(None);
        assert_eq!(deep.trouble, Trouble::Deep);
    }
}
