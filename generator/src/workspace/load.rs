//! A project's catalogs compiled, and everything that should be generated from them.

use anyhow::Context as _;
use camino::Utf8Path;

use super::{Library, Project, Spec, library};
use crate::assemble::{Written, assemble};
use crate::compile::compile_written;
use crate::diagnostic::{Code, Diagnostic};
use crate::disk;
use crate::document::Document;
use crate::drift::{Found, Snapshot};
use crate::emit::{self, Bug, Output, OutputSet, OutputTree, ROOT, Target};
use crate::model;
use crate::parallel;
use crate::source::{Location, SIZE_LIMIT, Source, plain_reason};

/// Folders below everything generated that belong to all catalogs.
const COMMON: &[&str] = &["schema", "reference"];

/// Where it says what the cases of a catalog prove, in the catalog's folder.
pub const PROOF: &str = "docs/PROOF.md";

/// The catalog whose crate would be called as the library is.
const NAMESAKE: &str = "hookgen";

/// The catalogs of a project, compiled.
#[derive(Debug)]
pub struct Loaded<'p> {
    pub project: &'p Project,
    /// Those without errors, in the order in which they were asked for.
    pub catalogs: Vec<model::Catalog>,
    /// Where each of them says its name.
    names: Vec<Location>,
    /// What is wrong, in all of them.
    pub diagnostics: Vec<Diagnostic>,
}

impl<'p> Loaded<'p> {
    /// Reads and compiles every catalog of the project, whatever is wrong with the others.
    pub fn new(project: &'p Project) -> Self {
        let mut loaded = Self { project, catalogs: Vec::new(), names: Vec::new(), diagnostics: Vec::new() };
        let compiled = parallel::map(&project.specs, parallel::cores(), |spec| read_spec(spec).map(compile_written));
        for compiled in compiled {
            match compiled {
                Ok(compiled) => {
                    loaded.diagnostics.extend(compiled.diagnostics);
                    if let Some((catalog, name)) = compiled.catalog.zip(compiled.name) {
                        loaded.admit(catalog, name);
                    }
                }
                Err(diagnostic) => loaded.diagnostics.push(diagnostic),
            }
        }
        loaded
    }

    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }

    /// Takes a catalog in, unless its output folder or the name of its program is taken.
    fn admit(&mut self, catalog: model::Catalog, here: Location) {
        let mut earlier = self.catalogs.iter().zip(&self.names);
        let first = earlier.clone().find(|(other, _)| other.name == catalog.name);
        let twin = earlier.find(|(other, _)| other.binary == catalog.binary);
        if COMMON.contains(&catalog.name.as_str()) || catalog.name == NAMESAKE {
            let message = format!("a catalog cannot be called `{}`", catalog.name);
            self.diagnostics.push(
                Diagnostic::error(Code::NameClash, message)
                    .primary(here, "taken")
                    .help("hookgen keeps that name for itself; choose another one"),
            );
        } else if let Some((_, first)) = first {
            let message = format!("two catalogs are called `{}`", catalog.name);
            self.diagnostics.push(
                Diagnostic::error(Code::DuplicateId, message)
                    .primary(here, "called so again")
                    .secondary(first.clone(), "first called so")
                    .help("output goes to a folder that is named after the catalog, so each name must be unique"),
            );
        } else if let Some((other, place)) = twin {
            let message = format!("two catalogs make a program called `{}`", catalog.binary);
            self.diagnostics.push(
                Diagnostic::error(Code::DuplicateId, message)
                    .primary(here, "makes one")
                    .secondary(place.clone(), format!("so does `{}`", other.name))
                    .help("give one of them another `binary`"),
            );
        } else {
            self.catalogs.push(catalog);
            self.names.push(here);
        }
    }

    /// The text of a catalog, with the places in it.
    pub fn document(&self, catalog: &model::Catalog) -> anyhow::Result<Document> {
        let spec = self.project.specs.iter().find(|spec| spec.shown == catalog.source);
        let spec = spec.with_context(|| format!("`{}` is none of the catalogs", catalog.source))?;
        let written = read_spec(spec).map_err(|_| anyhow::anyhow!("`{}` cannot be read any more", spec.shown))?;
        assemble(written).document.with_context(|| format!("`{}` has changed meanwhile", spec.shown))
    }

    /// The files of one catalog.
    pub fn outputs(&self, catalog: &model::Catalog) -> Result<OutputSet, Bug> {
        emit::emit(catalog, &target(self.project.library))
    }

    /// Everything that should be generated. Catalogs with errors own nothing: what is there of them stays.
    pub fn tree(&self, found: &Snapshot) -> Result<OutputTree, Bug> {
        let mut tree = OutputTree::default();
        let outputs = parallel::map(&self.catalogs, parallel::cores(), |catalog| self.outputs(catalog));
        for (catalog, files) in self.catalogs.iter().zip(outputs) {
            let mut files = files?;
            if let Some(kept) = proof(found, catalog) {
                files.insert(kept)?;
            }
            tree.add(&catalog.name, &catalog.source, files)?;
        }
        tree.add_file("hookgen", emit::schema_output()?)?;
        let pages = [
            emit::functions_output,
            emit::events_output,
            emit::replies_output,
            emit::faults_output,
            emit::agents_output,
        ];
        for output in pages.map(|page| page()) {
            tree.add_file("hookgen", output)?;
        }
        for output in emit::audit_outputs()? {
            tree.add_file("hookgen", output)?;
        }
        for folder in self.left_over(found) {
            tree.add(folder, "specs", OutputSet::default())?;
        }
        Ok(tree)
    }

    /// Folders that catalogs left behind which no longer exist. Only known when every catalog could be read.
    pub fn left_over<'f>(&self, found: &'f Snapshot) -> Vec<&'f str> {
        if !self.project.whole || self.has_errors() {
            return Vec::new();
        }
        let wanted =
            |folder: &str| self.catalogs.iter().any(|catalog| catalog.name == folder) || COMMON.contains(&folder);
        found.folders().into_iter().filter(|folder| !wanted(folder) && is_generated(found, folder)).collect()
    }
}

