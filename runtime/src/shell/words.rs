//! Words: quoting, escapes and everything that begins with a dollar sign or a backtick.

use std::rc::Rc;

use super::field::{HOLE, HOLE_END};
use super::parser::{End, Parser};
use super::syntax::{Index, Operation, Part, Variable, Word};

impl Parser<'_> {
    /// The word that stands here; `None` where none can begin.
    pub(super) fn word(&mut self) -> Option<Word> {
        let mut word = Word::default();
        loop {
            if self.stopped() {
                break;
            }
            match self.cursor.peek() {
                0 if self.cursor.is_end() => break,
                b'(' if extends_glob(&word) => self.extended_glob(&mut word),
                b'<' | b'>' if self.cursor.peek_at(1) == b'(' => self.process(&mut word),
                b' ' | b'\t' | b'\r' | b'\n' | b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>' => break,
                _ => self.piece(&mut word, Quoting::None),
            }
        }
        if word.parts.is_empty() { None } else { Some(word) }
    }

    fn extended_glob(&mut self, word: &mut Word) {
        let from = self.cursor.at;
        self.cursor.take_while(|byte| !matches!(byte, b')' | b'\n'));
        self.cursor.eat(")");
        word.plain(self.cursor.slice(from, self.cursor.at));
    }

    fn process(&mut self, word: &mut Word) {
        let from = self.cursor.at;
        self.cursor.at += 2;
        let list = Rc::new(self.list(End::Parenthesis));
        self.close(")");
        word.push(Part::Process { list, source: self.cursor.source(from) });
    }

    fn close(&mut self, end: &str) {
        if !self.cursor.eat(end) {
            self.shared.note(&format!("a `{end}` is missing"));
        }
    }

    /// One piece of a word: a character, or everything up to the end of what it opens.
    fn piece(&mut self, word: &mut Word, quoting: Quoting) {
        match self.cursor.peek() {
            b'\\' => self.escape(word, quoting),
            0xEE if self.cursor.starts_with(HOLE) => self.hole(word),
            b'$' => self.dollar(word, quoting),
            b'`' => self.backticks(word, quoting),
            b'\'' if quoting == Quoting::None => {
                self.cursor.at += 1;
                let text = self.cursor.take_while(|byte| byte != b'\'');
                word.quoted(text);
                if !self.cursor.eat("'") {
                    self.shared.note("a single quote does not end");
                }
            }
            b'"' if quoting == Quoting::None => {
                self.cursor.at += 1;
                self.double_quoted(word);
            }
            _ => {
                // The first byte is taken whatever it is, or a brace that was not asked for would be read forever.
                let from = self.cursor.at;
                self.cursor.next();
                self.cursor.take_while(|byte| !is_special(byte));
                let text = self.cursor.slice(from, self.cursor.at);
                if quoting == Quoting::None { word.plain(text) } else { word.quoted(text) }
            }
        }
    }

    /// What an outer script left unresolved; it stays one piece, whatever it holds.
    fn hole(&mut self, word: &mut Word) {
        let rest = self.cursor.rest();
        let length = rest.find(HOLE_END).map_or(rest.len(), |end| end + HOLE_END.len());
        word.push(Part::Hole(rest.get(..length).unwrap_or_default().to_owned()));
        self.cursor.at += length;
    }

    fn double_quoted(&mut self, word: &mut Word) {
        let before = word.parts.len();
        loop {
            match self.cursor.peek() {
                b'"' => {
                    self.cursor.at += 1;
                    break;
                }
                0 if self.cursor.is_end() => {
                    self.shared.note("a double quote does not end");
                    break;
                }
                _ if self.stopped() => break,
                _ => self.piece(word, Quoting::Double),
            }
        }
        // Quotes around nothing make a word; around `$@`, that is up to what it holds.
        if word.parts.len() == before {
            word.quoted("");
        }
    }

    /// A here-document's body, which is read as if in double quotes that nothing ends.
    pub(super) fn here_body(&mut self) -> Word {
        let mut word = Word::default();
        word.quoted("");
        while !self.cursor.is_end() && !self.stopped() {
            self.piece(&mut word, Quoting::Here);
        }
        word
    }

    fn escape(&mut self, word: &mut Word, quoting: Quoting) {
        self.cursor.at += 1;
        if self.cursor.eat("\n") {
            return;
        }
        let before = self.cursor.at;
        let Some(next) = self.cursor.next() else {
            word.quoted("\\");
            return;
        };
        let special = match quoting {
            Quoting::None => true,
            Quoting::Double => matches!(next, '$' | '`' | '"' | '\\'),
            Quoting::Here => matches!(next, '$' | '`' | '\\'),
        };
        if !special {
            word.quoted("\\");
        }
        word.quoted(self.cursor.slice(before, self.cursor.at));
    }

    fn backticks(&mut self, word: &mut Word, quoting: Quoting) {
        let from = self.cursor.at;
        self.cursor.at += 1;
        let mut script = String::new();
        loop {
            script.push_str(self.cursor.take_while(|byte| !matches!(byte, b'`' | b'\\')));
            if self.cursor.eat("`") {
                break;
            }
            if self.cursor.is_end() {
                self.shared.note("a backtick does not end");
                break;
            }
            self.cursor.at += 1;
            match self.cursor.peek() {
                b'`' | b'\\' | b'$' => {}
                b'"' if quoting == Quoting::Double => {}
                _ => script.push('\\'),
            }
            script.extend(self.cursor.next());
        }
        let mut inner = Parser::new(&script, self.depth, self.shared, &self.names);
        let list = Rc::new(inner.list(End::Input));
        word.push(Part::Command { list, quoted: quoting != Quoting::None, source: self.cursor.source(from) });
    }

    fn dollar(&mut self, word: &mut Word, quoting: Quoting) {
        let quoted = quoting != Quoting::None;
        let from = self.cursor.at;
        match self.cursor.peek_at(1) {
            b'(' if self.cursor.starts_with("$((") => {
                if let Some(inner) = self.arithmetic(3) {
                    word.push(Part::Arithmetic { inner, source: self.cursor.source(from) });
                } else {
                    self.substitution(word, quoted);
                }
            }
            b'(' => self.substitution(word, quoted),
            b'{' => self.braces(word, quoted),
            b'\'' if !quoted => {
                self.cursor.at += 2;
                let text = super::ansi::ansi_c(&mut self.cursor);
                match text {
                    Some(text) => word.quoted(&text),
                    None => self.shared.note("a single quote does not end"),
                }
            }
            b'"' if !quoted => {
                self.cursor.at += 2;
                self.double_quoted(word);
            }
            b'[' => {
                self.cursor.at += 2;
                let inner = self.until(b']');
                word.push(Part::Arithmetic { inner, source: self.cursor.source(from) });
            }
            next if next.is_ascii_alphabetic() || next == b'_' => {
                self.cursor.at += 1;
                let name = self.cursor.name().to_owned();
                self.variable(word, name, Index::None, Operation::Plain, quoted, from);
            }
            next if next.is_ascii_digit() || matches!(next, b'@' | b'*' | b'#' | b'?' | b'$' | b'!' | b'-') => {
                self.cursor.at += 2;
                let name = char::from(next).to_string();
                self.variable(word, name, Index::None, Operation::Plain, quoted, from);
            }
            _ => {
                self.cursor.at += 1;
                if quoted { word.quoted("$") } else { word.plain("$") }
            }
        }
    }

    fn variable(&self, word: &mut Word, name: String, index: Index, operation: Operation, quoted: bool, from: usize) {
        let source = self.cursor.source(from);
        word.push(Part::Variable(Rc::new(Variable { name, index, operation, quoted, source })));
    }

    fn substitution(&mut self, word: &mut Word, quoted: bool) {
        let from = self.cursor.at;
        self.cursor.at += 2;
        // Here-documents that were announced outside do not begin inside.
        let outside = std::mem::take(&mut self.pending);
        let list = Rc::new(self.list(End::Parenthesis));
        self.close(")");
        self.pending.splice(0..0, outside);
        word.push(Part::Command { list, quoted, source: self.cursor.source(from) });
    }

    /// `${…}`
    fn braces(&mut self, word: &mut Word, quoted: bool) {
        let from = self.cursor.at;
        self.cursor.at += 2;
        let mut other = false;
        if matches!(self.cursor.peek(), b'!' | b'#') && self.cursor.peek_at(1) != b'}' {
            self.cursor.at += 1;
            other = true;
        }
        let name = match self.cursor.name() {
            "" => match self.cursor.peek() {
                byte if byte.is_ascii_digit() => self.cursor.take_while(|byte| byte.is_ascii_digit()).to_owned(),
                b'@' | b'*' | b'#' | b'?' | b'$' | b'!' | b'-' => {
                    self.cursor.next().map(String::from).unwrap_or_default()
                }
                _ => String::new(),
            },
            name => name.to_owned(),
        };
        let index = self.index();
        let colon = self.cursor.peek() == b':' && matches!(self.cursor.peek_at(1), b'-' | b'=' | b'+' | b'?');
        if colon {
            self.cursor.at += 1;
        }
        let kind = self.cursor.peek();
        let fallback = !other && !name.is_empty() && matches!(kind, b'-' | b'=' | b'+' | b'?');
        if fallback {
            self.cursor.at += 1;
        }
        if kind == b'=' {
            self.names.borrow_mut().push(name.clone());
        }
        let trim = !other && !colon && !name.is_empty() && matches!(kind, b'%' | b'#');
        let longest = trim && self.cursor.peek_at(1) == kind;
        if trim {
            self.cursor.at += 1 + usize::from(longest);
        }
        let inner = self.brace_word(quoted);
        let operation = match inner {
            word if fallback => Operation::Fallback { kind, colon, word },
            word if trim => Operation::Trim { end: kind == b'%', longest, word },
            inner if !other && !name.is_empty() && inner.parts.is_empty() => Operation::Plain,
            inner => Operation::Other(inner),
        };
        self.variable(word, name, index, operation, quoted, from);
    }

    fn index(&mut self) -> Index {
        if self.cursor.eat("[@]") || self.cursor.eat("[*]") {
            return Index::All;
        }
        if self.cursor.peek() != b'[' {
            return Index::None;
        }
        let mut ahead = self.cursor.clone();
        ahead.at += 1;
        let text = ahead.take_while(|byte| !matches!(byte, b']' | b'}' | b'\n'));
        if !ahead.eat("]") {
            return Index::None;
        }
        self.cursor = ahead;
        text.parse().map_or(Index::Unknown, Index::At)
    }

    /// The word after an operator in `${…}`, with the brace that ends it.
    fn brace_word(&mut self, quoted: bool) -> Word {
        let quoting = if quoted { Quoting::Here } else { Quoting::None };
        self.deeper(|parser| {
            let mut word = Word::default();
            loop {
                match parser.cursor.peek() {
                    b'}' => {
                        parser.cursor.at += 1;
                        break;
                    }
                    0 if parser.cursor.is_end() => {
                        parser.shared.note("a `}` is missing");
                        break;
                    }
                    _ if parser.stopped() => break,
                    b'"' if quoted => {
                        parser.cursor.at += 1;
                        parser.double_quoted(&mut word);
                    }
                    _ => parser.piece(&mut word, quoting),
                }
            }
            word
        })
    }

    /// An arithmetic expression up to its `))`; `None`, with nothing read, if it turns out to be something else.
    pub(super) fn arithmetic(&mut self, opening: usize) -> Option<Word> {
        let start = self.cursor.at;
        let (mut open, mut at) = (0_usize, start + opening);
        let rest = self.cursor.rest().as_bytes();
        let end = loop {
            match rest.get(at - start) {
                Some(b'(') => open += 1,
                Some(b')') if open > 0 => open -= 1,
                Some(b')') if rest.get(at - start + 1) == Some(&b')') => break at,
                None | Some(b')') => {
                    self.shared.pay(at - start);
                    return None;
                }
                // Parentheses in quotes are none.
                Some(quote @ (b'\'' | b'"' | b'\\')) => at += quoted_length(&rest[at - start..], *quote),
                Some(_) => {}
            }
            at += 1;
        };
        let text = self.cursor.slice(start + opening, end);
        let mut inner = Parser::new(text, self.depth, self.shared, &self.names);
        let word = inner.deeper(Parser::here_body);
        self.cursor.at = end + 2;
        Some(word)
    }

    fn until(&mut self, end: u8) -> Word {
        self.deeper(|parser| {
            let mut word = Word::default();
            while !parser.cursor.is_end() && !parser.stopped() {
                if parser.cursor.peek() == end {
                    parser.cursor.at += 1;
                    break;
                }
                parser.piece(&mut word, Quoting::Here);
            }
            word
        })
    }
}

