//! From text to statements: the grammar of bash, read in one pass by hand.
//!
//! A parser library for bash would bring some eighty crates into a binary that must start in well under a
//! millisecond, and the one there is overflows its stack on deep nesting. A guard also wants the opposite of a
//! shell's strictness: when a line is broken, the shell stops, but we go on and still say which commands stand in it.
//! So nothing here fails: what is wrong is noted once, and reading continues. Recursion ends at a fixed depth, reading
//! never goes back further than one arithmetic expression, and every byte read is paid for from a common purse.

use std::cell::RefCell;
use std::rc::Rc;

use super::cursor::Cursor;
use super::located::Written;
use super::shared::{Shared, TOO_DEEP};
use super::syntax::{Body, List, Pipeline, Stage, Statement};

#[derive(Debug)]
pub(super) struct Parser<'t> {
    pub(super) cursor: Cursor<'t>,
    pub(super) shared: &'t Shared,
    pub(super) names: Rc<RefCell<Vec<String>>>,
    pub(super) depth: usize,
    /// Here-documents whose bodies begin at the next line.
    pub(super) pending: Vec<super::here::Pending>,
    /// The simple commands of this text and the functions that it defines, for whoever wants to know where they stand.
    pub(super) written: Option<Written>,
}

/// Where a list ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Input,
    Parenthesis,
    Words(&'static [&'static str]),
    Arm,
}

/// Reads a whole script.
pub(super) fn parse(text: &str, shared: &Shared) -> List {
    let mut parser = Parser::new(text, 0, shared, &Rc::default());
    parser.list(End::Input)
}

impl<'t> Parser<'t> {
    pub(super) fn new(text: &'t str, depth: usize, shared: &'t Shared, names: &Rc<RefCell<Vec<String>>>) -> Self {
        let cursor = Cursor::new(text, &shared.purse);
        Self { cursor, shared, names: Rc::clone(names), depth, pending: Vec::new(), written: None }
    }

    pub(super) fn stopped(&self) -> bool {
        self.shared.is_stopped()
    }

