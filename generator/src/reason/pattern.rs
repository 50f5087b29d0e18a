//! Regular expressions, read as far as one tells that what another one finds it finds as well.
//!
//! A pattern is a few sequences of pieces, of which one must be found. Whoever finds a sequence has found each part of it.

use super::atom::Where;

/// Of more sequences than this, a pattern is not read.
const MOST: usize = 32;

/// The smallest part of a pattern that something is said of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    /// The text begins here.
    Start,
    /// The text ends here.
    End,
    /// This character.
    Char(char),
    /// Anything else, as it is written.
    Other(String),
}

/// A pattern, as sequences of which one must be found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape(Vec<Vec<Piece>>);

impl Shape {
    /// Reads a pattern, if nothing in it changes what its other parts mean.
    pub fn of(pattern: &str) -> Option<Self> {
        let mut reader = Pieces { rest: pattern };
        let sequences = reader.alternatives()?;
        reader.rest.is_empty().then_some(Self(sequences))
    }

    /// What it asks for, if that is nothing but words: each with where it is to be found, or a whole text.
    pub fn words(&self) -> Option<Vec<(Option<Where>, String)>> {
        self.0.iter().map(|sequence| word(sequence)).collect()
    }

    /// Whether whatever it finds, the other one finds as well.
    pub fn implies(&self, other: &Self) -> bool {
        let within = |long: &[Piece], short: &[Piece]| {
            short.is_empty() || long.windows(short.len()).any(|window| window == short)
        };
        self.0.iter().all(|one| other.0.iter().any(|other| within(one, other)))
    }

    /// Whether whatever it finds has this text there.
    pub fn has(&self, at: Where, text: &str) -> bool {
        let mut wanted: Vec<Piece> = text.chars().map(Piece::Char).collect();
        match at {
            Where::Start => wanted.insert(0, Piece::Start),
            Where::End => wanted.push(Piece::End),
            Where::Anywhere => {}
        }
        self.implies(&Self(vec![wanted]))
    }

    /// A text that it may find, with whether the text begins with it.
    pub fn sample(&self) -> Option<(bool, String)> {
        let sequence = self.0.first()?;
        let text = sequence.iter().map(|piece| match piece {
            Piece::Start | Piece::End => String::new(),
            Piece::Char(c) => c.to_string(),
            Piece::Other(other) if other.starts_with(r"\s") => " ".to_owned(),
            Piece::Other(other) if other.ends_with(['*', '?']) || other == r"\b" => String::new(),
            Piece::Other(other) if other.starts_with(r"\d") => "1".to_owned(),
            Piece::Other(_) => "x".to_owned(),
        });
        Some((sequence.first() == Some(&Piece::Start), text.collect()))
    }
}

/// A sequence of nothing but characters, with where it is to be found; everywhere else is the whole text.
fn word(sequence: &[Piece]) -> Option<(Option<Where>, String)> {
    let (starts, sequence) = match sequence {
        [Piece::Start, rest @ ..] => (true, rest),
        sequence => (false, sequence),
    };
    let (ends, sequence) = match sequence {
        [rest @ .., Piece::End] => (true, rest),
        sequence => (false, sequence),
    };
    let char = |piece: &Piece| match piece {
        Piece::Char(c) => Some(*c),
        _ => None,
    };
    let text: Option<String> = sequence.iter().map(char).collect();
    let at = match (starts, ends) {
        (true, true) => None,
        (true, false) => Some(Where::Start),
        (false, true) => Some(Where::End),
        (false, false) => Some(Where::Anywhere),
    };
    Some((at, text?))
}

struct Pieces<'p> {
    rest: &'p str,
}

