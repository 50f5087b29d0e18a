//! What cannot happen with a resolved catalog.

use std::fmt;

/// Something that cannot happen with a resolved catalog, and so is hookgen's own fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bug {
    what: String,
}

impl Bug {
    pub fn new(what: impl Into<String>) -> Self {
        Self { what: what.into() }
    }

    /// The same, with what was being made.
    #[must_use]
    pub fn inside(self, what: &str) -> Self {
        Self { what: format!("while making the {what}: {}", self.what) }
    }
}

impl fmt::Display for Bug {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "this is a bug in hookgen, not in the catalog: {}", self.what)
    }
}

impl std::error::Error for Bug {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bug_says_whose_fault_it_is() {
        assert_eq!(
            Bug::new("no words").inside("documentation").to_string(),
            "this is a bug in hookgen, not in the catalog: while making the documentation: no words"
        );
    }
}
