//! Text to tokens.

use std::ops::Range;

use super::SyntaxError;

/// A token and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) span: Range<usize>,
}

/// What a token is.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    Name(String),
    Int(i64),
    /// 2^63, which is a whole number only with a minus before it.
    TooLargeByOne,
    Double(f64),
    Text(String),
    /// An operator or a bracket.
    Sign(&'static str),
    End,
}

/// Longest first, so that `<=` is not read as `<` and `=`.
const SIGNS: &[&str] = &[
    "&&", "||", "==", "!=", "<=", ">=", "(", ")", "[", "]", "{", "}", ".", ",", "?", ":", "+", "-", "*", "/", "%", "!",
    "<", ">",
];

/// Signs of other languages, with what CEL says instead.
const FOREIGN: &[(&str, &str)] = &[
    ("=>", "name the variable first, then what holds for it: `filter(x, x != '')`"),
    ("=", "compare with `==`"),
    ("&", "write `&&`"),
    ("|", "write `||`"),
    ("${", "this is an expression already: leave out `${` and `}`"),
    ("$", "texts and patterns stand in quotes: `'…'`, or `r'…'` to keep backslashes"),
    ("`", "texts stand in quotes: `'…'`"),
    ("\u{2018}", "write straight quotes: `'…'`"),
    ("\u{2019}", "write straight quotes: `'…'`"),
    ("\u{201c}", "write straight quotes: `'…'`"),
    ("\u{201d}", "write straight quotes: `'…'`"),
];

/// Splits an expression into tokens; the last one is `End`.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, SyntaxError> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        if first.is_whitespace() {
            at += first.len_utf8();
        } else if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else {
            let (kind, length) = token(rest, at)?;
            tokens.push(Token { kind, span: at..at + length });
            at += length;
        }
    }
    tokens.push(Token { kind: Kind::End, span: text.len()..text.len() });
    Ok(tokens)
}

fn token(rest: &str, at: usize) -> Result<(Kind, usize), SyntaxError> {
    let first = rest.chars().next().unwrap_or_default();
    if first.is_ascii_alphabetic() || first == '_' {
        let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        let raw = matches!(&rest[..length], "r" | "R") && rest[length..].starts_with(['\'', '"']);
        return if raw { string(rest, length, true, at) } else { Ok((Kind::Name(rest[..length].to_owned()), length)) };
    }
    if first.is_ascii_digit() || (first == '.' && rest[1..].starts_with(|c: char| c.is_ascii_digit())) {
        return number(rest, at);
    }
    if first == '\'' || first == '"' {
        return string(rest, 0, false, at);
    }
    if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
        return Ok((Kind::Sign(sign), sign.len()));
    }
    let span = at..at + first.len_utf8();
    let error = SyntaxError::new(format!("`{first}` has no meaning here"), span);
    Err(match FOREIGN.iter().find(|(sign, _)| rest.starts_with(sign)) {
        Some((_, instead)) => error.help(*instead),
        None => error,
    })
}

fn number(rest: &str, at: usize) -> Result<(Kind, usize), SyntaxError> {
    let digits = |text: &str| text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    if let Some(hex) = rest.strip_prefix("0x") {
        let length = 2 + hex.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(hex.len());
        return match u64::from_str_radix(&rest[2..length], 16).ok().and_then(magnitude) {
            Some(kind) => Ok((kind, length)),
            None => Err(SyntaxError::new("not a whole number that fits 64 bits", at..at + length)),
        };
    }
    let mut length = digits(rest);
    let mut fraction = false;
    if rest[length..].starts_with('.') && rest[length + 1..].starts_with(|c: char| c.is_ascii_digit()) {
        fraction = true;
        length += 1 + digits(&rest[length + 1..]);
    }
    if rest[length..].starts_with(['e', 'E']) {
        let sign = usize::from(rest[length + 1..].starts_with(['+', '-']));
        let exponent = digits(&rest[length + 1 + sign..]);
        if exponent > 0 {
            fraction = true;
            length += 1 + sign + exponent;
        }
    }
    let text = &rest[..length];
    let kind = if fraction { text.parse().ok().map(Kind::Double) } else { text.parse().ok().and_then(magnitude) };
    match kind {
        Some(kind) => Ok((kind, length)),
        None => Err(SyntaxError::new("not a whole number that fits 64 bits", at..at + length)),
    }
}

/// A whole number before anybody knows its sign.
fn magnitude(value: u64) -> Option<Kind> {
    match i64::try_from(value) {
        Ok(value) => Some(Kind::Int(value)),
        Err(_) => (value == i64::MIN.unsigned_abs()).then_some(Kind::TooLargeByOne),
    }
}

/// A string literal whose quote stands at `start`, after an `r` if it is raw.
fn string(rest: &str, start: usize, raw: bool, at: usize) -> Result<(Kind, usize), SyntaxError> {
    let (quote, end) = quoted(&rest[start..], raw);
    let Some(end) = end.map(|end| start + end) else {
        return Err(
            SyntaxError::new("this string has no end", at..at + rest.len()).help(format!("close it with `{quote}`"))
        );
    };
    let mut value = String::new();
    let mut here = start + quote.len();
    while let Some(next) = rest[here..end].chars().next() {
        if next == '\\' && !raw {
            let (decoded, length) = escape(&rest[here..end], at + here)?;
            value.push(decoded);
            here += length;
        } else {
            value.push(next);
            here += next.len_utf8();
        }
    }
    Ok((Kind::Text(value), end + quote.len()))
}