    /// Reads something one level deeper, unless that is too deep.
    pub(super) fn deeper<T: Default>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        if self.depth >= self.shared.depth.levels {
            self.shared.stop(TOO_DEEP);
            return T::default();
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    pub(super) fn list(&mut self, end: End) -> List {
        self.deeper(|parser| {
            let mut list = List::new();
            while !parser.stopped() {
                parser.gap();
                if parser.is_end(end) {
                    break;
                }
                if parser.cursor.is_end() {
                    if end != End::Input {
                        parser.shared.note("it ends in the middle of a command");
                    }
                    break;
                }
                let before = parser.cursor.at;
                let statement = parser.statement();
                if parser.cursor.at == before {
                    let stray = parser.cursor.next().unwrap_or_default();
                    parser.shared.note(&format!("a stray `{stray}`"));
                }
                if !statement.pipelines.is_empty() {
                    list.push(statement);
                }
            }
            list
        })
    }

    fn is_end(&self, end: End) -> bool {
        match end {
            End::Input => false,
            End::Parenthesis => self.cursor.peek() == b')',
            End::Words(words) => words.contains(&self.reserved()),
            End::Arm => self.cursor.starts_with(";;") || self.cursor.starts_with(";&") || self.reserved() == "esac",
        }
    }

    /// Blanks within a line, and lines that are joined by a backslash.
    pub(super) fn blanks(&mut self) {
        loop {
            self.cursor.take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r'));
            if !self.cursor.eat("\\\n") && !self.cursor.eat("\u{feff}") {
                break;
            }
        }
    }

    /// Everything between statements: blanks, comments, line ends, and single separators.
    pub(super) fn gap(&mut self) {
        loop {
            self.blanks();
            match self.cursor.peek() {
                b'#' => drop(self.cursor.take_while(|byte| byte != b'\n')),
                b'\n' => self.line_end(),
                b';' if !matches!(self.cursor.peek_at(1), b';' | b'&') => self.cursor.at += 1,
                _ => break,
            }
        }
    }

    pub(super) fn line_ends(&mut self) {
        loop {
            self.blanks();
            match self.cursor.peek() {
                b'#' => drop(self.cursor.take_while(|byte| byte != b'\n')),
                b'\n' => self.line_end(),
                _ => break,
            }
        }
    }

    fn line_end(&mut self) {
        self.cursor.at += 1;
        self.read_here_documents();
    }

    /// The reserved word that stands here, or what could be one: letters or a bracket that end as a word ends.
    pub(super) fn reserved(&self) -> &'t str {
        let mut ahead = self.cursor.clone();
        let from = ahead.at;
        ahead.take_while(|byte| byte.is_ascii_lowercase() || matches!(byte, b'{' | b'}' | b'!' | b'['));
        match ahead.peek() {
            0 | b' ' | b'\t' | b'\r' | b'\n' | b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>' => {
                ahead.slice(from, ahead.at)
            }
            _ => "",
        }
    }

    pub(super) fn eat_reserved(&mut self, word: &str) -> bool {
        let there = self.reserved() == word;
        if there {
            self.cursor.at += word.len();
        }
        there
    }

    pub(super) fn expect(&mut self, word: &str) {
        if !self.eat_reserved(word) && !self.stopped() {
            self.shared.note(&format!("`{word}` is missing"));
        }
    }

    fn statement(&mut self) -> Statement {
        let mut statement = Statement { pipelines: Vec::with_capacity(1), background: false };
        let mut otherwise = false;
        loop {
            let pipeline = Pipeline { otherwise, ..self.pipeline() };
            if !pipeline.stages.is_empty() {
                statement.pipelines.push(pipeline);
            }
            self.blanks();
            otherwise = self.cursor.eat("||");
            if !otherwise && !self.cursor.eat("&&") {
                break;
            }
            self.line_ends();
        }
        if self.cursor.peek() == b'&' {
            self.cursor.at += 1;
            statement.background = true;
        }
        statement
    }

    fn pipeline(&mut self) -> Pipeline {
        let mut pipeline = Pipeline { stages: Vec::with_capacity(1), ..Pipeline::default() };
        loop {
            self.blanks();
            match self.reserved() {
                "!" => {
                    self.cursor.at += 1;
                    pipeline.negated = !pipeline.negated;
                }
                "time" => {
                    self.cursor.at += 4;
                    self.blanks();
                    self.eat_option("-p");
                    self.eat_option("--");
                    pipeline.prefix.push("time");
                }
                "coproc" => {
                    self.cursor.at += 6;
                    pipeline.prefix.push("coproc");
                }
                _ => break,
            }
        }
        loop {
            if let Some(stage) = self.stage() {
                pipeline.stages.push(stage);
            }
            self.blanks();
            if self.cursor.starts_with("||") || !(self.cursor.eat("|&") || self.cursor.eat("|")) {
                break;
            }
            if pipeline.stages.is_empty() {
                self.shared.note("`|` has nothing before it");
            }
            self.line_ends();
        }
        pipeline
    }

    fn eat_option(&mut self, option: &str) {
        if self.cursor.starts_with(option) && matches!(self.cursor.peek_at(option.len()), b' ' | b'\t') {
            self.cursor.at += option.len();
            self.blanks();
        }
    }

    pub(super) fn stage(&mut self) -> Option<Stage> {
        self.blanks();
        let body = match self.reserved() {
            "{" => {
                self.cursor.at += 1;
                let list = self.list(End::Words(&["}"]));
                self.expect("}");
                Body::Group(list)
            }
            "if" => self.conditional(),
            "while" | "until" => self.repeated(),
            "for" | "select" => self.counted(),
            "case" => self.case(),
            "function" => {
                self.cursor.at += 8;
                self.blanks();
                let name = self.word().unwrap_or_default().literal().unwrap_or_default().into_owned();
                self.blanks();
                if self.cursor.eat("(") {
                    self.blanks();
                    self.cursor.eat(")");
                }
                self.function(name)
            }
            "[[" => self.test(),
            _ if self.cursor.peek() == b'(' => self.parenthesis(),
            _ => return self.simple(),
        };
        let mut redirects = Vec::new();
        loop {
            self.blanks();
            match self.redirect() {
                Some(redirect) => redirects.push(redirect),
                None => break,
            }
        }
        Some(Stage { body, redirects })
    }
}
