//! The folder beside a place in which its successor is made, and from which the two change places.
//!
//! It bears a mark that is locked as long as hookgen works in it. A mark that nobody holds is what an ended hookgen has
//! left: before the swap everything in the folder is ours, after it only what the new place does not need.

use std::fs::{self, File, OpenOptions};
use std::io::ErrorKind;

use anyhow::{Context as _, bail};
use camino::{Utf8Path, Utf8PathBuf};

use super::retire::retire;

/// The file that makes the folder ours.
const MARK: &str = "made-by-hookgen";

/// The file that says that the folders are about to change places.
const READY: &str = "ready";

const NEW: &str = "new";
const OLD: &str = "old";

#[derive(Debug)]
pub(super) struct Staging {
    folder: Utf8PathBuf,
    /// Locked as long as the value lives.
    mark: File,
}

impl Drop for Staging {
    /// Leaves nothing behind of what failed before the swap.
    fn drop(&mut self) {
        let ours = is_at(&self.mark, &self.folder.join(MARK));
        if ours && !self.folder.join(READY).exists() && remove_all(&self.new_folder()).is_ok() {
            // What cannot be removed now, the next hookgen removes.
            let _ = self.remove();
        }
    }
}

impl Staging {
    /// The staging folder of a place, empty; waits for another hookgen that works in it.
    pub(super) fn open(place: &Utf8Path) -> anyhow::Result<Self> {
        let name = place.file_name().with_context(|| format!("`{place}` has no name"))?;
        let folder = place.with_file_name(format!(".{name}.hookgen"));
        loop {
            if let Some(mark) = claim(&folder)? {
                let staging = Self { folder, mark };
                staging.tidy_up(place)?;
                return Ok(staging);
            }
        }
    }

    /// Where the new folder is made.
    pub(super) fn new_folder(&self) -> Utf8PathBuf {
        self.folder.join(NEW)
    }

    fn old_folder(&self) -> Utf8PathBuf {
        self.folder.join(OLD)
    }

    /// Puts the new folder in the place, and the old one here.
    pub(super) fn swap(&self, place: &Utf8Path) -> anyhow::Result<()> {
        self.announce()?;
        let (new, old) = (self.new_folder(), self.old_folder());
        let swapped = if !place.exists() {
            fs::rename(&new, place)
        } else if exchange(&new, place).is_ok() {
            fs::rename(&new, &old)
        } else {
            swap_in_two_steps(&new, place, &old)
        };
        if swapped.is_err() && !old.exists() {
            self.take_back()?;
        }
        swapped.with_context(|| format!("cannot put `{place}` in place"))
    }

    /// Puts the old folder here, and nothing in its place.
    pub(super) fn take(&self, place: &Utf8Path) -> anyhow::Result<()> {
        self.announce()?;
        let taken = fs::rename(place, self.old_folder());
        if taken.is_err() {
            self.take_back()?;
        }
        taken.with_context(|| format!("cannot remove `{place}`"))
    }

    /// Keeps the old folder as a whole, under a name of its own beside the place.
    pub(super) fn set_aside(&self, place: &Utf8Path) -> anyhow::Result<Utf8PathBuf> {
        let first = Utf8PathBuf::from(format!("{place}.before"));
        let names = (2..100).map(|number| Utf8PathBuf::from(format!("{first}.{number}")));
        let free = std::iter::once(first.clone()).chain(names).find(|path| fs::symlink_metadata(path).is_err());
        let free = free.with_context(|| format!("`{first}` and its like are taken; remove some"))?;
        fs::rename(self.old_folder(), &free).with_context(|| format!("cannot keep the old `{place}` as `{free}`"))?;
        Ok(free)
    }

    /// Removes the old folder as far as nothing is lost by it, and gives it if something is left.
    pub(super) fn close(self, place: &Utf8Path) -> anyhow::Result<Option<Utf8PathBuf>> {
        let old = self.old_folder();
        if old.exists() && !retire(&old, place)? {
            return Ok(Some(old));
        }
        self.remove()?;
        Ok(None)
    }

    /// From here on, what is here may be the only copy.
    fn announce(&self) -> anyhow::Result<()> {
        let ready = self.folder.join(READY);
        File::create(&ready).map(drop).with_context(|| format!("cannot write `{ready}`"))
    }

