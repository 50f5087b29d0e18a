//! A YAML record at the top of a Markdown file, between two lines `---` or in a block of code that is marked as YAML.
//!
//! Before it may stand what says nothing: blank lines, comments of HTML, headings. A file without such a block is one if
//! all of it is a YAML record, as some write it. Only the first block counts: text further down, which anyone may quote,
//! is never taken for it.

use crate::json::Json;
use crate::record::Record;
use crate::yaml;

const OPEN: &str = "the line `---` at its end is missing";
const OPEN_CODE: &str = "the line ``` at its end is missing";

/// A file taken apart.
#[derive(Default)]
struct Parts<'t> {
    /// What says nothing.
    before: &'t str,
    /// The front matter, with its opening line `---` if it has one, which starts a YAML document.
    matter: &'t str,
    body: &'t str,
    /// Whether the front matter is a block that ends.
    closed: bool,
}

/// What a block of front matter stands between.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fence {
    Dashes,
    Code,
}

impl Fence {
    fn opened_by(line: &str) -> Option<Fence> {
        match line.trim_end() {
            "---" => Some(Fence::Dashes),
            "```yaml" | "```yml" => Some(Fence::Code),
            _ => None,
        }
    }

    fn is_closed_by(self, line: &str) -> bool {
        line.trim_end() == if self == Fence::Code { "```" } else { "---" }
    }
}

/// The record. A blank file is an empty one, so that a state file can be created by touching it.
pub(super) fn parse(text: &str) -> Result<Json<'static>, String> {
    let Parts { before, matter, closed, .. } = parts(text);
    if !closed && before.lines().next_back().and_then(Fence::opened_by) == Some(Fence::Code) {
        return Err(OPEN_CODE.to_owned());
    }
    // A file of YAML may start with `---` and never come back to it; one in another column was meant to end a block.
    let open = !closed && matter.lines().next().and_then(Fence::opened_by) == Some(Fence::Dashes);
    if open && matter.lines().skip(1).any(|line| line.trim() == "---") {
        return Err(OPEN.to_owned());
    }
    // With as many lines before it as in the file, so that messages name the file's own.
    let placed = "\n".repeat(before.matches('\n').count()) + matter;
    match yaml::parse(&placed).map_err(|why| if open { format!("{why}; {OPEN}") } else { why })? {
        Json::Null => Ok(Record::default().into_json()),
        record @ Json::Object(_) => Ok(record),
        _ if open => Err(OPEN.to_owned()),
        _ if !closed => Err("it has no lines `---` around front matter, and is no YAML record".to_owned()),
        other => Err(format!("it should hold a record, found {}", other.kind())),
    }
}

/// What follows the front matter. A file that ends with it has nothing more, but must be one.
pub(super) fn body(text: &str) -> Result<&str, String> {
    let Parts { body, closed, .. } = parts(text);
    if closed { Ok(body) } else { parse(text).map(|_| "") }
}

fn parts(text: &str) -> Parts<'_> {
    let rest = rest_after_remarks(text);
    let first = rest.split_inclusive('\n').next().unwrap_or_default();
    let Some(fence) = Fence::opened_by(first) else {
        // No block, so the file is all of it: what looked like headings are comments of YAML.
        return Parts { matter: text, ..Parts::default() };
    };
    // A fence of code is no YAML, and belongs to what says nothing.
    let start = text.len() - rest.len() + if fence == Fence::Code { first.len() } else { 0 };
    let (before, rest) = text.split_at_checked(start).unwrap_or(("", text));
    let mut end = 0;
    for line in rest.split_inclusive('\n') {
        let start = end;
        end += line.len();
        let is_opening = start == 0 && fence == Fence::Dashes;
        if !is_opening && fence.is_closed_by(line) {
            let (matter, body) = (rest.get(..start).unwrap_or_default(), rest.get(end..).unwrap_or_default());
            return Parts { before, matter, body, closed: true };
        }
    }
    Parts { before, matter: rest, body: "", closed: false }
}

