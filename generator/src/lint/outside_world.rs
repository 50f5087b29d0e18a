//! A case that is given a file outside of its world: nothing can be put there.

use camino::Utf8Path;
use serde_json::Value;

use super::{Lint, Subject};
use crate::diagnostic::{Code, Diagnostic};
use crate::document::{Document, Pointer};
use crate::workspace::normal;

pub(super) const LINT: Lint = Lint { code: Code::OutsideWorld, check };

/// The keys under which files are given, and the folder of the world that each starts from.
const FILES: [(&str, &str); 3] = [("files", "project"), ("plugin_files", "plugin"), ("home_files", "home")];
/// What a case says to a hook, and what it expects of one: files in there are nobody's to put anywhere.
const OTHERS: [&str; 4] = ["expect", "input", "tool_input", "sample"];

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let root = Pointer::root();
    let mut search = Search { document: subject.document, findings: Vec::new() };
    search.world(&root.key("given"));
    for name in subject.written.worlds.keys() {
        search.world(&root.key("worlds").key(name));
    }
    for position in 0..subject.written.hooks.len() {
        search.cases(&root.key("hooks").index(position).key("cases"));
    }
    search.findings
}

struct Search<'s> {
    document: &'s Document,
    findings: Vec<Diagnostic>,
}

impl Search<'_> {
    /// Cases, their rows and their steps, in whatever form they are written.
    fn cases(&mut self, at: &Pointer) {
        match self.document.get(at) {
            Some(Value::Object(entries)) => {
                for key in entries.keys().filter(|key| !OTHERS.contains(&key.as_str())) {
                    let at = at.key(key);
                    match key.as_str() {
                        "given" => self.world(&at),
                        "steps" => self.steps(&at),
                        _ => self.cases(&at),
                    }
                }
            }
            Some(Value::Array(items)) => (0..items.len()).for_each(|number| self.cases(&at.index(number))),
            _ => {}
        }
    }

    fn steps(&mut self, at: &Pointer) {
        let steps = self.document.get(at).and_then(Value::as_array).map_or(0, Vec::len);
        for number in 0..steps {
            self.world(&at.index(number));
            self.cases(&at.index(number));
        }
    }

    fn world(&mut self, at: &Pointer) {
        for (key, base) in FILES {
            let at = at.key(key);
            let Some(Value::Object(files)) = self.document.get(&at) else { continue };
            for path in files.keys().filter(|path| is_outside(base, path)) {
                self.findings.push(
                    Diagnostic::warning(Code::OutsideWorld, format!("`{path}` lies outside the world of the case"))
                        .primary(self.document.key(&at.key(path)), "cannot be put there")
                        .help("name a file of the project by a relative path, or `$HOME/…`, `$PLUGIN/…`, `$PROJECT/…`"),
                );
            }
        }
    }
}

/// Whether a path leads out of the folder that all of a case's world is in, by its text alone.
fn is_outside(base: &str, written: &str) -> bool {
    let filled = [("$PROJECT", "/world/project"), ("$PLUGIN", "/world/plugin"), ("$HOME", "/world/home")]
        .iter()
        .fold(written.to_owned(), |text, (name, folder)| text.replace(name, folder));
    let path = normal(&Utf8Path::new("/world").join(base).join(filled));
    // Nothing but a shell, and nothing but Windows, makes these the folders that they look like.
    let elsewhere = written.starts_with("~/") || written.chars().nth(1) == Some(':');
    elsewhere || !path.starts_with("/world") || path == "/world"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_one_of_the_folders_is_inside() {
        assert!(
            is_outside("project", "/etc/passwd")
                && is_outside("project", "../../x")
                && is_outside("home", "~/x")
                && is_outside("project", "C:/x")
        );
        assert!(
            !is_outside("project", "a/../b") && !is_outside("project", "../data/x") && !is_outside("home", "$HOME/x")
        );
    }
}
