//! Text with `${…}` in it, split into pieces.

use std::ops::Range;

use super::SyntaxError;
use super::token::unit;

/// A piece of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    Text(String),
    /// The text between `${` and `}`, by its place in the template.
    Expression(Range<usize>),
}

/// Splits a template. Strings inside an expression may hold braces; `$${` is a literal `${`.
pub fn split(template: &str) -> Result<Vec<Piece>, SyntaxError> {
    let mut pieces = Vec::new();
    let mut literal = String::new();
    let mut at = 0;
    while let Some(found) = template[at..].find("${") {
        let open = at + found;
        if template[..open].ends_with('$') {
            literal.push_str(&template[at..open - 1]);
            literal.push_str("${");
            at = open + 2;
            continue;
        }
        literal.push_str(&template[at..open]);
        let Some(length) = closing(&template[open + 2..]) else {
            return Err(
                SyntaxError::new("`${` has no closing `}`", open..open + 2).help("write `$${` for a literal `${`")
            );
        };
        if !literal.is_empty() {
            pieces.push(Piece::Text(std::mem::take(&mut literal)));
        }
        pieces.push(Piece::Expression(open + 2..open + 2 + length));
        at = open + 2 + length + 1;
    }
    literal.push_str(&template[at..]);
    if !literal.is_empty() {
        pieces.push(Piece::Text(literal));
    }
    Ok(pieces)
}

/// Length of the expression up to its closing brace, strings and brackets respected.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < text.len() {
        match text.as_bytes()[at] {
            b'{' => depth += 1,
            b'}' if depth == 0 => return Some(at),
            b'}' => depth -= 1,
            _ => {}
        }
        at += unit(&text[at..]);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Piece {
        Piece::Text(text.to_owned())
    }

    #[test]
    fn expressions_are_found_by_their_place() {
        assert_eq!(split("phase ${p.phase}!").expect("valid"), [text("phase "), Piece::Expression(8..15), text("!")]);
        assert_eq!(split("${a}${b}").expect("valid"), [Piece::Expression(2..3), Piece::Expression(6..7)]);
        assert_eq!(split("cost: $5 {x}").expect("valid"), [text("cost: $5 {x}")]);
    }

    #[test]
    fn braces_in_strings_do_not_close() {
        assert_eq!(split("${a + '}'}").expect("valid"), [Piece::Expression(2..9)]);
        assert_eq!(split(r"${'\'}'}").expect("valid"), [Piece::Expression(2..7)]);
    }

    #[test]
    fn strings_are_read_as_in_expressions() {
        for expression in
            [r"r'C:\'", r#"R"}\""#, "'''it's }'''", r#""""a"}""""#, "''", "bar + r'\\' + 'x}'", "{'é}': 1}.a"]
        {
            let template = format!("é ${{{expression}}} it's");
            let place = 5..5 + expression.len();
            assert_eq!(split(&template).expect(expression), [text("é "), Piece::Expression(place), text(" it's")]);
        }
        assert!(split("${'open}").is_err());
    }

    #[test]
    fn a_doubled_dollar_is_literal() {
        assert_eq!(split("$${HOME} ${x}").expect("valid"), [text("${HOME} "), Piece::Expression(11..12)]);
    }

    #[test]
    fn an_open_expression_is_an_error_at_its_start() {
        assert_eq!(split("ab ${x").expect_err("open").span, 3..5);
    }
}
