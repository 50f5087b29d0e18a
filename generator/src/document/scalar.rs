//! From a place in the text of a scalar back to the bytes that wrote it.
//!
//! The scalar is read again from its source, this time remembering where each character came from. That reading is
//! trusted only if it yields exactly the text that the value holds; otherwise there is no answer, and the caller shows
//! the whole scalar.

use std::ops::Range;

use crate::source::Span;

/// How a scalar is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Without quotes.
    Plain,
    /// Between `'`.
    SingleQuoted,
    /// Between `"`, with escapes.
    DoubleQuoted,
    /// After `|`.
    Literal,
    /// After `>`.
    Folded,
    /// As it stands: a text that is no YAML.
    Verbatim,
}

/// A character of the text and the bytes that wrote it.
#[derive(Debug)]
struct Piece {
    character: char,
    source: Range<usize>,
}

/// The bytes of `source` that wrote the bytes `range` of the scalar `text`.
pub(super) fn locate(source: &str, span: Span, style: Style, text: &str, range: Range<usize>) -> Option<Range<usize>> {
    if style == Style::Verbatim {
        return Some(range);
    }
    let pieces = read(source, span.range(), style, text)?;
    let last = range.end.checked_sub(1).filter(|last| *last >= range.start);
    let mut offset = 0;
    let mut start = None;
    for piece in &pieces {
        let next = offset + piece.character.len_utf8();
        if start.is_none() && range.start < next {
            start = Some(piece.source.start);
        }
        match (last, start) {
            (None, Some(start)) => return Some(start..start),
            (Some(last), Some(start)) if last < next => return Some(start..piece.source.end),
            _ => offset = next,
        }
    }
    let end = pieces.last().map(|piece| piece.source.end)?;
    (last.is_none() && range.start == offset).then_some(end..end)
}

/// Reads a scalar again; nothing if the outcome is not `text`.
fn read(source: &str, span: Range<usize>, style: Style, text: &str) -> Option<Vec<Piece>> {
    match style {
        Style::Literal | Style::Folded => read_block(source, span.start, style == Style::Folded, text),
        _ => {
            let quotes = usize::from(style != Style::Plain);
            let inner = span.start + quotes..span.end.checked_sub(quotes)?;
            let pieces = FlowReader { source, at: inner.start, end: inner.end, style, pieces: Vec::new() }.read()?;
            spells(&pieces, text, false).then_some(pieces)
        }
    }
}

/// Whether the pieces are the text. Line breaks at the end of a block may have been chomped.
fn spells(pieces: &[Piece], text: &str, chomped: bool) -> bool {
    let mut pieces = pieces.iter().map(|piece| piece.character);
    text.chars().all(|character| pieces.next() == Some(character)) && pieces.all(|rest| chomped && rest == '\n')
}

/// Reads what stands on the lines of a plain or quoted scalar.
struct FlowReader<'a> {
    source: &'a str,
    at: usize,
    end: usize,
    style: Style,
    pieces: Vec<Piece>,
}

impl FlowReader<'_> {
    fn read(mut self) -> Option<Vec<Piece>> {
        while let Some(character) = self.peek() {
            match (character, self.style) {
                ('\n' | '\r', _) => self.fold(),
                ('\\', Style::DoubleQuoted) => self.escape()?,
                ('\'', Style::SingleQuoted) => {
                    self.push('\'', self.at..self.at + 2);
                    self.at += 2;
                }
                _ => {
                    let end = self.at + character.len_utf8();
                    self.push(character, self.at..end);
                    self.at = end;
                }
            }
        }
        Some(self.pieces)
    }

    fn peek(&self) -> Option<char> {
        self.source.get(self.at..self.end)?.chars().next()
    }

    fn push(&mut self, character: char, source: Range<usize>) {
        self.pieces.push(Piece { character, source });
    }

    /// A line break: blanks around it vanish, one break reads as a blank, each further one as a line break.
    fn fold(&mut self) {
        // An escaped blank takes two bytes and stays.
        while self.pieces.pop_if(|last| matches!(last.character, ' ' | '\t') && last.source.len() == 1).is_some() {}
        let breaks = self.breaks();
        match breaks.as_slice() {
            [only] => self.push(' ', only.clone()),
            _ => self.further(&breaks),
        }
    }

    fn further(&mut self, breaks: &[Range<usize>]) {
        for further in breaks.iter().skip(1) {
            self.push('\n', further.clone());
        }
    }

    /// Passes over line breaks and the blanks after them.
    fn breaks(&mut self) -> Vec<Range<usize>> {
        let mut breaks = Vec::new();
        while let Some(line_break) = self.source.get(..self.end).and_then(|source| line_break(source, self.at)) {
            self.at = line_break.end;
            breaks.push(line_break);
            while matches!(self.peek(), Some(' ' | '\t')) {
                self.at += 1;
            }
        }
        breaks
    }

    fn escape(&mut self) -> Option<()> {
        let start = self.at;
        self.at += 1;
        let kind = self.peek()?;
        if matches!(kind, '\n' | '\r') {
            let breaks = self.breaks();
            self.further(&breaks);
            return Some(());
        }
        self.at += kind.len_utf8();
        let character = match kind {
            '0' => '\0',
            'a' => '\u{7}',
            'b' => '\u{8}',
            't' | '\t' => '\t',
            'n' => '\n',
            'v' => '\u{b}',
            'f' => '\u{c}',
            'r' => '\r',
            'e' => '\u{1b}',
            ' ' | '"' | '/' | '\\' => kind,
            'N' => '\u{85}',
            '_' => '\u{a0}',
            'L' => '\u{2028}',
            'P' => '\u{2029}',
            'x' => self.hexadecimal(2)?,
            'u' => self.hexadecimal(4)?,
            'U' => self.hexadecimal(8)?,
            _ => return None,
        };
        self.push(character, start..self.at);
        Some(())
    }

    fn hexadecimal(&mut self, digits: usize) -> Option<char> {
        let text = self.source.get(self.at..self.at + digits)?;
        self.at += digits;
        char::from_u32(u32::from_str_radix(text, 16).ok()?)
    }
}

