//! Reads JSON from a buffer that it may overwrite: an escaped string becomes shorter where it stands.
//!
//! A payload of many megabytes is one string full of escapes more often than not. Nothing of it is copied elsewhere,
//! so that memory and time stay close to those of reading it.
//!
//! What is accepted is JSON, and two things that no strict reader takes: half of a surrogate pair, which a client may
//! send and reads itself, and bytes in a string that are not UTF-8. Both are read as U+FFFD, which is what a shell or
//! a file would be given. Refusing them would let whoever writes a command switch off every hook that fails open.

use std::borrow::Cow;

use super::{Json, Many};

/// Containers within containers from which on a text is refused; a deeper one could overflow the stack.
const TOO_DEEP: usize = 128;

/// A few bytes of text can be many of memory, and a process that runs out of it aborts instead of answering.
const TOO_MUCH: &str = "more values than there is memory for";

/// Why a text is not JSON.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Problem {
    pub(super) what: &'static str,
    /// The byte at which reading ended.
    pub(super) at: usize,
}

/// Reads one JSON value; anything but white space after it is an error.
pub(super) fn parse(text: &mut [u8]) -> Result<Json<'_>, Problem> {
    let mut reader = Reader { total: text.len(), rest: text, depth: 0 };
    let value = reader.value()?;
    match reader.peek() {
        None => Ok(value),
        Some(_) => Err(reader.error("more than one value")),
    }
}

struct Reader<'a> {
    rest: &'a mut [u8],
    total: usize,
    depth: usize,
}

impl<'a> Reader<'a> {
    fn value(&mut self) -> Result<Json<'a>, Problem> {
        match self.peek() {
            Some(b'"') => self.string().map(Json::Text),
            Some(b'{') => self.nested(Self::object),
            Some(b'[') => self.nested(Self::list),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.word(b"true", Json::Bool(true)),
            Some(b'f') => self.word(b"false", Json::Bool(false)),
            Some(b'n') => self.word(b"null", Json::Null),
            Some(_) => Err(self.error("no value begins like this")),
            None => Err(self.error("a value is missing")),
        }
    }

    fn nested(&mut self, read: impl FnOnce(&mut Self) -> Result<Json<'a>, Problem>) -> Result<Json<'a>, Problem> {
        self.depth += 1;
        if self.depth >= TOO_DEEP {
            return Err(self.error("nested too deeply"));
        }
        self.take(1);
        let value = read(self);
        self.depth -= 1;
        value
    }

    fn object(&mut self) -> Result<Json<'a>, Problem> {
        let mut fields = Vec::new();
        let mut more = !self.skip(b'}');
        while more {
            if self.peek() != Some(b'"') {
                return Err(self.error("a key is missing"));
            }
            let key = self.string()?;
            if !self.skip(b':') {
                return Err(self.error("`:` is missing"));
            }
            let value = self.value()?;
            fields.try_reserve(1).map_err(|_| self.error(TOO_MUCH))?;
            fields.push((key, value));
            more = self.goes_on(b'}')?;
        }
        Ok(Json::Object(Many::Owned(fields)))
    }

    fn list(&mut self) -> Result<Json<'a>, Problem> {
        let mut items = Vec::new();
        let mut more = !self.skip(b']');
        while more {
            let value = self.value()?;
            items.try_reserve(1).map_err(|_| self.error(TOO_MUCH))?;
            items.push(value);
            more = self.goes_on(b']')?;
        }
        Ok(Json::List(Many::Owned(items)))
    }

    /// Whether a comma follows, and not the end.
    fn goes_on(&mut self, end: u8) -> Result<bool, Problem> {
        if self.skip(b',') {
            Ok(true)
        } else if self.skip(end) {
            Ok(false)
        } else {
            Err(self.error(if end == b'}' { "`,` or `}` is missing" } else { "`,` or `]` is missing" }))
        }
    }

    fn word(&mut self, word: &[u8], value: Json<'a>) -> Result<Json<'a>, Problem> {
        if self.rest.starts_with(word) {
            self.take(word.len());
            Ok(value)
        } else {
            Err(self.error("no value begins like this"))
        }
    }

    fn number(&mut self) -> Result<Json<'a>, Problem> {
        let length = number_length(self.rest).ok_or_else(|| self.error("a number without digits"))?;
        let text = std::str::from_utf8(self.take(length)).unwrap_or_default();
        // The sign of zero is only known to the other kind of number.
        if let Ok(whole) = text.parse::<i64>()
            && text != "-0"
        {
            return Ok(Json::Int(whole));
        }
        match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Json::Double(number)),
            _ => Err(self.error("a number out of range")),
        }
    }

    fn string(&mut self) -> Result<Cow<'a, str>, Problem> {
        self.take(1);
        let (length, end) = unescape(self.rest).map_err(|what| self.error(what))?;
        let (text, _) = self.take(end).split_at_mut(length);
        Ok(match std::str::from_utf8(text) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => Cow::Owned(String::from_utf8_lossy(text).into_owned()),
        })
    }

    /// The next byte that is not white space.
    fn peek(&mut self) -> Option<u8> {
        let blank = self.rest.iter().take_while(|byte| matches!(byte, b' ' | b'\n' | b'\t' | b'\r')).count();
        self.take(blank);
        self.rest.first().copied()
    }

    fn skip(&mut self, expected: u8) -> bool {
        let found = self.peek() == Some(expected);
        if found {
            self.take(1);
        }
        found
    }

    /// The next bytes, which the caller has seen to be there.
    fn take(&mut self, length: usize) -> &'a mut [u8] {
        let length = length.min(self.rest.len());
        let (taken, rest) = std::mem::take(&mut self.rest).split_at_mut(length);
        self.rest = rest;
        taken
    }

    fn error(&self, what: &'static str) -> Problem {
        Problem { what, at: self.total - self.rest.len() }
    }
}

