//! Which catalogs there are, which project each belongs to, and where its output goes.
//!
//! What is generated depends on the project alone, never on the folder in which hookgen was started.

#[cfg(test)]
mod fixture;
mod ignore;
pub(crate) mod library;
mod load;
mod manifest;

pub(crate) use ignore::DIST;
pub use ignore::{Ignoring, ignore_output};
pub use load::{Loaded, PROOF, read_spec};
pub use manifest::package_name;

use anyhow::{Context as _, bail};
use camino::{Utf8Component, Utf8Path, Utf8PathBuf};

use crate::diagnostic::did_you_mean;
use crate::disk;
use crate::source::SIZE_LIMIT;

/// The folder in which a project keeps its catalogs.
pub(crate) const SPECS: &str = "specs";

/// The name of a catalog file that has a folder of its own.
pub(crate) const CATALOG_FILE: &str = "catalog.yaml";

/// A folder with catalogs and what is made from them.
#[derive(Debug, PartialEq, Eq)]
pub struct Project {
    /// Its top folder; absolute.
    pub root: Utf8PathBuf,
    /// The catalogs that were asked for.
    pub specs: Vec<Spec>,
    /// Whether these are all catalogs of the project, so that output of any other is left over.
    pub whole: bool,
    /// Where the crates find their library.
    pub library: Library,
}

/// A catalog file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spec {
    /// Where it is; absolute.
    pub path: Utf8PathBuf,
    /// How people name it: from the project's root.
    pub shown: Utf8PathBuf,
}

/// The runtime library that generated crates link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Library {
    /// The project has it; generated crates are members of its workspace.
    Project,
    /// hookgen brings its own copy along when it compiles them.
    Embedded,
}

/// The projects of the catalogs that were asked for, by path or by name; without any, all of the nearest project.
pub fn find(current: &Utf8Path, wanted: &[String]) -> anyhow::Result<Vec<Project>> {
    if wanted.is_empty() {
        let root = nearest(current)
            .with_context(|| format!("there is no `{SPECS}` folder in `{current}` or above; `hookgen init <name>` writes a first catalog, or name a catalog file"))?;
        let specs = catalogs(root)?;
        if specs.is_empty() {
            bail!("`{}` holds no catalog: neither `*.yaml`, `*.yml` nor `*/{CATALOG_FILE}`", root.join(SPECS));
        }
        return Ok(vec![Project { root: root.to_owned(), specs, whole: true, library: library_of(root) }]);
    }
    let mut projects: Vec<Project> = Vec::new();
    for wanted in wanted {
        let (root, spec) = if is_path(current, wanted) { by_path(current, wanted) } else { by_name(current, wanted)? };
        match projects.iter_mut().find(|project| project.root == root) {
            Some(project) if project.specs.contains(&spec) => {}
            Some(project) => project.specs.push(spec),
            None => {
                let library = library_of(&root);
                projects.push(Project { root, specs: vec![spec], whole: false, library });
            }
        }
    }
    Ok(projects)
}

/// The folder at or above the current one that has catalogs.
fn nearest(current: &Utf8Path) -> Option<&Utf8Path> {
    current.ancestors().find(|folder| folder.join(SPECS).is_dir())
}

/// Every catalog of a project, in the order of the paths.
pub(crate) fn catalogs(root: &Utf8Path) -> anyhow::Result<Vec<Spec>> {
    let specs = root.join(SPECS);
    let mut found = Vec::new();
    for entry in specs.read_dir_utf8().with_context(|| format!("cannot list `{specs}`"))? {
        let path = entry.with_context(|| format!("cannot list `{specs}`"))?.into_path();
        if path.is_dir() {
            let own = path.join(CATALOG_FILE);
            if own.is_file() {
                found.push(spec(root, own));
            }
        } else if matches!(path.extension(), Some("yaml" | "yml")) {
            found.push(spec(root, path));
        }
    }
    found.sort();
    Ok(found)
}

