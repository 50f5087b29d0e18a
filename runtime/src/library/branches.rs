//! The branches that a command of a line may run on.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::call::Call;
use crate::git::Git;
use crate::path;
use crate::shell::{Command, Point, Step};
use crate::signature::function;

/// The branches that the command may run on, sorted: what is checked out where it runs, moved as the line says.
pub fn branches(call: &Call<'_>, command: &Command) -> Vec<String> {
    let points = command.points();
    let mut trees = Trees::new(call.cwd(), points);
    let folder = path::resolve(call.cwd(), &command.work_tree());
    let tree = trees.around(&folder);
    let start = Head { on: branch(&tree, &folder), before: None };
    let mut heads: Vec<BTreeSet<Head>> = Vec::with_capacity(points.len());
    for point in points {
        let of = |at: &usize| heads.get(*at).cloned().unwrap_or_default();
        let reached = match point {
            Point::Start => BTreeSet::from([start.clone()]),
            Point::Either(a, b) => of(a).union(&of(b)).take(MOST_WAYS).cloned().collect(),
            Point::After { before, folder, step } => {
                let folder = path::resolve(call.cwd(), folder);
                let heads = of(before);
                if trees.around(&folder) == tree { moved(heads, &folder, step) } else { heads }
            }
        };
        heads.push(reached);
    }
    let reached = heads.pop().filter(|heads| !heads.is_empty()).unwrap_or_else(|| BTreeSet::from([start]));
    let names: BTreeSet<String> = reached.into_iter().map(|head| head.on).collect();
    names.into_iter().collect()
}

/// What the branches that the command may run on follow, sorted.
pub fn upstreams(call: &Call<'_>, command: &Command) -> Vec<String> {
    let git = Git::discover(&path::resolve(call.cwd(), &command.work_tree()));
    let followed: BTreeSet<String> = branches(call, command).iter().map(|branch| git.upstream(branch)).collect();
    followed.into_iter().filter(|upstream| !upstream.is_empty()).collect()
}

/// Ways on which a point is reached that are told apart.
const MOST_WAYS: usize = 32;

/// The branch of a work tree, and the one that was checked out before it on this line.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Head {
    on: String,
    before: Option<String>,
}

/// Work trees: those on disk, and those that the line makes.
struct Trees {
    made: Vec<PathBuf>,
    /// What was looked up on disk.
    known: Vec<(PathBuf, PathBuf)>,
}

impl Trees {
    fn new(cwd: &Path, points: &[Point]) -> Self {
        let made = points.iter().filter_map(|point| match point {
            Point::After { folder, step: Step::Made { .. }, .. } => Some(path::resolve(cwd, folder)),
            _ => None,
        });
        Self { made: made.collect(), known: Vec::new() }
    }

    /// The top of the work tree around a folder; the folder itself where there is none.
    fn around(&mut self, folder: &Path) -> PathBuf {
        if let Some((_, tree)) = self.known.iter().find(|(known, _)| known == folder) {
            return tree.clone();
        }
        let on_disk = Git::discover(folder).root().map(|root| path::resolve(root, ""));
        let made = self.made.iter().filter(|made| path::is_within(folder, made));
        let tree = made.chain(&on_disk).max_by_key(|tree| tree.components().count());
        let tree = tree.map_or_else(|| folder.to_path_buf(), Clone::clone);
        self.known.push((folder.to_path_buf(), tree.clone()));
        tree
    }
}

/// The branch on disk; empty for a work tree that is yet to be made.
fn branch(tree: &Path, folder: &Path) -> String {
    let git = Git::discover(folder);
    let is_there = git.root().is_some_and(|root| path::resolve(root, "") == tree);
    if is_there { git.branch() } else { String::new() }
}

fn moved(heads: BTreeSet<Head>, folder: &Path, step: &Step) -> BTreeSet<Head> {
    let git = Git::discover(folder);
    heads.into_iter().map(|head| go(head, step, folder, &git)).collect()
}

