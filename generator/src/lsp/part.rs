//! The catalog that an open file is part of: its own, the one in whose folder it lies, or one that uses it.

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};

use super::path_of;
use crate::assemble::{Written, assemble};
use crate::compile::{Compiled, compile_open};
use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::source::Source;
use crate::workspace::{self, CATALOG_FILE, Spec};

/// An open file as part of a catalog. Paths are from the top folder of the project.
pub struct Part {
    pub root: Utf8PathBuf,
    /// The file that the catalog begins with.
    pub main: Utf8PathBuf,
    pub(super) own: Utf8PathBuf,
    /// The texts of all files of the project that are open.
    pub open: BTreeMap<Utf8PathBuf, String>,
}

impl Part {
    /// The file of that address among all that are open, by their addresses.
    pub(super) fn of(uri: &str, files: &BTreeMap<String, String>) -> Self {
        let (root, Spec { shown, .. }) = workspace::of_file(&path_of(uri));
        let within =
            |(uri, text): (&String, &String)| Some((path_of(uri).strip_prefix(&root).ok()?.to_owned(), text.clone()));
        let open = files.iter().filter_map(within).collect();
        let mut part = Self { main: shown.clone(), own: shown, open, root };
        if let Some(main) = part.around().or_else(|| part.user()) {
            part.main = main;
        }
        part
    }

    /// The catalog in whose folder the file lies.
    fn around(&self) -> Option<Utf8PathBuf> {
        let folder = self.own.parent().filter(|folder| matches!(folder.file_name(), Some("hooks" | "cases")))?;
        let main = folder.parent()?.join(CATALOG_FILE);
        (self.open.contains_key(&main) || self.root.join(&main).is_file()).then_some(main)
    }

    /// The first catalog that uses the file, if it is none itself.
    fn user(&self) -> Option<Utf8PathBuf> {
        let text = self.open.get(&self.own)?;
        if text.lines().any(|line| line.starts_with("catalog:")) {
            return None;
        }
        let uses = |main: &Utf8PathBuf| {
            let written = self.begun(main, self.open.clone());
            *main != self.own && written.is_ok_and(|written| assemble(written).files.contains(&self.own))
        };
        workspace::catalogs(&self.root).ok()?.into_iter().map(|spec| spec.shown).find(uses)
    }

    fn begun(&self, main: &Utf8Path, open: BTreeMap<Utf8PathBuf, String>) -> Result<Written, Diagnostic> {
        let source = match open.get(main) {
            Some(text) => Source::from_bytes(main, text.as_bytes().to_vec())?,
            None => {
                let spec = Spec { path: self.root.join(main), shown: main.to_owned() };
                workspace::read_spec(&spec)?.source
            }
        };
        Ok(Written { source, place: Some(self.root.clone()), open })
    }

    /// The whole catalog, with this text in the place of the open file's.
    pub(super) fn written(&self, text: &str) -> Result<Written, Diagnostic> {
        let mut open = self.open.clone();
        open.insert(self.own.clone(), text.to_owned());
        self.begun(&self.main, open)
    }

    /// The whole catalog as a document, if it can be read as one.
    pub(super) fn document(&self, text: &str) -> Option<Document> {
        assemble(self.written(text).ok()?).document
    }

    /// What the compiler makes of the catalog.
    pub(super) fn compiled(&self, text: &str) -> Compiled {
        match self.written(text) {
            Ok(written) => compile_open(written),
            Err(diagnostic) => Compiled { catalog: None, name: None, diagnostics: vec![diagnostic] },
        }
    }

    /// The address of a file of the project: the one by which the editor knows it, if it is open.
    pub(super) fn address(&self, path: &Utf8Path, files: &BTreeMap<String, String>) -> String {
        let place = self.root.join(path);
        files.keys().find(|uri| path_of(uri) == place).cloned().unwrap_or_else(|| {
            let escaped = place.as_str().replace('\\', "/").replace('%', "%25").replace(' ', "%20");
            format!("file://{escaped}")
        })
    }
}