fn spec(root: &Utf8Path, path: Utf8PathBuf) -> Spec {
    let shown = path.strip_prefix(root).unwrap_or(&path).as_str().replace('\\', "/").into();
    Spec { path, shown }
}

fn is_path(current: &Utf8Path, wanted: &str) -> bool {
    let path = Utf8Path::new(wanted);
    wanted.contains(['/', '\\']) || matches!(path.extension(), Some("yaml" | "yml")) || current.join(path).is_file()
}

/// The top folder of the project that a file belongs to, and how people name the file there.
pub(crate) fn of_file(path: &Utf8Path) -> (Utf8PathBuf, Spec) {
    by_path(Utf8Path::new(""), path.as_str())
}

fn by_path(current: &Utf8Path, wanted: &str) -> (Utf8PathBuf, Spec) {
    let path = normal(&current.join(wanted));
    let own = path.join(CATALOG_FILE);
    let path = if own.is_file() { own } else { path };
    let specs = path.ancestors().skip(1).find(|folder| folder.file_name() == Some(SPECS));
    let root = specs.or(Some(&path)).and_then(Utf8Path::parent).unwrap_or(current).to_owned();
    let spec = spec(&root, path);
    (root, spec)
}

fn by_name(current: &Utf8Path, wanted: &str) -> anyhow::Result<(Utf8PathBuf, Spec)> {
    let root = nearest(current)
        .with_context(|| format!("no file is called `{wanted}`, and there is no `{SPECS}` folder here or above"))?;
    let mut specs = catalogs(root)?;
    let names: Vec<Vec<String>> = specs.iter().map(names).collect();
    if let Some(position) = names.iter().position(|names| names.iter().any(|name| name == wanted)) {
        return Ok((root.to_owned(), specs.swap_remove(position)));
    }
    let known: Vec<&str> = names.iter().filter_map(|names| names.first()).map(String::as_str).collect();
    match did_you_mean(wanted, known.iter().copied()) {
        Some(near) => bail!("no catalog is called `{wanted}`; did you mean `{near}`?"),
        None if known.is_empty() => bail!("no catalog is called `{wanted}`; `{SPECS}` holds none at all"),
        None => bail!("no catalog is called `{wanted}`; there are {}", known.join(", ")),
    }
}

/// What a catalog goes by: the name it gives itself, if that is easily seen, and that of its file or folder.
fn names(spec: &Spec) -> Vec<String> {
    let own = text(&spec.path);
    let own = own.lines().find_map(|line| line.strip_prefix("catalog:"));
    let own = own.map(|name| name.trim().trim_matches(['"', '\'']).to_owned());
    let file = match spec.path.file_name() {
        Some(CATALOG_FILE) => spec.path.parent().and_then(Utf8Path::file_name),
        _ => spec.path.file_stem(),
    };
    own.into_iter().chain(file.map(str::to_owned)).collect()
}

fn library_of(root: &Utf8Path) -> Library {
    let manifest = text(&root.join("runtime/Cargo.toml"));
    if package_name(&manifest) == Some(library::PACKAGE) { Library::Project } else { Library::Embedded }
}

/// The beginning of a file, for a glance at it; empty if there is none to be had.
fn text(path: &Utf8Path) -> String {
    disk::read(path, SIZE_LIMIT).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
}

/// The path without `.` and `..`, by its text alone.
pub(crate) fn normal(path: &Utf8Path) -> Utf8PathBuf {
    let mut normal = Utf8PathBuf::new();
    for component in path.components() {
        match component {
            Utf8Component::CurDir => {}
            Utf8Component::ParentDir => {
                normal.pop();
            }
            other => normal.push(other),
        }
    }
    normal
}

#[cfg(test)]
mod tests {
    use super::fixture::project;
    use super::*;

    fn shown(projects: &[Project]) -> Vec<&str> {
        projects.iter().flat_map(|project| &project.specs).map(|spec| spec.shown.as_str()).collect()
    }

