//! Words of a translated line: what is known as text, and what only the shell can tell.

use crate::path::windows;

/// A word, piece by piece.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Word(Vec<Piece>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    /// Text that stands for itself.
    Text(String),
    /// Code of the shell, quoted where it needs to be.
    Code(String),
}

impl Word {
    pub(super) fn text(text: impl Into<String>) -> Self {
        Self(vec![Piece::Text(text.into())])
    }

    pub(super) fn code(code: impl Into<String>) -> Self {
        Self(vec![Piece::Code(code.into())])
    }

    /// What a variable holds.
    pub(super) fn variable(name: &str) -> Self {
        Self::code(format!("\"${{{name}}}\""))
    }

    /// What commands print.
    pub(super) fn printed(script: &str) -> Self {
        Self::code(format!("\"$({script})\""))
    }

    pub(super) fn push(&mut self, other: Self) {
        for piece in other.0 {
            match (self.0.last_mut(), piece) {
                (Some(Piece::Text(before)), Piece::Text(more)) => before.push_str(&more),
                (_, piece) => self.0.push(piece),
            }
        }
    }

    pub(super) fn push_char(&mut self, c: char) {
        match self.0.last_mut() {
            Some(Piece::Text(text)) => text.push(c),
            _ => self.0.push(Piece::Text(c.to_string())),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The whole word, where all of it is known.
    pub(super) fn known(&self) -> Option<&str> {
        match self.0.as_slice() {
            [] => Some(""),
            [Piece::Text(text)] => Some(text),
            _ => None,
        }
    }

    /// The same as a path in the one spelling.
    pub(super) fn as_path(&self) -> Self {
        let mut pieces = self.0.clone();
        for (place, piece) in pieces.iter_mut().enumerate() {
            if let Piece::Text(text) = piece {
                let normal = if place == 0 { windows::normal(text).into_owned() } else { text.replace('\\', "/") };
                let is_drive =
                    normal.len() == 2 && normal.ends_with(':') && normal.starts_with(|c: char| c.is_ascii_alphabetic());
                *text = if place == 0 && is_drive { format!("{}/", normal.to_ascii_uppercase()) } else { normal };
            }
        }
        Self(pieces)
    }

    /// As the shell reads it.
    pub(super) fn quoted(&self) -> String {
        if self.0.is_empty() {
            return "''".to_owned();
        }
        let quoted = |piece: &Piece| match piece {
            Piece::Text(text) => quoted(text),
            Piece::Code(code) => code.clone(),
        };
        self.0.iter().map(quoted).collect()
    }
}

/// A text as the shell takes it for itself. Patterns of names mean the same in both, and stay what they are.
fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-:=,+@%~".contains(c);
    let mut result = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let pattern = rest.find(['*', '?']).unwrap_or(rest.len());
        let (plain, after) = rest.split_at(pattern);
        if plain.chars().all(is_plain) {
            result.push_str(plain);
        } else {
            result.push_str(&format!("'{}'", plain.replace('\'', "'\\''")));
        }
        let marks = after.find(|c| !matches!(c, '*' | '?')).unwrap_or(after.len());
        let (marks, after) = after.split_at(marks);
        result.push_str(marks);
        rest = after;
    }
    if result.is_empty() { "''".to_owned() } else { result }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_quoted_and_code_is_not() {
        let mut word = Word::text("a b's");
        word.push(Word::text("/c"));
        assert_eq!(word.known(), Some("a b's/c"));
        word.push(Word::variable("x"));
        assert_eq!((word.known(), word.quoted().as_str()), (None, "'a b'\\''s/c'\"${x}\""));
        assert_eq!(Word::default().quoted(), "''");
        assert_eq!(Word::text("C:/x/*.log").quoted(), "C:/x/*.log");
    }

    #[test]
    fn paths_have_one_spelling() {
        assert_eq!(Word::text(r"c:\Windows").as_path().known(), Some("C:/Windows"));
        assert_eq!(Word::text("d:").as_path().known(), Some("D:/"));
        let mut word = Word::variable("HOME");
        word.push(Word::text(r"\x"));
        assert_eq!(word.as_path().quoted(), "\"${HOME}\"/x");
    }
}
