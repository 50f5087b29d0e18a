//! The repository around a folder, read from its files: starting git would cost more than the whole hook.
//!
//! What cannot be read is empty text. Only repositories that keep their references in a table are asked through git
//! itself, and for a limited time.

mod answer;
mod invocation;
mod programs;
mod tame;

use std::cell::OnceCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub(crate) use self::tame::{Prepared, prepare};
use crate::document;
use crate::path;
use crate::surroundings;

/// How long git may take to answer.
const PATIENCE: Duration = Duration::from_secs(1);
/// References that refer to references that refer …
const MOST_REFERENCES: usize = 5;
/// What `HEAD` says where it is only kept for older programs.
const TABLE: &str = "refs/heads/.invalid";

/// A repository, or the lack of one.
#[derive(Debug)]
pub struct Git {
    place: Option<Place>,
    head: OnceCell<Head>,
}

#[derive(Debug)]
struct Place {
    /// The top of the work tree.
    root: PathBuf,
    /// Where `HEAD` is.
    folder: PathBuf,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Head {
    Unknown,
    /// On a branch: the full name of its reference.
    Reference(String),
    /// On a commit.
    Detached(String),
    /// On whatever a table says.
    Table,
}

impl Git {
    /// Looks for a repository in a folder and those above it.
    pub fn discover(start: &Path) -> Self {
        let start = if start.is_absolute() { start.to_path_buf() } else { path::resolve(start, "") };
        Self { place: start.ancestors().find_map(Place::at), head: OnceCell::new() }
    }

    /// The top folder of the work tree.
    pub fn root(&self) -> Option<&Path> {
        self.place.as_ref().map(|place| place.root.as_path())
    }

    /// The folder that all work trees of the repository share, links followed.
    pub fn shared(&self) -> Option<PathBuf> {
        self.place.as_ref().map(|place| path::resolve(&place.root, &place.shared().to_string_lossy()))
    }

    /// The branch, also before its first commit; `HEAD` when none is checked out, empty outside a repository.
    pub fn branch(&self) -> String {
        let Some(place) = &self.place else { return String::new() };
        match self.head(place) {
            Head::Unknown => String::new(),
            Head::Detached(_) => "HEAD".to_owned(),
            Head::Reference(name) => short(name).to_owned(),
            Head::Table => match ask(place, &["symbolic-ref", "--quiet", "HEAD"]) {
                name if !name.is_empty() => short(&name).to_owned(),
                _ if self.commit().is_empty() => String::new(),
                _ => "HEAD".to_owned(),
            },
        }
    }

    /// The full hash of the commit that is checked out; empty before the first one and outside a repository.
    pub fn commit(&self) -> String {
        let Some(place) = &self.place else { return String::new() };
        match self.head(place) {
            Head::Unknown => String::new(),
            Head::Detached(hash) => hash.clone(),
            Head::Reference(name) => place.look_up(name).unwrap_or_default(),
            Head::Table => Some(ask(place, &["rev-parse", "--quiet", "--verify", "HEAD"]))
                .filter(|hash| is_hash(hash))
                .unwrap_or_default(),
        }
    }

    /// Whether there is a branch of this name, with a commit on it.
    pub fn has_branch(&self, name: &str) -> bool {
        let Some(place) = &self.place else { return false };
        let reference = format!("refs/heads/{name}");
        match self.head(place) {
            Head::Table => !ask(place, &["rev-parse", "--quiet", "--verify", &reference]).is_empty(),
            _ => place.look_up(&reference).is_some(),
        }
    }

    /// The branch that was checked out before this one, as the log of the work tree tells; else empty.
    pub fn previous_branch(&self) -> String {
        let log = self.place.as_ref().and_then(|place| read(&place.folder.join("logs/HEAD"))).unwrap_or_default();
        let moves =
            log.lines().rev().filter_map(|line| line.split_once("\tcheckout: moving from ")?.1.split_once(" to "));
        moves.map(|(from, _)| from.to_owned()).next().unwrap_or_default()
    }

