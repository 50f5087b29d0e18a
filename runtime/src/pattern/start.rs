//! What a match of a regular expression can begin with, as far as the expression tells at a glance.
//!
//! The engine looks at every character of a text. Most texts have few that a match can begin with, and many have none, so
//! that the expression need not even be compiled. Whatever is not plain to see is left to the engine.

/// The ASCII characters that every match begins with one of, as bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Start(u128);

impl Start {
    /// `None` when a match may be empty, may begin with another character, or is hard to tell.
    pub(super) fn of(source: &str) -> Option<Self> {
        let (flags, source) = flags(source);
        // Other flags change what stands behind them.
        let is_plain = |(at, _): (usize, &str)| {
            let behind = source.get(at + 2..).unwrap_or_default();
            [":", "P<", "<"].iter().any(|name| behind.starts_with(name))
        };
        if !source.match_indices("(?").all(is_plain) {
            return None;
        }
        let mut reader = Reader { rest: source.as_bytes() };
        let bits = reader.alternatives()?;
        reader.rest.is_empty().then(|| Self(if flags.contains('i') { both_cases(bits) } else { bits }))
    }

    /// Where in the text a match can begin first, from that place on.
    pub(super) fn first(self, text: &str, from: usize) -> Option<usize> {
        let rest = text.as_bytes().get(from..)?;
        rest.iter().position(|byte| self.0 & bit(*byte) != 0).map(|at| from + at)
    }
}

/// The flags that an expression begins with, and what they are for. Of these, only `i` changes what a match begins with.
fn flags(source: &str) -> (&str, &str) {
    let flags = source.strip_prefix("(?").and_then(|rest| rest.split_once(')'));
    flags.filter(|(flags, _)| flags.bytes().all(|flag| b"ims".contains(&flag))).unwrap_or(("", source))
}

fn bit(byte: u8) -> u128 {
    if byte.is_ascii() { 1 << byte } else { 0 }
}

fn both_cases(bits: u128) -> u128 {
    let letters = (b'A'..=b'Z').map(|upper| (bit(upper), bit(upper.to_ascii_lowercase())));
    letters.filter(|(upper, lower)| bits & (upper | lower) != 0).fold(bits, |bits, (upper, lower)| bits | upper | lower)
}

struct Reader<'s> {
    rest: &'s [u8],
}