/// The text from the first line on that is neither blank nor a heading nor a comment.
fn rest_after_remarks(text: &str) -> &str {
    let mut rest = text.strip_prefix('\u{feff}').unwrap_or(text);
    loop {
        let line = rest.split_inclusive('\n').next().unwrap_or_default();
        let said = line.trim();
        if said.starts_with("<!--") {
            let Some((_, behind)) = rest.split_once("-->") else { return rest };
            rest = behind;
        } else if !line.is_empty() && (said.is_empty() || said.starts_with('#')) {
            rest = rest.get(line.len()..).unwrap_or_default();
        } else {
            return rest;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_record_and_the_body_are_told_apart() {
        let text = "---\nphase: SETUP\nn: 2\n---\n# Title\n---\nphase: FAKE\n---\n";
        assert_eq!(parse(text).expect("valid").to_string(), r#"{"phase":"SETUP","n":2}"#);
        assert_eq!(body(text).expect("valid"), "# Title\n---\nphase: FAKE\n---\n");
    }

    #[test]
    fn a_byte_order_mark_carriage_returns_and_trailing_blanks_are_tolerated() {
        let text = "--- \r\nphase: SETUP\r\n---\t\r\nbody";
        assert_eq!(parse(text).expect("valid").to_string(), r#"{"phase":"SETUP"}"#);
        assert_eq!(body(text).expect("valid"), "body");
        assert_eq!(parse("---\na: 1\n---").expect("valid").to_string(), r#"{"a":1}"#);
    }

    #[test]
    fn a_blank_file_and_an_empty_block_are_empty_records() {
        for text in ["", " \n\n", "---\n---\n", "---\n# only a comment\n---\nbody"] {
            assert_eq!(parse(text).expect(text).to_string(), "{}", "{text:?}");
        }
    }

    #[test]
    fn what_says_nothing_may_stand_before_it() {
        for before in [
            "\n",
            " \n\n",
            "\u{feff}",
            "# Planning\n",
            "# A\n\n## B\r\n",
            "<!-- by a skill -->\n",
            "<!--\n---\nx\n-->\n# T\n",
        ] {
            let text = format!("{before}---\na: 1\n---\nbody");
            assert_eq!(parse(&text).expect(&text).to_string(), r#"{"a":1}"#, "{text:?}");
            assert_eq!(body(&text).expect("valid"), "body", "{text:?}");
        }
    }

    #[test]
    fn a_block_of_code_is_front_matter_too() {
        for before in ["", "\n", "# State\n\n"] {
            let text = format!("{before}```yaml\r\na: 1\r\n```\r\nbody\n```yaml\na: 2\n```\n");
            assert_eq!(parse(&text).expect(&text).to_string(), r#"{"a":1}"#, "{text:?}");
            assert_eq!(body(&text).expect("valid"), "body\n```yaml\na: 2\n```\n", "{text:?}");
        }
        assert_eq!(parse("```yml\n---\na: 1\n---\n```\n").expect("valid").to_string(), r#"{"a":1}"#);
        assert_eq!(parse("# T\n```yaml\na: 1\n"), Err(OPEN_CODE.into()));
        assert!(parse("# T\n```yaml\na: 1\nb: c: d\n```\n").expect_err("two colons").contains("line 4"));
        assert!(parse("```json\n{}\n```\n").is_err());
    }

    #[test]
    fn a_file_that_is_all_yaml_is_its_own_front_matter() {
        for text in ["a: 1\n", "---\na: 1\n", "# Title\n\na: 1", "# Title\na: 1\n---\nphase: FAKE\n---\n"] {
            assert_eq!(parse(text).expect(text).to_string(), r#"{"a":1}"#, "{text:?}");
            assert_eq!(body(text).expect("valid"), "", "{text:?}");
        }
    }

    #[test]
    fn text_further_down_is_no_front_matter() {
        for text in ["Words.\n---\nphase: FAKE\n---\n", "- a\n- b\n", "Words only.", "<!-- open\n---\na: 1\n---\n"] {
            let why = parse(text).expect_err(text);
            assert!(why.contains("is no YAML record") || why.contains(" at line "), "{text:?}: {why}");
        }
        assert!(parse(" ---\na: 1\n---\n").is_err());
    }

    #[test]
    fn lines_are_those_of_the_file() {
        let why = parse("# Title\n\n<!--\nx\n-->\n---\na: 1\nb: c: d\n---\n").expect_err("two colons");
        assert!(why.contains("line 8"), "{why}");
        assert!(parse("a: 1\nb: c: d\n").expect_err("two colons").contains("line 2"));
    }

    #[test]
    fn an_open_or_damaged_block_is_invalid() {
        assert_eq!(parse("---\na: 1\n ---\n"), Err(OPEN.into()));
        assert_eq!(parse("---\nwords\n"), Err(OPEN.into()));
        assert!(parse("---\na: 1\n\nWords: and: more\n").expect_err("prose").ends_with(OPEN));
        assert_eq!(parse("---\nwords\n---\n"), Err("it should hold a record, found a string".into()));
        assert!(parse("---\na: 1\nb: [\n---\n").expect_err("open list").contains(" at line "));
        assert!(parse("---\na: 1\nb: !!int x\n---\n").expect_err("no number").contains("line 3"));
    }
}
