//! Where paths lead from one folder, each found out once: a guard compares the same few dozen places with every word of
//! a line, and each look at the disk costs more than the comparison.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::walked;

/// Paths as they are seen from a folder, as the disk was when each was first asked for.
#[derive(Debug)]
pub struct Places {
    base: PathBuf,
    reached: RefCell<HashMap<String, Rc<Path>>>,
    sights: Sights,
}

impl Places {
    pub fn from(base: PathBuf) -> Self {
        Self { base, reached: RefCell::default(), sights: Sights::default() }
    }

    /// The folder that relative paths start at.
    pub fn base(&self) -> &Path {
        &self.base
    }

    /// Where the path leads, as `resolve` says.
    pub fn at(&self, path: &str) -> Rc<Path> {
        if let Some(known) = self.reached.borrow().get(path) {
            return Rc::clone(known);
        }
        let reached: Rc<Path> = walked(&self.base, path, &self.sights).into();
        self.reached.borrow_mut().insert(path.to_owned(), Rc::clone(&reached));
        reached
    }
}

/// What lies at a place.
#[derive(Debug, Clone)]
pub(super) enum Sight {
    Nothing,
    Something,
    /// A link, and what it says.
    Link(PathBuf),
}

/// What was found at the places that paths lead over.
#[derive(Debug, Default)]
pub(super) struct Sights(RefCell<HashMap<OsString, Sight>>);

impl Sights {
    pub(super) fn of(&self, place: &Path) -> Sight {
        if let Some(known) = self.0.borrow().get(place.as_os_str()) {
            return known.clone();
        }
        // What this process has open there, the command has not.
        if place.parent().is_some_and(|folder| folder == Path::new("/proc/self/fd") || folder == Path::new("/dev/fd")) {
            return Sight::Something;
        }
        let sight = match fs::symlink_metadata(place) {
            Ok(found) if found.is_symlink() => fs::read_link(place).map_or(Sight::Something, Sight::Link),
            Ok(_) => Sight::Something,
            Err(_) => Sight::Nothing,
        };
        self.0.borrow_mut().insert(place.as_os_str().to_owned(), sight.clone());
        sight
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::path::resolve;

    #[test]
    fn a_place_is_where_it_was_when_it_was_first_asked_for() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("it exists");
        fs::create_dir(root.join("real")).expect("created");
        std::os::unix::fs::symlink("real", root.join("link")).expect("linked");
        let places = Places::from(root.clone());
        for path in ["link/a", "link/../b", "real/a", "/", "", "missing/x"] {
            assert_eq!(*places.at(path), *resolve(&root, path), "{path}");
        }
        fs::remove_file(root.join("link")).expect("removed");
        assert_eq!(*places.at("link/a"), *root.join("real/a"));
        assert_eq!(*places.at("link/c"), *root.join("real/c"));
        assert_eq!(resolve(&root, "link/c"), root.join("link/c"));
    }
}
