//! The whole way: bytes → documents → one document → schema → catalog as written → as meant → lints.
//!
//! Every command goes through here, so none can disagree with another about what a catalog means.

use camino::Utf8Path;

use crate::assemble::{Assembled, Written, assemble};
use crate::diagnostic::{Code, Diagnostic};
use crate::document::{Document, Pointer};
use crate::model;
use crate::resolve::Asked;
use crate::source::{Location, Source};
use crate::{catalog, guard, lint, resolve, schema};

/// What became of a catalog: a model unless something is wrong, and everything that is wrong or odd.
pub struct Compiled {
    pub catalog: Option<model::Catalog>,
    /// Where the catalog says its name.
    pub name: Option<Location>,
    pub diagnostics: Vec<Diagnostic>,
}

/// Compiles the bytes of a catalog that has no other files; `path` is how people name the file.
pub fn compile(path: &Utf8Path, bytes: Vec<u8>) -> Compiled {
    match Source::from_bytes(path, bytes) {
        Ok(source) => compiled(Written::alone(source), false),
        Err(diagnostic) => failed(vec![diagnostic]),
    }
}

/// Compiles a catalog that is being edited, with all of its files. Editors compile all the time, and do without examples.
pub fn compile_open(written: Written) -> Compiled {
    compiled(written, false)
}

/// Compiles a catalog with all of its files. Findings come with examples.
pub fn compile_written(written: Written) -> Compiled {
    compiled(written, true)
}

fn compiled(written: Written, examples: bool) -> Compiled {
    let Read { document, written, digest, diagnostics } = match read(written) {
        Ok(read) => read,
        Err(diagnostics) => return failed(diagnostics),
    };
    match resolve::resolve(&document, &written, &digest) {
        Ok(mut resolved) => {
            let shared = |section: &str, name: &str| document.is_shared(&Pointer::root().key(section).key(name));
            resolve::uses::without_unused(&mut resolved.catalog, shared);
            // Of a text that cannot be trusted, such as one that says a thing twice, a lint could only guess.
            let findings = if diagnostics.iter().any(Diagnostic::is_error) {
                resolved.warnings
            } else {
                let reasoning = lint::Reasoning::new(examples);
                let (catalog, bodies) = (&resolved.catalog, &resolved.bodies);
                let subject = lint::Subject {
                    document: &document,
                    written: &written,
                    catalog,
                    bodies,
                    reasoning,
                    leading: lint::Leading::default(),
                };
                lint::run(&subject, resolved.warnings)
            };
            let diagnostics = [diagnostics, findings].concat();
            let sound = !diagnostics.iter().any(Diagnostic::is_error);
            let name = Some(document.at(&Pointer::root().key("catalog")));
            Compiled { catalog: sound.then_some(resolved.catalog), name, diagnostics }
        }
        Err(problems) => failed([diagnostics, problems].concat()),
    }
}

/// Compiles a catalog together with an expression that somebody asks about: the catalog's last fact, or the last
/// definition of the hook that it names. What is odd about the catalog is not asked for.
pub fn compile_asked(catalog: Written, asked: &Asked) -> Result<model::Catalog, Vec<Diagnostic>> {
    let Read { document, written, digest, diagnostics } = read(catalog)?;
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Err(diagnostics);
    }
    resolve::resolve_asked(&document, &written, &digest, Some(asked)).map(|resolved| resolved.catalog)
}

/// A catalog as written, and what is wrong with its text all the same.
struct Read {
    document: Document,
    written: catalog::Catalog,
    digest: String,
    diagnostics: Vec<Diagnostic>,
}

fn read(written: Written) -> Result<Read, Vec<Diagnostic>> {
    let Assembled { document, digest, diagnostics, .. } = assemble(written);
    let Some(document) = document else { return Err(diagnostics) };
    match schema::decode(&document) {
        Ok(mut written) => match guard::write_out(&mut written) {
            Ok(()) => Ok(Read { document, written, digest, diagnostics }),
            Err(bug) => Err(vec![
                Diagnostic::error(Code::Shape, bug.to_string()).primary(document.at(&Pointer::root().key("guard")), ""),
            ]),
        },
        Err(problems) => {
            let more = schema::partial(&document)
                .map(|(written, unsound)| resolve::problems(&document, &written, &unsound))
                .unwrap_or_default();
            Err([diagnostics, problems, more].concat())
        }
    }
}

fn failed(diagnostics: Vec<Diagnostic>) -> Compiled {
    Compiled { catalog: None, name: None, diagnostics }
}

#[cfg(test)]
mod robustness;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Mode;

    fn compiled(settings: &str, hook: &str) -> Compiled {
        let text = format!(
            "catalog: demo\nversion: 1.0.0\ndescription: A demo.\n{settings}\nhooks:\n  - id: H1\n    name: guard\n    \
             event: PreToolUse\n    timeout: 1s\n    fail_safe: closed\n    why: It is needed.\n    {hook}\n"
        );
        compile(Utf8Path::new("specs/demo.yaml"), text.into_bytes())
    }

    fn catalog(settings: &str, hook: &str) -> model::Catalog {
        let compiled = compiled(settings, hook);
        compiled.catalog.unwrap_or_else(|| panic!("{:?}", compiled.diagnostics))
    }

    const CHECKS: &str = "checks: [{ id: always, deny: no }]";

    #[test]
    fn a_hook_enforces_unless_it_says_otherwise() {
        let mode = |mode: &str| catalog("", &format!("{CHECKS}\n    {mode}")).hooks[0].mode;
        assert_eq!((mode(""), mode("mode: warn"), mode("mode: audit")), (Mode::Enforce, Mode::Warn, Mode::Audit));
        assert!(compiled("", &format!("{CHECKS}\n    mode: loud")).catalog.is_none());
    }

    #[test]
    fn a_model_s_decision_has_no_mode() {
        let hook = "type: prompt\n    prompt: Is it fine?";
        assert!(compiled("", hook).catalog.is_some());
        let refused = compiled("", &format!("{hook}\n    mode: warn"));
        assert!(refused.catalog.is_none());
        assert!(format!("{:?}", refused.diagnostics).contains("`mode` belongs to command hooks"));
    }

    #[test]
    fn failures_are_told_unless_the_catalog_says_otherwise() {
        assert!(catalog("", CHECKS).fail_open_notice && catalog("log: { verbose_env: V }", CHECKS).fail_open_notice);
        assert!(!catalog("log: { fail_open_notice: false }", CHECKS).fail_open_notice);
    }

    #[test]
    fn no_catalog_can_have_the_breaker_bypass_a_closed_hook() {
        let threshold = "thresholds: { strikes: { description: Failures, default: 3 } }";
        assert!(compiled(&format!("{threshold}\nbreaker: {{ after: strikes }}"), CHECKS).catalog.is_some());
        let refused = compiled(&format!("{threshold}\nbreaker: {{ after: strikes, closed_hooks: true }}"), CHECKS);
        assert!(refused.catalog.is_none());
        assert!(format!("{:?}", refused.diagnostics).contains("closed_hooks"));
    }
}
