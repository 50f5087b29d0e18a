//! Where a path leads, the way the kernel walks it.
//!
//! Never fails and never asks whether the last part exists: guards judge files that are about to be created.

mod places;
pub mod windows;

use std::cmp::Ordering;
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

pub use places::Places;
use places::{Sight, Sights};

/// As many links as Linux follows in one path; a loop ends here.
const MOST_LINKS: usize = 40;

/// The absolute path without `.`, `..` or symbolic links. What does not exist yet is taken as written; `..` behind a
/// link leads to the parent of the link's target.
pub fn resolve(base: &Path, path: &str) -> PathBuf {
    walked(base, path, &Sights::default())
}

fn walked(base: &Path, path: &str, sights: &Sights) -> PathBuf {
    let path = Path::new(path);
    let mut walk = Walk { reached: PathBuf::new(), depth: 0, links: 0, missing_from: None, sights };
    // Where an absolute path leads does not depend on where one stands.
    if path.is_relative() {
        if base.is_relative() {
            walk.add(&crate::surroundings::folder().unwrap_or_else(|_| PathBuf::from(std::path::MAIN_SEPARATOR_STR)));
        }
        walk.add(base);
    }
    walk.add(path);
    walk.reached
}

/// The path as catalogs see it: on Windows with `/`, as those of events are.
pub fn text(path: &Path) -> String {
    let text = path.to_string_lossy();
    if cfg!(windows) { windows::normal(&text).into_owned() } else { text.into_owned() }
}

/// Whether the path is the folder or lies in it, compared by whole components. Both are expected to be resolved.
pub fn is_within(path: &Path, folder: &Path) -> bool {
    relation(path, folder).is_some_and(Ordering::is_ge)
}

/// Whether two resolved paths name the same place.
pub fn is_same(a: &Path, b: &Path) -> bool {
    relation(a, b).is_some_and(Ordering::is_eq)
}

/// Whether the first of two resolved paths lies above the second, is the same, or lies below it; `None` if neither holds
/// the other.
pub fn relation(a: &Path, b: &Path) -> Option<Ordering> {
    let (mut left, mut right) = (a.components(), b.components());
    let mut depth = 0;
    loop {
        depth += 1;
        match (left.next(), right.next()) {
            (None, None) => return Some(Ordering::Equal),
            (None, Some(_)) => return Some(Ordering::Less),
            (Some(_), None) => return Some(Ordering::Greater),
            (Some(one), Some(other)) => {
                let down_to = |path: &Path| path.components().take(depth).collect::<PathBuf>();
                if one != other && !(differs_in_case(one, other) && is_one_place(&down_to(a), &down_to(b))) {
                    return None;
                }
            }
        }
    }
}

fn differs_in_case(a: Component<'_>, b: Component<'_>) -> bool {
    let (a, b) = (a.as_os_str(), b.as_os_str());
    if a.is_ascii() && b.is_ascii() {
        return a.eq_ignore_ascii_case(b);
    }
    a.to_string_lossy().to_lowercase() == b.to_string_lossy().to_lowercase()
}

/// Whether two spellings lead to one place. The usual file systems of these platforms ignore case, and a guard must
/// not be passed by respelling a name.
#[cfg(any(target_os = "macos", windows))]
fn is_one_place(_: &Path, _: &Path) -> bool {
    true
}

/// Elsewhere some do: a folder may be set to ignore case, or come from another system. The file itself tells.
#[cfg(not(any(target_os = "macos", windows)))]
fn is_one_place(a: &Path, b: &Path) -> bool {
    use std::fs;
    use std::os::unix::fs::MetadataExt as _;
    match (fs::metadata(a), fs::metadata(b)) {
        (Ok(a), Ok(b)) => (a.dev(), a.ino()) == (b.dev(), b.ino()),
        _ => false,
    }
}

struct Walk<'s> {
    reached: PathBuf,
    depth: usize,
    links: usize,
    /// The depth from which on nothing exists. Nothing below it can be a link, so it is not asked again: a path of a
    /// million parts costs no more than its longest existing prefix.
    missing_from: Option<usize>,
    sights: &'s Sights,
}

enum Step {
    Root(OsString),
    Up,
    Down(OsString),
}

impl Walk<'_> {
    fn add(&mut self, path: &Path) {
        let mut ahead = steps(path);
        while let Some(step) = ahead.pop() {
            match step {
                Step::Root(root) => {
                    self.reached.push(root);
                    self.depth = 0;
                    self.missing_from = None;
                }
                Step::Up => self.up(),
                Step::Down(name) => {
                    self.reached.push(name);
                    self.depth += 1;
                    if let Some(target) = self.link() {
                        self.up();
                        ahead.extend(steps(&target));
                    }
                }
            }
        }
    }

    fn up(&mut self) {
        if self.depth > 0 {
            self.reached.pop();
            self.depth -= 1;
            self.missing_from = self.missing_from.filter(|depth| *depth <= self.depth);
        }
    }

    fn link(&mut self) -> Option<PathBuf> {
        if self.missing_from.is_some() || self.links >= MOST_LINKS {
            return None;
        }
        match self.sights.of(&self.reached) {
            Sight::Link(target) => {
                self.links += 1;
                Some(target)
            }
            Sight::Something => None,
            Sight::Nothing => {
                self.missing_from = Some(self.depth);
                None
            }
        }
    }
}

