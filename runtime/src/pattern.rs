//! Regular expressions of the catalog, compiled at most once and only when they are needed.

use std::borrow::Cow;
use std::sync::OnceLock;

use regex_lite::{Captures, Regex};
use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};

/// A regular expression that a constant can hold.
///
/// One that does not compile matches nothing; the compiler refuses it before it can get here.
#[derive(Debug)]
pub struct Pattern {
    source: Cow<'static, str>,
    compiled: OnceLock<Option<Regex>>,
}

/// Why the text is not a regular expression.
pub fn check(pattern: &str) -> Result<(), String> {
    Regex::new(pattern).map(drop).map_err(|error| error.to_string())
}

impl Pattern {
    /// A pattern that is compiled on first use.
    pub const fn new(source: &'static str) -> Self {
        Self { source: Cow::Borrowed(source), compiled: OnceLock::new() }
    }

    /// As it was written.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Whether it matches anywhere in the text.
    pub fn matches(&self, text: &str) -> bool {
        self.regex().is_some_and(|regex| regex.is_match(text))
    }

    /// The first match: its group 1 if the pattern has groups, else all of it. Empty if there is none.
    pub fn find(&self, text: &str) -> String {
        self.regex().and_then(|regex| regex.captures(text)).map(|captures| wanted(&captures)).unwrap_or_default()
    }

    /// Every match, as `find` gives it.
    pub fn find_all(&self, text: &str) -> Vec<String> {
        let all = |regex: &Regex| regex.captures_iter(text).map(|captures| wanted(&captures)).collect();
        self.regex().map(all).unwrap_or_default()
    }

    /// How many matches there are.
    pub fn count(&self, text: &str) -> i64 {
        let matches = self.regex().map_or(0, |regex| regex.find_iter(text).count());
        i64::try_from(matches).unwrap_or(i64::MAX)
    }

    /// The text with every match replaced; `$1` or `${1}` stands for a group and `$$` for a dollar sign.
    pub fn replace(&self, text: &str, with: &str) -> String {
        self.regex().map_or_else(|| text.to_owned(), |regex| regex.replace_all(text, with).into_owned())
    }

    /// What stands between the matches.
    pub fn split(&self, text: &str) -> Vec<String> {
        let parts = |regex: &Regex| regex.split(text).map(str::to_owned).collect();
        self.regex().map_or_else(|| vec![text.to_owned()], parts)
    }

    fn regex(&self) -> Option<&Regex> {
        self.compiled.get_or_init(|| Regex::new(&self.source).ok()).as_ref()
    }
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
        Self { source: Cow::Owned(source), compiled: OnceLock::new() }
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
