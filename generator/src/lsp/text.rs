//! Places of a text as editors count them: lines, and columns in the units of UTF-16 unless both sides know bytes.

use serde_json::{Value, json};

/// How columns are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Units {
    Bytes,
    Utf16,
}

impl Units {
    /// A place of the text as the editor names it.
    pub(super) fn position(self, text: &str, offset: usize) -> Value {
        let before = text.get(..offset).unwrap_or(text);
        let line = before.matches('\n').count();
        let start = before.rfind('\n').map_or(0, |place| place + 1);
        let column = self.length(&before[start..]);
        json!({ "line": line, "character": column })
    }

    pub(super) fn range(self, text: &str, range: std::ops::Range<usize>) -> Value {
        json!({ "start": self.position(text, range.start), "end": self.position(text, range.end) })
    }

    /// The byte at which a place of the editor's is.
    pub(super) fn offset(self, text: &str, position: &Value) -> Option<usize> {
        let number =
            |key: &str| position.get(key).and_then(Value::as_u64).and_then(|number| usize::try_from(number).ok());
        let (line, column) = (number("line")?, number("character")?);
        let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
        let rest = text.get(start..)?;
        let row = rest.split('\n').next().unwrap_or_default();
        let mut units = 0;
        for (place, c) in row.char_indices() {
            if units >= column {
                return Some(start + place);
            }
            units += match self {
                Self::Bytes => c.len_utf8(),
                Self::Utf16 => c.len_utf16(),
            };
        }
        Some(start + row.len())
    }

    fn length(self, text: &str) -> usize {
        match self {
            Self::Bytes => text.len(),
            Self::Utf16 => text.encode_utf16().count(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_go_there_and_back_in_both_units() {
        let text = "a: é😀x\nb: 1\n";
        let at = text.find('x').expect("there");
        for (units, column) in [(Units::Utf16, 6), (Units::Bytes, 9)] {
            let position = units.position(text, at);
            assert_eq!(position, json!({ "line": 0, "character": column }));
            assert_eq!(units.offset(text, &position), Some(at));
        }
        assert_eq!(Units::Utf16.offset(text, &json!({ "line": 1, "character": 99 })), Some(text.len() - 1));
    }
}