fn go(head: Head, step: &Step, folder: &Path, git: &Git) -> Head {
    let to = match step {
        Step::To(branch) => branch.clone(),
        Step::Word(word) if !git.has_branch(word) && std::fs::symlink_metadata(folder.join(word)).is_ok() => {
            return head;
        }
        Step::Word(word) => word.clone(),
        Step::Previous => head.before.clone().unwrap_or_else(|| git.previous_branch()),
        Step::Detached => "HEAD".to_owned(),
        Step::Unknown => String::new(),
        Step::Renamed { from: Some(from), .. } if *from != head.on => return head,
        Step::Renamed { to, .. } => return Head { on: to.clone(), ..head },
        Step::Made { .. } if !head.on.is_empty() => return head,
        Step::Made { on } => on.clone(),
    };
    Head { on: to, before: Some(head.on) }
}

function! {
    FUNCTION: branches,
    name: "branches",
    receiver: Object<Command>,
    params: {},
    result: List<Text>,
    powers: [Repository],
    doc: "The branches that the command may run on: what is checked out in the folder where it runs (`cd`, `git -C`), \
           moved as `git checkout`, `git switch`, `git worktree add` and their like say that come before it on the line. \
           More than one if the line can go several ways, as behind `||` or `if`. A command that is not a question, such \
           as `test`, is expected to succeed. `HEAD` when no branch is checked out, empty outside a repository and \
           where the line does not tell.",
    example: "'git switch main -q && git commit'.commands().filter(c, c.subcommand == 'commit').all(c, c.branches() == ['main'])",
}

