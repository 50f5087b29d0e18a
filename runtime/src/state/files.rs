//! Opening files and folders that only this user may see.
//!
//! Nothing here follows a symbolic link or waits for a reader or writer at the other end of a pipe.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

use crate::{Attempt, Failure};

/// No state file comes near this size; one that does was not written by a hook.
const LARGEST: u64 = 16 << 20;

/// Opens `path`, which must be a regular file of this user's where it exists.
pub(crate) fn open(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    is_there(path)?;
    enter(path, options)
}

/// Whether there is something of that name, which must be a regular file.
fn is_there(path: &Path) -> io::Result<bool> {
    match fs::symlink_metadata(path) {
        Ok(metadata) if !metadata.is_file() => Err(irregular()),
        Ok(_) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Opens what was looked at.
fn enter(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    restrict(options);
    let file = options.open(path)?;
    // The name may have changed hands since it was looked at: the open file is what counts.
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(irregular());
    }
    if path.parent().is_some_and(|folder| owner::is_current_user(folder, &metadata)) {
        Ok(file)
    } else {
        Err(io::Error::new(io::ErrorKind::PermissionDenied, "belongs to another user"))
    }
}

fn irregular() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "not a regular file")
}

/// The bytes of a file; `None` when there is none. One that is too large is cut, and no longer valid JSON.
pub(super) fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    if !is_there(path)? {
        return Ok(None);
    }
    let file = match enter(path, OpenOptions::new().read(true)) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut bytes = Vec::new();
    file.take(LARGEST).read_to_end(&mut bytes)?;
    Ok(Some(bytes))
}

/// Creates a folder and those above it, each for this user alone. `true` when it was not there before.
pub(super) fn create_folder(path: &Path) -> Attempt<bool> {
    if fs::symlink_metadata(path).is_ok() {
        return Ok(false);
    }
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder
        .recursive(true)
        .create(path)
        .map(|()| true)
        .map_err(|error| Failure::state(format_args!("`{}` cannot be created", path.display()), &error))
}

/// Whether a link in place of a folder is trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Links {
    /// The client chose the folder; where it leads is the person's business.
    Followed,
    /// Inside, nobody but a hook creates anything, and hooks create no links.
    Refused,
}

/// Whether the folder is there. One that is a link, is no folder, or belongs to somebody else is a failure.
pub(super) fn check_folder(path: &Path, links: Links) -> Attempt<bool> {
    let metadata = match links {
        Links::Followed => fs::metadata(path),
        Links::Refused => fs::symlink_metadata(path),
    };
    let refusal = match metadata {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(Failure::state(format_args!("`{}` cannot be looked at", path.display()), &error)),
        Ok(metadata) if metadata.is_symlink() => "is a symbolic link",
        Ok(metadata) if !metadata.is_dir() => "is not a folder",
        Ok(metadata) if !owner::is_current_user(path, &metadata) => "belongs to another user",
        Ok(metadata) if links == Links::Refused && owner::others_may_write(&metadata) => "can be written to by others",
        Ok(_) => return Ok(true),
    };
    Err(Failure::State(format!("the state folder `{}` {refusal}", path.display())))
}

/// The number of the user that this process runs as, where there are such numbers. The folder is one of that user's.
pub(crate) fn user(folder: &Path) -> Option<u32> {
    owner::current_user(folder)
}

#[cfg(unix)]
fn restrict(options: &mut OpenOptions) {
    use std::os::unix::fs::OpenOptionsExt;
    options.mode(0o600).custom_flags(flags::NOFOLLOW | flags::NONBLOCK);
}

/// What leads elsewhere is opened itself, and is no regular file then. Who may read a new file is up to its folder, which
/// lies in the user's profile: nobody but the user, the administrators and the system itself.
#[cfg(windows)]
fn restrict(options: &mut OpenOptions) {
    use std::os::windows::fs::OpenOptionsExt;
    const OPEN_REPARSE_POINT: u32 = 0x0020_0000;
    options.custom_flags(OPEN_REPARSE_POINT);
}

#[cfg(not(any(unix, windows)))]
fn restrict(_: &mut OpenOptions) {}

