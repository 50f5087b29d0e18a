//! A part of a text, by the positions of its characters.

use crate::signature::function;

/// The characters from a position up to the end.
pub fn substring_from(text: &str, start: i64) -> String {
    substring(text, start, i64::MAX)
}

/// The characters from one position up to, and without, another; positions outside the text are moved into it.
pub fn substring(text: &str, start: i64, end: i64) -> String {
    let start = start.max(0);
    let (skipped, taken) = (position(start), position(end.saturating_sub(start)));
    text.chars().skip(skipped).take(taken).collect()
}

fn position(value: i64) -> usize {
    usize::try_from(value.max(0)).unwrap_or(usize::MAX)
}

function! {
    FROM: substring_from,
    name: "substring",
    receiver: Text,
    params: { start: Int },
    result: Text,
    doc: "The characters from a position, counted from 0, to the end of the text.",
    example: "'feature/x'.substring(8) == 'x'",
}

function! {
    BETWEEN: substring,
    name: "substring",
    receiver: Text,
    params: { start: Int, end: Int },
    result: Text,
    doc: "The characters from a position, counted from 0, up to and without another one; positions outside the text \
           are moved into it.",
    example: "'abcdef'.substring(1, 3) == 'bc'",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_characters() {
        assert_eq!(substring("añbc", 1, 3), "ñb");
        assert_eq!(substring_from("añbc", 2), "bc");
    }

    #[test]
    fn positions_outside_are_moved_into_the_text() {
        for (start, end, expected) in [
            (-5, 2, "ab"),
            (1, 99, "bc"),
            (2, 1, ""),
            (9, 12, ""),
            (i64::MIN, i64::MAX, "abc"),
            (i64::MAX, i64::MIN, ""),
        ] {
            assert_eq!(substring("abc", start, end), expected, "{start} {end}");
        }
        assert_eq!(substring_from("abc", i64::MIN), "abc");
    }
}
