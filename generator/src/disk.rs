//! Reads what is generated, and makes it what it should be; nobody else does.
//!
//! Nothing outside the folders that an [`OutputTree`] owns is ever written or removed, and no symbolic link below them
//! is followed. A file is replaced in one step, so that a reader sees the old text or the new one.

use std::fs;
use std::io::{ErrorKind, Read as _, Write as _};

use anyhow::{Context as _, Result, bail};
use camino::{Utf8Path, Utf8PathBuf};

use crate::drift::{Found, Snapshot};
use crate::emit::{OutputTree, ROOT};

/// Folders of generated crates, in which cargo leaves things of its own.
const CRATES: &[&str] = &["runtime", "hookgen-runtime"];

/// What cargo leaves there.
const CARGO_LEAVES: &[&str] = &["target", "Cargo.lock"];

/// What was done, by path from the project's root.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Report {
    pub created: Vec<Utf8PathBuf>,
    pub updated: Vec<Utf8PathBuf>,
    pub removed: Vec<Utf8PathBuf>,
    pub unchanged: Vec<Utf8PathBuf>,
}

/// The bytes of a regular file, one more than `limit` at most.
///
/// A pipe, a terminal or a device under a file's name is refused before it is opened: opening or reading one may wait
/// for ever.
pub(crate) fn read(path: &Utf8Path, limit: u64) -> std::io::Result<Vec<u8>> {
    let kind = fs::metadata(path)?;
    if kind.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    if !kind.is_file() {
        return Err(std::io::Error::other("it is not a regular file"));
    }
    let mut bytes = Vec::new();
    fs::File::open(path)?.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Removes a folder of which all that was generated has gone.
pub(crate) fn remove_folder(folder: &Utf8Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove `{folder}`"))
        }
        _ => Ok(()),
    }
}

/// Everything below the generated folders of the project at `root`.
pub fn snapshot(root: &Utf8Path) -> Result<Snapshot> {
    let mut found = Snapshot::default();
    let generated = root.join(ROOT);
    match fs::symlink_metadata(&generated) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(found),
        Err(error) => return Err(error).with_context(|| format!("cannot look at `{generated}`")),
        Ok(kind) if kind.is_dir() => {}
        Ok(_) => bail!("`{generated}` is not a folder; hookgen writes only into a folder of its own"),
    }
    for (name, kind) in entries(&generated)? {
        let path = Utf8Path::new(ROOT).join(name);
        // A file directly below the root belongs to no folder, and so to nobody here.
        if kind.is_dir() || kind.is_symlink() {
            walk(root, path, kind, &mut found)?;
        }
    }
    Ok(found)
}

fn walk(root: &Utf8Path, path: Utf8PathBuf, kind: fs::FileType, found: &mut Snapshot) -> Result<()> {
    let full = root.join(&path);
    if kind.is_dir() {
        for (name, kind) in entries(&full)? {
            if !is_cargo_leaf(&path, &name) {
                walk(root, path.join(name), kind, found)?;
            }
        }
        return Ok(());
    }
    let content = if kind.is_file() {
        Found::File(fs::read(&full).with_context(|| format!("cannot read `{full}`"))?)
    } else if kind.is_symlink() {
        Found::Link
    } else {
        Found::Special
    };
    found.files.insert(path, content);
    Ok(())
}

/// Names and kinds of what is in a folder, links as links.
pub(crate) fn entries(folder: &Utf8Path) -> Result<Vec<(String, fs::FileType)>> {
    let list = fs::read_dir(folder).with_context(|| format!("cannot list `{folder}`"))?;
    let mut entries = Vec::new();
    for entry in list {
        let entry = entry.with_context(|| format!("cannot list `{folder}`"))?;
        let kind = entry.file_type().with_context(|| format!("cannot look at `{}`", entry.path().display()))?;
        match entry.file_name().into_string() {
            Ok(name) => entries.push((name, kind)),
            Err(name) => bail!("`{}` in `{folder}` has a name that is not UTF-8", name.display()),
        }
    }
    Ok(entries)
}

fn is_cargo_leaf(folder: &Utf8Path, name: &str) -> bool {
    folder.file_name().is_some_and(|folder| CRATES.contains(&folder)) && CARGO_LEAVES.contains(&name)
}