/// How long the number at the beginning is; `None` when digits are missing.
fn number_length(text: &[u8]) -> Option<usize> {
    let digits = |from: usize| {
        let count = text.iter().skip(from).take_while(|byte| byte.is_ascii_digit()).count();
        (count > 0).then_some(from + count)
    };
    let start = usize::from(text.first() == Some(&b'-'));
    // Nothing follows a leading zero, least of all another digit: `01` is two numbers, which nothing accepts.
    let mut end = if text.get(start) == Some(&b'0') { start + 1 } else { digits(start)? };
    if text.get(end) == Some(&b'.') {
        end = digits(end + 1)?;
    }
    if matches!(text.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(text.get(end + 1), Some(b'+' | b'-')));
        end = digits(end + 1 + sign)?;
    }
    Some(end)
}

/// Takes the escapes out of the string that begins here: how long it is then, and where it ended, its quote included.
fn unescape(text: &mut [u8]) -> Result<(usize, usize), &'static str> {
    let (mut read, mut written) = (0, 0);
    loop {
        (read, written) = shift(text, read, written);
        match text.get(read) {
            Some(b'"') => return Ok((written, read + 1)),
            Some(b'\\') => {
                if let Some(byte) = text.get(read + 1).copied().and_then(single) {
                    put(text, written, byte);
                    (read, written) = (read + 2, written + 1);
                } else {
                    (read, written) = unicode(text, read, written).ok_or("an escape that means nothing")?;
                }
            }
            Some(_) => return Err("a control character in a string"),
            None => return Err("a string without an end"),
        }
    }
}

/// Moves bytes that stand for themselves from `read` to `written`, as far as they go.
fn shift(text: &mut [u8], mut read: usize, mut written: usize) -> (usize, usize) {
    while let Some(eight) = text.get(read..).and_then(<[u8]>::first_chunk::<8>).copied() {
        let plain = plain_bytes(u64::from_le_bytes(eight));
        let all = plain == eight.len();
        // All eight may be stored although fewer count, as long as nothing unread is overwritten.
        if all || written + eight.len() <= read {
            if let Some(place) = text.get_mut(written..).and_then(<[u8]>::first_chunk_mut) {
                *place = eight;
            }
        } else {
            for (at, byte) in eight.into_iter().enumerate().take(plain) {
                put(text, written + at, byte);
            }
        }
        if !all {
            return (read + plain, written + plain);
        }
        read += eight.len();
        written += eight.len();
    }
    while let Some(byte) = text.get(read).copied()
        && !matches!(byte, b'"' | b'\\' | 0..0x20)
    {
        put(text, written, byte);
        read += 1;
        written += 1;
    }
    (read, written)
}

/// How many of eight bytes, the lowest first, come before a quote, a backslash or a control character.
fn plain_bytes(eight: u64) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    // A borrow can only mark bytes above one that is rightly marked, so the lowest mark is always true.
    let below = |value: u64, limit: u64| value.wrapping_sub(ONES * limit) & !value & HIGH;
    let quote = below(eight ^ (ONES * u64::from(b'"')), 1);
    let backslash = below(eight ^ (ONES * u64::from(b'\\')), 1);
    let marks = below(eight, 0x20) | quote | backslash;
    (marks.trailing_zeros() / 8) as usize
}

fn put(text: &mut [u8], at: usize, byte: u8) {
    if let Some(place) = text.get_mut(at) {
        *place = byte;
    }
}

