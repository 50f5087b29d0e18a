//! What the commands of git do to the branch of a work tree, by their words.

use super::moves::Step;
use super::path;

/// Git's own options that take a value, before the subcommand.
const VALUED: &[&str] = &["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--config-env"];

/// Options of `checkout` and `switch` that name the branch to be made.
const MAKING: &[&str] = &["-b", "-B", "-c", "-C", "--create", "--force-create", "--orphan"];
/// With these, `checkout` restores files.
const RESTORING: &[&str] = &["-p", "--patch", "--ours", "--theirs", "--pathspec-from-file", "-2", "-3"];

/// The subcommand of git, and the words behind it.
pub(super) fn subcommand(args: &[String]) -> Option<(&str, &[String])> {
    let at = own(args);
    args.get(at).map(|name| (name.as_str(), args.get(at + 1..).unwrap_or_default()))
}

/// How many words are git's own options.
fn own(args: &[String]) -> usize {
    let mut at = 0;
    while let Some(arg) = args.get(at).filter(|arg| arg.starts_with('-')) {
        at += if VALUED.contains(&arg.as_str()) { 2 } else { 1 };
    }
    at
}

/// The folder that git works in: the one that it is started in, unless it is told another.
pub(super) fn work_tree(folder: &str, args: &[String]) -> String {
    let own = args.get(..own(args).min(args.len())).unwrap_or_default();
    let told = value(own, &["--work-tree"]).or_else(|| value(own, &["--git-dir"]));
    told.map_or_else(|| folder.to_owned(), |told| path::join(folder, told))
}

/// What the command does, and to the work tree around which folder.
pub(super) fn step(name: &str, args: &[String], folder: &str) -> Option<(String, Step)> {
    let here = |step| Some((work_tree(folder, args), step));
    if name == "gh" {
        let words: Vec<&str> = args.iter().map(String::as_str).filter(|arg| !arg.starts_with('-')).take(2).collect();
        return if matches!(words.as_slice(), ["pr", "checkout" | "co"]) { here(Step::Unknown) } else { None };
    }
    let (subcommand, rest) = subcommand(args)?;
    let words = operands(rest);
    match (subcommand, words.as_slice()) {
        ("checkout", _) => here(checkout(rest)?),
        ("switch", _) => here(made(rest).or_else(|| words.first().map(|word| to(word)))?),
        ("branch", _) if has(rest, &["-m", "-M", "--move"]) => match words.as_slice() {
            [to] => here(Step::Renamed { from: None, to: (*to).to_owned() }),
            [from, to] => here(Step::Renamed { from: Some((*from).to_owned()), to: (*to).to_owned() }),
            _ => None,
        },
        ("symbolic-ref", ["HEAD", name]) => here(to(name.strip_prefix("refs/heads/").unwrap_or(name))),
        ("rebase", [_, branch]) | ("stash", ["branch", branch, ..]) => here(to(branch)),
        ("worktree", ["add", path, on @ ..]) => {
            let on = made_branch(rest).or_else(|| on.first().copied()).map_or_else(|| last_part(path), str::to_owned);
            let on = if has(rest, &["-d", "--detach"]) { "HEAD".to_owned() } else { on };
            Some((path::join(folder, path), Step::Made { on }))
        }
        ("init", _) => {
            let words = operands_without(rest, &["-b", "--initial-branch", "--template", "--separate-git-dir"]);
            let on = value(rest, &["-b", "--initial-branch"]).unwrap_or_default().to_owned();
            Some((path::join(folder, words.first().copied().unwrap_or_default()), Step::Made { on }))
        }
        ("clone", _) => {
            let valued =
                ["-b", "--branch", "--depth", "-o", "--origin", "-j", "--jobs", "-c", "--config", "--reference"];
            let words = operands_without(rest, &valued);
            let url = words.first()?;
            let path = words.get(1).map_or_else(|| last_part(url), |path| (*path).to_owned());
            let path = path.strip_suffix(".git").unwrap_or(&path);
            let on = value(rest, &["-b", "--branch"]).unwrap_or_default().to_owned();
            Some((path::join(folder, path), Step::Made { on }))
        }
        _ => None,
    }
}

fn checkout(rest: &[String]) -> Option<Step> {
    if let Some(step) = made(rest) {
        return Some(step);
    }
    if has(rest, RESTORING) {
        return None;
    }
    let dashes = rest.iter().position(|arg| arg == "--");
    let before = operands(rest.get(..dashes.unwrap_or(rest.len())).unwrap_or_default());
    let files = dashes.map_or(0, |at| rest.len() - at - 1);
    match before.as_slice() {
        [word] if files == 0 && dashes.is_some() => Some(to(word)),
        [word] if files == 0 && !matches!(*word, "-" | "@{-1}") => Some(Step::Word((*word).to_owned())),
        [word] if files == 0 => Some(to(word)),
        _ => None,
    }
}

/// What options that are the same for `checkout` and `switch` ask for.
fn made(rest: &[String]) -> Option<Step> {
    if let Some(branch) = made_branch(rest) {
        return Some(to(branch));
    }
    if has(rest, &["-d", "--detach"]) {
        return Some(Step::Detached);
    }
    let remote = has(rest, &["-t", "--track"]).then(|| operands(rest).first().copied())??;
    Some(to(remote.split_once('/').map_or(remote, |(_, branch)| branch)))
}

fn made_branch(rest: &[String]) -> Option<&str> {
    value(rest, MAKING)
}

