//! Rust text as a person would lay it out, with the comments that the formatter would drop.

use crate::bug::Bug;
use crate::emit::visible;

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

/// An empty line.
pub(super) fn blank() -> &'static str {
    "__blank!();\n"
}

const MARK: &str = "__comment_";

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
    fn items_stand_apart() {
        let text = format("use a::b; /// One\n fn f() { g(); } fn h() {}").expect("Rust");
        assert_eq!(text, "use a::b;\n\n/// One\nfn f() {\n    g();\n}\n\nfn h() {}\n");
    }

    #[test]
    fn what_is_not_rust_is_a_bug() {
        assert!(format("fn {").is_err());
    }
}