/// What was last proved of a catalog, as it is: what the cases come to is found out by running them, not by reading the
/// catalog, so `hookgen ci` writes it and holds it to what it finds.
fn proof(found: &Snapshot, catalog: &model::Catalog) -> Option<Output> {
    match found.files.get(&Utf8Path::new(ROOT).join(&catalog.name).join(PROOF))? {
        Found::File(bytes) => Some(Output::new(PROOF, String::from_utf8(bytes.clone()).ok()?)),
        Found::Link | Found::Special => None,
    }
}

/// Whether a folder bears hookgen's mark: a plugin's manifest, or a file that says so in its first line.
fn is_generated(found: &Snapshot, folder: &str) -> bool {
    let folder = Utf8Path::new(ROOT).join(folder);
    found.files.iter().filter(|(path, _)| path.starts_with(&folder)).any(|(path, content)| {
        let Found::File(bytes) = content else { return false };
        let first = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
        path.ends_with(".claude-plugin/plugin.json") || String::from_utf8_lossy(first).contains("@generated by hookgen")
    })
}

/// The library as a generated manifest must name it: from three folders below the project's root, or from where crates
/// and library are put side by side to be compiled.
fn target(library: Library) -> Target {
    let runtime_path = match library {
        Library::Project => "../../../runtime".to_owned(),
        Library::Embedded => format!("../{}", library::PACKAGE),
    };
    Target { runtime_path }
}

/// The bytes of a catalog, one more than the limit at most: what is too large is refused by whoever reads the text.
fn read(spec: &Spec) -> Result<Vec<u8>, Diagnostic> {
    disk::read(&spec.path, SIZE_LIMIT).map_err(|error| {
        Diagnostic::error(Code::UnreadableFile, format!("cannot read the file: {}", plain_reason(&error)))
            .primary(Location::file(&spec.shown), "")
            .help("check the path and the permissions; a catalog is one YAML file")
    })
}

