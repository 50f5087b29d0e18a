//! Reading and writing regular files without ever waiting for one.
//!
//! A path comes from a catalog, but what stands there is up to others: a pipe, a device, a loop of links or a file
//! without end must be an error and not a hook that hangs until the client gives up on it.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, ErrorKind, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::failure::{Attempt, Failure};
use crate::{path, signals};

/// The largest file that is read.
const MOST_BYTES: u64 = 16 * 1024 * 1024;

/// The whole text of a regular file, or `None` if nothing is there.
pub(crate) fn read(file: &Path, name: &str) -> Attempt<Option<String>> {
    match read_bytes(file) {
        Ok(Content::Bytes(bytes)) => match String::from_utf8(without_mark(bytes)) {
            Ok(text) => Ok(Some(text)),
            Err(_) => Err(refused(name, file, "is not UTF-8")),
        },
        Ok(Content::Irregular) => Err(refused(name, file, "is not a regular file")),
        Ok(Content::TooLarge) => Err(refused(name, file, "is larger than 16 MiB")),
        Err(error) if super::is_missing(error.kind()) => Ok(None),
        Err(error) if is_loop(file, &error) => Err(refused(name, file, "is a loop of links")),
        Err(error) => Err(Failure::document(format_args!("cannot read {name} at `{}`", file.display()), &error)),
    }
}

/// What can be read of a file as text: bytes that are none become U+FFFD. Nothing of what is missing, larger than others
/// may be, no regular file, or out of reach.
pub(crate) fn read_loosely(file: &Path) -> String {
    match read_bytes(file) {
        Ok(Content::Bytes(bytes)) => String::from_utf8_lossy(&without_mark(bytes)).into_owned(),
        _ => String::new(),
    }
}

/// Writes beside the file and renames, so that there is no moment without a whole file. A link is followed, and an
/// existing file keeps its permissions.
pub(super) fn replace(file: &Path, name: &str, text: &str) -> Attempt<()> {
    let target = path::resolve(file, "");
    let permissions = match fs::metadata(&target) {
        Ok(found) if !found.is_file() => return Err(refused(name, file, "is not a regular file")),
        Ok(found) => Some(found.permissions()),
        Err(_) => None,
    };
    signals::outlive_file_size_limit();
    let written = create_parent(&target).and_then(|()| {
        let beside = beside(&target);
        let done = write_new(&beside, permissions, text.as_bytes()).and_then(|()| fs::rename(&beside, &target));
        if done.is_err() {
            // The first error is the one to report; a left-over file harms nobody.
            let _ = fs::remove_file(&beside);
        }
        done
    });
    written.map_err(|error| Failure::document(format_args!("cannot write {name} at `{}`", file.display()), &error))
}

/// Adds a line with a single write at the end, where the kernel keeps parallel writers apart.
pub(super) fn append_line(file: &Path, name: &str, line: &str) -> Attempt<()> {
    if fs::metadata(file).is_ok_and(|found| !found.is_file()) {
        return Err(refused(name, file, "is not a regular file"));
    }
    signals::outlive_file_size_limit();
    let appended = create_parent(file).and_then(|()| {
        let mut open = without_waiting(OpenOptions::new().read(true).append(true).create(true)).open(file)?;
        if !open.metadata()?.is_file() {
            return Err(io::Error::new(ErrorKind::InvalidInput, "it is not a regular file"));
        }
        let mut bytes = Vec::with_capacity(line.len() + 2);
        if !ends_a_line(&mut open)? {
            bytes.push(b'\n');
        }
        bytes.extend_from_slice(on_one_line(line).as_bytes());
        bytes.push(b'\n');
        open.write_all(&bytes)
    });
    appended.map_err(|error| Failure::document(format_args!("cannot add to {name} at `{}`", file.display()), &error))
}

/// Deletes the file; a link itself, not what it points at.
pub(super) fn remove(file: &Path, name: &str) -> Attempt<()> {
    if fs::symlink_metadata(file).is_ok_and(|found| found.is_dir()) {
        return Err(refused(name, file, "is a folder"));
    }
    match fs::remove_file(file) {
        Err(error) if !super::is_missing(error.kind()) => {
            Err(Failure::document(format_args!("cannot delete {name} at `{}`", file.display()), &error))
        }
        _ => Ok(()),
    }
}

