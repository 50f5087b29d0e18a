//! From text to statements: the grammar of bash, read in one pass by hand.
//!
//! A parser library for bash would bring some eighty crates into a binary that must start in well under a
//! millisecond, and the one there is overflows its stack on deep nesting. A guard also wants the opposite of a
//! shell's strictness: when a line is broken, the shell stops, but we go on and still say which commands stand in it.
//! So nothing here fails: what is wrong is noted once, and reading continues. Recursion ends at `DEEPEST`, reading
//! never goes back further than one arithmetic expression, and every byte read is paid for from a common purse.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::cursor::Cursor;
use super::syntax::{Assign, Assigned, Body, List, Pipeline, Redirect, Stage, Statement, Value, Word};

/// Levels of nesting that are read; a script within a script counts on from its own level.
pub(super) const DEEPEST: usize = 250;

/// What all parsers of one line share.
#[derive(Debug, Default)]
pub(super) struct Shared {
    pub(super) problem: RefCell<Option<String>>,
    /// Set when reading was given up; everything returns at once.
    pub(super) stopped: Cell<bool>,
    /// Bytes that may still be looked at.
    pub(super) purse: Cell<usize>,
}

impl Shared {
    /// Notes what is wrong; the first thing is what the others follow from.
    pub(super) fn note(&self, problem: &str) {
        self.problem.borrow_mut().get_or_insert_with(|| problem.to_owned());
    }

    pub(super) fn stop(&self, problem: &str) {
        if !self.stopped.replace(true) {
            // Giving up says more than a missing quote.
            *self.problem.borrow_mut() = Some(problem.to_owned());
        }
    }

    /// Pays for work; without means everything stops.
    pub(super) fn pay(&self, bytes: usize) {
        match self.purse.get().checked_sub(bytes) {
            Some(left) => self.purse.set(left),
            None => self.stop("too much to work through"),
        }
    }
}

#[derive(Debug)]
pub(super) struct Parser<'t> {
    pub(super) cursor: Cursor<'t>,
    pub(super) shared: Rc<Shared>,
    pub(super) names: Rc<RefCell<Vec<String>>>,
    pub(super) depth: usize,
    /// Here-documents whose bodies begin at the next line.
    pub(super) pending: Vec<super::here::Pending>,
}

/// Where a list ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Input,
    Parenthesis,
    Words(&'static [&'static str]),
    Arm,
}

/// Builtins whose arguments are names of variables.
const ASSIGNING: &[&str] = &[
    "read", "mapfile", "readarray", "printf", "declare", "typeset", "export", "local", "readonly", "unset", "let",
    "getopts",
];
const DECLARING: &[&str] = &["declare", "typeset", "export", "local", "readonly"];

/// Reads a whole script.
pub(super) fn parse(text: &str, depth: usize, shared: &Rc<Shared>) -> List {
    let mut parser = Parser::new(text, depth, shared, &Rc::default());
    parser.list(End::Input)
}

impl<'t> Parser<'t> {
    pub(super) fn new(text: &'t str, depth: usize, shared: &Rc<Shared>, names: &Rc<RefCell<Vec<String>>>) -> Self {
        shared.pay(text.len());
        let shared = Rc::clone(shared);
        Self { cursor: Cursor::new(text), shared, names: Rc::clone(names), depth, pending: Vec::new() }
    }

    pub(super) fn stopped(&self) -> bool {
        self.shared.stopped.get()
    }

