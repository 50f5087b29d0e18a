//! Which settings files and folders were not there before hookgen came: what it has made it takes away again, and what it
//! found it leaves, if empty.

use std::fs;
use std::io::ErrorKind;

use anyhow::Context as _;
use camino::{Utf8Path, Utf8PathBuf};

use crate::disk;

/// A list of files by their names, and of folders with a slash at the end, a line each, beside the programs of the catalogs that are installed.
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

    /// The folders on the way to places in a project that are not there yet.
    pub fn missing(project: &Utf8Path, places: &[&str]) -> Vec<String> {
        let ways = places.iter().flat_map(|place| Utf8Path::new(place).ancestors());
        let folders = ways.filter(|way| !way.as_str().is_empty() && way.extension().is_none());
        let mut missing: Vec<String> =
            folders.filter(|way| !project.join(way).exists()).map(|way| format!("{way}/")).collect();
        missing.sort();
        missing.dedup();
        missing
    }

    /// Notes folders that were missing and have been made.
    pub fn note_folders(&self, made: Vec<String>) -> anyhow::Result<()> {
        let mut lines = self.files();
        let new: Vec<String> = made.into_iter().filter(|folder| !lines.contains(folder)).collect();
        if new.is_empty() {
            return Ok(());
        }
        lines.extend(new);
        self.write(&lines)
    }

    /// Removes the folders that hookgen has made and nobody uses, once there is nothing else in them than the list.
    pub fn remove_folders(&self, project: &Utf8Path) -> anyhow::Result<()> {
        let (mut folders, files): (Vec<String>, Vec<String>) =
            self.files().into_iter().partition(|line| line.ends_with('/'));
        let programs = self.list.parent().unwrap_or(project);
        let alone = programs
            .read_dir_utf8()
            .is_ok_and(|mut entries| entries.all(|entry| entry.is_ok_and(|entry| entry.file_name() == LIST)));
        if !alone || !files.is_empty() {
            return Ok(());
        }
        self.write(&[])?;
        // What is within comes first; what holds anything is no longer hookgen's.
        folders.sort();
        for folder in folders.iter().rev() {
            let _ = fs::remove_dir(project.join(folder));
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
    fn folders_that_were_made_go_and_those_that_were_there_stay() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = Utf8PathBuf::try_from(folder.path().to_path_buf()).expect("UTF-8");
        fs::create_dir(root.join(".a")).expect("a folder");
        let created = Created::beside(&root.join(".a/hooks"));
        let made = Created::missing(&root, &[".a/hooks", ".a/settings.json", ".b/hooks"]);
        assert_eq!(made, [".a/hooks/", ".b/", ".b/hooks/"]);
        fs::create_dir_all(root.join(".a/hooks")).expect("a folder");
        fs::create_dir_all(root.join(".b/hooks")).expect("a folder");
        created.note_folders(made).expect("noted");
        fs::write(root.join(".a/hooks/own"), "mine").expect("written");
        created.remove_folders(&root).expect("nothing to do");
        assert!(root.join(".b/hooks").exists(), "somebody still has something there");
        fs::remove_file(root.join(".a/hooks/own")).expect("removed");
        fs::write(root.join(".b/own"), "mine").expect("written");
        created.remove_folders(&root).expect("removed");
        assert!(root.join(".a").exists() && !root.join(".a/hooks").exists());
        assert!(root.join(".b/own").exists() && !root.join(".b/hooks").exists());
    }

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
