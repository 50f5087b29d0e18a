//! The files of a folder and of those inside it.

use std::fs::{self, DirEntry};
use std::io;
use std::path::Path;
use std::path::PathBuf;

use crate::call::Call;
use crate::failure::{Attempt, Failure};
use crate::path;
use crate::signature::function;

const MOST_FILES: usize = 10_000;
/// Folders have a limit of their own: a tree of empty ones would take just as long.
const MOST_FOLDERS: usize = 10_000;

/// The paths of the regular files in a folder and below it, sorted; none if it is missing.
pub fn files_under(call: &Call<'_>, folder: &str) -> Attempt<Vec<String>> {
    files_under_from(call.cwd(), folder)
}

fn files_under_from(base: &Path, folder: &str) -> Attempt<Vec<String>> {
    if folder.is_empty() {
        return Ok(Vec::new());
    }
    let mut files = Vec::new();
    let mut folders = vec![base.join(folder)];
    let mut visited = 0;
    while let Some(folder) = folders.pop() {
        visited += 1;
        if visited > MOST_FOLDERS || files.len() >= MOST_FILES {
            break;
        }
        let inside = entries(&folder).map_err(|error| {
            Failure::document(format_args!("cannot list the folder `{}`", folder.display()), &error)
        })?;
        // Last first: the stack then gives the folders in their order, and a tree that is cut off is always cut off at
        // the same place.
        for (path, kind) in inside.into_iter().rev() {
            match kind {
                Kind::Folder => folders.push(path),
                Kind::File => files.push(path::text(&path)),
            }
        }
    }
    files.sort_unstable();
    files.truncate(MOST_FILES);
    Ok(files)
}

enum Kind {
    File,
    Folder,
}

/// What is in a folder, sorted, without links and devices. A folder that is gone is empty.
fn entries(folder: &Path) -> io::Result<Vec<(PathBuf, Kind)>> {
    let listed = match fs::read_dir(folder) {
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(Vec::new());
        }
        other => other?,
    };
    let mut entries = Vec::new();
    for entry in listed {
        let entry = entry?;
        if let Some(kind) = kind(&entry)? {
            entries.push((entry.path(), kind));
        }
    }
    entries.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
    Ok(entries)
}

fn kind(entry: &DirEntry) -> io::Result<Option<Kind>> {
    let kind = entry.file_type()?;
    Ok(if kind.is_dir() {
        Some(Kind::Folder)
    } else if kind.is_file() {
        Some(Kind::File)
    } else {
        None
    })
}

function! {
    FUNCTION: files_under,
    name: "filesUnder",
    params: { folder: Text },
    result: List<Text>,
    fallible: true,
    powers: [Files],
    doc: "The paths of the regular files in the folder and below it, sorted, at most 10,000; none if it is missing. \
           Links are not followed; a relative folder starts at the working directory.",
    example: "filesUnder('no/such/folder').size() == 0",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_at_every_depth_and_sorted() {
        let guard = tempfile::tempdir().expect("a folder");
        fs::create_dir_all(guard.path().join("top/b/c")).expect("created");
        for file in ["top/z", "top/b/c/deep", "top/a", "beside"] {
            fs::write(guard.path().join(file), "").expect("written");
        }
        let expected = ["top/a", "top/b/c/deep", "top/z"].map(|file| guard.path().join(file).display().to_string());
        assert_eq!(files_under_from(guard.path(), "top"), Ok(expected.to_vec()));
    }

    #[test]
    fn what_is_no_folder_holds_nothing() {
        let guard = tempfile::tempdir().expect("a folder");
        fs::write(guard.path().join("file"), "").expect("written");
        for folder in ["", "none", "file"] {
            assert_eq!(files_under_from(guard.path(), folder), Ok(Vec::new()), "{folder}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed() {
        let guard = tempfile::tempdir().expect("a folder");
        fs::create_dir(guard.path().join("top")).expect("created");
        std::os::unix::fs::symlink("..", guard.path().join("top/up")).expect("linked");
        std::os::unix::fs::symlink("nowhere", guard.path().join("top/file")).expect("linked");
        assert_eq!(files_under_from(guard.path(), "top"), Ok(Vec::new()));
    }
}
