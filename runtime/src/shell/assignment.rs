//! Simple commands, with the assignments in front of them.

use std::borrow::Cow;

use super::parser::Parser;
use super::programs::DECLARING;
use super::syntax::{Assign, Body, Stage, Value, Word};

/// Builtins whose arguments are names of variables.
const ASSIGNING: &[&str] = &[
    "read",
    "mapfile",
    "readarray",
    "printf",
    "declare",
    "typeset",
    "export",
    "local",
    "readonly",
    "unset",
    "let",
    "getopts",
];

impl Parser<'_> {
    pub(super) fn simple(&mut self) -> Option<Stage> {
        let (mut assigns, mut words, mut redirects) = (Vec::new(), Vec::<Word>::new(), Vec::new());
        let (mut declaring, mut assigning) = (false, false);
        let mut spans = Vec::new();
        while !self.stopped() {
            self.blanks();
            if let Some(redirect) = self.redirect() {
                redirects.push(redirect);
                continue;
            }
            if self.cursor.peek() == b'#' {
                break;
            }
            if (words.is_empty() || declaring)
                && let Some(assign) = self.assignment(declaring)
            {
                self.names.borrow_mut().push(assign.name.clone());
                assigns.push(assign);
                continue;
            }
            let from = self.cursor.at;
            let Some(word) = self.word() else { break };
            if self.written.is_some() {
                spans.push((from..self.cursor.at, word.literal().map(Cow::into_owned)));
            }
            if words.is_empty() {
                if let Some(name) = self.defines(&word) {
                    return Some(Stage { body: self.function(name), redirects });
                }
                let text = word.literal().unwrap_or_default();
                declaring = DECLARING.contains(&&*text);
                assigning = ASSIGNING.contains(&&*text);
            } else if assigning {
                let text = word.literal().unwrap_or_default();
                self.names.borrow_mut().push(text.split(['=', '+']).next().unwrap_or_default().to_owned());
            }
            words.push(word);
        }
        if assigns.is_empty() && words.is_empty() && redirects.is_empty() {
            return None;
        }
        if let Some(written) = &mut self.written {
            written.command(spans);
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
        word.literal().map(Cow::into_owned)
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
        let value = if self.cursor.eat("(") {
            Value::Many(self.elements())
        } else {
            Value::One(self.word().unwrap_or_default())
        };
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