/// The quote that the text begins with, and where it stands again and ends the string.
fn quoted(text: &str, raw: bool) -> (&'static str, Option<usize>) {
    let quote = ["'''", "\"\"\"", "'", "\""].into_iter().find(|quote| text.starts_with(quote)).unwrap_or("'");
    let mut here = quote.len();
    while let Some(next) = text.get(here..).and_then(|rest| rest.chars().next()) {
        if text[here..].starts_with(quote) {
            return (quote, Some(here));
        }
        here += next.len_utf8();
        if next == '\\' && !raw {
            here += text[here..].chars().next().map_or(0, char::len_utf8);
        }
    }
    (quote, None)
}

/// How much of a text belongs together at its beginning: a string literal to its end, a name, else one character. For
/// whoever looks for the end of an expression, which may be wrong in any way.
pub(super) fn unit(text: &str) -> usize {
    let name = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    let raw = matches!(&text[..name], "r" | "R");
    let start = if raw { name } else { 0 };
    if text[start..].starts_with(['\'', '"']) {
        let (quote, end) = quoted(&text[start..], raw);
        return end.map_or(text.len(), |end| start + end + quote.len());
    }
    name.max(text.chars().next().map_or(0, char::len_utf8))
}

fn escape(rest: &str, at: usize) -> Result<(char, usize), SyntaxError> {
    let unknown = |length: usize| {
        SyntaxError::new(format!("`{}` is no escape", &rest[..length]), at..at + length)
            .help("write `\\\\` for a backslash, or a raw string: r'…'")
    };
    let Some(letter) = rest[1..].chars().next() else { return Err(unknown(1)) };
    let simple = match letter {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'a' => '\x07',
        'b' => '\x08',
        'f' => '\x0c',
        'v' => '\x0b',
        '\\' | '\'' | '"' | '`' | '?' => letter,
        'x' | 'X' | 'u' | 'U' => {
            let digits = match letter {
                'u' => 4,
                'U' => 8,
                _ => 2,
            };
            let hex = rest.get(2..2 + digits).filter(|hex| hex.bytes().all(|digit| digit.is_ascii_hexdigit()));
            let code = hex.and_then(|hex| u32::from_str_radix(hex, 16).ok());
            return code.and_then(char::from_u32).map(|decoded| (decoded, 2 + digits)).ok_or_else(|| unknown(2));
        }
        '0'..='3' => {
            // Three octal digits, as in C.
            let code = rest.get(1..4).filter(|digits| digits.bytes().all(|digit| matches!(digit, b'0'..=b'7')));
            let code = code.and_then(|digits| u32::from_str_radix(digits, 8).ok());
            return code.and_then(char::from_u32).map(|decoded| (decoded, 4)).ok_or_else(|| unknown(2));
        }
        _ => return Err(unknown(1 + letter.len_utf8())),
    };
    Ok((simple, 1 + letter.len_utf8()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Kind> {
        tokens(text).expect("valid").into_iter().map(|token| token.kind).collect()
    }

    #[test]
    fn numbers_names_and_signs_are_told_apart() {
        assert_eq!(
            kinds("a.b >= 0x1F + 1.5e3"),
            [
                Kind::Name("a".into()),
                Kind::Sign("."),
                Kind::Name("b".into()),
                Kind::Sign(">="),
                Kind::Int(31),
                Kind::Sign("+"),
                Kind::Double(1500.0),
                Kind::End
            ]
        );
        assert_eq!(kinds("x[0].y")[2], Kind::Int(0));
        assert_eq!(kinds(".5")[0], Kind::Double(0.5));
        assert_eq!(kinds("-9223372036854775808")[1], Kind::TooLargeByOne);
    }

    #[test]
    fn strings_decode_escapes_unless_raw() {
        assert_eq!(kinds(r"'a\n\u00e9'")[0], Kind::Text("a\né".into()));
        assert_eq!(kinds(r"r'\d+'")[0], Kind::Text(r"\d+".into()));
        assert_eq!(kinds("'''it's'''")[0], Kind::Text("it's".into()));
        assert_eq!(kinds("r ")[0], Kind::Name("r".into()));
        assert_eq!(kinds(r"'\101\x41'")[0], Kind::Text("AA".into()));
        assert!(tokens(r"'\x+1'").is_err() && tokens(r"'\08'").is_err());
    }

    #[test]
    fn faults_point_at_the_characters() {
        let error = tokens("a = b").expect_err("one sign");
        assert_eq!((error.span, error.help.as_deref()), (2..3, Some("compare with `==`")));
        assert_eq!(tokens("'open").expect_err("no end").span, 0..5);
        assert_eq!(tokens(r"'a\d'").expect_err("no escape").span, 2..4);
        assert_eq!(tokens("é").expect_err("no name").span, 0..2);
        assert!(tokens("99999999999999999999").is_err());
    }
}