    const FILES: &[(&str, &str)] = &[
        ("specs/b.yaml", "catalog: bravo\n"),
        ("specs/a.yaml", "catalog: \"alpha\"\n"),
        ("specs/own/catalog.yaml", "catalog: own-catalog\n"),
        ("specs/own/part.yaml", ""),
        ("specs/other/notes.yaml", ""),
        ("specs/readme.md", ""),
        ("deep/er/x", ""),
    ];

    #[test]
    fn all_catalogs_are_found_from_anywhere_below() {
        let (_folder, root) = project(FILES);
        for start in ["", "deep/er", "specs", "specs/own"] {
            let projects = find(&root.join(start), &[]).expect("found");
            assert_eq!(shown(&projects), ["specs/a.yaml", "specs/b.yaml", "specs/own/catalog.yaml"], "{start}");
            assert!(projects[0].whole && projects[0].root == root);
        }
    }

    #[test]
    fn a_path_belongs_to_the_project_around_its_specs() {
        let (_folder, root) = project(FILES);
        let from_root = find(&root, &["specs/own/catalog.yaml".to_owned()]).expect("found");
        let from_below = find(&root.join("deep/er"), &["../../specs/own/catalog.yaml".to_owned()]).expect("found");
        assert_eq!(from_root, from_below);
        assert_eq!((&from_root[0].root, shown(&from_root)), (&root, vec!["specs/own/catalog.yaml"]));
        assert!(!from_root[0].whole);
    }

    #[test]
    fn a_path_elsewhere_is_a_project_of_its_own() {
        let (_folder, root) = project(&[("x/demo.yaml", ""), ("specs/a.yaml", "")]);
        let projects = find(&root, &["x/demo.yaml".to_owned(), "specs/a.yaml".to_owned()]).expect("found");
        assert_eq!(projects.len(), 2);
        assert_eq!((&projects[0].root, projects[0].specs[0].shown.as_str()), (&root.join("x"), "demo.yaml"));
    }

    #[test]
    fn a_catalog_is_found_by_its_own_name_its_file_or_its_folder() {
        let (_folder, root) = project(FILES);
        for (name, path) in [
            ("alpha", "specs/a.yaml"),
            ("b", "specs/b.yaml"),
            ("own", "specs/own/catalog.yaml"),
            ("bravo", "specs/b.yaml"),
        ] {
            assert_eq!(shown(&find(&root, &[name.to_owned()]).expect("found")), [path], "{name}");
        }
        let twice = find(&root, &["alpha".to_owned(), "specs/a.yaml".to_owned()]).expect("found");
        assert_eq!(shown(&twice), ["specs/a.yaml"]);
    }

    #[test]
    fn an_unknown_name_gets_a_suggestion_or_the_list() {
        let (_folder, root) = project(FILES);
        let error = |name: &str| find(&root, &[name.to_owned()]).expect_err(name).to_string();
        assert_eq!(error("alhpa"), "no catalog is called `alhpa`; did you mean `alpha`?");
        assert_eq!(error("zzzzzz"), "no catalog is called `zzzzzz`; there are alpha, bravo, own-catalog");
    }

    #[test]
    fn a_folder_without_catalogs_says_so() {
        let (_folder, root) = project(&[("specs/readme.md", ""), ("specs/x/y.yaml", "")]);
        let error = find(&root, &[]).expect_err("empty").to_string();
        assert!(error.contains("holds no catalog"), "{error}");
    }

    #[test]
    fn the_library_is_the_projects_own_only_if_it_is_that_package() {
        let (_folder, root) = project(FILES);
        assert_eq!(library_of(&root), Library::Embedded);
        let (_folder, root) = project(&[("runtime/Cargo.toml", "[package]\nname = \"hookgen-runtime\"\n")]);
        assert_eq!(library_of(&root), Library::Project);
        let (_folder, root) = project(&[("runtime/Cargo.toml", "[package]\nname = \"engine\"\n")]);
        assert_eq!(library_of(&root), Library::Embedded);
    }
}
