//! Escapes in `$'…'`, and those that `echo -e` and `printf` share with it.

use std::cell::Cell;

use super::cursor::Cursor;

/// Reads up to the closing quote; `None` if there is none.
pub(super) fn ansi_c(cursor: &mut Cursor<'_>) -> Option<String> {
    let mut bytes = Vec::new();
    loop {
        bytes.extend_from_slice(cursor.take_while(|byte| !matches!(byte, b'\'' | b'\\')).as_bytes());
        if cursor.eat("'") {
            // Bash ends the string at a NUL.
            let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
            bytes.truncate(end);
            return Some(String::from_utf8_lossy(&bytes).into_owned());
        }
        if cursor.is_end() {
            return None;
        }
        escape(cursor, &mut bytes, Dialect::Quote);
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    Quote,
    /// `echo -e`: octal numbers need a leading zero.
    Echo,
    /// `%b`: they may have one.
    Argument,
    /// The format of `printf`.
    Format,
}

/// Expands the escapes of a whole text; `None` where `\c` cuts the output short.
pub(super) fn unescape(text: &str, dialect: Dialect) -> Option<String> {
    let purse = Cell::default();
    let mut cursor = Cursor::new(text, &purse);
    let mut bytes = Vec::new();
    while !cursor.is_end() {
        bytes.extend_from_slice(cursor.take_while(|byte| byte != b'\\').as_bytes());
        if cursor.starts_with("\\c") {
            return None;
        }
        if !cursor.is_end() {
            escape(&mut cursor, &mut bytes, dialect);
        }
    }
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn escape(cursor: &mut Cursor<'_>, bytes: &mut Vec<u8>, dialect: Dialect) {
    cursor.at += 1;
    let letter = cursor.peek();
    if letter == 0 {
        bytes.push(b'\\');
        return;
    }
    let simple = match letter {
        b'n' => Some(b'\n'),
        b't' => Some(b'\t'),
        b'r' => Some(b'\r'),
        b'a' => Some(7),
        b'b' => Some(8),
        b'e' | b'E' => Some(27),
        b'f' => Some(12),
        b'v' => Some(11),
        b'\\' => Some(b'\\'),
        b'\'' | b'"' | b'?' if dialect == Dialect::Quote => Some(letter),
        b'"' if dialect == Dialect::Format => Some(letter),
        _ => None,
    };
    if let Some(byte) = simple {
        cursor.at += 1;
        bytes.push(byte);
        return;
    }
    let coded = match letter {
        b'x' => code(cursor, 1, 2, 16),
        b'u' => code(cursor, 1, 4, 16),
        b'U' => code(cursor, 1, 8, 16),
        b'0' if matches!(dialect, Dialect::Echo | Dialect::Argument) => code(cursor, 1, 3, 8).or_else(|| {
            cursor.at += 1;
            Some(0)
        }),
        b'0'..=b'7' if dialect != Dialect::Echo => code(cursor, 0, 3, 8),
        b'c' if dialect == Dialect::Quote => {
            cursor.at += 1;
            cursor.next().map(|control| u32::from(control) & 31)
        }
        _ => None,
    };
    match coded {
        Some(value) if matches!(letter, b'u' | b'U') => {
            let character = char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER);
            bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        }
        Some(value) => bytes.push(u8::try_from(value & 255).unwrap_or_default()),
        None => {
            bytes.push(b'\\');
            let mut buffer = [0; 4];
            if let Some(character) = cursor.next() {
                bytes.extend_from_slice(character.encode_utf8(&mut buffer).as_bytes());
            }
        }
    }
}

/// Digits behind a letter; `None`, with nothing read, if there are none.
fn code(cursor: &mut Cursor<'_>, letter: usize, most: usize, radix: u32) -> Option<u32> {
    let digits = (0..most).take_while(|n| char::from(cursor.peek_at(letter + n)).is_digit(radix)).count();
    if digits == 0 {
        return None;
    }
    let from = cursor.at + letter;
    let value = u32::from_str_radix(cursor.slice(from, from + digits), radix).ok();
    cursor.at = from + digits;
    value
}
