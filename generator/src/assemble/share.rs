//! `use`: what other files share with a catalog.

use camino::Utf8PathBuf;
use serde_json::Value;

use super::Assembly;
use crate::diagnostic::{Code, Diagnostic};
use crate::document::{Document, Pointer};

/// What a file can share, by name.
pub(super) const SECTIONS: [&str; 10] =
    ["flags", "choices", "thresholds", "data", "facts", "documents", "counters", "history", "messages", "worlds"];

impl Assembly {
    /// Brings in what the document uses. A file that is used on two ways is brought in once.
    pub(super) fn share(&mut self, document: &mut Document, path: &Utf8PathBuf, brought: &mut Vec<Utf8PathBuf>) {
        let list = Pointer::root().key("use");
        let count = document.get(&list).and_then(Value::as_array).map_or(0, Vec::len);
        for place in 0..count {
            let Some(source) = self.named(document, &list.index(place), path) else { continue };
            let shared = source.path().to_owned();
            if brought.contains(&shared) {
                continue;
            }
            brought.push(shared.clone());
            let Some(mut part) = self.parse(source) else { continue };
            self.under_way.push(shared.clone());
            self.share(&mut part, &shared, brought);
            self.under_way.pop();
            self.bring(document, &part);
        }
    }

    fn bring(&mut self, document: &mut Document, part: &Document) {
        let Value::Object(entries) = part.value() else {
            self.diagnostics.push(
                Diagnostic::error(Code::WrongType, "a mapping is expected")
                    .primary(part.at(&Pointer::root()), "nothing to share")
                    .help(format!("a shared file has some of {}, and `hooks`", SECTIONS.join(", "))),
            );
            return;
        };
        document.join(part, true);
        for (section, value) in entries {
            let at = Pointer::root().key(section);
            match value {
                Value::Object(names) if SECTIONS.contains(&section.as_str()) => {
                    for name in names.keys() {
                        if let Some(tree) = part.tree(&at.key(name)) {
                            self.add(document, section, name, tree);
                        }
                    }
                }
                Value::Array(hooks) if section == "hooks" => {
                    for place in 0..hooks.len() {
                        if let Some(tree) = part.tree(&at.index(place)) {
                            document.push(&at, tree);
                        }
                    }
                }
                _ if section == "use" => {}
                _ => self.unshared(part, section),
            }
        }
    }

    fn unshared(&mut self, part: &Document, section: &str) {
        let known = SECTIONS.contains(&section) || section == "hooks";
        let (code, message) = if known {
            (Code::WrongType, format!("`{section}` cannot be shared like this"))
        } else {
            (Code::UnknownKey, format!("`{section}` cannot be shared"))
        };
        self.diagnostics.push(
            Diagnostic::error(code, message)
                .primary(part.key(&Pointer::root().key(section)), "belongs to a catalog")
                .help(format!(
                    "a shared file has some of {}, and `hooks`; a whole catalog is for `extends`",
                    SECTIONS.join(", ")
                )),
        );
    }
}