/// `open(2)` flags. A system that is not listed has none: the look at the entry before and after opening remains.
#[cfg(unix)]
mod flags {
    pub(super) const NOFOLLOW: i32 = if cfg!(any(target_os = "linux", target_os = "android")) {
        if cfg!(any(
            target_arch = "arm",
            target_arch = "aarch64",
            target_arch = "powerpc",
            target_arch = "powerpc64",
            target_arch = "m68k"
        )) {
            0x8000
        } else {
            0x2_0000
        }
    } else if BSD {
        0x100
    } else {
        0
    };

    pub(super) const NONBLOCK: i32 = if cfg!(any(target_os = "linux", target_os = "android")) {
        if cfg!(any(target_arch = "mips", target_arch = "mips64")) {
            0x80
        } else if cfg!(any(target_arch = "sparc", target_arch = "sparc64")) {
            0x4000
        } else {
            0x800
        }
    } else if BSD {
        0x4
    } else {
        0
    };

    const BSD: bool = cfg!(any(
        target_vendor = "apple",
        target_os = "freebsd",
        target_os = "netbsd",
        target_os = "openbsd",
        target_os = "dragonfly"
    ));
}

/// The number of the user that this process runs as, if the system says so.
#[cfg(unix)]
pub(crate) fn current_user() -> Option<u32> {
    owner::process_owner()
}

#[cfg(not(unix))]
pub(crate) fn current_user() -> Option<u32> {
    None
}

#[cfg(unix)]
mod owner {
    use std::fs::{self, Metadata, OpenOptions};
    use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
    use std::path::Path;
    use std::sync::OnceLock;

    /// A user that cannot be found out is not the owner.
    pub(super) fn is_current_user(folder: &Path, metadata: &Metadata) -> bool {
        current_user(folder) == Some(metadata.uid())
    }

    pub(super) fn current_user(folder: &Path) -> Option<u32> {
        static USER: OnceLock<Option<u32>> = OnceLock::new();
        *USER.get_or_init(|| process_owner().or_else(|| probe(folder)))
    }

    /// Whoever may write to a folder may put anything in the place of anything in it.
    pub(super) fn others_may_write(metadata: &Metadata) -> bool {
        metadata.mode() & 0o022 != 0
    }

    /// Linux shows every process as a folder of its user's.
    pub(super) fn process_owner() -> Option<u32> {
        if !cfg!(target_os = "linux") {
            return None;
        }
        fs::metadata("/proc/self").ok().map(|metadata| metadata.uid())
    }

    /// Elsewhere a new file tells: it belongs to whoever creates it.
    fn probe(folder: &Path) -> Option<u32> {
        let path = folder.join(format!(".owner-{}", std::process::id()));
        let created = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path);
        let user = created.and_then(|file| file.metadata()).map(|metadata| metadata.uid());
        let _ = fs::remove_file(&path);
        user.ok()
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn both_ways_to_find_the_user_agree_and_leave_nothing_behind() {
            let folder = tempfile::tempdir().expect("a folder");
            let probed = probe(folder.path());
            assert!(probed.is_some());
            if let Some(user) = process_owner() {
                assert_eq!(probed, Some(user));
            }
            assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 0);
        }
    }
}

#[cfg(not(unix))]
mod owner {
    /// The folders are inside the user's own profile, which the system guards.
    pub(super) fn current_user(_: &std::path::Path) -> Option<u32> {
        None
    }

    pub(super) fn is_current_user(_: &std::path::Path, _: &std::fs::Metadata) -> bool {
        true
    }

