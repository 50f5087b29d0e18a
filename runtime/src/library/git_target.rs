//! What a git command is about on the other side: the remote, and the refs.

use crate::shell::Command;
use crate::signature::function;

/// Subcommands whose first word is a remote or an address.
const WITH_REMOTE: &[&str] = &["push", "pull", "fetch", "clone", "ls-remote"];

/// The remote that a git command names.
pub fn remote(command: &Command) -> String {
    let names = WITH_REMOTE.contains(&command.subcommand()) && is_git(command);
    command.rest().first().filter(|_| names).cloned().unwrap_or_default()
}

/// The refs that a git command names, as the other side has them.
pub fn refs(command: &Command) -> Vec<String> {
    if !is_git(command) || !matches!(command.subcommand(), "push" | "pull" | "fetch") {
        return Vec::new();
    }
    let specs = command.rest().iter().skip(1).map(|spec| spec.trim_start_matches('+'));
    let far = |spec: &str| match (command.subcommand(), spec.split_once(':')) {
        ("push", Some((_, far))) | (_, Some((far, _))) => far.to_owned(),
        (_, None) => spec.to_owned(),
    };
    specs.map(|spec| far(spec).trim_start_matches("refs/heads/").to_owned()).collect()
}

fn is_git(command: &Command) -> bool {
    command.name() == "git"
}

function! {
    REMOTE: remote,
    name: "remote",
    receiver: Object<Command>,
    params: {},
    result: Text,
    doc: "The remote or address that `git push`, `pull`, `fetch`, `clone` or `ls-remote` names; empty if it names none.",
    example: "'git push -f origin main'.commands()[0].remote() == 'origin'",
}

function! {
    REFS: refs,
    name: "refs",
    receiver: Object<Command>,
    params: {},
    result: List<Text>,
    doc: "The branches and tags that `git push`, `pull` or `fetch` names, as the remote calls them: of `a:b` that a push \
           is given, `b`. A leading `+` and `refs/heads/` are left out.",
    example: "'git push origin +HEAD:refs/heads/main x'.commands()[0].refs() == ['main', 'x']",
}