/// What a letter behind a backslash stands for.
fn single(letter: u8) -> Option<u8> {
    match letter {
        b'"' | b'\\' | b'/' => Some(letter),
        b'b' => Some(8),
        b'f' => Some(12),
        b'n' => Some(b'\n'),
        b'r' => Some(b'\r'),
        b't' => Some(b'\t'),
        _ => None,
    }
}

/// Writes the character of the `\u` escape at `read`; gives the two places behind it. No character is longer than
/// its escape, so what is overwritten has been read.
fn unicode(text: &mut [u8], read: usize, mut written: usize) -> Option<(usize, usize)> {
    let (character, end) = scalar(text, read)?;
    for byte in character.encode_utf8(&mut [0; 4]).bytes() {
        put(text, written, byte);
        written += 1;
    }
    Some((end, written))
}

/// The character of one escape, or of two that are a surrogate pair. Half a pair is no character, and stands for none.
fn scalar(text: &[u8], at: usize) -> Option<(char, usize)> {
    let first = hexadecimal(text, at)?;
    let end = at + 6;
    if let Some(character) = char::from_u32(first) {
        return Some((character, end));
    }
    let second = hexadecimal(text, end).filter(|second| (0xdc00..0xe000).contains(second));
    let pair = second.filter(|_| first < 0xdc00).and_then(|second| {
        let code = 0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00);
        Some((char::from_u32(code)?, end + 6))
    });
    pair.or(Some((char::REPLACEMENT_CHARACTER, end)))
}