/// Makes the owned folders of the project at `root` what the tree says, starting from what was found.
pub fn apply(root: &Utf8Path, tree: &OutputTree, found: &Snapshot) -> Result<Report> {
    let mut report = Report::default();
    for path in found.files.keys() {
        if tree.source_of(path).is_some() && !tree.claims(path) {
            remove(root, path)?;
            report.removed.push(path.clone());
        }
    }
    for (path, _, text) in tree.files() {
        match found.files.get(&path) {
            Some(Found::File(bytes)) if bytes == text.as_bytes() => report.unchanged.push(path),
            before => {
                write(&root.join(&path), text)?;
                if before.is_some() { report.updated.push(path) } else { report.created.push(path) }
            }
        }
    }
    Ok(report)
}

/// Removes a file, and the folders above it that are empty now, up to the root of everything generated.
fn remove(root: &Utf8Path, path: &Utf8Path) -> Result<()> {
    let full = root.join(path);
    match fs::remove_file(&full) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            return Err(error).with_context(|| format!("cannot remove `{full}`"));
        }
        _ => {}
    }
    for folder in path.ancestors().skip(1).take_while(|folder| *folder != ROOT && folder.starts_with(ROOT)) {
        // A folder that is not empty stays, and so does everything above it.
        if fs::remove_dir(root.join(folder)).is_err() {
            break;
        }
    }
    Ok(())
}

/// Replaces a file in one step: a new one beside it takes its name, its permissions and, if possible, its owner.
pub(crate) fn write(path: &Utf8Path, content: impl AsRef<[u8]>) -> Result<()> {
    let folder = path.parent().with_context(|| format!("`{path}` has no folder"))?;
    fs::create_dir_all(folder).with_context(|| format!("cannot create folder `{folder}`"))?;
    if path.is_dir() && !path.is_symlink() {
        fs::remove_dir(path).with_context(|| format!("cannot replace folder `{path}` with a file"))?;
    }
    let mut beside = new_file(folder).with_context(|| format!("cannot create a file in `{folder}`"))?;
    beside.write_all(content.as_ref()).with_context(|| format!("cannot write `{path}`"))?;
    if let Some(before) = fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file) {
        keep_access(beside.as_file(), &before).with_context(|| format!("cannot keep the permissions of `{path}`"))?;
    }
    beside.persist(path).with_context(|| format!("cannot replace `{path}`"))?;
    Ok(())
}

#[cfg(unix)]
fn keep_access(file: &fs::File, before: &fs::Metadata) -> std::io::Result<()> {
    use std::os::unix::fs::{MetadataExt as _, fchown};
    // Only the superuser can give files away, and must: whoever owned the file may be unable to read it otherwise.
    let _ = fchown(file, Some(before.uid()), Some(before.gid()));
    file.set_permissions(before.permissions())
}

#[cfg(not(unix))]
fn keep_access(file: &fs::File, before: &fs::Metadata) -> std::io::Result<()> {
    file.set_permissions(before.permissions())
}