    /// What the branch follows, as `remote/branch`; empty if nothing, the branch alone if it is one of this repository.
    pub fn upstream(&self, branch: &str) -> String {
        let config = self.place.as_ref().and_then(|place| read(&place.shared().join("config"))).unwrap_or_default();
        let (remote, merge) = followed(&config, branch);
        match (remote.as_str(), short(&merge)) {
            ("", _) | (_, "") => String::new(),
            (".", branch) => branch.to_owned(),
            (remote, branch) => format!("{remote}/{branch}"),
        }
    }

    fn head(&self, place: &Place) -> &Head {
        self.head.get_or_init(|| place.head())
    }
}

impl Place {
    fn at(root: &Path) -> Option<Self> {
        let entry = root.join(".git");
        let found = fs::metadata(&entry).ok()?;
        let folder = if found.is_dir() {
            entry
        } else {
            // A further work tree or a submodule: the file says where the rest is.
            let text = read(&entry)?;
            root.join(text.strip_prefix("gitdir:")?.trim())
        };
        // A link may dangle and still be a HEAD: in old repositories it points at a branch without commits.
        fs::symlink_metadata(folder.join("HEAD")).ok()?;
        Some(Self { root: root.to_path_buf(), folder })
    }

    fn head(&self) -> Head {
        let file = self.folder.join("HEAD");
        if let Some(target) = fs::read_link(&file).ok().as_deref().and_then(Path::to_str)
            && target.starts_with("refs/")
        {
            return Head::Reference(target.to_owned());
        }
        match read(&file).as_deref().map(Reference::parse) {
            Some(Some(Reference::Name(TABLE))) => Head::Table,
            Some(Some(Reference::Name(name))) => Head::Reference(name.to_owned()),
            Some(Some(Reference::Hash(hash))) => Head::Detached(hash.to_owned()),
            _ => Head::Unknown,
        }
    }

    fn look_up(&self, name: &str) -> Option<String> {
        let shared = self.shared();
        let mut name = name.to_owned();
        for _ in 0..MOST_REFERENCES {
            if !is_safe(&name) {
                return None;
            }
            let Some(text) = read(&self.folder.join(&name)).or_else(|| read(&shared.join(&name))) else {
                return packed(&read(&shared.join("packed-refs"))?, &name);
            };
            match Reference::parse(&text)? {
                Reference::Hash(hash) => return Some(hash.to_owned()),
                Reference::Name(next) => next.clone_into(&mut name),
            }
        }
        None
    }

