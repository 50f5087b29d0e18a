//! The sections of a Markdown text.

use crate::pattern::Pattern;
use crate::signature::function;

/// Each heading that the pattern matches, with all that stands below it up to the next heading of its level or above.
pub fn sections(text: &str, pattern: &Pattern) -> Vec<String> {
    let mut sections: Vec<String> = Vec::new();
    let mut depth: Option<usize> = None;
    let mut fence: Option<&str> = None;
    for line in text.lines() {
        let heading = if fence.is_none() { level(line) } else { None };
        fence = fence_after(line, fence);
        if heading.is_some_and(|level| depth.is_none_or(|depth| level <= depth)) {
            depth = heading.filter(|_| pattern.matches(line));
            if depth.is_some() {
                sections.push(line.to_owned());
                continue;
            }
        }
        if let (Some(_), Some(section)) = (depth, sections.last_mut()) {
            section.push('\n');
            section.push_str(line);
        }
    }
    for section in &mut sections {
        section.truncate(section.trim_end().len());
    }
    sections
}

/// How deep a heading is; `None` for any other line.
fn level(line: &str) -> Option<usize> {
    let hashes = line.bytes().take_while(|byte| *byte == b'#').count();
    let is_heading =
        (1..=6).contains(&hashes) && line.get(hashes..).is_some_and(|title| title.starts_with([' ', '\t']));
    is_heading.then_some(hashes)
}

/// The fence of the code block that is open after a line: what looks like a heading inside is a comment of some code.
fn fence_after<'f>(line: &str, open: Option<&'f str>) -> Option<&'f str> {
    let line = line.trim_start();
    match open {
        Some(fence) if line.starts_with(fence) => None,
        Some(fence) => Some(fence),
        None => ["```", "~~~"].into_iter().find(|fence| line.starts_with(fence)),
    }
}

function! {
    FUNCTION: sections,
    name: "sections",
    receiver: Text,
    params: { pattern: Pattern },
    result: List<Text>,
    doc: "Each Markdown heading that the pattern matches, together with all that stands below it up to the next heading \
           of its level or above. Code blocks have no headings.",
    example: r"'# A\n## B\nx\n## C\n### D\n'.sections('^## ') == ['## B\nx', '## C\n### D']",
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const PLAN: &str = "# Plan\r\n## Phase 1\r\nStatus: done\r\n### Log\r\n- a\r\n\r\n## Notes\r\nx\r\n## Phase 2\r\n";

    #[test]
    fn a_section_reaches_to_the_next_heading_that_is_not_deeper() {
        assert_eq!(
            sections(PLAN, &Pattern::new("^## Phase")),
            ["## Phase 1\nStatus: done\n### Log\n- a", "## Phase 2"]
        );
        assert!(sections(PLAN, &Pattern::new("nowhere")).is_empty());
    }

    #[test]
    fn what_only_looks_like_a_heading_is_none() {
        assert_eq!(sections("## A\n```\n## B\n```\n##C\n", &Pattern::new("^##")), ["## A\n```\n## B\n```\n##C"]);
        for text in ["A\n", "##A\n", "see ## A\n", "```sh\n## A\n```\n", "~~~\n## A\n~~~\n", ""] {
            assert!(sections(text, &Pattern::new("## ?A")).is_empty(), "{text}");
        }
    }

    #[test]
    fn a_deeper_match_belongs_to_the_section_around_it() {
        assert_eq!(sections("# A\n## A\n", &Pattern::new("A")), ["# A\n## A"]);
    }

    proptest! {
        #[test]
        fn arbitrary_text_never_panics(text in "[#`~a \t\r\n\\PC]{0,80}") {
            for section in sections(&text, &Pattern::new("a|^#")) {
                prop_assert!(section.starts_with('#'));
            }
        }
    }
}