fn to(word: &str) -> Step {
    match word {
        "-" | "@{-1}" => Step::Previous,
        _ => Step::To(word.to_owned()),
    }
}

fn last_part(path: &str) -> String {
    path.trim_end_matches('/').rsplit(['/', ':']).next().unwrap_or_default().to_owned()
}

fn operands(rest: &[String]) -> Vec<&str> {
    operands_without(
        rest,
        &[
            "-b",
            "-B",
            "-c",
            "-C",
            "--create",
            "--force-create",
            "--orphan",
            "--conflict",
            "--reason",
            "--onto",
            "-s",
            "-X",
            "-x",
        ],
    )
}

/// The words that are neither options nor values of these.
fn operands_without<'a>(rest: &'a [String], valued: &[&str]) -> Vec<&'a str> {
    let mut words = Vec::new();
    let mut args = rest.iter().map(String::as_str);
    while let Some(arg) = args.next() {
        match arg {
            "-" => words.push(arg),
            "--" => {
                words.extend(args.by_ref());
            }
            _ if valued.contains(&arg) => drop(args.next()),
            _ if arg.starts_with('-') => {}
            _ => words.push(arg),
        }
    }
    words
}

/// The value of the first of the options that is there: the next word, what is behind `=`, or the rest of a cluster.
fn value<'a>(args: &'a [String], names: &[&str]) -> Option<&'a str> {
    let args = args.get(..args.iter().position(|arg| arg == "--").unwrap_or(args.len())).unwrap_or_default();
    args.iter().enumerate().find_map(|(nth, arg)| {
        names.iter().find_map(|name| match arg.strip_prefix(name)? {
            "" => args.get(nth + 1).map(String::as_str),
            attached if name.starts_with("--") => attached.strip_prefix('='),
            attached => Some(attached),
        })
    })
}

fn has(args: &[String], names: &[&str]) -> bool {
    let before = args.iter().take_while(|arg| *arg != "--");
    before.into_iter().any(|arg| names.contains(&arg.split('=').next().unwrap_or(arg)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str) -> Option<(String, Step)> {
        let args: Vec<String> = line.split(' ').map(str::to_owned).collect();
        step("git", &args, "/r")
    }

    fn in_place(line: &str) -> Option<Step> {
        of(line).map(|(folder, step)| {
            assert_eq!(folder, "/r", "{line}");
            step
        })
    }

    #[test]
    fn a_branch_is_checked_out_in_many_spellings() {
        for line in [
            "checkout -b x",
            "checkout -bx",
            "checkout -q -B x origin/main",
            "checkout --orphan x",
            "checkout --orphan=x",
            "switch -c x main",
            "switch -C x",
            "switch --create=x",
            "switch --force-create x",
            "switch x",
            "switch -f x",
            "checkout x --",
            "checkout -t origin/x",
            "switch --track origin/x",
            "-c core.pager=cat checkout -b x",
            "symbolic-ref HEAD refs/heads/x",
            "stash branch x",
            "rebase main x",
        ] {
            assert_eq!(in_place(line), Some(Step::To("x".to_owned())), "{line}");
        }
        assert_eq!(in_place("checkout -f x"), Some(Step::Word("x".to_owned())));
        assert_eq!(in_place("checkout -"), Some(Step::Previous));
        assert_eq!(in_place("switch -"), Some(Step::Previous));
        assert_eq!(in_place("checkout --detach main"), Some(Step::Detached));
        assert_eq!(in_place("switch -d main"), Some(Step::Detached));
    }

    #[test]
    fn files_are_no_branches() {
        for line in [
            "checkout x -- file",
            "checkout -- x",
            "checkout x file",
            "checkout -p x",
            "checkout --theirs x",
            "checkout",
            "switch",
            "branch x",
            "log checkout",
            "stash",
            "rebase main",
        ] {
            assert_eq!(in_place(line), None, "{line}");
        }
    }

    #[test]
    fn work_trees_are_made_where_they_are_told() {
        let made = |folder: &str, on: &str| Some((folder.to_owned(), Step::Made { on: on.to_owned() }));
        assert_eq!(of("worktree add ../w -b x"), made("/w", "x"));
        assert_eq!(of("worktree add -b x ../w main"), made("/w", "x"));
        assert_eq!(of("worktree add ../w main"), made("/w", "main"));
        assert_eq!(of("worktree add ../w"), made("/w", "w"));
        assert_eq!(of("worktree add --detach ../w"), made("/w", "HEAD"));
        assert_eq!(of("init -b main sub"), made("/r/sub", "main"));
        assert_eq!(of("clone --depth 1 -b x https://host/a/b.git"), made("/r/b", "x"));
        assert_eq!(of("clone host:a/b c"), made("/r/c", ""));
    }

    #[test]
    fn another_work_tree_may_be_meant() {
        assert_eq!(of("--work-tree=../o switch x"), Some(("/o".to_owned(), Step::To("x".to_owned()))));
        assert_eq!(of("--git-dir ../o/.git switch x"), Some(("/o/.git".to_owned(), Step::To("x".to_owned()))));
    }

    #[test]
    fn a_branch_may_get_another_name() {
        let renamed = |from: Option<&str>| Some(Step::Renamed { from: from.map(str::to_owned), to: "x".to_owned() });
        assert_eq!(in_place("branch -m x"), renamed(None));
        assert_eq!(in_place("branch -M main x"), renamed(Some("main")));
    }
}
