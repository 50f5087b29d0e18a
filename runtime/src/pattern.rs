//! Regular expressions of the catalog, compiled at most once and only when they are needed.

mod start;

use std::borrow::Cow;
use std::sync::OnceLock;

use regex_lite::{Captures, Regex};
use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};
use start::Start;

/// A regular expression that a constant can hold.
///
/// One that does not compile matches nothing; the compiler refuses it before it can get here.
#[derive(Debug)]
pub struct Pattern {
    source: Cow<'static, str>,
    start: OnceLock<Option<Start>>,
    compiled: OnceLock<Option<Regex>>,
}

/// Why the text is not a regular expression.
pub fn check(pattern: &str) -> Result<(), String> {
    Regex::new(pattern).map(drop).map_err(|error| error.to_string())
}

impl Pattern {
    /// A pattern that is compiled on first use.
    pub const fn new(source: &'static str) -> Self {
        Self { source: Cow::Borrowed(source), start: OnceLock::new(), compiled: OnceLock::new() }
    }

    /// As it was written.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Whether it matches anywhere in the text.
    pub fn matches(&self, text: &str) -> bool {
        self.regex(text).is_some_and(|(regex, start)| regex.is_match_at(text, start))
    }

    /// The first match: its group 1 if the pattern has groups, else all of it. Empty if there is none.
    pub fn find(&self, text: &str) -> String {
        let found = self.regex(text).and_then(|(regex, start)| regex.captures_at(text, start));
        found.map(|captures| wanted(&captures)).unwrap_or_default()
    }

    /// Every match, as `find` gives it.
    pub fn find_all(&self, text: &str) -> Vec<String> {
        let Some((regex, first)) = self.regex(text) else { return Vec::new() };
        let Some(start) = self.start() else {
            return regex.captures_iter(text).map(|captures| wanted(&captures)).collect();
        };
        each(text, start, first, |from| {
            let captures = regex.captures_at(text, from)?;
            Some((captures.get(0)?.end(), wanted(&captures)))
        })
    }

    /// How many matches there are.
    pub fn count(&self, text: &str) -> i64 {
        let Some((regex, first)) = self.regex(text) else { return 0 };
        let matches = match self.start() {
            None => regex.find_iter(text).count(),
            Some(start) => each(text, start, first, |from| Some((regex.find_at(text, from)?.end(), ()))).len(),
        };
        i64::try_from(matches).unwrap_or(i64::MAX)
    }

    /// The text with every match replaced; `$1` or `${1}` stands for a group and `$$` for a dollar sign.
    pub fn replace(&self, text: &str, with: &str) -> String {
        self.regex(text).map_or_else(|| text.to_owned(), |(regex, _)| regex.replace_all(text, with).into_owned())
    }

    /// What stands between the matches.
    pub fn split(&self, text: &str) -> Vec<String> {
        let parts = |(regex, _): (&Regex, _)| regex.split(text).map(str::to_owned).collect();
        self.regex(text).map_or_else(|| vec![text.to_owned()], parts)
    }

    /// The compiled expression, and where in the text a match can begin first. `None` when it matches nothing there,
    /// for which it mostly need not be compiled.
    fn regex(&self, text: &str) -> Option<(&Regex, usize)> {
        let first = self.start().map_or(Some(0), |start| start.first(text, 0))?;
        Some((self.compiled.get_or_init(|| Regex::new(&self.source).ok()).as_ref()?, first))
    }

    fn start(&self) -> Option<Start> {
        *self.start.get_or_init(|| Start::of(&self.source))
    }
}

/// What `find` makes of each match, one behind the other: it gives the end of the first one from a place on. No match
/// is empty, or nobody could tell what it begins with.
fn each<T>(text: &str, start: Start, first: usize, find: impl Fn(usize) -> Option<(usize, T)>) -> Vec<T> {
    let mut found = Vec::new();
    let mut next = Some(first);
    while let Some((end, one)) = next.and_then(&find) {
        found.push(one);
        next = start.first(text, end);
    }
    found
}

impl Serialize for Pattern {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.source)
    }
}

impl<'de> Deserialize<'de> for Pattern {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::from)
    }
}

impl From<String> for Pattern {
    fn from(source: String) -> Self {
        Self { source: Cow::Owned(source), start: OnceLock::new(), compiled: OnceLock::new() }
    }
}

fn wanted(captures: &Captures<'_>) -> String {
    let group = usize::from(captures.len() > 1);
    captures.get(group).map(|found| found.as_str().to_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    static VERSION: Pattern = Pattern::new(r"v(\d+)\.(\d+)");

    #[test]
    fn a_group_is_what_is_found_and_otherwise_the_match() {
        assert_eq!(VERSION.find("from v1.2 to v3.4"), "1");
        assert_eq!(VERSION.find_all("from v1.2 to v3.4"), ["1", "3"]);
        assert_eq!(Pattern::new(r"v\d+").find_all("v1 v22 w3"), ["v1", "v22"]);
        assert_eq!(Pattern::new("a(b)?").find("a"), "");
        assert_eq!(VERSION.find("none"), "");
        assert!(VERSION.find_all("none").is_empty());
    }

    #[test]
    fn matches_are_counted_replaced_and_split_at() {
        assert!(VERSION.matches("x v1.2"));
        assert!(!VERSION.matches("x 1.2"));
        assert_eq!(VERSION.count("v1.2 v3.4 v5"), 2);
        assert_eq!(VERSION.replace("v1.2!", "$2.${1}$$"), "2.1$!");
        assert_eq!(Pattern::from(r"\s*,\s*".to_owned()).split("a , b,c"), ["a", "b", "c"]);
    }

    #[test]
    fn a_pattern_that_does_not_compile_matches_nothing() {
        let broken = Pattern::new("(");
        assert!(check("(").is_err());
        assert!(check("()").is_ok());
        assert!(!broken.matches("("));
        assert_eq!(broken.replace("(", "x"), "(");
        assert_eq!(broken.split("a(b"), ["a(b"]);
        assert_eq!(broken.count("("), 0);
    }
}