impl Pieces<'_> {
    /// Everything up to the end of the pattern or of the group.
    fn alternatives(&mut self) -> Option<Vec<Vec<Piece>>> {
        let mut all = self.sequences()?;
        while let Some(rest) = self.rest.strip_prefix('|') {
            self.rest = rest;
            all.extend(self.sequences()?);
        }
        (all.len() <= MOST).then_some(all)
    }

    /// One alternative: with groups in it, several sequences.
    fn sequences(&mut self) -> Option<Vec<Vec<Piece>>> {
        let mut found: Vec<Vec<Piece>> = vec![Vec::new()];
        while let Some(first) = self.rest.chars().next().filter(|first| !['|', ')'].contains(first)) {
            let before = self.rest;
            let pieces = if first == '(' { self.group()? } else { vec![vec![self.piece(first)?]] };
            let repeated = self.repeated();
            let written = before.get(..before.len() - self.rest.len()).unwrap_or_default();
            let pieces = if repeated { vec![vec![Piece::Other(written.to_owned())]] } else { pieces };
            if found.len() * pieces.len() > MOST {
                return None;
            }
            let each = |start: &Vec<Piece>| -> Vec<Vec<Piece>> {
                pieces.iter().map(|end| [start.as_slice(), end.as_slice()].concat()).collect()
            };
            found = found.iter().flat_map(each).collect();
        }
        Some(found)
    }

    /// What is in a group; flags change what is around them.
    fn group(&mut self) -> Option<Vec<Vec<Piece>>> {
        let rest = self.rest.strip_prefix('(')?;
        self.rest = match rest.strip_prefix("?:") {
            Some(rest) => rest,
            None if rest.starts_with('?') => return None,
            None => rest,
        };
        let found = self.alternatives()?;
        self.rest = self.rest.strip_prefix(')')?;
        Some(found)
    }

    fn piece(&mut self, first: char) -> Option<Piece> {
        let length = match first {
            '\\' => 1 + self.rest.chars().nth(1)?.len_utf8(),
            '[' => class(self.rest)?,
            first => first.len_utf8(),
        };
        let (written, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(match first {
            '^' => Piece::Start,
            '$' => Piece::End,
            '.' | '[' => Piece::Other(written.to_owned()),
            '\\' => match written.chars().nth(1)? {
                c if c.is_ascii_alphanumeric() && !['b', 'B', 's', 'S', 'd', 'D', 'w', 'W'].contains(&c) => {
                    return None;
                }
                c if c.is_ascii_alphanumeric() => Piece::Other(written.to_owned()),
                c => Piece::Char(c),
            },
            '*' | '+' | '?' | '{' => return None,
            c => Piece::Char(c),
        })
    }

    /// Goes past how often the piece before is to be found, if that is said.
    fn repeated(&mut self) -> bool {
        let before = self.rest;
        let rest = match before.strip_prefix(['*', '+', '?']) {
            Some(rest) => rest,
            None => match before.strip_prefix('{').and_then(|inner| inner.split_once('}')) {
                Some((_, rest)) => rest,
                None => return false,
            },
        };
        self.rest = rest.strip_prefix(['?', '+']).unwrap_or(rest);
        true
    }
}

/// How long the class of characters is with which a pattern begins; none for classes in classes.
fn class(pattern: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in pattern.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '[' => return None,
            // Where it stands first, it is a member.
            ']' if !matches!(pattern.get(..at), Some("[" | "[^")) => return Some(at + 1),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(pattern: &str) -> Shape {
        Shape::of(pattern).expect(pattern)
    }

    #[test]
    fn a_pattern_that_says_more_finds_less() {
        for (more, less) in [
            (r"git\s+push\s+--force", r"git\s+push"),
            (r"^git\s+push", r"git\s+push"),
            (r"^(npm|pnpm) publish", r"npm publish|yarn publish"),
            (r"rm -[rf]+ /$", r"rm -[rf]+"),
            (r"\bmkfs\.ext4", r"mkfs\."),
        ] {
            assert!(shape(more).implies(&shape(less)), "{more} {less}");
            assert!(!shape(less).implies(&shape(more)), "{less} {more}");
        }
    }

    #[test]
    fn a_pattern_that_says_something_else_says_nothing_of_the_other() {
        for (one, other) in
            [("gits?", "gits"), ("^a", "^b"), ("a{2}", "a{3}"), ("[ab]", "a"), ("a*b", "ab"), ("push|pull", "push")]
        {
            assert!(!shape(one).implies(&shape(other)), "{one} {other}");
        }
    }

    #[test]
    fn words_are_found_where_a_pattern_has_nothing_else() {
        let words = |pattern: &str| shape(pattern).words();
        assert_eq!(words(r"^git push"), Some(vec![(Some(Where::Start), "git push".to_owned())]));
        assert_eq!(words(r"\.env$"), Some(vec![(Some(Where::End), ".env".to_owned())]));
        assert_eq!(words("^(a|b)$"), Some(vec![(None, "a".to_owned()), (None, "b".to_owned())]));
        assert_eq!(words("a.b"), None);
    }

    #[test]
    fn what_changes_the_meaning_of_the_rest_is_not_read() {
        for odd in ["(?i)git", "(?m)^git", "a(?-i:b)", r"\x41", r"\p{L}", "[[:alpha:]]", "[a&&[b]]", "(a", "*"] {
            assert_eq!(Shape::of(odd), None, "{odd}");
        }
    }
}