/// A new file that everybody may read as far as the person's own mask allows.
fn new_file(folder: &Utf8Path) -> std::io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".hookgen-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drift;
    use crate::emit::fixture::tree;

    struct Project {
        folder: tempfile::TempDir,
    }

    impl Project {
        fn new(files: &[(&str, &str)]) -> Self {
            let project = Self { folder: tempfile::tempdir().expect("a folder") };
            for (path, text) in files {
                let path = project.root().join(path);
                fs::create_dir_all(path.parent().expect("a parent")).expect("folder");
                fs::write(path, text).expect("file");
            }
            project
        }

        fn root(&self) -> &Utf8Path {
            Utf8Path::from_path(self.folder.path()).expect("UTF-8")
        }

        fn apply(&self, tree: &OutputTree) -> Report {
            let found = snapshot(self.root()).expect("snapshot");
            apply(self.root(), tree, &found).expect("apply")
        }
    }

    fn paths(paths: &[Utf8PathBuf]) -> Vec<&str> {
        paths.iter().map(|path| path.as_str()).collect()
    }

    #[test]
    fn a_project_without_anything_generated_is_empty() {
        let project = Project::new(&[("specs/demo.yaml", "x")]);
        assert_eq!(snapshot(project.root()).expect("snapshot"), Snapshot::default());
    }

    #[test]
    fn applying_makes_disk_and_tree_equal_and_a_second_time_does_nothing() {
        let project = Project::new(&[
            ("generated/demo/same", "1\n"),
            ("generated/demo/old/deep/orphan", "x"),
            ("generated/demo/changed", "before"),
            ("generated/other/keep", "x"),
            ("generated/README.md", "x"),
        ]);
        let tree = tree(&[("same", "1"), ("changed", "after"), ("new/file", "x")]);
        let report = project.apply(&tree);
        assert_eq!(paths(&report.created), ["generated/demo/new/file"]);
        assert_eq!(paths(&report.updated), ["generated/demo/changed"]);
        assert_eq!(paths(&report.removed), ["generated/demo/old/deep/orphan"]);
        assert_eq!(paths(&report.unchanged), ["generated/demo/same"]);
        assert!(!project.root().join("generated/demo/old").exists());
        assert!(project.root().join("generated/other/keep").exists());
        assert!(project.root().join("generated/README.md").exists());

        let found = snapshot(project.root()).expect("snapshot");
        assert_eq!(drift::compare(&tree, &found), []);
        let again = project.apply(&tree);
        assert_eq!(again.unchanged.len(), 3);
        assert!(again.created.is_empty() && again.updated.is_empty() && again.removed.is_empty());
    }

    #[test]
    fn a_folder_that_should_be_empty_goes_away() {
        let project = Project::new(&[("generated/demo/a/b", "x"), ("generated/other/keep", "x")]);
        project.apply(&tree(&[]));
        assert!(!project.root().join("generated/demo").exists());
        assert!(project.root().join("generated/other/keep").exists());
    }

    #[test]
    fn what_cargo_leaves_in_a_crate_is_nobody_s_and_elsewhere_it_is_an_orphan() {
        let project = Project::new(&[
            ("generated/demo/runtime/target/debug/x", "x"),
            ("generated/demo/runtime/Cargo.lock", "x"),
            ("generated/demo/docs/target/x", "x"),
        ]);
        let found = snapshot(project.root()).expect("snapshot");
        let seen: Vec<_> = found.files.keys().map(|path| path.as_str()).collect();
        assert_eq!(seen, ["generated/demo/docs/target/x"]);
        project.apply(&tree(&[]));
        assert!(project.root().join("generated/demo/runtime/target/debug/x").exists());
    }

    #[test]
    fn a_folder_in_a_file_s_place_gives_way() {
        let project = Project::new(&[("generated/demo/a/inner", "x")]);
        fs::create_dir(project.root().join("generated/demo/b")).expect("folder");
        project.apply(&tree(&[("a", "x"), ("b", "y")]));
        assert_eq!(fs::read_to_string(project.root().join("generated/demo/a")).expect("text"), "x\n");
        assert_eq!(fs::read_to_string(project.root().join("generated/demo/b")).expect("text"), "y\n");
    }

    #[cfg(unix)]
    #[test]
    fn links_are_replaced_and_never_followed() {
        use std::os::unix::fs::symlink;
        let project = Project::new(&[("secret/file", "keep"), ("generated/demo/x", "x")]);
        let outside = project.root().join("secret");
        symlink(&outside, project.root().join("generated/demo/docs")).expect("link");
        symlink(outside.join("file"), project.root().join("generated/demo/plain")).expect("link");
        let tree = tree(&[("docs/file", "mine"), ("plain", "mine")]);
        let report = project.apply(&tree);
        assert_eq!(paths(&report.updated), ["generated/demo/plain"]);
        assert_eq!(fs::read_to_string(outside.join("file")).expect("text"), "keep");
        assert_eq!(fs::read_to_string(project.root().join("generated/demo/docs/file")).expect("text"), "mine\n");
        assert!(!project.root().join("generated/demo/plain").is_symlink());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_as_the_root_is_refused_by_name() {
        let project = Project::new(&[("elsewhere/x", "x")]);
        std::os::unix::fs::symlink("elsewhere", project.root().join("generated")).expect("link");
        let error = snapshot(project.root()).expect_err("refused").to_string();
        assert!(error.contains("generated` is not a folder"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn a_file_keeps_its_permissions_and_a_new_one_gets_the_usual_ones() {
        use std::os::unix::fs::PermissionsExt as _;
        let project = Project::new(&[("a", "x"), ("usual", "x")]);
        let mode = |name: &str| fs::metadata(project.root().join(name)).expect("there").permissions().mode() & 0o777;
        fs::set_permissions(project.root().join("a"), fs::Permissions::from_mode(0o600)).expect("set");
        for name in ["a", "new"] {
            write(&project.root().join(name), "y").expect("written");
        }
        assert_eq!((mode("a"), mode("new")), (0o600, mode("usual")));
    }

    #[test]
    fn trouble_names_the_path_and_what_was_being_done() {
        let project = Project::new(&[("generated/demo", "a file where a folder must be")]);
        let error = apply(project.root(), &tree(&[("a", "x")]), &Snapshot::default()).expect_err("refused");
        assert!(error.to_string().starts_with("cannot create folder `"), "{error}");
    }
}
