//! Rust text as a person would lay it out, with the comments that the formatter would drop.

use crate::emit::{Bug, visible};

/// A comment on lines of its own, in a form that survives the formatter.
///
/// The text goes as hexadecimal digits of a name, so that no line of it is ever broken or changed.
pub(super) fn comment(text: &str) -> String {
    let lines = visible::lines(text).into_iter().map(|line| {
        let digits: String = line.trim_end().bytes().map(|byte| format!("{byte:02x}")).collect();
        format!("{MARK}{digits}!();\n")
    });
    lines.collect()
}

/// A text as documentation, for an item (`#`) or for the module that it is in (`#!`).
pub(super) fn doc(mark: &str, text: &str) -> String {
    let lines = visible::lines(text);
    lines.iter().map(|line| format!("{mark}[doc = {}]\n", literal(format!(" {line}").trim_end()))).collect()
}

/// An empty line.
pub(super) fn blank() -> &'static str {
    "__blank!();\n"
}

const MARK: &str = "__comment_";

/// A string literal.
pub(super) fn literal(text: &str) -> String {
    format!("{text:?}")
}

/// A whole number. Long ones have their digits in groups of three, as in code that people write.
pub(super) fn whole(value: i64) -> String {
    let text = value.to_string();
    let (sign, digits) = text.split_at(usize::from(value < 0));
    format!("{sign}{}", grouped(digits, digits.len() % 3))
}

/// A number with a fraction, grouped likewise, or one with an exponent.
pub(super) fn fraction(value: f64) -> String {
    let text = format!("{value:?}");
    match text.split_once('.') {
        Some((whole, parts)) if !parts.contains('e') => {
            let (sign, digits) = whole.split_at(usize::from(whole.starts_with('-')));
            format!("{sign}{}.{}", grouped(digits, digits.len() % 3), grouped(parts, 0))
        }
        _ => text,
    }
}

/// The digits in groups of three, of which one ends at the given place; as they are if they can be read at a glance.
fn grouped(digits: &str, edge: usize) -> String {
    if digits.len() < LONG_NUMBER {
        return digits.to_owned();
    }
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && at % 3 == edge {
            text.push('_');
        }
        text.push(digit);
    }
    text
}

/// From so many digits on, linters ask for separators.
const LONG_NUMBER: usize = 6;

/// Parses the code, which proves that it is Rust, and lays it out.
pub(super) fn format(code: &str) -> Result<String, Bug> {
    let file =
        syn::parse_file(code).map_err(|error| Bug::new(format!("generated code is not Rust: {error}\n{code}")))?;
    let laid_out = prettyplease::unparse(&file);
    Ok(spaced(laid_out.lines().map(restore)).join("\n") + "\n")
}

/// An empty line between an item and the next, which the formatter does not keep.
fn spaced(lines: impl Iterator<Item = String>) -> Vec<String> {
    let mut spaced: Vec<String> = Vec::new();
    for line in lines {
        let begins =
            ["///", "impl", "static ", "fn ", "pub(crate) "].iter().any(|word| line.trim_start().starts_with(word));
        let ended = spaced.last().is_some_and(|last| last.ends_with('}') || last.ends_with(';'));
        let listed = line.trim_start().starts_with("pub(crate) mod ");
        if begins && ended && !listed {
            spaced.push(String::new());
        }
        spaced.push(line);
    }
    spaced
}

/// Turns the stand-ins back into what they stand for.
fn restore(line: &str) -> String {
    let trimmed = line.trim_start();
    let indent = &line[..line.len() - trimmed.len()];
    if trimmed == blank().trim_end() {
        return String::new();
    }
    match trimmed.strip_prefix(MARK).and_then(|rest| rest.strip_suffix("!();")).and_then(decode) {
        Some(text) => format!("{indent}// {text}").trim_end().to_owned(),
        None => line.to_owned(),
    }
}

fn decode(digits: &str) -> Option<String> {
    let bytes: Option<Vec<u8>> =
        (0..digits.len() / 2).map(|at| u8::from_str_radix(digits.get(2 * at..2 * at + 2)?, 16).ok()).collect();
    String::from_utf8(bytes?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_survive() {
        let code = format!("fn f() {{ {} g(); }}", comment("a \"quoted\" \\ note\nsecond"));
        let text = format(&code).expect("Rust");
        assert_eq!(text, "fn f() {\n    // a \"quoted\" \\ note\n    // second\n    g();\n}\n");
    }

    #[test]
    fn long_numbers_have_separators_and_short_ones_do_not() {
        assert_eq!(whole(99_999), "99999");
        assert_eq!(whole(100_000), "100_000");
        assert_eq!(whole(-1_234_567), "-1_234_567");
        assert_eq!(whole(i64::MIN), "-9_223_372_036_854_775_808");
        assert_eq!(fraction(0.6), "0.6");
        assert_eq!(fraction(-99_999.5), "-99999.5");
        assert_eq!(fraction(1_000_000_000.0), "1_000_000_000.0");
        assert_eq!(fraction(0.123_456_7), "0.123_456_7");
        assert_eq!(fraction(1e21), "1e21");
        assert_eq!(fraction(1.234_567_8e-7), "1.2345678e-7");
    }

    #[test]
    fn items_stand_apart() {
        let text = format("use a::b; /// One\n fn f() { g(); } fn h() {}").expect("Rust");
        assert_eq!(text, "use a::b;\n\n/// One\nfn f() {\n    g();\n}\n\nfn h() {}\n");
    }

    #[test]
    fn what_is_not_rust_is_a_bug() {
        assert!(format("fn {").is_err());
    }
}
