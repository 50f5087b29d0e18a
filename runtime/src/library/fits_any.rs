//! Shell patterns: how people write down which files they mean.

use crate::signature::function;

/// Whether the text as a whole fits one of the patterns.
pub fn fits_any(text: &str, patterns: &[impl AsRef<str>]) -> bool {
    patterns.iter().any(|pattern| fits(text, &parts(pattern.as_ref())))
}

/// A part of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Exactly(char),
    /// `?`
    One,
    /// `*`
    Name,
    /// `**`
    Anything,
    /// `**/`
    Folders,
}

fn parts(pattern: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut rest = pattern;
    while let Some(first) = rest.chars().next() {
        let (part, length) = match first {
            '*' if rest.starts_with("**/") => (Part::Folders, 3),
            '*' if rest.starts_with("**") => (Part::Anything, 2),
            '*' => (Part::Name, 1),
            '?' => (Part::One, 1),
            other => (Part::Exactly(other), other.len_utf8()),
        };
        parts.push(part);
        rest = rest.get(length..).unwrap_or_default();
    }
    parts
}

/// Follows all ways through the pattern at once, so that the work is the text's length times the pattern's.
fn fits(text: &str, parts: &[Part]) -> bool {
    let mut places = vec![false; parts.len() + 1];
    enter(0, parts, &mut places);
    for character in text.chars() {
        let mut next = vec![false; parts.len() + 1];
        for (place, part) in parts.iter().enumerate().filter(|(place, _)| places.get(*place) == Some(&true)) {
            let (stays, goes) = match *part {
                Part::Exactly(wanted) => (false, wanted == character),
                Part::One => (false, character != '/'),
                Part::Name => (character != '/', character != '/'),
                Part::Anything => (true, true),
                Part::Folders => (true, character == '/'),
            };
            if stays && let Some(here) = next.get_mut(place) {
                *here = true;
            }
            if goes {
                enter(place + 1, parts, &mut next);
            }
        }
        places = next;
    }
    places.last() == Some(&true)
}

/// Comes to a place, and past the parts there that may stand for nothing.
fn enter(place: usize, parts: &[Part], places: &mut [bool]) {
    let empty = |part: &&Part| matches!(part, Part::Name | Part::Anything | Part::Folders);
    let passed = parts.iter().skip(place).take_while(empty).count();
    for reached in places.iter_mut().skip(place).take(passed + 1) {
        *reached = true;
    }
}

function! {
    FUNCTION: fits_any,
    name: "fitsAny",
    receiver: Text,
    params: { patterns: List<Text> },
    result: Bool,
    doc: "Whether the whole text fits one of the shell patterns: `*` stands for anything without a `/`, `?` for one \
           character of it, `**` for anything, and `**/` for any folders or none. Everything else stands for itself.",
    example: "'server.pem'.fitsAny(['.env', '*.pem']) && !'docs/server.pem'.fitsAny(['*.pem'])",
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str, pattern: &str) -> bool {
        fits_any(text, &[pattern])
    }

    #[test]
    fn the_whole_text_must_fit() {
        assert!(one(".env", ".env") && one(".env.local", ".env.*") && one("größe.key", "gr?ße.*"));
        assert!(!one(".envrc", ".env") && !one("x.env", ".env") && !one(".env", ".env.*") && !one("a.keys", "*.key"));
        assert!(one(".key", "*.key") && one("", "*") && one("", "") && !one("a", ""));
        assert!(fits_any("b", &["a", "b"]) && !fits_any("b", &[] as &[&str]));
    }

    #[test]
    fn a_star_stays_in_its_folder_and_two_do_not() {
        assert!(one("src/a.rs", "src/*.rs") && !one("src/x/a.rs", "src/*.rs"));
        assert!(one("src/x/a.rs", "src/**") && !one("src", "src/**"));
        assert!(one("a.rs", "**/a.rs") && one("x/y/a.rs", "**/a.rs") && !one("ba.rs", "**/a.rs"));
        assert!(one("src/a.rs", "src/**/a.rs") && !one("src/xa.rs", "src/**/a.rs"));
        assert!(!one("/", "?"));
    }

    #[test]
    fn many_stars_take_no_longer() {
        assert!(!one(&"a".repeat(20_000), &format!("{}b", "a*".repeat(50))));
    }
}