    /// The folders have not changed places after all.
    fn take_back(&self) -> anyhow::Result<()> {
        let ready = self.folder.join(READY);
        fs::remove_file(&ready).with_context(|| format!("cannot remove `{ready}`"))
    }

    /// Finishes what an ended hookgen began, or takes it back.
    fn tidy_up(&self, place: &Utf8Path) -> anyhow::Result<()> {
        let (new, old) = (self.new_folder(), self.old_folder());
        if !self.folder.join(READY).exists() {
            return remove_all(&new);
        }
        if old.exists() && !place.exists() && new.exists() {
            fs::rename(&old, place).with_context(|| format!("cannot put `{old}` back in place"))?;
        }
        for left in [new, old] {
            if left.exists() && !retire(&left, place)? {
                bail!(
                    "`{left}` holds files that were changed while an earlier hookgen was at work; take from there what \
                     is needed, remove `{}`, and run this again",
                    self.folder
                );
            }
        }
        self.take_back()
    }

    fn remove(&self) -> anyhow::Result<()> {
        for file in [READY, MARK] {
            match fs::remove_file(self.folder.join(file)) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(error).with_context(|| format!("cannot remove `{}`", self.folder.join(file)));
                }
                _ => {}
            }
        }
        // Another hookgen that has been waiting may be in it already.
        let _ = fs::remove_dir(&self.folder);
        Ok(())
    }
}

/// Makes the folder ours and locks its mark; nothing if it vanished meanwhile.
fn claim(folder: &Utf8Path) -> anyhow::Result<Option<File>> {
    match fs::create_dir(folder) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => {
            return Err(error).with_context(|| format!("cannot create `{folder}`"));
        }
        _ => {}
    }
    let path = folder.join(MARK);
    if !is_ours(folder)? {
        bail!("`{folder}` is in the way, and hookgen did not make it; move it away");
    }
    let opened = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
    let mark = match opened {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        opened => opened.with_context(|| format!("cannot write `{path}`"))?,
    };
    mark.lock().with_context(|| format!("cannot lock `{path}`"))?;
    // Whoever held the lock may have removed the file, and a third one may have made it anew.
    Ok(is_at(&mark, &path).then_some(mark))
}

/// Whether a folder bears our mark. An empty one was just made, by us or by somebody like us.
fn is_ours(folder: &Utf8Path) -> anyhow::Result<bool> {
    match fs::symlink_metadata(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(true),
        Err(error) => return Err(error).with_context(|| format!("cannot look at `{folder}`")),
        Ok(kind) if !kind.is_dir() => return Ok(false),
        Ok(_) => {}
    }
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(true),
        entries => entries.with_context(|| format!("cannot list `{folder}`"))?,
    };
    let names: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    // Another hookgen may just be leaving. The mark is the last to go, so that what is still there then is not its own.
    let marked = fs::symlink_metadata(folder.join(MARK)).is_ok_and(|mark| mark.is_file());
    Ok(marked || names.iter().all(|path| fs::symlink_metadata(path).is_err()))
}

#[cfg(unix)]
fn is_at(file: &File, path: &Utf8Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let id = |found: fs::Metadata| (found.dev(), found.ino());
    file.metadata().map(id).ok().is_some_and(|held| fs::symlink_metadata(path).map(id).ok() == Some(held))
}

#[cfg(not(unix))]
fn is_at(_: &File, path: &Utf8Path) -> bool {
    path.exists()
}

/// Two folders change places, and nobody sees a moment without either.
#[cfg(any(target_os = "linux", target_vendor = "apple"))]
fn exchange(one: &Utf8Path, other: &Utf8Path) -> std::io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, one.as_std_path(), CWD, other.as_std_path(), RenameFlags::EXCHANGE)?)
}

#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
fn exchange(_: &Utf8Path, _: &Utf8Path) -> std::io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}

/// For file systems that cannot exchange. Ended in between, the next hookgen puts the old folder back.
fn swap_in_two_steps(new: &Utf8Path, place: &Utf8Path, old: &Utf8Path) -> std::io::Result<()> {
    fs::rename(place, old)?;
    fs::rename(new, place).or_else(|error| fs::rename(old, place).and(Err(error)))
}

fn remove_all(folder: &Utf8Path) -> anyhow::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove `{folder}`"))
        }
        _ => Ok(()),
    }
}
