//! A YAML record at the top of a Markdown file, between two lines `---`.
//!
//! Only the first such block counts: text further down, which anyone may quote, is never taken for it.

use crate::json::Json;
use crate::record::Record;
use crate::yaml;

/// The record. A blank file is an empty one, so that a state file can be created by touching it.
pub(super) fn parse(text: &str) -> Result<Json<'static>, String> {
    let (matter, _) = split(text)?;
    match yaml::parse(matter)? {
        Json::Null => Ok(Record::default().into_json()),
        record @ Json::Object(_) => Ok(record),
        other => Err(format!("it should hold a record, found {}", other.kind())),
    }
}

/// Front matter and body. The opening line stays with the front matter, where it starts a YAML document and makes the
/// line numbers in messages those of the file.
pub(super) fn split(text: &str) -> Result<(&str, &str), String> {
    if text.trim().is_empty() {
        return Ok(("", text));
    }
    let mut end = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let is_fence = line.trim_end() == "---";
        if number == 0 && !is_fence {
            return Err("it does not start with a line `---`".to_owned());
        }
        let start = end;
        end += line.len();
        if number > 0 && is_fence {
            return Ok((text.get(..start).unwrap_or_default(), text.get(end..).unwrap_or_default()));
        }
    }
    Err("the line `---` at its end is missing".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_record_and_the_body_are_told_apart() {
        let text = "---\nphase: SETUP\nn: 2\n---\n# Title\n---\nphase: FAKE\n---\n";
        assert_eq!(parse(text).expect("valid").to_string(), r#"{"phase":"SETUP","n":2}"#);
        assert_eq!(split(text).expect("valid").1, "# Title\n---\nphase: FAKE\n---\n");
    }

    #[test]
    fn a_byte_order_mark_carriage_returns_and_trailing_blanks_are_tolerated() {
        let text = "--- \r\nphase: SETUP\r\n---\t\r\nbody";
        assert_eq!(parse(text).expect("valid").to_string(), r#"{"phase":"SETUP"}"#);
        assert_eq!(split(text).expect("valid").1, "body");
        assert_eq!(parse("---\na: 1\n---").expect("valid").to_string(), r#"{"a":1}"#);
    }

    #[test]
    fn a_blank_file_and_an_empty_block_are_empty_records() {
        for text in ["", " \n\n", "---\n---\n", "---\n# only a comment\n---\nbody"] {
            assert_eq!(parse(text).expect(text).to_string(), "{}", "{text:?}");
        }
    }

    #[test]
    fn text_further_down_is_no_front_matter() {
        for text in ["# Title\n---\nphase: FAKE\n---\n", "\n---\na: 1\n---\n", " ---\na: 1\n---\n", "----\na: 1\n---\n"]
        {
            assert_eq!(parse(text), Err("it does not start with a line `---`".into()), "{text:?}");
        }
    }

    #[test]
    fn an_open_or_damaged_block_is_invalid() {
        assert_eq!(parse("---\na: 1\n ---\n"), Err("the line `---` at its end is missing".into()));
        assert_eq!(parse("---\nwords\n---\n"), Err("it should hold a record, found a string".into()));
        assert!(parse("---\na: 1\nb: [\n---\n").expect_err("open list").contains(" at line "));
        assert!(parse("---\na: 1\nb: !!int x\n---\n").expect_err("no number").contains("line 3"));
    }
}