    /// The folder that all work trees of a repository share.
    fn shared(&self) -> PathBuf {
        read(&self.folder.join("commondir"))
            .map_or_else(|| self.folder.clone(), |text| self.folder.join(text.trim_end_matches(['\r', '\n'])))
    }
}

enum Reference<'a> {
    Name(&'a str),
    Hash(&'a str),
}

impl<'a> Reference<'a> {
    fn parse(text: &'a str) -> Option<Self> {
        let text = text.trim();
        match text.strip_prefix("ref:") {
            Some(name) => Some(name.trim()).filter(|name| !name.is_empty()).map(Self::Name),
            None => is_hash(text).then_some(Self::Hash(text)),
        }
    }
}

/// The last word of a configuration on the remote and the reference that a branch follows.
fn followed(config: &str, branch: &str) -> (String, String) {
    let (mut remote, mut merge) = (String::new(), String::new());
    let mut inside = false;
    for line in config.lines().map(str::trim) {
        if let Some(section) = line.strip_prefix('[').and_then(|rest| rest.rsplit_once(']')) {
            let named = section.0.split_once(char::is_whitespace).and_then(|(kind, name)| {
                let name = name.trim().strip_prefix('"')?.strip_suffix('"')?;
                kind.eq_ignore_ascii_case("branch").then(|| name.replace("\\\"", "\"").replace("\\\\", "\\"))
            });
            inside = named.as_deref() == Some(branch);
        } else if let Some((key, value)) = line.split_once('=').filter(|_| inside) {
            let value = value.split(['#', ';']).next().unwrap_or_default().trim().trim_matches('"');
            match key.trim().to_ascii_lowercase().as_str() {
                "remote" => value.clone_into(&mut remote),
                "merge" => value.clone_into(&mut merge),
                _ => {}
            }
        }
    }
    (remote, merge)
}

fn packed(text: &str, name: &str) -> Option<String> {
    let (hash, _) = text.lines().filter_map(|line| line.split_once(' ')).find(|(_, of)| of.trim_end() == name)?;
    is_hash(hash).then(|| hash.to_owned())
}

fn short(name: &str) -> &str {
    name.strip_prefix("refs/heads/").or_else(|| name.strip_prefix("refs/")).unwrap_or(name)
}

/// A reference is read as a file, and must not lead out of the repository.
fn is_safe(name: &str) -> bool {
    name.starts_with("refs/") && name.split('/').all(|part| !matches!(part, "" | "." | ".."))
}

fn is_hash(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn read(file: &Path) -> Option<String> {
    document::read_file(file, "a file of the repository").ok().flatten()
}

/// One line from git itself; empty when there is no git, it fails or it takes too long.
fn ask(place: &Place, arguments: &[&str]) -> String {
    let mut command = surroundings::command("git");
    command.arg("--git-dir").arg(&place.folder).args(arguments).current_dir(&place.root);
    // To look up a reference runs none of the programs that only a look at the configuration would find.
    tame::tame(&mut command, &programs::Programs::default());
    let deadline = Instant::now() + PATIENCE;
    let answer = answer::Answer::of(command, || Instant::now() < deadline).ok();
    let line = answer.as_ref().and_then(answer::Answer::success).map(String::from_utf8_lossy);
    line.map(|line| line.trim().to_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    const ONE: &str = "1111111111111111111111111111111111111111";
    const TWO: &str = "2222222222222222222222222222222222222222";

    struct Repository {
        guard: tempfile::TempDir,
    }

    impl Repository {
        fn new(head: &str) -> Self {
            let repository = Self { guard: tempfile::tempdir().expect("a folder") };
            repository.write(".git/HEAD", head);
            repository
        }

        fn root(&self) -> &Path {
            self.guard.path()
        }

        fn write(&self, path: &str, text: &str) {
            let file = self.root().join(path);
            fs::create_dir_all(file.parent().expect("a folder")).expect("created");
            fs::write(file, text).expect("written");
        }

        fn git(&self) -> Git {
            Git::discover(self.root())
        }
    }

    #[test]
    fn a_branch_is_known_before_its_first_commit() {
        let repository = Repository::new("ref: refs/heads/feature/login\n");
        assert_eq!(repository.git().branch(), "feature/login");
        assert_eq!(repository.git().commit(), "");
        assert_eq!(repository.git().root(), Some(repository.root()));
    }

    #[test]
    fn a_folder_below_belongs_to_the_repository_and_one_beside_does_not() {
        let repository = Repository::new("ref: refs/heads/main\n");
        repository.write("src/deep/file", "");
        assert_eq!(Git::discover(&repository.root().join("src/deep")).branch(), "main");
        assert_eq!(Git::discover(&repository.root().join("src/not/there/yet")).branch(), "main");
        let outside = tempfile::tempdir().expect("a folder");
        fs::create_dir(outside.path().join(".git")).expect("an empty folder is no repository");
        let git = Git::discover(outside.path());
        assert_eq!((git.branch(), git.commit(), git.root()), (String::new(), String::new(), None));
    }

    #[test]
    fn commits_come_from_loose_references_before_packed_ones() {
        let repository = Repository::new("ref: refs/heads/main\n");
        let packed = format!("# pack-refs with: peeled\n{TWO} refs/heads/main\n^{ONE}\n{ONE} refs/heads/main2\n");
        repository.write(".git/packed-refs", &packed);
        assert_eq!(repository.git().commit(), TWO);
        repository.write(".git/refs/heads/main", &format!("{ONE}\n"));
        assert_eq!(repository.git().commit(), ONE);
        repository.write(".git/refs/heads/main", "ref: refs/heads/other\n");
        repository.write(".git/refs/heads/other", TWO);
        assert_eq!(repository.git().commit(), TWO);
    }

    #[test]
    fn branches_are_known_by_their_commits_and_the_last_one_by_the_log() {
        let repository = Repository::new("ref: refs/heads/main\n");
        assert_eq!((repository.git().has_branch("side"), repository.git().previous_branch().as_str()), (false, ""));
        repository.write(".git/refs/heads/side", ONE);
        let log = format!(
            "{ONE} {TWO} A <a@b> 1 +0000\tcheckout: moving from side to main\n{TWO} {TWO} A <a@b> 2 +0000\tcommit: checkout\n"
        );
        repository.write(".git/logs/HEAD", &log);
        assert!(repository.git().has_branch("side") && !repository.git().has_branch("../heads/side"));
        assert_eq!(repository.git().previous_branch(), "side");
    }

    #[test]
    fn a_branch_follows_what_the_configuration_says_last() {
        let repository = Repository::new("ref: refs/heads/main\n");
        assert_eq!(repository.git().upstream("main"), "");
        repository.write(
            ".git/config",
            "[core]\n\tremote = no\n[branch \"main\"]\n\tremote = up # theirs\n\tmerge = refs/heads/trunk\n\
             [branch \"a b\"]\n\tremote = .\n\tmerge = refs/heads/main\n[branch \"half\"]\n\tremote = up\n",
        );
        let followed = |branch| repository.git().upstream(branch);
        assert_eq!(
            [followed("main"), followed("a b"), followed("half"), followed("other")],
            ["up/trunk", "main", "", ""].map(str::to_owned)
        );
    }

    #[test]
    fn a_detached_head_is_called_head() {
        let repository = Repository::new(&format!("{ONE}\n"));
        assert_eq!((repository.git().branch().as_str(), repository.git().commit().as_str()), ("HEAD", ONE));
    }

    #[test]
    fn further_work_trees_have_their_own_head_and_shared_branches() {
        let repository = Repository::new("ref: refs/heads/main\n");
        repository.write(".git/refs/heads/side", ONE);
        repository.write(".git/worktrees/side/HEAD", "ref: refs/heads/side\r\n");
        repository.write(".git/worktrees/side/commondir", "../..\n");
        repository.write("side/.git", "gitdir: ../.git/worktrees/side\n");
        let git = Git::discover(&repository.root().join("side"));
        assert_eq!((git.branch().as_str(), git.commit().as_str()), ("side", ONE));
        assert_eq!(git.root(), Some(repository.root().join("side").as_path()));
    }

    #[test]
    fn damaged_files_are_no_news() {
        for head in ["", "ref:", "nonsense", "1234"] {
            assert_eq!(Repository::new(head).git().branch(), "", "{head}");
        }
        let repository = Repository::new("ref: refs/heads/../../secret\n");
        repository.write(".git/secret", ONE);
        assert_eq!(repository.git().commit(), "");
        let repository = Repository::new("ref: refs/heads/a\n");
        repository.write(".git/refs/heads/a", "ref: refs/heads/a\n");
        assert_eq!(repository.git().commit(), "");
    }

    #[test]
    fn a_table_that_git_cannot_read_is_no_news() {
        let repository = Repository::new("ref: refs/heads/.invalid\n");
        assert_eq!((repository.git().branch(), repository.git().commit()), (String::new(), String::new()));
    }

    #[test]
    fn git_is_asked_where_references_are_in_a_table() {
        let folder = tempfile::tempdir().expect("a folder");
        let made = Command::new("git")
            .args(["init", "--quiet", "--ref-format=reftable", "--initial-branch=feature/x"])
            .current_dir(folder.path())
            .stderr(std::process::Stdio::null())
            .status();
        // Git before 2.45 has no tables, and none is needed to use this crate.
        if made.is_ok_and(|status| status.success()) {
            assert_eq!(Git::discover(folder.path()).branch(), "feature/x");
        }
    }
}
