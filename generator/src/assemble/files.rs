//! Where the files of a catalog are read.

use std::collections::BTreeMap;

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};

use crate::disk;
use crate::source::{SIZE_LIMIT, Source, plain_reason};
use crate::workspace::normal;

/// The text of a catalog, and where its other files are.
#[derive(Debug)]
pub struct Written {
    pub source: Source,
    /// The top folder of its project; without one, it is all there is.
    pub place: Option<Utf8PathBuf>,
    /// Texts that count instead of what lies on the disk, by their paths from there: an editor has them open.
    pub open: BTreeMap<Utf8PathBuf, String>,
}

impl Written {
    /// A text that belongs to no project.
    pub fn alone(source: Source) -> Self {
        Self { source, place: None, open: BTreeMap::new() }
    }
}

/// The files of a project, by the paths that people know them by.
pub(super) struct Files {
    root: Option<Utf8PathBuf>,
    open: BTreeMap<Utf8PathBuf, String>,
}

impl Files {
    pub(super) fn new(root: Option<Utf8PathBuf>, open: BTreeMap<Utf8PathBuf, String>) -> Self {
        Self { root, open }
    }

    /// The file that another one names, or why there is none to be had.
    pub(super) fn read(&self, from: &Utf8Path, written: &str) -> Result<Source, String> {
        let folder = from.parent().unwrap_or(Utf8Path::new(""));
        let depth = folder.components().filter(|part| matches!(part, Utf8Component::Normal(_))).count();
        if written.contains("://") {
            return Err("nothing is downloaded; put a copy into the project".to_owned());
        }
        if Utf8Path::new(written).is_absolute() || leaves(written, depth) {
            return Err("it is outside of the project".to_owned());
        }
        let shown = Utf8PathBuf::from(normal(&folder.join(written)).as_str().replace('\\', "/"));
        if let Some(text) = self.open.get(&shown) {
            return Source::from_bytes(&shown, text.as_bytes().to_vec()).map_err(|diagnostic| diagnostic.message);
        }
        let root = self.root.as_ref().ok_or_else(|| "this text has no folder".to_owned())?;
        let bytes = disk::read(&root.join(&shown), SIZE_LIMIT).map_err(|error| plain_reason(&error))?;
        Source::from_bytes(&shown, bytes).map_err(|diagnostic| diagnostic.message)
    }

    /// The YAML files of a folder beside a file, by name.
    pub(super) fn list(&self, from: &Utf8Path, folder: &str) -> Vec<String> {
        let Some(root) = &self.root else { return Vec::new() };
        let place = root.join(from.parent().unwrap_or(Utf8Path::new(""))).join(folder);
        let entries = place.read_dir_utf8().into_iter().flatten().flatten();
        let is_yaml = |path: &Utf8Path| matches!(path.extension(), Some("yaml" | "yml")) && path.is_file();
        let files =
            entries.filter(|entry| is_yaml(entry.path())).map(|entry| format!("{folder}/{}", entry.file_name()));
        let mut files: Vec<String> = files.collect();
        files.sort();
        files
    }
}

/// Whether a path goes further up than there are folders.
fn leaves(written: &str, depth: usize) -> bool {
    let mut left = depth;
    for part in Utf8Path::new(written).components() {
        match part {
            Utf8Component::ParentDir if left == 0 => return true,
            Utf8Component::ParentDir => left -= 1,
            Utf8Component::Normal(_) => left += 1,
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_may_go_up_to_the_top_of_the_project_and_no_further() {
        assert!(!leaves("../beside/x.yaml", 1) && !leaves("a/../../x.yaml", 1));
        assert!(leaves("../../x.yaml", 1) && leaves("a/../../../x.yaml", 1));
    }
}
