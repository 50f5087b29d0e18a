//! The repository around any folder: its branch, and which one it is.

use crate::call::Call;
use crate::git::Git;
use crate::path;
use crate::signature::function;

/// The branch of the repository around the folder; relative folders start at the working directory.
pub fn branch_of(call: &Call<'_>, folder: &str) -> String {
    around(call, folder).branch()
}

/// The folder that all work trees of the repository around this one share; empty outside a repository.
pub fn repository_of(call: &Call<'_>, folder: &str) -> String {
    around(call, folder).shared().map(|shared| path::text(&shared)).unwrap_or_default()
}

/// The top folder of the work tree around the folder; empty outside a repository.
pub fn work_tree_of(call: &Call<'_>, folder: &str) -> String {
    around(call, folder).root().map(path::text).unwrap_or_default()
}

fn around(call: &Call<'_>, folder: &str) -> Git {
    Git::discover(&path::resolve(call.cwd(), folder))
}

function! {
    BRANCH: branch_of,
    name: "branchOf",
    params: { folder: Text },
    result: Text,
    powers: [Repository],
    doc: "The branch that is checked out in the folder, which starts at the working directory if it is relative; empty \
           is the working directory itself. `HEAD` when no branch is, empty outside a repository.",
    example: "branchOf(project_dir) == git.branch && branchOf('/') == ''",
}

function! {
    REPOSITORY: repository_of,
    name: "repositoryOf",
    params: { folder: Text },
    result: Text,
    powers: [Repository],
    doc: "The repository around the folder, as the path of the git folder that all of its work trees share: equal for \
           folders of the same repository, empty outside one.",
    example: "repositoryOf(git.root) == repositoryOf(project_dir)",
}

function! {
    WORK_TREE: work_tree_of,
    name: "workTreeOf",
    params: { folder: Text },
    result: Text,
    powers: [Repository],
    doc: "The top folder of the work tree around the folder, which starts at the working directory if it is relative; \
           empty outside a repository. Each work tree of a repository has its own.",
    example: "workTreeOf(project_dir) == git.root && workTreeOf('/') == ''",
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::event::Event;
    use crate::json::Json;

    #[test]
    fn every_work_tree_has_its_own_branch_in_the_same_repository() {
        let guard = tempfile::tempdir().expect("a folder");
        let base = guard.path();
        for folder in ["main/.git/worktrees/side", "side/deep", "other/.git"] {
            fs::create_dir_all(base.join(folder)).expect("created");
        }
        let write = |file: &str, text: &str| fs::write(base.join(file), text).expect("written");
        write("main/.git/HEAD", "ref: refs/heads/main\n");
        write("main/.git/worktrees/side/HEAD", "ref: refs/heads/feature/x\n");
        write("main/.git/worktrees/side/commondir", "../..\n");
        write("side/.git", "gitdir: ../main/.git/worktrees/side\n");
        write("other/.git/HEAD", "ref: refs/heads/main\n");
        let payload = Json::parse(&format!(r#"{{"cwd":{}}}"#, Json::text(base.to_str().expect("UTF-8"))))
            .expect("JSON")
            .into_owned();
        let call = Call::new("test", Event::named("PreToolUse").expect("known"), &payload);
        assert_eq!(branch_of(&call, "main"), "main");
        assert_eq!(branch_of(&call, "side/deep"), "feature/x");
        assert_eq!(repository_of(&call, "side/deep"), repository_of(&call, "main"));
        assert_ne!(repository_of(&call, "other"), repository_of(&call, "main"));
        assert_eq!(repository_of(&call, "/"), "");
        let top = |folder: &str| std::path::PathBuf::from(work_tree_of(&call, folder));
        assert!(
            top("side/deep").ends_with("side") && top("main").ends_with("main") && work_tree_of(&call, "/").is_empty()
        );
    }
}
