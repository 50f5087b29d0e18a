//! Compound commands: conditions, loops, `case`, functions and tests.

use std::rc::Rc;

use super::parser::{End, Parser};
use super::syntax::{Assigned, Body, List, Part, Pipeline, Redirect, Stage, Statement, Word};

impl Parser<'_> {
    pub(super) fn parenthesis(&mut self) -> Body {
        if self.cursor.starts_with("((")
            && let Some(inner) = self.arithmetic(2)
        {
            return Body::Test(vec![inner]);
        }
        self.cursor.at += 1;
        let list = self.list(End::Parenthesis);
        self.cursor.eat(")");
        Body::Subshell(list)
    }

    pub(super) fn conditional(&mut self) -> Body {
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

    pub(super) fn repeated(&mut self) -> Body {
        let from = self.names.borrow().len();
        let until = self.cursor.starts_with("until");
        self.cursor.at += 5;
        let condition = self.list(End::Words(&["do", "done"]));
        let body = self.do_done();
        let endless = is_constant(&condition, until);
        Body::Loop { condition, body, assigned: self.assigned(from), endless }
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

    pub(super) fn counted(&mut self) -> Body {
        let from = self.names.borrow().len();
        let keyword = self.reserved().len();
        self.cursor.at += keyword;
        self.blanks();
        if self.cursor.starts_with("((") {
            let written = self.cursor.rest();
            let condition = match self.arithmetic(2) {
                Some(inner) => test_list(inner),
                None => List::new(),
            };
            // `for ((i = 0; ; i++))`
            let endless = written.split(';').nth(1).is_some_and(|condition| condition.trim().is_empty());
            let body = self.do_done();
            return Body::Loop { condition, body, assigned: self.assigned(from), endless };
        }
        let name = self.cursor.name().to_owned();
        self.line_ends();
        let mut words = Vec::new();
        if self.eat_reserved("in") {
            self.blanks();
            while self.cursor.peek() != b'#' {
                let Some(word) = self.word() else { break };
                words.push(word);
                self.blanks();
            }
        }
        let body = self.do_done();
        Body::For { name, words, body, assigned: self.assigned(from) }
    }

    pub(super) fn case(&mut self) -> Body {
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

    pub(super) fn function(&mut self, name: String) -> Body {
        if let Some(written) = &mut self.written {
            written.function(&name);
        }
        self.line_ends();
        let body = self.deeper(Self::stage);
        let body = body.unwrap_or(Stage { body: Body::Test(Vec::new()), redirects: Vec::new() });
        Body::Function { name, body: Rc::new(body) }
    }

    pub(super) fn test(&mut self) -> Body {
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
            let regex = words.last().is_some_and(|word: &Word| word.literal().is_some_and(|text| text == "=~"));
            words.push(if regex { self.regex() } else { self.operand() });
        }
        Body::Test(words)
    }

    /// A word of a test, or an operator such as `<` and `&&`.
    fn operand(&mut self) -> Word {
        let operator = ["&&", "||"].into_iter().find(|operator| self.cursor.eat(operator));
        if let Some(operator) = operator {
            return Word { parts: vec![Part::Plain(operator.to_owned())] };
        }
        self.word().unwrap_or_else(|| {
            let single = self.cursor.next().unwrap_or_default();
            Word { parts: vec![Part::Plain(single.to_string())] }
        })
    }

    /// What follows `=~`: up to the next blank, whatever stands in it; in parentheses, blanks too.
    fn regex(&mut self) -> Word {
        let (mut whole, mut open) = (Word::default(), 0_usize);
        while !self.stopped() && !self.cursor.is_end() {
            match self.cursor.peek() {
                b' ' | b'\t' | b'\n' | b'\r' if open == 0 => break,
                b'(' => open += 1,
                b')' => open = open.saturating_sub(1),
                _ => {}
            }
            match self.word() {
                Some(word) => whole.parts.extend(word.parts),
                None => whole.parts.push(Part::Plain(self.cursor.next().unwrap_or_default().to_string())),
            }
        }
        whole
    }
}

/// Whether a loop with this condition goes on whatever happens.
fn is_constant(condition: &List, until: bool) -> bool {
    let [Statement { pipelines, background: false }] = condition.as_slice() else { return false };
    let [Pipeline { stages, negated, .. }] = pipelines.as_slice() else { return false };
    let [stage] = stages.as_slice() else { return false };
    let plain = |word: &Word| match word.parts.as_slice() {
        [Part::Plain(text)] => text.trim().to_owned(),
        _ => String::new(),
    };
    let holds = match &stage.body {
        Body::Simple { assigns, words } if assigns.is_empty() => match words.iter().map(plain).collect::<Vec<_>>() {
            words if words == ["false"] => Some(false),
            words if matches!(words.first().map(String::as_str), Some(":" | "true")) => Some(true),
            // `[ 1 ]`: any word holds.
            words if words.len() == 3 && words[0] == "[" && words[2] == "]" && !words[1].is_empty() => Some(true),
            _ => None,
        },
        Body::Test(words) => match words.iter().map(plain).collect::<Vec<_>>().as_slice() {
            [number] => number.parse::<u64>().ok().map(|number| number != 0),
            _ => None,
        },
        _ => None,
    };
    holds.is_some_and(|holds| (holds ^ negated) != until)
}

/// A list that does nothing but substitute.
fn test_list(inner: Word) -> List {
    let stage = Stage { body: Body::Test(vec![inner]), redirects: Vec::<Redirect>::new() };
    vec![Statement { pipelines: vec![Pipeline { stages: vec![stage], ..Pipeline::default() }], background: false }]
}
