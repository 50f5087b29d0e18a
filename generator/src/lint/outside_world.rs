//! A case that is given a file outside of its world: nothing can be put there.

use camino::Utf8Path;

use super::{Lint, Subject};
use crate::catalog::Given;
use crate::diagnostic::{Code, Diagnostic};
use crate::document::Pointer;
use crate::workspace::normal;

pub(super) const LINT: Lint = Lint { code: Code::OutsideWorld, check };

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let written = subject.written;
    let root = Pointer::root();
    let mut search = Search { subject, findings: Vec::new() };
    search.given(&written.given, &root.key("given"));
    for (name, world) in &written.worlds {
        search.given(world, &root.key("worlds").key(name));
    }
    for (position, hook) in written.hooks.iter().enumerate() {
        for (number, case) in hook.cases.iter().enumerate() {
            let at = root.key("hooks").index(position).key("cases").index(number);
            search.given(&case.given, &at.key("given"));
            for (number, step) in case.steps.iter().enumerate() {
                let at = at.key("steps").index(number);
                search.paths("project", step.files.keys(), &at.key("files"));
                search.paths("plugin", step.plugin_files.keys(), &at.key("plugin_files"));
            }
        }
    }
    search.findings
}

struct Search<'s> {
    subject: &'s Subject<'s>,
    findings: Vec<Diagnostic>,
}

impl Search<'_> {
    fn given(&mut self, given: &Given, at: &Pointer) {
        self.paths("project", given.files.keys(), &at.key("files"));
        self.paths("plugin", given.plugin_files.keys(), &at.key("plugin_files"));
        self.paths("home", given.home_files.keys(), &at.key("home_files"));
    }

    fn paths<'p>(&mut self, base: &str, paths: impl Iterator<Item = &'p String>, at: &Pointer) {
        for path in paths.filter(|path| is_outside(base, path)) {
            if self.subject.document.get(&at.key(path)).is_none() {
                continue;
            }
            self.findings.push(
                Diagnostic::warning(Code::OutsideWorld, format!("`{path}` lies outside the world of the case"))
                    .primary(self.subject.document.key(&at.key(path)), "cannot be put there")
                    .help("name a file of the project by a relative path, or `$HOME/…`, `$PLUGIN/…`, `$PROJECT/…`"),
            );
        }
    }
}

/// Whether a path leads out of the folder that all of a case's world is in, by its text alone.
fn is_outside(base: &str, written: &str) -> bool {
    let filled = [("$PROJECT", "/world/project"), ("$PLUGIN", "/world/plugin"), ("$HOME", "/world/home")]
        .iter()
        .fold(written.to_owned(), |text, (name, folder)| text.replace(name, folder));
    let path = normal(&Utf8Path::new("/world").join(base).join(filled));
    !path.starts_with("/world") || path == "/world"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_one_of_the_folders_is_inside() {
        assert!(
            is_outside("project", "/etc/passwd")
                && is_outside("project", "../../x")
                && is_outside("home", "~/../../../x")
        );
        assert!(
            !is_outside("project", "a/../b") && !is_outside("project", "../data/x") && !is_outside("home", "$HOME/x")
        );
    }
}
