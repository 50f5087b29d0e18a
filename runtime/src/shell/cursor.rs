//! A place in a script: reads bytes one by one, never past the end, never inside a character.

use std::cell::Cell;

/// Source text of a part longer than this is cut when it is kept for display.
const LONGEST_SOURCE: usize = 120;

#[derive(Debug, Clone)]
pub(super) struct Cursor<'t> {
    text: &'t str,
    /// Pays for every byte that is looked at, also when looking ahead leads to nothing.
    purse: &'t Cell<usize>,
    pub(super) at: usize,
}

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t str, purse: &'t Cell<usize>) -> Self {
        Self { text, purse, at: 0 }
    }

    /// The byte here; 0 at the end. A NUL cannot be part of a command line, so the two need no telling apart.
    pub(super) fn peek(&self) -> u8 {
        self.peek_at(0)
    }

    pub(super) fn peek_at(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.at + ahead).copied().unwrap_or(0)
    }

    pub(super) fn is_end(&self) -> bool {
        self.at >= self.text.len()
    }

    pub(super) fn starts_with(&self, text: &str) -> bool {
        self.rest().starts_with(text)
    }

    pub(super) fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// The text between two places.
    pub(super) fn slice(&self, from: usize, to: usize) -> &'t str {
        self.text.get(from..to).unwrap_or_default()
    }

    /// What was read since a place, for display.
    pub(super) fn source(&self, from: usize) -> String {
        let text = self.slice(from, self.at);
        match text.char_indices().nth(LONGEST_SOURCE) {
            Some((cut, _)) => format!("{}…", text.get(..cut).unwrap_or_default()),
            None => text.to_owned(),
        }
    }

    /// Takes the text if it stands here.
    pub(super) fn eat(&mut self, text: &str) -> bool {
        let there = self.starts_with(text);
        if there {
            self.at += text.len();
        }
        there
    }

    /// Takes one character.
    pub(super) fn next(&mut self) -> Option<char> {
        let next = self.rest().chars().next()?;
        self.at += next.len_utf8();
        self.purse.set(self.purse.get().saturating_sub(1));
        Some(next)
    }

    /// Takes bytes for as long as they fit.
    pub(super) fn take_while(&mut self, fits: impl Fn(u8) -> bool) -> &'t str {
        let rest = self.rest();
        let length = rest.bytes().position(|byte| !fits(byte)).unwrap_or(rest.len());
        // A byte of a longer character must not end the piece in its middle.
        let length = (length..=rest.len()).find(|end| rest.is_char_boundary(*end)).unwrap_or(rest.len());
        self.purse.set(self.purse.get().saturating_sub(length + 1));
        self.at += length;
        rest.get(..length).unwrap_or_default()
    }

    /// Takes a name, as variables have them.
    pub(super) fn name(&mut self) -> &'t str {
        if self.peek().is_ascii_digit() {
            ""
        } else {
            self.take_while(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        }
    }
}
