//! Redirections, and here-documents, whose bodies begin at the line after the one that announces them.

use std::cell::RefCell;
use std::rc::Rc;

use super::parser::Parser;
use super::syntax::{Part, Redirect, RedirectKind, Word};

/// A here-document that was announced.
#[derive(Debug)]
pub(super) struct Pending {
    delimiter: String,
    /// Nothing in it is expanded.
    quoted: bool,
    /// `<<-`: tabs before its lines do not count.
    indented: bool,
    body: Rc<RefCell<Word>>,
}

/// Longest first, so that `<<<` is not taken for `<<`.
const OPERATORS: &[(&str, RedirectKind)] = &[
    ("<<<", RedirectKind::HereString),
    ("&>>", RedirectKind::Append),
    ("<<", RedirectKind::HereDocument),
    ("<&", RedirectKind::DuplicateInput),
    (">&", RedirectKind::Duplicate),
    ("<>", RedirectKind::ReadWrite),
    (">>", RedirectKind::Append),
    (">|", RedirectKind::Write),
    ("&>", RedirectKind::Both),
    ("<", RedirectKind::Read),
    (">", RedirectKind::Write),
];

impl Parser<'_> {
    /// The redirection that stands here.
    pub(super) fn redirect(&mut self) -> Option<Redirect> {
        if !matches!(self.cursor.peek(), b'<' | b'>' | b'&' | b'{' | b'0'..=b'9') {
            return None;
        }
        let mut ahead = self.cursor.clone();
        let digits = ahead.take_while(|byte| byte.is_ascii_digit());
        let mut descriptor = digits.parse().ok();
        if digits.is_empty() && ahead.eat("{") {
            if ahead.name().is_empty() || !ahead.eat("}") {
                return None;
            }
            descriptor = Some(-1);
        }
        let substitution = ahead.starts_with("<(") || ahead.starts_with(">(");
        let &(operator, kind) = OPERATORS.iter().find(|(operator, _)| ahead.starts_with(operator))?;
        if substitution || (descriptor.is_some() && operator.starts_with('&')) {
            return None;
        }
        ahead.eat(operator);
        self.cursor = ahead;
        let indented = kind == RedirectKind::HereDocument && self.cursor.eat("-");
        self.blanks();
        let target = self.word().unwrap_or_else(|| {
            self.shared.note(&format!("`{operator}` has nothing after it"));
            Word::default()
        });
        let here = (kind == RedirectKind::HereDocument).then(|| {
            let body = Rc::new(RefCell::new(Word::default()));
            let quoted = target.parts.iter().any(|part| !matches!(part, Part::Plain(_)));
            let delimiter = target.literal().unwrap_or_default().into_owned();
            self.pending.push(Pending { delimiter, quoted, indented, body: Rc::clone(&body) });
            body
        });
        Some(Redirect { kind, descriptor, target, here })
    }

    /// Reads the bodies that begin here.
    pub(super) fn read_here_documents(&mut self) {
        for pending in std::mem::take(&mut self.pending) {
            let text = self.here_document(&pending);
            let body = if pending.quoted {
                Word { parts: vec![Part::Quoted(text)] }
            } else {
                let mut inner = Parser::new(&text, self.depth, self.shared, &self.names);
                inner.deeper(Parser::here_body)
            };
            *pending.body.borrow_mut() = body;
        }
    }

    fn here_document(&mut self, pending: &Pending) -> String {
        let mut text = String::new();
        while !self.cursor.is_end() {
            let mut line = self.cursor.take_while(|byte| byte != b'\n');
            if pending.indented {
                line = line.trim_start_matches('\t');
            }
            self.cursor.eat("\n");
            if line == pending.delimiter {
                return text;
            }
            text.push_str(line);
            text.push('\n');
        }
        self.shared.note("a here-document does not end");
        text
    }
}
