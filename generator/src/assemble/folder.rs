//! A catalog in a folder of its own: `catalog.yaml`, and beside it `hooks/*.yaml` and `cases/<hook>.yaml`.

use camino::{Utf8Path, Utf8PathBuf};
use serde_json::Value;

use super::Assembly;
use crate::diagnostic::{Code, Diagnostic, did_you_mean};
use crate::document::{Document, Pointer};
use crate::workspace::CATALOG_FILE;

impl Assembly {
    /// Puts the hooks and cases of the catalog's folder where they belong.
    pub(super) fn folder(&mut self, document: &mut Document, path: &Utf8PathBuf) {
        if path.file_name() != Some(CATALOG_FILE) {
            return;
        }
        for file in self.files.list(path, "hooks") {
            if let Some(part) = self.part(path, &file) {
                let hooks = Pointer::root().key("hooks");
                let items: Vec<Pointer> = match part.value() {
                    Value::Array(items) => (0..items.len()).map(|place| Pointer::root().index(place)).collect(),
                    _ => vec![Pointer::root()],
                };
                document.join(&part, false);
                for item in items {
                    if let Some(tree) = part.tree(&item) {
                        document.push(&hooks, tree);
                    }
                }
            }
        }
        for file in self.files.list(path, "cases") {
            if let Some(part) = self.part(path, &file) {
                self.cases(document, &part, &file);
            }
        }
    }

    fn part(&mut self, path: &Utf8PathBuf, file: &str) -> Option<Document> {
        match self.files.read(path, file) {
            Ok(source) => self.parse(source),
            Err(reason) => {
                let location = crate::source::Location::file(&path.with_file_name(file));
                self.diagnostics.push(
                    Diagnostic::error(Code::UnreadableFile, format!("cannot read the file: {reason}"))
                        .primary(location, ""),
                );
                None
            }
        }
    }

    fn cases(&mut self, document: &mut Document, part: &Document, file: &str) {
        let wanted = Utf8Path::new(file).file_stem().unwrap_or_default().to_owned();
        let hooks = document.get(&Pointer::root().key("hooks")).and_then(Value::as_array).cloned().unwrap_or_default();
        let name = |hook: &Value, key: &str| hook.get(key).and_then(Value::as_str).map(str::to_owned);
        let found =
            hooks.iter().position(|hook| ["id", "name"].iter().any(|key| name(hook, key).as_ref() == Some(&wanted)));
        let Some(position) = found else {
            let known: Vec<String> =
                hooks.iter().flat_map(|hook| [name(hook, "id"), name(hook, "name")]).flatten().collect();
            let near = did_you_mean(&wanted, known.iter().map(String::as_str));
            let help = near.map_or_else(
                || "call the file after the hook's id or name".to_owned(),
                |near| format!("did you mean `{near}`?"),
            );
            self.diagnostics.push(
                Diagnostic::error(
                    Code::UnknownName,
                    format!("there is no hook `{wanted}` that these cases could be of"),
                )
                .primary(part.at(&Pointer::root()), "cases of no hook")
                .help(help),
            );
            return;
        };
        let Value::Array(items) = part.value() else {
            self.diagnostics.push(
                Diagnostic::error(Code::WrongType, "a list of cases is expected")
                    .primary(part.at(&Pointer::root()), "")
                    .help("write `- name: …`, as below `cases` of a hook"),
            );
            return;
        };
        document.join(part, false);
        let cases = Pointer::root().key("hooks").index(position).key("cases");
        for place in 0..items.len() {
            if let Some(tree) = part.tree(&Pointer::root().index(place)) {
                document.push(&cases, tree);
            }
        }
    }
}
