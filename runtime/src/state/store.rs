//! Where state lives. Opening a store creates nothing; the first write does.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::files::{self, Links};
use super::session::Session;
use super::{lock, name};
use crate::client::claude::places::PLUGIN_DATA;
use crate::home;
use crate::library::digest;
use crate::surroundings;
use crate::{Attempt, Failure};

const HOMELESS: &str =
    "no folder for state: none of `CLAUDE_PLUGIN_DATA`, `XDG_STATE_HOME` and the home folder is an absolute path";

/// The folder of one catalog's state, for one user.
#[derive(Debug, Clone)]
pub struct Store {
    folder: PathBuf,
    links: Links,
}

impl Store {
    /// The store of a catalog: the folder that the client gives its plugin, or one of the user's own.
    ///
    /// Where there is no such folder, every use of the store fails, and hooks that need no state work.
    pub fn open(catalog: &str) -> Self {
        let variable = |name: &str| match name {
            "HOME" => home::folder().map(OsString::from),
            "XDG_STATE_HOME" | "LOCALAPPDATA" if !home::environment_counts() => None,
            _ => surroundings::variable(name),
        };
        Self::locate(catalog, &variable)
    }

    /// A store in a folder that is already private.
    pub fn at(folder: PathBuf) -> Self {
        Self { folder, links: Links::Refused }
    }

    /// Its folder, which may not be there yet; an empty path when no place for it was found.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The state of one session. The id is data: whatever it holds, it names one folder inside the store.
    pub fn session(&self, id: &str) -> Session {
        Session::new(self.clone(), name::encode(id))
    }

    /// Creates the folder if needed and makes sure that it can be trusted.
    pub(crate) fn prepare(&self) -> Attempt<()> {
        if self.is_there()? {
            return Ok(());
        }
        files::create_folder(&self.folder)?;
        if self.is_there()? {
            return Ok(());
        }
        Err(Failure::State(format!("the state folder `{}` leads nowhere", self.folder.display())))
    }

    /// Does some work while no other process does work of that name.
    pub(crate) fn exclusively<T>(&self, name: &str, work: impl FnOnce() -> Attempt<T>) -> Attempt<T> {
        self.prepare()?;
        let locks = self.folder.join("locks");
        files::create_folder(&locks)?;
        files::check_folder(&locks, Links::Refused)?;
        let held = lock::acquire(&locks.join(format!("{}.lock", digest(name))), lock::PATIENCE)?;
        let done = work();
        drop(held);
        done
    }

    /// Whether the folder exists; one that cannot be trusted is a failure.
    pub(super) fn is_there(&self) -> Attempt<bool> {
        if self.folder.as_os_str().is_empty() {
            return Err(Failure::State(HOMELESS.to_owned()));
        }
        files::check_folder(&self.folder, self.links)
    }

    fn locate(catalog: &str, variable: &dyn Fn(&str) -> Option<OsString>) -> Self {
        // A relative folder would follow the working directory of each call.
        let folder = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
        if let Some(folder) = folder(PLUGIN_DATA) {
            return Self { folder, links: Links::Followed };
        }
        let base = folder("XDG_STATE_HOME").or_else(|| {
            if cfg!(windows) {
                folder("LOCALAPPDATA")
            } else if cfg!(target_os = "macos") {
                folder("HOME").map(|home| home.join("Library/Application Support"))
            } else {
                folder("HOME").map(|home| home.join(".local/state"))
            }
        });
        Self::at(base.map(|base| base.join("hookgen").join(name::encode(catalog))).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn locate(variables: &[(&str, &str)]) -> PathBuf {
        let variable = |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| value.into());
        Store::locate("my-catalog", &variable).folder
    }

    #[cfg(unix)]
    #[test]
    fn the_plugins_own_folder_comes_first() {
        let both = [("CLAUDE_PLUGIN_DATA", "/data"), ("XDG_STATE_HOME", "/state"), ("HOME", "/home/a")];
        assert_eq!(locate(&both), Path::new("/data"));
        assert_eq!(locate(&both[1..]), Path::new("/state/hookgen/my-catalog"));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn without_one_the_home_folder_holds_the_state() {
        assert_eq!(locate(&[("HOME", "/home/a")]), Path::new("/home/a/.local/state/hookgen/my-catalog"));
    }

    #[cfg(target_os = "macos")]
    #[test]
    fn without_one_the_home_folder_holds_the_state() {
        let folder = "/Users/a/Library/Application Support/hookgen/my-catalog";
        assert_eq!(locate(&[("HOME", "/Users/a")]), Path::new(folder));
    }

    #[test]
    fn a_relative_or_empty_folder_does_not_count() {
        for value in ["", "data", "./data"] {
            assert_eq!(locate(&[("CLAUDE_PLUGIN_DATA", value), ("XDG_STATE_HOME", value)]), Path::new(""));
        }
    }

    #[test]
    fn without_any_folder_every_use_fails_and_nothing_is_created_where_the_process_stands() {
        let session = Store::at(PathBuf::new()).session("a");
        assert!(session.read("n").is_err_and(|failure| matches!(failure, Failure::State(_))));
        assert!(
            session.update("n", |value| Ok((value, ()))).is_err_and(|failure| matches!(failure, Failure::State(_)))
        );
        assert!(!Path::new("sessions").exists());
    }

    #[test]
    fn looking_for_state_creates_nothing() {
        let top = tempfile::tempdir().expect("a folder");
        let store = Store::at(top.path().join("state"));
        let session = store.session("a");
        assert_eq!(session.read("counters"), Ok(crate::Json::Null));
        assert!(!store.folder().exists());
    }

    #[cfg(unix)]
    #[test]
    fn locks_are_not_kept_where_a_planted_link_leads() {
        let top = tempfile::tempdir().expect("a folder");
        let (store, victim) = (Store::at(top.path().join("state")), top.path().join("victim"));
        store.prepare().expect("created");
        std::fs::create_dir(&victim).expect("created");
        std::os::unix::fs::symlink(&victim, store.folder().join("locks")).expect("a link");
        assert!(store.exclusively("a", || Ok(())).is_err_and(|failure| matches!(failure, Failure::State(_))));
        assert_eq!(std::fs::read_dir(&victim).expect("readable").count(), 0);
    }

    #[test]
    fn work_of_one_name_is_done_one_after_the_other() {
        let top = tempfile::tempdir().expect("a folder");
        let store = Store::at(top.path().join("state"));
        let busy = top.path().join("busy");
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let work = || {
                        std::fs::create_dir(&busy).expect("nobody else is at work");
                        std::thread::sleep(std::time::Duration::from_millis(5));
                        std::fs::remove_dir(&busy).expect("there");
                        Ok(())
                    };
                    store.exclusively("a", work).expect("done");
                });
            }
        });
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_trusted_only_as_the_clients_own_folder() {
        let top = tempfile::tempdir().expect("a folder");
        let link = top.path().join("link");
        std::os::unix::fs::symlink(top.path(), &link).expect("a link");
        assert!(Store::at(link.clone()).prepare().is_err());
        assert_eq!(Store { folder: link, links: Links::Followed }.prepare(), Ok(()));
        let dangling = top.path().join("dangling");
        std::os::unix::fs::symlink(top.path().join("none"), &dangling).expect("a link");
        assert!(Store { folder: dangling, links: Links::Followed }.prepare().is_err());
    }
}
