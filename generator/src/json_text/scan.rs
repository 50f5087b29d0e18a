//! Where everything is in a JSON text. As strict as the client, which drops a whole file for one comment.

use std::ops::Range;

use super::Trouble;

/// Containers within containers.
const DEPTH: usize = 200;

/// A value and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) span: Range<usize>,
    pub(crate) kind: Kind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Kind {
    Object(Vec<Member>),
    Array(Vec<Node>),
    Scalar,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Member {
    pub(crate) key: String,
    /// Where the key begins.
    start: usize,
    pub(crate) value: Node,
}

impl Node {
    pub(crate) fn members(&self) -> &[Member] {
        if let Kind::Object(members) = &self.kind { members } else { &[] }
    }

    pub(crate) fn items(&self) -> &[Self] {
        if let Kind::Array(items) = &self.kind { items } else { &[] }
    }

    pub(crate) fn member(&self, key: &str) -> Option<&Self> {
        self.members().iter().find(|member| member.key == key).map(|member| &member.value)
    }

    /// Where each element of a container stands.
    pub(super) fn elements(&self) -> Vec<Range<usize>> {
        match &self.kind {
            Kind::Object(members) => members.iter().map(|member| member.start..member.value.span.end).collect(),
            Kind::Array(items) => items.iter().map(|item| item.span.clone()).collect(),
            Kind::Scalar => Vec::new(),
        }
    }
}

pub(super) fn scan(text: &str) -> Result<Node, Trouble> {
    let mut scan = Scan { text, at: 0 };
    if text.starts_with('\u{feff}') {
        return Err(
            scan.trouble("a byte order mark, which not every client can read; save the file as UTF-8 without one")
        );
    }
    scan.space()?;
    let root = scan.value(0)?;
    scan.space()?;
    if scan.at < text.len() { Err(scan.trouble("something behind the end of the JSON value")) } else { Ok(root) }
}

struct Scan<'t> {
    text: &'t str,
    at: usize,
}

impl Scan<'_> {
    fn trouble(&self, what: &str) -> Trouble {
        Trouble::new(self.at, what)
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        self.at += usize::from(there);
        there
    }

    fn space(&mut self) -> Result<(), Trouble> {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
        match self.peek() {
            Some(b'/' | b'#') => Err(self.trouble("a comment, for which the client drops the whole file; take it out")),
            _ => Ok(()),
        }
    }

    fn value(&mut self, depth: usize) -> Result<Node, Trouble> {
        let start = self.at;
        let kind = match self.peek() {
            Some(b'{' | b'[') if depth == DEPTH => return Err(self.trouble("too many brackets within each other")),
            Some(b'{') => self.object(depth)?,
            Some(b'[') => self.array(depth)?,
            Some(b'"') => self.string()?,
            Some(b'-' | b'0'..=b'9') => self.number()?,
            _ => self.word()?,
        };
        Ok(Node { span: start..self.at, kind })
    }

    fn object(&mut self, depth: usize) -> Result<Kind, Trouble> {
        let mut members: Vec<Member> = Vec::new();
        self.at += 1;
        self.space()?;
        if self.take(b'}') {
            return Ok(Kind::Object(members));
        }
        loop {
            let start = self.at;
            if self.peek() != Some(b'"') {
                return Err(self.trouble("no key in double quotes where one must be"));
            }
            self.string()?;
            let written = &self.text[start..self.at];
            let key = serde_json::from_str(written).unwrap_or_else(|_| written.to_owned());
            if members.iter().any(|member| member.key == key) {
                return Err(Trouble::new(start, format!("the key `{key}` a second time; only the last one counts")));
            }
            self.space()?;
            if !self.take(b':') {
                return Err(self.trouble("no colon behind a key"));
            }
            self.space()?;
            members.push(Member { key, start, value: self.value(depth + 1)? });
            if self.ends(b'}')? {
                return Ok(Kind::Object(members));
            }
        }
    }

    fn array(&mut self, depth: usize) -> Result<Kind, Trouble> {
        let mut items = Vec::new();
        self.at += 1;
        self.space()?;
        if self.take(b']') {
            return Ok(Kind::Array(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            if self.ends(b']')? {
                return Ok(Kind::Array(items));
            }
        }
    }

    /// What follows an element: the end, or a comma and another element.
    fn ends(&mut self, bracket: u8) -> Result<bool, Trouble> {
        self.space()?;
        if self.take(bracket) {
            return Ok(true);
        }
        let comma = self.at;
        if !self.take(b',') {
            return Err(self.trouble("neither a comma nor the closing bracket"));
        }
        self.space()?;
        if self.peek() == Some(bracket) { Err(Trouble::new(comma, "a comma too many")) } else { Ok(false) }
    }

    fn string(&mut self) -> Result<Kind, Trouble> {
        self.at += 1;
        loop {
            match self.peek() {
                None => return Err(self.trouble("the end of the file in the middle of a text")),
                Some(b'"') => break,
                Some(byte) if byte < 0x20 => return Err(self.trouble("a line break or control character in a text")),
                Some(b'\\') => self.escape()?,
                Some(_) => self.at += 1,
            }
        }
        self.at += 1;
        Ok(Kind::Scalar)
    }

    fn escape(&mut self) -> Result<(), Trouble> {
        let rest = self.text.as_bytes().get(self.at + 1..).unwrap_or_default();
        let length = match rest.first() {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => 2,
            Some(b'u') if rest.len() > 4 && rest[1..5].iter().all(u8::is_ascii_hexdigit) => 6,
            _ => return Err(self.trouble("a backslash that escapes nothing")),
        };
        self.at += length;
        Ok(())
    }

    fn digits(&mut self) -> Result<(), Trouble> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at == start { Err(self.trouble("no digit where one must be")) } else { Ok(()) }
    }

    fn number(&mut self) -> Result<Kind, Trouble> {
        self.take(b'-');
        if !self.take(b'0') {
            self.digits()?;
        }
        if self.take(b'.') {
            self.digits()?;
        }
        if self.take(b'e') || self.take(b'E') {
            let _ = self.take(b'+') || self.take(b'-');
            self.digits()?;
        }
        Ok(Kind::Scalar)
    }

    fn word(&mut self) -> Result<Kind, Trouble> {
        let rest = &self.text[self.at..];
        let word = ["true", "false", "null"].into_iter().find(|word| rest.starts_with(word));
        self.at += word.ok_or_else(|| self.trouble("no JSON value where one must be"))?.len();
        Ok(Kind::Scalar)
    }
}
