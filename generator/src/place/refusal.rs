//! Places in which hookgen lays out nothing, whatever is in them.

use std::io::ErrorKind;

use anyhow::{Context as _, bail};
use camino::{Utf8Path, Utf8PathBuf};

use crate::emit::ROOT;
use crate::workspace::{SPECS, normal};

/// Where a path really leads. What does not exist yet is taken by its text.
pub(super) fn real(path: &Utf8Path) -> anyhow::Result<Utf8PathBuf> {
    for above in path.ancestors() {
        match above.canonicalize_utf8() {
            Ok(real) => return Ok(normal(&real.join(path.strip_prefix(above).unwrap_or(Utf8Path::new(""))))),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error).with_context(|| format!("cannot look at `{above}`")),
        }
    }
    bail!("`{path}` is nowhere")
}

/// Refuses a folder that is, holds or breaks into what people write. All three paths are real ones.
pub(super) fn check_position(shown: &Utf8Path, place: &Utf8Path, workspace: &Utf8Path) -> anyhow::Result<()> {
    const INSTEAD: &str = "choose another folder, for example `--out dist`";
    if place == workspace {
        bail!("`{shown}` is the workspace itself, and a plugin there would take its place; {INSTEAD}");
    }
    if workspace.starts_with(place) {
        bail!("`{shown}` holds the workspace `{workspace}`, and a plugin there would take its place; {INSTEAD}");
    }
    if place.parent() == Some(workspace) {
        bail!("`{shown}` would lie among the workspace's own files; {INSTEAD}");
    }
    for own in [SPECS, ROOT] {
        if place.starts_with(workspace.join(own)) {
            bail!("`{shown}` would lie in the workspace's own folder `{own}`; {INSTEAD}");
        }
    }
    if place.components().any(|part| part.as_str() == ".git") {
        bail!("`{shown}` lies in a git repository's own folder; {INSTEAD}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_would_swallow_the_workspace_is_refused_and_what_lies_beside_is_not() {
        let check = |place: &str| check_position(place.into(), place.into(), "/w/mine".into());
        for place in
            ["/w/mine", "/w", "/", "/w/mine/mine", "/w/mine/specs/mine", "/w/mine/generated/mine", "/w/x/.git/mine"]
        {
            let error = check(place).expect_err(place).to_string();
            assert!(error.contains(place) && error.ends_with("`--out dist`"), "{error}");
        }
        for place in ["/w/mine/dist/mine", "/w/mine2", "/w/other", "/w/mine/.claude/hooks/mine", "/w/mine/a.git/mine"] {
            assert!(check(place).is_ok(), "{place}");
        }
    }

    #[test]
    fn what_is_not_there_yet_is_found_through_what_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = Utf8Path::from_path(folder.path()).expect("UTF-8").canonicalize_utf8().expect("real");
        assert_eq!(real(&root.join("a/../b/c")).expect("real"), root.join("b/c"));
        std::fs::create_dir(root.join("real")).expect("created");
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("real", root.join("link")).expect("linked");
            assert_eq!(real(&root.join("link/x")).expect("real"), root.join("real/x"));
        }
    }
}
