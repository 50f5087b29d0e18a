//! A search path on which everything is found but git.

use std::collections::BTreeMap;
use std::fs;
use std::sync::{Mutex, PoisonError};

use anyhow::Context as _;
use camino::{Utf8Path, Utf8PathBuf};
use tempfile::TempDir;

use super::damage;

/// Folders of links in place of those that hold git, each made once: there are a thousand programs in some.
#[derive(Debug, Default)]
pub(super) struct WithoutGit {
    made: Mutex<BTreeMap<Utf8PathBuf, TempDir>>,
}

impl WithoutGit {
    /// The search path of an environment, without git.
    pub(super) fn path(&self, env: &[(String, String)]) -> anyhow::Result<String> {
        let path = env.iter().rfind(|(name, _)| name == "PATH").map_or("", |(_, path)| path);
        let folders: anyhow::Result<Vec<String>> =
            path.split(':').map(|folder| self.instead_of(Utf8Path::new(folder))).collect();
        Ok(folders?.join(":"))
    }

    fn instead_of(&self, folder: &Utf8Path) -> anyhow::Result<String> {
        if !folder.join("git").exists() {
            return Ok(folder.to_string());
        }
        let folder = folder.canonicalize_utf8().context("cannot resolve a folder of the search path")?;
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(links) = made.get(&folder) {
            return Ok(links.path().display().to_string());
        }
        let links = tempfile::Builder::new().prefix("hookgen-path-").tempdir().context("cannot make a folder")?;
        readable(&links)?;
        let inside = Utf8Path::from_path(links.path()).context("the temporary folder's name is not UTF-8")?;
        for program in folder.read_dir_utf8()?.flatten().filter(|program| program.file_name() != "git") {
            damage::link(program.path(), &inside.join(program.file_name()))?;
        }
        let shown = inside.to_string();
        made.insert(folder, links);
        Ok(shown)
    }
}

/// Some faults are tried as another user, who must be able to look into it.
#[cfg(unix)]
fn readable(folder: &TempDir) -> anyhow::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).context("cannot open a folder")
}

#[cfg(not(unix))]
fn readable(_: &TempDir) -> anyhow::Result<()> {
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn everything_is_found_but_git() {
        let folder = tempfile::tempdir().expect("a folder");
        let (own, other) = (folder.path().join("own"), folder.path().join("other"));
        for (place, program) in [(&own, "git"), (&own, "sed"), (&other, "awk")] {
            fs::create_dir_all(place).expect("created");
            fs::write(place.join(program), "").expect("written");
        }
        let env = [("PATH".to_owned(), format!("{}:{}", own.display(), other.display()))];
        let without = WithoutGit::default();
        let path = without.path(&env).expect("made");
        let (first, second) = path.split_once(':').expect("two folders");
        let first = Utf8Path::new(first);
        assert!(first.join("sed").exists() && !first.join("git").exists());
        assert_eq!(second, other.display().to_string());
        assert_eq!(without.path(&env).expect("made"), path);
    }
}
