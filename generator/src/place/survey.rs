//! What is in a place, without following a link.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context as _, bail};
use camino::{Utf8Path, Utf8PathBuf};

use crate::disk;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    File,
    Link,
    Folder,
}

/// Everything in a folder, by its path from there.
#[derive(Debug, Default)]
pub(super) struct Survey {
    folder: Utf8PathBuf,
    pub(super) entries: BTreeMap<Utf8PathBuf, Kind>,
}

impl Survey {
    /// Looks at all of a folder. What could not be taken over as it is, is refused.
    pub(super) fn of(folder: &Utf8Path) -> anyhow::Result<Self> {
        let mut survey = Self { folder: folder.to_owned(), entries: BTreeMap::new() };
        let around = fs::symlink_metadata(folder).with_context(|| format!("cannot look at `{folder}`"))?;
        survey.walk(Utf8Path::new(""), &around)?;
        Ok(survey)
    }

    fn walk(&mut self, inside: &Utf8Path, around: &fs::Metadata) -> anyhow::Result<()> {
        for (name, _) in disk::entries(&self.folder.join(inside))? {
            let path = inside.join(&name);
            let full = self.folder.join(&path);
            let found = fs::symlink_metadata(&full).with_context(|| format!("cannot look at `{full}`"))?;
            if name == ".git" {
                bail!(
                    "`{full}` makes that folder a git repository, in which hookgen replaces nothing; choose another \
                     place, and copy the plugin from there"
                );
            }
            if !same_file_system(&found, around) {
                bail!("another file system is mounted at `{full}`; unmount it, or choose another place");
            }
            let kind = if found.is_dir() {
                Kind::Folder
            } else if found.is_symlink() {
                Kind::Link
            } else if found.is_file() {
                Kind::File
            } else {
                bail!("`{full}` is neither a file, a folder nor a link; move it away, or choose another place");
            };
            if kind == Kind::Folder {
                self.walk(&path, around)?;
            }
            self.entries.insert(path, kind);
        }
        Ok(())
    }

    /// Paths of files and links.
    pub(super) fn leaves(&self) -> impl Iterator<Item = (&Utf8Path, Kind)> {
        self.entries.iter().filter(|(_, kind)| **kind != Kind::Folder).map(|(path, kind)| (path.as_path(), *kind))
    }

    /// Paths of folders.
    pub(super) fn folders(&self) -> impl DoubleEndedIterator<Item = &Utf8Path> {
        self.entries.iter().filter(|(_, kind)| **kind == Kind::Folder).map(|(path, _)| path.as_path())
    }

    /// The bytes of a file.
    pub(super) fn read(&self, path: &Utf8Path) -> anyhow::Result<Vec<u8>> {
        let full = self.folder.join(path);
        fs::read(&full).with_context(|| format!("cannot read `{full}`"))
    }
}

#[cfg(unix)]
fn same_file_system(one: &fs::Metadata, other: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    one.dev() == other.dev()
}

#[cfg(not(unix))]
fn same_file_system(_: &fs::Metadata, _: &fs::Metadata) -> bool {
    true
}