/// How many bytes follow a quote or a backslash that belong to it.
fn quoted_length(rest: &[u8], quote: u8) -> usize {
    let mut escaped = false;
    let ends = |byte: &u8| {
        let ends = *byte == quote && !escaped;
        escaped = quote == b'"' && *byte == b'\\' && !escaped;
        ends
    };
    if quote == b'\\' { 1 } else { rest.iter().skip(1).position(ends).map_or(rest.len(), |at| at + 1) }
}

/// Whether `(` belongs to a pattern such as `@(a|b)`.
fn extends_glob(word: &Word) -> bool {
    matches!(word.parts.last(), Some(Part::Plain(text)) if text.len() > 1 && text.ends_with(['@', '?', '*', '+', '!']))
}

/// What surrounds a piece of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Quoting {
    None,
    Double,
    /// A here-document or an arithmetic expression: as in double quotes, but these mean nothing.
    Here,
}

/// Bytes at which a run of ordinary text ends, in whichever quoting.
fn is_special(byte: u8) -> bool {
    matches!(
        byte,
        b'\\'
            | b'$'
            | b'`'
            | b'\''
            | b'"'
            | b' '
            | b'\t'
            | b'\r'
            | b'\n'
            | b';'
            | b'&'
            | b'|'
            | b'('
            | b')'
            | b'<'
            | b'>'
            | b'}'
            | b']'
            | 0xEE
    )
}

impl Word {
    /// Most words are one piece, and there are many words.
    fn push(&mut self, part: Part) {
        if self.parts.is_empty() {
            self.parts.reserve_exact(1);
        }
        self.parts.push(part);
    }

    fn plain(&mut self, text: &str) {
        match self.parts.last_mut() {
            Some(Part::Plain(last)) => last.push_str(text),
            _ => self.push(Part::Plain(text.to_owned())),
        }
    }

    fn quoted(&mut self, text: &str) {
        match self.parts.last_mut() {
            Some(Part::Quoted(last)) => last.push_str(text),
            _ => self.push(Part::Quoted(text.to_owned())),
        }
    }
}