impl Reader<'_> {
    /// `one|other`, up to the end or the bracket that closes the group.
    fn alternatives(&mut self) -> Option<u128> {
        let mut bits = self.sequence()?;
        while self.takes(b"|") {
            bits |= self.sequence()?;
        }
        Some(bits)
    }

    /// What the first item of a sequence begins with that takes room in the text.
    fn sequence(&mut self) -> Option<u128> {
        while self.takes(b"^") || self.takes(b"\\b") || self.takes(b"\\A") {
            // `\b{start}` and the like.
            if self.is_optional() {
                return None;
            }
        }
        let bits = self.item()?;
        if self.is_optional() {
            return None;
        }
        while !matches!(self.rest, [] | [b'|' | b')', ..]) {
            self.pass()?;
        }
        Some(bits)
    }

    fn item(&mut self) -> Option<u128> {
        if self.takes(b"(") {
            return self.group();
        }
        if self.takes(b"[") {
            return self.class();
        }
        if self.takes(b"\\d") {
            return Some((b'0'..=b'9').fold(0, |bits, digit| bits | bit(digit)));
        }
        let escaped = self.takes(b"\\");
        let literal = self.next()?;
        // `\<` and `\>` are the borders of a word.
        let stands_for_itself = |literal: u8| literal.is_ascii_punctuation() && !b"<>".contains(&literal);
        let is_literal = if escaped { stands_for_itself(literal) } else { !b"|)*+?{}[].$^\\".contains(&literal) };
        (is_literal && literal.is_ascii()).then(|| bit(literal))
    }

    fn group(&mut self) -> Option<u128> {
        if self.takes(b"?") && !self.takes(b":") {
            while self.next()? != b'>' {}
        }
        let bits = self.alternatives()?;
        self.takes(b")").then_some(bits)
    }

    /// A class of letters, digits and ranges of them.
    fn class(&mut self) -> Option<u128> {
        let mut bits = 0;
        while !self.takes(b"]") {
            let first = self.next().filter(u8::is_ascii_alphanumeric)?;
            let last = if self.takes(b"-") { self.next().filter(u8::is_ascii_alphanumeric)? } else { first };
            bits |= (first..=last).fold(0, |bits, byte| bits | bit(byte));
        }
        (bits != 0).then_some(bits)
    }

    /// Passes over one item of which nothing is asked.
    fn pass(&mut self) -> Option<()> {
        if self.takes(b"\\") {
            self.next()?;
        } else if self.takes(b"(") {
            while !self.takes(b")") {
                self.pass()?;
            }
        } else if self.takes(b"[") {
            let _ = self.takes(b"^");
            // A bracket that comes first is one of the class.
            self.class_member()?;
            while !self.takes(b"]") {
                self.class_member()?;
            }
        } else {
            self.next()?;
        }
        Some(())
    }

    fn class_member(&mut self) -> Option<()> {
        match self.next()? {
            b'[' => None,
            b'\\' => self.next().map(drop),
            _ => Some(()),
        }
    }

    fn is_optional(&self) -> bool {
        matches!(self.rest, [b'*' | b'?' | b'{', ..])
    }

    fn takes(&mut self, expected: &[u8]) -> bool {
        let rest = self.rest.strip_prefix(expected);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn next(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use regex_lite::Regex;

    use super::*;
    use crate::pattern::{Pattern, wanted};

    fn begins_with(source: &str) -> Option<String> {
        let Start(bits) = Start::of(source)?;
        Some((0..128_u8).filter(|byte| bits & bit(*byte) != 0).map(char::from).collect())
    }

    #[test]
    fn what_a_match_begins_with_is_seen() {
        for (source, expected) in [
            (r"\b(UT|INT|E2E|UAT)-[0-9]+", "EIU"),
            ("(?i)self.critique", "Ss"),
            (r"(?m)^##\s+Phase", "#"),
            ("(?ims)^a", "Aa"),
            (r"^\[T\d+\]", "["),
            ("(?:a|b(c|d))x|e+", "abe"),
            ("[0-2x]y*[^]z]|q", "012qx"),
            (r"(?P<name>a)(?<other>b)", "a"),
            (r"\d\.", "0123456789"),
        ] {
            assert_eq!(begins_with(source).unwrap_or_default(), expected, "{source}");
        }
    }

    #[test]
    fn what_is_not_plain_to_see_is_left_to_the_engine() {
        for source in [
            "",
            r"\d{2}x",
            "a*b",
            "a?b",
            "a{0,1}b",
            "(a)?b",
            "a|",
            "|a",
            "(a|)b",
            ".a",
            r"\wa",
            r"\b{start}a",
            r"\<a",
            r"\>a",
            "a(?i)b|c",
            "(?x) a",
            "(?-i)a",
            "ä",
            "[^a]b",
            r"[\d]a",
            "[[:alpha:]]",
            "a[[b]]",
            "(?s).",
            "$",
            "^",
            r"\b",
            "a)",
            "(a",
            "[a",
            r"\",
        ] {
            assert_eq!(Start::of(source), None, "{source}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn a_pattern_finds_what_its_engine_finds(
            source in r"(\(\?(i|m|im)\))?([a-c(|)*+?^.\[\]]|\\b|\\<|\\d|\\\.|[ab]-|\(\?:|\[a-c\]|\{2\}){1,9}",
            text in "[a-dA-D0-9. \n\\-\\]ä]{0,12}",
        ) {
            let Ok(regex) = Regex::new(&source) else { return Ok(()) };
            let pattern = Pattern::from(source.clone());
            prop_assert_eq!(pattern.matches(&text), regex.is_match(&text), "{} {}", source, text);
            let all: Vec<String> = regex.captures_iter(&text).map(|captures| wanted(&captures)).collect();
            prop_assert_eq!(pattern.find(&text), all.first().cloned().unwrap_or_default(), "{} {}", source, text);
            prop_assert_eq!(pattern.count(&text), i64::try_from(all.len()).unwrap_or_default(), "{} {}", source, text);
            prop_assert_eq!(pattern.find_all(&text), all, "{} {}", source, text);
            prop_assert_eq!(pattern.replace(&text, "-"), regex.replace_all(&text, "-"), "{} {}", source, text);
        }
    }
}
