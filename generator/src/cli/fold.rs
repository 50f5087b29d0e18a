//! Many paths on few lines: a folder of which every file is meant is named once.

use camino::{Utf8Path, Utf8PathBuf};

use super::console::count;

/// The paths as they are shown. Folders directly below what is generated that hold none of the others are folded.
pub(super) fn fold(paths: &[Utf8PathBuf], others: &[&Utf8Path]) -> Vec<String> {
    let mut shown: Vec<String> = Vec::new();
    let mut whole: Vec<&Utf8Path> = Vec::new();
    for path in paths {
        let Some(folder) = catalog_folder(path).filter(|folder| !others.iter().any(|other| other.starts_with(folder)))
        else {
            shown.push(path.to_string());
            continue;
        };
        if whole.contains(&folder) {
            continue;
        }
        whole.push(folder);
        match paths.iter().filter(|path| path.starts_with(folder)).count() {
            1 => shown.push(path.to_string()),
            files => shown.push(format!("{folder}/ ({})", count(files, "file"))),
        }
    }
    shown
}

/// The folder of a catalog that a path is in: `generated/<catalog>`.
fn catalog_folder(path: &Utf8Path) -> Option<&Utf8Path> {
    path.ancestors().find(|above| *above != path && above.components().count() == 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_folder_is_one_line_and_a_part_of_one_is_not() {
        let paths: Vec<Utf8PathBuf> =
            ["generated/a/x", "generated/a/y/z", "generated/b/x", "generated/b/y", "generated/c/x"]
                .map(Into::into)
                .into();
        let shown = fold(&paths, &[Utf8Path::new("generated/b/w")]);
        assert_eq!(shown, ["generated/a/ (2 files)", "generated/b/x", "generated/b/y", "generated/c/x"]);
    }
}