enum Content {
    Bytes(Vec<u8>),
    Irregular,
    TooLarge,
}

fn read_bytes(file: &Path) -> io::Result<Content> {
    // Before opening, because opening alone can have an effect on a device; after it, because the name may have come
    // to mean something else.
    if !fs::metadata(file)?.is_file() {
        return Ok(Content::Irregular);
    }
    let open = without_waiting(OpenOptions::new().read(true)).open(file)?;
    let found = open.metadata()?;
    if !found.is_file() {
        return Ok(Content::Irregular);
    }
    if found.len() > MOST_BYTES {
        return Ok(Content::TooLarge);
    }
    // The length may be a lie, or grow meanwhile.
    let mut bytes = Vec::with_capacity(usize::try_from(found.len()).unwrap_or_default());
    open.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES { Ok(Content::TooLarge) } else { Ok(Content::Bytes(bytes)) }
}

/// Some editors begin a file with a mark that is no part of its text.
fn without_mark(mut bytes: Vec<u8>) -> Vec<u8> {
    if bytes.starts_with("\u{feff}".as_bytes()) {
        bytes.drain(..'\u{feff}'.len_utf8());
    }
    bytes
}

fn refused(name: &str, file: &Path, why: &str) -> Failure {
    Failure::Document(format!("{name} at `{}` {why}", file.display()))
}

/// The standard library has no stable name for this error: it is one that is left after every link was followed.
fn is_loop(file: &Path, error: &io::Error) -> bool {
    error.kind() != ErrorKind::PermissionDenied
        && fs::symlink_metadata(path::resolve(file, "")).is_ok_and(|found| found.is_symlink())
}

#[cfg(unix)]
fn without_waiting(options: &mut OpenOptions) -> &mut OpenOptions {
    use std::os::unix::fs::OpenOptionsExt as _;

    // `O_NONBLOCK`, which the standard library does not name.
    const FLAG: i32 = if cfg!(any(target_os = "linux", target_os = "android")) { 0o4000 } else { 0x4 };
    options.custom_flags(FLAG)
}

#[cfg(not(unix))]
fn without_waiting(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

fn create_parent(file: &Path) -> io::Result<()> {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => fs::create_dir_all(folder),
        _ => Ok(()),
    }
}

/// A name that no other process and no other write of this one uses.
fn beside(file: &Path) -> PathBuf {
    static WRITES: AtomicU32 = AtomicU32::new(0);

    let write = WRITES.fetch_add(1, Ordering::Relaxed);
    let moment = std::time::UNIX_EPOCH.elapsed().map_or(0, |since| since.subsec_nanos());
    // Not after the file's own name: that one may be as long as a name can be.
    file.with_file_name(format!(".hookgen-{}-{write}-{moment:x}.tmp", std::process::id()))
}

fn write_new(file: &Path, permissions: Option<Permissions>, bytes: &[u8]) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if let Some(permissions) = &permissions {
        use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
        // From the first moment on: a private file must not be readable while it is being written.
        options.mode(permissions.mode() & 0o777);
    }
    let mut open = options.open(file)?;
    open.write_all(bytes)?;
    if let Some(permissions) = permissions {
        open.set_permissions(permissions)?;
    }
    // A rename may reach the disk before the text does; then a power cut would leave an empty file.
    open.sync_data()
}

fn ends_a_line(open: &mut File) -> io::Result<bool> {
    if open.metadata()?.len() == 0 {
        return Ok(true);
    }
    let mut last = [0];
    open.seek(SeekFrom::End(-1))?;
    open.read_exact(&mut last)?;
    Ok(last == *b"\n")
}

fn on_one_line(line: &str) -> String {
    let is_break = |character: char| character.is_control() || matches!(character, '\u{2028}' | '\u{2029}');
    line.chars().map(|character| if is_break(character) { ' ' } else { character }).collect()
}
