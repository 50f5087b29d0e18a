//! What people must know about a place that was filled or cleared.

use std::fmt;

use camino::Utf8PathBuf;

/// Something that was not simply replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Note {
    /// A setting that was edited, and the new version of it where there is one.
    Kept { path: Utf8PathBuf, new: Option<Utf8PathBuf> },
    /// A file that was edited although hookgen writes it, and where the edited one is now.
    Replaced { path: Utf8PathBuf, edited: Utf8PathBuf },
    /// An edited file that hookgen no longer writes.
    Left { path: Utf8PathBuf },
    /// A folder of a version without records, and where all of it is now.
    Before(Utf8PathBuf),
    /// A folder of a version without records, which was not removed.
    Unrecorded(Utf8PathBuf),
    /// Files that changed while hookgen was at work, and where they are now.
    Remains(Utf8PathBuf),
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kept { path, new: None } => write!(f, "kept `{path}` as it was edited"),
            Self::Kept { path, new: Some(new) } => {
                write!(f, "kept `{path}` as it was edited; the new version of it is `{new}`")
            }
            Self::Replaced { path, edited } => {
                write!(f, "`{path}` was edited, but hookgen writes it; the edited one is now `{edited}`")
            }
            Self::Left { path } => write!(f, "kept `{path}`, because it was edited"),
            Self::Before(folder) => write!(
                f,
                "an earlier hookgen made it without a record of what it wrote; all that was there is now in \
                 `{folder}`; remove that when nothing in it is needed"
            ),
            Self::Unrecorded(folder) => write!(
                f,
                "an earlier hookgen made `{folder}` without a record of what it wrote, so it stays; remove it when \
                 nothing in it is needed"
            ),
            Self::Remains(folder) => write!(
                f,
                "some files changed while hookgen was at work; they are in `{folder}`; take from there what is needed \
                 and remove it"
            ),
        }
    }
}
