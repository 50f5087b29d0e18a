//! The parts of an indented text that begin with a certain line.

use crate::pattern::Pattern;
use crate::signature::function;

/// Each line that the pattern matches, with the lines below it that are blank or indented deeper.
pub fn blocks(text: &str, pattern: &Pattern) -> Vec<String> {
    let mut lines = text.lines().peekable();
    let mut blocks = Vec::new();
    while let Some(first) = lines.next() {
        if !pattern.matches(first) {
            continue;
        }
        let mut block = vec![first];
        while let Some(line) = lines.next_if(|line| is_blank(line) || indentation(line) > indentation(first)) {
            block.push(line);
        }
        let ending = block.iter().rev().take_while(|line| is_blank(line)).count();
        block.truncate((block.len() - ending).max(1));
        blocks.push(block.join("\n"));
    }
    blocks
}

fn is_blank(line: &str) -> bool {
    line.trim().is_empty()
}

fn indentation(line: &str) -> usize {
    line.chars().take_while(|character| character.is_whitespace()).count()
}

function! {
    FUNCTION: blocks,
    name: "blocks",
    receiver: Text,
    params: { pattern: Pattern },
    result: List<Text>,
    doc: "Each line that the pattern matches, together with the lines below it that are blank or indented deeper. \
           Blank lines at the end of a block are dropped.",
    example: r"'- a\n  b\n- c'.blocks('^- ') == ['- a\n  b', '- c']",
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TASKS: &str = "# Tasks\r\n- [ ] one\r\n  - detail\r\n\r\n    more\r\n\r\n- [x] two\n\tnote\nend\n\
        \x20 - [ ] three\n\x20 - [ ] four\n";

    #[test]
    fn a_block_ends_before_the_next_line_that_is_not_deeper() {
        assert_eq!(
            blocks(TASKS, &Pattern::new(r"^\s*- \[")),
            ["- [ ] one\n  - detail\n\n    more", "- [x] two\n\tnote", "  - [ ] three", "  - [ ] four"]
        );
    }

    #[test]
    fn a_deeper_match_belongs_to_the_block_around_it() {
        assert_eq!(blocks("- a\n  - b\n", &Pattern::new("- ")), ["- a\n  - b"]);
        assert_eq!(blocks("x\n  - b\n", &Pattern::new("- ")), ["  - b"]);
    }

    #[test]
    fn a_blank_line_can_be_a_block_and_no_match_gives_none() {
        assert_eq!(blocks("\n\n", &Pattern::new("^$")), [""]);
        assert!(blocks(TASKS, &Pattern::new("nowhere")).is_empty());
    }

    proptest! {
        #[test]
        fn arbitrary_text_never_panics(text in "[-a \t\r\n\\PC]{0,80}") {
            for block in blocks(&text, &Pattern::new("-|a|^$")) {
                prop_assert!(block.lines().skip(1).all(|line| text.contains(line)));
            }
        }
    }
}
