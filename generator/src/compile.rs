//! The whole way: bytes → document → schema → catalog as written → as meant → lints.
//!
//! Every command goes through here, so none can disagree with another about what a catalog means.

use camino::Utf8Path;

use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::model;
use crate::source::Source;
use crate::{lint, resolve, schema};

/// What became of a catalog: a model unless something is wrong, and everything that is wrong or odd.
pub struct Compiled {
    pub catalog: Option<model::Catalog>,
    pub diagnostics: Vec<Diagnostic>,
}

/// Compiles the bytes of a catalog; `path` is how people name the file.
pub fn compile(path: &Utf8Path, bytes: Vec<u8>) -> Compiled {
    match Source::from_bytes(path, bytes) {
        Ok(source) => compile_source(source),
        Err(diagnostic) => failed(vec![diagnostic]),
    }
}

fn compile_source(source: Source) -> Compiled {
    // Line ends are a matter of the checkout, not of the catalog.
    let digest = hookgen_runtime::library::digest(&source.text().replace("\r\n", "\n"));
    let (document, diagnostics) = Document::parse(source);
    let Some(document) = document else { return failed(diagnostics) };
    let written = match schema::decode(&document) {
        Ok(written) => written,
        Err(problems) => return failed([diagnostics, problems].concat()),
    };
    match resolve::resolve(&document, &written, &digest) {
        Ok(resolved) => {
            let findings = lint::run(&lint::Subject { document: &document, catalog: &resolved.catalog });
            let diagnostics = [diagnostics, resolved.warnings, findings].concat();
            let sound = !diagnostics.iter().any(Diagnostic::is_error);
            Compiled { catalog: sound.then_some(resolved.catalog), diagnostics }
        }
        Err(problems) => failed([diagnostics, problems].concat()),
    }
}

fn failed(diagnostics: Vec<Diagnostic>) -> Compiled {
    Compiled { catalog: None, diagnostics }
}
