//! Which settings files were not there before hookgen came: what it has made it takes away again, and what it found it
//! leaves, if empty.

use std::fs;
use std::io::ErrorKind;

use anyhow::Context as _;
use camino::{Utf8Path, Utf8PathBuf};

use crate::disk;

/// A list of files, a line each, beside the programs of the catalogs that are installed.
const LIST: &str = ".settings-made-by-hookgen";

/// Longest list that is read.
const LIMIT: u64 = 64 * 1024;

#[derive(Debug)]
pub struct Created {
    list: Utf8PathBuf,
}

impl Created {
    /// The list in the folder of installed programs.
    pub fn beside(programs: &Utf8Path) -> Self {
        Self { list: programs.join(LIST) }
    }

    fn files(&self) -> Vec<String> {
        let text = disk::read(&self.list, LIMIT).unwrap_or_default();
        String::from_utf8_lossy(&text).lines().map(str::to_owned).collect()
    }

    /// Whether hookgen has made the file.
    pub fn has(&self, file: &Utf8Path) -> bool {
        file.file_name().is_some_and(|name| self.files().iter().any(|known| known == name))
    }

    /// Notes a file that is about to be written, if nothing is there.
    pub fn note(&self, file: &Utf8Path) -> anyhow::Result<()> {
        let Some(name) = file.file_name().filter(|_| !file.is_symlink() && !file.exists()) else { return Ok(()) };
        let mut files = self.files();
        if !files.iter().any(|known| known == name) {
            files.push(name.to_owned());
            self.write(&files)?;
        }
        Ok(())
    }

    /// Removes a file that hookgen has made, and forgets it.
    pub fn remove(&self, file: &Utf8Path) -> anyhow::Result<()> {
        fs::remove_file(file).with_context(|| format!("cannot remove `{file}`"))?;
        let rest: Vec<String> =
            self.files().into_iter().filter(|known| Some(known.as_str()) != file.file_name()).collect();
        self.write(&rest)
    }

    fn write(&self, files: &[String]) -> anyhow::Result<()> {
        if files.is_empty() {
            return match fs::remove_file(&self.list) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    Err(error).with_context(|| format!("cannot remove `{}`", self.list))
                }
                _ => Ok(()),
            };
        }
        disk::write(&self.list, &(files.join("\n") + "\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_there_is_never_noted_and_what_is_removed_is_forgotten() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = Utf8PathBuf::try_from(folder.path().to_path_buf()).expect("UTF-8");
        let created = Created::beside(&root.join("hooks"));
        let (old, new) = (root.join("old.json"), root.join("new.json"));
        fs::write(&old, "{}").expect("written");
        created.note(&old).expect("noted");
        created.note(&new).expect("noted");
        created.note(&new).expect("noted");
        fs::write(&new, "{}").expect("written");
        assert!(!created.has(&old) && created.has(&new));
        created.remove(&new).expect("removed");
        assert!(!new.exists() && !created.has(&new) && !created.list.exists());
    }
}
