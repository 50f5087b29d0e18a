//! `${x%…}` and `${x#…}`: values without what a pattern takes off their end or their beginning.

use super::field::Field;
use super::syntax::{Part, Word};

/// Longer values are not trimmed: trying every place takes the square of the length.
const LONGEST: usize = 1 << 10;

#[derive(Debug, Clone, Copy)]
pub(super) struct Trim {
    pub(super) end: bool,
    pub(super) longest: bool,
    /// Stars and question marks in the pattern stand for themselves.
    pub(super) is_literal: bool,
}

impl Trim {
    /// The trimmed values; `None` where something is not known, or a pattern is more than stars and question marks.
    pub(super) fn apply(self, values: Vec<Field>, pattern: &Field) -> Option<Vec<Field>> {
        let known = pattern.is_resolved() && values.iter().all(Field::is_resolved);
        let has_pattern = pattern.text.contains(['*', '?']);
        let is_simple = !pattern.text.contains(['[', '(', '\\']) && (!has_pattern || !self.is_literal);
        let is_short = !has_pattern || values.iter().all(|value| value.text.len() + pattern.text.len() <= LONGEST);
        (known && is_simple && is_short)
            .then(|| values.into_iter().map(|value| self.one(value, &pattern.text)).collect())
    }

    fn one(self, mut value: Field, pattern: &str) -> Field {
        let text = value.text.as_str();
        if !pattern.contains(['*', '?']) {
            let kept = if self.end { text.strip_suffix(pattern) } else { text.strip_prefix(pattern) };
            let kept = kept.map(str::to_owned);
            return Field { text: kept.unwrap_or(value.text), ..value };
        }
        let mut places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        // From the place that takes off least to the one that takes off most, or the other way round.
        if self.end != self.longest {
            places.reverse();
        }
        let taken = |at: &usize| {
            let (before, after) = text.split_at(*at);
            let (kept, taken) = if self.end { (before, after) } else { (after, before) };
            matches(pattern, taken).then(|| kept.to_owned())
        };
        if let Some(kept) = places.iter().find_map(taken) {
            value.text = kept;
        }
        value
    }
}

/// Whether stars and question marks in a pattern may be quoted, or come from somewhere else. Quotes around the whole
/// expansion do not count: they leave the pattern a pattern.
pub(super) fn is_literal(pattern: &Word, quoted: bool) -> bool {
    pattern.parts.iter().any(|part| match part {
        Part::Plain(_) => false,
        Part::Quoted(text) => !quoted || text.contains(['\'', '"']),
        _ => true,
    })
}

/// Whether a pattern of stars and question marks matches all of a text.
fn matches(pattern: &str, text: &str) -> bool {
    let (mut pattern, mut text) = (pattern.chars(), text.chars());
    // Where to go on when a star has to take one more character.
    let mut retry = None;
    loop {
        let before = (pattern.clone(), text.clone());
        match (pattern.next(), text.next()) {
            (None, None) => return true,
            (Some('*'), _) => {
                retry = Some((pattern.clone(), before.1.clone()));
                text = before.1;
            }
            (Some('?'), Some(_)) => {}
            (Some(expected), Some(found)) if expected == found => {}
            _ => {
                let Some((after_star, mut from)) = retry.take() else { return false };
                if from.next().is_none() {
                    return false;
                }
                retry = Some((after_star.clone(), from.clone()));
                (pattern, text) = (after_star, from);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trimmed(end: bool, longest: bool, value: &str, pattern: &str) -> String {
        let trim = Trim { end, longest, is_literal: false };
        let values = trim.apply(vec![Field::known(value)], &Field::known(pattern)).expect("known");
        values.into_iter().next().expect("one").text
    }

    #[test]
    fn patterns_take_off_the_shortest_or_the_longest_part() {
        let ends = [("a.tar.gz", ".*", "a.tar", "a"), ("/etc/", "/*", "/etc", ""), ("abc", "x*", "abc", "abc")];
        for (value, pattern, shortest, longest) in ends {
            assert_eq!(trimmed(true, false, value, pattern), shortest, "{value} {pattern}");
            assert_eq!(trimmed(true, true, value, pattern), longest, "{value} {pattern}");
        }
        let beginnings = [("a/b/c", "*/", "b/c", "c"), ("abc/", "??", "c/", "c/"), ("abc", "*", "abc", "")];
        for (value, pattern, shortest, longest) in beginnings {
            assert_eq!(trimmed(false, false, value, pattern), shortest, "{value} {pattern}");
            assert_eq!(trimmed(false, true, value, pattern), longest, "{value} {pattern}");
        }
    }

    #[test]
    fn what_is_not_a_simple_pattern_is_left_alone() {
        let trim = Trim { end: true, longest: false, is_literal: false };
        let apply =
            |trim: Trim, value: &str, pattern: &str| trim.apply(vec![Field::known(value)], &Field::known(pattern));
        assert!(apply(trim, "abc", "[c]").is_none() && apply(trim, "abc", "\\*").is_none());
        assert!(apply(Trim { is_literal: true, ..trim }, "abc", "*").is_none());
        assert!(apply(Trim { is_literal: true, ..trim }, "abc", "c").is_some());
        assert!(apply(trim, &"a".repeat(LONGEST), "*b").is_none());
    }

    #[test]
    fn a_star_tries_every_length() {
        assert!(matches("*a*b", "xaybab") && matches("*", "") && matches("a?c*", "abc"));
        assert!(!matches("*a*b", "xayb!") && !matches("?", "") && !matches("a", "ab"));
    }
}
