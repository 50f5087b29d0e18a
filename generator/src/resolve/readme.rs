//! What a catalog adds to its README: prose, which must not break the page that it becomes part of.

use super::Resolver;
use crate::catalog::Readme;
use crate::diagnostic::{Code, Diagnostic};
use crate::document::Pointer;

impl Resolver<'_> {
    pub(super) fn readme(&self) -> Readme {
        for (title, text) in &self.written.readme.sections {
            let at = Pointer::root().key("readme").key("sections").key(title);
            match flaw(text) {
                Some(Flaw::Heading(line)) => self.report(
                    Diagnostic::error(Code::BadValue, format!("`{line}` would end the section `{title}`"))
                        .primary(self.document.key(&at), "a heading of the page itself stands in this section")
                        .help("start headings inside a section with `###`"),
                ),
                Some(Flaw::OpenFence(fence)) => self.report(
                    Diagnostic::error(Code::BadValue, format!("the section `{title}` does not end its code"))
                        .primary(self.document.key(&at), format!("code that starts with {fence} is open at the end"))
                        .help("end it with a line of the same marks"),
                ),
                None => {}
            }
        }
        self.written.readme.clone()
    }
}

enum Flaw<'t> {
    Heading(&'t str),
    OpenFence(&'t str),
}

/// What in a section would swallow or cut off the rest of the page.
fn flaw(text: &str) -> Option<Flaw<'_>> {
    let mut open: Option<&str> = None;
    for line in text.lines() {
        let start = line.trim_start();
        let run = |mark: char| &start[..start.len() - start.trim_start_matches(mark).len()];
        let fence = [run('`'), run('~')].into_iter().find(|marks| marks.len() >= 3);
        match (open, fence) {
            (Some(opened), Some(marks)) if marks.starts_with(opened) && start.trim_end() == marks => open = None,
            (None, Some(marks)) => open = Some(marks),
            (None, None)
                if matches!(run('#'), "#" | "##")
                    && !start.trim_start_matches('#').starts_with(|c: char| !c.is_whitespace()) =>
            {
                return Some(Flaw::Heading(line.trim()));
            }
            _ => {}
        }
    }
    open.map(Flaw::OpenFence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_of_the_page_and_open_code_are_found_and_code_is_left_alone() {
        for text in ["# Title", "a\n## Part\nb", "##", "```\n# code\n```\n# real"] {
            assert!(matches!(flaw(text), Some(Flaw::Heading(_))), "{text:?}");
        }
        for text in ["```yaml\na: 1\n", "~~~\n```\n", "````\n```\n"] {
            assert!(matches!(flaw(text), Some(Flaw::OpenFence(_))), "{text:?}");
        }
        for text in ["### Part", "#hashtag", "```sh\n# comment\n## more\n```\nend", "~~~\n# x\n~~~", "a # b"] {
            assert!(flaw(text).is_none(), "{text:?}");
        }
    }
}