function! {
    UPSTREAMS: upstreams,
    name: "upstreams",
    receiver: Object<Command>,
    params: {},
    result: List<Text>,
    powers: [Repository],
    doc: "What the branches that the command may run on follow, as the repository's own configuration tells: `origin/main`. \
           A plain `git push` may go there. Empty where nothing is followed.",
    example: "'git -C /nowhere push'.commands()[0].upstreams().size() == 0",
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::event::Event;
    use crate::json::Json;
    use crate::library::commands;

    const HASH: &str = "1111111111111111111111111111111111111111";

    struct World {
        guard: tempfile::TempDir,
    }

    impl World {
        /// Two repositories: `here` on `main` with the branch `topic`, and `other` on `side`.
        fn new() -> Self {
            let world = Self { guard: tempfile::tempdir().expect("a folder") };
            world.write("here/.git/HEAD", "ref: refs/heads/main\n");
            world.write("here/.git/refs/heads/topic", HASH);
            world.write("here/.git/refs/heads/both", HASH);
            world.write("here/README.md", "");
            world.write("here/both", "");
            world.write("here/sub/file", "");
            world.write("other/.git/HEAD", "ref: refs/heads/side\n");
            let moved = format!("{HASH} {HASH} A <a@b> 1 +0000\tcheckout: moving from topic to main\n");
            world.write("here/.git/logs/HEAD", &moved);
            world
        }

        fn write(&self, file: &str, text: &str) {
            let file = self.guard.path().join(file);
            fs::create_dir_all(file.parent().expect("a folder")).expect("created");
            fs::write(file, text).expect("written");
        }

        /// The branches of the last commit of the line.
        fn of(&self, line: &str) -> String {
            let cwd = self.guard.path().join("here");
            let payload = Json::parse(&format!(r#"{{"cwd":{}}}"#, Json::text(cwd.to_str().expect("UTF-8"))))
                .expect("JSON")
                .into_owned();
            let call = Call::new("test", Event::named("PreToolUse").expect("known"), &payload);
            let found = commands(&call, line).expect("followed");
            let commit = found.iter().rev().find(|command| command.subcommand() == "commit").expect("a commit");
            branches(&call, commit).join(" ")
        }
    }

    fn check(cases: &[(&str, &str)]) {
        let world = World::new();
        for (line, expected) in cases {
            assert_eq!(world.of(line), *expected, "{line}");
        }
    }

    #[test]
    fn a_line_is_followed_from_one_branch_to_the_next() {
        check(&[
            ("git commit", "main"),
            ("git checkout -b x && git commit", "x"),
            ("git checkout -b x; git commit", "x"),
            ("git checkout -b x\ngit add .\ngit commit", "x"),
            ("git commit && git checkout topic", "main"),
            ("git switch topic && git commit && git switch main", "topic"),
            ("git checkout topic && git checkout main && git commit", "main"),
            ("git checkout topic && git checkout - && git commit", "main"),
            ("git checkout - && git commit", "topic"),
            ("git checkout --detach && git commit", "HEAD"),
            ("git branch -m trunk && git commit", "trunk"),
            ("bash -c 'git checkout topic' && git commit", "topic"),
            ("bash -c 'git checkout topic && git commit'", "topic"),
            ("git checkout topic && bash -c 'git commit'", "topic"),
            ("f() { git checkout topic; }; f && git commit", "topic"),
            ("ssh host 'git checkout topic'; git commit", "main"),
            ("gh pr checkout 12 && git commit", ""),
        ]);
    }

    #[test]
    fn what_is_followed_is_that_of_the_branch_which_the_line_moves_to() {
        let world = World::new();
        world.write("here/.git/config", "[branch \"topic\"]\n\tremote = origin\n\tmerge = refs/heads/main\n");
        let cwd = world.guard.path().join("here");
        let payload = Json::parse(&format!(r#"{{"cwd":{}}}"#, Json::text(cwd.to_str().expect("UTF-8"))));
        let payload = payload.expect("JSON").into_owned();
        let call = Call::new("test", Event::named("PreToolUse").expect("known"), &payload);
        for (line, expected) in [("git push -f", ""), ("git switch topic && git push -f", "origin/main")] {
            let found = commands(&call, line).expect("followed");
            assert_eq!(upstreams(&call, found.last().expect("a push")).join(" "), expected, "{line}");
        }
    }

    #[test]
    fn restoring_files_moves_nothing() {
        check(&[
            ("git checkout topic -- sub/file && git commit", "main"),
            ("git checkout README.md && git commit", "main"),
            ("git checkout . && git commit", "main"),
            ("git checkout both && git commit", "both"),
            ("cd sub && git checkout file && git commit", "main"),
            ("git checkout topic sub/file && git commit", "main"),
        ]);
    }

    #[test]
    fn every_work_tree_has_its_own_branch() {
        check(&[
            ("git -C ../other checkout main && git commit", "main"),
            ("git -C ../other commit", "side"),
            ("git checkout topic && git -C ../other commit", "side"),
            ("cd ../other && git commit", "side"),
            ("(cd ../other && git switch x); git commit", "main"),
            ("(git switch x); git commit", "x"),
            ("cd sub && git switch x && cd .. && git commit", "x"),
            ("git -C sub switch x && git commit", "x"),
            ("git --git-dir=../other/.git switch x && git commit", "main"),
            ("git worktree add ../new -b x && cd ../new && git commit", "x"),
            ("git worktree add .trees/new -b x && git -C .trees/new commit", "x"),
            ("git worktree add .trees/new -b x && git commit", "main"),
            ("git worktree add ../new main && cd ../new && git commit", "main"),
            ("git clone host:x/y ../y && cd ../y && git commit", ""),
            ("git init -b trunk && git commit", "main"),
        ]);
    }

    #[test]
    fn a_line_may_go_several_ways() {
        check(&[
            ("git checkout topic || git checkout -b topic; git commit", "topic"),
            ("git checkout topic || git checkout -b other && git commit", "other topic"),
            ("git checkout topic || true; git commit", "main topic"),
            ("git checkout topic || exit 1; git commit", "topic"),
            ("git checkout topic || { echo no; exit 1; }; git commit", "topic"),
            ("test -f x && git checkout topic; git commit", "main topic"),
            ("test -f x && exit; git commit", "main"),
            ("make && exit; git commit", "main"),
            ("git fetch && git checkout topic; git commit", "topic"),
            ("if test -f x; then git switch a; else git switch b; fi; git commit", "a b"),
            ("if test -f x; then git switch a; fi; git commit", "a main"),
            ("if git switch a; then git commit; fi", "a"),
            ("! git switch a && git commit", "main"),
            ("case $x in a) git switch a;; *) git switch b;; esac; git commit", "a b main"),
            ("for b in a b; do git switch $b && git commit; done", "b"),
            ("for b in a b; do git switch $b || continue; git commit; done", "b"),
            ("while read b; do git switch x; done; git commit", "main x"),
            ("(git switch x || exit 1) && git commit", "main x"),
            ("trap 'git switch x' EXIT; git commit", "main x"),
            ("exit 0; git commit", "main"),
        ]);
    }
}
