//! A project to try things on.

use std::fs;

use camino::Utf8PathBuf;
use tempfile::TempDir;

/// A folder with these files, and its path.
pub(super) fn project(files: &[(&str, &str)]) -> (TempDir, Utf8PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let root = Utf8PathBuf::try_from(folder.path().to_path_buf()).expect("UTF-8");
    for (path, text) in files {
        let path = root.join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("created");
        fs::write(path, text).expect("written");
    }
    (folder, root)
}