/// The value of `\u` and four digits.
fn hexadecimal(text: &[u8], at: usize) -> Option<u32> {
    let digits = text.get(at..at + 6)?.strip_prefix(b"\\u")?;
    digits.iter().try_fold(0, |sum, digit| Some(sum * 16 + char::from(*digit).to_digit(16)?))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::elsewhere::Elsewhere;
    use super::*;

    /// What this reader and another one make of a text, both without positions.
    fn both(text: &str) -> (Option<Json<'static>>, Option<Json<'static>>) {
        let mut bytes = text.as_bytes().to_vec();
        (parse(&mut bytes).ok().map(Json::into_owned), serde_json::from_str::<Elsewhere>(text).ok().map(|read| read.0))
    }

    fn texts(text: &[u8]) -> Option<Vec<String>> {
        let mut bytes = text.to_vec();
        let Ok(Json::List(items)) = parse(&mut bytes) else { return None };
        let texts =
            items.iter().filter_map(|item| if let Json::Text(text) = item { Some(text.to_string()) } else { None });
        Some(texts.collect())
    }

    /// Equal, but for the last bit of a number, which the other reader may round differently.
    fn alike(a: &Json<'_>, b: &Json<'_>) -> bool {
        match (a, b) {
            (Json::Double(a), Json::Double(b)) => (a - b).abs() <= a.abs() * 1e-12,
            (Json::List(a), Json::List(b)) => a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| alike(a, b)),
            (Json::Object(a), Json::Object(b)) => {
                a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| a.0 == b.0 && alike(&a.1, &b.1))
            }
            _ => a == b,
        }
    }

    fn agree(text: &str) -> bool {
        match both(text) {
            (Some(mine), Some(other)) => alike(&mine, &other),
            (mine, other) => mine.is_none() && other.is_none(),
        }
    }

    #[test]
    fn escapes_are_resolved_where_they_stand() {
        let mut text = br#"{"a\tb":"one\ntwo \"three\" \\ \/ \b\f\r \u00e4\u20ac\ud83e\udd80 end","c":[]}"#.to_vec();
        let value = parse(&mut text).expect("valid");
        assert_eq!(
            value.get("a\tb"),
            Some(&Json::text("one\ntwo \"three\" \\ / \u{8}\u{c}\r \u{e4}\u{20ac}\u{1f980} end"))
        );
        assert!(matches!(value.get("a\tb"), Some(Json::Text(Cow::Borrowed(_)))));
        assert_eq!(value.get("c").map(Json::kind), Some("a list"));
    }

    #[test]
    fn numbers_keep_their_kind() {
        let mut text = b"[0,-1,9223372036854775807,9223372036854775808,1.5,-2e3,1E+2]".to_vec();
        let numbers = [
            Json::Int(0),
            Json::Int(-1),
            Json::Int(i64::MAX),
            Json::Double(9_223_372_036_854_775_808.0),
            Json::Double(1.5),
            Json::Double(-2000.0),
            Json::Double(100.0),
        ];
        assert_eq!(parse(&mut text).expect("valid"), Json::List(Many::Owned(numbers.to_vec())));
    }

    #[test]
    fn what_is_not_json_is_refused_as_elsewhere() {
        let broken = [
            "",
            " ",
            "{",
            "[",
            "\"",
            "\"\\",
            "\"\\u",
            "\"\\u12",
            "\"\\ud80\"",
            "\"\\ud800\\u\"",
            "\"\\!\"",
            "\"a\nb\"",
            "\"\u{1f}\"",
            "\"\\x\"",
            "01",
            "-",
            "-a",
            "1.",
            "1e",
            "1e+",
            ".5",
            "+1",
            "1e999",
            "-01",
            "tru",
            "nul",
            "[1,]",
            "[,1]",
            "[1 2]",
            "{\"a\"}",
            "{\"a\":}",
            "{\"a\":1,}",
            "{a:1}",
            "{1:1}",
            "{} {}",
            "\u{feff}1",
            "NaN",
            "'a'",
            "[1]]",
            "1 1",
        ];
        for text in broken {
            assert_eq!(both(text), (None, None), "{text:?}");
        }
        for text in ["\"\u{7f}\u{85}\"", " [ 1 , 2 ] ", "-0", "-0.0", "0e0", "{ }", "[[],{}]", "\"\\u0000\"", "1\r\n"] {
            assert!(agree(text) && both(text).0.is_some(), "{text:?}");
        }
    }

    #[test]
    fn half_a_pair_is_read_as_the_replacement_character() {
        for (escapes, expected) in [
            (r"rm -rf / #\ud83d", "rm -rf / #\u{fffd}"),
            (r"\udc00", "\u{fffd}"),
            (r"\udfff\ud800", "\u{fffd}\u{fffd}"),
            (r"\ud83d\u0041", "\u{fffd}A"),
            (r"\ud83d\n", "\u{fffd}\n"),
            (r"\ud83d\ud83e\udd80", "\u{fffd}\u{1f980}"),
            (r"\ud83e\udd80\udd80", "\u{1f980}\u{fffd}"),
            (r"\uD83D \uDE00", "\u{fffd} \u{fffd}"),
        ] {
            assert_eq!(texts(format!("[\"{escapes}\"]").as_bytes()), Some(vec![expected.to_owned()]), "{escapes}");
        }
        let mut text = br#"{"a\ud83d":1,"b":2}"#.to_vec();
        let value = parse(&mut text).expect("read");
        assert_eq!((value.get("a\u{fffd}"), value.get("b")), (Some(&Json::Int(1)), Some(&Json::Int(2))));
    }

    #[test]
    fn bytes_that_are_not_utf_8_are_read_as_the_replacement_character() {
        for (text, expected) in [
            (&b"[\"a\xffb\"]"[..], "a\u{fffd}b"),
            (b"[\"\xc3\\n\"]", "\u{fffd}\n"),
            (b"[\"\xc3\\u0080\"]", "\u{fffd}\u{80}"),
            (b"[\"\xc3\"]", "\u{fffd}"),
        ] {
            assert_eq!(texts(text), Some(vec![expected.to_owned()]), "{text:?}");
        }
        assert_eq!(texts(b"[\"\xff\",\"rm\"]").map(|texts| texts.len()), Some(2), "what comes after it is still read");
        for text in [&b"\xff"[..], b"[\xff]", b"{\xff:1}"] {
            assert!(parse(&mut text.to_vec()).is_err(), "outside a string it is no value: {text:?}");
        }
    }

    #[test]
    fn nesting_has_the_limit_that_it_has_elsewhere() {
        for depth in [1, 126, 127, 128, 129, 100_000] {
            let text = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
            assert!(agree(&text), "{depth}");
            assert_eq!(both(&text).0.is_some(), depth < TOO_DEEP, "{depth}");
        }
        let beside = format!("[{}{{}}]", "[],{\"a\":[]},".repeat(TOO_DEEP));
        assert!(agree(&beside) && both(&beside).0.is_some(), "many beside each other are not deep");
    }

    proptest! {
        #[test]
        fn any_text_means_the_same_as_elsewhere(text in "[\\[\\]{}:,\"\\\\ \n0-9eE.+tfnux/a-dä🦀-]{0,40}") {
            // Half a pair is read here, and refused there.
            prop_assume!(!text.contains("\\ud"));
            prop_assert!(agree(&text), "{:?}", both(&text));
        }

        #[test]
        fn any_string_comes_back(text in any::<String>()) {
            let mut quoted = Json::text(&text).to_string().into_bytes();
            prop_assert_eq!(parse(&mut quoted), Ok(Json::text(&text)));
        }

        #[test]
        fn any_bytes_end_in_a_value_or_an_error(mut bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
            let _ = parse(&mut bytes);
        }
    }
}
