//! The repository that a call happens in.

use crate::call::Call;
use crate::path;
use crate::signature::function;

/// The branch; `HEAD` when none is checked out, empty outside a repository.
pub fn git_branch(call: &Call<'_>) -> String {
    call.git().branch()
}

/// The top of the work tree; empty outside a repository.
pub fn git_root(call: &Call<'_>) -> String {
    call.git().root().map(path::text).unwrap_or_default()
}

/// The hash of the commit; empty before the first one and outside a repository.
pub fn git_commit(call: &Call<'_>) -> String {
    call.git().commit()
}

function! {
    BRANCH: git_branch,
    name: "git.branch",
    params: {},
    result: Text,
    powers: [Environment, Repository],
    doc: "The branch of the repository around the project, also before its first commit. `HEAD` when no branch is \
           checked out, empty outside a repository.",
    example: "!git.branch.startsWith('refs/heads/')",
}

function! {
    ROOT: git_root,
    name: "git.root",
    params: {},
    result: Text,
    powers: [Environment, Repository],
    doc: "The top folder of the repository around the project; empty outside a repository.",
    example: "git.root == '' || project_dir.isWithin(git.root)",
}

function! {
    COMMIT: git_commit,
    name: "git.commit",
    params: {},
    result: Text,
    powers: [Environment, Repository],
    doc: "The full hash of the commit that is checked out; empty before the first one and outside a repository.",
    example: "git.commit == '' || git.commit.matches('^([0-9a-f]{40}|[0-9a-f]{64})$')",
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Event;
    use crate::git::Git;
    use crate::json::Json;

    #[test]
    fn the_repository_is_that_of_the_project() {
        let call = Call::new("test", Event::named("PreToolUse").expect("known"), &Json::Null);
        let git = Git::discover(call.project_dir());
        assert_eq!(git_branch(&call), git.branch());
        assert_eq!(git_commit(&call), git.commit());
        assert_eq!(git_root(&call), git.root().map(|root| root.display().to_string()).unwrap_or_default());
    }
}
