//! What the emitters made: files, sets of files, and the whole tree under `generated/`.
//!
//! The only place that decides about line ends: LF, and exactly one at the end of a file.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};

use super::Bug;

/// The folder, in the project's root, that hookgen owns.
pub const ROOT: &str = "generated";

/// A file to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// Relative to the catalog's own output folder.
    pub path: Utf8PathBuf,
    pub text: String,
}

impl Output {
    pub fn new(path: impl Into<Utf8PathBuf>, text: impl Into<String>) -> Self {
        Self { path: path.into(), text: text.into() }
    }
}

/// The files of one folder, each claimed once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OutputSet {
    files: BTreeMap<Utf8PathBuf, String>,
}

impl OutputSet {
    /// Adds a file. A path that is taken, leaves the folder or lies below another file is a bug of its emitter.
    pub fn insert(&mut self, output: Output) -> Result<(), Bug> {
        let path = output.path;
        let plain = path.components().all(|component| matches!(component, Utf8Component::Normal(_)));
        if !plain || path.as_str().is_empty() {
            return Err(Bug::new(format!("`{path}` is not a path inside the output folder")));
        }
        let above = path.ancestors().skip(1).find(|above| self.files.contains_key(*above));
        let below = self.files.keys().find(|other| other.starts_with(&path) && **other != path);
        if let Some(other) = above.or(below.map(Utf8PathBuf::as_path)) {
            return Err(Bug::new(format!("`{path}` and `{other}` cannot both be files")));
        }
        match self.files.entry(path) {
            Entry::Occupied(taken) => Err(Bug::new(format!("`{}` is claimed twice", taken.key()))),
            Entry::Vacant(free) => {
                free.insert(normalised(&output.text));
                Ok(())
            }
        }
    }

    /// Paths and texts, in the order of the paths.
    pub fn iter(&self) -> impl Iterator<Item = (&Utf8Path, &str)> {
        self.files.iter().map(|(path, text)| (path.as_path(), text.as_str()))
    }

    /// The text of a file.
    pub fn get(&self, path: impl AsRef<Utf8Path>) -> Option<&str> {
        self.files.get(path.as_ref()).map(String::as_str)
    }

    pub fn len(&self) -> usize {
        self.files.len()
    }

    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }
}

/// LF only, and exactly one at the end.
fn normalised(text: &str) -> String {
    let mut text = text.replace("\r\n", "\n").replace('\r', "\n");
    text.truncate(text.trim_end_matches('\n').len());
    text.push('\n');
    text
}

/// A folder below [`ROOT`] and what it is made from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Folder {
    source: String,
    files: OutputSet,
}

/// What should be below [`ROOT`]: whole folders, each owned to the last file.
///
/// Folders that the tree does not name are nobody's business here. A folder without files is one that should be empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OutputTree {
    folders: BTreeMap<String, Folder>,
}

impl OutputTree {
    /// Owns a folder with these files, made from that source.
    pub fn add(&mut self, folder: &str, source: &str, files: OutputSet) -> Result<(), Bug> {
        if folder.is_empty() || matches!(folder, "." | "..") || folder.contains(['/', '\\']) {
            return Err(Bug::new(format!("`{folder}` is not the name of a folder")));
        }
        match self.folders.entry(folder.to_owned()) {
            Entry::Occupied(taken) => Err(Bug::new(format!("folder `{}` is claimed twice", taken.key()))),
            Entry::Vacant(free) => {
                free.insert(Folder { source: source.to_owned(), files });
                Ok(())
            }
        }
    }

    /// Adds a file that belongs to no catalog; the first component of its path is its folder.
    pub fn add_file(&mut self, source: &str, output: Output) -> Result<(), Bug> {
        let path = output.path;
        let Some(Utf8Component::Normal(folder)) = path.components().next() else {
            return Err(Bug::new(format!("`{path}` is not a path inside `{ROOT}`")));
        };
        let rest = path.strip_prefix(folder).unwrap_or(&path).to_owned();
        let owned = self.folders.entry(folder.to_owned()).or_default();
        source.clone_into(&mut owned.source);
        owned.files.insert(Output { path: rest, text: output.text })
    }

    /// Every file as (path from the project's root, source, text), in the order of the paths of each folder.
    pub fn files(&self) -> impl Iterator<Item = (Utf8PathBuf, &str, &str)> {
        self.folders.iter().flat_map(|(name, folder)| {
            let root = Utf8Path::new(ROOT).join(name);
            folder.files.iter().map(move |(path, text)| (root.join(path), folder.source.as_str(), text))
        })
    }

    /// The source of the folder that a path from the project's root lies in, if the tree owns that folder.
    pub fn source_of(&self, path: &Utf8Path) -> Option<&str> {
        let folder = path.strip_prefix(ROOT).ok()?.components().next()?;
        self.folders.get(folder.as_str()).map(|folder| folder.source.as_str())
    }

    /// Whether that path from the project's root is to be a file.
    pub fn claims(&self, path: &Utf8Path) -> bool {
        let Ok(inside) = path.strip_prefix(ROOT) else { return false };
        let mut components = inside.components();
        let folder = components.next().and_then(|name| self.folders.get(name.as_str()));
        folder.is_some_and(|folder| folder.files.get(components.as_path()).is_some())
    }

    /// Number of files.
    pub fn len(&self) -> usize {
        self.folders.values().map(|folder| folder.files.len()).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(files: &[(&str, &str)]) -> OutputSet {
        let mut set = OutputSet::default();
        for (path, text) in files {
            set.insert(Output::new(*path, *text)).expect("free");
        }
        set
    }

    #[test]
    fn line_ends_are_made_equal_once() {
        let set = set(&[("a", "x\r\ny\rz"), ("b", "x\n\n\n"), ("c", "")]);
        assert_eq!(set.get("a"), Some("x\ny\nz\n"));
        assert_eq!(set.get("b"), Some("x\n"));
        assert_eq!(set.get("c"), Some("\n"));
    }

    #[test]
    fn a_path_is_claimed_once_and_stays_inside() {
        let mut files = set(&[("docs/a.md", "x")]);
        for path in ["docs/a.md", "docs", "docs/a.md/b", "/etc/passwd", "../x", "", "docs/../../x"] {
            assert!(files.insert(Output::new(path, "x")).is_err(), "{path}");
        }
        files.insert(Output::new("docs/b.md", "x")).expect("free");
        assert_eq!(files.len(), 2);
    }

    #[test]
    fn a_tree_names_files_from_the_root_of_the_project() {
        let mut tree = OutputTree::default();
        tree.add("demo", "specs/demo.yaml", set(&[("hooks/hooks.json", "{}")])).expect("free");
        tree.add_file("hookgen", Output::new("schema/catalog.schema.json", "{}")).expect("free");
        let paths: Vec<_> = tree.files().map(|(path, source, _)| format!("{path} {source}")).collect();
        assert_eq!(
            paths,
            ["generated/demo/hooks/hooks.json specs/demo.yaml", "generated/schema/catalog.schema.json hookgen"]
        );
        assert!(tree.claims("generated/demo/hooks/hooks.json".into()));
        assert!(!tree.claims("generated/demo/hooks".into()));
        assert_eq!(tree.source_of("generated/demo/old.md".into()), Some("specs/demo.yaml"));
        assert_eq!(tree.source_of("generated/other/old.md".into()), None);
        assert!(tree.add("demo", "x", OutputSet::default()).is_err());
        assert!(tree.add("../demo", "x", OutputSet::default()).is_err());
    }
}
