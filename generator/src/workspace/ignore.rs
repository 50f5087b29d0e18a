//! What hookgen makes anew at every ship stays out of the project's history.
//!
//! The `.gitignore` of the project gets a line for it, once. Lines that are there are never changed, and one that names
//! the folder in any way (ignored, not ignored, in a comment) is somebody's decision, which stands.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write as _};

use anyhow::Context as _;
use camino::{Utf8Path, Utf8PathBuf};

/// The folder, in the project's root, in which plugins are laid out.
pub(crate) const DIST: &str = "dist";

/// The file that git reads, in any folder of a repository.
const FILE: &str = ".gitignore";

/// What was done to the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ignoring {
    Created,
    Updated,
    Unchanged,
}

/// Sees to it that git ignores what is shipped from the project at `root`; gives the file, from there. Where no
/// repository is, that is nobody's concern, unless the project is `new` and may become one.
pub fn ignore_output(root: &Utf8Path, new: bool) -> anyhow::Result<(Utf8PathBuf, Ignoring)> {
    let repository = root.ancestors().find(|folder| folder.join(".git").exists());
    let done = if (new || repository.is_some()) && !decided_above(root, repository)? {
        append(&root.join(FILE))?
    } else {
        Ignoring::Unchanged
    };
    Ok((FILE.into(), done))
}

/// Whether a folder above, up to the top of the repository, decides about every folder of that name.
fn decided_above(root: &Utf8Path, repository: Option<&Utf8Path>) -> anyhow::Result<bool> {
    let Some(repository) = repository else { return Ok(false) };
    for folder in root.ancestors().skip(1).take_while(|folder| folder.starts_with(repository)) {
        let text = read(&folder.join(FILE))?.unwrap_or_default();
        if text.lines().any(|line| names_dist(line) && !line.trim_start_matches('!').starts_with('/')) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn append(path: &Utf8Path) -> anyhow::Result<Ignoring> {
    // Git follows no link here, and what it points to is another's.
    if path.is_symlink() {
        return Ok(Ignoring::Unchanged);
    }
    let found = read(path)?;
    let text = found.as_deref().unwrap_or_default();
    if text.lines().any(names_dist) {
        return Ok(Ignoring::Unchanged);
    }
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let open = if text.is_empty() || text.ends_with('\n') { "" } else { end };
    let lines = format!("{open}# Made anew by `hookgen ship`.{end}/{DIST}/{end}");
    let written = OpenOptions::new().create(true).append(true).open(path);
    written.and_then(|mut file| file.write_all(lines.as_bytes())).with_context(|| format!("cannot write `{path}`"))?;
    Ok(if found.is_some() { Ignoring::Updated } else { Ignoring::Created })
}

/// Whether a line is about the folder: `dist`, `/dist/`, `!dist`, `dist/*`, `# /dist`.
fn names_dist(line: &str) -> bool {
    let pattern = line.trim_start_matches(['#', '!', ' ']).trim_end();
    let pattern = pattern.trim_start_matches("**/").trim_start_matches('/');
    pattern.trim_end_matches('*').trim_end_matches('/') == DIST
}

/// The text of a file that people write, as far as it is text; nothing if there is none.
fn read(path: &Utf8Path) -> anyhow::Result<Option<String>> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read `{path}`")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::project;
    use super::*;

    const OURS: &str = "# Made anew by `hookgen ship`.\n/dist/\n";

    /// What becomes of a `.gitignore`, and that a second time changes nothing.
    fn after(text: &str) -> String {
        let (_folder, root) = project(&[(".git/HEAD", ""), (".gitignore", text)]);
        let (file, _) = ignore_output(&root, false).expect("done");
        let once = fs::read_to_string(root.join(&file)).expect("there");
        assert_eq!(ignore_output(&root, false).expect("done"), (file.clone(), Ignoring::Unchanged));
        assert_eq!(fs::read_to_string(root.join(&file)).expect("there"), once);
        once
    }

    #[test]
    fn a_line_is_added_below_those_of_others() {
        assert_eq!(after(""), OURS);
        assert_eq!(after("/target\n"), format!("/target\n{OURS}"));
        assert_eq!(after("# no end"), format!("# no end\n{OURS}"));
        assert_eq!(after("/target\r\n"), format!("/target\r\n{}", OURS.replace('\n', "\r\n")));
        assert_eq!(after("/distance\ndist.rs\nold/dist\n"), format!("/distance\ndist.rs\nold/dist\n{OURS}"));
    }

    #[test]
    fn what_somebody_decided_stands() {
        for line in
            ["dist", "/dist", "dist/", "/dist/", "!/dist/", "# /dist/", "dist/*", "**/dist", "/dist/**", "dist  "]
        {
            let text = format!("/target\n{line}\n");
            assert_eq!(after(&text), text);
        }
    }

    #[test]
    fn a_folder_above_decides_only_if_it_means_every_folder_of_that_name() {
        for (above, done) in [("dist/\n", Ignoring::Unchanged), ("/dist/\n", Ignoring::Created)] {
            let (_folder, root) = project(&[(".git/HEAD", ""), (".gitignore", above), ("a/b/x", "")]);
            let (file, found) = ignore_output(&root.join("a/b"), false).expect("done");
            assert_eq!((found, root.join("a/b").join(file).exists()), (done, done == Ignoring::Created), "{above}");
        }
    }

    #[test]
    fn without_a_repository_only_a_new_project_gets_the_file() {
        let (_folder, root) = project(&[("x", "")]);
        assert_eq!(ignore_output(&root, false).expect("done").1, Ignoring::Unchanged);
        assert!(!root.join(FILE).exists());
        assert_eq!(ignore_output(&root, true).expect("done").1, Ignoring::Created);
        assert_eq!(fs::read_to_string(root.join(FILE)).expect("there"), OURS);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_left_alone() {
        let (_folder, root) = project(&[(".git/HEAD", ""), ("theirs", "x\n")]);
        std::os::unix::fs::symlink("theirs", root.join(FILE)).expect("a link");
        assert_eq!(ignore_output(&root, false).expect("done").1, Ignoring::Unchanged);
        assert_eq!(fs::read_to_string(root.join("theirs")).expect("there"), "x\n");
    }
}