/// Reads the lines after a `|` or `>`.
///
/// The indentation is that of the first line with content. Where the header gives a number, it counts from the parent,
/// which is not at hand here; then the indentation is the one under which the lines yield the text.
fn read_block(source: &str, start: usize, folded: bool, text: &str) -> Option<Vec<Piece>> {
    const DEEPEST: usize = 256;
    let header = source.get(start..)?.find(['\n', '\r'])? + start;
    let first = line_break(source, header)?.end;
    let numbered =
        source.get(start..header)?.trim_start_matches(['|', '>', '+', '-']).starts_with(|it: char| it.is_ascii_digit());
    let indent = first_indent(source, first);
    let candidates = if numbered { 0..=indent.min(DEEPEST) } else { indent..=indent };
    let read = |indent| BlockReader { source, folded, indent, pieces: Vec::new() }.read(first, text.len());
    candidates.rev().map(read).find(|pieces| spells(pieces, text, true))
}

fn first_indent(source: &str, first: usize) -> usize {
    let lines = source.get(first..).unwrap_or_default().split(['\n', '\r']);
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    lines.map(|line| (indent(line), line)).find(|(indent, line)| *indent < line.len()).map_or(0, |(indent, _)| indent)
}

struct BlockReader<'a> {
    source: &'a str,
    folded: bool,
    indent: usize,
    pieces: Vec<Piece>,
}

impl BlockReader<'_> {
    /// Reads lines until one belongs to something else, or until there is more than was asked for.
    fn read(mut self, first: usize, enough: usize) -> Vec<Piece> {
        let mut at = first;
        let mut pending = Vec::new();
        let mut previous: Option<bool> = None;
        while let Some(rest) = self.source.get(at..).filter(|rest| !rest.is_empty()) {
            let length = rest.find(['\n', '\r']).unwrap_or(rest.len());
            let line = rest.get(..length).unwrap_or_default();
            let spaces = line.bytes().take(self.indent).take_while(|byte| *byte == b' ').count();
            let end = line_break(self.source, at + length).unwrap_or(at + length..at + length);
            let next = end.end;
            if spaces < length {
                if spaces < self.indent || self.pieces.len() > enough {
                    break;
                }
                let content = line.get(spaces..).unwrap_or_default();
                let more = content.starts_with([' ', '\t']);
                let fold = self.folded && previous == Some(false) && !more;
                self.flush(&mut pending, fold);
                let characters = content.char_indices();
                let piece = |(offset, character): (usize, char)| {
                    let start = at + spaces + offset;
                    Piece { character, source: start..start + character.len_utf8() }
                };
                self.pieces.extend(characters.map(piece));
                previous = Some(more);
            }
            pending.push(end);
            at = next;
        }
        self.flush(&mut pending, false);
        self.pieces
    }

    /// Line breaks between two lines. Folded, one break reads as a blank and the first of several vanishes.
    fn flush(&mut self, pending: &mut Vec<Range<usize>>, fold: bool) {
        let character = if fold && pending.len() == 1 { ' ' } else { '\n' };
        let vanished = usize::from(fold && pending.len() > 1);
        self.pieces.extend(pending.drain(..).skip(vanished).map(|source| Piece { character, source }));
    }
}

/// The line break that starts here.
fn line_break(source: &str, at: usize) -> Option<Range<usize>> {
    let rest = source.get(at..)?;
    let length = if rest.starts_with("\r\n") { 2 } else { usize::from(rest.starts_with(['\n', '\r'])) };
    (length > 0).then_some(at..at + length)
}

#[cfg(test)]
mod tests;
