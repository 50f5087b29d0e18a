//! A section of a Markdown text.

use super::PURE;
use crate::pattern::Pattern;
use crate::signature::{Function, Type};

/// The first heading that the pattern matches, with all that stands below it up to the next one of its level or above.
pub fn section(text: &str, pattern: &Pattern) -> String {
    let mut fence: Option<&str> = None;
    let mut opened: Option<usize> = None;
    let mut found = Vec::new();
    for line in text.lines() {
        let level = if fence.is_none() { level(line) } else { None };
        fence = after(line, fence);
        match (opened, level) {
            (Some(own), Some(next)) if next <= own => break,
            (Some(_), _) => found.push(line),
            (None, Some(level)) if pattern.matches(line) => {
                opened = Some(level);
                found.push(line);
            }
            (None, _) => {}
        }
    }
    found.join("\n").trim_end().to_owned()
}

/// How deep a heading is; `None` for any other line.
fn level(line: &str) -> Option<usize> {
    let hashes = line.bytes().take_while(|byte| *byte == b'#').count();
    let is_heading =
        (1..=6).contains(&hashes) && line.get(hashes..).is_some_and(|title| title.starts_with([' ', '\t']));
    is_heading.then_some(hashes)
}

/// The fence of the code block that is open after a line: what looks like a heading inside is a comment of some code.
fn after<'f>(line: &str, open: Option<&'f str>) -> Option<&'f str> {
    let line = line.trim_start();
    match open {
        Some(fence) if line.starts_with(fence) => None,
        Some(fence) => Some(fence),
        None => ["```", "~~~"].into_iter().find(|fence| line.starts_with(fence)),
    }
}

pub(super) const FUNCTION: Function = Function {
    name: "section",
    symbol: "section",
    receiver: Some(Type::Text),
    params: &[("pattern", Type::Pattern)],
    result: Type::Text,
    doc: "The first Markdown heading that the pattern matches, together with all lines below it up to the next heading \
           of its level or above. Headings in code blocks are code. Empty if there is none.",
    example: r"'# A\n## B\nb\n### C\n## D'.section('^## B') == '## B\nb\n### C'",
    ..PURE
};

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn worktrees(text: &str) -> String {
        section(text, &Pattern::new("^## Worktrees?"))
    }

    #[test]
    fn a_section_ends_at_the_next_heading_of_its_level_or_above() {
        assert_eq!(
            worktrees("# Plan\r\n## Worktree\r\n\r\n- a\r\n### b\r\nc\r\n\r\n## Tasks\r\n"),
            "## Worktree\n\n- a\n### b\nc"
        );
        assert_eq!(worktrees("## Worktrees\n- a\n# Other\n- b"), "## Worktrees\n- a");
        assert_eq!(worktrees("## Worktrees"), "## Worktrees");
    }

    #[test]
    fn only_headings_count_and_those_in_code_do_not() {
        for text in ["Worktrees\n", "##Worktrees\n", "see ## Worktrees\n", "```sh\n## Worktrees\n```\n", ""] {
            assert_eq!(worktrees(text), "", "{text}");
        }
        assert_eq!(worktrees("## Worktree\n~~~\n# comment\n~~~\nb\n"), "## Worktree\n~~~\n# comment\n~~~\nb");
    }

    proptest! {
        #[test]
        fn arbitrary_text_never_panics(text in "[#`~ a\r\n\\PC]{0,80}") {
            let found = section(&text, &Pattern::new("a|^#"));
            prop_assert!(found.lines().all(|line| text.contains(line)));
        }
    }
}