    /// Reads something one level deeper, unless that is too deep.
    pub(super) fn deeper<T: Default>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        if self.depth >= DEEPEST {
            self.shared.stop("nested too deeply");
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
    fn gap(&mut self) {
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

    fn line_ends(&mut self) {
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
    fn reserved(&self) -> &'t str {
        let mut ahead = self.cursor.clone();
        let from = ahead.at;
        ahead.take_while(|byte| byte.is_ascii_lowercase() || matches!(byte, b'{' | b'}' | b'!' | b'['));
        match ahead.peek() {
            0 | b' ' | b'\t' | b'\r' | b'\n' | b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>' => ahead.slice(from, ahead.at),
            _ => "",
        }
    }

    fn eat_reserved(&mut self, word: &str) -> bool {
        let there = self.reserved() == word;
        if there {
            self.cursor.at += word.len();
        }
        there
    }

    fn expect(&mut self, word: &str) {
        if !self.eat_reserved(word) && !self.stopped() {
            self.shared.note(&format!("`{word}` is missing"));
        }
    }

    fn statement(&mut self) -> Statement {
        let mut statement = Statement { pipelines: Vec::new(), background: false };
        loop {
            let pipeline = self.pipeline();
            if !pipeline.stages.is_empty() {
                statement.pipelines.push(pipeline);
            }
            self.blanks();
            if !self.cursor.eat("&&") && !self.cursor.eat("||") {
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
        let mut pipeline = Pipeline::default();
        loop {
            self.blanks();
            match self.reserved() {
                "!" => self.cursor.at += 1,
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

    fn stage(&mut self) -> Option<Stage> {
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
                let name = self.word().and_then(|word| word.literal()).unwrap_or_default();
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

    fn parenthesis(&mut self) -> Body {
        if self.cursor.starts_with("((") {
            if let Some(inner) = self.arithmetic(2) {
                return Body::Test(vec![inner]);
            }
        }
        self.cursor.at += 1;
        let list = self.list(End::Parenthesis);
        self.cursor.eat(")");
        Body::Subshell(list)
    }

    fn conditional(&mut self) -> Body {
        let mut branches = Vec::new();
        self.cursor.at += 2;
        loop {
            let condition = self.list(End::Words(&["then", "fi"]));
            self.expect("then");
            let body = self.list(End::Words(&["elif", "else", "fi"]));
            branches.push((condition, body));
            if !self.eat_reserved("elif") {
                break;
            }
        }
        if self.eat_reserved("else") {
            branches.push((List::new(), self.list(End::Words(&["fi"]))));
        }
        self.expect("fi");
        Body::If(branches)
    }

    fn assigned(&self, from: usize) -> Assigned {
        Assigned { all: Rc::clone(&self.names), range: from..self.names.borrow().len() }
    }

    fn repeated(&mut self) -> Body {
        let from = self.names.borrow().len();
        self.cursor.at += 5;
        let condition = self.list(End::Words(&["do", "done"]));
        let body = self.do_done();
        Body::Loop { condition, body, assigned: self.assigned(from) }
    }

    fn do_done(&mut self) -> List {
        self.gap();
        if self.eat_reserved("{") {
            let body = self.list(End::Words(&["}"]));
            self.expect("}");
            return body;
        }
        self.expect("do");
        let body = self.list(End::Words(&["done"]));
        self.expect("done");
        body
    }

    fn counted(&mut self) -> Body {
        let from = self.names.borrow().len();
        let keyword = self.reserved().len();
        self.cursor.at += keyword;
        self.blanks();
        if self.cursor.starts_with("((") {
            let condition = match self.arithmetic(2) {
                Some(inner) => test_list(inner),
                None => List::new(),
            };
            let body = self.do_done();
            return Body::Loop { condition, body, assigned: self.assigned(from) };
        }
        let name = self.cursor.name().to_owned();
        self.line_ends();
        let mut words = Vec::new();
        if self.eat_reserved("in") {
            self.blanks();
            while let Some(word) = self.word() {
                words.push(word);
                self.blanks();
            }
        }
        let body = self.do_done();
        Body::For { name, words, body, assigned: self.assigned(from) }
    }

    fn case(&mut self) -> Body {
        self.cursor.at += 4;
        self.blanks();
        let word = self.word().unwrap_or_default();
        self.line_ends();
        self.expect("in");
        let mut arms = Vec::new();
        while !self.stopped() {
            self.gap();
            if self.eat_reserved("esac") {
                break;
            }
            if self.cursor.is_end() {
                self.shared.note("`esac` is missing");
                break;
            }
            let before = self.cursor.at;
            arms.push(self.arm());
            if self.cursor.at == before {
                self.cursor.next();
            }
        }
        Body::Case { word, arms }
    }

    fn arm(&mut self) -> (Vec<Word>, List) {
        let mut patterns = Vec::new();
        self.cursor.eat("(");
        loop {
            self.blanks();
            patterns.extend(self.word());
            self.blanks();
            if !self.cursor.eat("|") {
                break;
            }
        }
        if !self.cursor.eat(")") {
            self.shared.note("a pattern of `case` does not end in `)`");
        }
        let body = self.list(End::Arm);
        let _ = self.cursor.eat(";;&") || self.cursor.eat(";;") || self.cursor.eat(";&");
        (patterns, body)
    }

    fn function(&mut self, name: String) -> Body {
        self.line_ends();
        let body = self.deeper(Self::stage);
        let body = body.unwrap_or(Stage { body: Body::Test(Vec::new()), redirects: Vec::new() });
        Body::Function { name, body: Rc::new(body) }
    }

    fn test(&mut self) -> Body {
        self.cursor.at += 2;
        let mut words = Vec::new();
        while !self.stopped() {
            self.line_ends();
            if self.cursor.eat("]]") {
                break;
            }
            if self.cursor.is_end() {
                self.shared.note("`]]` is missing");
                break;
            }
            match self.word() {
                Some(word) => words.push(word),
                // Operators such as `<` and `&&` are of no interest here.
                None => drop(self.cursor.next()),
            }
        }
        Body::Test(words)
    }

    fn simple(&mut self) -> Option<Stage> {
        let (mut assigns, mut words, mut redirects) = (Vec::new(), Vec::<Word>::new(), Vec::new());
        let mut first = None;
        while !self.stopped() {
            self.blanks();
            if let Some(redirect) = self.redirect() {
                redirects.push(redirect);
                continue;
            }
            let declaring = first.as_deref().is_some_and(|first| DECLARING.contains(&first));
            if words.is_empty() || declaring {
                if let Some(assign) = self.assignment(declaring) {
                    self.names.borrow_mut().push(assign.name.clone());
                    assigns.push(assign);
                    continue;
                }
            }
            let Some(word) = self.word() else { break };
            if words.is_empty() {
                first = word.literal();
                if let Some(name) = self.defines(&word) {
                    return Some(Stage { body: self.function(name), redirects });
                }
            } else if first.as_deref().is_some_and(|first| ASSIGNING.contains(&first)) {
                let name = word.literal().unwrap_or_default();
                self.names.borrow_mut().push(name.split(['=', '+']).next().unwrap_or_default().to_owned());
            }
            words.push(word);
        }
        if assigns.is_empty() && words.is_empty() && redirects.is_empty() {
            return None;
        }
        Some(Stage { body: Body::Simple { assigns, words }, redirects })
    }

    /// The name, if `()` follows it.
    fn defines(&mut self, word: &Word) -> Option<String> {
        let mut ahead = self.cursor.clone();
        ahead.take_while(|byte| matches!(byte, b' ' | b'\t'));
        if !ahead.eat("(") {
            return None;
        }
        ahead.take_while(|byte| matches!(byte, b' ' | b'\t'));
        if !ahead.eat(")") {
            return None;
        }
        self.cursor = ahead;
        word.literal()
    }

    /// `name=value`, `name+=value`, `name[…]=value`, `name=(…)`; after `declare` and its like only the last.
    fn assignment(&mut self, only_arrays: bool) -> Option<Assign> {
        let mut ahead = self.cursor.clone();
        let name = ahead.name();
        if name.is_empty() {
            return None;
        }
        let indexed = ahead.peek() == b'[';
        if indexed {
            ahead.take_while(|byte| !matches!(byte, b']' | b'\n' | b' ' | b'"' | b'\'' | b'`'));
            if !ahead.eat("]") {
                return None;
            }
        }
        let append = ahead.eat("+=");
        if !append && !ahead.eat("=") || only_arrays && ahead.peek() != b'(' {
            return None;
        }
        self.cursor = ahead;
        let value = if self.cursor.eat("(") { Value::Many(self.elements()) } else { Value::One(self.word().unwrap_or_default()) };
        Some(Assign { name: name.to_owned(), indexed, append, value })
    }

    fn elements(&mut self) -> Vec<Word> {
        let mut words = Vec::new();
        loop {
            self.line_ends();
            match self.word() {
                Some(word) => words.push(word),
                None if self.cursor.eat(")") => break,
                None if self.cursor.is_end() || self.stopped() => {
                    self.shared.note("a `)` is missing");
                    break;
                }
                None => drop(self.cursor.next()),
            }
        }
        words
    }
}

/// A list that does nothing but substitute.
fn test_list(inner: Word) -> List {
    let stage = Stage { body: Body::Test(vec![inner]), redirects: Vec::<Redirect>::new() };
    vec![Statement { pipelines: vec![Pipeline { stages: vec![stage], prefix: Vec::new() }], background: false }]
}