/// The steps of a path, last first.
fn steps(path: &Path) -> Vec<Step> {
    let step = |component: Component<'_>| match component {
        Component::Prefix(_) | Component::RootDir => Some(Step::Root(component.as_os_str().to_owned())),
        Component::CurDir => None,
        Component::ParentDir => Some(Step::Up),
        Component::Normal(name) => Some(Step::Down(name.to_owned())),
    };
    path.components().rev().filter_map(step).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use proptest::prelude::*;

    use super::*;

    fn plain(path: &str) -> PathBuf {
        resolve(Path::new("/no-such-root/project"), path)
    }

    #[test]
    fn dots_and_double_slashes_go_away_where_nothing_exists() {
        for (path, expected) in [
            ("", "/no-such-root/project"),
            ("a", "/no-such-root/project/a"),
            ("./a//b/./c/", "/no-such-root/project/a/b/c"),
            ("../x", "/no-such-root/x"),
            ("a/../../../../../etc", "/etc"),
            ("/absolute//file", "/absolute/file"),
        ] {
            assert_eq!(plain(path), Path::new(expected), "{path}");
        }
    }

    #[test]
    fn being_within_goes_by_whole_components() {
        let within = |path: &str, folder: &str| is_within(Path::new(path), Path::new(folder));
        assert!(within("/a/b/c", "/a/b"));
        assert!(within("/a/b", "/a/b"));
        assert!(!within("/a/bc", "/a/b"));
        assert!(!within("/a", "/a/b"));
        assert!(is_same(Path::new("/a/b"), Path::new("/a/b/")));
        assert!(!is_same(Path::new("/a/b"), Path::new("/a")));
    }

    #[cfg(unix)]
    mod links {
        use std::os::unix::fs::symlink;

        use super::*;

        fn folder() -> (tempfile::TempDir, PathBuf) {
            let guard = tempfile::tempdir().expect("a folder");
            let root = guard.path().canonicalize().expect("it exists");
            (guard, root)
        }

        #[test]
        fn a_link_is_followed_for_a_file_that_does_not_exist_yet() {
            let (_guard, root) = folder();
            fs::create_dir_all(root.join("real/deep")).expect("created");
            symlink("real/deep", root.join("link")).expect("linked");
            assert_eq!(resolve(&root, "link/new/folder/file.md"), root.join("real/deep/new/folder/file.md"));
            assert_eq!(resolve(&root, "link"), root.join("real/deep"));
            assert_eq!(resolve(&root, "linked"), root.join("linked"));
        }

        #[test]
        fn going_up_behind_a_link_starts_at_its_target() {
            let (_guard, root) = folder();
            fs::create_dir_all(root.join("real/deep")).expect("created");
            symlink(root.join("real/deep"), root.join("link")).expect("linked");
            assert_eq!(resolve(&root, "link/../file"), root.join("real/file"));
            assert_eq!(resolve(&root, "missing/../link/x"), root.join("real/deep/x"));
        }

        #[test]
        fn a_dangling_link_leads_to_where_a_write_would_land() {
            let (_guard, root) = folder();
            symlink("target/file", root.join("link")).expect("linked");
            assert_eq!(resolve(&root, "link"), root.join("target/file"));
        }

        #[cfg(target_os = "linux")]
        #[test]
        fn another_spelling_of_one_file_is_that_file_and_of_two_is_not() {
            let (_guard, root) = folder();
            fs::write(root.join("spec.md"), "").expect("written");
            let same = |name: &str| is_same(&root.join(name), &root.join("spec.md"));
            assert!(!same("SPEC.md"), "nothing is there");
            // Two names of one file, as a file system that ignores case would show it.
            fs::hard_link(root.join("spec.md"), root.join("Spec.md")).expect("linked");
            assert!(same("Spec.md"));
            fs::write(root.join("SPEC.MD"), "").expect("written");
            assert!(!same("SPEC.MD"), "a file of its own");
            fs::hard_link(root.join("spec.md"), root.join("other.md")).expect("linked");
            assert!(!same("other.md"), "another name is not another spelling");
        }

        #[test]
        fn a_loop_of_links_ends() {
            let (_guard, root) = folder();
            symlink("b", root.join("a")).expect("linked");
            symlink("a", root.join("b")).expect("linked");
            assert!(resolve(&root, "a/x").starts_with(&root));
        }
    }

    proptest! {
        #[test]
        fn the_result_is_absolute_and_resolving_it_again_changes_nothing(path in "[a./\\PC]{0,60}") {
            let resolved = plain(&path);
            prop_assert!(resolved.is_absolute());
            prop_assert!(resolved.components().all(|part| !matches!(part, Component::ParentDir | Component::CurDir)));
            if let Some(text) = resolved.to_str() {
                prop_assert_eq!(plain(text), resolved.clone());
            }
        }
    }
}