    pub(super) fn others_may_write(_: &std::fs::Metadata) -> bool {
        false
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

    use super::*;

    #[test]
    fn a_link_is_refused_and_its_target_untouched() {
        let folder = tempfile::tempdir().expect("a folder");
        let (target, link) = (folder.path().join("target"), folder.path().join("link"));
        symlink(&target, &link).expect("a link");
        assert!(open(&link, OpenOptions::new().append(true).create(true)).is_err());
        assert!(!target.exists());
        fs::write(&target, "1").expect("written");
        assert!(read(&link).is_err());
        assert_eq!(read(&target).expect("regular"), Some(b"1".to_vec()));
    }

    #[test]
    fn the_flag_alone_refuses_a_link() {
        let folder = tempfile::tempdir().expect("a folder");
        let (target, link) = (folder.path().join("target"), folder.path().join("link"));
        fs::write(&target, "1").expect("written");
        symlink(&target, &link).expect("a link");
        let mut options = OpenOptions::new();
        restrict(options.read(true));
        assert!(options.open(&target).is_ok());
        assert_eq!(options.open(&link).is_err(), flags::NOFOLLOW != 0);
    }

    #[test]
    fn the_flag_alone_keeps_a_pipe_from_being_waited_for() {
        let folder = tempfile::tempdir().expect("a folder");
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().is_ok_and(|status| status.success());
        if made && flags::NONBLOCK != 0 {
            let mut options = OpenOptions::new();
            restrict(options.read(true));
            let (tell, told) = std::sync::mpsc::channel();
            std::thread::spawn(move || tell.send(options.open(&pipe).is_ok()));
            assert_eq!(told.recv_timeout(std::time::Duration::from_secs(20)), Ok(true));
        }
    }

    #[test]
    fn no_more_is_read_than_any_state_takes() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        File::create(&path).and_then(|file| file.set_len(LARGEST + 1)).expect("filled");
        assert_eq!(read(&path).expect("regular").map(|bytes| bytes.len() as u64), Some(LARGEST));
    }

    #[test]
    fn a_device_is_no_file_and_is_not_read() {
        assert!(read(Path::new("/dev/zero")).is_err());
    }

    #[test]
    fn new_files_and_folders_are_private() {
        let top = tempfile::tempdir().expect("a folder");
        let folder = top.path().join("a/b");
        assert!(create_folder(&folder).expect("created"));
        assert!(!create_folder(&folder).expect("there already"));
        let file = folder.join("file");
        open(&file, OpenOptions::new().append(true).create(true)).expect("created");
        let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode() & 0o777;
        assert_eq!((mode(&top.path().join("a")), mode(&folder), mode(&file)), (0o700, 0o700, 0o600));
    }

    #[test]
    fn only_a_folder_of_ones_own_passes() {
        let top = tempfile::tempdir().expect("a folder");
        let (file, link) = (top.path().join("file"), top.path().join("link"));
        fs::write(&file, "").expect("written");
        symlink(top.path(), &link).expect("a link");
        assert_eq!(check_folder(top.path(), Links::Refused), Ok(true));
        assert_eq!(check_folder(&top.path().join("none"), Links::Refused), Ok(false));
        assert_eq!(check_folder(&link, Links::Followed), Ok(true));
        assert!(check_folder(&link, Links::Refused).is_err());
        assert!(check_folder(&file, Links::Refused).is_err());
    }

    #[test]
    fn a_file_of_somebody_else_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("file");
        fs::write(&file, "1").expect("written");
        assert!(read(&file).is_ok());
        // Only root can give a file away.
        if std::os::unix::fs::chown(&file, Some(12_345), None).is_ok() {
            assert!(read(&file).is_err());
        }
    }

    #[test]
    fn a_folder_that_others_may_write_to_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        for (mode, expected) in [(0o700, true), (0o755, true), (0o775, false), (0o777, false), (0o1777, false)] {
            fs::set_permissions(folder.path(), fs::Permissions::from_mode(mode)).expect("ours");
            assert_eq!(check_folder(folder.path(), Links::Refused).is_ok(), expected, "{mode:o}");
            assert!(check_folder(folder.path(), Links::Followed).is_ok(), "the client's own folder is its business");
        }
    }

    #[test]
    fn a_folder_of_somebody_else_is_refused() {
        let ours = tempfile::tempdir().expect("a folder");
        let user = fs::metadata(ours.path()).expect("there").uid();
        // The root folder belongs to root; for root itself, a folder given away does.
        let theirs = if user == 0 {
            std::os::unix::fs::chown(ours.path(), Some(12_345), None).ok().map(|()| ours.path())
        } else {
            Some(Path::new("/"))
        };
        if let Some(folder) = theirs {
            assert!(check_folder(folder, Links::Followed).is_err());
        }
    }
}
