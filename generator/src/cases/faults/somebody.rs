//! A user who is bound by permissions, since root is not.

use std::fs;

use anyhow::Context as _;
use camino::Utf8Path;

/// `nobody` on most systems; that nobody owns anything else is all that matters.
const SOMEBODY: u32 = 65_534;

/// When this is root, gives the folder and what is in it to an ordinary user, whose number it returns. Links to what
/// is not in the folder stay what they are, and so does `kept`.
#[cfg(unix)]
pub(super) fn give_away(folder: &Utf8Path, kept: &Utf8Path) -> anyhow::Result<Option<u32>> {
    use std::os::unix::fs::MetadataExt as _;
    let owner = fs::symlink_metadata(folder).with_context(|| format!("cannot look at `{folder}`"))?.uid();
    if owner != 0 {
        return Ok(None);
    }
    hand_over(folder, kept)?;
    Ok(Some(SOMEBODY))
}

#[cfg(unix)]
fn hand_over(path: &Utf8Path, kept: &Utf8Path) -> anyhow::Result<()> {
    std::os::unix::fs::lchown(path, Some(SOMEBODY), None).with_context(|| format!("cannot give `{path}` away"))?;
    if path == kept || !fs::symlink_metadata(path).is_ok_and(|found| found.is_dir()) {
        return Ok(());
    }
    for entry in path.read_dir_utf8().with_context(|| format!("cannot list `{path}`"))? {
        hand_over(entry.with_context(|| format!("cannot list `{path}`"))?.path(), kept)?;
    }
    Ok(())
}

#[cfg(not(unix))]
pub(super) fn give_away(_: &Utf8Path, _: &Utf8Path) -> anyhow::Result<Option<u32>> {
    Ok(None)
}
