//! Folders that go with a run. A disk takes longer to make and to remove a few dozen files than hooks take to decide, all
//! the more when thousands were removed a moment ago: where there is a file system in memory, they are there.

use std::path::Path;
use std::sync::OnceLock;

use anyhow::Context as _;
use tempfile::{Builder, TempDir};

/// An empty folder, called after what it is for.
pub fn folder(purpose: &str) -> anyhow::Result<TempDir> {
    make(purpose, in_memory())
}

/// The same on the disk, for whoever judges what was meant for real folders: what lies in memory lies below `/dev`.
pub fn folder_on_disk(purpose: &str) -> anyhow::Result<TempDir> {
    make(purpose, None)
}

/// The same on the file system that another one is on, so that files of both can be linked.
pub fn folder_beside(other: &Path, purpose: &str) -> anyhow::Result<TempDir> {
    make(purpose, in_memory().filter(|memory| other.starts_with(memory)))
}

fn make(purpose: &str, place: Option<&Path>) -> anyhow::Result<TempDir> {
    let prefix = format!("hookgen-{purpose}-");
    let mut builder = Builder::new();
    builder.prefix(&prefix);
    place
        .map_or_else(|| builder.tempdir(), |place| builder.tempdir_in(place))
        .context("cannot create a folder for temporary files")
}

/// None if the person has said where temporary files go.
fn in_memory() -> Option<&'static Path> {
    static FOLDER: OnceLock<Option<&'static Path>> = OnceLock::new();
    *FOLDER.get_or_init(|| if std::env::var_os("TMPDIR").is_some() { None } else { suitable(Path::new("/dev/shm")) })
}

/// Room for the worlds of all threads at once, many times over.
#[cfg(target_os = "linux")]
const ROOM: u64 = 256 << 20;

#[cfg(target_os = "linux")]
fn suitable(folder: &'static Path) -> Option<&'static Path> {
    use rustix::fs::StatVfsMountFlags as Flags;
    const TMPFS: rustix::fs::FsWord = 0x0102_1994;
    let kind = rustix::fs::statfs(folder).ok()?;
    let mounted = rustix::fs::statvfs(folder).ok()?;
    // Cases bring programs along.
    let usable = !mounted.f_flag.intersects(Flags::NOEXEC | Flags::RDONLY);
    let room = mounted.f_bavail.saturating_mul(mounted.f_frsize) >= ROOM;
    let writable = || tempfile::tempdir_in(folder).is_ok();
    (kind.f_type == TMPFS && usable && room && writable()).then_some(folder)
}

#[cfg(not(target_os = "linux"))]
fn suitable(_: &'static Path) -> Option<&'static Path> {
    None
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_memory_or_not_there_is_not_taken() {
        assert_eq!(suitable(Path::new("/proc")), None);
        assert_eq!(suitable(Path::new("/no-such-folder")), None);
    }

    #[test]
    fn a_folder_lies_where_the_other_one_lies() {
        let one = folder("one").expect("a folder");
        let other = folder_beside(one.path(), "other").expect("a folder");
        assert_eq!(one.path().parent(), other.path().parent());
        let elsewhere = folder_beside(Path::new("/elsewhere"), "other").expect("a folder");
        assert_eq!(elsewhere.path().parent(), Some(std::env::temp_dir().as_path()));
    }
}