/// A catalog's text, and where its other files are.
pub fn read_spec(spec: &Spec) -> Result<Written, Diagnostic> {
    let source = Source::from_bytes(&spec.shown, read(spec)?)?;
    let place = spec.path.ancestors().nth(spec.shown.components().count()).map(Utf8Path::to_owned);
    Ok(Written { source, place, open: std::collections::BTreeMap::new() })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::fixture::project;
    use super::*;

    /// A catalog of one hook under that name.
    fn catalog(name: &str) -> String {
        format!(
            "catalog: {name}
version: 1.0.0
description: Keeps secrets out of reach.
hooks:
  - id: H01
    name: guard-env-file
    event: PreToolUse
    matcher: Read
    timeout: 3s
    fail_safe: closed
    why: Secrets do not belong in a transcript.
    checks:
      - id: env-file
        when: tool_input.file_path.endsWith('/.env')
        deny: No secrets.
"
        )
    }

    fn whole(root: &Utf8Path) -> Project {
        super::super::find(root, &[]).expect("found").remove(0)
    }

    fn errors(loaded: &Loaded<'_>) -> Vec<&'static str> {
        loaded.diagnostics.iter().filter(|found| found.is_error()).map(|found| found.code.id()).collect()
    }

    #[test]
    fn a_broken_catalog_owns_nothing_and_the_others_are_made() {
        let (_folder, root) = project(&[("specs/a.yaml", &catalog("alpha")), ("specs/b.yaml", "catalog: [\n")]);
        let project = whole(&root);
        let loaded = Loaded::new(&project);
        assert!(loaded.has_errors());
        let tree = loaded.tree(&Snapshot::default()).expect("a tree");
        let paths: Vec<_> = tree.files().map(|(path, _, _)| path.to_string()).collect();
        assert!(paths.iter().any(|path| path == "generated/alpha/hooks/hooks.json"), "{paths:?}");
        assert!(paths.iter().any(|path| path == "generated/schema/catalog.schema.json"), "{paths:?}");
        assert!(paths.iter().any(|path| path == "generated/reference/FUNCTIONS.md"), "{paths:?}");
        assert!(!paths.iter().any(|path| path.starts_with("generated/bravo")), "{paths:?}");
    }

    #[test]
    fn two_catalogs_of_one_name_and_a_reserved_one_are_refused() {
        let (_folder, root) = project(&[
            ("specs/a.yaml", &catalog("alpha")),
            ("specs/b.yaml", &catalog("alpha")),
            ("specs/c.yaml", &catalog("schema")),
            ("specs/d.yaml", &catalog("hookgen")),
        ]);
        let project = whole(&root);
        let loaded = Loaded::new(&project);
        assert_eq!(errors(&loaded), ["HG201", "HG203", "HG203"]);
        assert_eq!(loaded.catalogs.len(), 1);
    }

    #[test]
    fn a_file_that_cannot_be_read_is_a_finding() {
        let (_folder, root) = project(&[("specs/a.yaml", &catalog("alpha"))]);
        for missing in ["specs/missing.yaml", "specs/../specs"] {
            let projects = super::super::find(&root, &[missing.to_owned()]).expect("found");
            assert_eq!(errors(&Loaded::new(&projects[0])), ["HG001"], "{missing}");
        }
    }

    #[test]
    fn the_output_of_a_catalog_that_is_gone_is_left_over() {
        let alpha = catalog("alpha");
        let (_folder, root) = project(&[
            ("specs/a.yaml", alpha.as_str()),
            ("generated/gone/.claude-plugin/plugin.json", "{}"),
            ("generated/half-gone/runtime/src/main.rs", "//! @generated by hookgen from specs/x.yaml.\n"),
            ("generated/foreign/notes.md", "mine\n"),
            ("generated/alpha/old.md", ""),
        ]);
        let found = disk::snapshot(&root).expect("a snapshot");
        let project = whole(&root);
        assert_eq!(Loaded::new(&project).left_over(&found), ["gone", "half-gone"]);
        let one = super::super::find(&root, &["alpha".to_owned()]).expect("found");
        assert_eq!(Loaded::new(&one[0]).left_over(&found), Vec::<&str>::new());
        fs::write(root.join("specs/b.yaml"), "catalog: [\n").expect("written");
        let broken = whole(&root);
        assert_eq!(Loaded::new(&broken).left_over(&found), Vec::<&str>::new());
    }

    #[test]
    fn output_does_not_depend_on_the_current_folder() {
        let alpha = catalog("alpha");
        let (_folder, root) = project(&[("specs/a.yaml", alpha.as_str()), ("deep/er/x", "")]);
        let from = |folder: &str, wanted: &str| {
            let project = super::super::find(&root.join(folder), &[wanted.to_owned()]).expect("found").remove(0);
            Loaded::new(&project).tree(&Snapshot::default()).expect("a tree")
        };
        assert_eq!(from("", "specs/a.yaml"), from("deep/er", "alpha"));
        assert_eq!(from("specs", "a.yaml"), from("deep", "../specs/a.yaml"));
        assert_eq!(from("", "alpha"), from("specs", "./a.yaml"));
    }

    #[test]
    fn nobody_gets_a_copy_of_the_library_and_one_of_an_earlier_version_is_left_over() {
        let alpha = catalog("alpha");
        let (_folder, root) = project(&[
            ("specs/a.yaml", alpha.as_str()),
            ("generated/hookgen-runtime/Cargo.toml", "# @generated by hookgen from its own runtime library.\n"),
        ]);
        let found = disk::snapshot(&root).expect("a snapshot");
        let project = whole(&root);
        let loaded = Loaded::new(&project);
        assert_eq!(loaded.left_over(&found), ["hookgen-runtime"]);
        let tree = loaded.tree(&found).expect("a tree");
        assert!(!tree.files().any(|(path, _, _)| path.starts_with("generated/hookgen-runtime")));
    }
}
