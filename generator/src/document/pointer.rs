//! The way to a value: keys and positions from the root of a document.

use std::fmt;

use hookgen_runtime::representation::Step;

/// The way to a value.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pointer(Vec<Segment>);

/// One step of the way.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Segment {
    /// Into a mapping.
    Key(String),
    /// Into a list, counted from 0.
    Index(usize),
}

impl Pointer {
    /// The whole document.
    pub fn root() -> Self {
        Self::default()
    }

    /// The value under a key of this one.
    #[must_use]
    pub fn key(&self, key: impl Into<String>) -> Self {
        self.step(Segment::Key(key.into()))
    }

    /// The item of this list.
    #[must_use]
    pub fn index(&self, index: usize) -> Self {
        self.step(Segment::Index(index))
    }

    /// The part of an effect to which a way leads from this one.
    #[must_use]
    pub fn along(&self, way: &[Step<'_>]) -> Self {
        way.iter().fold(self.clone(), |at, step| match step {
            Step::Key(key) => at.key(*key),
            Step::Place(place) => at.index(*place),
        })
    }

    fn step(&self, segment: Segment) -> Self {
        let mut segments = Vec::with_capacity(self.0.len() + 1);
        segments.extend_from_slice(&self.0);
        segments.push(segment);
        Self(segments)
    }

    /// The steps from the root.
    pub fn segments(&self) -> &[Segment] {
        &self.0
    }

    /// The last step, if it goes into a mapping.
    pub fn last_key(&self) -> Option<&str> {
        match self.0.last() {
            Some(Segment::Key(key)) => Some(key),
            _ => None,
        }
    }

    /// The way for a reader: `hooks[3].when`.
    pub fn readable(&self) -> String {
        let step = |(position, segment): (usize, &Segment)| match segment {
            Segment::Index(index) => format!("[{index}]"),
            Segment::Key(key) if !is_word(key) => format!("[{key:?}]"),
            Segment::Key(key) if position == 0 => key.clone(),
            Segment::Key(key) => format!(".{key}"),
        };
        self.0.iter().enumerate().map(step).collect::<Vec<_>>().concat()
    }
}

impl FromIterator<Segment> for Pointer {
    fn from_iter<T: IntoIterator<Item = Segment>>(segments: T) -> Self {
        Self(segments.into_iter().collect())
    }
}

/// RFC 6901: `/hooks/3/when`.
impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for segment in &self.0 {
            match segment {
                Segment::Index(index) => write!(f, "/{index}")?,
                Segment::Key(key) => write!(f, "/{}", key.replace('~', "~0").replace('/', "~1"))?,
            }
        }
        Ok(())
    }
}

fn is_word(key: &str) -> bool {
    !key.is_empty() && key.chars().all(|character| character.is_alphanumeric() || matches!(character, '_' | '-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pointer_is_shown_for_programs_and_for_readers() {
        let pointer = Pointer::root().key("hooks").index(3).key("when");
        assert_eq!(pointer.to_string(), "/hooks/3/when");
        assert_eq!(pointer.readable(), "hooks[3].when");
        assert_eq!(pointer.last_key(), Some("when"));
        assert_eq!(Pointer::root().to_string(), "");
    }

    #[test]
    fn unusual_keys_are_escaped() {
        let pointer = Pointer::root().key("files").key("a/b~c.md");
        assert_eq!(pointer.to_string(), "/files/a~1b~0c.md");
        assert_eq!(pointer.readable(), "files[\"a/b~c.md\"]");
    }
}
