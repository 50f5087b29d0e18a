//! Files that are not what they were.

use std::fs;
use std::process::Command;

use anyhow::{Context as _, bail};
use camino::Utf8Path;

/// What becomes of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Damage {
    Missing,
    Corrupt,
    Folder,
    Unreadable,
    Loop,
    Pipe,
}

/// Whether the damage could be done. Root reads what nobody may read, and not every system has pipes and links.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Done {
    Yes,
    NotHere,
}

/// Does the damage. A file that cannot be read is made so for `reader`, where that is another user.
pub(super) fn damage(path: &Utf8Path, kind: Damage, reader: Option<u32>) -> anyhow::Result<Done> {
    remove(path)?;
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).with_context(|| format!("cannot create `{parent}`"))?;
    }
    match kind {
        Damage::Missing => {}
        Damage::Corrupt => fs::write(path, b"{\"counters\": {\"a\": [\n\t: \xff").context("cannot write")?,
        Damage::Folder => fs::create_dir(path).context("cannot create a folder")?,
        Damage::Unreadable => {
            fs::write(path, "{}").context("cannot write")?;
            return forbid(path, reader);
        }
        Damage::Loop => return link(path, path),
        Damage::Pipe => return pipe(path),
    }
    Ok(Done::Yes)
}

/// Puts a text in the place of every JSON and YAML file below a folder, its hidden folders of git aside.
pub(super) fn overwrite_records(folder: &Utf8Path, text: &str) -> anyhow::Result<()> {
    for entry in folder.read_dir_utf8().with_context(|| format!("cannot look into `{folder}`"))? {
        let path = entry.context("cannot look at a file")?.into_path();
        if path.is_dir() && path.file_name() != Some(".git") {
            overwrite_records(&path, text)?;
        } else if path.is_file() && matches!(path.extension(), Some("json" | "yaml" | "yml")) {
            fs::write(&path, text).with_context(|| format!("cannot write `{path}`"))?;
        }
    }
    Ok(())
}

fn remove(path: &Utf8Path) -> anyhow::Result<()> {
    let removed = match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(_) => return Ok(()),
    };
    removed.with_context(|| format!("cannot remove `{path}`"))
}

/// Takes permissions away, and looks whether that makes a difference. For another user it does.
#[cfg(unix)]
pub(super) fn forbid(path: &Utf8Path, user: Option<u32>) -> anyhow::Result<Done> {
    use std::os::unix::fs::PermissionsExt as _;
    let is_folder = path.is_dir();
    let mode = if is_folder { 0o500 } else { 0o000 };
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).context("cannot take permissions away")?;
    if user.is_some() {
        std::os::unix::fs::chown(path, user, None).context("cannot give it away")?;
        return Ok(Done::Yes);
    }
    let probe = path.join(".probe");
    let ignored = if is_folder { fs::write(&probe, "").is_ok() } else { fs::read(path).is_ok() };
    if !ignored {
        return Ok(Done::Yes);
    }
    let _ = fs::remove_file(probe);
    Ok(Done::NotHere)
}

#[cfg(not(unix))]
pub(super) fn forbid(_: &Utf8Path, _: Option<u32>) -> anyhow::Result<Done> {
    Ok(Done::NotHere)
}

#[cfg(unix)]
pub(super) fn link(target: &Utf8Path, path: &Utf8Path) -> anyhow::Result<Done> {
    std::os::unix::fs::symlink(target, path).context("cannot make a link")?;
    Ok(Done::Yes)
}

#[cfg(not(unix))]
pub(super) fn link(_: &Utf8Path, _: &Utf8Path) -> anyhow::Result<Done> {
    Ok(Done::NotHere)
}

fn pipe(path: &Utf8Path) -> anyhow::Result<Done> {
    match Command::new("mkfifo").arg(path).status() {
        Ok(status) if status.success() => Ok(Done::Yes),
        Ok(status) => bail!("mkfifo: {status}"),
        Err(_) => Ok(Done::NotHere),
    }
}
